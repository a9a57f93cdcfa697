"""``pr-env bench``: how fast the rules play.

Random legal play through the batch: choose an action for every game, step, and get masks (and observations) back.
Every figure is the best of several runs, because other work on the machine only ever makes a run slower.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from pr_env import Batch, PuertoRico
from pr_env.commands import screen
from pr_env.threads import most_threads

WARM_UP_STEPS = 400  # spreads the games of a batch over all phases


BASE = tuple(PuertoRico(players=players) for players in (2, 3, 4, 5))
EXTENDED = (*(PuertoRico(players=players, buildings="random") for players in (2, 3, 4, 5)), PuertoRico(players=6))


def measure(
    game: PuertoRico, games: int, observations: bool, threads: int, repeats: int, seconds: float
) -> dict[str, Any]:
    """Decisions a second, the best of several runs, and how many games that makes."""
    batch = Batch(game, games, seed=1, observations=observations, threads=threads)
    actions = np.empty(games, np.int64)
    for _ in range(WARM_UP_STEPS):
        batch.step(batch.sample_actions(actions))
    best = 0.0
    for _ in range(repeats):
        steps = 0
        start = time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds:
            batch.step(batch.sample_actions(actions))
            steps += 1
        best = max(best, steps * games / elapsed)
    return {
        "players": game.players,
        "game": "extended" if game.extended else "base",
        "batch": games,
        "observations": observations,
        "threads": threads,
        "decisions_per_second": round(best),
        "games_per_second": round(best / decisions_per_game(game)),
    }


@cache
def decisions_per_game(game: PuertoRico, games: int = 4000) -> float:
    """Mean length of a random game."""
    batch = Batch(game, games, seed=1, observations=False, autoreset=False)
    running = decisions = games
    while running:
        batch.step(batch.sample_actions())
        running = games - int(np.count_nonzero(batch.game.is_over(batch.games)))
        decisions += running
    return decisions / games


START = """
import time
start = time.perf_counter()
from pr_env import Batch, PuertoRico
batch = Batch(PuertoRico(players=3), 1024, threads={threads})
batch.step(batch.sample_actions())
print(time.perf_counter() - start)
"""


def measure_start() -> dict[str, float]:
    """Seconds from the import to the first step: with an empty cache, and with what that run has stored."""
    results = {}
    for threads in (1, most_threads()):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("first", "later"):
                seconds = []
                for _ in range(1 if name == "first" else 3):
                    run = subprocess.run(
                        [sys.executable, "-c", START.format(threads=threads)],
                        env=os.environ | {"NUMBA_CACHE_DIR": folder},
                        capture_output=True,
                        text=True,
                        check=True,
                    )
                    seconds.append(float(run.stdout))
                results[f"{name}_start_{threads}_threads"] = round(min(seconds), 2)
    return results


def grid(quick: bool) -> list[tuple[PuertoRico, int, bool, int]]:
    """What is measured: player counts, and for three players batch sizes, threads and observations."""
    both = sorted({1, most_threads()})
    cases = [(game, 4096, obs, threads) for game in (*BASE, *EXTENDED) for obs in (False, True) for threads in both]
    sizes = () if quick else (1, 16, 128, 512, 1024, 2048, 8192, 16384)
    three = BASE[1]
    for size in sizes:
        cases += [(three, size, obs, threads) for obs in (False, True) for threads in both if size >= threads]
    return cases


def show(console: Console, rows: list[dict[str, Any]], start: dict[str, float]) -> None:
    """Print the tables."""
    table = Table(title="Random legal play (masks always; best of several runs)")
    for column in ("game", "players", "batch", "observations", "threads", "decisions/s", "games/s", "ns/decision"):
        table.add_column(column, justify="right")
    order = ("game", "players", "batch", "observations", "threads")
    for row in sorted(rows, key=lambda row: [row[key] for key in order]):
        table.add_row(
            row["game"],
            str(row["players"]),
            str(row["batch"]),
            "yes" if row["observations"] else "no",
            str(row["threads"]),
            f"{row['decisions_per_second']:,}",
            f"{row['games_per_second']:,}",
            f"{1e9 / row['decisions_per_second']:.0f}",
        )
    console.print(table)

    size = Table(title="Memory of a game in bytes")
    for column in ("game", "players", "record", "mask", "observation"):
        size.add_column(column, justify="right")
    for game in (*BASE, *EXTENDED):
        numbers = (game.players, game.record.itemsize, len(game.actions), 4 * game.observation_size)
        size.add_row("extended" if game.extended else "base", *map(str, numbers))
    console.print(size)

    if start:
        times = Table(title="Seconds from import to the first step")
        for column in ("threads", "first start (compiles)", "later start (from the cache)"):
            times.add_column(column, justify="right")
        for threads in sorted({1, most_threads()}):
            times.add_row(
                str(threads), str(start[f"first_start_{threads}_threads"]), str(start[f"later_start_{threads}_threads"])
            )
        console.print(times)


def bench(json_file: Path | None, quick: bool, repeats: int, seconds: float) -> None:
    """Measure, print the tables, and write the figures to a file if one is given.

    Args:
        json_file: Where to.
        quick: Player counts only, no batch sizes, no compile times.
        repeats: Runs of each figure, of which the best counts.
        seconds: Length of a run.
    """
    console = screen.console()
    start = {} if quick else measure_start()
    rows = [
        measure(*case, repeats=repeats, seconds=seconds)
        for case in track(grid(quick), description="measuring", console=console, transient=True)
    ]
    show(console, rows, start)
    if json_file:
        machine = {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "versions": {name: version(name) for name in ("numpy", "numba")},
        }
        json_file.write_text(json.dumps({"machine": machine, "play": rows, "start": start}, indent=1) + "\n")
        console.print(f"wrote {json_file}", soft_wrap=True)
