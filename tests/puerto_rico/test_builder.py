"""Builder: prices, quarries, what can be built, the university, the end by a full city."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import Table, tiles

SMALL = ("small_market", "hacienda", "construction_hut", "small_warehouse", "hospice", "office", "large_market")


def builder(players: int = 3, **position: Any) -> Table:
    return Table(players, {"phase": "builder", **position})


@pytest.mark.parametrize(
    ("building", "price"), [("construction_hut", 1), ("office", 3), ("harbor", 5), ("city_hall", 7)]
)
def test_worked_example_three_quarries_without_privilege(building: str, price: int) -> None:
    def can_build(doubloons: int) -> bool:
        boards = [{}, {"doubloons": doubloons, "island": tiles(quarry=3)}, {}]
        # A second builder later in the round is waiting, so that player 1 is asked in any case.
        table = builder(boards=boards, player=1)
        return table.player == 1 and ("build", building) in table.legal

    assert can_build(price)
    assert not can_build(price - 1)
    table = builder(boards=[{}, {"doubloons": 10, "island": tiles(quarry=3)}, {}], player=1).play("build", building)
    assert table.doubloons(1) == 10 - price


def test_unmanned_quarries_do_nothing() -> None:
    island = {"quarry": {"tiles": 3, "colonists": 1}}
    table = builder(boards=[{}, {"doubloons": 10, "island": island}, {}], player=1).play("build", "harbor")
    assert table.doubloons(1) == 10 - 7


def test_the_picker_pays_one_less_on_top_of_the_quarries() -> None:
    table = builder(boards=[{"doubloons": 10, "island": tiles(quarry=4)}, {}, {}]).play("build", "city_hall")
    assert table.doubloons(0) == 10 - (10 - 4 - 1)


def test_quarries_beyond_the_column_do_not_count() -> None:
    table = builder(boards=[{"doubloons": 10, "island": tiles(quarry=5)}, {}, {}]).play("build", "small_warehouse")
    assert table.doubloons(0) == 10 - (3 - 1 - 1)


def test_a_price_is_never_below_zero() -> None:
    table = builder(boards=[{"doubloons": 2, "island": tiles(quarry=1)}, {}, {}]).play("build", "small_indigo_plant")
    assert table.doubloons(0) == 2


def test_building_can_be_declined_and_pays_nothing() -> None:
    table = builder(boards=[{"doubloons": 5}, {"doubloons": 5}, {}]).play("pass")
    assert (table.player, table.doubloons(0)) == (1, 5)


def test_each_building_once() -> None:
    table = builder(boards=[{"doubloons": 5, "city": {"hospice": 0}}, {}, {}])
    assert ("build", "hospice") not in table.legal


def test_only_copies_that_are_left() -> None:
    boards = [{"doubloons": 9}, {"city": {"office": 1}}, {"city": {"office": 0}}]
    assert ("build", "office") not in builder(boards=boards).legal


def test_one_building_a_turn() -> None:
    table = builder(boards=[{"doubloons": 9}, {"doubloons": 9}, {}]).play("build", "small_market")
    assert table.player == 1


def test_a_large_building_needs_two_spaces() -> None:
    eleven = dict.fromkeys((*SMALL, "large_warehouse", "factory", "university", "harbor"), 0)
    assert len(eleven) == 11
    table = builder(boards=[{"doubloons": 20, "city": eleven}, {}, {}])
    assert ("build", "wharf") in table.legal
    assert not any(("build", large) in table.legal for large in ("guild_hall", "fortress", "city_hall"))
    del eleven["harbor"]
    table = builder(boards=[{"doubloons": 20, "city": eleven}, {}, {}])
    assert ("build", "city_hall") in table.legal


def test_the_twelfth_space_ends_the_game_after_the_round() -> None:
    ten = dict.fromkeys((*SMALL, "large_warehouse", "factory", "university"), 0)
    table = builder(boards=[{"doubloons": 20, "city": ten}, {"doubloons": 9}, {}]).play("build", "fortress")
    assert table.now["ending"] == ["city"]
    assert (table.phase, table.player) == ("builder", 1)  # the others still build
    table.play("pass")
    assert table.phase == "pick_role"


def test_a_full_city_builds_no_more() -> None:
    twelve = dict.fromkeys((*SMALL, "large_warehouse", "factory", "university", "harbor", "wharf"), 0)
    table = builder(boards=[{"doubloons": 20, "city": twelve}, {"doubloons": 9}, {}], ending=["city"])
    assert table.player == 1


# -- university --------------------------------------------------------------------------------------------------------


def university(**position: Any) -> Table:
    return builder(boards=[{"doubloons": 12, "city": {"university": 1}}, {}, {}], **position)


def test_university_mans_the_new_building_with_one_colonist() -> None:
    table = university()
    supply = table.now["colonist_supply"]
    table.play("build", "indigo_plant")
    assert table.legal == {("pass",), ("take_colonist",)}
    table.play("take_colonist")
    assert table.board(0)["city"] == {"indigo_plant": 1, "university": 1}
    assert table.now["colonist_supply"] == supply - 1


def test_the_university_can_be_declined() -> None:
    table = university().play("build", "hospice").play("pass")
    assert table.board(0)["city"] == {"hospice": 0, "university": 1}


def test_the_university_does_not_man_itself() -> None:
    table = builder(boards=[{"doubloons": 12}, {"doubloons": 3}, {}]).play("build", "university")
    assert (table.phase, table.player) == ("builder", 1)


def test_university_falls_back_to_the_ship_and_then_to_nothing() -> None:
    def table(ship: int) -> Table:
        boards = [{"doubloons": 12, "city": {"university": 1}, "san_juan": 20}, {"san_juan": 20, "doubloons": 3}]
        return builder(boards=[*boards, {"san_juan": 17 - ship}], colonist_ship=ship)

    with_ship = table(2).play("build", "hospice").play("take_colonist")
    assert with_ship.now["colonist_ship"] == 1
    assert with_ship.board(0)["city"]["hospice"] == 1
    without = table(0).play("build", "hospice")
    assert (without.phase, without.player) == ("builder", 1)
