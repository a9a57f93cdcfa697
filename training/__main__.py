"""``make train``: until there is a learner, random agents play and are rated by seat."""

from __future__ import annotations

import argparse
import sys

import numpy as np

from agents import RandomAgent
from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.state import END_REASONS

try:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table
except ModuleNotFoundError:
    sys.exit("this command needs rich: pip install 'pr-env[bench]'")


def play(players: int, games: int, seed: int, progress: Progress) -> np.ndarray:
    """Final records of so many games between random agents."""
    batch = Batch(PuertoRico(players=players), min(games, 512), seed=seed, observations=False)
    agent = RandomAgent(seed=seed)
    task = progress.add_task(f"{players} players", total=games)
    finals: list[np.ndarray] = []
    done = 0
    while done < games:
        batch.step(agent.choose(batch.observation, batch.mask))
        ended = batch.final[batch.terminated | batch.truncated]
        if len(ended):
            finals.append(ended)
            done += len(ended)
            progress.update(task, completed=min(done, games))
    return np.concatenate(finals)[:games]


def rate(console: Console, results: dict[int, np.ndarray]) -> None:
    """Print win shares by seat with 95 % intervals, points and how games ended."""
    table = Table(title="Random agents by seat")
    for column in ("players", "seat", "win share", "95 %", "points", "rounds", "ends by colonists / city / chips"):
        table.add_column(column, justify="right")
    for players, finals in results.items():
        reasons = " / ".join(f"{np.mean(finals['ending'] >> bit & 1):.0%}" for bit in range(len(END_REASONS) - 1))
        for seat in range(players):
            shares = finals["win_share"][:, seat]
            error = 1.96 * shares.std() / np.sqrt(len(shares))
            table.add_row(
                str(players) if seat == 0 else "",
                str(seat + 1),
                f"{shares.mean():.3f}",
                f"± {error:.3f}",
                f"{finals['total'][:, seat].mean():.1f}",
                f"{finals['rounds'].mean():.1f}" if seat == 0 else "",
                reasons if seat == 0 else "",
            )
        table.add_section()
    console.print(table)


def main() -> None:
    """Play and rate."""
    parser = argparse.ArgumentParser(prog="python -m training", description="Random agents play and are rated by seat.")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5], choices=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=20_000, help="games for each number of players (default 20000)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games is at least 1")
    console = Console()
    with Progress(console=console, transient=True) as progress:
        results = {players: play(players, options.games, options.seed, progress) for players in options.players}
    rate(console, results)


if __name__ == "__main__":
    main()
