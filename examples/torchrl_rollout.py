"""One game through TorchRL: PettingZooWrapper around the AEC environment, with random legal actions.

Each agent is a separate group: in every step, ``mask`` is True for the one agent to move, whose ``action_mask`` has the
legal actions. The entries of the others must be excluded from a loss. Requires ``pip install torchrl``.
"""

from __future__ import annotations

import torch
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType

from pr_env import puerto_rico_v0


def main() -> None:
    """Play one game and print the return of each agent."""
    torch.manual_seed(0)
    env = PettingZooWrapper(
        puerto_rico_v0.env(players=3),
        use_mask=True,
        group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT,
        seed=0,
    )
    rollout = env.rollout(max_steps=2000)
    print(f"{len(rollout)} decisions")
    for agent in env.group_map:
        print(f"{agent}: {rollout['next', agent, 'reward'].sum().item():g}")


if __name__ == "__main__":
    main()
