"""Double DQN with Tianshou: its policy reads the mask from the observation.

    python examples/learn/tianshou_dqn.py --game puerto_rico --total-timesteps 60000

Requires Tianshou 2, see ``constraints-tianshou.txt``.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step
from torch import nn

from pr_env.registry import find_game
from pr_env.single import GameEnv


class ForTianshou(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Observations with the keys that Tianshou expects."""

    def __init__(self, env: GameEnv) -> None:
        super().__init__(env)
        spaces = env.observation_space
        self.observation_space = gymnasium.spaces.Dict({"obs": spaces["observation"], "mask": spaces["action_mask"]})

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Rename the keys, and make the mask boolean."""
        return {"obs": observation["observation"], "mask": observation["action_mask"] != 0}


class OfVector(nn.Module):
    """A network that only reads the observation vector."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """Values of all actions."""
        return self.net(obs.obs if hasattr(obs, "obs") else obs, state)


def main() -> None:
    """Train, and print the learner's returns, which are its win rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="puerto_rico")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--total-timesteps", type=int, default=60_000)
    parser.add_argument("--num-envs", type=int, default=16)
    parser.add_argument("--learning-rate", type=float, default=5e-4)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    game = find_game(args.game)()

    def make() -> gymnasium.Env[Any, Any]:
        return ForTianshou(GameEnv(game, opponents=args.opponents, mask_in_observation=True))

    envs = DummyVectorEnv([make] * args.num_envs)
    net = OfVector(
        Net(state_shape=(game.observation_size,), action_shape=(len(game.actions),), hidden_sizes=(256, 256))
    )
    policy = DiscreteQLearningPolicy(model=net, action_space=make().action_space, eps_training=0.2)
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=args.learning_rate),
        gamma=1.0,
        n_step_return_horizon=20,
        target_update_freq=200,
        is_double=True,
    )
    collector = Collector(algorithm, envs, VectorReplayBuffer(50_000, args.num_envs), exploration_noise=True)
    collector.reset()
    decisions, at_once = 0, 1024
    while decisions < args.total_timesteps:
        with policy_within_training_step(policy):
            collected = collector.collect(n_step=at_once)
            decisions += collected.n_collected_steps
            for _ in range(at_once // 16):
                algorithm.update(collector.buffer, sample_size=256)
        won = collected.returns
        mean = f"{won.mean():.3f}" if len(won) else "none ended"
        print(f"{decisions:,} decisions, {len(won)} games, return {mean}", flush=True)


if __name__ == "__main__":
    main()
