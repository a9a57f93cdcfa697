"""PPO with TorchRL's collector, masked distribution, advantages and loss.

    python examples/learn/torchrl_ppo.py --game puerto_rico --total-timesteps 100000

``mask_in_observation=True`` puts the masks where TorchRL expects them. TorchRL 0.14 cannot read final observations of
vector environments if they are dictionaries, so it steps single environments one after the other. Requires TorchRL.
"""

from __future__ import annotations

import argparse

import torch
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import SerialEnv
from torchrl.envs.libs.gym import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from pr_env.registry import find_game
from pr_env.single import GameEnv


def main() -> None:
    """Train, and print the learner's returns, which are its win rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="puerto_rico")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--total-timesteps", type=int, default=100_000)
    parser.add_argument("--num-envs", type=int, default=32)
    parser.add_argument("--num-steps", type=int, default=128)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    game = find_game(args.game)()

    def make() -> GymWrapper:
        return GymWrapper(
            GameEnv(game, opponents=args.opponents, mask_in_observation=True), categorical_action_encoding=True
        )

    env = SerialEnv(args.num_envs, make)
    env.set_seed(0)

    size, actions = game.observation_size, len(game.actions)
    body = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
    features = TensorDictModule(body, in_keys=["observation"], out_keys=["features"])
    head = TensorDictModule(nn.Linear(256, actions), in_keys=["features"], out_keys=["logits"])
    mask = TensorDictModule(lambda legal: legal.bool(), in_keys=["action_mask"], out_keys=["mask"])
    actor = ProbabilisticActor(
        TensorDictSequential(features, head, mask),
        in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(
        nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 1)),
        in_keys=["observation"],
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss_of = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5)
    optimizer = torch.optim.Adam(loss_of.parameters(), args.learning_rate)
    frames = args.num_envs * args.num_steps
    collector = Collector(env, actor, frames_per_batch=frames, total_frames=max(frames, args.total_timesteps))
    decisions = 0
    for data in collector:
        decisions += data.numel()
        ended = data["next", "done"].flatten()
        returns = data["next", "reward"].flatten()[ended]
        with torch.no_grad():
            advantage(data)
        rows = data.reshape(-1)
        for _ in range(3):
            for index in torch.randperm(len(rows)).chunk(4):
                losses = loss_of(rows[index])
                loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(loss_of.parameters(), 0.5)
                optimizer.step()
        mean = f"{returns.mean():.3f}" if len(returns) else "none ended"
        print(f"{decisions:,} decisions, {len(returns)} games, return {mean}", flush=True)
    collector.shutdown()


if __name__ == "__main__":
    main()
