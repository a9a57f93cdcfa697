"""Agents by name."""

from __future__ import annotations

import numpy as np
import pytest

from agents import RandomAgent, agent_names, make_agent, scripted
from agents.agent import Agent
from agents.registry import AGENTS
from pr_env import Batch, Game, PuertoRico

SCRIPTED = ("builder", "shipper", "trader", "greedy")


@pytest.mark.parametrize("name", ["random", *SCRIPTED])
def test_a_named_agent_plays(name: str) -> None:
    agent = make_agent(name, seed=3)
    assert isinstance(agent, Agent)
    batch = Batch(PuertoRico(players=3), 4, observations=False)
    actions = agent.choose(batch.observation, batch.mask, batch.games)
    assert actions.shape == (4,)
    assert actions.dtype == np.int64
    assert batch.mask[np.arange(4), actions].all()


def test_names_are_listed_with_one_line_each() -> None:
    assert {"random", *SCRIPTED} <= set(agent_names())
    for _, _, description in AGENTS.values():
        assert description
        assert "\n" not in description


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(ValueError, match=r"no agent 'nobody'; there are .*builder"):
        make_agent("nobody")


@pytest.mark.parametrize("spec", ["builder:seed=3", "builder:strength=9", "builder:strength", "random:seed=1"])
def test_an_unknown_option_says_that_there_is_none(spec: str) -> None:
    with pytest.raises(ValueError, match=r"has no option .*it has none"):
        make_agent(spec)


def test_an_agent_is_told_its_game_and_refuses_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class Told(RandomAgent):
        def __init__(self, game: Game, *, seed: int = 0) -> None:
            super().__init__(seed=seed)
            self.game = game

    monkeypatch.setattr(scripted, "BuilderAgent", Told)
    game = PuertoRico(players=4)
    agent = make_agent("builder", game=game, seed=1)
    assert isinstance(agent, Told)
    assert agent.game is game
    with pytest.raises(ValueError, match="agent 'builder' has no option 'game=1'; it has none"):
        make_agent("builder:game=1", game=game)
    monkeypatch.setattr(PuertoRico, "name", "another")
    with pytest.raises(ValueError, match="agent 'builder' does not play another"):
        make_agent("builder", game=game)
    make_agent("random", game=game)


@pytest.mark.parametrize("name", SCRIPTED)
def test_agents_that_look_at_the_games_say_so_if_they_get_none(name: str) -> None:
    agent = make_agent(name)
    assert agent.needs_games
    with pytest.raises(ValueError, match="records"):
        agent.choose(np.zeros((1, 0), np.float32), np.ones((1, 86), np.bool_))
