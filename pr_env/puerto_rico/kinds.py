"""A list of violet buildings for a game of Expansion I: which ones fit on the board together."""

from __future__ import annotations

from collections.abc import Sequence

from pr_env.puerto_rico.tables import BUILDINGS, FIRST_VIOLET, LARGE_CHURCH, NUM_VIOLET_SPACES, VIOLET_SPACES

VIOLET_COST = {building.name: building.cost for building in BUILDINGS[FIRST_VIOLET:LARGE_CHURCH]}


def check_kinds(kinds: Sequence[str], exclude_forest_house: bool) -> None:
    """Refuse a list that is not one kind for each violet space of the board."""
    for name in kinds:
        if name not in VIOLET_COST:
            raise ValueError(f"buildings: {name!r} is not a violet building; there are {', '.join(VIOLET_COST)}")
    twice = {name for name in kinds if kinds.count(name) > 1}
    if twice:
        raise ValueError(f"buildings: {', '.join(sorted(twice))} must not be listed twice")
    if len(kinds) != NUM_VIOLET_SPACES:
        raise ValueError(f"buildings: a list has {NUM_VIOLET_SPACES} violet kinds, not {len(kinds)}")
    for cost, spaces in enumerate(VIOLET_SPACES):
        listed = [name for name in kinds if VIOLET_COST[name] == cost]
        if len(listed) != spaces:
            raise ValueError(
                f"buildings: the board has {spaces} spaces for cost {cost}, but {len(listed)} such kinds are listed"
                + (f": {', '.join(listed)}" if listed else "")
            )
    if exclude_forest_house and "hacienda" in kinds and "forest_house" in kinds:
        raise ValueError("buildings: hacienda and forest_house exclude each other in this game")
