"""Masked PPO in one file, in CleanRL's style, on the Gymnasium vector environment.

    python examples/learn/cleanrl_ppo.py --game puerto_rico --total-timesteps 200000

One seat in every game learns, ``--opponents`` play the others, and the seats rotate. Read it from top to bottom to see
the algorithm; `training/selfplay.py` is the fast learner. Requires the extra ``train``.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from pr_env.registry import find_game
from pr_env.vector import GameVectorEnv


def arguments() -> argparse.Namespace:
    """All hyperparameters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="puerto_rico")
    parser.add_argument("--opponents", default="random", help="agents in the other seats")
    parser.add_argument("--total-timesteps", type=int, default=200_000, help="decisions of the learner")
    parser.add_argument("--num-envs", type=int, default=64, help="number of parallel games")
    parser.add_argument("--num-steps", type=int, default=64, help="decisions in each game between two updates")
    parser.add_argument("--num-minibatches", type=int, default=4)
    parser.add_argument("--update-epochs", type=int, default=3, help="number of times each decision is learned from")
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="initial learning rate; it decreases to 0")
    parser.add_argument("--gamma", type=float, default=1.0, help="discount")
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip-coef", type=float, default=0.2)
    parser.add_argument("--ent-coef", type=float, default=0.01)
    parser.add_argument("--vf-coef", type=float, default=0.5)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Agent(nn.Module):
    """Policy and value."""

    def __init__(self, envs: GameVectorEnv) -> None:
        super().__init__()
        size = envs.single_observation_space.shape[0]
        self.body = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.actor = nn.Linear(256, int(envs.single_action_space.n))
        self.critic = nn.Linear(256, 1)

    def forward(self, obs: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the value."""
        hidden = self.body(obs)
        return Categorical(logits=self.actor(hidden).masked_fill(~masks, -1e9)), self.critic(hidden).flatten()


def main() -> None:
    """Train, and print the learner's returns, which are its win rates."""
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    envs = GameVectorEnv(find_game(args.game)(), args.num_envs, opponents=args.opponents)
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), args.learning_rate, eps=1e-5)

    shape = (args.num_steps, args.num_envs)
    obs = torch.zeros((*shape, *envs.single_observation_space.shape))
    masks = torch.zeros((*shape, int(envs.single_action_space.n)), dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.long)
    logprobs, rewards, values = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape)
    dones = torch.zeros(shape, dtype=torch.bool)

    next_obs, infos = envs.reset(seed=args.seed)
    next_done = np.zeros(args.num_envs, np.bool_)
    updates = max(1, args.total_timesteps // (args.num_steps * args.num_envs))
    for update in range(1, updates + 1):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - (update - 1) / updates)
        returns: list[float] = []
        for step in range(args.num_steps):
            obs[step] = torch.from_numpy(next_obs)
            masks[step] = torch.from_numpy(infos["action_mask"] != 0)
            dones[step] = torch.from_numpy(next_done)
            with torch.no_grad():
                policy, values[step] = agent(obs[step], masks[step])
                actions[step] = policy.sample()
                logprobs[step] = policy.log_prob(actions[step])
            next_obs, reward, terminated, truncated, infos = envs.step(actions[step].numpy())
            next_done = terminated | truncated
            rewards[step] = torch.from_numpy(reward)
            if next_done.any():
                returns += infos["final_info"]["win_share"][next_done].tolist()

        with torch.no_grad():  # advantages; a game that ends restarts in the same step
            last_mask = torch.from_numpy(infos["action_mask"] != 0)
            _, next_value = agent(torch.from_numpy(next_obs), last_mask)
            advantages = torch.zeros(shape)
            running = torch.zeros(args.num_envs)
            ended = torch.from_numpy(next_done)
            for step in reversed(range(args.num_steps)):
                going_on = (~ended).float()
                delta = rewards[step] + args.gamma * next_value * going_on - values[step]
                running = delta + args.gamma * args.gae_lambda * going_on * running
                advantages[step] = running
                next_value, ended = values[step], dones[step]

        flat = [array.flatten(0, 1) for array in (obs, masks, actions, logprobs, advantages, advantages + values)]
        for _ in range(args.update_epochs):
            for index in torch.randperm(flat[0].shape[0]).chunk(args.num_minibatches):
                b_obs, b_masks, b_actions, b_logprobs, b_advantages, b_returns = (array[index] for array in flat)
                policy, value = agent(b_obs, b_masks)
                ratio = (policy.log_prob(b_actions) - b_logprobs).exp()
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                loss = -torch.min(b_advantages * ratio, b_advantages * clipped).mean()
                loss += args.vf_coef * 0.5 * (value - b_returns).square().mean()
                loss -= args.ent_coef * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
        mean = f"{np.mean(returns):.3f}" if returns else "none ended"
        print(f"{update * args.num_steps * args.num_envs:,} decisions, {len(returns)} games, return {mean}", flush=True)


if __name__ == "__main__":
    main()
