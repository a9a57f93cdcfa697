"""The messages of a page, one type each. A message that does not match its type is rejected before it is used."""

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
    """A part of a message. Unknown fields are rejected."""


class AgentChoice(Strict):
    """An agent by name, with the budget of a search."""

    name: Name
    playouts: Playouts | None = None
    seconds: Seconds | None = None


class SeatChoice(Strict):
    """Who plays a seat: a person at this page, a person with a link, or an agent."""

    kind: Literal["here", "link", "agent"]
    agent: AgentChoice | None = None


Seats = Annotated[list[SeatChoice], Meta(min_length=1, max_length=16)]


class Message(Strict, tag_field="do"):
    """Base of all messages, with an id that the answer repeats."""

    id: Annotated[int, Meta(ge=0, le=2**53)]


class Hello(Message, tag="hello"):
    """List the games."""


class Agents(Message, tag="agents"):
    """List the agents that can play a configuration."""

    game: Name
    options: Annotated[dict[Name, Option], Meta(max_length=60)] = {}


class New(Message, tag="new"):
    """Start a game, from a seed or from a position."""

    game: Name
    seats: Seats
    options: Annotated[dict[Name, Option], Meta(max_length=60)] = {}
    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    hints: bool = True
    position: dict[str, Any] | None = None


class Open(Message, tag="open"):
    """Open a game of a replay file."""

    text: Text
    number: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class Join(Message, tag="join"):
    """Join a table, as player or viewer."""

    table: TableId
    key: Key


class AtTable(Message):
    """Base of messages about a table that the page has joined."""

    table: TableId


class Leave(AtTable, tag="leave"):
    """Leave a table."""


class Look(AtTable, tag="look"):
    """The position after a number of moves."""

    move: Count


class Log(AtTable, tag="log"):
    """The moves after the first ``start`` ones, in words."""

    start: Count


class Act(AtTable, tag="act"):
    """Play an action; ``move`` is the number of moves that the page knows of."""

    move: Count
    action: Count


class Undo(AtTable, tag="undo"):
    """Undo the page's last move, and all moves after it."""


class Pace(AtTable, tag="pace"):
    """Set the seconds between moves of a game between agents, or pause it (None)."""

    seconds: Annotated[float, Meta(ge=0, le=60)] | None


class Hint(AtTable, tag="hint"):
    """An agent's view of the legal actions."""

    move: Count
    agent: AgentChoice


class Values(AtTable, tag="values"):
    """The win probability of each seat."""

    move: Count


class Curve(AtTable, tag="curve"):
    """The win probabilities over the whole game."""

    agent: AgentChoice | None = None


class Stop(Message, tag="stop"):
    """Stop the computation that an earlier message requested."""

    what: Annotated[int, Meta(ge=0, le=2**53)]


class Save(AtTable, tag="save"):
    """The game as a line of a replay file."""


class Position(AtTable, tag="position"):
    """The position after a number of moves, as a dictionary."""

    move: Count


class Branch(AtTable, tag="branch"):
    """Start a new game from a move of this one."""

    move: Count
    seats: Seats


class Arenas(Message, tag="arenas"):
    """List the tournaments."""


class OpenArena(Message, tag="open arena"):
    """Open a results file of the arena, with its replay file."""

    results: Text
    replays: Text = ""


class ArenaGames(Message, tag="arena games"):
    """A slice of the games of a match, in order."""

    arena: Count
    match: Count
    start: Count = 0


class ArenaGame(Message, tag="arena game"):
    """Open one game of a match."""

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
    """A message that does not follow the protocol."""


def read(data: str | bytes) -> AnyMessage:
    """Parse a message.

    Raises:
        BadMessageError: If it does not follow the protocol; the error says why.
    """
    try:
        message: AnyMessage = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadMessageError(f"invalid message: {str(error)[:200]}") from None
    return message


def number_of(data: str | bytes) -> int | None:
    """The id of an invalid message, if it has one, so that the answer can repeat it."""
    try:
        return _numbered.decode(data).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


class _Numbered(msgspec.Struct):
    id: Annotated[int, Meta(ge=0, le=2**53)]


_numbered = msgspec.json.Decoder(_Numbered)


def write(answer: Any) -> str:
    """Serialise an answer."""
    return _encoder.encode(answer).decode()
