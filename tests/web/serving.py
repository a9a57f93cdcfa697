"""A server for tests, in its own thread, and pages that talk to it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from websockets.sync.client import connect

from web.app import Server
from web.serving import uvicorn_server

SECONDS = 300.0  # per answer: a busy machine may have to compile first


class RefusedError(Exception):
    """The server answered with an error."""


@contextmanager
def running(folder: Path, port: int = 0, **settings: Any) -> Iterator[tuple[str, Server]]:
    """Run a server: yields its address, without ``http://``, and the server."""
    listening = socket.create_server(("127.0.0.1", port), backlog=512)
    ready = threading.Event()
    found: list[tuple[Server, uvicorn.Server]] = []

    async def serve() -> None:
        server = Server(folder, **settings)
        program = uvicorn_server(server)
        found.append((server, program))
        ready.set()
        await program.serve([listening])

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait()
    server, program = found[0]
    while not program.started:
        ready.clear()
        ready.wait(0.01)
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}", server
    finally:
        program.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the server does not stop"


class Page:
    """A page without a browser."""

    def __init__(self, address: str, *, origin: str | None = "", query: str = "", **headers: str) -> None:
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(
            connect(
                f"ws://{address}/ws{query}",
                origin=f"http://{address}" if origin == "" else origin,  # type: ignore[arg-type] # a string by type
                additional_headers=headers,
                compression=None,
                max_size=None,
            )
        )
        self._last = 0
        self.states: list[dict[str, Any]] = []
        self.progress: list[float] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect."""
        self._stack.close()

    def post(self, do: str, **fields: Any) -> int:
        """Send a request without waiting for the answer; returns its id."""
        self._last += 1
        self.send(json.dumps({"do": do, "id": self._last, **fields}))
        return self._last

    def send(self, data: str | bytes) -> None:
        """Send raw data."""
        self._socket.send(data)

    def receive(self, seconds: float = SECONDS) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=seconds))
        return message

    def ask(self, do: str, **fields: Any) -> Any:
        """Send a request and return the answer."""
        return self.answer_to(self.post(do, **fields))

    def answer_to(self, number: int) -> Any:
        """The answer to a request sent by `post`."""
        while True:
            message = self.receive()
            if "table" in message:
                self.states.append(message["table"])
            elif message["re"] == number:
                if "progress" in message:
                    self.progress.append(message["progress"])
                elif "compiling" in message:
                    continue
                elif "error" in message:
                    raise RefusedError(message["error"])
                else:
                    return message["ok"]

    def wait_for(self, **wanted: Any) -> dict[str, Any]:
        """Wait for a table update with these values."""
        while True:
            while self.states:
                state = self.states.pop(0)
                if all(state[name] == value for name, value in wanted.items()):
                    return state
            message = self.receive()
            if "table" in message:
                self.states.append(message["table"])

    # -- games --------------------------------------------------------------------------------------------------------

    def new(self, game: str, seats: str, **fields: Any) -> dict[str, Any]:
        """Start and join a new game: ``seats`` are names separated by spaces."""
        keys: dict[str, Any] = self.ask("new", game=game, seats=[seat(name) for name in seats.split()], **fields)
        return {**keys, "state": self.ask("join", table=keys["table"], key=keys["key"])}

    def my_turn(self, table: str, key: str) -> dict[str, Any]:
        """Wait until it is this page's turn, or the game is over; returns the table."""
        state = self.ask("join", table=table, key=key)
        self.states.clear()  # these are outdated
        while not (state["myTurn"] or state["over"]):
            if self.states:
                state = self.states.pop(0)
            else:
                message = self.receive()
                state = message.get("table", state)
        assert isinstance(state, dict)
        return state

    def play(self, table: str, key: str, moves: int = 10_000, which: int = 0) -> dict[str, Any]:
        """Play the first (or another) legal action until the game is over, or for a number of own moves."""
        for _ in range(moves):
            state = self.my_turn(table, key)
            if state["over"]:
                return state
            legal = self.ask("look", table=table, move=state["moves"])["legal"]
            self.ask("act", table=table, move=state["moves"], action=legal[which % len(legal)]["number"])
        return self.my_turn(table, key)


def seat(name: str) -> dict[str, Any]:
    """The choice for a seat in a request."""
    return {"kind": name} if name in ("here", "link") else {"kind": "agent", "agent": {"name": name}}
