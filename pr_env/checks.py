"""Checks of arguments: invalid ones raise a one-sentence error before anything is read or written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

LONGEST = 60  # characters of a value in a message
MOST_PROBLEMS = 5  # in a message


def shown(value: object) -> str:
    """Enough of a value to recognise it in a message of one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # of somebody else's class
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def listed(problems: Sequence[str]) -> str:
    """The first of several problems in a message of one line."""
    more = [f"and {len(problems) - MOST_PROBLEMS} more"] if len(problems) > MOST_PROBLEMS else []
    return "; ".join([*problems[:MOST_PROBLEMS], *more])


def is_whole(value: object) -> bool:
    """Whether a value is a whole number, of Python or NumPy. Truth values are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def check_whole(name: str, value: object, least: int = 1, most: int | None = None) -> None:
    """Refuse what is not a whole number, or is too small or too large.

    Raises:
        ValueError: If it is not.
    """
    if not is_whole(value) or value < least or (most is not None and value > most):  # type: ignore[operator] # whole
        end = "on" if most is None else f"to {most}"
        raise ValueError(f"{name} must be a whole number from {least} {end}, got {shown(value)}")


def check_number(name: str, value: object, least: float = 0.0) -> None:
    """Refuse what is not a finite number, or is too small.

    Raises:
        ValueError: If it is not.
    """
    number = (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, number) or not math.isfinite(value) or value < least:
        raise ValueError(f"{name} must be a number from {least:g} on, got {shown(value)}")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse what is not one of these words.

    Raises:
        ValueError: If it is none.
    """
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name} must be {'one of ' if len(choices) > 1 else ''}{', '.join(choices)}, got {shown(value)}"
        )


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither true nor false.

    Raises:
        ValueError: If it is neither.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")


def check_place(name: str, value: object, count: int) -> None:
    """Refuse what is not a place in a sequence of this length; negative places count from the end.

    Raises:
        IndexError: If it is a number that is too small or too large.
        ValueError: If it is no whole number.
    """
    if not is_whole(value):
        raise ValueError(f"{name} must be a whole number from 0 to {count - 1}, got {shown(value)}")
    if not -count <= value < count:  # type: ignore[operator] # a whole number
        raise IndexError(f"{name} must be a whole number from 0 to {count - 1}, got {value}")


def as_array(name: str, value: Any) -> np.ndarray:
    """A value as an array.

    Raises:
        ValueError: If it has no shape: lists of different lengths.
    """
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array or a list of numbers, got {shown(value)}") from None


def whole_numbers(name: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A value as an array of int64 of this shape that compiled code takes. A number that needs more bits becomes -1.

    Raises:
        ValueError: If it has another shape, or is not made of whole numbers.
    """
    given = as_array(name, value)
    if given.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, one for each game, got shape {given.shape}")
    if given.dtype == np.uint64:
        given = np.where(given < 2**63, given, -1)
    elif given.dtype.kind == "O" and given is not value and all(map(is_whole, given.flat)):  # a list with a huge number
        given = _within_64_bits(given)
    if given.dtype.kind not in "iu":
        kind = shown(value) if given.dtype.kind == "O" else given.dtype
        raise ValueError(f"{name} must be whole numbers, got {kind}")
    return np.require(given, np.int64, ["C", "A", "W"])


def _within_64_bits(numbers: np.ndarray) -> np.ndarray:
    fitting = [number if -(2**63) <= number < 2**63 else -1 for number in numbers.flat]
    return np.array(fitting, np.int64).reshape(numbers.shape)


def check_array(name: str, value: Any, dtype: np.dtype[Any] | type, shape: tuple[int, ...]) -> None:
    """Refuse what compiled code could not write into as an array of this type and shape.

    Raises:
        ValueError: If it is of another type or shape, read-only or not contiguous.
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
    """An array that is only read: of this type and shape, or refused; copied if compiled code could not take it.

    Kernels are compiled for writable, contiguous arrays: each other kind would be compiled once more.

    Raises:
        ValueError: If type or shape differ.
    """
    if isinstance(value, np.ndarray):
        flags = value.flags
        if not (flags.writeable and flags.c_contiguous and flags.aligned):
            value = np.array(value, order="C")
    check_array(name, value, dtype, shape)
    return value  # type: ignore[no-any-return]
