"""A training from start to end in one folder: goes on where it was, writes its log, checkpoints and the agent."""

from __future__ import annotations

import math
import platform
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Protocol

import numpy as np

try:
    import fcntl
except ModuleNotFoundError:  # Windows: nobody watches there
    fcntl = None  # type: ignore[assignment]

from agents.neural import NeuralAgent, save_agent
from agents.weights import UNFINISHED, Weights
from pr_env import __version__
from pr_env.game import Game
from training.display import Display
from training.evaluation import win_shares
from training.log import WIN_SHARE, Log

CHECKPOINT_EVERY = 60.0  # seconds: what is lost at most when a training is killed
ROW_EVERY = 10.0  # seconds between two rows of the log
EVALUATION_GAMES = 60  # for each opponent, after a checkpoint
EVALUATION_PART = 0.1  # of the time at most goes into evaluations: on a busy machine they become fewer


# What a training writes into its folder, beside TensorBoard's events and what the report adds.
_WRITTEN = ("checkpoint.npz", "agent.npz", "log.csv")


class FolderInUseError(RuntimeError):
    """Another training writes into the folder."""


class DivergedError(ArithmeticError):
    """A training whose weights are no numbers any more."""


class Learner(Protocol):
    """What both algorithms are to a training."""

    name: ClassVar[str]

    @property
    def game(self) -> Game:
        """What is learned."""

    @property
    def settings(self) -> Any:
        """The hyperparameters: a dataclass with ``seed`` among its fields."""

    @property
    def decisions(self) -> int:
        """How many decisions have been learned from."""

    def iterate(self, progress: float) -> dict[str, float]:
        """Play for a while and learn from it; progress goes from 0 to 1. Returns figures for the log."""

    def weights(self) -> Weights:
        """The agent as it plays now."""

    def save(self, path: Path, notes: dict[str, Any]) -> None:
        """Write a checkpoint."""


Begin = Callable[[], Learner]
Load = Callable[[Path], tuple[Learner, dict[str, Any]]]  # from a checkpoint; with the notes that were saved with it


class Budget:
    """How long to train: a time, or a number of decisions (the only one of the two that is the same everywhere)."""

    def __init__(self, minutes: float | None = None, decisions: int | None = None) -> None:
        if (minutes is None) == (decisions is None):
            raise ValueError("a budget is minutes or decisions, one of them")
        if (minutes or decisions or 0) <= 0:
            raise ValueError("a budget is more than 0")
        self.minutes = minutes
        self.decisions = decisions

    def progress(self, seconds: float, decisions: int) -> float:
        """From 0 at the start to 1 when it is used up."""
        if self.minutes is not None:
            return min(1.0, seconds / 60 / self.minutes)
        assert self.decisions is not None
        return min(1.0, decisions / self.decisions)


def train(
    begin: Begin,
    load: Load,
    budget: Budget,
    folder: Path,
    evaluation_games: int = EVALUATION_GAMES,
    restart: bool = False,
) -> bool:
    """Train until the budget is used up or somebody presses Ctrl-C.

    Args:
        begin: Makes a new learner.
        load: Makes one that goes on from a checkpoint, and gives the notes that were saved with it.
        budget: How long in all, earlier sittings included.
        folder: Gets ``checkpoint.npz``, ``agent.npz``, ``log.csv`` and TensorBoard's events.
        evaluation_games: Games against each scripted agent after a checkpoint; 0 for none.
        restart: Begin anew even if there is a checkpoint.

    Returns:
        Whether it is finished.

    Raises:
        FolderInUseError: If another training writes into the folder.
        DivergedError: If the weights are no numbers any more. The last checkpoint stays as it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _alone_in(folder):
        _remove(folder, *(f"{name}*{UNFINISHED}" for name in _WRITTEN))  # somebody was killed while writing
        return _train(begin, load, budget, folder, evaluation_games, restart)


def _train(
    begin: Begin,
    load: Load,
    budget: Budget,
    folder: Path,
    evaluation_games: int,
    restart: bool,
) -> bool:
    checkpoint = folder / "checkpoint.npz"
    seconds = 0.0
    if checkpoint.exists() and not restart:
        learner, notes = load(checkpoint)
        seconds = notes["seconds"]
    else:
        learner = begin()
        if checkpoint.exists():
            learner.iterate(0.0)  # a rehearsal: who cannot play and learn does not lose what is there
            learner = begin()
        if restart:
            _remove(folder, *_WRITTEN, "events.out.tfevents.*", "curve.png", "replay.jsonl")
    log = Log(folder, learner.decisions)
    watch = _Watch(learner, seconds)
    title = f"{learner.game.players} players"

    def save() -> None:
        if not all(np.isfinite(values).all() for values in learner.weights().values()):
            raise DivergedError(
                f"the weights are no numbers any more: a smaller learning_rate may help; {checkpoint} is as it was"
            )
        learner.save(checkpoint, {"seconds": watch.seconds()})
        write_agent(learner, folder / "agent.npz", watch.seconds())

    def evaluate() -> dict[str, float]:
        agent = NeuralAgent(learner.game, str(folder / "agent.npz"))
        # Other games every time: the mean of several evaluations then says more than one of them.
        seed = learner.settings.seed + learner.decisions
        shares = win_shares(agent, learner.game, evaluation_games, seed=seed)
        return {f"{WIN_SHARE}{name}": share for name, share in shares.items()}

    next_evaluation = 0.0
    with _stop_softly() as stopped, Display(title, 1 / learner.game.players) as display:
        saved = time.monotonic()
        while not stopped() and (progress := budget.progress(watch.seconds(), learner.decisions)) < 1:
            new = learner.iterate(progress)
            due = time.monotonic() - saved >= CHECKPOINT_EVERY
            figures = watch.take(new, at_once=due)
            display.update(progress, {})
            if figures is None:
                continue
            if due:
                saved = time.monotonic()
                save()
                if evaluation_games and saved >= next_evaluation:
                    figures |= evaluate()
                    next_evaluation = saved + (time.monotonic() - saved) / EVALUATION_PART
            log.add(figures)
            display.update(progress, figures)
    save()
    finished = budget.progress(watch.seconds(), learner.decisions) >= 1
    evaluated = any(row["decisions"] == learner.decisions and _has_win_shares(row) for row in log.rows)
    if finished and evaluation_games and not evaluated:
        log.add({"decisions": float(learner.decisions), "seconds": round(watch.seconds(), 1), **evaluate()})
    log.close()
    return finished


def _remove(folder: Path, *patterns: str) -> None:
    for pattern in patterns:
        for path in folder.glob(pattern):
            path.unlink()


def write_agent(learner: Learner, path: Path, seconds: float) -> None:
    """Write the agent as it plays now, for ``make_agent("ppo:weights=...", game)``."""
    card = {
        "algorithm": learner.name,
        "settings": asdict(learner.settings),
        "decisions": learner.decisions,
        "hours": round(seconds / 3600, 3),
        "pr_env": __version__,
        "commit": _commit(),
        "machine": platform.machine(),
    }
    save_agent(path, learner.weights(), learner.game, card)


@cache
def _commit() -> str:
    """Of the checkout that the training runs from; an installed package has none."""
    checkout = Path(__file__).parents[1]
    if not (checkout / ".git").exists():
        return "unknown"
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # no git
        return "unknown"
    return answer.stdout.strip() or "unknown"


def _has_win_shares(row: Mapping[str, float]) -> bool:
    return any(name.startswith(WIN_SHARE) and not math.isnan(value) for name, value in row.items())


class _Watch:
    """Adds up figures until a row of the log is due, and knows how long the training has taken."""

    def __init__(self, learner: Learner, seconds: float) -> None:
        self._learner = learner
        self._before = seconds
        self._started = time.monotonic()
        self._figures: dict[str, list[float]] = {}
        self._row_started = self._started
        self._row_decisions = learner.decisions

    def seconds(self) -> float:
        """Of training, earlier sittings included."""
        return self._before + time.monotonic() - self._started

    def take(self, figures: dict[str, float], at_once: bool) -> dict[str, float] | None:
        """A row of means if one is due, or wanted at once."""
        for name, value in figures.items():
            self._figures.setdefault(name, []).append(value)
        passed = time.monotonic() - self._row_started
        if passed < ROW_EVERY and not at_once:
            return None
        row = {
            "decisions": float(self._learner.decisions),
            "seconds": round(self.seconds(), 1),
            "decisions_per_second": round((self._learner.decisions - self._row_decisions) / passed, 1),
        }
        row |= {name: sum(values) / len(values) for name, values in self._figures.items()}
        self._figures = {}
        self._row_started = time.monotonic()
        self._row_decisions = self._learner.decisions
        return row


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Two trainings in one folder would overwrite each other's checkpoints. The lock goes with the process."""
    with (folder / "lock").open("w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUseError(f"another training is running in {folder}") from None
        yield


@contextmanager
def _stop_softly() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and a friendly kill let the rollout finish, so that a checkpoint can be written; twice ends at once."""
    asked = False

    def ask(number: int, frame: FrameType | None) -> Any:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
