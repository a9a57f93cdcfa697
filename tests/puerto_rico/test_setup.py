"""Set-up for each number of players, against the numbers of the rulebooks (typed in anew here)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import new_game

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")


@pytest.mark.parametrize(("players", "doubloons"), [(2, 3), (3, 2), (4, 3), (5, 4)])
def test_starting_doubloons(players: int, doubloons: int) -> None:
    assert [board["doubloons"] for board in new_game(players).now["boards"]] == [doubloons] * players


@pytest.mark.parametrize(
    ("players", "start"),
    [
        (2, ["indigo", "corn"]),
        (3, ["indigo", "indigo", "corn"]),
        (4, ["indigo", "indigo", "corn", "corn"]),
        (5, ["indigo", "indigo", "indigo", "corn", "corn"]),
    ],
)
def test_start_tiles_by_seat_unmanned(players: int, start: list[str]) -> None:
    islands = [board["island"] for board in new_game(players).now["boards"]]
    assert islands == [{tile: {"tiles": 1, "colonists": 0}} for tile in start]


@pytest.mark.parametrize(("players", "supply", "total"), [(2, 40, 42), (3, 55, 58), (4, 75, 79), (5, 95, 100)])
def test_colonists_in_the_supply_besides_those_on_the_ship(players: int, supply: int, total: int) -> None:
    now = new_game(players).now
    assert now["colonist_supply"] == supply
    assert now["colonist_ship"] == players
    assert now["colonist_supply"] + now["colonist_ship"] == total


FOR_TWO = [8, 9, 9, 7, 7]
FOR_MORE = [10, 11, 11, 9, 9]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (2, {"chips": 65, "ships": [4, 6], "quarries": 5, "face_up": 3, "barrels": FOR_TWO, "tiles": 35}),
        (3, {"chips": 75, "ships": [4, 5, 6], "quarries": 8, "face_up": 4, "barrels": FOR_MORE, "tiles": 50}),
        (4, {"chips": 100, "ships": [5, 6, 7], "quarries": 8, "face_up": 5, "barrels": FOR_MORE, "tiles": 50}),
        (5, {"chips": 122, "ships": [6, 7, 8], "quarries": 8, "face_up": 6, "barrels": FOR_MORE, "tiles": 50}),
    ],
)
def test_material(players: int, expected: dict[str, Any]) -> None:
    now = new_game(players).now
    assert now["chips_supply"] == expected["chips"]
    assert [ship["capacity"] for ship in now["ships"]] == expected["ships"]
    assert all(ship["barrels"] == 0 for ship in now["ships"])
    assert now["quarry_supply"] == expected["quarries"]
    assert sum(now["face_up"].values()) == expected["face_up"]
    assert list(now["goods_supply"].values()) == expected["barrels"]
    plantations = sum(now["face_up"].values()) + sum(now["face_down"].values()) + players
    assert plantations == expected["tiles"]


@pytest.mark.parametrize(("players", "kinds"), [(2, [7, 9, 8, 6, 5]), (3, [10, 12, 11, 9, 8]), (5, [10, 12, 11, 9, 8])])
def test_plantations_by_kind_start_tiles_included(players: int, kinds: list[int]) -> None:
    now = new_game(players).now
    found = [
        now["face_up"][good]
        + now["face_down"][good]
        + sum(board["island"].get(good, {"tiles": 0})["tiles"] for board in now["boards"])
        for good in GOODS
    ]
    assert found == kinds


@pytest.mark.parametrize(("players", "prospectors"), [(2, 1), (3, 0), (4, 1), (5, 2)])
def test_role_cards(players: int, prospectors: int) -> None:
    table = new_game(players)
    six = ["settler", "mayor", "builder", "craftsman", "trader", "captain"]
    cards = six + ["prospector", "prospector_2"][:prospectors]
    assert list(table.now["roles"]) == cards
    assert table.legal == {("pick", card) for card in cards}


def test_copies_of_buildings() -> None:
    production = ("small_indigo_plant", "small_sugar_mill", "indigo_plant", "sugar_mill", "tobacco_storage")
    large = ("guild_hall", "residence", "fortress", "customs_house", "city_hall")
    two, four = new_game(2).now["buildings_left"], new_game(4).now["buildings_left"]
    assert [two[name] for name in (*production, "coffee_roaster")] == [2] * 6
    assert [four[name] for name in (*production, "coffee_roaster")] == [4, 4, 3, 3, 3, 3]
    for name in four:
        if name in large:
            assert (two[name], four[name]) == (1, 1)
        elif name not in (*production, "coffee_roaster"):
            assert (two[name], four[name]) == (1, 2)
    assert len(four) == 23
    assert sum(four.values()) == 49


def test_the_first_seat_is_governor_and_picks() -> None:
    now = new_game(4).now
    assert (now["governor"], now["picker"], now["player"], now["phase"], now["round"]) == (0, 0, 0, "pick_role", 1)


def test_seeds_turn_up_different_tiles() -> None:
    assert len({tuple(new_game(3, seed).now["face_up"].values()) for seed in range(20)}) > 5
