"""Processes that play batches of games in parallel: for slow agents."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait

# Environment variables that libraries read on import: a worker gets its share of the cores.
_THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def workers(count: int, prepare: Callable[..., None], *arguments: object) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes, each of which first calls ``prepare(*arguments)``.

    They are spawned, not forked: a process with threads cannot be forked safely.
    """
    threads = str(max(1, (os.cpu_count() or 1) // count))
    added = [name for name in _THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(added, threads))
    try:
        with ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(prepare, arguments)
        ) as pool:
            try:
                yield pool
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    finally:
        for name in added:
            del os.environ[name]


def _begin(prepare: Callable[..., None], arguments: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it silently: the main process handles it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare(*arguments)


def _end_with_parent() -> None:
    """Exit with the main process: if that is killed, a worker would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
