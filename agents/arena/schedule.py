"""Who sits where, and with which seed.

A *table* is a handful of agents, one for each seat, in no order. It is played in every *seating*: every order of its
agents that differs. The same seeds are used for every seating and every table, so that each agent has each seat equally
often and meets the same games as the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Literal, get_args

import numpy as np

Mode = Literal["pairs", "first", "table"]
MODES: tuple[Mode, ...] = get_args(Mode)

Table = tuple[str, ...]


def tables(names: Sequence[str], players: int, mode: Mode) -> list[Table]:
    """The tables of a tournament.

    Args:
        names: The agents. A single one plays against copies of itself.
        players: Seats at a table.
        mode: ``"pairs"``: each agent alone against copies of each other one; ``"first"``: only the first agent alone
            against copies of each other one; ``"table"``: one of each at a table, or, of more agents than seats, every
            choice of as many. There a name may be given more than once.

    Raises:
        ValueError: If the names do not fit the mode.
    """
    if mode not in MODES:
        raise ValueError(f"mode is one of {', '.join(MODES)}, not {mode!r}")
    if not names:
        raise ValueError("a tournament needs at least one agent")
    if len(names) == 1:
        return [(names[0],) * players]
    if mode == "table":
        if len(names) < players:
            raise ValueError(f"a table of {players} needs at least {players} agents, not {len(names)}; name one twice")
        return sorted(set(combinations(names, players)), key=lambda table: [names.index(name) for name in table])
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            f"named more than once: {', '.join(twice)}; in mode {mode!r} agents play against copies anyway"
        )
    if mode == "first":
        pairs = [(names[0], other) for other in names[1:]]
    elif players == 2:  # one against one: the other way round is the same table
        pairs = list(combinations(names, 2))
    else:
        pairs = list(permutations(names, 2))
    return [(one, *[other] * (players - 1)) for one, other in pairs]


def agents_of(table: Table) -> tuple[str, ...]:
    """The agents at a table, each once."""
    return tuple(dict.fromkeys(table))


def seatings(table: Table) -> np.ndarray:
    """int64 (seatings, players): every order of the table that differs; numbers are places in `agents_of`."""
    numbers = [agents_of(table).index(name) for name in table]
    return np.array(sorted(set(permutations(numbers))), np.int64)


def schedule(table: Table, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The games of a table: each seed in every seating, one after the other.

    Args:
        table: Who plays.
        games: At least so many; rounded up to a multiple of the seatings.
        seed: The first seed; the following ones count up.

    Returns:
        uint64 (n,): the seeds, and int64 (n, players): who sits where.
    """
    orders = seatings(table)
    count = -(-games // len(orders))
    seeds = np.uint64(seed) + np.arange(count, dtype=np.uint64)
    return np.repeat(seeds, len(orders)), np.tile(orders, (count, 1))
