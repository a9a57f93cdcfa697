"""Replays of extended games: they survive JSON, and the log describes every new action."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pr_env import Batch, PuertoRico
from pr_env.replay import Move, Recorder, Replay, ReplayError
from tests.puerto_rico.table import kinds_with

GAMES: dict[str, dict[str, Any]] = {
    "johns": {"players": 6, "buildings": "draft"},
    "double cards": {"players": 5, "buildings": "draft", "double_cards": True},
    "governor": {"players": 6, "buildings": "random", "six_players": "governor", "balanced": True},
    "list": {
        "players": 3,
        "buildings": kinds_with("hacienda", "forest_house", "storehouse", "guesthouse", "small_wharf"),
        "small_wharf_harbor": "kind",
    },
    "two": {"players": 2, "buildings": "draft", "two_player_library": "round"},
}
KINDS = sorted({str(action.name[0]) for action in PuertoRico(players=6).actions})


@cache
def recorded(game: str, seed: int = 1) -> Replay:
    """A random game."""
    batch = Batch(PuertoRico(**GAMES[game]), 1, seed=seed, autoreset=False, threads=1)
    recorder = Recorder(batch.game, seed)
    while not batch.is_over()[0]:
        action = batch.sample_actions()[0]
        batch.step([action])
        recorder.add(action)
    return recorder.replay()


@cache
def moves(game: str) -> list[Move]:
    return recorded(game).moves()


@cache
def boards(game: str) -> list[list[dict[str, Any]]]:
    """Every player's board at the set-up and after every move."""
    return [batch.to_dict(0)["boards"] for batch in recorded(game).positions()]


def told(move: Move, players: int, what: str) -> list[int]:
    """The amount of something that each player gained by a move, according to the log."""
    won = [0] * players
    for effect in move.effects:
        whose = re.match(r"player (\d): ", effect)
        for number in re.findall(rf"([+-]\d+) {what}s?(?![\w ])", effect):
            won[int(whose[1]) if whose else move.player] += int(number)
    return won


@pytest.mark.parametrize("game", GAMES)
def test_a_game_survives_the_way_through_json(game: str) -> None:
    again = Replay.from_json(recorded(game).to_json())
    assert again == recorded(game)
    assert again.game.options() == recorded(game).game.options()


def test_a_list_that_does_not_fit_is_refused() -> None:
    line = recorded("list").to_json()
    with pytest.raises(ReplayError, match=r"puerto_rico refuses: each of buildings must be .*, got 'hazienda'"):
        Replay.from_json(line.replace("hacienda", "hazienda"))
    with pytest.raises(ReplayError, match="refuses: double_cards must have the same type as False, got 1"):
        Replay.from_json(line.replace('"options": {', '"options": {"double_cards": 1, '))


@pytest.mark.parametrize("game", GAMES)
def test_points_and_doubloons_told_are_those_that_were_won(game: str) -> None:
    players = recorded(game).game.players
    points = np.array([told(move, players, "point") for move in moves(game)])
    result = recorded(game).result()
    assert result is not None
    assert points.sum(axis=0).tolist() == result["points"]
    for what, key in (("doubloon", "doubloons"), ("forest", "forests")):
        at = [[board[key] for board in position] for position in boards(game)]
        for move, (before, after) in zip(moves(game), pairwise(at), strict=True):
            won = [new - old for new, old in zip(after, before, strict=True)]
            if what == "forest" and move.words == "Place a forest":
                won[move.player] -= 1  # as described in words
            assert told(move, players, what) == won


@pytest.mark.parametrize("game", GAMES)
def test_goods_told_are_those_that_moved(game: str) -> None:
    players = recorded(game).game.players
    for good in ("corn", "coffee"):
        at = [[board["goods"][good] for board in position] for position in boards(game)]
        for move, (before, after) in zip(moves(game), pairwise(at), strict=True):
            assert told(move, players, good) == [new - old for new, old in zip(after, before, strict=True)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_action_is_told_in_words(kind: str) -> None:
    for replay in (recorded(game, seed) for seed in range(1, 30) for game in GAMES):
        kinds = [replay.game.actions[action].name[0] for action in replay.actions]
        if kind in kinds:
            break
    else:
        pytest.fail(f"nobody plays {kind} in these games")
    for move, played in zip(replay.moves(), kinds, strict=True):
        if played == kind:
            assert not re.search(r"this good|this kind|to the left|[{}_]", move.words)


def test_the_draft_has_a_header_of_its_own_and_comes_before_the_first_round() -> None:
    log = recorded("johns").log()
    assert log[2] == "Draft of the violet buildings"
    assert re.match(r" +1  player 0: Put the .* on the board$", log[3])
    assert re.match(r" +17  player 4: Put the ", log[19])
    assert log[21].startswith("Round 1 | governor: player 0 | ")
    assert [move.round for move in moves("johns")[:18]] == [0] * 17 + [1]
    assert "Draft" not in "\n".join(recorded("governor").log())


def test_the_log_names_whom_the_pirate_robs_and_what_they_lose() -> None:
    robbed = [re.search(r"a barrel of (\w+) from player (\d)$", move.words) for move in moves("johns")]
    assert any(robbed)
    for move, found in zip(moves("johns"), robbed, strict=True):
        if found:
            assert any(effect.startswith(f"player {found[2]}: -1 {found[1]}") for effect in move.effects)


def test_the_log_says_what_the_hacienda_drew() -> None:
    for replay in (recorded("list", seed) for seed in range(1, 100)):
        decisions = [position.to_dict(0)["decision"] for position in replay.positions()]
        drawn = [decision["drawn"] for decision in decisions if "drawn" in decision]
        if drawn:
            break
    else:
        pytest.fail("nobody has hacienda and forest house in these games")
    lines = [effect for move in replay.moves() for effect in move.effects if "draws" in effect]
    assert lines == [f"draws {tile}" for tile in drawn]
