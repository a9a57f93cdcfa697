"""Converting records to plain Python values and back, by field names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pr_env.checks import shown


class PositionError(ValueError):
    """An impossible position, or a description that cannot be read."""


_FOLLOWS = ("legal",)  # derived from the other fields


def tell_position(record: Any) -> dict[str, Any]:
    """All fields with their values, except for the legal actions and fields of size 0."""
    return {name: record[name].tolist() for name in _fields(record.dtype)}


def read_position(position: Mapping[str, Any], blank: np.ndarray) -> np.ndarray:
    """A copy of a blank record, shape (1,), with the described fields in it.

    Raises:
        PositionError: If the description has unknown fields, or values that they cannot hold.
    """
    if not isinstance(position, Mapping):
        raise PositionError(f"a position must be a dictionary, got {type(position).__name__}")
    games = blank.copy()
    known = _fields(games.dtype)
    for name, value in position.items():
        if name not in known:
            raise PositionError(f"fields of a position must be among {', '.join(known)}, got {shown(name)}")
        games[name][0] = _read(name, value, games.dtype[name])
    return games


def _fields(record: np.dtype[Any]) -> list[str]:
    return [name for name in record.names or () if name not in _FOLLOWS and record[name].itemsize > 0]


def _read(name: str, value: Any, kind: np.dtype[Any]) -> np.ndarray:
    try:
        given = np.array(value)
    except (TypeError, ValueError, OverflowError):
        given = np.array(None)
    least, most = _limits(kind.base)
    if given.shape != kind.shape or given.dtype.kind not in "iu" or (given < least).any() or (given > most).any():
        what = f"whole numbers of shape {kind.shape}" if kind.shape else "a whole number"
        raise PositionError(f"{name} must be {what} from {least} to {most}, got {shown(value)}")
    return given


def _limits(kind: np.dtype[Any]) -> tuple[int, int]:
    limits = np.iinfo(kind)
    return int(limits.min), int(limits.max)
