"""Behaviour cloning: the games of an agent are exported, and a network learns to imitate its choices.

    python examples/learn/behaviour_cloning.py --agent builder --games 2000

Then it plays against copies of its teacher: a perfect clone would win as often as they do. The clone is saved as an
agent (``ppo:weights=clone.npz``) that can be used like any other. Requires the extras ``data`` and ``train``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.nn.functional import cross_entropy, relu

from agents.arena import play_match
from agents.exporting import AgentGames, export
from agents.neural import NeuralAgent, save_agent
from pr_env.data.pytorch import DecisionDataset
from pr_env.game import Game
from pr_env.registry import find_game

LAYERS = (256, 256)
ILLEGAL = -1e9
SEED = 1_000_000  # of the evaluation games, none of which was exported


class Policy(nn.Module):
    """A score for each action; its arrays have the names that `agents.neural` reads."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        widths = (game.observation_size, *LAYERS)
        self.hidden = nn.ModuleList(nn.Linear(width, after) for width, after in zip(widths, LAYERS, strict=False))
        self.policy = nn.Linear(LAYERS[-1], len(game.actions))

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Scores; those of illegal actions are so low that they are never chosen."""
        for layer in self.hidden:
            observations = relu(layer(observations))
        return self.policy(observations).masked_fill(~masks, ILLEGAL)


def learn(dataset: DecisionDataset, passes: int, learning_rate: float) -> Policy:
    """Train a policy on all decisions for this number of passes."""
    policy = Policy(dataset.decisions.game)
    optimizer = torch.optim.Adam(policy.parameters(), learning_rate)
    updates = passes * (1 + len(dataset.decisions) // 1024)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4 * learning_rate, total_steps=updates + passes)
    for number in range(passes):
        right = seen = 0
        for rows in dataset:
            scores = policy(rows["observation"], rows["mask"])
            actions = rows["action"].long()
            optimizer.zero_grad()
            cross_entropy(scores, actions).backward()
            optimizer.step()
            schedule.step()
            right += int((scores.argmax(dim=1) == actions).sum())
            seen += len(actions)
        print(f"pass {number + 1}: {seen:,} decisions, {right / seen:.1%} as the teacher chose", flush=True)
    return policy


def main() -> None:
    """Export, learn, save the clone, and evaluate it against its teacher."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="puerto_rico")
    parser.add_argument("--agent", default="builder", help="agent to imitate")
    parser.add_argument("--games", type=int, default=2000, help="games to learn from")
    parser.add_argument("--passes", type=int, default=6, help="passes over all decisions")
    parser.add_argument("--learning-rate", type=float, default=5e-4)
    parser.add_argument("--matches", type=int, default=3000, help="evaluation games")
    parser.add_argument("--data", type=Path, help="folder for the decisions; default: a temporary one")
    parser.add_argument("--out", type=Path, default=Path("clone.npz"))
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    game = find_game(options.game)()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.data or Path(temporary) / "decisions"
        decisions = export(AgentGames(game, [options.agent], options.games, 0, 3600.0), folder)
        print(f"{len(decisions):,} decisions of {options.agent}", flush=True)
        policy = learn(DecisionDataset(folder, batch_size=1024), options.passes, options.learning_rate)
    weights = {name: tensor.numpy() for name, tensor in policy.state_dict().items()}
    save_agent(options.out, weights, game, {"algorithm": "behaviour cloning", "teacher": options.agent})
    clone = NeuralAgent(game, str(options.out))
    match = play_match(game, [clone, options.agent], games=options.matches, seed=SEED)
    wins = match.wins_of(match.agents[0])
    print(
        f"return of the clone against {game.players - 1} x {options.agent}: {wins.mean:.3f} of the wins "
        f"[{wins.low:.3f}, {wins.high:.3f}], fair share {1 / game.players:.3f}, {len(match)} games"
    )


if __name__ == "__main__":
    main()
