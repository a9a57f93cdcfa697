"""The collecting half of a single-file PPO: a rollout buffer over Gymnasium's vector interface.

Random legal actions stand in for a policy; advantages and updates would follow after each rollout. A game that ends
restarts in the same step, so ``next_done`` marks where an episode begins. Requires only pr-env.
"""

from __future__ import annotations

import numpy as np

from pr_env import PuertoRico
from pr_env.vector import GameVectorEnv

STEPS, GAMES, ROLLOUTS = 64, 16, 4


def random_legal(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A uniformly random legal action for each game; a policy would go here."""
    actions: np.ndarray = np.where(masks, chance.random(masks.shape), -1.0).argmax(axis=1)
    return actions


def main() -> None:
    """Collect a few rollouts and print the mean return of the episodes that ended in them."""
    chance = np.random.default_rng(0)
    envs = GameVectorEnv(PuertoRico(players=3), GAMES)
    next_obs, infos = envs.reset(seed=0)
    obs = np.zeros((STEPS, *next_obs.shape), np.float32)
    masks = np.zeros((STEPS, *infos["action_mask"].shape), np.bool_)
    actions = np.zeros((STEPS, GAMES), np.int64)
    rewards = np.zeros((STEPS, GAMES), np.float32)
    dones = np.zeros((STEPS, GAMES), np.bool_)

    next_done = np.zeros(GAMES, np.bool_)
    running = np.zeros(GAMES)
    for rollout in range(ROLLOUTS):
        returns: list[float] = []
        for step in range(STEPS):
            obs[step], dones[step], masks[step] = next_obs, next_done, infos["action_mask"]
            actions[step] = random_legal(masks[step], chance)
            next_obs, reward, terminated, truncated, infos = envs.step(actions[step])
            next_done = terminated | truncated
            rewards[step] = reward
            running += reward
            returns += running[next_done].tolist()
            running[next_done] = 0
        mean = f"{np.mean(returns):.3f}" if returns else "none ended"
        print(f"rollout {rollout}: {STEPS * GAMES} decisions, {len(returns)} episodes, return {mean}")


if __name__ == "__main__":
    main()
