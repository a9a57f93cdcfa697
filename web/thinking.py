"""Long computations: run in a bounded number of threads beside the server, and cancellable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from web.limits import Limits

T = TypeVar("T")


class StoppedError(Exception):
    """The work was stopped before it was done."""


class BusyError(ValueError):
    """Too much is waiting already."""


class Work:
    """One task: it reports how far it is, and is told when it should stop.

    Args:
        report: Called in the server's own thread with the share that is done, from 0 to 1.
    """

    def __init__(self, report: Callable[[float], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._report = report
        self._told = 0.0
        self._stopped = False

    def stop(self) -> None:
        """Ask the task to end soon."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether it was asked to."""
        return self._stopped

    def check(self) -> None:
        """End the task here if it was asked to stop.

        Raises:
            StoppedError: If it was asked to stop.
        """
        if self._stopped:
            raise StoppedError

    def watch(self, share: float) -> bool:
        """Say how far the task is; answers whether to go on."""
        if self._report is not None and share >= self._told + 0.02:
            self._told = share
            self._loop.call_soon_threadsafe(self._report, min(share, 1.0))
        return not self._stopped


class Thinkers:
    """The threads that agents think on, and one more for what is quick: drawing, reading and telling."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._slow = ThreadPoolExecutor(limits.threads, "agent")
        self._quick = ThreadPoolExecutor(2, "page")
        self._waiting = 0

    async def think(self, task: Callable[[], T]) -> T:
        """Do something long.

        Raises:
            BusyError: If too many wait already.
        """
        return await self._run(self._slow, task)

    async def quickly(self, task: Callable[[], T]) -> T:
        """Do something short that no agent is to hold up."""
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
        """End without waiting for tasks that were not begun."""
        for pool in (self._slow, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)
