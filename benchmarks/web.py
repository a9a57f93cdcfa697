"""A load test of `pr-env web`: ``python -m benchmarks.web --games 200``.

The server runs in its own process. There is one page per game, all playing at once: each plays one seat randomly
against agents without search. Like the real page, it fetches the board and the log after every move. The output has
moves a second (of persons and agents), how long a person waits for the answer to a move and for the new board, and the
memory of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect


@dataclass
class Measured:
    """Measurements of all pages together."""

    moves: int = 0
    finished: int = 0
    act: list[float] = field(default_factory=list)
    look: list[float] = field(default_factory=list)


class Player:
    """A page that plays one game."""

    def __init__(self, socket: ClientConnection, chance: random.Random, measured: Measured) -> None:
        self._socket = socket
        self._chance = chance
        self._measured = measured
        self._last = 0
        self._state: dict[str, Any] = {}

    async def ask(self, do: str, **fields: Any) -> Any:
        """Send a request and return the answer; updates that arrive in between are kept."""
        self._last += 1
        await self._socket.send(json.dumps({"do": do, "id": self._last, **fields}))
        while True:
            message = json.loads(await self._socket.recv())
            if "table" in message:
                self._state = message["table"]
            elif message["re"] == self._last:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["ok"]

    async def play(self, game: str, opponent: str, until: float) -> None:
        """Play games one after the other until a given time."""
        seats = [{"kind": "here"}] + [{"kind": "agent", "agent": {"name": opponent}}] * 2
        while time.perf_counter() < until:
            keys = await self.ask("new", game=game, seats=seats)
            self._state = await self.ask("join", table=keys["table"], key=keys["key"])
            await self._play_one(keys["table"], until)
            await self.ask("leave", table=keys["table"])

    async def _play_one(self, table: str, until: float) -> None:
        told = counted = 0
        while time.perf_counter() < until:
            while not (self._state["myTurn"] or self._state["over"]):
                message = json.loads(await self._socket.recv())
                self._state = message.get("table", self._state)
            moves = self._state["moves"]
            self._measured.moves += moves - counted
            counted = moves
            start = time.perf_counter()
            look = await self.ask("look", table=table, move=moves)
            self._measured.look.append(time.perf_counter() - start)
            await self.ask("log", table=table, start=told)
            told = moves
            if self._state["over"]:
                self._measured.finished += 1
                return
            action = self._chance.choice(look["legal"])["number"]
            start = time.perf_counter()
            self._state = await self.ask("act", table=table, move=moves, action=action)
            self._measured.act.append(time.perf_counter() - start)


async def load(address: str, options: argparse.Namespace) -> Measured:
    """Run all pages at once."""
    measured, until = Measured(), time.perf_counter() + options.seconds

    async def one(number: int) -> None:
        url = f"ws://{address}/ws"
        async with connect(url, origin=f"http://{address}", compression=None, max_size=None) as socket:  # type: ignore[arg-type]
            player = Player(socket, random.Random(number), measured)
            await player.play(options.game, options.opponent, until)

    await asyncio.gather(*(one(number) for number in range(options.games)))
    return measured


def memory_of(process: int) -> float:
    """Memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


def main() -> None:
    """Read the command line, start the server, and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="number of games at once")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--game", default="puerto_rico")
    parser.add_argument("--opponent", default="random", help="an agent without search")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pr_env.cli", "web", "--port", "0", "--no-browser", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                said = re.search(r"http://([^/]+)/", server.stdout.readline())
                if said is None:
                    raise SystemExit("the server did not start")
                warm = argparse.Namespace(**{**vars(options), "games": 1, "seconds": 3.0})
                asyncio.run(load(said[1], warm))
                before, start = memory_of(server.pid), time.perf_counter()
                measured = asyncio.run(load(said[1], options))
                seconds, after = time.perf_counter() - start, memory_of(server.pid)
            finally:
                server.terminate()
    print(f"{options.games} games of {options.game} at once against {options.opponent}, {seconds:.0f} s")
    print(f"moves a second          {measured.moves / seconds:8.0f}   ({measured.finished} games finished)")
    for name, times in (("answer to a move", measured.act), ("board after it", measured.look)):
        median, late = np.percentile(np.array(times) * 1000, (50, 99))
        print(f"{name:22}  {median:8.0f}   ms in the median, {late:.0f} ms at the 99th percentile")
    print(f"memory of the server    {after:8.0f}   MB, {(after - before) / options.games:.2f} MB a game more than idle")


if __name__ == "__main__":
    main()
