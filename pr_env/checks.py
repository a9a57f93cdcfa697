"""Arguments that cannot be are refused with a sentence."""

from __future__ import annotations

import numpy as np


def check_whole(name: str, value: object, least: int = 1) -> None:
    """Refuse what is not a whole number, or is too small.

    Raises:
        ValueError: Then.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is a whole number from {least} on, not {value!r}")
