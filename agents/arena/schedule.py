"""The schedule: which agent plays in which seat, with which seed.

A *table* is a multiset of agents, one per *place*. A place is a seat; if teams of several seats compete, it is a team,
whose seats are all played by one agent. A table is played in every *seating*: every distinct order of its agents. All
seatings and tables use the same seeds, so that each agent plays each seat equally often, and all agents play the same
games.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, permutations
from typing import Literal, get_args

import numpy as np

from pr_env.checks import shown
from pr_env.game import Game

Mode = Literal["pairs", "first", "table"]
MODES: tuple[Mode, ...] = get_args(Mode)

Table = tuple[str, ...]


def places_of(game: Game) -> tuple[int, ...]:
    """The place of each seat: its team if teams of several seats compete, else the seat itself."""
    if not game.constant_sum:
        return tuple(range(game.players))
    numbers = {team: place for place, team in enumerate(dict.fromkeys(game.teams))}
    return tuple(numbers[team] for team in game.teams)


def tables(names: Sequence[str], places: int, mode: Mode, *, one_team: bool = False) -> list[Table]:
    """The tables of a tournament.

    Args:
        names: The agents. A single one plays against (or with) copies of itself.
        places: The number of places at a table.
        mode: ``"pairs"``: each agent alone against copies of each other one; ``"first"``: only the first agent alone
            against copies of each other one; ``"table"``: one of each at a table, or, if there are more agents than
            places, every combination. In this mode a name may be repeated.
        one_team: Whether all seats win or lose together. Then copies are partners, and each agent also plays with
            copies of itself, for comparison. In solo games each agent plays alone in all modes.

    Raises:
        ValueError: If the names are invalid for the mode.
    """
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, got {shown(mode)}")
    if not names:
        raise ValueError("a tournament needs at least one agent")
    if len(names) == 1:
        return [(names[0],) * places]
    if mode == "table":
        if len(names) < places:
            raise ValueError(f"a table of {places} needs at least {places} agents, got {len(names)}; repeat a name")
        return sorted(set(combinations(names, places)), key=lambda table: [names.index(name) for name in table])
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        how = "with" if one_team else "against"
        why = "" if places == 1 else f"; in mode {mode!r} agents play {how} copies anyway"
        raise ValueError(f"agents must be named once, got more than once: {', '.join(twice)}{why}")
    if places == 1:
        return [(name,) for name in names]
    return [(one, *[other] * (places - 1)) for one, other in _pairs(names, places, mode, one_team)]


def _pairs(names: Sequence[str], places: int, mode: Mode, one_team: bool) -> list[tuple[str, str]]:
    """The pairs of an agent and the one whose copies take the other places."""
    if mode == "first":
        return [(names[0], other) for other in (names if one_team else names[1:])]
    if places == 2:  # two places: the reverse is the same table
        return list((combinations_with_replacement if one_team else combinations)(names, 2))
    return [(one, other) for one in names for other in names if one_team or one != other]


def agents_of(table: Table) -> tuple[str, ...]:
    """The agents at a table, each once."""
    return tuple(dict.fromkeys(table))


def seatings(table: Table) -> np.ndarray:
    """int64 (seatings, places): every distinct order of the table, as indices in `agents_of`."""
    numbers = [agents_of(table).index(name) for name in table]
    return np.array(sorted(set(permutations(numbers))), np.int64)


def schedule(table: Table, games: int, seed: int, places: Sequence[int] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The games of a table: each seed in every seating.

    Args:
        table: The agents.
        games: Number of games, rounded up to a multiple of the seatings.
        seed: The first seed; the next ones count up from it.
        places: Returned by `places_of`; None if each seat is a place.

    Returns:
        uint64 (n,): the seeds, and int64 (n, players): the seating.
    """
    count = -(-games // len(seatings(table)))
    return in_every_seating(table, np.uint64(seed) + np.arange(count, dtype=np.uint64), places)


def in_every_seating(
    table: Table, starts: np.ndarray, places: Sequence[int] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Each of the starts (n,) in every seating: the start and the seating of each game."""
    orders = seatings(table)
    if places is not None:
        orders = orders[:, list(places)]
    return np.repeat(starts, len(orders)), np.tile(orders, (len(starts), 1))
