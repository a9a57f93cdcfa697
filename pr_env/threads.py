"""Multithreaded steps.

Kernels with ``prange`` use Numba's threads (OpenMP if available). The threads busy-wait for a moment after their work,
because waking a sleeping thread takes as long as a step of a few hundred games. This module prevents three things: two
steps at once (some of Numba's threading layers abort), use in a process that was forked after the threads had started
(OpenMP aborts), and long busy-waiting (a step then takes forty times as long if the machine has other work).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numba

from pr_env.checks import check_whole

GAMES_PER_THREAD = 128  # with fewer games, a second thread does not pay off

_one_at_a_time = threading.Lock()
_started_in: int | None = None  # the process in which the threads were started


def default_threads(games: int) -> int:
    """One thread per core, as long as each has enough games."""
    return max(1, min(most_threads(), games // GAMES_PER_THREAD))


def most_threads() -> int:
    """The number of threads that Numba was started with: one per core, or NUMBA_NUM_THREADS."""
    return int(numba.config.NUMBA_NUM_THREADS)


def check_threads(threads: object) -> None:
    """Check a number of threads.

    Raises:
        ValueError: If it is not a whole number, or too low or too high.
    """
    check_whole("threads", threads)
    if threads > most_threads():  # type: ignore[operator] # a whole number
        raise ValueError(f"threads must be at most {most_threads()} here (NUMBA_NUM_THREADS), got {threads}")


def can_share() -> bool:
    """Whether this process may use several threads; it may not if it was forked from one that did."""
    return _started_in is None or _started_in == os.getpid()


@contextmanager
def together() -> Iterator[None]:
    """Context for each call of a parallel kernel."""
    global _started_in
    with _one_at_a_time:
        if _started_in is None:
            _started_in = os.getpid()
            with _short_waits():
                yield
        else:
            yield


@contextmanager
def _short_waits() -> Iterator[None]:
    """Set how long OpenMP threads busy-wait, about 80 us unless configured. OpenMP reads it at the first call."""
    if "GOMP_SPINCOUNT" in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = "2000"
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]


def _after_fork_in_child() -> None:
    """Replace the lock: one that was held during the fork would never be released."""
    global _one_at_a_time
    _one_at_a_time = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
