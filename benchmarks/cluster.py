"""Speed of self-play training on a cluster for given numbers of workers: ``python -m benchmarks.cluster 1 2``.

Saves the agents, so that the arena can show whether the same number of decisions gives the same strength.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from agents.cluster import connected
from agents.weights import Weights
from training.cluster import ClusterLearner, Crew, mean
from training.run import write_agent
from training.selfplay import SelfPlay, Settings

PARTS = 100  # the mean over this number of workers is timed


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with each number of workers for the same number of decisions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workers", type=int, nargs="+", help="numbers of workers to try")
    parser.add_argument("--ray", default="local", help="address of the cluster")
    parser.add_argument("--decisions", type=int, default=600_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.0, help="factor for the default learning rate")
    parser.add_argument("--out", type=Path, default=Path("runs/benchmark-cluster"))
    given = parser.parse_args(arguments)
    os.environ.setdefault("RAY_worker_niceness", "0")
    usual = Settings().learning_rate
    settings = Settings(
        options={"players": 3},
        seed=given.seed,
        lessons=200_000,
        num_steps=64,
        learning_rate=(usual[0] * given.rate, usual[1] * given.rate),
    )
    with connected(given.ray):
        for workers in given.workers:
            learner = ClusterLearner(SelfPlay(settings), Crew(workers))
            rate = train(learner, given.decisions)
            folder = given.out / f"{workers}"
            folder.mkdir(parents=True, exist_ok=True)
            write_agent(learner, folder / "agent.npz")
            print(f"{workers} workers: {learner.decisions:,} decisions, {rate:,.0f} a second; {folder / 'agent.npz'}")
            learned = learner.learned()
    size = sum(array.nbytes for array in learned.values())
    seconds = min(timed_mean([learned] * PARTS) for _ in range(3))
    print(f"a message has {size / 1e6:.1f} MB; the mean of {PARTS} takes {seconds:.2f} s")


def train(learner: ClusterLearner, decisions: int) -> float:
    """Train for this number of decisions. Returns decisions a second, without the first round."""
    learner.iterate(0.0)
    first, started = learner.decisions, time.perf_counter()
    while learner.decisions < decisions:
        learner.iterate(min(1.0, learner.decisions / decisions))
    return (learner.decisions - first) / (time.perf_counter() - started)


def timed_mean(parts: list[Weights]) -> float:
    """Seconds to average the weights from this number of workers."""
    started = time.perf_counter()
    mean(parts)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
