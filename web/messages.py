"""The messages of a page, one type each. A message that does not match its type is refused before it is used."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

TableId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Text = Annotated[str, Meta(max_length=1_000_000)]
Seat = Annotated[int, Meta(ge=0, le=15)]
Playouts = Annotated[int, Meta(ge=1, le=1_000_000)]
Seconds = Annotated[float, Meta(gt=0, le=3600)]
Option = bool | int | Name | Annotated[list[Name], Meta(max_length=40)] | None


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A part of a message: nothing may be in it but its fields."""


class AgentChoice(Strict):
    """An agent by its name, and for a search how long it looks ahead."""

    name: Name
    playouts: Playouts | None = None
    seconds: Seconds | None = None


class SeatChoice(Strict):
    """Who is to play a seat: somebody at this page, somebody who gets a link, or an agent."""

    kind: Literal["here", "link", "agent"]
    agent: AgentChoice | None = None


Seats = Annotated[list[SeatChoice], Meta(min_length=1, max_length=16)]


class Message(Strict, tag_field="do"):
    """What every message has: a number that the answer repeats."""

    id: Annotated[int, Meta(ge=0, le=2**53)]


class Hello(Message, tag="hello"):
    """Which games are there?"""


class Agents(Message, tag="agents"):
    """Who plays this configuration?"""

    game: Name
    options: Annotated[dict[Name, Option], Meta(max_length=60)] = {}


class New(Message, tag="new"):
    """A new game, from a set-up by seed or from a position."""

    game: Name
    seats: Seats
    options: Annotated[dict[Name, Option], Meta(max_length=60)] = {}
    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    hints: bool = True
    position: dict[str, Any] | None = None


class Open(Message, tag="open"):
    """A game out of a file of replays."""

    text: Text
    number: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class Join(Message, tag="join"):
    """Sit down at a table, or watch it."""

    table: TableId
    key: Key


class AtTable(Message):
    """What is said at a table that was joined before."""

    table: TableId


class Leave(AtTable, tag="leave"):
    """Look away from a table."""


class Look(AtTable, tag="look"):
    """The game after so many moves."""

    move: Count


class Log(AtTable, tag="log"):
    """The moves from one on, in words."""

    start: Count


class Act(AtTable, tag="act"):
    """Play an action; ``move`` is the number of moves that the page knew of."""

    move: Count
    action: Count


class Undo(AtTable, tag="undo"):
    """Take the last own move back, and all that came after it."""


class Pace(AtTable, tag="pace"):
    """Agents at a table of agents only: so many seconds between moves, or a pause (None)."""

    seconds: Annotated[float, Meta(ge=0, le=60)] | None


class Hint(AtTable, tag="hint"):
    """What an agent thinks of each action."""

    move: Count
    agent: AgentChoice


class Values(AtTable, tag="values"):
    """What every seat is expected to win."""

    move: Count


class Curve(AtTable, tag="curve"):
    """What every seat was expected to win, over the whole game."""

    agent: AgentChoice | None = None


class Stop(Message, tag="stop"):
    """End the long answer to an earlier message."""

    what: Annotated[int, Meta(ge=0, le=2**53)]


class Save(AtTable, tag="save"):
    """The game as a line of a file of replays."""


class Position(AtTable, tag="position"):
    """The game after so many moves as a dictionary."""

    move: Count


class Branch(AtTable, tag="branch"):
    """A new table that goes on from a move of this one."""

    move: Count
    seats: Seats


class Arenas(Message, tag="arenas"):
    """Which results of the arena are there?"""


class OpenArena(Message, tag="open arena"):
    """Results of the arena out of a file, and the file of their replays."""

    results: Text
    replays: Text = ""


class ArenaGames(Message, tag="arena games"):
    """Some of the games of a match, in their order."""

    arena: Count
    match: Count
    start: Count = 0


class ArenaGame(Message, tag="arena game"):
    """A table with one game of a match."""

    arena: Count
    match: Count
    game: Count


AnyMessage = (
    Hello
    | Agents
    | New
    | Open
    | Join
    | Leave
    | Look
    | Log
    | Act
    | Undo
    | Pace
    | Hint
    | Values
    | Curve
    | Stop
    | Save
    | Position
    | Branch
    | Arenas
    | OpenArena
    | ArenaGames
    | ArenaGame
)

_decoder = msgspec.json.Decoder(AnyMessage)
_encoder = msgspec.json.Encoder()


class BadMessageError(ValueError):
    """A message that is none."""


def read(data: str | bytes) -> AnyMessage:
    """The message of a text.

    Raises:
        BadMessageError: If it is none, with what is wrong with it.
    """
    try:
        message: AnyMessage = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadMessageError(f"a message must fit the protocol: {str(error)[:200]}") from None
    return message


def number_of(data: str | bytes) -> int | None:
    """The number of a message that does not fit, if it has one: then the answer can repeat it."""
    try:
        return _numbered.decode(data).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


class _Numbered(msgspec.Struct):
    id: Annotated[int, Meta(ge=0, le=2**53)]


_numbered = msgspec.json.Decoder(_Numbered)


def write(answer: Any) -> str:
    """An answer as text."""
    return _encoder.encode(answer).decode()
