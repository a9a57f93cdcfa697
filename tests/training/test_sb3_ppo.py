from pathlib import Path

import numpy as np
import pytest

from agents.neural import NeuralAgent, save_agent
from pr_env import Batch, PuertoRico
from training.sb3_ppo import MaskableLearner, Rivals, Settings

TINY = Settings(games=8, steps=16, layers=(16, 8), epochs=1, minibatch=64, snapshot_every=1, pool=2, agents=("random",))


def test_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    learner = MaskableLearner(TINY)
    for _ in range(3):
        figures = learner.iterate(0.5)
    assert learner.decisions == 3 * 8 * 16
    assert len(learner.rivals.pool) == 2
    assert figures["entropy"] > 0
    learner.save(tmp_path / "checkpoint.npz", {"seconds": 1.0})
    again, notes = MaskableLearner.load(tmp_path / "checkpoint.npz")
    assert notes == {"seconds": 1.0}
    assert (again.decisions, again.rollouts, len(again.rivals.pool)) == (learner.decisions, 3, 2)
    for name, value in learner.weights().items():
        assert np.array_equal(value, again.weights()[name])
    for one, other in zip(learner.rivals.pool, again.rivals.pool, strict=True):
        assert all(value.equal(other.state_dict()[name]) for name, value in one.state_dict().items())
    again.iterate(0.6)
    assert not np.array_equal(learner.weights()["policy.bias"], again.weights()["policy.bias"])
    save_agent(tmp_path / "agent.npz", learner.weights(), learner.game, {})
    with pytest.raises(ValueError, match="not a checkpoint of MaskablePPO"):
        MaskableLearner.load(tmp_path / "agent.npz")


def test_its_agent_chooses_what_the_policy_chooses(tmp_path: Path) -> None:
    learner = MaskableLearner(TINY)
    learner.iterate(0.0)
    save_agent(tmp_path / "agent.npz", learner.weights(), learner.game, {})
    batch = Batch(learner.game, 50, seed=9, threads=1)
    for _ in range(20):
        batch.step(batch.sample_actions())
    expected, _ = learner.model.predict(batch.observation, action_masks=batch.mask, deterministic=True)
    chosen = NeuralAgent(str(tmp_path / "agent.npz")).choose(batch.observation, batch.mask)
    assert (chosen == expected).mean() > 0.9  # stored with 16 bits: near ties may fall the other way


def test_a_game_keeps_its_rival() -> None:
    learner = MaskableLearner(TINY)
    learner.iterate(0.0)
    rivals = learner.rivals
    batch = Batch(PuertoRico(players=3), 30, seed=0, threads=1)
    asked: list[set[int]] = []

    class Spy(Rivals):
        def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
            assert games is not None
            asked.append(set(games["seed"].tolist()))
            return np.zeros(len(games), np.int64)

    rivals._agents = [Spy(TINY), Spy(TINY)]
    rivals.pool = []
    for _ in range(3):
        rivals.choose(batch.observation, batch.mask, batch.games)
    assert asked[0] == asked[2] == asked[4]
    assert asked[0] | asked[1] == set(range(30))
    assert not asked[0] & asked[1]
