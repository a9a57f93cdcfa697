"""Several threads in one step.

Kernels with ``prange`` use Numba's threads (OpenMP where it is there). Those wait awake for a moment after their work:
waking a sleeping thread takes longer than a step of a few hundred games. Two things must not happen to them, and do not
happen here: two steps at once (some of Numba's thread libraries abort), and use in a process that was forked after they
had started (OpenMP aborts).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numba

GAMES_PER_THREAD = 128  # with fewer games a second thread does not pay

_one_at_a_time = threading.Lock()
_started_in: int | None = None  # the process in which the threads were started


def default_threads(games: int) -> int:
    """As many threads as there are cores, if each has enough games."""
    return max(1, min(most_threads(), games // GAMES_PER_THREAD))


def most_threads() -> int:
    """As many threads as Numba was started with: one a core, or NUMBA_NUM_THREADS."""
    return int(numba.config.NUMBA_NUM_THREADS)


def can_share() -> bool:
    """Whether this process may use several threads: not after a fork of one that has."""
    return _started_in is None or _started_in == os.getpid()


@contextmanager
def together() -> Iterator[None]:
    """Around each call of a parallel kernel."""
    global _started_in
    with _one_at_a_time:
        _started_in = os.getpid()
        yield


def _after_fork_in_child() -> None:
    """A lock that was held during the fork would never be released."""
    global _one_at_a_time
    _one_at_a_time = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
