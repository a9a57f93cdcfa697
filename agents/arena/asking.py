"""Asking an agent for its actions, and its faults: crashes, illegal actions, timeouts."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np

from agents.agent import Agent
from pr_env.batch import Batch
from pr_env.game import Game

FaultKind = Literal["crash", "illegal", "stall"]
Problems = dict[int, tuple[FaultKind, str]]  # by game
WARM_UP_SECONDS = 3600.0


@dataclass(frozen=True)
class Fault:
    """The reason why an agent forfeited a game.

    Attributes:
        seat: Its seat.
        kind: ``"crash"`` (an exception, or no valid array of actions), ``"illegal"`` or ``"stall"``.
        message: A human-readable description.
    """

    seat: int
    kind: FaultKind
    message: str


def warm_up(game: Game, agent: Agent) -> None:
    """Ask an agent once about an opening, so that compiling and loading do not count as its time in a game.

    Faults have no consequences here: they will occur again in a game.
    """
    reward = game.reward_schemes[0]
    batch = Batch(game, 1, reward=reward, observations=agent.needs_observations, autoreset=False, threads=1)
    if not batch.is_over()[0]:
        ask(agent, batch, np.zeros(1, np.int64), WARM_UP_SECONDS)


def ask(agent: Agent, batch: Batch, index: np.ndarray, seconds: float) -> tuple[np.ndarray, Problems]:
    """The agent's actions for the games at ``index``, and its faults, by game."""
    try:
        chosen = _answer(agent, batch, index, seconds)
    except _OutOfTimeError:
        words = f"no answer about {len(index)} game{'' if len(index) == 1 else 's'} within {seconds:g} s"
        return np.zeros(len(index), np.int64), {int(i): ("stall", words) for i in index}
    except TimeoutError as error:  # an agent with a time limit of its own
        return np.zeros(len(index), np.int64), {int(i): ("stall", str(error)) for i in index}
    except Exception as error:
        if len(index) > 1:
            return _ask_one_by_one(agent, batch, index, seconds)
        return np.zeros(1, np.int64), {int(index[0]): ("crash", f"{type(error).__name__}: {error}")}
    exists = (chosen >= 0) & (chosen < batch.mask.shape[1])
    legal = exists & batch.mask[index, np.where(exists, chosen, 0)]
    problems: Problems = {}
    for place in np.flatnonzero(~legal):
        number = int(chosen[place])
        what = str(batch.game.actions[number]) if exists[place] else f"{number}, which does not exist"
        decision = batch.game.describe_decision(batch.games[index[place]])
        problems[int(index[place])] = ("illegal", f"action {what}, as {decision}")
    return chosen, problems


def _ask_one_by_one(agent: Agent, batch: Batch, index: np.ndarray, seconds: float) -> tuple[np.ndarray, Problems]:
    """Retry game by game after a crash: a single game may have caused it."""
    chosen = np.zeros(len(index), np.int64)
    problems: Problems = {}
    for place in range(len(index)):
        chosen[place : place + 1], problem = ask(agent, batch, index[place : place + 1], seconds)
        problems |= problem
        if any(kind == "stall" for kind, _ in problem.values()):
            return chosen, problems | {int(i): ("stall", "stalled before") for i in index[place + 1 :]}
    return chosen, problems


def _answer(agent: Agent, batch: Batch, index: np.ndarray, seconds: float) -> np.ndarray:
    # np.take: ordinary indexing of an array of records takes twenty times as long
    games = np.take(batch.games, index) if agent.needs_games else None
    observations, masks = np.take(batch.observation, index, axis=0), np.take(batch.mask, index, axis=0)
    start = time.monotonic()
    with _time_limit(seconds):
        answer = np.asarray(agent.choose(observations, masks, games))
    if time.monotonic() - start > seconds:  # if it could not be interrupted
        raise _OutOfTimeError
    if answer.shape != (len(index),) or answer.dtype.kind not in "iu":
        raise ValueError(f"chose {answer.dtype} of shape {answer.shape}, not {len(index)} whole numbers")
    return answer.astype(np.int64)


class _OutOfTimeError(BaseException):
    """Not an Exception, so that an agent that catches exceptions does not catch it."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt what runs too long, where signals work: in the main thread, not on Windows.

    Compiled code is interrupted when it returns to Python.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise _OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
