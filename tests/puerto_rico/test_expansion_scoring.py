"""Points of the expansion's and of Johns' buildings at the end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import Table, kinds_with, tiles

KINDS = kinds_with("cloister", "statue", "residence", "city_hall", "fortress", "church", "library", "guesthouse")


def points(board: dict[str, Any], players: int = 3, buildings: Any = KINDS) -> dict[str, int]:
    """The points of a board by source, without sources of 0 points."""
    table = Table(players, {"boards": [board, *[{}] * (players - 1)]}, buildings=buildings)
    final = table.batch.score()[0]
    assert final["total"][0] == final["points"][0].sum()
    return {name: int(value) for name, value in zip(table.game.point_sources, final["points"][0], strict=True) if value}


# -- cloister ----------------------------------------------------------------------------------------------------------


def test_worked_example_cloister() -> None:
    # The rulebook's island has 2 corn and coffee; with 6 forests and 3 quarries there is space for one coffee.
    board = {"city": {"cloister": 1}, "forests": 6, "island": tiles(quarry=3, corn=2, coffee=1)}
    assert points(board)["cloister"] == 6
    board = {"city": {"cloister": 1}, "forests": 6, "island": tiles(quarry=3, corn=3)}
    assert points(board)["cloister"] == 10


@pytest.mark.parametrize(
    ("forests", "island", "bonus"),
    [
        (0, {}, 0),
        (2, tiles(corn=2, indigo=2, sugar=2, tobacco=2, coffee=2), 0),
        (0, tiles(corn=3), 1),
        (0, tiles(corn=5, quarry=2), 1),
        (3, tiles(corn=3), 3),
        (0, tiles(corn=6), 3),
        (0, tiles(corn=3, indigo=3, sugar=3), 6),
        (5, tiles(corn=5), 3),
        (0, tiles(corn=3, indigo=3, sugar=3, tobacco=3), 10),
        (12, {}, 10),
        (0, tiles(corn=9, quarry=3), 10),
    ],
)
def test_the_cloister_pays_for_groups_of_three_equal_tiles(forests: int, island: dict[str, Any], bonus: int) -> None:
    board = {"forests": forests, "island": island}
    assert points(board | {"city": {"cloister": 1}}).get("cloister", 0) == bonus
    assert "cloister" not in points(board | {"city": {"cloister": 0}})


def test_unmanned_tiles_count_for_the_cloister() -> None:
    assert points({"city": {"cloister": 1}, "island": {"corn": {"tiles": 3, "colonists": 0}}})["cloister"] == 1


# -- residence, city hall, fortress ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("forests", "bonus"), [(0, 4), (4, 4), (5, 5), (6, 6), (7, 7)])
def test_the_residence_counts_forests(forests: int, bonus: int) -> None:
    board = {"city": {"residence": 1}, "forests": forests, "island": {"corn": {"tiles": 5}}}
    assert points(board)["residence"] == bonus


def test_the_city_hall_counts_the_expansion_s_buildings() -> None:
    city = {"city_hall": 1, "church": 0, "library": 0, "statue": 0, "cloister": 0, "indigo_plant": 0}
    assert points({"city": city})["city_hall"] == 5


def test_the_city_hall_counts_the_large_church() -> None:
    assert points({"city": {"city_hall": 1, "large_church": 0}}, 6)["city_hall"] == 2


def test_the_fortress_counts_guests() -> None:
    assert points({"city": {"fortress": 1, "guesthouse": 2}})["fortress"] == 1


# -- statue and printed points -----------------------------------------------------------------------------------------


def test_the_statue_is_worth_eight_points_without_a_colonist() -> None:
    assert points({"city": {"statue": 0}}) == {"buildings": 8}


@pytest.mark.parametrize(
    ("building", "printed"),
    [
        ("aqueduct", 1),
        ("black_market", 1),
        ("forest_house", 1),
        ("storehouse", 1),
        ("guesthouse", 2),
        ("church", 2),
        ("trading_post", 2),
        ("small_wharf", 2),
        ("lighthouse", 3),
        ("library", 3),
        ("specialty_factory", 3),
        ("union_hall", 3),
        ("cloister", 4),
    ],
)
def test_printed_points(building: str, printed: int) -> None:
    assert points({"city": {building: 0}}, buildings=kinds_with(building)) == {"buildings": printed}


# -- large church ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("doubloons", "bonus"), [(0, 0), (1, 0), (2, 1), (7, 3), (20, 10)])
def test_the_large_church_pays_a_point_for_two_doubloons(doubloons: int, bonus: int) -> None:
    board = {"city": {"large_church": 1}, "doubloons": doubloons}
    expected = {"buildings": 4} | ({"large_church": bonus} if bonus else {})
    assert points(board, 6, "base") == expected
    assert points(board | {"city": {"large_church": 0}}, 6, "base") == {"buildings": 4}


def test_the_tie_break_still_counts_the_doubloons_that_the_church_paid_for() -> None:
    board = {"city": {"large_church": 1}, "doubloons": 8, "goods": {"corn": 2}}
    table = Table(6, {"boards": [board, *[{}] * 5]})
    assert table.batch.score()[0]["tie_break"][0] == 10
