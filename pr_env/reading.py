"""Reading descriptions of positions: every value is checked, and errors say where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pr_env.checks import is_whole, shown
from pr_env.positions import PositionError


class Reader:
    """Takes keys out of a mapping, checks their values, and refuses unknown keys."""

    def __init__(self, mapping: Any, path: str) -> None:
        if not isinstance(mapping, Mapping):
            raise PositionError(f"{path} must be a dictionary, got {shown(mapping)}")
        self.data = dict(mapping)
        self.path = path
        self.known: list[str] = []

    def take(self, key: str, default: Any = None) -> Any:
        """A value of any kind."""
        self.known.append(key)
        return self.data.pop(key, default)

    def whole(self, key: str, default: int, high: int = 10_000) -> int:
        """A whole number from 0 to ``high``."""
        return whole(self.take(key, default), f"{key} in {self.path}", high)

    def name(self, key: str, names: Sequence[Any], default: Any) -> int | None:
        """The index of a name in a list of names. None is allowed only if it is the default."""
        value = self.take(key, default)
        return None if value is default is None else name_in(value, names, f"{key} in {self.path}")

    def same(self, key: str, expected: str | int) -> None:
        """Check a value that follows from the configuration: it may be left out, but must not differ."""
        value = self.take(key, expected)
        if type(value) is not type(expected) or value != expected:
            raise PositionError(f"{key} in {self.path} must be {expected!r} for this game, got {shown(value)}")

    def mapping(self, key: str) -> Reader:
        """A reader for a nested dictionary."""
        value = self.take(key)
        return Reader({} if value is None else value, key if self.path == "the position" else f"{key} in {self.path}")

    def counts(self, key: str, names: Sequence[str]) -> np.ndarray:
        """A dictionary of counts, as an array in the order of the names."""
        reader = self.mapping(key)
        counts = np.array([reader.whole(name, 0) for name in names], int)
        reader.finish()
        return counts

    def sequence(self, key: str, default: Sequence[Any]) -> Sequence[Any]:
        """A list."""
        value = self.take(key, default)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise PositionError(f"{key} in {self.path} must be a list, got {shown(value)}")
        return value

    def finish(self) -> None:
        """Refuse keys that were not asked for."""
        if self.data:
            known = f"known are {', '.join(self.known)}" if self.known else "no keys are known there in this phase"
            raise PositionError(f"{self.path} has no {shown(next(iter(self.data)))}; {known}")


def whole(value: Any, what: str, high: int) -> int:
    """The value, if it is a whole number from 0 to ``high``."""
    if not is_whole(value) or not 0 <= value <= high:
        raise PositionError(f"{what} must be a whole number from 0 to {high}, got {shown(value)}")
    return int(value)


def name_in(value: Any, names: Sequence[Any], what: str) -> int:
    """The index of a name in a list of names."""
    if not isinstance(value, (str, bool)) or value not in names:
        raise PositionError(f"{what} must be one of {', '.join(map(str, names))}, got {shown(value)}")
    return names.index(value)


def fitting(counts: np.ndarray, most: np.ndarray, names: Sequence[Any], what: str) -> np.ndarray:
    """The counts, if none exceeds what the game has."""
    for count, limit, name in zip(counts, most, names, strict=True):
        if count > limit:
            raise PositionError(f"{what} of {name} must be at most {limit}, got {count}")
    return counts
