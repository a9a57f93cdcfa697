"""What the observations of several games have in common: compact ones, of which each number is one byte.

The rule `observe` of a game that has them asks `is_compact` which kind it is to write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from pr_env.compiling import chosen_by_type, compiled
from pr_env.fingerprint import CHOICES

MOST = 255  # the highest number of a compact observation; higher counts are shown as this one


def is_compact(out: np.ndarray) -> bool:
    """Whether an observation is compact. A constant in compiled code: each kernel writes one kind only."""
    return out.dtype == np.uint8


def _yes(out: np.ndarray) -> bool:
    return True


def _no(out: np.ndarray) -> bool:
    return False


def _choose(out: Any) -> Callable[..., bool]:
    return _yes if out.dtype == types.uint8 else _no


chosen_by_type(is_compact, _choose)
setattr(is_compact, CHOICES, lambda _: (_yes, _no))


@compiled
def write_compact(counts: np.ndarray, out: np.ndarray) -> None:
    """Write counts as a compact observation."""
    for place in range(out.shape[0]):
        out[place] = min(MOST, max(0, counts[place]))


@compiled
def at_most(count: int, out: np.ndarray) -> int:
    """A count that may be too high for a compact observation."""
    return min(MOST, count) if is_compact(out) else count
