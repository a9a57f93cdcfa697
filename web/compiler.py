"""A process that compiles for the server (see compilers.py). It reads one request per line from standard input."""

from __future__ import annotations

import base64
import os
import pickle
import sys
import threading
import traceback

from agents.policies import load_players
from pr_env.compiling import Request
from pr_env.registry import find_game

IDLE_SECONDS = 30.0  # then the process ends, to free its memory


def main() -> None:
    """Process requests until the input ends."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # other output must not be read as an answer
    while line := _next_line():
        try:
            request, place = pickle.loads(base64.b64decode(line))
            compile_request(request, place)
        except Exception:
            traceback.print_exc()
            answers.write(b"failed\n")
        else:
            answers.write(b"done\n")


def compile_request(request: Request, place: str) -> None:
    """Compile one kernel.

    Args:
        request: The kernel.
        place: The game whose rules it uses, as for `find_game`; empty for none.
    """
    rules = None
    if place:
        kind = find_game(place)
        load_players(kind.name)  # registers rules of scripted players
        rules = kind.rules
    request.compile(rules)


def _next_line() -> bytes:
    """The next request; empty if the server has ended. The process exits if none arrives for a while."""
    timer = threading.Timer(IDLE_SECONDS, os._exit, [0])
    timer.daemon = True
    timer.start()
    try:
        return sys.stdin.buffer.readline()
    finally:
        timer.cancel()


if __name__ == "__main__":
    main()
