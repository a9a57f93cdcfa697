from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.neural import NeuralAgent, save_agent
from agents.weights import read_arrays, write_arrays
from pr_env import Batch, PuertoRico
from pr_env.sb3 import GameVecEnv
from training.checkpoint import CheckpointError
from training.sb3_ppo import MaskableLearner, Opponents, Settings

TINY = Settings(
    num_envs=8,
    num_steps=16,
    hidden_sizes=(16, 8),
    update_epochs=1,
    minibatch_size=64,
    snapshot_every=1,
    pool=2,
    agents=("random",),
)


def seeds_of(learner: MaskableLearner) -> list[int]:
    environment = learner.model.get_env()
    assert isinstance(environment, GameVecEnv)
    return [int(seed) for seed in environment.seats.batch.seed]


def test_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    learner = MaskableLearner(TINY)
    for _ in range(3):
        figures = learner.iterate(0.5)
    assert learner.decisions == 3 * 8 * 16
    assert len(learner.opponents.pool) == 2
    assert figures["entropy"] > 0
    learner.save(tmp_path / "checkpoint.npz")
    again = MaskableLearner.load(tmp_path / "checkpoint.npz")
    assert (again.decisions, again.rollouts, len(again.opponents.pool)) == (learner.decisions, 3, 2)
    for name, value in learner.weights().items():
        assert np.array_equal(value, again.weights()[name])
    for one, other in zip(learner.opponents.pool, again.opponents.pool, strict=True):
        assert all(value.equal(other.state_dict()[name]) for name, value in one.state_dict().items())
    assert not set(seeds_of(MaskableLearner(TINY))) & set(seeds_of(again))  # it does not repeat its first games
    again.iterate(0.6)
    assert not np.array_equal(learner.weights()["policy.bias"], again.weights()["policy.bias"])
    save_agent(tmp_path / "agent.npz", learner.weights(), learner.game, {})
    with pytest.raises(ValueError, match="not of 'pr_env MaskablePPO checkpoint"):
        MaskableLearner.load(tmp_path / "agent.npz")


def test_its_agent_chooses_what_the_policy_chooses(tmp_path: Path) -> None:
    learner = MaskableLearner(TINY)
    learner.iterate(0.0)
    save_agent(tmp_path / "agent.npz", learner.weights(), learner.game, {})
    batch = Batch(learner.game, 50, seed=9, threads=1)
    for _ in range(20):
        batch.step(batch.sample_actions())
    expected, _ = learner.model.predict(batch.observation, action_masks=batch.mask, deterministic=True)
    chosen = NeuralAgent(learner.game, str(tmp_path / "agent.npz")).choose(batch.observation, batch.mask)
    assert (chosen == expected).mean() > 0.9  # stored as 16 bits: near ties can differ


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"num_steps": 0}, "num_steps must be at least 1, got 0"),
        ({"minibatch_size": 1}, "minibatch_size must be from 2"),
        ({"minibatch_size": 10**9}, "minibatch_size must be from 2"),
        ({"reward": "fame"}, "reward must be one of win_share, rank, margin, points, got 'fame'"),
        ({"agents": ()}, "agents must have at least one"),
        ({"clip_coef": 0}, "clip_coef must be more than 0"),
    ],
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Settings(**wrong)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    MaskableLearner(TINY).save(tmp_path / "checkpoint.npz")
    arrays, about = read_arrays(tmp_path / "checkpoint.npz")
    del arrays["policy/action_net.bias"]
    write_arrays(tmp_path / "checkpoint.npz", arrays, about)
    with pytest.raises(CheckpointError, match="is damaged"):
        MaskableLearner.load(tmp_path / "checkpoint.npz")


def test_a_game_keeps_its_opponent() -> None:
    learner = MaskableLearner(TINY)
    learner.iterate(0.0)
    opponents = learner.opponents
    batch = Batch(PuertoRico(players=3), 30, seed=0, threads=1)
    asked: list[set[int]] = []

    class Spy(Opponents):
        def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
            assert games is not None
            asked.append(set(games["seed"].tolist()))
            return np.zeros(len(games), np.int64)

    opponents._agents = [Spy(learner.game, TINY), Spy(learner.game, TINY)]
    opponents.pool = []
    for _ in range(3):
        opponents.choose(batch.observation, batch.mask, batch.games)
    assert asked[0] == asked[2] == asked[4]
    assert asked[0] | asked[1] == set(range(30))
    assert not asked[0] & asked[1]
