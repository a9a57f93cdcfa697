"""Speed now and at an earlier commit, measured alternately in one run: ``python -m benchmarks.before COMMIT``.

On a busy machine, timings vary more from minute to minute than between two versions. So both versions are measured
alternately, each in its own process, and the best results are compared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from pr_env.registry import DEFAULT, GAMES

HERE = Path(__file__).resolve().parent.parent

NO_SUCH_GAME = 3  # exit code of the measuring process if the version does not have the game

# Runs in either version, so it only uses what both have.
MEASURE = """
import sys, time
from pr_env import Batch
name, players, observations = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "yes"
try:
    from pr_env.registry import find_game
    game = find_game(name)
except ImportError:  # before there was a registry
    import pr_env
    game = getattr(pr_env, "".join(part.capitalize() for part in name.split("_")), None)
except ValueError:
    game = None
if game is None:
    sys.exit(int(sys.argv[4]))
batch = Batch(game(players=players), 2048, seed=1, observations=observations, threads=1)
for _ in range(400):
    batch.step(batch.sample_actions())
best = 0.0
for _ in range(3):
    start, steps = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - start) < 0.4:
        batch.step(batch.sample_actions())
        steps += 1
    best = max(best, steps * len(batch) / elapsed)
print(best)
"""


def measure(folder: Path, game: str, players: int, observations: bool) -> float | None:
    """Decisions a second of the version in a folder, on one thread; None if it does not have the game."""
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, game, str(players), "yes" if observations else "no", str(NO_SUCH_GAME)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "__pycache__")},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == NO_SUCH_GAME:
        return None
    if run.returncode != 0:
        sys.exit(f"measuring in {folder} failed:\n{run.stderr}")
    return float(run.stdout)


def first_commit_with(game: str, commit: str) -> str:
    """The commit, or the first later one whose registry has the game."""
    log = ("git", "log", "--reverse", "--format=%H", f"-S{game}", f"{commit}..HEAD", "--", "pr_env/registry.py")
    later = subprocess.run(log, cwd=HERE, check=True, capture_output=True, text=True).stdout.split()
    there = subprocess.run(("git", "grep", "--quiet", game, commit, "--", "pr_env/registry.py"), cwd=HERE, check=False)
    return commit if there.returncode == 0 or game == DEFAULT or not later else later[0]


def main() -> None:
    """Measure both versions and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.before", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", help="commit to compare with, for example HEAD~5")
    parser.add_argument("--turns", type=int, default=5, help="number of measurements of each version (default 5)")
    parser.add_argument("--game", choices=tuple(GAMES), default=DEFAULT, help=f"game to play (default {DEFAULT})")
    options = parser.parse_args()
    commit = first_commit_with(options.game, options.commit)
    if commit != options.commit:
        print(f"{options.commit} has no {options.game}: comparing with {commit[:7]}, the first commit that has it")
    cases = [(players, observations) for players in (2, 3, 4, 5) for observations in (False, True)]
    best: dict[tuple[str, int, bool], float] = {}
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--detach", "--quiet", str(before), commit], cwd=HERE, check=True)
        try:
            for _ in track(range(options.turns), description="measuring", console=console, transient=True):
                for players, observations in cases:
                    for version, place in (("before", before), ("now", HERE)):
                        key = version, players, observations
                        speed = measure(place, options.game, players, observations)
                        if speed is None:
                            sys.exit(f"there is no game {options.game!r} to compare with in {commit}")
                        best[key] = max(best.get(key, 0.0), speed)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=HERE, check=True)
    table = Table(title=f"{options.game}, decisions a second on one thread, batches of 2048: {commit[:7]} and now")
    for column in ("players", "observations", "before", "now", "now / before"):
        table.add_column(column, justify="right")
    for players, observations in cases:
        old, new = best["before", players, observations], best["now", players, observations]
        table.add_row(str(players), "yes" if observations else "no", f"{old:,.0f}", f"{new:,.0f}", f"{new / old:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
