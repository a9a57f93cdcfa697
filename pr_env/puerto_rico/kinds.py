"""Lists of violet buildings for games of Expansion I: which ones fit on the board together."""

from __future__ import annotations

from collections.abc import Sequence

from pr_env.puerto_rico.tables import BUILDINGS, FIRST_VIOLET, LARGE_CHURCH, NUM_VIOLET_SPACES, VIOLET_SPACES

VIOLET_COST = {building.name: building.cost for building in BUILDINGS[FIRST_VIOLET:LARGE_CHURCH]}


def check_kinds(kinds: Sequence[str], exclude_forest_house: bool) -> None:
    """Check that a list has one kind for each violet space of the board."""
    for name in kinds:
        if name not in VIOLET_COST:
            raise ValueError(f"each of buildings must be one of {', '.join(VIOLET_COST)}, got {name!r}")
    twice = {name for name in kinds if kinds.count(name) > 1}
    if twice:
        raise ValueError(f"buildings must not list {', '.join(sorted(twice))} twice")
    if len(kinds) != NUM_VIOLET_SPACES:
        raise ValueError(f"buildings must list {NUM_VIOLET_SPACES} violet kinds, got {len(kinds)}")
    for cost, spaces in enumerate(VIOLET_SPACES):
        listed = [name for name in kinds if VIOLET_COST[name] == cost]
        if len(listed) != spaces:
            raise ValueError(
                f"buildings must list {spaces} kinds of cost {cost}, got {len(listed)}"
                + (f": {', '.join(listed)}" if listed else "")
            )
    if exclude_forest_house and "hacienda" in kinds and "forest_house" in kinds:
        raise ValueError("buildings must not list both hacienda and forest_house in this game")
