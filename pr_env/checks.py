"""Argument checks: invalid arguments raise a one-sentence error before anything is read or written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

LONGEST = 60  # characters shown of a value in a message
MOST_PROBLEMS = 5  # listed in a message


def shown(value: object) -> str:
    """A short representation of a value for a one-line message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # raised by a class of the caller
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def listed(problems: Sequence[str]) -> str:
    """The first of several problems in a message of one line."""
    more = [f"and {len(problems) - MOST_PROBLEMS} more"] if len(problems) > MOST_PROBLEMS else []
    return "; ".join([*problems[:MOST_PROBLEMS], *more])


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of Python or NumPy; bool does not count."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def check_whole(name: str, value: object, least: int = 1, most: int | None = None) -> None:
    """Check that a value is a whole number in a range.

    Raises:
        ValueError: If it is not.
    """
    if not is_whole(value) or value < least or (most is not None and value > most):  # type: ignore[operator] # whole
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number {limits}, got {shown(value)}")


def check_number(name: str, value: object, least: float = 0.0) -> None:
    """Check that a value is a finite number and not too small.

    Raises:
        ValueError: If it is not.
    """
    number = (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, number) or not math.isfinite(value) or value < least:
        raise ValueError(f"{name} must be a number of at least {least:g}, got {shown(value)}")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Check that a value is one of these choices.

    Raises:
        ValueError: If it is not.
    """
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name} must be {'one of ' if len(choices) > 1 else ''}{', '.join(choices)}, got {shown(value)}"
        )


def check_flag(name: str, value: object) -> None:
    """Check that a value is True or False.

    Raises:
        ValueError: If it is not.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")


def check_place(name: str, value: object, count: int) -> None:
    """Check that a value is an index of a sequence of this length; negative indices count from the end.

    Raises:
        IndexError: If it is out of range.
        ValueError: If it is not a whole number.
    """
    if not is_whole(value):
        raise ValueError(f"{name} must be a whole number from 0 to {count - 1}, got {shown(value)}")
    if not -count <= value < count:  # type: ignore[operator] # a whole number
        raise IndexError(f"{name} must be a whole number from 0 to {count - 1}, got {value}")


def as_array(name: str, value: Any) -> np.ndarray:
    """A value as an array.

    Raises:
        ValueError: If it has no shape, such as lists of different lengths.
    """
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array or a list of numbers, got {shown(value)}") from None


def whole_numbers(name: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A value as an int64 array of this shape for compiled code. Numbers that do not fit become -1.

    Raises:
        ValueError: If it has another shape or holds anything but whole numbers.
    """
    given = as_array(name, value)
    if given.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, one for each game, got shape {given.shape}")
    if given.dtype == np.uint64:
        given = np.where(given < 2**63, given, -1)
    elif given.dtype.kind == "O" and given is not value and all(map(is_whole, given.flat)):  # a list with huge numbers
        given = _within_64_bits(given)
    if given.dtype.kind not in "iu":
        kind = shown(value) if given.dtype.kind == "O" else given.dtype
        raise ValueError(f"{name} must be whole numbers, got {kind}")
    return np.require(given, np.int64, ["C", "A", "W"])


def _within_64_bits(numbers: np.ndarray) -> np.ndarray:
    fitting = [number if -(2**63) <= number < 2**63 else -1 for number in numbers.flat]
    return np.array(fitting, np.int64).reshape(numbers.shape)


def check_array(name: str, value: Any, dtype: np.dtype[Any] | type, shape: tuple[int, ...]) -> None:
    """Check that compiled code can write to a value as an array of this type and shape.

    Raises:
        ValueError: If it has another type or shape, is read-only or not contiguous.
    """
    expected = np.dtype(dtype)
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{name} must be a NumPy array, got {type(value).__name__}")
    if value.dtype != expected or value.shape != shape:
        kind = "records" if expected.names else str(expected)
        got = "records" if value.dtype.names else str(value.dtype)
        other = " of another type" if kind == got and value.dtype != expected else ""
        raise ValueError(f"{name} must be {kind} of shape {shape}, got {got}{other} of shape {value.shape}")
    if not value.flags.c_contiguous or not value.flags.aligned:
        raise ValueError(f"{name} must be C-contiguous and aligned")
    if not value.flags.writeable:
        raise ValueError(f"{name} must be writable")


def readable(name: str, value: Any, dtype: np.dtype[Any] | type, shape: tuple[int, ...]) -> np.ndarray:
    """An array of this type and shape that is only read, copied if compiled code needs that.

    Kernels are compiled for writable, contiguous arrays; other kinds of arrays would need further compilation.

    Raises:
        ValueError: If the type or the shape differs.
    """
    if isinstance(value, np.ndarray):
        flags = value.flags
        if not (flags.writeable and flags.c_contiguous and flags.aligned):
            value = np.array(value, order="C")
    check_array(name, value, dtype, shape)
    return value  # type: ignore[no-any-return]
