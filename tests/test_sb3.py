"""Stable-Baselines3: its checker, the VecEnv, and MaskablePPO. Skipped where the extra `train` is not installed."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
sb3_contrib = pytest.importorskip("sb3_contrib")

from stable_baselines3.common.env_checker import check_env  # noqa: E402

from pr_env import PuertoRico  # noqa: E402
from pr_env.sb3 import GameVecEnv  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_checker(players: int) -> None:
    check_env(gymnasium.make("pr_env/PuertoRico-v0", players=players).unwrapped)


def test_vec_env() -> None:
    env: Any = GameVecEnv(PuertoRico(players=2), 20, seed=1)
    observations = env.reset()
    assert observations.shape == (20, env.observation_space.shape[0])
    assert env.has_attr("action_masks")
    chance = np.random.default_rng(0)
    episodes = 0
    for _ in range(300):
        masks = np.stack(env.env_method("action_masks"))
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in masks])
        observations, _, dones, infos = env.step(actions)
        for i in np.flatnonzero(dones):
            episodes += 1
            assert infos[i]["terminal_observation"].shape == observations[i].shape
            assert infos[i]["episode"]["r"] in (0.0, 0.5, 1.0)
            assert infos[i]["TimeLimit.truncated"] is False
    assert episodes > 20
    with pytest.raises(AttributeError, match="got fly"):
        env.env_method("fly")


def test_seed_starts_the_same_games() -> None:
    env = GameVecEnv(PuertoRico(players=3), 4)
    env.seed(5)
    first = env.reset()
    env.seed(5)
    assert np.array_equal(first, env.reset())
    assert not np.array_equal(first, env.reset())  # without a seed: continues with the next games


def test_maskable_ppo_learns_on_it_without_a_word_about_masks() -> None:
    env = GameVecEnv(PuertoRico(players=3), 16)  # raises at the first illegal action
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=0)
    model.learn(512)
    assert model.num_timesteps == 512
