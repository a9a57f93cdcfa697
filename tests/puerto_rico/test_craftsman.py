"""Craftsman: production, shortage, factory, privilege."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import Table, tiles

EVERYTHING: dict[str, Any] = {
    "island": tiles(corn=1, indigo=1, sugar=1, tobacco=1, coffee=1),
    "city": {"small_indigo_plant": 1, "small_sugar_mill": 1, "tobacco_storage": 1, "coffee_roaster": 1},
}


def craft(players: int = 3, *, picker: int = 0, **position: Any) -> Table:
    return Table(players, {"governor": picker, **position}).play("pick", "craftsman")


def test_worked_example_production() -> None:
    board = {
        "island": {
            "corn": {"tiles": 3, "colonists": 2},
            "tobacco": {"tiles": 2, "colonists": 2},
            "sugar": {"tiles": 4, "colonists": 3},
        },
        "city": {"tobacco_storage": 1, "sugar_mill": 3, "small_sugar_mill": 1},
    }
    assert craft(boards=[{}, board, {}]).goods(1) == {"corn": 2, "tobacco": 1, "sugar": 3}


def test_worked_example_factory_counts_kinds_really_produced() -> None:
    board = {
        "island": tiles(corn=3, sugar=3, tobacco=1),
        "city": {"sugar_mill": 3, "tobacco_storage": 1, "factory": 1},
    }
    holder = {"goods": {"corn": 10, "sugar": 9}}
    table = craft(boards=[{}, board, holder])
    assert table.goods(1) == {"sugar": 2, "tobacco": 1}
    assert table.doubloons(1) == 1


@pytest.mark.parametrize(("kinds", "pay"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 5)])
def test_factory_pays_0_0_1_2_3_5(kinds: int, pay: int) -> None:
    island = dict(list(EVERYTHING["island"].items())[:kinds])
    table = craft(boards=[{}, {"island": island, "city": EVERYTHING["city"] | {"factory": 1}}, {}])
    assert table.doubloons(1) == pay


def test_an_unmanned_factory_pays_nothing() -> None:
    table = craft(boards=[{}, EVERYTHING | {"city": EVERYTHING["city"] | {"factory": 0}}, {}])
    assert table.doubloons(1) == 0


def test_small_and_large_buildings_of_a_good_add_up() -> None:
    board = {"island": tiles(indigo=5), "city": {"small_indigo_plant": 1, "indigo_plant": 3}}
    assert craft(boards=[{}, board, {}]).goods(1) == {"indigo": 4}


def test_production_and_shortage_run_from_the_picker() -> None:
    corn = {"island": tiles(corn=2)}
    boards = [corn, corn, corn, {"goods": {"corn": 7}}]  # three barrels are left
    table = craft(4, picker=1, boards=boards)
    assert [table.goods(player).get("corn", 0) for player in range(3)] == [0, 2, 1]
    table = craft(4, picker=2, boards=boards)
    assert [table.goods(player).get("corn", 0) for player in range(3)] == [1, 0, 2]


def test_the_privilege_comes_after_everybodys_production() -> None:
    # Two barrels of corn are left: the picker makes one, the next player the other; nothing is left for the privilege.
    boards = [{"island": tiles(corn=1)}, {"island": tiles(corn=1)}, {"goods": {"corn": 8}}]
    table = craft(boards=boards)
    assert table.phase == "pick_role"
    assert [table.goods(player) for player in range(2)] == [{"corn": 1}, {"corn": 1}]


def test_the_privilege_is_a_kind_really_produced() -> None:
    # Sugar could be produced but has run out; indigo is not produced at all.
    board = {"island": tiles(corn=1, sugar=1), "city": {"small_sugar_mill": 1}, "goods": {"indigo": 2}}
    table = craft(boards=[board, {"goods": {"sugar": 11}}, {}])
    assert table.legal == {("pass",), ("take_good", "corn")}
    table.play("take_good", "corn")
    assert table.goods(0) == {"corn": 2, "indigo": 2}


def test_the_privilege_can_be_declined() -> None:
    table = craft(boards=[EVERYTHING, {}, {}])
    assert len(table.legal) == 6
    assert table.play("pass").goods(0) == dict.fromkeys(("corn", "indigo", "sugar", "tobacco", "coffee"), 1)


def test_a_picker_who_produces_nothing_gets_nothing() -> None:
    assert craft(boards=[{"goods": {"corn": 3}}, EVERYTHING, {}]).phase == "pick_role"
