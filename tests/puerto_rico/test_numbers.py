"""The numbers in the tables agree with those of the independent reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pr_env.puerto_rico import tables
from tests.puerto_rico import reference as base
from tests.puerto_rico import reference_expansion as expansion

SET_UPS = {**base.SET_UPS, tables.MAX_PLAYERS: expansion.JOHNS, tables.GOVERNOR_ROW: expansion.WITH_GOVERNOR_CARD}
SET_UPS[tables.DOUBLE_CARDS_ROW] = base.SET_UPS[5]


def numbers() -> Iterator[tuple[str, Any, Any]]:
    """The name of each number, its value in the tables, and its value in the reference."""
    for building in tables.BUILDINGS:
        row, number = expansion.BUILDINGS[building.name], tables.BUILDINGS.index(building)
        balanced = expansion.BALANCED_COSTS.get(building.name, row.cost)
        yield f"cost of the {building.name}", int(tables.COST[0, number]), row.cost
        yield f"balanced cost of the {building.name}", int(tables.COST[1, number]), balanced
        yield f"column of the {building.name}", building.column, row.column
        yield f"circles of the {building.name}", building.circles, row.circles
        points = expansion.PRINTED_POINTS[building.name]
        yield f"points of the {building.name}", int(tables.PRINTED_POINTS[number]), points
        yield f"spaces of the {building.name}", int(tables.SPACES[number]), 1 + (building.name in expansion.LARGE)
        for players in (2, 3, 4, 5):
            if building.name in base.BUILDINGS:
                found = int(tables.COPIES[players, number])
                yield f"copies of the {building.name}, {players} players", found, base.copies(building.name, players)
    for setting, set_up in SET_UPS.items():
        of = f"of row {setting}"
        yield f"doubloons {of}", int(tables.START_DOUBLOONS[setting]), set_up.doubloons
        yield f"VP chips {of}", int(tables.VP_CHIPS[setting]), set_up.chips
        yield f"colonists {of}", int(tables.COLONIST_SUPPLY[setting]), set_up.colonists
        yield f"ships {of}", [int(size) for size in tables.SHIP_CAPACITY[setting] if size], list(set_up.ships)
        yield f"quarries {of}", int(tables.QUARRIES[setting]), set_up.quarries
        for place, good in enumerate(tables.GOODS):
            yield f"{good} plantations {of}", int(tables.PLANTATIONS[setting, place]), set_up.plantations[place]
            yield f"{good} barrels {of}", int(tables.BARRELS[setting, place]), set_up.goods[place]
        yield f"seats with indigo {of}", int(tables.INDIGO_SEATS[setting]), set_up.start_tiles.count("indigo")
    for place, good in enumerate(tables.GOODS):
        yield f"price of {good}", int(tables.PRICE[place]), base.PRICES[good]
    yield "doubloons of the factory", tables.FACTORY_PAY.tolist(), list(base.FACTORY_DOUBLOONS)
    yield "spaces of an island", tables.ISLAND_SPACES, base.ISLAND_SPACES
    yield "spaces of a city", tables.CITY_SPACES, base.CITY_SPACES
    yield "spaces of the trading house", tables.TRADING_HOUSE_SPACES, base.TRADING_HOUSE_SPACES
    for cost, spaces in expansion.SPACES_OF_COST.items():
        yield f"draft spaces of cost {cost}", int(tables.VIOLET_SPACES[cost]), spaces


def wrong_numbers() -> list[str]:
    """The names of the numbers that differ."""
    return [f"{name} is {found}, it must be {right}" for name, found, right in numbers() if found != right]


def test_every_number_of_the_tables() -> None:
    assert not wrong_numbers()


def test_all_buildings_are_compared() -> None:
    assert {building.name for building in tables.BUILDINGS} == set(expansion.BUILDINGS)


@pytest.mark.parametrize(
    ("table", "place", "sentence"),
    [
        ("COST", (0, 7), "cost of the hacienda is 3, it must be 2"),
        ("PRICE", (4,), "price of coffee is 5, it must be 4"),
        ("BARRELS", (2, 0), "corn barrels of row 2 is 9, it must be 8"),
        ("COPIES", (2, 8), "copies of the construction_hut, 2 players is 2, it must be 1"),
    ],
)
def test_a_wrong_number_is_named(
    monkeypatch: pytest.MonkeyPatch, table: str, place: tuple[int, ...], sentence: str
) -> None:
    other: np.ndarray = getattr(tables, table).copy()
    other[place] += 1
    monkeypatch.setattr(tables, table, other)
    assert wrong_numbers() == [sentence]
