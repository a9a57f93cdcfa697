"""The report on play in Port Royal, and the hooks that collect its statistics."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from agents.arena import Hook, Playing, play_match
from agents.port_royal import validate
from agents.port_royal.habits import Busts, Draws, Hires
from pr_env import PortRoyal
from pr_env.game import Buffers
from pr_env.port_royal.state import DISCOVER

BASE = PortRoyal(players=3)


class _Harbours(Hook):
    """A slow version of `Draws`: counts ships and sabres at each decision, from the observation."""

    def __init__(self) -> None:
        self.drew: list[tuple[int, int, bool]] = []
        self.risks: list[float] = []

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        game = playing.batch.game
        for place, action in zip(index.tolist(), actions.tolist(), strict=True):
            record = playing.batch.games[place]
            names = [game.actions[number].name for number in np.flatnonzero(record["legal"])]
            if record["question"] == DISCOVER and ("draw",) in names and ("stop",) in names:
                if game.actions[action].name in (("draw",), ("stop",)):
                    position = game.to_dict(record)
                    view = Buffers.allocate(game, 1)
                    game.look(playing.batch.games[place : place + 1], view)
                    seen = game.read_observation(view.observation[0])
                    self.drew.append(
                        (
                            len(position["harbour"]["ships"]),
                            min(7, int(record["sabres"][record["active"]])),
                            game.actions[action].name == ("draw",),
                        )
                    )
                    self.risks.append(float(seen["next_card"][-1]) / 1000)


def test_draws_are_counted_where_a_player_could_stop() -> None:
    draws, slowly = Draws(), _Harbours()
    play_match(BASE, ["random"], games=6, hooks=[draws, slowly])
    decided, drew = np.zeros_like(draws.decided), np.zeros_like(draws.drew)
    for ships, sabres, drawn in slowly.drew:
        decided[ships, sabres] += 1
        drew[ships, sabres] += drawn
    assert decided.sum() > 50
    assert np.array_equal(draws.decided, decided)
    assert np.array_equal(draws.drew, drew)
    assert draws.risk.sum() == pytest.approx(sum(slowly.risks), rel=0.001)  # shown in thousandths
    drawn_at = sum(risk for (_, _, drawn), risk in zip(slowly.drew, slowly.risks, strict=True) if drawn)
    assert draws.drawn_at.sum() == pytest.approx(drawn_at, rel=0.001)


def test_busts_are_those_of_the_log() -> None:
    for game in (BASE, PortRoyal(players=2, add=("contract_cards", "contracts"))):
        busts = Busts()
        result = play_match(game, ["random"], games=3, hooks=[busts], batch=2, keep_actions=True)
        told = [sum("bust" in line.lower() for line in replay.log()) for replay in result.replays()]
        assert sum(told) > 2
        assert sorted(busts.counts.tolist()) == sorted(told)
        mean, low, high = busts.a_game()
        assert mean == pytest.approx(np.mean(told))
        assert low < mean < high


def test_hires_come_from_the_games() -> None:
    hires = Hires(BASE)
    result = play_match(BASE, ["random"], games=30, hooks=[hires], batch=11, keep_actions=True)
    told = dict.fromkeys(hires.types, 0)
    assert result.actions is not None
    for action in (number for actions in result.actions for number in actions):
        what, *whom = BASE.actions[action].name
        if what == "hire":
            told[next(kind for kind in hires.types if str(whom[0]).startswith(kind))] += 1
    assert sum(told.values()) > 100
    for kind, count in told.items():
        assert hires.a_player(kind) == pytest.approx(count / (30 * 3))
    most = max(told, key=lambda kind: told[kind])
    with_it, without = hires.wins(most, hired=True), hires.wins(most, hired=False)
    assert with_it is not None
    assert without is None or without.low <= without.mean <= without.high


def test_the_report_sets_games_beside_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate, "LEAST_SEEN", 1)
    console = Console(width=240, file=StringIO(), record=True)
    validate.print_report(console, ["random"], random_games=4, strong_games=4)
    text = console.export_text()
    for known in validate.CONFIGURATIONS:
        assert known.name in text
    for words in ("65.6", "3.1", "10 (one recorded game)", "14 (one recorded game)", "1 to 2 (a review)"):
        assert words in text
    assert text.count("When random draws another card") == 2
    assert text.count("Persons: ") == 2
    assert all(row in text for row in ("wins of seat 5", "points of winners from expeditions", "sabres", "governor"))
    assert "NOT VALID" not in text


def test_agents_that_cannot_play_are_refused_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        validate.print_report(Console(quiet=True), ["nobody"], random_games=10**9, strong_games=1)


def test_without_a_network_a_scripted_player_shows_how_to_play() -> None:
    assert validate.strongest(BASE) == "ppo"
    assert validate.strongest(PortRoyal(players=3, alternative_end=True)) == "crew"
