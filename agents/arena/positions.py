"""Starting positions of games: from a file of JSON lines, or descriptions as returned by `Game.to_dict`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pr_env.game import Game, PositionError


def load_positions(path: str | Path, game: Game) -> list[dict[str, Any]]:
    """The positions in a file: one described position (see ``Game.from_dict``) per line.

    Raises:
        PositionError: If a line is not a position of this game, or there are no positions. The message names the file,
            the line and the problem.
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
        PositionError: If a position is impossible, or there are none. The message has its index, counted from 0.
    """
    records = []
    for number, position in enumerate(positions):
        try:
            records.append(_set_up(game, position))
        except PositionError as error:
            raise PositionError(f"positions[{number}]: {error}") from None
    if not records:
        raise PositionError("positions must be at least one description, got none")
    return np.concatenate(records)


def fingerprint(records: np.ndarray) -> str:
    """A hash of positions, to recognise them when results are resumed."""
    return hashlib.sha256(np.ascontiguousarray(records).tobytes()).hexdigest()


def _set_up(game: Game, position: Any) -> np.ndarray:
    if not isinstance(position, Mapping):
        raise PositionError(f"a position must be a JSON object (a dictionary), got {type(position).__name__}")
    record = game.from_dict(position)
    if game.is_over(record)[0]:
        raise PositionError("the game is already over")
    return record
