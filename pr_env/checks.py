"""Arguments that cannot be are refused with a sentence, before anything is read or written."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_whole(name: str, value: object, least: int = 1) -> None:
    """Refuse what is not a whole number, or is too small.

    Raises:
        ValueError: Then.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is a whole number from {least} on, not {value!r}")


def check_array(name: str, value: Any, dtype: np.dtype[Any] | type, shape: tuple[int, ...]) -> None:
    """Refuse what compiled code could not write into as an array of this type and shape.

    Raises:
        ValueError: Then.
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
