"""Several threads in one step.

Kernels with ``prange`` use Numba's threads (OpenMP where it is there). They busy-wait for a moment after their work,
because waking a sleeping thread takes as long as a step of a few hundred games. Three things must not happen to them,
and do not happen here: two steps at once (some of Numba's thread libraries abort), use in a process that was forked
after they had started (OpenMP aborts), and long busy-waiting (with other work on the machine a step then takes
forty times as long).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numba

from pr_env.checks import check_whole

GAMES_PER_THREAD = 128  # with fewer games a second thread does not pay

_one_at_a_time = threading.Lock()
_started_in: int | None = None  # the process in which the threads were started


def default_threads(games: int) -> int:
    """As many threads as there are cores, if each has enough games."""
    return max(1, min(most_threads(), games // GAMES_PER_THREAD))


def most_threads() -> int:
    """As many threads as Numba was started with: one a core, or NUMBA_NUM_THREADS."""
    return int(numba.config.NUMBA_NUM_THREADS)


def check_threads(threads: object) -> None:
    """Refuse what is not a number of threads that there are.

    Raises:
        ValueError: If it is not.
    """
    check_whole("threads", threads)
    if threads > most_threads():  # type: ignore[operator] # a whole number
        raise ValueError(f"threads must be at most {most_threads()} here (NUMBA_NUM_THREADS), got {threads}")


def can_share() -> bool:
    """Whether this process may use several threads: not after a fork of one that has."""
    return _started_in is None or _started_in == os.getpid()


@contextmanager
def together() -> Iterator[None]:
    """Around each call of a parallel kernel."""
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
    """OpenMP reads how long threads wait awake when it is loaded, by the first call: unless said, about 80 us."""
    if "GOMP_SPINCOUNT" in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = "2000"
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]


def _after_fork_in_child() -> None:
    """A lock that was held during the fork would never be released."""
    global _one_at_a_time
    _one_at_a_time = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
