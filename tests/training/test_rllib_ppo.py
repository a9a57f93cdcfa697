"""The example with RLlib. It runs in its own environment: make test-rllib."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # a cluster that other machines cannot reach
WHY = "needs RLlib, which has an environment of its own: make test-rllib"
pytest.importorskip("ray.rllib.algorithms.ppo", reason=WHY, exc_type=ImportError)

import torch  # noqa: E402
from ray.rllib.core.columns import Columns  # noqa: E402

from agents.arena import play_match  # noqa: E402
from agents.neural import NeuralAgent  # noqa: E402
from examples.nim import Nim  # noqa: E402
from training import rllib_ppo  # noqa: E402
from training.rllib_ppo import MASK, OBSERVATION, BatchRunner, Settings, Trajectory, config_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # warnings inside RLlib are not ours

TINY = Settings(
    options={"players": 3},
    num_envs=16,
    num_steps=24,
    minibatch_size=128,
    hidden_sizes=(32,),
    update_epochs=1,
)


@pytest.fixture
def runner() -> BatchRunner:
    return BatchRunner(config=config_of(TINY), worker_index=0)


def test_a_reward_belongs_to_the_last_decision_before_it() -> None:
    one = Trajectory()
    for number in range(3):
        row = np.full(2, number, np.float32)
        if number:
            one.rewards.append(10.0 * number)
        one.add(row, np.ones(4, np.bool_), number, np.zeros(4, np.float32), -1.0)
    going_on = one.episode(over=False)
    assert going_on.get_actions().tolist() == [0, 1]
    assert going_on.get_rewards().tolist() == [10, 20]
    assert going_on.get_observations()[OBSERVATION][:, 0].tolist() == [0, 1, 2]
    assert not going_on.is_terminated
    assert one.rest().actions == [2]
    one.rewards.append(30.0)
    over = one.episode(over=True)
    assert over.get_rewards().tolist() == [10, 20, 30]
    assert over.get_observations()[OBSERVATION][:, 0].tolist() == [0, 1, 2, 2]
    assert over.is_terminated


def test_samples_have_every_decision_and_every_reward_once(
    runner: BatchRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, paid = [], []
    step = runner.batch.step

    def watched(actions: np.ndarray) -> None:
        assert runner.batch.mask[np.arange(len(actions)), actions].all()
        played.extend(actions.tolist())
        step(actions)
        paid.append(runner.batch.reward.sum())

    monkeypatch.setattr(runner.batch, "step", watched)
    found: list[int] = []
    earned, complete = 0.0, 0
    for _ in range(10):
        episodes = runner.sample()
        assert sum(len(episode) for episode in episodes) >= TINY.num_envs * TINY.num_steps
        for episode in episodes:
            assert episode.agent_id is None
            actions, masks = episode.get_actions(), episode.get_observations()[MASK]
            assert masks[np.arange(len(actions)), actions].all()
            assert len(episode.get_observations()[OBSERVATION]) == len(actions) + 1
            earned += episode.get_return()
            complete += episode.is_terminated
            found.extend(actions.tolist())
    waiting = [one for seats in runner._trajectories for one in seats]
    assert all(len(one.actions) <= 1 and not one.rewards for one in waiting)
    assert len(played) == len(found) + sum(len(one.actions) for one in waiting)
    assert complete >= 3
    assert earned + runner._earned.sum() == pytest.approx(sum(paid), abs=1e-3)
    assert earned > 1


def test_the_next_sample_goes_on_where_the_last_one_was_cut(runner: BatchRunner) -> None:
    cut = [episode for episode in runner.sample() if not episode.is_terminated]
    ends = {episode.get_observations(-1)[OBSERVATION].tobytes() for episode in cut}
    begins = {one.observations[0].tobytes() for seats in runner._trajectories for one in seats if one.actions}
    assert ends <= begins


def test_what_is_not_legal_has_no_chance(runner: BatchRunner) -> None:
    observation = torch.from_numpy(runner.batch.observation.copy())
    mask = torch.from_numpy(runner.batch.mask.copy())
    for forward in (runner.module.forward_exploration, runner.module.forward_inference):
        scores = forward({Columns.OBS: {OBSERVATION: observation, MASK: mask}})[Columns.ACTION_DIST_INPUTS]
        chances = scores.softmax(1)
        assert (chances[~mask] == 0).all()
        assert (chances[mask] > 0).all()


@pytest.fixture(scope="module")
def algorithm() -> Any:
    import ray

    ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR")
    settings = Settings(game="examples.nim:Nim", num_envs=64, num_steps=32, minibatch_size=512, hidden_sizes=(64,))
    algorithm = config_of(settings).build_algo()
    yield algorithm, settings
    algorithm.stop()
    ray.shutdown()


def test_it_trains_and_its_agent_plays_in_the_arena(algorithm: Any, tmp_path: Path) -> None:
    ppo, settings = algorithm
    before = rllib_ppo.weights_of(ppo.get_module())
    for iteration in range(1, 16):
        result = ppo.train()
        assert result["num_env_steps_sampled_lifetime"] < iteration * 64 * 32 * 1.5  # one sample each, not two
    weights = rllib_ppo.weights_of(ppo.get_module())
    assert not np.array_equal(weights["policy.weight"], before["policy.weight"])

    game, path = rllib_ppo.game_of(settings), tmp_path / "agent.npz"
    assert game == Nim()
    rllib_ppo.save(ppo, settings, 1000, path)
    agent = NeuralAgent(game, str(path))
    runner = BatchRunner(config=config_of(settings), worker_index=0)
    runner.module.set_state(ppo.get_module().get_state())
    observations, masks = runner.batch.observation.copy(), runner.batch.mask.copy()
    scores = runner._choose(observations, masks)[1]
    assert (agent.choose(observations, masks) == scores.argmax(1)).mean() > 0.95  # stored with 16 bits
    match = play_match(game, [agent, "random"], games=400, seed=1)
    assert match.wins_of(match.agents[0]).low > 0.5
