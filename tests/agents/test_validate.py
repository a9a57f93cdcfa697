"""The report that compares the simulator with what is known."""

from __future__ import annotations

from io import StringIO
from typing import ClassVar

import numpy as np
import pytest
from rich.console import Console

from agents import Agent, RandomAgent, make_agent, validate
from agents.arena import play_match
from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.state import MAYOR_PHASE


class Placer(Agent):
    """Stands for the scripted agent: the last legal action, and only for the mayor."""

    needs_games: ClassVar[bool] = True

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        assert games is not None
        assert (games["phase"] == MAYOR_PHASE).all()
        return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


@pytest.fixture
def placer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate, "make_agent", lambda name: Placer() if name == validate.PLACER else make_agent(name))


def test_the_known_figures_are_shares() -> None:
    for known in (validate.RANDOM_3, validate.RANDOM_4, validate.EXPERTS_4):
        assert len(known.wins) == known.players
        assert sum(known.wins) == pytest.approx(1, abs=0.001)


@pytest.mark.usefixtures("placer")
def test_colonists_placed_right_are_the_only_choice_that_is_not_chance() -> None:
    batch = Batch(PuertoRico(players=3), 200, seed=1, autoreset=False, observations=False)
    agent, chance = validate.RandomPlacingRight(seed=5), RandomAgent(seed=5)
    placed = 0
    for _ in range(60):
        mask = batch.mask.copy()
        chosen, by_chance = agent.choose(batch.observation, mask, batch.games), chance.choose(batch.observation, mask)
        mayor = batch.games["phase"] == MAYOR_PHASE
        assert np.array_equal(chosen[~mayor], by_chance[~mayor])
        assert (chosen[mayor] == mask.shape[1] - 1 - mask[mayor, ::-1].argmax(axis=1)).all()
        placed += int(mayor.sum())
        batch.step(chosen)
    assert placed > 100


@pytest.mark.usefixtures("placer")
def test_the_report_prints_ours_beside_the_known_figures() -> None:
    console = Console(width=140, file=StringIO(), record=True)
    validate.print_report(console, ["random"], random_games=30, strong_games=20)
    text = console.export_text()
    for players in (3, 4):
        assert f"Random play, {players} players, colonists placed right: 30 games" in text
        assert f"Random play, {players} players, colonists placed by chance: 30 games" in text
    assert "random against itself, 4 players; known: experts: 20 games" in text
    for known in ("52.0%", "30.9%", "43.5", "about 15", "about 36 to 65", "over 90 % by colonists"):
        assert known in text
    assert text.count("What differs:") == 2
    assert all(row in text for row in ("points by source", "first role of seat 4", "buildings of winners"))


def test_unknown_agents_are_refused_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        validate.print_report(Console(quiet=True), ["nobody"], random_games=10**9, strong_games=1)


def test_habits_come_from_the_games() -> None:
    result = play_match(PuertoRico(players=4), ["random"], games=3, keep_actions=True)
    counts = validate.opening_roles(result)
    assert [sum(roles.values()) for roles in counts] == [3] * 4
    for replay in result.replays():
        first = [move for move in replay.moves() if move.round == 1 and move.opens]
        assert [move.player for move in first] == [0, 1, 2, 3]
        for seat, move in enumerate(first):
            assert any(role.removesuffix("_2") in move.words for role in counts[seat])
    everybody, winners = validate.favourite_buildings(result)
    assert result.games is not None
    assert sum(everybody.values()) == result.games["built_count"].sum()
    assert 0 < sum(winners.values()) < sum(everybody.values())
    low, middle, high = validate.winning_points(result)
    assert low <= middle <= high == pytest.approx(np.quantile(result.points.sum(axis=-1).max(axis=1), 0.95))
