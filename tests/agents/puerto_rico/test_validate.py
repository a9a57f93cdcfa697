"""The report that compares the simulator with known figures."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from agents import RandomAgent
from agents.arena import Hook, play_match
from agents.neural import SHIPPED
from agents.puerto_rico import validate
from agents.puerto_rico.habits import Buildings, OpeningRoles
from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.state import MAYOR_PHASE


@pytest.fixture
def _without_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the scripted agent, which takes long to compile and is tested elsewhere."""
    monkeypatch.setitem(validate.PLACEMENTS, "as the agent builder", None)


def test_the_known_figures_are_shares() -> None:
    for known in (validate.RANDOM_3, validate.RANDOM_4, validate.EXPERTS_4):
        assert len(known.wins) == known.players
        assert sum(known.wins) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("rule", ["by chance", "plantations first", "buildings first"])
def test_only_the_places_of_colonists_are_chosen_by_a_rule(rule: str) -> None:
    batch = Batch(PuertoRico(players=3), 200, seed=1, autoreset=False, observations=False)
    agent, chance = validate.RandomPlacing(batch.game, rule, seed=5), RandomAgent(batch.game, seed=5)
    placed = 0
    for _ in range(60):
        chosen = agent.choose(batch.observation, batch.mask, batch.games)
        by_chance = chance.choose(batch.observation, batch.mask)
        mayor = batch.games["phase"] == MAYOR_PHASE
        assert np.array_equal(chosen[~mayor], by_chance[~mayor])
        for i in np.flatnonzero(mayor):
            legal = np.flatnonzero(batch.mask[i])
            expected = {"by chance": by_chance[i], "plantations first": legal[-1], "buildings first": legal[0]}
            assert chosen[i] == expected[rule]
        placed += int(mayor.sum())
        batch.step(chosen)
    assert placed > 100


def test_plantations_first_mans_plantations_and_buildings_first_buildings() -> None:
    game = PuertoRico(players=3, max_rounds=6)
    on_tiles, in_buildings = {}, {}
    for rule in ("plantations first", "buildings first"):
        result = play_match(game, [validate.RandomPlacing(game, rule)], games=60)
        assert result.games is not None
        on_tiles[rule] = result.games["tile_colonists"].sum()
        in_buildings[rule] = result.games["city"].clip(0).sum()
    assert on_tiles["plantations first"] > on_tiles["buildings first"]
    assert in_buildings["plantations first"] < in_buildings["buildings first"]


@pytest.mark.usefixtures("_without_builder")
def test_the_report_prints_ours_beside_the_known_figures() -> None:
    console = Console(width=140, file=StringIO(), record=True)
    validate.print_report(console, ["random", "random + random:"], random_games=30, strong_games=20)
    text = console.export_text()
    for players in (3, 4):
        assert f"Random play, {players} players; colonists are placed ..." in text
    assert text.count("Strong play, 4 players; known: experts") == 2
    for words in (*validate.PLACEMENTS, "random against itself", "random + random:"):
        assert words in text
    for known in ("52.0%", "30.9%", "43.5", "about 15", "about 36 to 65", "over 90 %"):
        assert known in text
    assert text.count("Differences:") == 3
    assert all(row in text for row in ("points by source", "first role of seat 4", "buildings of winners"))


@pytest.mark.usefixtures("_without_builder")
def test_the_agent_of_the_package_is_shown_with_every_number_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate, "STRONG_TABLES", ("random",))
    monkeypatch.setattr(validate, "SHIPPED", "random")
    console = Console(width=140, file=StringIO(), record=True)
    validate.print_report(console, random_games=6, strong_games=6)
    text = console.export_text()
    shown = text[text.index("Strong play, 4 players; known: experts") :]
    for players in (2, 3, 5):
        assert f"Strong play, {players} players " in shown
        shown = shown[shown.index(f"Strong play, {players} players ") :]
        assert f"points of seat {players}" in shown
        assert f"first role of seat {players}" in shown
    assert "known" not in shown  # there are no known figures for these games


@pytest.mark.usefixtures("_without_builder")
def test_abandoned_games_are_not_passed_over_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(masks: np.ndarray, games: np.ndarray) -> np.ndarray:
        raise RuntimeError("no place left")

    monkeypatch.setattr(validate, "PLACEMENTS", {"by chance": None, "badly": crash})
    console = Console(width=140, file=StringIO(), record=True)
    validate.print_report(console, ["random"], random_games=6, strong_games=4)
    text = console.export_text()
    assert text.count("NOT VALID: badly: 6 of 6 games were abandoned") == 2  # with three and with four players
    assert "crash: RuntimeError: no place left" in text
    assert "NOT VALID: by chance" not in text


def test_agents_that_cannot_play_are_refused_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        validate.print_report(Console(quiet=True), ["nobody"], random_games=10**9, strong_games=1)
    two = f"ppo:weights={SHIPPED / 'ppo_2p.npz'}"
    with pytest.raises(ValueError, match="players=2, not 4"):
        validate.print_report(Console(quiet=True), [two], random_games=10**9, strong_games=1)


def test_habits_come_from_the_games() -> None:
    opening, buildings = OpeningRoles(), Buildings()
    hooks: list[Hook] = [opening, buildings]
    result = play_match(PuertoRico(players=4), ["random"], games=3, batch=2, keep_actions=True, hooks=hooks)
    counts = opening.counts
    assert [sum(roles.values()) for roles in counts] == [3] * 4
    for replay in result.replays():
        first = [move for move in replay.moves() if move.round == 1 and move.opens]
        assert [move.player for move in first] == [0, 1, 2, 3]
        for seat, move in enumerate(first):
            assert any(role.removesuffix("_2") in move.words for role in counts[seat])
    assert result.games is not None
    assert sum(buildings.everybody.values()) == result.games["built_count"].sum()
    assert 0 < sum(buildings.winners.values()) < sum(buildings.everybody.values())
    assert (buildings.players, buildings.won) == (12, (result.win_shares > 0).sum())
    low, middle, high = validate.winning_points(result)
    assert low <= middle <= high == pytest.approx(np.quantile(result.points.sum(axis=-1).max(axis=1), 0.95))
