"""How cost grows with the number of games: ``python -m benchmarks.scaling``.

Random play with masks and observations: decisions a second for 1 to 200,000 games on one and two threads, and the
memory of a game. With ``--plot FILE`` also a picture (needs matplotlib, of the extra ``train``).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from pr_env import Batch
from pr_env.game import Game
from pr_env.registry import DEFAULT, GAMES, find_game

SIZES = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 200_000)
KINDS = ("masks", "observations", "compact observations")
SPREAD = 200  # steps before measuring, so that the games are in all phases


def main() -> None:
    """Measure, print a table and draw a plot."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=tuple(GAMES), default=DEFAULT, help=f"what is played (default {DEFAULT})")
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time of each figure (default 1)")
    parser.add_argument("--plot", type=Path, help="where to write a picture, for example scaling.svg")
    options = parser.parse_args()
    game = find_game(options.game)()
    kinds = KINDS if game.can_be_compact else KINDS[:-1]
    figures = {
        (kind, threads): [measure(game, count, kind, threads, options.seconds) for count in SIZES]
        for kind in kinds
        for threads in (1, 2)
    }
    console = Console(width=120)
    table = Table(title=f"{options.game}: million decisions a second; best of short runs")
    table.add_column("games", justify="right")
    for kind, threads in figures:
        table.add_column(f"{kind}, {threads} thread{'s' if threads > 1 else ''}", justify="right")
    for place, count in enumerate(SIZES):
        table.add_row(f"{count:,}", *(f"{row[place] / 1e6:.2f}" if row[place] else "" for row in figures.values()))
    console.print(table)
    memory = Table(title="bytes of a game in a batch")
    for column in ("record", *kinds, "rest", "200,000 games with observations"):
        memory.add_column(column, justify="right")
    record, by_kind, rest = bytes_of_a_game(game, kinds)
    memory.add_row(
        *(f"{number:,}" for number in (record, *by_kind, rest)),
        f"{(record + by_kind[0] + by_kind[1] + rest) * 200_000 / 2**20:,.0f} MiB",
    )
    console.print(memory)
    if options.plot:
        draw(figures, options.game, options.plot)


def measure(game: Game, count: int, kind: str, threads: int, seconds: float) -> float:
    """Decisions a second, the best of several runs; 0 where there are fewer games than threads."""
    if count < threads:
        return 0.0
    batch = Batch(
        game, count, seed=1, observations=kind != "masks", compact=kind.startswith("compact"), threads=threads
    )
    actions = np.empty(count, np.int64)
    for _ in range(SPREAD if count < 20_000 else SPREAD // 4):
        batch.step(batch.sample_actions(actions))
    steps = max(1, 20_000 // count)
    best, end = 0.0, time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        for _ in range(steps):
            batch.step(batch.sample_actions(actions))
        best = max(best, steps * count / (time.perf_counter() - start))
    return best


def bytes_of_a_game(game: Game, kinds: tuple[str, ...]) -> tuple[int, list[int], int]:
    """Of the record; of the mask and of each kind of observations; and of all else."""
    batch = Batch(game, 1, threads=1)
    all_else = batch.buffers.final.nbytes + batch.reward.nbytes + 1 + 1 + 1 + 8  # player, two flags, generator
    sizes = [batch.mask.nbytes, batch.observation.nbytes, game.observation_size]
    return game.record.itemsize, sizes[: len(kinds)], all_else


def draw(figures: dict[tuple[str, int], list[float]], name: str, path: Path) -> None:
    """Plot decisions a second over the number of games."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    colours = dict(zip(KINDS, ("#0072b2", "#d55e00", "#009e73"), strict=True))
    for (kind, threads), row in figures.items():
        known = [(count, speed / 1e6) for count, speed in zip(SIZES, row, strict=True) if speed]
        style = "-" if threads == 1 else "--"
        label = f"{kind}, {threads} thread{'s' if threads > 1 else ''}"
        axes.plot(*zip(*known, strict=True), style, marker="o", markersize=3, color=colours[kind], label=label)
    axes.set(xscale="log", yscale="log", xlabel="games in the batch", ylabel="million decisions a second")
    axes.set_title(name.replace("_", " ").title())
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path)


if __name__ == "__main__":
    main()
