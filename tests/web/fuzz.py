"""Malformed messages against a running server: ``python -m tests.web.fuzz --messages 100000`` (``make web-fuzz``).

Two pages play a game. A third one sends texts and bytes that are not messages, messages with wrong fields, and
messages about that game with keys and numbers that do not exist. The server must survive, the game must not change
by a byte, and every message that can be answered must be answered.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed

from tests.web.serving import Page, running
from web import messages as protocol
from web.limits import Limits

KINDS = {kind.__struct_config__.tag: kind for kind in protocol.AnyMessage.__args__}
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**63,
    -(2**63),
    10**30,
    0.5,
    1e308,
    "",
    "a",
    "../../etc/passwd",
    "\x00",
    "\ud83d\ude00" * 40,
    "x" * 5000,
    [],
    [[]],
    {},
    {"": {}},
    [None] * 50,
    {"kind": "here"},
    [{"kind": "agent", "agent": {"name": "mcts", "seconds": 1e9}}],
    "0" * 16,
    "f" * 32,
]
AT_ONCE = 200  # messages between two readings of the answers


@dataclass
class Report:
    """The result."""

    sent: int = 0
    refused: int = 0
    answered: int = 0
    reconnected: int = 0


def fuzz(folder: Path, *, messages: int, seed: int) -> Report:
    """Send a number of malformed messages.

    Raises:
        AssertionError: If the server does not answer, or the game has changed.
    """
    chance, report = random.Random(seed), Report()
    limits = Limits(messages_a_second=1_000_000)  # the default limit would only slow this down
    with running(folder, limits=limits) as (address, server), Page(address) as page:
        new = page.new("puerto_rico", "here link random", seed=1)
        table = server.lobby._seats[new["table"]].table
        before, moves = table.records[-1].tobytes(), table.moves
        hostile = Page(address)
        while report.sent < messages:
            try:
                for _ in range(min(AT_ONCE, messages - report.sent)):
                    hostile.send(_message(chance, new["table"]))
                    report.sent += 1
                _drain(hostile, report)
            except ConnectionClosed:
                report.reconnected += 1
                hostile.close()
                hostile = Page(address)
        hostile.close()
        assert page.ask("look", table=new["table"], move=moves)["svg"], "the server does not answer"
        assert table.moves == moves, "the game has continued"
        assert table.records[-1].tobytes() == before, "the game has changed"
    return report


def _drain(page: Page, report: Report) -> None:
    """Read answers up to that of a valid message."""
    number = page.post("stop", what=0)
    while True:
        message = page.receive()
        if message.get("re") == number:
            return
        if "error" in message:
            report.refused += 1
        else:
            report.answered += 1


def _message(chance: random.Random, table: str) -> str | bytes:
    """A malformed message."""
    kind = chance.randrange(6)
    if kind == 0:
        return chance.randbytes(chance.randrange(64))
    if kind == 1:
        return "".join(chr(chance.randrange(1, 0x250)) for _ in range(chance.randrange(80)))
    good = _nearly(chance, table)
    if kind == 2:  # cut off, or with a changed byte
        text = bytearray(json.dumps(good).encode())
        if chance.random() < 0.5:
            return bytes(text[: chance.randrange(len(text))])
        text[chance.randrange(len(text))] = chance.randrange(256)
        return bytes(text)
    if kind == 3:  # deeply nested
        return '{"do":"new","id":1,"position":' + '{"a":' * chance.randrange(1, 3000)
    if kind == 4:
        good[chance.choice(["extra", "id", "do"])] = chance.choice(VALUES)
    return json.dumps(good)


def _nearly(chance: random.Random, table: str) -> dict[str, Any]:
    """A message of a known type, with random values."""
    tag, kind = chance.choice(list(KINDS.items()))
    fields = [field.encode_name for field in msgspec.structs.fields(kind) if field.encode_name != "id"]
    message: dict[str, Any] = {"do": tag, "id": chance.randrange(10**6)}
    for name in fields:
        if chance.random() < 0.85:
            message[name] = table if name == "table" and chance.random() < 0.7 else chance.choice(VALUES)
    return message


def main() -> None:
    """Run the command line and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        report = fuzz(Path(folder), messages=options.messages, seed=options.seed)
    seconds = time.perf_counter() - start
    print(
        f"{report.sent} malformed messages in {seconds:.0f} s: {report.refused} refused with a sentence, "
        f"{report.answered} answered because they fit, {report.reconnected} connections ended; the game is unchanged"
    )


if __name__ == "__main__":
    main()
