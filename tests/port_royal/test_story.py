"""The log of Port Royal: it is complete, and the logs of recorded games do not change."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.phrases import decision
from pr_env.port_royal.story import Listening, header
from tests.port_royal.golden_logs import FOLDER, GAMES
from tests.port_royal.plain_games import CONFIGURATIONS, moves, paying
from tests.port_royal.uncompiled import run_uncompiled

PLAYER = re.compile(r"player (\d)")
COMPLETED = re.compile(r"(?:(?:player \d: )?contract .* completed|(?:Complete|Pay .*) the contract .*) for (\d+) coin")
EVENTS = (
    "BUST",
    "a tax",
    "LAST ROUND",
    "Repel",
    "Claim",
    "for jesters",
    "for admirals",
    "contract .* completed",
    "wins",
)


def told_changes(decided: str, effects: list[str], seat: int, players: int) -> tuple[list[int], list[int]]:
    """The changes of coins and influence of each seat, as stated in the log."""
    coins, influence = [0] * players, [0] * players
    if trade := re.match(r"Trade .* for (\d+) coin", decided):
        coins[seat] += int(trade[1])
    if hire := re.match(r"Hire .* for (\d+) coin", decided):
        coins[seat] -= int(hire[1])
    if fee := re.search(r"(?:1 of them|which goes|1 coin) to player (\d)", decided):
        coins[seat] -= 1
        coins[int(fee[1])] += 1
    if gift := re.match(r"Give the coin to player (\d)", decided):
        coins[int(gift[1])] += 1
    if decided.startswith("Pay 15 coins"):
        coins[seat] -= 15
    for sentence in [decided, *effects]:
        named = PLAYER.match(sentence)
        who = int(named[1]) if named else seat
        if several := re.match(r"(player .*): ([+-]\d+) coins? each ", sentence):
            for other in PLAYER.findall(several[1]):
                coins[int(other)] += int(several[2])
        elif changed := re.match(r"(?:player \d: )?([+-]\d+) coin", sentence):
            coins[who] += int(changed[1])
        elif completed := COMPLETED.match(sentence):
            coins[who] += int(completed[1])
        elif missing := re.match(r"player \d: no cards are left for (\d+) coin", sentence):
            coins[who] -= int(missing[1])
        for change in re.findall(r"([+-]\d+) influence", sentence):
            influence[who] += int(change)
    return coins, influence


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_coin_and_all_influence_is_told(configuration: str) -> None:
    game = PortRoyal(**CONFIGURATIONS[configuration])
    for view, action, record in islice(moves(game, seed=4), 150):
        if action is None:
            break
        listening = Listening(action, view)
        assert listening.after.tobytes() == record.tobytes()
        told = told_changes(decision(action, view), listening.told, view.player, view.players)
        changed = [
            (record[field].astype(int) - view.record[field])[: view.players].tolist()
            for field in ("purse", "influence")
        ]
        assert list(told) == changed, (decision(action, view), listening.told)


def test_cards_that_are_turned_up_or_discarded_are_told() -> None:
    game = PortRoyal(**CONFIGURATIONS["everything"])
    turned_up = 0
    for view, action, record in moves(game, seed=2):
        if action is None:
            break
        told = "; ".join(Listening(action, view).told)
        new = record.drawn - view.drawn if record.turn == view.turn else record.drawn
        assert len(re.findall(r"(?:^|; |draws |with )an? (?!tax)\w.*?\(|(?:^|; |draws |with )a tax", told)) >= new
        turned_up += new
        if record.active != view.active and view.harbour_size and action.name[0] not in ("trade", "hire", "refuse"):
            assert "discarded: " in told or view.question != "take"
    assert turned_up > 50


def test_a_turn_begins_with_a_header() -> None:
    view, _, _ = next(moves(PortRoyal(players=3), seed=5))
    assert header(view) == "Turn 1: player 0 | influence 0 / 0 / 0 | coins 3 / 3 / 3 | harbour: red frigate"
    solo = PortRoyal(**CONFIGURATIONS["solo"])
    view, _, _ = next(moves(solo, seed=5))
    said = header(view)
    assert f"time deck {view.time}, score deck 0" in said
    assert "contracts on the table: " in said
    assert "contracts 0 of 3" in said


def test_the_plain_rules_leave_the_position_as_it_is() -> None:
    for view, action, _ in moves(PortRoyal(players=2), seed=1):
        before = view.record.tobytes()
        if action is None or view.turn > 5:
            break
        Listening(action, view)
        assert view.record.tobytes() == before


def test_what_is_paid_for_an_expedition_is_told() -> None:
    view = paying(PortRoyal(players=3))
    match, jack = (view.game.actions[view.game.action_number(name)] for name in ("pay_match", "pay_jack"))
    assert view.legal == (match, jack)
    assert Listening(match, view).told == ["discards a captain (-1 influence)"]  # and the second symbol is asked about
    told = Listening(jack, view).told
    assert told == ["discards 2 jacks of all trades (-2 influence)", "+4 influence", "+2 coins"]


def test_logs_of_recorded_games() -> None:
    """To record them again: NUMBA_DISABLE_JIT=1 python -m tests.port_royal.golden_logs write."""
    written = run_uncompiled("-m", "tests.port_royal.golden_logs").split("\f")
    for (name, _), log in zip(GAMES.items(), written, strict=True):
        assert (FOLDER / f"{name}.txt").read_text() == log, name


def test_golden_logs_are_of_whole_games() -> None:
    texts = {name: (FOLDER / f"{name}.txt").read_text() for name in GAMES}
    assert all("The game is over after" in text for text in texts.values())
    everything = "\n".join(texts.values())
    for event in (
        "BUST",
        "a tax",
        "LAST ROUND",
        "Repel",
        "Claim",
        "for jesters",
        "for admirals",
        "ompletes? the contract",
    ):
        assert re.search(event, everything, re.IGNORECASE), event
