"""A program that reads JSON lines from its standard input and answers with JSON lines on its standard output.

It runs in its own process. A program that does not answer in time is killed, with every process that it started.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Any

LONGEST_ANSWER = 1_000_000  # characters: bounds the memory if a program writes endlessly
ERROR_LINES = 5  # last lines of standard error, for the error message
LAST_WORDS = 1.0  # seconds that a failed program has to exit, and its pipes to close


class ProgramError(ValueError):
    """A program cannot be started, has exited, or violates the protocol."""


class Dialogue:
    """A running program, asked one thing at a time.

    Args:
        command: The program and its arguments.

    Raises:
        ProgramError: If it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # so that it can be killed with all its child processes
            )
        except OSError as error:
            raise ProgramError(f"program {command[0]!r} cannot be started: {error.strerror}") from None
        self._process = process
        self._questions: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=ERROR_LINES)
        # Threads, because reading and writing a pipe blocks; they end with the program.
        threads = (
            threading.Thread(target=_talk, args=(process, self._questions, self._answers), daemon=True),
            threading.Thread(target=_listen, args=(process.stderr, self._said), daemon=True),
        )
        for thread in threads:
            thread.start()
        self.close = weakref.finalize(self, _end, process, self._questions, threads)

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message and return the answer. After any error the program is killed.

        Raises:
            TimeoutError: If it does not answer in time.
            ProgramError: If it has exited, or the answer is not a JSON object.
        """
        try:
            self._questions.put(json.dumps(message, separators=(",", ":")) + "\n")
            try:
                line = self._answers.get(timeout=seconds)
            except queue.Empty:
                raise TimeoutError(f"the program gave no answer within {seconds:g} s") from None
            return self._read(line)
        except BaseException:  # a late answer would be mistaken for the answer to another question
            self.close()
            raise

    def _read(self, line: str) -> dict[str, Any]:
        if not line:
            raise ProgramError(f"the program has exited{self._last_words()}")
        if not line.endswith("\n"):
            raise ProgramError(
                f"an answer must be one line of at most {LONGEST_ANSWER:,} characters{self._last_words()}"
            )
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise ProgramError(f"an answer must be one line of JSON, got {line[:60]!r}") from None
        if not isinstance(answer, dict):
            raise ProgramError(f"an answer must be a JSON object, got {line[:60]!r}")
        return answer

    def _last_words(self) -> str:
        """The exit code, and the last lines of standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS)
        self.close()
        said = " / ".join(line.strip() for line in self._said if line.strip())
        return f" (exit code {self._process.returncode})" + (f": {said}" if said else "")


def _talk(
    process: subprocess.Popen[str], questions: queue.SimpleQueue[str | None], answers: queue.SimpleQueue[str]
) -> None:
    """Write each question and read its answer; an empty answer means that the program has exited."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError), process.stdin, process.stdout:
        while (question := questions.get()) is not None:
            try:
                process.stdin.write(question)
                process.stdin.flush()
                answers.put(process.stdout.readline(LONGEST_ANSWER))
            except OSError:  # a broken pipe
                answers.put("")


def _listen(stream: IO[str] | None, said: deque[str]) -> None:
    """Read standard error, so that the pipe does not fill up, and keep the last lines."""
    assert stream is not None
    with contextlib.suppress(OSError), stream:
        while line := stream.readline(LONGEST_ANSWER):
            said.append(line[:500])


def _end(
    process: subprocess.Popen[str], questions: queue.SimpleQueue[str | None], threads: Sequence[threading.Thread]
) -> None:
    """Kill the program and all its child processes."""
    questions.put(None)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for thread in threads:
        thread.join(LAST_WORDS)  # the threads close the pipes
