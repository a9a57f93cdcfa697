"""How fast the learners learn: ``python -m benchmarks.training --help``.

Decisions learned from a second, playing included, three players. The best of several rollouts counts, because other
work on the machine only ever makes one slower.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents.neural import NeuralAgent
from pr_env import PuertoRico
from training import sb3_ppo, selfplay
from training.run import Learner
from training.transfer import layers_of


def fast(threads: int, trained: bool) -> Learner:
    """The self-play learner, from nothing or from the agent of the package: who is sure has less to learn."""
    if not trained:
        return selfplay.SelfPlay(selfplay.Settings(threads=threads, lessons=0))
    weights = NeuralAgent().brain(PuertoRico(players=3).observation_size).weights
    settings = selfplay.Settings(threads=threads, lessons=0, layers=layers_of(weights))
    return selfplay.SelfPlay(settings, weights)


def sample(threads: int, same: bool) -> Learner:
    """MaskablePPO as it comes, or with the numbers of the self-play learner."""
    if not same:
        return sb3_ppo.MaskableLearner(sb3_ppo.Settings(threads=threads))
    ours = selfplay.Settings()
    settings = sb3_ppo.Settings(
        threads=threads,
        games=ours.games,
        steps=ours.steps,
        layers=ours.layers,
        epochs=ours.epochs,
        minibatch=ours.minibatch,
        agents=ours.agents,
    )
    return sb3_ppo.MaskableLearner(settings)


def rate(learner: Learner, rollouts: int) -> float:
    """Decisions a second in the best rollout; the first one warms up."""
    best = 0.0
    for number in range(rollouts + 1):
        before, started = learner.decisions, time.perf_counter()
        learner.iterate(0.5)
        if number:
            best = max(best, (learner.decisions - before) / (time.perf_counter() - started))
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rollouts", type=int, default=5, help="of each learner, the best counts (default 5)")
    parser.add_argument("--threads", type=int, default=1, help="of each learner (default 1)")
    options = parser.parse_args()
    cases: dict[str, Callable[[], Learner]] = {
        "selfplay.py, from random weights": lambda: fast(options.threads, trained=False),
        "selfplay.py, from the package's agent": lambda: fast(options.threads, trained=True),
        "sb3_ppo.py (MaskablePPO)": lambda: sample(options.threads, same=False),
        "sb3_ppo.py with the numbers of selfplay.py": lambda: sample(options.threads, same=True),
    }
    console = Console()
    rates = {
        name: rate(make(), options.rollouts)
        for name, make in track(cases.items(), description="measuring", console=console, transient=True)
    }
    slowest = min(rates.values())
    table = Table(title=f"Decisions learned from a second ({options.threads} thread(s), best of {options.rollouts})")
    for column in ("learner", "decisions/s", "times the slowest"):
        table.add_column(column, justify="left" if column == "learner" else "right")
    for name, speed in rates.items():
        table.add_row(name, f"{speed:,.0f}", f"{speed / slowest:.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
