"""The columns of exported decisions, and the metadata of each file."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple, get_args

import pyarrow as pa

from pr_env.game import Game
from pr_env.registry import known_game

FORMAT = 1
KEY = b"pr_env"  # of the description in a file's schema metadata
ObservationKind = Literal["counts", "float16", "record"]
OBSERVATION_KINDS: tuple[ObservationKind, ...] = get_args(ObservationKind)


class DataError(ValueError):
    """Files that are not exported decisions, or belong to another export."""


class Column(NamedTuple):
    """One column.

    Attributes:
        name: Its name.
        kind: Its Arrow type.
        meaning: A one-line description.
    """

    name: str
    kind: pa.DataType
    meaning: str


def columns_of(game: Game, observation: ObservationKind) -> tuple[Column, ...]:
    """All columns for a game, in their order."""
    seen = {
        "counts": (
            pa.list_(pa.int16(), game.observation_size),
            "the deciding seat's observation as plain counts; multiply by `scales` for the observation",
        ),
        "float16": (pa.list_(pa.float16(), game.observation_size), "the deciding seat's observation"),
        "record": (pa.binary(game.record.itemsize), "the bytes of the game's record, including hidden information"),
    }
    return (
        Column("game", pa.int64(), "index of the game, starting at 0"),
        Column("seed", pa.uint64(), "seed of the game"),
        Column("decision", pa.int32(), "index of the decision in its game, starting at 0"),
        Column("seat", pa.int8(), "the acting seat"),
        Column("agent", pa.dictionary(pa.int16(), pa.string()), "the agent in that seat; null if unknown"),
        Column("observation", *seen[observation]),
        Column("mask", pa.binary(mask_bytes(game)), "legal actions, one bit per action, lowest bit first"),
        Column("action", pa.int16(), "the action played"),
        Column(
            "probabilities",
            pa.list_(pa.float32()),
            "the agent's probabilities of the legal actions, in their order; null if it has none",
        ),
        Column("reward", pa.float32(), "reward of the seat up to its next decision"),
        Column("last", pa.bool_(), "whether this is the seat's last decision in a completed game"),
        Column("win_share", pa.float32(), "the seat's share of the win; null if the game was not completed"),
        Column("points", pa.int32(), "the seat's points at the end; null if the game was not completed"),
        Column("rank", pa.int8(), "the seat's final rank, starting at 1; null if the game was not completed"),
    )


def mask_bytes(game: Game) -> int:
    """The number of bytes in the mask of a decision."""
    return -(-len(game.actions) // 8)


def schema_of(game: Game, observation: ObservationKind, reward: str) -> pa.Schema:
    """The schema of all columns, with a description of the export."""
    description = {
        "pr_env": "decisions",
        "format": FORMAT,
        "game": game.name,
        "layout": game.layout,
        "options": game.recorded_options(),
        "observation": observation,
        "reward": reward,
        "actions": [action.name for action in game.actions],
        "fields": [{"name": field.name, "start": field.start, "stop": field.stop} for field in game.fields],
        "scales": scales_of(game),
    }
    columns = [pa.field(name, kind) for name, kind, _ in columns_of(game, observation)]
    return pa.schema(columns, metadata={KEY: json.dumps(description).encode()})


def scales_of(game: Game) -> list[float]:
    """The factor for the count at each index of an observation."""
    scales = [0.0] * game.observation_size
    for field in game.fields:
        scales[field.start : field.stop] = [field.scale] * (field.stop - field.start)
    return scales


def described_in(schema: pa.Schema, file: object) -> dict[str, Any]:
    """The description in the schema of a file.

    Raises:
        DataError: If there is none, or its format is unknown.
    """
    try:
        description = json.loads((schema.metadata or {})[KEY])
        form = description["pr_env"], description["format"]
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{file} has no exported decisions: its description is missing") from None
    if form != ("decisions", FORMAT):
        raise DataError(f"{file} has the format {form[1]!r} of {form[0]!r}; only format {FORMAT} of decisions is known")
    return dict(description)


def game_in(description: dict[str, Any], file: object, **local: Any) -> Game:
    """The game that a description names, without importing anything.

    Raises:
        DataError: If the game is unknown, or has another layout.
    """
    try:
        game = known_game(description["game"]).from_recorded(description["options"], **local)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{file} is of a game that cannot be created: {error}") from None
    if description.get("layout") != game.layout or description.get("observation") not in OBSERVATION_KINDS:
        raise DataError(f"{file} is of layout {description.get('layout')!r} of {game.name}, expected {game.layout}")
    return game
