"""``pr-env bench``: the speed of the rules.

Random legal play through the batch: choose an action for every game, step, and get masks (and observations) back.
Every figure is the best of several runs, because other work on the machine can only make a run slower.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from pr_env.batch import Batch
from pr_env.commands import screen
from pr_env.commands.choice import Choice
from pr_env.commands.configuration import one_of_each_record, player_counts
from pr_env.game import Game
from pr_env.registry import GAMES, find_game
from pr_env.threads import most_threads

WARM_UP_STEPS = 400  # spreads the games of a batch over all phases of play
SIDE_BY_SIDE_BATCH = 2048
SHORT_RUNS = 10  # for games side by side, instead of one run
Case = tuple[Game, int, bool, int]  # game, batch size, whether with observations, threads


def measure(game: Game, games: int, observations: bool, threads: int, repeats: int, seconds: float) -> dict[str, Any]:
    """Decisions per second in the best of several runs, and the games per second."""
    best = _best_by_turns([game], games, observations, threads, repeats, seconds)[0]
    return {
        "players": game.players,
        "options": label(game),
        "batch": games,
        "observations": observations,
        "threads": threads,
        "decisions_per_second": round(best),
        "games_per_second": round(best / decisions_per_game(game)),
    }


def _best_by_turns(
    played: Sequence[Game], games: int, observations: bool, threads: int, turns: int, seconds: float
) -> list[float]:
    """Decisions per second of each game in its best run. The games take turns, so slow moments hit all of them."""
    batches = [Batch(game, games, seed=1, observations=observations, threads=threads) for game in played]
    actions = np.empty(games, np.int64)
    for batch in batches:
        for _ in range(WARM_UP_STEPS):
            batch.step(batch.sample_actions(actions))
    best = [0.0] * len(batches)
    for _ in range(turns):
        for place, batch in enumerate(batches):
            steps = 0
            start = time.perf_counter()
            while (elapsed := time.perf_counter() - start) < seconds:
                batch.step(batch.sample_actions(actions))
                steps += 1
            best[place] = max(best[place], steps * games / elapsed)
    return best


def side_by_side(names: Sequence[str], repeats: int, seconds: float) -> list[dict[str, Any]]:
    """The default configurations of several games, and how fast each is compared with the first.

    The runs are short: on a busy machine, a short run is more likely to be undisturbed.
    """
    played = [find_game(name)() for name in names]
    rows = []
    for observations in (False, True):
        for threads in sorted({1, most_threads()}):
            turns, length = repeats * SHORT_RUNS, seconds / SHORT_RUNS
            best = _best_by_turns(played, SIDE_BY_SIDE_BATCH, observations, threads, turns, length)
            rows += [
                {
                    "game": name,
                    "players": game.players,
                    "observations": observations,
                    "threads": threads,
                    "decisions_per_second": round(speed),
                    "ratio": round(speed / best[0], 2),
                }
                for name, game, speed in zip(names, played, best, strict=True)
            ]
    return rows


@cache
def decisions_per_game(game: Game, games: int = 4000) -> float:
    """Mean length of a random game."""
    batch = Batch(game, games, seed=1, observations=False, autoreset=False)
    running = decisions = games
    while running:
        batch.step(batch.sample_actions())
        running = games - int(np.count_nonzero(batch.is_over()))
        decisions += running
    return decisions / games


def label(game: Game) -> str:
    """The options of a configuration that are not the defaults, except for the number of players."""
    usual = type(game)().options()
    options = {name: value for name, value in game.options().items() if usual.get(name) != value}
    return ", ".join(f"{name}={value}" for name, value in options.items() if name != "players") or "usual"


START = """
import time
start = time.perf_counter()
from pr_env import Batch
from pr_env.registry import find_game
batch = Batch(find_game({spec!r})(**{options!r}), 1024, threads={threads})
batch.step(batch.sample_actions())
print(time.perf_counter() - start)
"""


def measure_start(spec: str, game: Game) -> dict[str, float]:
    """Seconds from the import to the first step: with an empty cache, and with the cache that this run has filled."""
    results = {}
    for threads in (1, most_threads()):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("first", "later"):
                seconds = []
                for _ in range(1 if name == "first" else 3):
                    run = subprocess.run(
                        [sys.executable, "-c", START.format(spec=spec, options=game.options(), threads=threads)],
                        env=os.environ | {"NUMBA_CACHE_DIR": folder},
                        capture_output=True,
                        text=True,
                        check=True,
                    )
                    seconds.append(float(run.stdout))
                results[f"{name}_start_{threads}_threads"] = round(min(seconds), 2)
    return results


def configurations(choice: Choice) -> list[Game]:
    """The configurations to measure: those asked for, with every number of players unless one was given."""
    games = [choice.game()] if choice.given else one_of_each_record(choice.kind)
    return games if "players" in choice.given else [same for game in games for same in player_counts(game)]


def grid(games: Sequence[Game], usual: Game, quick: bool) -> list[Case]:
    """The cases: all configurations, and for the default one also batch sizes, threads and observations."""
    both = sorted({1, most_threads()})
    cases = [(game, 4096, obs, threads) for game in games for obs in (False, True) for threads in both]
    sizes = () if quick else (1, 16, 128, 512, 1024, 2048, 8192, 16384)
    for size in sizes:
        cases += [(usual, size, obs, threads) for obs in (False, True) for threads in both if size >= threads]
    return cases


def show(console: Console, games: Sequence[Game], rows: list[dict[str, Any]], start: dict[str, float]) -> None:
    """Print the tables."""
    table = Table(title="Random legal play (masks always; best of several runs)")
    for column in ("options", "players", "batch", "observations", "threads", "decisions/s", "games/s", "ns/decision"):
        table.add_column(column, justify="right")
    order = ("players", "batch", "observations", "threads")
    options = list(dict.fromkeys(row["options"] for row in rows))
    for row in sorted(rows, key=lambda row: [options.index(row["options"]), *(row[key] for key in order)]):
        table.add_row(
            row["options"],
            str(row["players"]),
            str(row["batch"]),
            "yes" if row["observations"] else "no",
            str(row["threads"]),
            f"{row['decisions_per_second']:,}",
            f"{row['games_per_second']:,}",
            f"{1e9 / row['decisions_per_second']:.0f}",
        )
    console.print(table)

    size = Table(title="Memory per game in bytes")
    for column in ("options", "players", "record", "mask", "observation"):
        size.add_column(column, justify="right")
    for game in games:
        numbers = (game.players, game.record.itemsize, len(game.actions), 4 * game.observation_size)
        size.add_row(label(game), *map(str, numbers))
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


def show_side_by_side(console: Console, rows: list[dict[str, Any]], starts: dict[str, dict[str, float]]) -> None:
    """Print how the games compare."""
    table = Table(title=f"Games side by side (batches of {SIDE_BY_SIDE_BATCH}, measured in turns, ratios to the first)")
    for column in ("game", "players", "observations", "threads", "decisions/s", "ratio"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["game"],
            str(row["players"]),
            "yes" if row["observations"] else "no",
            str(row["threads"]),
            f"{row['decisions_per_second']:,}",
            f"{row['ratio']:.2f}",
        )
    console.print(table)
    more = Table(title="Bytes per game, and seconds of the first start (compiles)")
    for column in ("game", "record", *(f"{threads} thread(s)" for threads in sorted({1, most_threads()}))):
        more.add_column(column, justify="right")
    for name in dict.fromkeys(row["game"] for row in rows):
        start = starts.get(name, {})
        seconds = [str(start.get(f"first_start_{threads}_threads", "-")) for threads in sorted({1, most_threads()})]
        more.add_row(name, str(find_game(name)().record.itemsize), *seconds)
    console.print(more)


def bench(choice: Choice, json_file: Path | None, quick: bool, repeats: int, seconds: float) -> None:
    """Measure, print the tables, and write the results to a file if one is given.

    If no game and no option is given, all games of the package are also measured side by side.

    Args:
        choice: The game to play.
        json_file: The file to write.
        quick: Only player counts, no batch sizes or compile times.
        repeats: Runs per figure; the best one counts.
        seconds: Length of a run.
    """
    console = screen.console()
    games, usual = configurations(choice), choice.game()
    start = {} if quick else measure_start(choice.spec, usual)
    cases = track(grid(games, usual, quick), description="measuring", console=console, transient=True)
    rows = [measure(*case, repeats=repeats, seconds=seconds) for case in cases]
    show(console, games, rows, start)
    beside: list[dict[str, Any]] = []
    if not choice.named and not choice.given:
        beside = side_by_side(tuple(GAMES), repeats, seconds)
        starts = {choice.spec: start} | {
            name: measure_start(name, find_game(name)()) for name in GAMES if name != choice.spec and not quick
        }
        show_side_by_side(console, beside, starts)
    if json_file:
        machine = {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "versions": {name: version(name) for name in ("numpy", "numba")},
        }
        figures = {"machine": machine, "game": usual.name, "play": rows, "start": start, "side_by_side": beside}
        json_file.write_text(json.dumps(figures, indent=1) + "\n")
        console.print(f"wrote {json_file}", soft_wrap=True)
