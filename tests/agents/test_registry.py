"""Agents by name."""

from __future__ import annotations

import numpy as np
import pytest

import agents.puerto_rico.agent
from agents import RandomAgent, agent_names, make_agent
from agents.agent import Agent
from agents.puerto_rico import BuilderAgent
from agents.registry import names_for
from pr_env import Batch, PuertoRico
from tests.toys import Nim

GAME = PuertoRico(players=3)
SCRIPTED = ("builder", "shipper", "trader", "greedy")
FOR_ANY_GAME = ("random", "ppo", "mcts", "ppo+mcts", "program")


@pytest.mark.parametrize("name", ["random", *SCRIPTED])
def test_a_named_agent_plays(name: str) -> None:
    agent = make_agent(name, GAME, seed=3)
    assert isinstance(agent, Agent)
    batch = Batch(GAME, 4, observations=False)
    actions = agent.choose(batch.observation, batch.mask, batch.games)
    assert actions.shape == (4,)
    assert actions.dtype == np.int64
    assert batch.mask[np.arange(4), actions].all()


def test_names_are_listed_with_one_line_each() -> None:
    for kind in (PuertoRico, Nim):
        words = names_for(kind)
        assert tuple(words) == agent_names(kind.name)
        for description in words.values():
            assert description
            assert "\n" not in description


def test_a_game_has_the_agents_that_know_it_and_those_for_any_game() -> None:
    assert set(agent_names("puerto_rico")) == {*FOR_ANY_GAME, *SCRIPTED}
    assert set(agent_names("nim")) == set(FOR_ANY_GAME)
    with pytest.raises(
        ValueError, match=r"no agent 'builder' for nim; available: random, ppo, mcts, ppo\+mcts, program$"
    ):
        make_agent("builder", Nim())


@pytest.mark.parametrize("name", ["random", "mcts:playouts=20"])
def test_agents_for_any_game_play_any_game(name: str) -> None:
    batch = Batch(Nim(players=3), 4)
    actions = make_agent(name, batch.game).choose(batch.observation, batch.mask, batch.games)
    assert batch.mask[np.arange(4), actions].all()


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(ValueError, match=r"no agent 'nobody' for puerto_rico; available: .*builder"):
        make_agent("nobody", GAME)


@pytest.mark.parametrize("spec", ["builder:seed=3", "builder:strength=9", "builder:strength", "random:seed=1"])
def test_an_unknown_option_says_that_there_is_none(spec: str) -> None:
    with pytest.raises(ValueError, match=r"has no option .*it has none"):
        make_agent(spec, GAME)


def test_an_agent_is_told_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    class Told(RandomAgent):
        pass

    monkeypatch.setattr(agents.puerto_rico.agent, "BuilderAgent", Told)
    game = PuertoRico(players=4)
    agent = make_agent("builder", game, seed=1)
    assert isinstance(agent, Told)
    assert agent.game is game
    with pytest.raises(ValueError, match="agent 'builder' has no option 'game=1'; it has none"):
        make_agent("builder:game=1", game)
    with pytest.raises(ValueError, match=r"game must be a game, for example .*, got 'puerto_rico'"):
        make_agent("builder", "puerto_rico")  # type: ignore[arg-type]


def test_an_agent_refuses_games_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="BuilderAgent plays puerto_rico, not nim"):
        BuilderAgent(Nim())
    monkeypatch.setattr(BuilderAgent, "plays", ("chess", "go"))
    with pytest.raises(ValueError, match="agent 'builder': BuilderAgent plays chess and go, not puerto_rico"):
        make_agent("builder", GAME)


@pytest.mark.parametrize("name", SCRIPTED)
def test_agents_that_look_at_the_games_refuse_those_of_another_configuration(name: str) -> None:
    batch = Batch(PuertoRico(players=4), 2, observations=False)
    with pytest.raises(ValueError, match=r"made for PuertoRico\(players=3.*, got games of another configuration"):
        make_agent(name, GAME).choose(batch.observation, batch.mask, batch.games)
    six = np.zeros(2, PuertoRico(players=6, six_players="johns").record)
    with pytest.raises(ValueError, match=r"array of records of PuertoRico\(players=3"):
        make_agent(name, GAME).choose(batch.observation, batch.mask, six)


@pytest.mark.parametrize("name", SCRIPTED)
def test_agents_that_look_at_the_games_say_so_if_they_get_none(name: str) -> None:
    agent = make_agent(name, GAME)
    assert agent.needs_games
    with pytest.raises(ValueError, match="pass them as games"):
        agent.choose(np.zeros((1, 0), np.float32), np.ones((1, 86), np.bool_))
