"""Values that are invalid for most arguments, and some that happen to be valid."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

_TYPES = ("i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", "c16", "?", "O", "S3", "U3", "M8[s]", ">i8")
_SMALL: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    3,
    -1,
    7,
    127,
    128,
    255,
    2**31,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    -(2**63) - 1,
    10**30,
    0.0,
    1.0,
    -0.5,
    1.5,
    1e308,
    math.nan,
    math.inf,
    -math.inf,
    1j,
    "",
    "x",
    "0",
    "random",
    "player_0",
    "player_9",
    "pass",
    "svg",
    "ansi",
    "win_share",
    "\x1b[2J",
    "a\nb",
    "\udcff",
    "x" * 3000,
    b"",
    b"x",
    (),
    [],
    [0],
    [1, [2]],
    [None],
    ["x"],
    [1.5],
    [2**70],
    {},
    {"position": None},
    {"position": {}},
    {1: 2},
    set(),
    range(3),
    object(),
    int,
    Ellipsis,
    slice(2),
    np.int8(3),
    np.uint64(2**64 - 1),
    np.float32(1),
    np.bool_(True),
    np.str_("x"),
    np.datetime64("NaT"),
    np.array(3),
    np.array(None),
)


def value(chance: random.Random, depth: int = 0) -> Any:
    """A random value."""
    kind = chance.random()
    if kind < 0.6:
        return chance.choice(_SMALL)
    if kind < 0.8:
        return array(chance)
    if depth > 2:
        return chance.randrange(-5, 300)
    if kind < 0.9:
        return [value(chance, depth + 1) for _ in range(chance.randrange(5))]
    return {chance.choice(("players", "seed", "x", "boards", "phase")): value(chance, depth + 1)}


def array(chance: random.Random) -> np.ndarray:
    """An array of random type, shape and memory layout."""
    shape = tuple(chance.choice((0, 1, 2, 3, 4, 4, 5)) for _ in range(chance.choice((0, 1, 1, 1, 2, 3))))
    kind = chance.choice(_TYPES)
    made = np.zeros(shape, kind)
    if kind[-2:] in ("i1", "u1", "i2", "i4", "i8", "u8") and made.size:
        made.flat[:] = [chance.randrange(0, 120) for _ in range(made.size)]
    return layout(made, chance)


def layout(given: np.ndarray, chance: random.Random) -> np.ndarray:
    """The same content in another memory layout: strided, reversed, read-only, unaligned, or Fortran order."""
    kind = chance.randrange(7)
    if kind == 0 and given.ndim:
        return np.repeat(given, 2, axis=0)[::2]
    if kind == 1 and given.ndim:
        return given[::-1]
    if kind == 2:
        given = given.copy()
        given.flags.writeable = False
        return given
    if kind == 3:
        return np.asfortranarray(given)
    if kind == 4 and given.dtype.kind not in "OSUM":
        raw = np.zeros(given.nbytes + 1, np.uint8)[1:]
        unaligned = np.ndarray(given.shape, given.dtype, buffer=raw.data)
        unaligned[...] = given
        return unaligned
    return given
