"""Limits of a server on the computation, storage and traffic that a page can cause."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Upper bounds of one server.

    Attributes:
        connections: Open pages.
        tables: Games in memory; games without viewers make room for new ones.
        files: Saved games on disk; the oldest make room for new ones.
        message: Bytes per message.
        moves: Moves per game.
        playouts: Playouts of a search per move.
        seconds: Seconds of a search per move.
        waiting: Tasks waiting for a free thread.
        threads: Threads for searching agents in games, and as many for hints and analysis.
        compilers: Processes that compile rules and agents.
        messages_a_second: Messages per page and second, on average; more than that are delayed.
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
