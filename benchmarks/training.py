"""Speed of the learners: ``python -m benchmarks.training --help``.

The learner's own decisions a second, including both playing and learning, with three players. The best of several
rollouts counts, because other work on the machine can only make one slower. ``--where`` shows where the time goes
instead: how threads, batch and network sizes, and bfloat16 change the speed of the self-play learner.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from typing import Any

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents.neural import NeuralAgent
from pr_env import PuertoRico
from training import sb3_ppo, selfplay
from training.run import Learner
from training.transfer import layers_of


def fast(threads: int, trained: bool) -> Learner:
    """The self-play learner, from random weights or from the package's agent, which has fewer uncertain decisions."""
    if not trained:
        return selfplay.SelfPlay(selfplay.Settings(threads=threads, lessons=0))
    weights = NeuralAgent(PuertoRico(players=3)).brain.weights
    settings = selfplay.Settings(threads=threads, lessons=0, hidden_sizes=layers_of(weights))
    return selfplay.SelfPlay(settings, weights)


def sample(threads: int, same: bool) -> Learner:
    """MaskablePPO with its default settings, or with those of the self-play learner."""
    if not same:
        return sb3_ppo.MaskableLearner(sb3_ppo.Settings(threads=threads))
    ours = selfplay.Settings()
    settings = sb3_ppo.Settings(
        threads=threads,
        num_envs=ours.num_envs,
        num_steps=ours.num_steps,
        hidden_sizes=ours.hidden_sizes,
        update_epochs=ours.update_epochs,
        minibatch_size=ours.minibatch_size,
        agents=ours.agents,
    )
    return sb3_ppo.MaskableLearner(settings)


def rates(
    learners: Mapping[str, Learner], rollouts: int, console: Console
) -> dict[str, tuple[float, dict[str, float]]]:
    """Decisions a second of each learner in its best rollout, and its metrics; the first one is a warm-up.

    The learners take turns, so that a slow minute of the machine affects all of them.
    """
    best: dict[str, tuple[float, dict[str, float]]] = {name: (0.0, {}) for name in learners}
    turns = [(number, name) for number in range(rollouts + 1) for name in learners]
    for number, name in track(turns, description="measuring", console=console, transient=True):
        learner = learners[name]
        torch.set_num_threads(learner.settings.threads)
        before, started = learner.decisions, time.perf_counter()
        figures = learner.iterate(0.5)
        speed = (learner.decisions - before) / (time.perf_counter() - started)
        if number and speed > best[name][0]:
            best[name] = speed, figures
    return best


# Settings that may change the speed of the self-play learner
VARIATIONS: dict[str, dict[str, Any]] = {
    "default: 1 thread, 512 games, minibatches of 1024, layers 256 and 256, 2 epochs": {},
    "2 threads": {"threads": 2},
    "128 games": {"num_envs": 128},
    "2048 games": {"num_envs": 2048},
    "minibatches of 256": {"minibatch_size": 256},
    "minibatches of 4096": {"minibatch_size": 4096},
    "layers 128 and 128": {"hidden_sizes": (128, 128)},
    "layers 512 and 256": {"hidden_sizes": (512, 256)},
    "layers 1024 and 512": {"hidden_sizes": (1024, 512)},
    "1 epoch": {"update_epochs": 1},
    "bfloat16": {"bfloat16": True},
}


def where_time_goes(rollouts: int, console: Console) -> None:
    """Measure the self-play learner with different settings, and its network with float32 and bfloat16."""
    table = Table(title=f"The self-play learner from random weights, best of {rollouts} rollouts")
    for column in ("changed setting", "decisions/s", "playing", "learning"):
        table.add_column(column, justify="left" if column == "changed setting" else "right")
    learners: dict[str, Learner] = {}
    for name, changes in VARIATIONS.items():
        try:
            learners[name] = selfplay.SelfPlay(selfplay.Settings(lessons=0, **changes))
        except ValueError as error:  # not supported on this machine
            console.print(f"{name}: {error}")
    for name, (speed, figures) in rates(learners, rollouts, console).items():
        playing, learning = figures["collect_seconds"], figures["learn_seconds"]
        whole = playing + learning
        table.add_row(name, f"{speed:,.0f}", f"{playing / whole:.0%}", f"{learning / whole:.0%}")
    console.print(table)
    passes = Table(title="Passes through a network of layers 512 and 256, one thread, best of 100")
    for column in ("numbers", "512 positions", "an update of 1024"):
        passes.add_column(column, justify="left" if column == "numbers" else "right")
    torch.set_num_threads(1)
    for name, bits in {"float32": False, "bfloat16 in the hidden layers": True}.items():
        try:
            forward, update = time_of_passes(bits)
            passes.add_row(name, f"{forward * 1e3:.1f} ms", f"{update * 1e3:.1f} ms")
        except RuntimeError as error:
            passes.add_row(name, f"not here: {error}", "")
    console.print(passes)


def time_of_passes(short_numbers: bool) -> tuple[float, float]:
    """Seconds of a forward pass, and of a forward and backward pass with an update."""
    game = PuertoRico(players=3)
    network = selfplay.Network(game.observation_size, len(game.actions), game.players, (512, 256), short_numbers)
    optimizer = torch.optim.Adam(network.parameters(), 1e-4, eps=1e-5, fused=True)
    positions = torch.rand(1024, game.observation_size)

    def forward() -> None:
        with torch.inference_mode():
            network(positions[:512])

    def update() -> None:
        scores, values = network(positions)
        optimizer.zero_grad()
        (scores.square().mean() + values.square().mean()).backward()
        optimizer.step()

    best = []
    for work in (forward, update):
        times = []
        for _ in range(100):
            started = time.perf_counter()
            work()
            times.append(time.perf_counter() - started)
        best.append(min(times))
    return best[0], best[1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rollouts", type=int, default=5, help="rollouts per learner; the best one counts (default 5)")
    parser.add_argument("--threads", type=int, default=1, help="threads per learner (default 1); unused with --where")
    parser.add_argument("--where", action="store_true", help="show where the time of the self-play learner goes")
    options = parser.parse_args()
    if min(options.rollouts, options.threads) < 1:
        parser.error("--rollouts and --threads must be at least 1")
    console = Console()
    if options.where:
        where_time_goes(options.rollouts, console)
        return
    learners: dict[str, Learner] = {
        "selfplay.py, from random weights": fast(options.threads, trained=False),
        "selfplay.py, from the package's agent": fast(options.threads, trained=True),
        "sb3_ppo.py (MaskablePPO)": sample(options.threads, same=False),
        "sb3_ppo.py with the settings of selfplay.py": sample(options.threads, same=True),
    }
    measured = rates(learners, options.rollouts, console)
    fastest_sample = max(speed for name, (speed, _) in measured.items() if name.startswith("sb3"))
    table = Table(title=f"Decisions a second ({options.threads} thread(s), best of {options.rollouts} rollouts)")
    for column in ("learner", "decisions/s", "relative to the faster sb3"):
        table.add_column(column, justify="left" if column == "learner" else "right")
    for name, (speed, _) in measured.items():
        table.add_row(name, f"{speed:,.0f}", f"{speed / fastest_sample:.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
