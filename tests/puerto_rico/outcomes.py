"""All ways to make a decision of several steps, for tests that each outcome is reached in exactly one way."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from typing import TypeVar

from tests.puerto_rico.table import Table

Outcome = TypeVar("Outcome")


def all_outcomes(table: Table, phases: Collection[str], tell: Callable[[Table], Outcome]) -> list[Outcome]:
    """The outcome of every sequence of answers, while the game is in these phases."""
    if table.phase not in phases:
        return [tell(table)]
    found: list[Outcome] = []
    for answer in sorted(table.legal, key=str):
        found += all_outcomes(copy.deepcopy(table).play(*answer), phases, tell)
    return found
