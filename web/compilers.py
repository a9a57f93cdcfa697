"""Compile in separate processes: the server only loads stored code, so that other games and pages never wait."""

from __future__ import annotations

import asyncio
import base64
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pr_env import registry
from pr_env.compiling import NotCompiledError, Request
from web.limits import Limits
from web.work import Work

TELL_EVERY = 0.5  # seconds
FORGET_AFTER = 60.0  # seconds without a waiting task, after which the elapsed time starts at 0 again
DONE = b"done"


@dataclass
class Part:
    """A group of kernels that are compiled one after the other.

    Attributes:
        about: Estimated seconds for all of them.
        begun: When the first one was started.
        seen: When a task last waited for one of them.
    """

    about: float
    begun: float
    seen: float


class Compilers:
    """The compiling processes, each with a thread that waits for it.

    Args:
        limits: Limits the number of processes.
    """

    def __init__(self, limits: Limits) -> None:
        self._threads = ThreadPoolExecutor(limits.compilers, "compiler")
        self._jobs: dict[Request, asyncio.Task[bool]] = {}
        self._parts: dict[str, Part] = {}
        self._idle: list[subprocess.Popen[bytes]] = []  # reused: a process compiles further kernels of a game faster
        self._busy: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    async def compile(self, needed: NotCompiledError, work: Work | None) -> bool:
        """Compile a kernel in another process, with progress reports. Returns whether its code is stored now.

        Raises:
            StoppedError: If the task was stopped in the meantime. The compilation itself continues.
        """
        request = needed.request
        what = needed.what or f"the rules of {request.game}"
        part = self._part(what, needed.seconds)
        if request not in self._jobs:
            self._jobs[request] = asyncio.create_task(self._job(request))
            self._jobs[request].add_done_callback(lambda _: self._jobs.pop(request, None))
        job = self._jobs[request]
        try:
            while not job.done():
                if work is not None:
                    work.check()
                    work.tell_compiling(what, time.monotonic() - part.begun, part.about)
                await asyncio.wait([job], timeout=TELL_EVERY)
                part.seen = time.monotonic()
        finally:
            if work is not None:
                work.tell_compiling("", 0.0, 0.0)
        return job.result()

    def _part(self, what: str, about: float) -> Part:
        now = time.monotonic()
        part = self._parts.get(what)  # another kernel of the same group
        if part is None or now - part.seen > FORGET_AFTER:
            part = self._parts[what] = Part(about, now, now)
            seconds = max(1, round(about))
            kept = "once after an install or an edit"
            print(f"pr_env: compiling {what}, about {seconds} s ({kept})", file=sys.stderr, flush=True)
        return part

    async def _job(self, request: Request) -> bool:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._compile, request)

    def _compile(self, request: Request) -> bool:
        """Compile a kernel in a process."""
        try:
            line = base64.b64encode(pickle.dumps((request, _place(request.game)))) + b"\n"
        except ValueError:  # a game that another process cannot find
            return False
        for process in (self._idle.pop() if self._idle else None, None):  # an idle process may be about to end
            answer = self._asked(process or _start(), line)
            if answer or self._closed:
                break
        return answer == DONE

    def _asked(self, process: subprocess.Popen[bytes], line: bytes) -> bytes:
        """The answer of a process; empty if the process ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        self._busy.add(process)
        if self._closed:
            process.terminate()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline().strip()
        except OSError:
            answer = b""
        finally:
            self._busy.discard(process)
        if answer == DONE and not self._closed:
            self._idle.append(process)
        else:
            _end(process)
        return answer

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for process in (*self._busy, *self._idle):
            process.terminate()  # the waiting thread then continues
        for process in self._idle:
            _end(process)
        self._threads.shutdown(wait=True, cancel_futures=True)


def _place(game: str) -> str:
    """How another process finds a game; empty for none."""
    if not game or game in registry.GAMES:
        return game
    kind = registry.known_game(game)
    return f"{kind.__module__}:{kind.__qualname__}"


def _start() -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    command = [sys.executable, "-m", "web.compiler"]
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # unwritten data
                continue
    process.wait()
