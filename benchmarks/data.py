"""The cost of exporting decisions and reading them again: ``python -m benchmarks.data --decisions 10000000``.

Each runs in its own process, so that its peak memory can be measured.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agents.exporting import AgentGames, export
from pr_env.data.pytorch import DecisionDataset
from pr_env.data.reading import Decisions
from pr_env.registry import DEFAULT, find_game

TRIAL = 64  # games that determine the length of a game


def main() -> None:
    """Export, read, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=DEFAULT)
    parser.add_argument("--agents", nargs="+", default=["random"])
    parser.add_argument("--decisions", type=int, default=200_000)
    options = parser.parse_args()
    find_game(options.game)  # reading files does not import games
    context = multiprocessing.get_context("spawn")
    table = Table("", "decisions", "seconds", "decisions a second", "bytes a decision", "peak memory")
    with tempfile.TemporaryDirectory() as folder, context.Pool(1, maxtasksperchild=1) as pool:
        for what, task in (("written", write), ("read and shuffled for PyTorch", read)):
            seconds, memory = pool.apply(task, (options.game, options.agents, options.decisions, folder))
            written = Decisions(folder)
            size = sum(file.stat().st_size for file in written.files)
            table.add_row(
                what,
                f"{len(written):,}",
                f"{seconds:.0f}",
                f"{len(written) / seconds:,.0f}",
                f"{size / len(written):.1f}",
                f"{memory / 2**20:.0f} MiB",
            )
    Console(width=120).print(table)


def write(game_name: str, agents: list[str], decisions: int, folder: str) -> tuple[float, float]:
    """Export about this number of decisions. Returns seconds and bytes of memory."""
    game = find_game(game_name)()
    with tempfile.TemporaryDirectory() as trial:
        length = len(export(AgentGames(game, agents, TRIAL, 0, 300.0), Path(trial))) / TRIAL
    start = time.perf_counter()
    export(AgentGames(game, agents, round(decisions / length * 1.01), 0, 300.0), Path(folder))
    return time.perf_counter() - start, most_memory()


def read(game_name: str, agents: list[str], decisions: int, folder: str) -> tuple[float, float]:
    """Read everything, shuffled. Returns seconds and bytes of memory."""
    find_game(game_name)
    start, seen = time.perf_counter(), 0
    for rows in DecisionDataset(folder, batch_size=4096):
        seen += len(rows["action"])
    assert seen == len(Decisions(folder))
    return time.perf_counter() - start, most_memory()


def most_memory() -> float:
    """Peak memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
