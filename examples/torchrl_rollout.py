"""One game through TorchRL: PettingZooWrapper around the AEC environment, with random legal actions.

Each agent is a group of its own: in every step ``mask`` is True for the one agent to move, whose ``action_mask`` says
what it may do; the others' entries are to be left out of a loss. Needs ``pip install torchrl``.
"""

from __future__ import annotations

import torch
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType

from pr_env import puerto_rico_v0


def main() -> None:
    """Play one game and print what each agent was paid."""
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
