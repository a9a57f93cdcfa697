"""Speed of other packages and their games: ``python -m benchmarks.others --help``.

Uniformly random legal play in one process, through each package's own interface: at every turn an observation, the
legal actions, and a step. The games differ in how much a step has to do, so the figures show the cost of an interface,
not which package plays the same game faster. Packages that are not installed are listed as missing.
Every figure is the best of several short runs, because other work on the machine can only make a run slower.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import random
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from pr_env import Batch, PuertoRico, puerto_rico_v0
from pr_env.sampling import sample_actions, start_generators
from pr_env.vector import GameVectorEnv

BATCH = 1024
WARM_UP_SECONDS = 0.5  # for compilation, and to spread the games of a batch over all phases

Play = Callable[[], int]  # plays one game, or one step of a batch, and returns the number of decisions


@dataclass(frozen=True)
class Case:
    """One row: a package's game, its interface, the number of parallel games, and what to install if it is missing."""

    package: str
    game: str
    interface: str
    games: int
    make: Callable[[], Play]
    install: str


def choose(legal: Sequence[int]) -> int:
    """A uniformly random legal action."""
    return legal[int(random.random() * len(legal))]


def aec(env: Any) -> Play:
    """Games of a PettingZoo environment whose observations include a mask."""
    seeds = count()

    def play() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(choose(observation["action_mask"].nonzero()[0].tolist()))
                decisions += 1
        return decisions

    return play


def pettingzoo(name: str) -> Play:
    """Games of one of PettingZoo's classic environments."""
    return aec(importlib.import_module(f"pettingzoo.classic.{name}").env())


def batch() -> Play:
    """Steps of `Batch`."""
    games = Batch(PuertoRico(players=3), BATCH)
    actions = np.empty(BATCH, np.int64)

    def play() -> int:
        games.step(games.sample_actions(actions))
        return BATCH

    return play


def masked(step: Callable[[np.ndarray], object], masks: Callable[[], np.ndarray]) -> Play:
    """Steps of a vector environment; only the learner's decisions are counted, although its opponents play as well."""
    generators = np.empty(BATCH, np.uint64)
    start_generators(np.arange(BATCH, dtype=np.uint64), generators)
    actions = np.empty(BATCH, np.int64)

    def play() -> int:
        sample_actions(masks(), generators, actions)
        step(actions)
        return BATCH

    return play


def gymnasium_vector() -> Play:
    """Steps of `GameVectorEnv`."""
    env = GameVectorEnv(PuertoRico(players=3), BATCH)
    env.reset(seed=0)
    return masked(env.step, env.action_masks)


def stable_baselines3() -> Play:
    """Steps of the VecEnv for Stable-Baselines3."""
    importlib.import_module("stable_baselines3")
    env = importlib.import_module("pr_env.sb3").GameVecEnv(PuertoRico(players=3), BATCH)
    env.reset()
    return masked(env.step, env.action_masks)


def open_spiel(name: str) -> Play:
    """Games of OpenSpiel's C++ core through its Python states."""
    game = importlib.import_module("pyspiel").load_game(name)
    kind = game.get_type()

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            if kind.provides_observation_tensor:
                state.observation_tensor()
            state.apply_action(choose(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def rlcard(name: str) -> Play:
    """Games of RLCard, whose states contain the observation and the legal actions."""
    env = importlib.import_module("rlcard").make(name, config={"seed": 0})

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(choose(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def pgx(name: str, games: int) -> Play:
    """Steps of a Pgx batch, compiled into one function together with the choice of random actions."""
    jax = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(name)
    step_or_restart = jax.vmap(importlib.import_module("pgx.experimental").auto_reset(env.step, env.init))

    def turn(state: Any, key: Any) -> tuple[Any, Any]:
        key, choice, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choice, logits)
        return step_or_restart(state, actions, jax.random.split(chance, games)), key

    compiled_turn = jax.jit(turn)
    key = jax.random.key(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, games))

    def play() -> int:
        nonlocal state, key
        state, key = compiled_turn(state, key)
        state.observation.block_until_ready()
        return games

    return play


def cases() -> list[Case]:
    """All rows, in the order of the table."""
    own = partial(Case, "pr-env", "puerto_rico")
    rows = [
        own("AEC raw_env", 1, lambda: aec(puerto_rico_v0.raw_env(players=3)), "pr-env"),
        own("AEC env", 1, lambda: aec(puerto_rico_v0.env(players=3)), "pr-env"),
        own("Batch", BATCH, batch, "pr-env"),
        own("GameVectorEnv *", BATCH, gymnasium_vector, "pr-env"),
        own("sb3 GameVecEnv *", BATCH, stable_baselines3, '"puerto-royal[train]"'),
    ]
    for name in ("connect_four_v3", "chess_v6", "leduc_holdem_v4", "texas_holdem_v4"):
        rows.append(Case("pettingzoo", name, "AEC env", 1, partial(pettingzoo, name), '"pettingzoo[classic]"'))
    for name in ("connect_four", "chess", "leduc_poker"):
        rows.append(Case("open_spiel", name, "state", 1, partial(open_spiel, name), "open_spiel"))
    for name in ("leduc-holdem", "uno"):
        rows.append(Case("rlcard", name, "env", 1, partial(rlcard, name), "rlcard"))
    for name in ("connect_four", "chess"):
        for games in (1, BATCH):
            rows.append(Case("pgx", name, "jitted vmap", games, partial(pgx, name, games), "pgx jax"))
    return rows


def measure(case: Case, runs: int, seconds: float) -> dict[str, Any]:
    """Decisions a second in the best of several runs, or what is missing."""
    row: dict[str, Any] = {"package": case.package, "game": case.game, "interface": case.interface, "batch": case.games}
    try:
        play = case.make()
    except ImportError:
        return row | {"missing": f"not installed: pip install {case.install}"}
    rate(play, WARM_UP_SECONDS)
    return row | {"decisions_per_second": round(max(rate(play, seconds) for _ in range(runs)))}


def rate(play: Play, seconds: float) -> float:
    """Decisions a second in one run."""
    decisions = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        decisions += play()
    return decisions / elapsed


def show(console: Console, rows: list[dict[str, Any]]) -> None:
    """Print the table."""
    table = Table(title="Random legal play, one process (best of several runs)")
    for column in ("package", "game", "interface"):
        table.add_column(column)
    for column in ("batch", "decisions/s", "us/decision"):
        table.add_column(column, justify="right")
    for row in rows:
        if "missing" in row:
            figures = [escape(row["missing"]), ""]
        else:
            figures = [f"{row['decisions_per_second']:,}", f"{1e6 / row['decisions_per_second']:.2f}"]
        table.add_row(row["package"], row["game"], row["interface"], str(row["batch"]), *figures)
    table.caption = "* only the learner's decisions are counted; opponents play as well"
    console.print(table)


def versions() -> dict[str, str]:
    """The installed versions of the measured packages."""
    found = {}
    for name in ("numpy", "numba", "pettingzoo", "open_spiel", "rlcard", "pgx", "jax", "stable_baselines3"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def main() -> None:
    """Measure every package that is installed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.others", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to a file")
    parser.add_argument("--runs", type=int, default=20, help="runs per figure; the best one counts (default 20)")
    parser.add_argument("--seconds", type=float, default=0.2, help="length of a run (default 0.2)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # deprecation warnings of other packages
    random.seed(0)
    console = Console()
    rows = [
        measure(case, options.runs, options.seconds)
        for case in track(cases(), description="measuring", console=console, transient=True)
    ]
    show(console, rows)
    if options.json:
        machine = {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "versions": versions(),
        }
        options.json.write_text(json.dumps({"machine": machine, "play": rows}, indent=1) + "\n")
        console.print(f"wrote {options.json}")


if __name__ == "__main__":
    main()
