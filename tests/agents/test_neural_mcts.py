from pathlib import Path

import numpy as np
import pytest

from agents import make_agent
from agents.neural import NeuralAgent, WrongWeightsError
from agents.neural_mcts import NeuralMctsAgent
from agents.search.agent import Thought
from pr_env import Batch, PuertoRico
from tests.agents.test_neural import write

GAME = PuertoRico(players=3)


def test_plays_legal_actions_and_the_same_ones_again(tmp_path: Path) -> None:
    spec = f"ppo+mcts:playouts=12,weights={write(tmp_path / 'a.npz', players=4)}"
    batch = Batch(PuertoRico(players=4), 3, seed=1, threads=1)
    agent = make_agent(spec, batch.game)
    for _ in range(4):
        actions = agent.choose(batch.observation, batch.mask, batch.games)
        assert np.array_equal(actions, make_agent(spec, batch.game).choose(batch.observation, batch.mask, batch.games))
        batch.step(actions)


def test_the_network_is_asked_what_it_thinks(tmp_path: Path) -> None:
    agent = NeuralMctsAgent(GAME, str(write(tmp_path / "a.npz")), playouts=1, leaves=1)
    batch = Batch(GAME, 1, seed=1, threads=1)
    priors, _ = NeuralAgent(GAME, str(tmp_path / "a.npz")).evaluate(batch.observation, batch.mask)
    # The only playout follows the network's choice.
    assert agent.think(batch.games).visits[0].argmax() == priors[0].argmax()


def test_where_the_network_is_sure_nothing_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = str(write(tmp_path / "a.npz"))
    batch = Batch(GAME, 6, seed=1, threads=1)
    chances, _ = NeuralAgent(GAME, weights).evaluate(batch.observation, batch.mask)
    sure = float(np.median(chances.max(axis=1)))
    agent = NeuralMctsAgent(GAME, weights, playouts=2, sure=sure)
    searched: list[bytes] = []
    think = agent.think

    def note(games: np.ndarray) -> Thought:
        searched.extend(game.tobytes() for game in games)
        return think(games)

    monkeypatch.setattr(agent, "think", note)
    actions = agent.choose(batch.observation, batch.mask, batch.games)
    certain = chances.max(axis=1) >= sure
    assert 0 < certain.sum() < 6
    assert searched == [game.tobytes() for game in batch.games[~certain]]
    assert (actions[certain] == chances.argmax(axis=1)[certain]).all()


def test_weights_for_others_and_bad_options_are_refused(tmp_path: Path) -> None:
    weights = str(write(tmp_path / "a.npz", players=3))
    with pytest.raises(WrongWeightsError, match="players=3, not 2"):
        NeuralMctsAgent(PuertoRico(players=2), weights)
    with pytest.raises(ValueError, match=r"agent 'ppo\+mcts:weights=.*players=3, not 2"):
        make_agent(f"ppo+mcts:weights={weights}", PuertoRico(players=2))
    with pytest.raises(ValueError, match="playouts must be a whole number of at least 1"):
        make_agent("ppo+mcts:playouts=0", GAME)
    with pytest.raises(ValueError, match="seconds must be more than 0"):
        make_agent("ppo+mcts:seconds=0", GAME)
