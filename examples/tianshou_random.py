"""One game through Tianshou: PettingZooEnv around the AEC environment, with random legal actions.

Requires ``pip install tianshou``.
"""

from __future__ import annotations

import numpy as np
from tianshou.env import PettingZooEnv

from pr_env import puerto_rico_v0


def main() -> None:
    """Play one game and print the return of each agent."""
    env = PettingZooEnv(puerto_rico_v0.env(players=3))
    chance = np.random.default_rng(0)
    observation, _ = env.reset(seed=0)
    returns = np.zeros(len(env.agents))
    over = False
    while not over:
        observation, rewards, terminated, truncated, _ = env.step(
            int(chance.choice(np.flatnonzero(observation["mask"])))
        )
        returns += rewards
        over = terminated or truncated
    for agent, total in zip(env.agents, returns, strict=True):
        print(f"{agent}: {total:g}")


if __name__ == "__main__":
    main()
