"""The agents that come with the package."""

import json
from pathlib import Path

import pytest

from agents import make_agent
from agents.arena import play_match
from agents.neural import SHIPPED, Brain, NeuralAgent
from pr_env import Batch, PuertoRico
from training.ship import describe

PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_there_is_an_agent_that_beats_random_players(players: int) -> None:
    result = play_match(PuertoRico(players=players), ["ppo", "random"], games=20 * players, seed=5)
    assert not result.faults
    assert result.wins_of("ppo").mean > 0.95


@pytest.mark.parametrize("players", PLAYERS)
def test_its_values_are_shares_of_the_win(players: int) -> None:
    game = PuertoRico(players=players)
    agent = make_agent("ppo")
    assert isinstance(agent, NeuralAgent)
    batch = Batch(game, 8, seed=1, threads=1)
    for _ in range(30):
        priors, seats = agent.evaluate(batch.observation, batch.mask)
        assert seats.shape == (8, players)
        assert seats.sum(axis=1) == pytest.approx(1)
        assert not priors[~batch.mask].any()
        assert priors.sum(axis=1) == pytest.approx(1)
        batch.step(agent.choose(batch.observation, batch.mask))


@pytest.mark.parametrize("players", PLAYERS)
def test_its_card_says_how_it_was_made_and_how_strong_it_is(players: int) -> None:
    path = SHIPPED / f"ppo_{players}p.npz"
    card = Brain(path).about["card"]
    assert card["decisions"] > 0
    assert card["hours"] > 0
    assert card["commit"]
    assert {"random", "builder", "shipper", "trader", "greedy"} <= set(card["strength"])
    assert path.with_suffix(".md").read_text() == describe(players, card)
    assert str(Path.home()) not in json.dumps(card)


def test_all_of_them_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.glob("*.npz")) < 4_000_000
