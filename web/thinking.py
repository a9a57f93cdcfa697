"""Long computations: run in a bounded number of threads beside the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from pr_env.compiling import NotCompiledError, Request, stored_only
from web.compilers import Compilers
from web.limits import Limits
from web.work import BusyError, Work

T = TypeVar("T")


class Thinkers:
    """The threads that agents think on.

    Nobody waits for a search of somebody else who could do without one: agents that do not search move on threads of
    their own, and so do drawing, reading and telling. Searches for hints and analysis do not hold up the searching
    agents of games.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._quick = ThreadPoolExecutor(2, "page")
        self._light = ThreadPoolExecutor(2, "agent")
        self._searching = ThreadPoolExecutor(limits.threads, "search")
        self._analysing = ThreadPoolExecutor(limits.threads, "analysis")
        self._compilers = Compilers(limits)
        self._waiting = 0

    async def think(self, task: Callable[[], T], work: Work | None = None, *, searching: bool = False) -> T:
        """Let an agent move.

        Args:
            task: What to do. If something that it needs has to be compiled, it is called again when that is done.
            work: What is told that something is being compiled.
            searching: Whether the agent searches.

        Raises:
            BusyError: If too many wait already.
            StoppedError: If the work was stopped while something was compiled.
        """
        return await self._run(self._searching if searching else self._light, task, work)

    async def analyse(self, task: Callable[[], T], work: Work | None = None) -> T:
        """Let an agent think about a position for a page."""
        return await self._run(self._analysing, task, work)

    async def quickly(self, task: Callable[[], T], work: Work | None = None) -> T:
        """Do something short that no agent is to hold up."""
        return await self._run(self._quick, task, work)

    async def _run(self, pool: ThreadPoolExecutor, task: Callable[[], T], work: Work | None) -> T:
        if self._waiting >= self._limits.waiting:
            raise BusyError("the server is busy: try again in a moment")
        loop = asyncio.get_running_loop()
        compiled: set[Request] = set()
        self._waiting += 1
        try:
            while True:
                try:
                    return await loop.run_in_executor(pool, partial(_with_stored, task))
                except NotCompiledError as needed:
                    if needed.request in compiled or not await self._compilers.compile(needed, work):
                        return await loop.run_in_executor(pool, task)  # another process cannot: compile here
                    compiled.add(needed.request)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End without waiting for tasks that were not begun."""
        self._compilers.close()
        for pool in (self._quick, self._light, self._searching, self._analysing):
            pool.shutdown(wait=False, cancel_futures=True)


def _with_stored(task: Callable[[], T]) -> T:
    with stored_only():
        return task()
