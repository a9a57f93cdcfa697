"""A task that takes long: it can be stopped, and says how far it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class StoppedError(Exception):
    """The work was stopped before it was done."""


class BusyError(ValueError):
    """Too much is waiting already."""


@dataclass(frozen=True)
class Compiling:
    """What is being compiled while a page waits.

    Attributes:
        what: In a few words.
        seconds: How long that has taken so far.
        about: How long it takes in all, estimated.
    """

    what: str
    seconds: float
    about: float

    def to_dict(self) -> dict[str, Any]:
        """As a page is told."""
        return {"what": self.what, "seconds": round(self.seconds), "about": max(1, round(self.about))}


class Work:
    """One task: it reports how far it is, and is told when it should stop.

    Args:
        report: Called in the server's own thread with the share that is done, from 0 to 1.
        compiling: Called there with what is being compiled first, again and again, and with None when that is done.
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

    def tell_compiling(self, what: str, seconds: float, about: float) -> None:
        """Say in the server's own thread that something is being compiled first; an empty text: it is done."""
        if self._compiling is not None:
            self._compiling(Compiling(what, seconds, about) if what else None)
