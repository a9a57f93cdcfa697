"""Limits of a server on the computation, storage and traffic that a page can cause."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Upper bounds of one server.

    Attributes:
        connections: Open pages.
        tables: Games in memory; games that nobody looks at make room for new ones.
        files: Saved games on disk; the oldest make room for new ones.
        message: Bytes of one message.
        moves: Moves of one game.
        playouts: Of a search, for each move.
        seconds: Of a search, for each move.
        waiting: Tasks that wait for a free thread.
        threads: Threads for searching agents of games, and as many for hints and analysis.
        compilers: Processes that compile rules and agents.
        messages_a_second: Of one page, on average; more than that is answered later.
    """

    connections: int = 256
    tables: int = 512
    files: int = 2000
    message: int = 1_000_000
    moves: int = 30_000
    playouts: int = 20_000
    seconds: float = 20.0
    waiting: int = 512
    threads: int = 2
    compilers: int = 2
    messages_a_second: int = 200
