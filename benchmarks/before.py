"""Speed now and at an earlier commit, measured by turns in one run: ``python -m benchmarks.before COMMIT``.

Timings differ more between two minutes on a busy machine than between two versions. So both versions are measured
again and again in turn, each by a process of its own, and the best of each is compared.
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

HERE = Path(__file__).resolve().parent.parent

# Runs in either version, so it uses only what both have.
MEASURE = """
import sys, time
from pr_env import Batch, PuertoRico
players, observations = int(sys.argv[1]), sys.argv[2] == "yes"
batch = Batch(PuertoRico(players=players), 2048, seed=1, observations=observations, threads=1)
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


def measure(folder: Path, players: int, observations: bool) -> float:
    """Decisions a second of the version in a folder, on one thread."""
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, str(players), "yes" if observations else "no"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "__pycache__")},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        sys.exit(f"measuring in {folder} failed:\n{run.stderr}")
    return float(run.stdout)


def main() -> None:
    """Measure both versions and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.before", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", help="what to compare with, for example HEAD~5")
    parser.add_argument("--turns", type=int, default=5, help="times that each version is measured (default 5)")
    options = parser.parse_args()
    cases = [(players, observations) for players in (2, 3, 4, 5) for observations in (False, True)]
    best: dict[tuple[str, int, bool], float] = {}
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(
            ["git", "worktree", "add", "--detach", "--quiet", str(before), options.commit], cwd=HERE, check=True
        )
        try:
            for _ in track(range(options.turns), description="measuring", console=console, transient=True):
                for players, observations in cases:
                    for version, place in (("before", before), ("now", HERE)):
                        key = version, players, observations
                        best[key] = max(best.get(key, 0.0), measure(place, players, observations))
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=HERE, check=True)
    table = Table(title=f"Decisions a second on one thread, batches of 2048: {options.commit} and now")
    for column in ("players", "observations", "before", "now", "now / before"):
        table.add_column(column, justify="right")
    for players, observations in cases:
        old, new = best["before", players, observations], best["now", players, observations]
        table.add_row(str(players), "yes" if observations else "no", f"{old:,.0f}", f"{new:,.0f}", f"{new / old:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
