"""Long computations: run in a limited number of threads."""

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
    """Threads for agents, and separate ones for quick tasks: drawing, reading and describing.

    Agents without search have their own threads, so that they never wait for a search. Hints and analysis do not share
    threads with the searching agents of games either.
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
        """Run the move of an agent.

        Args:
            task: The task. If it needs code that is not compiled yet, it is called again once the code is compiled.
            work: Receives progress while code is compiled.
            searching: Whether the agent searches.

        Raises:
            BusyError: If too many tasks are waiting.
            StoppedError: If the task was stopped while code was compiled.
        """
        return await self._run(self._searching if searching else self._light, task, work)

    async def analyse(self, task: Callable[[], T], work: Work | None = None) -> T:
        """Run a hint or an analysis."""
        return await self._run(self._analysing, task, work)

    async def quickly(self, task: Callable[[], T], work: Work | None = None) -> T:
        """Run a quick task, which does not wait for agents."""
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
                        return await loop.run_in_executor(pool, task)  # not possible in another process: compile here
                    compiled.add(needed.request)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Shut down without waiting; tasks that have not started are cancelled."""
        self._compilers.close()
        for pool in (self._quick, self._light, self._searching, self._analysing):
            pool.shutdown(wait=False, cancel_futures=True)


def _with_stored(task: Callable[[], T]) -> T:
    with stored_only():
        return task()
