"""Long computations: run in a limited number of threads, and cancellable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from web.limits import Limits

T = TypeVar("T")


class StoppedError(Exception):
    """The task was stopped before it was finished."""


class BusyError(ValueError):
    """Too many tasks are waiting."""


class Work:
    """One task, with its progress reports and its stop flag.

    Args:
        report: Called in the server's thread with the progress, from 0 to 1.
    """

    def __init__(self, report: Callable[[float], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._report = report
        self._told = 0.0
        self._stopped = False

    def stop(self) -> None:
        """Ask the task to stop soon."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether the task was asked to stop."""
        return self._stopped

    def check(self) -> None:
        """Stop here if the task was asked to.

        Raises:
            StoppedError: If the task was asked to stop.
        """
        if self._stopped:
            raise StoppedError

    def watch(self, share: float) -> bool:
        """Report progress, and return whether to continue."""
        if self._report is not None and share >= self._told + 0.02:
            self._told = share
            self._loop.call_soon_threadsafe(self._report, min(share, 1.0))
        return not self._stopped


class Thinkers:
    """Threads for agents, and separate ones for quick tasks: drawing, reading and describing."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._slow = ThreadPoolExecutor(limits.threads, "agent")
        self._quick = ThreadPoolExecutor(2, "page")
        self._waiting = 0

    async def think(self, task: Callable[[], T]) -> T:
        """Run a long task.

        Raises:
            BusyError: If too many tasks are waiting.
        """
        return await self._run(self._slow, task)

    async def quickly(self, task: Callable[[], T]) -> T:
        """Run a quick task, which does not wait for agents."""
        return await self._run(self._quick, task)

    async def _run(self, pool: ThreadPoolExecutor, task: Callable[[], T]) -> T:
        if self._waiting >= self._limits.waiting:
            raise BusyError("the server is busy: try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, task)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Shut down without waiting; tasks that have not started are cancelled."""
        for pool in (self._slow, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)
