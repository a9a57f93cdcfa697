"""Games between agents, many at once: in every step each agent chooses once, for all games in which it is to move.

An agent that crashes, plays something illegal or takes too long loses the game; the other games go on.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np

from agents.agent import Agent
from pr_env.batch import Batch
from pr_env.game import Game

FaultKind = Literal["crash", "illegal", "stall"]
# Called after every step: how many games have ended in it, and how many decisions were made
Watch = Callable[[int, int], None]
NOT_PLAYED = -1  # in the table of actions
WARM_UP_SECONDS = 3600.0


@dataclass(frozen=True)
class Fault:
    """What an agent did wrong in a game, and lost it by.

    Attributes:
        seat: Where it sat.
        kind: ``"crash"`` (an exception, or no actions at all), ``"illegal"`` or ``"stall"``.
        message: What happened, for people.
    """

    seat: int
    kind: FaultKind
    message: str


@dataclass
class Played:
    """Games that are over, or were abandoned.

    Attributes:
        finals: Final records (n,). Of an abandoned game: points as they stood; whoever is at fault is last and the
            others share the win.
        faults: Why games were abandoned, by their place.
        actions: int16 (steps, n): what was played, NOT_PLAYED after the end of a game. None if not asked for.
        games: The records (n,) as they stood at the end.
    """

    finals: np.ndarray
    faults: dict[int, Fault]
    actions: np.ndarray | None
    games: np.ndarray


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seeds: np.ndarray,
    seating: np.ndarray,
    *,
    seconds: float,
    keep_actions: bool = False,
    watch: Watch | None = None,
) -> Played:
    """Play one game for each seed.

    Args:
        game: What is played.
        agents: Who plays.
        seeds: uint64 (n,).
        seating: int64 (n, players): which of ``agents`` sits where.
        seconds: How long an agent may take for one answer.
        keep_actions: Whether to keep what was played.
        watch: Is told how the play goes on.
    """
    observations = any(agent.needs_observations for agent in agents)
    # One thread: most of the time is the agents', and on a busy machine two threads wait for each other
    batch = Batch(game, len(seeds), seeds, observations=observations, autoreset=False, threads=1)
    every = np.arange(len(seeds))
    running = np.ones(len(seeds), np.bool_)
    finals = np.zeros(len(seeds), game.final)
    faults: dict[int, Fault] = {}
    log: list[np.ndarray] = []
    stalled: set[int] = set()
    while running.any():
        before = int(running.sum())
        to_move = seating[every, batch.player]
        actions = np.zeros(len(seeds), np.int64)
        for number, agent in enumerate(agents):
            index = np.flatnonzero(running & (to_move == number))
            if not len(index):
                continue
            actions[index], problems = _ask(agent, batch, index, seconds)
            if any(kind == "stall" for kind, _ in problems.values()):
                stalled.add(number)
            for place, (kind, message) in problems.items():
                faults[place] = Fault(int(batch.player[place]), kind, message)
        for number in stalled:  # whoever stalls once would do so again, step after step
            for place in map(int, np.flatnonzero(running & (seating == number).any(axis=1))):
                seat = int(np.flatnonzero(seating[place] == number)[0])
                faults.setdefault(place, Fault(seat, "stall", "stalled in another game of the batch"))
        running[list(faults)] = False
        decisions = int(running.sum())
        if keep_actions:
            log.append(np.where(running, actions, NOT_PLAYED).astype(np.int16))
        if decisions:
            batch.step(actions, running)
            ended = running & (batch.terminated | batch.truncated)
            finals[ended] = batch.final[ended]
            running &= ~ended
        if watch is not None:
            watch(before - int(running.sum()), decisions)
    if faults:
        _settle_abandoned(game, batch, finals, faults)
    played = np.array(log, np.int16).reshape(len(log), len(seeds)) if keep_actions else None
    return Played(finals, faults, played, batch.games)


def warm_up(game: Game, agent: Agent) -> None:
    """Ask an agent once about an opening, so that compiling and loading do not count as its time in a game.

    What it does wrong here has no consequences: it will do so again in a game.
    """
    batch = Batch(game, 1, observations=agent.needs_observations, autoreset=False, threads=1)
    _ask(agent, batch, np.zeros(1, np.int64), WARM_UP_SECONDS)


def _settle_abandoned(game: Game, batch: Batch, finals: np.ndarray, faults: dict[int, Fault]) -> None:
    """Points as they stand; whoever is at fault is last, the others share the win."""
    standing = batch.score()
    for i, fault in faults.items():
        finals[i] = standing[i]
        finals["rank"][i, : game.players] = 1
        finals["rank"][i, fault.seat] = game.players
        finals["win_share"][i, : game.players] = 1 / (game.players - 1)
        finals["win_share"][i, fault.seat] = 0


# -- asking an agent ---------------------------------------------------------------------------------------------------

Problems = dict[int, tuple[FaultKind, str]]  # by game


def _ask(agent: Agent, batch: Batch, index: np.ndarray, seconds: float) -> tuple[np.ndarray, Problems]:
    """The agent's actions for the games at ``index``, and the games in which it gave no legal one."""
    try:
        chosen = _answer(agent, batch, index, seconds)
    except _OutOfTimeError:
        words = f"no answer about {len(index)} game{'' if len(index) == 1 else 's'} within {seconds:g} s"
        return np.zeros(len(index), np.int64), {int(i): ("stall", words) for i in index}
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
    """After a crash: it may be the fault of one game only."""
    chosen = np.zeros(len(index), np.int64)
    problems: Problems = {}
    for place in range(len(index)):
        chosen[place : place + 1], problem = _ask(agent, batch, index[place : place + 1], seconds)
        problems |= problem
        if any(kind == "stall" for kind, _ in problem.values()):
            return chosen, problems | {int(i): ("stall", "stalled before") for i in index[place + 1 :]}
    return chosen, problems


def _answer(agent: Agent, batch: Batch, index: np.ndarray, seconds: float) -> np.ndarray:
    # np.take: indexing an array of records in the usual way takes twenty times as long
    games = np.take(batch.games, index) if agent.needs_games else None
    observations, masks = np.take(batch.observation, index, axis=0), np.take(batch.mask, index, axis=0)
    start = time.monotonic()
    with _time_limit(seconds):
        answer = np.asarray(agent.choose(observations, masks, games))
    if time.monotonic() - start > seconds:  # where it could not be interrupted
        raise _OutOfTimeError
    if answer.shape != (len(index),) or answer.dtype.kind not in "iu":
        raise ValueError(f"chose {answer.dtype} of shape {answer.shape}, not {len(index)} whole numbers")
    return answer.astype(np.int64)


class _OutOfTimeError(BaseException):
    """Not an Exception, so that an agent that catches those does not catch this."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupts what runs too long, where a process can be woken: in the main thread, not on Windows.

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
