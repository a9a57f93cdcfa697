"""OpenSpiel: its own tests, playthroughs, search and environment on the registered games."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: make test-interop")

import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, mcts

from pr_env import Batch
from pr_env.openspiel import register
from pr_env.registry import GAMES, find_game
from tests.toys import InOrder, Nim, SevenDice

for toy in (InOrder, Nim, SevenDice):
    register(toy)

CONFIGURATIONS = [
    "python_nim(players=2)",
    "python_nim(players=4)",
    "python_seven_dice()",
    "python_in_order(players=3)",
    "python_puerto_rico(players=2,points=hidden)",
    "python_puerto_rico(players=3)",
    "python_puerto_rico(players=4,buildings=draft,balanced=True)",
    "python_port_royal(players=2)",
    "python_port_royal(players=3,add=contract_cards+contracts,mode=cooperative)",
    "python_port_royal(players=1,add=contract_cards+contracts,mode=cooperative)",
]


def load(name: str, chance_outcomes: int = 16) -> Any:
    """A game with few chance outcomes, because all are listed at each chance node."""
    separator = "" if name.endswith("()") else ","
    return pyspiel.load_game(f"{name[:-1]}{separator}chance_outcomes={chance_outcomes})")


def played(game: Any, seed: int = 0) -> list[Any]:
    """All states of a random game."""
    chance, state = random.Random(seed), game.new_initial_state()
    states = [state.clone()]
    while not state.is_terminal():
        chances = state.chance_outcomes() if state.is_chance_node() else None
        state.apply_action(chance.choice(state.legal_actions() if chances is None else [one for one, _ in chances]))
        states.append(state.clone())
    return states


def test_all_games_are_registered() -> None:
    assert {f"python_{name}" for name in GAMES} <= set(pyspiel.registered_names())


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_openspiels_own_test_with_serialisation(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_playthroughs_are_the_same_each_time(name: str) -> None:
    game_string = str(load(name, 4))
    lines = generate_playthrough.playthrough_lines(game_string, seed=1, observation_params_string=None)
    assert lines == generate_playthrough.playthrough_lines(game_string, seed=1, observation_params_string=None)
    assert len(lines) > 50


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_search_plays_on_them(name: str) -> None:
    game = load(name)
    chance = np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 1.5, 3, evaluator, random_state=chance)
    state = game.new_initial_state()
    asked = 0
    while asked < 2 and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(bot.step(state))
            asked += 1
    assert asked == 2


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_environment_for_learners_plays_to_the_end(name: str) -> None:
    environment = rl_environment.Environment(load(name))
    environment.seed(1)
    chance, step = random.Random(1), environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == environment.observation_spec()["info_state"][0]
        step = environment.step([chance.choice(step.observations["legal_actions"][player])])
    assert all(0 <= reward <= 1 for reward in step.rewards)


@pytest.mark.parametrize("kind", [Nim, *(find_game(name) for name in GAMES)])
def test_games_are_those_of_the_batch_until_something_is_drawn(kind: Any) -> None:
    state = pyspiel.load_game(f"python_{kind.name}").new_initial_state()
    state.apply_action(7)
    batch = Batch(kind(), 1, seed=7, autoreset=False, threads=1)
    while not state.is_terminal() and not state.is_chance_node():
        assert state.current_player() == batch.player[0]
        assert state.legal_actions() == np.flatnonzero(batch.mask[0]).tolist()
        assert np.array_equal(state.observation_tensor(), batch.observation[0])
        action = state.legal_actions()[-1]
        state.apply_action(action)
        batch.step([action])


def test_chance_decides_what_is_drawn() -> None:
    states = played(pyspiel.load_game("python_port_royal(players=2)"))
    drawing = next(state for state in states[5:] if state.is_chance_node())
    assert sum(probability for _, probability in drawing.chance_outcomes()) == pytest.approx(1)
    assert len({str(drawing.child(outcome)) for outcome, _ in drawing.chance_outcomes()}) > 10


def test_every_win_is_shared_out() -> None:
    for name in CONFIGURATIONS:
        game = load(name)
        returns = played(game)[-1].returns()
        if game.get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM:
            assert sum(returns) == pytest.approx(1)
        else:
            assert len(set(returns)) == 1


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_texts_show_nothing_hidden(name: str) -> None:
    """Two games that differ only in their seeds and generators look the same."""
    for state in played(load(name))[::7]:
        other = state.clone()
        other.games["rng"] ^= np.uint64(0x1234567)
        other.games["seed"] += np.uint64(1)
        assert str(other) == str(state)
        for player in range(state.num_players()):
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
        shown = str(state) + state.observation_string(0)
        assert not re.search(r"\brng\b|\bseed\b", shown)
        numbers = set(re.findall(r"\d+", shown))
        if state.is_set_up:
            assert str(int(state.games["rng"][0])) not in numbers


def test_hidden_points_stay_hidden() -> None:
    state = played(load("python_puerto_rico(players=2,points=hidden)"))[-1]
    other = state.clone()
    for player in range(2):
        other.games["chips"][0, 1 - player] += 5
        assert other.observation_string(player) == state.observation_string(player)
        other.games["chips"][0, 1 - player] -= 5


def test_bad_parameters_are_refused() -> None:
    for name in ("python_puerto_rico(players=9)", "python_puerto_rico(chance_outcomes=0)", "python_nim(points=1)"):
        with pytest.raises(Exception, match=r"players|chance_outcomes|points"):
            pyspiel.load_game(name)
