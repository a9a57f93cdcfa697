"""Expansion I in the craftsman's phase: aqueduct, specialty factory and library, alone and together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.outcomes import all_outcomes
from tests.puerto_rico.table import Table, kinds_with, tiles

KINDS = kinds_with("aqueduct", "specialty_factory", "library", "factory")


def craft(*boards: dict[str, Any], picker: int = 0, **position: Any) -> Table:
    """The craftsman has just been picked, by player 0 unless said otherwise."""
    all_boards = [*boards, *[{}] * (3 - len(boards))]
    return Table(3, {"governor": picker, "boards": all_boards, **position}, buildings=KINDS).play("pick", "craftsman")


def produce(board: dict[str, Any], *others: dict[str, Any]) -> Table:
    """Somebody else has picked the craftsman, so that the board's owner has no privilege."""
    return craft(board, *others, picker=2)


# -- aqueduct ----------------------------------------------------------------------------------------------------------


def test_worked_example_aqueduct_does_not_work_with_the_small_mill() -> None:
    board = {"island": tiles(sugar=1), "city": {"aqueduct": 1, "small_sugar_mill": 1, "indigo_plant": 1}}
    assert produce(board).goods(0) == {"sugar": 1}


def test_worked_example_aqueduct_adds_one_indigo_and_one_sugar() -> None:
    board = {"island": tiles(indigo=1, sugar=3), "city": {"aqueduct": 1, "indigo_plant": 1, "sugar_mill": 3}}
    assert produce(board).goods(0) == {"indigo": 2, "sugar": 4}


def test_an_unmanned_aqueduct_adds_nothing() -> None:
    board = {"island": tiles(indigo=1, sugar=1), "city": {"aqueduct": 0, "indigo_plant": 1, "sugar_mill": 1}}
    assert produce(board).goods(0) == {"indigo": 1, "sugar": 1}


def test_the_aqueduct_adds_one_barrel_however_many_are_produced() -> None:
    board = {"island": tiles(indigo=4), "city": {"aqueduct": 1, "indigo_plant": 3, "small_indigo_plant": 1}}
    assert produce(board).goods(0) == {"indigo": 5}


def test_the_aqueduct_needs_a_manned_large_building() -> None:
    board = {"island": tiles(indigo=2), "city": {"aqueduct": 1, "indigo_plant": 0, "small_indigo_plant": 1}}
    assert produce(board).goods(0) == {"indigo": 1}


def test_the_aqueduct_makes_nothing_out_of_nothing() -> None:
    board = {"island": {"indigo": {"tiles": 2}}, "city": {"aqueduct": 1, "indigo_plant": 2}}
    assert produce(board).goods(0) == {}


def test_the_aqueduct_leaves_other_goods_alone() -> None:
    city = {"aqueduct": 1, "tobacco_storage": 1, "coffee_roaster": 1}
    board = {"island": tiles(corn=1, tobacco=1, coffee=1), "city": city}
    assert produce(board).goods(0) == {"corn": 1, "tobacco": 1, "coffee": 1}


@pytest.mark.parametrize(("left", "taken"), [(3, 3), (2, 2), (1, 1), (0, 0)])
def test_the_aqueduct_adds_as_long_as_the_supply_lasts(left: int, taken: int) -> None:
    board = {"island": tiles(indigo=2), "city": {"aqueduct": 1, "indigo_plant": 2}}
    table = produce(board, {"goods": {"indigo": 11 - left}})
    assert table.goods(0).get("indigo", 0) == taken
    assert table.now["goods_supply"]["indigo"] == left - taken


def test_the_aqueduct_s_barrel_comes_in_its_owner_s_turn_of_production() -> None:
    owner = {"island": tiles(sugar=1), "city": {"aqueduct": 1, "sugar_mill": 1}}
    later = {"island": tiles(sugar=1), "city": {"small_sugar_mill": 1}}
    table = produce(owner, later | {"goods": {"sugar": 9}})  # 2 left, and player 0 comes first
    assert (table.goods(0), table.goods(1)) == ({"sugar": 2}, {"sugar": 9})


# -- specialty factory -------------------------------------------------------------------------------------------------


def test_worked_example_specialty_factory() -> None:
    city = {"sugar_mill": 3, "coffee_roaster": 2, "specialty_factory": 1}
    table = produce({"island": tiles(corn=4, sugar=3, coffee=2), "city": city})
    assert table.goods(0) == {"corn": 4, "sugar": 3, "coffee": 2}
    assert table.doubloons(0) == 3 - 1


def test_worked_example_seven_barrels_pay_six_doubloons() -> None:
    city = {"small_indigo_plant": 1, "indigo_plant": 3, "aqueduct": 1, "library": 1, "specialty_factory": 1}
    table = craft({"island": tiles(indigo=4), "city": city})
    assert (table.phase, table.goods(0), table.doubloons(0)) == ("craftsman_privilege", {"indigo": 5}, 0)
    table.play("take_good", "indigo").play("take_good", "indigo")
    assert (table.goods(0), table.doubloons(0)) == ({"indigo": 7}, 6)


@pytest.mark.parametrize(("answer", "doubloons"), [("take", 2), ("pass", 1)])
def test_the_picker_s_specialty_factory_counts_the_barrel_of_the_privilege(answer: str, doubloons: int) -> None:
    city = {"sugar_mill": 2, "specialty_factory": 1}
    table = craft({"island": tiles(sugar=2), "city": city})
    table.play(*(("pass",) if answer == "pass" else ("take_good", "sugar")))
    assert (table.phase, table.doubloons(0)) == ("pick_role", doubloons)


def test_the_specialty_factory_counts_the_kind_taken_most_at_the_end() -> None:
    city = {"sugar_mill": 2, "indigo_plant": 2, "specialty_factory": 1, "library": 1}
    board = {"island": tiles(sugar=2, indigo=1), "city": city}
    table = craft(board).play("take_good", "indigo").play("take_good", "indigo")
    assert (table.goods(0), table.doubloons(0)) == ({"indigo": 3, "sugar": 2}, 2)
    table = craft(board).play("take_good", "indigo").play("take_good", "sugar")
    assert (table.goods(0), table.doubloons(0)) == ({"indigo": 2, "sugar": 3}, 2)


@pytest.mark.parametrize(
    ("island", "doubloons"),
    [
        (tiles(corn=5), 0),
        (tiles(indigo=1), 0),
        ({}, 0),
        (tiles(corn=5, indigo=2), 1),
        (tiles(tobacco=3, indigo=3), 2),
    ],
)
def test_the_specialty_factory_pays_barrels_less_one_and_nothing_for_corn(
    island: dict[str, Any], doubloons: int
) -> None:
    city = {"indigo_plant": 3, "tobacco_storage": 3, "specialty_factory": 1}
    assert produce({"island": island, "city": city}).doubloons(0) == doubloons
    assert produce({"island": island, "city": city | {"specialty_factory": 0}}).doubloons(0) == 0


def test_the_specialty_factory_counts_barrels_really_taken_in_this_phase() -> None:
    board = {"island": tiles(sugar=3), "city": {"sugar_mill": 3, "specialty_factory": 1}, "goods": {"sugar": 4}}
    table = produce(board, {"goods": {"sugar": 5}})  # 2 left
    assert (table.goods(0), table.doubloons(0)) == ({"sugar": 6}, 1)


def test_the_specialty_factory_counts_the_aqueduct_s_barrel() -> None:
    board = {"island": tiles(indigo=2), "city": {"indigo_plant": 2, "aqueduct": 1, "specialty_factory": 1}}
    assert produce(board).doubloons(0) == 2


def test_factory_and_specialty_factory_both_pay() -> None:
    city = {"indigo_plant": 3, "tobacco_storage": 1, "factory": 1, "specialty_factory": 1}
    table = produce({"island": tiles(corn=2, indigo=3, tobacco=1), "city": city})
    assert table.doubloons(0) == 2 + 2


def test_factory_and_aqueduct_count_kinds_once() -> None:
    city = {"indigo_plant": 1, "sugar_mill": 1, "aqueduct": 1, "factory": 1}
    table = produce({"island": tiles(indigo=1, sugar=1), "city": city})
    assert (table.goods(0), table.doubloons(0)) == ({"indigo": 2, "sugar": 2}, 1)


def test_the_factory_pays_the_picker_for_kinds_before_the_privilege() -> None:
    city = {"indigo_plant": 1, "factory": 1, "specialty_factory": 1}
    table = craft({"island": tiles(corn=1, indigo=1), "city": city})
    assert (table.phase, table.doubloons(0)) == ("craftsman_privilege", 1)
    table.play("take_good", "indigo")
    assert table.doubloons(0) == 1 + 1


# -- library -----------------------------------------------------------------------------------------------------------

TWO_KINDS: dict[str, Any] = {"island": tiles(corn=1, indigo=1), "city": {"indigo_plant": 1, "library": 1}}


def kept(table: Table) -> tuple[int, int]:
    return table.goods(0).get("corn", 0), table.goods(0).get("indigo", 0)


def test_the_library_gives_up_to_two_barrels_of_one_kind_or_two_each_choice_in_one_way() -> None:
    found = all_outcomes(craft(TWO_KINDS), {"craftsman_privilege"}, kept)
    assert sorted(found) == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)]


def test_two_barrels_only_as_far_as_the_supply_lasts() -> None:
    table = craft(TWO_KINDS, {"goods": {"indigo": 9}})  # 2 indigo in the supply, 1 after production
    found = all_outcomes(table, {"craftsman_privilege"}, kept)
    assert sorted(found) == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]


def test_without_a_working_library_one_barrel() -> None:
    board = TWO_KINDS | {"city": {"indigo_plant": 1, "library": 0}}
    found = all_outcomes(craft(board), {"craftsman_privilege"}, kept)
    assert sorted(found) == [(1, 1), (1, 2), (2, 1)]


def test_the_second_barrel_is_of_a_kind_that_was_produced() -> None:
    board = TWO_KINDS | {"goods": {"coffee": 1}}
    table = craft(board)
    assert table.legal == {("pass",), ("take_good", "corn"), ("take_good", "indigo")}
    table.play("take_good", "corn")
    assert table.legal == {("pass",), ("take_good", "corn"), ("take_good", "indigo")}


def test_somebody_else_s_library_gives_nothing() -> None:
    assert craft({}, TWO_KINDS).goods(1) == {"corn": 1, "indigo": 1}


def test_library_and_aqueduct() -> None:
    city = {"indigo_plant": 1, "sugar_mill": 1, "library": 1, "aqueduct": 1}
    table = craft({"island": tiles(indigo=1, sugar=1), "city": city})
    table.play("take_good", "indigo").play("take_good", "sugar")
    assert table.goods(0) == {"indigo": 3, "sugar": 3}  # the aqueduct does not work on the privilege
