"""Given positions to start games from: a file of JSON lines, or descriptions as `Game.to_dict` gives them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pr_env.game import Game, PositionError


def load_positions(path: str | Path, game: Game) -> list[dict[str, Any]]:
    """The positions of a file: one described position (see ``Game.from_dict``) a line.

    Raises:
        PositionError: If a line is none of this game, or there are none: which file, which line, what is wrong.
        OSError: If the file cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PositionError(f"{path} is not a file of positions: it is not text") from None
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            position = json.loads(line)
        except (ValueError, RecursionError):
            raise PositionError(f"{path}, line {number}: is not JSON") from None
        try:
            _set_up(game, position)
        except PositionError as error:
            raise PositionError(f"{path}, line {number}: {error}") from None
        found.append(position)
    if not found:
        raise PositionError(f"{path} has no positions")
    return found


def set_up_positions(game: Game, positions: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """Records (n,) of described positions.

    Raises:
        PositionError: If one is impossible, or there are none; it says which one, from 0 on.
    """
    records = []
    for number, position in enumerate(positions):
        try:
            records.append(_set_up(game, position))
        except PositionError as error:
            raise PositionError(f"positions[{number}]: {error}") from None
    if not records:
        raise PositionError("positions must be one at least, got none")
    return np.concatenate(records)


def fingerprint(records: np.ndarray) -> str:
    """Tells positions from others, in results that are to be gone on with."""
    return hashlib.sha256(np.ascontiguousarray(records).tobytes()).hexdigest()


def _set_up(game: Game, position: Any) -> np.ndarray:
    if not isinstance(position, Mapping):
        raise PositionError(f"a position must be an object with names, got {type(position).__name__}")
    record = game.from_dict(position)
    if game.is_over(record)[0]:
        raise PositionError("the game is over there: nobody has anything to decide")
    return record
