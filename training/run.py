"""A training run in one folder, from start to end: resuming, log, checkpoints and the agent."""

from __future__ import annotations

import json
import math
import platform
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Protocol

import numpy as np

try:
    import fcntl
except ModuleNotFoundError:  # Windows: no locking
    fcntl = None  # type: ignore[assignment]

from agents.neural import NeuralAgent, save_agent
from agents.weights import UNFINISHED, Weights
from pr_env import __version__
from pr_env.game import Game
from training.display import Display
from training.evaluation import measure_all, yardstick
from training.log import HIGH, LOW, WIN_SHARE, Log
from training.report import title_of
from training.sinks import Sinks

CHECKPOINT_EVERY = 60.0  # seconds: the most that a killed training run loses
EVALUATION_GAMES = 60  # per opponent

# Intervals of log rows and evaluations, if the budget is a time
ROW_EVERY = 10.0  # seconds
FIRST_EVALUATION = 20.0  # seconds
EVALUATION_EVERY = 60.0  # seconds
EVALUATION_PART = 0.1  # maximum share of the time for evaluations: on a busy machine there are fewer
# ... and if it is a number of decisions
ROWS = 200  # in the whole run
FIRST_EVALUATIONS = (100_000, 300_000)  # decisions
EVALUATIONS = 20  # in the whole run ...
EVALUATION_DECISIONS = 1_000_000  # ... but at least this many decisions apart

# The files of a training run, in addition to TensorBoard's events and those of the report.
_WRITTEN = ("checkpoint.npz", "exploiter.npz", "agent.npz", "log.csv", "times.csv", "clock.json")


class FolderInUseError(RuntimeError):
    """Another training run uses the folder."""


class DivergedError(ArithmeticError):
    """The weights contain NaN or inf."""


class Learner(Protocol):
    """The interface of both algorithms to a training run."""

    name: ClassVar[str]

    @property
    def game(self) -> Game:
        """The game and its configuration."""

    @property
    def settings(self) -> Any:
        """The hyperparameters: a dataclass with ``seed`` and ``device`` among its fields."""

    @property
    def decisions(self) -> int:
        """Number of decisions learned from."""

    @property
    def evaluation_opponents(self) -> tuple[str, ...]:
        """Opponents in evaluations, by name; empty if the agent plays all seats."""

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect a rollout and learn from it; progress goes from 0 to 1. Returns metrics for the log."""

    def weights(self) -> Weights:
        """The weights of the current agent."""

    def save(self, path: Path) -> None:
        """Write a checkpoint."""


Begin = Callable[[], Learner]
Load = Callable[[Path], Learner]  # from a checkpoint


class Budget:
    """How long to train: a time, or a number of decisions, which gives the same result on any machine."""

    def __init__(self, minutes: float | None = None, decisions: int | None = None) -> None:
        if (minutes is None) == (decisions is None):
            raise ValueError("a budget must be either minutes or decisions")
        if (minutes or decisions or 0) <= 0:
            raise ValueError("a budget must be more than 0")
        self.minutes = minutes
        self.decisions = decisions

    def progress(self, seconds: float, decisions: int) -> float:
        """From 0 at the start to 1 when the budget is used up."""
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
    log_to: Sequence[str] = (),
) -> bool:
    """Train until the budget is used up, or until Ctrl-C.

    Args:
        begin: Creates a new learner.
        load: Creates a learner from a checkpoint.
        budget: The total budget, including earlier sessions.
        folder: Receives ``checkpoint.npz``, ``agent.npz``, ``log.csv`` and TensorBoard's events. Measured times are
            only in ``times.csv`` and ``clock.json``: the other files depend only on the settings.
        evaluation_games: Games per opponent in an evaluation; 0 for no evaluations.
        restart: Start over even if there is a checkpoint.
        log_to: Additional services for the metrics: names in `training.sinks.SINKS`.

    Returns:
        Whether the budget is used up.

    Raises:
        FolderInUseError: If another training run uses the folder.
        DivergedError: If the weights contain NaN or inf. The last checkpoint is kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _alone_in(folder):
        _remove(folder, *(f"{name}*{UNFINISHED}" for name in _WRITTEN))  # left by a killed process
        return _train(begin, load, budget, folder, evaluation_games, restart, log_to)


def _train(
    begin: Begin,
    load: Load,
    budget: Budget,
    folder: Path,
    evaluation_games: int,
    restart: bool,
    log_to: Sequence[str],
) -> bool:
    checkpoint = folder / "checkpoint.npz"
    seconds = 0.0
    if checkpoint.exists() and not restart:
        learner = load(checkpoint)
        seconds = read_clock(folder)
    else:
        learner = begin()
        if checkpoint.exists():
            learner.iterate(0.0)  # a trial: if it fails, the existing files are kept
            learner = begin()
        if restart:
            _remove(folder, *_WRITTEN, "events.out.tfevents.*", "curve.png", "replay.jsonl", "*_run.txt")
    log = Log(folder, learner.decisions, Sinks(log_to, folder, asdict(learner.settings)))
    watch = _Watch(learner, seconds)
    due = _ByClock(watch) if budget.decisions is None else _ByDecisions(learner, budget.decisions)

    def save() -> None:
        if not all(np.isfinite(values).all() for values in learner.weights().values()):
            raise DivergedError(
                f"the weights contain NaN or inf: a smaller learning_rate may help; {checkpoint} is unchanged"
            )
        learner.save(checkpoint)
        (folder / "clock.json").write_text(json.dumps({"seconds": round(watch.seconds(), 3)}) + "\n")
        write_agent(learner, folder / "agent.npz")

    def evaluate() -> dict[str, float]:
        agent = read_agent(learner, folder / "agent.npz")
        # Different games every time, so that the mean of several evaluations is more precise.
        seed = learner.settings.seed + learner.decisions
        figures: dict[str, float] = {}
        for name, found in measure_all(
            agent, learner.evaluation_opponents, learner.game, evaluation_games, seed
        ).items():
            figures |= {WIN_SHARE + name: found.wins.mean, LOW + name: found.wins.low, HIGH + name: found.wins.high}
        return figures

    with _stop_softly() as stopped, Display(title_of(learner.game), yardstick(learner.game)) as display:
        saved = time.monotonic()
        while not stopped() and (progress := budget.progress(watch.seconds(), learner.decisions)) < 1:
            watch.take(learner.iterate(progress))
            display.update(progress, {})
            evaluation = bool(evaluation_games) and due.evaluation()
            if evaluation or time.monotonic() - saved >= CHECKPOINT_EVERY:
                save()
                saved = time.monotonic()
            if evaluation or due.row():
                figures = watch.row() | (evaluate() if evaluation else {})
                log.add(figures)
                due.written(evaluation)
                display.update(progress, figures)
    save()
    finished = budget.progress(watch.seconds(), learner.decisions) >= 1
    evaluated = any(row["decisions"] == learner.decisions and _has_win_shares(row) for row in log.rows)
    if finished and evaluation_games and not evaluated:
        log.add({**watch.row(), **evaluate()})
    log.close()
    return finished


def read_clock(folder: Path) -> float:
    """Seconds that the training run in a folder has taken so far; 0 if unknown."""
    try:
        return float(json.loads((folder / "clock.json").read_text())["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0


def _remove(folder: Path, *patterns: str) -> None:
    for pattern in patterns:
        for path in folder.glob(pattern):
            path.unlink()


def write_agent(learner: Learner, path: Path) -> None:
    """Write the current agent, for ``make_agent("ppo:weights=...", game)``."""
    card = {
        "algorithm": learner.name,
        "settings": asdict(learner.settings),
        "decisions": learner.decisions,
        "pr_env": __version__,
        "commit": _commit(),
        "machine": platform.machine(),
    }
    save_agent(path, learner.weights(), learner.game, card)


def read_agent(learner: Learner, path: Path) -> NeuralAgent:
    """Read the agent written by `write_agent`, evaluated by PyTorch with the threads of the run.

    NumPy's own threads busy-wait: on a busy machine an evaluation would take twenty times as long.
    """
    return NeuralAgent(learner.game, str(path), device=learner.settings.device)


@cache
def _commit() -> str:
    """The commit of the checkout, or "unknown", for example in an installed package."""
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
    """Averages metrics until a row of the log is due, and keeps track of the training time."""

    def __init__(self, learner: Learner, seconds: float) -> None:
        self._learner = learner
        self._before = seconds
        self._started = time.monotonic()
        self._figures: dict[str, list[float]] = {}
        self._row_started = self._started
        self._row_decisions = learner.decisions

    def seconds(self) -> float:
        """Training time, including earlier sessions."""
        return self._before + time.monotonic() - self._started

    def take(self, figures: dict[str, float]) -> None:
        """Add the metrics of one rollout."""
        for name, value in figures.items():
            self._figures.setdefault(name, []).append(value)

    def row(self) -> dict[str, float]:
        """The means of the metrics since the last row."""
        passed = max(time.monotonic() - self._row_started, 1e-9)
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


class _ByClock:
    """The schedule of rows and evaluations if the budget is a time."""

    def __init__(self, watch: _Watch) -> None:
        self._watch = watch
        self._row = watch.seconds() + ROW_EVERY
        self._evaluation = watch.seconds() + FIRST_EVALUATION
        self._asked = 0.0

    def row(self) -> bool:
        return self._watch.seconds() >= self._row

    def evaluation(self) -> bool:
        self._asked = self._watch.seconds()
        return self._asked >= self._evaluation

    def written(self, evaluation: bool) -> None:
        """Called after a row was written, with or without an evaluation."""
        now = self._watch.seconds()
        self._row = now + ROW_EVERY
        if evaluation:
            self._evaluation = self._asked + max(EVALUATION_EVERY, (now - self._asked) / EVALUATION_PART)


class _ByDecisions:
    """The schedule if the budget is a number of decisions: the log then depends on nothing else."""

    def __init__(self, learner: Learner, budget: int) -> None:
        self._learner = learner
        self._between_rows = max(1, budget // ROWS)
        self._between_evaluations = max(EVALUATION_DECISIONS, budget // EVALUATIONS)
        self.written(evaluation=True)

    def row(self) -> bool:
        return self._learner.decisions >= self._row

    def evaluation(self) -> bool:
        return self._learner.decisions >= self._evaluation

    def written(self, evaluation: bool) -> None:
        """Called after a row was written, with or without an evaluation."""
        now = self._learner.decisions
        self._row = _next_multiple(self._between_rows, now)
        if evaluation:
            first = (decisions for decisions in FIRST_EVALUATIONS if decisions > now)
            self._evaluation = min([*first, _next_multiple(self._between_evaluations, now)])


def _next_multiple(of: int, after: int) -> int:
    return (after // of + 1) * of


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Lock a folder, so that two training runs do not overwrite each other. The lock ends with the process."""
    with (folder / "lock").open("w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUseError(f"another training run is active in {folder}") from None
        yield


@contextmanager
def _stop_softly() -> Iterator[Callable[[], bool]]:
    """On Ctrl-C or SIGTERM finish the rollout, so that a checkpoint can be written; the second time stop at once."""
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
