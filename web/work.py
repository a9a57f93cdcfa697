"""A long task, its progress and its stop flag."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class StoppedError(Exception):
    """The task was stopped before it was finished."""


class BusyError(ValueError):
    """Too many tasks are waiting."""


@dataclass(frozen=True)
class Compiling:
    """Code that is being compiled while a page waits.

    Attributes:
        what: A short description.
        seconds: Elapsed time.
        about: Estimated total time.
    """

    what: str
    seconds: float
    about: float

    def to_dict(self) -> dict[str, Any]:
        """As sent to a page."""
        return {"what": self.what, "seconds": round(self.seconds), "about": max(1, round(self.about))}


class Work:
    """One task, with its progress reports and its stop flag.

    Args:
        report: Called in the server's thread with the progress, from 0 to 1.
        compiling: Called there repeatedly while code is compiled for the task, and with None afterwards.
    """

    def __init__(
        self,
        report: Callable[[float], None] | None = None,
        compiling: Callable[[Compiling | None], None] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._report = report
        self._compiling = compiling
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

    def tell_compiling(self, what: str, seconds: float, about: float) -> None:
        """Report, in the server's thread, that code is being compiled for the task; an empty text: no longer."""
        if self._compiling is not None:
            self._compiling(Compiling(what, seconds, about) if what else None)
