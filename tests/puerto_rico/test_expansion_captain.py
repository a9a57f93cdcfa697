"""Expansion I in the captain's phase: lighthouse, union hall, small wharf, storehouse, library; alone and together."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.puerto_rico.outcomes import all_outcomes
from tests.puerto_rico.table import Table, kinds_with

SMALL_WHARF = ("small_wharf",)
SHIPPING = kinds_with("small_wharf", "lighthouse", "library", "harbor", "wharf")
UNION = kinds_with("small_wharf", "lighthouse", "library", "harbor", "union_hall")
STORING = kinds_with("storehouse", "large_warehouse")
LOADED = [{"good": "tobacco", "barrels": 1}, {"good": "coffee", "barrels": 1}]


def ships(first: str | None = None, barrels: int = 1) -> list[dict[str, Any]]:
    """Ships of 4 and 5 spaces with tobacco and coffee; the one of 6 spaces is empty or carries another good."""
    return [*LOADED, {"good": first, "barrels": barrels} if first else {}]


BLOCKED = ships("sugar")  # neither corn nor indigo can be loaded


def captain(*boards: dict[str, Any], picker: int = 0, kinds: list[str] = SHIPPING, **more: Any) -> Table:
    """The captain has just been picked, by player 0 unless said otherwise."""
    options = {name: more.pop(name) for name in ("small_wharf_harbor",) if name in more}
    all_boards = [*boards, *[{}] * (3 - len(boards))]
    position = {"governor": picker, "boards": all_boards, "ships": BLOCKED, **more}
    return Table(3, position, buildings=kinds, **options).play("pick", "captain")


def sailor(*boards: dict[str, Any], **more: Any) -> Table:
    """Player 2 is the captain and has nothing, so that player 0 comes first and has no privilege."""
    return captain(*boards, picker=2, **more)


FULL = [{"good": "corn", "barrels": 4}, {"good": "indigo", "barrels": 5}, {"good": "sugar", "barrels": 6}]


def stranded(board: dict[str, Any], kinds: list[str] = SHIPPING) -> Table:
    """It is player 0's turn, and all ships are full."""
    position = {"phase": "captain", "governor": 2, "player": 0, "boards": [board, {}, {}], "ships": FULL}
    return Table(3, position, buildings=kinds)


def ship(table: Table, *barrels: int) -> Table:
    """Use the small wharf with a number of barrels of each good held."""
    table.play(*SMALL_WHARF)
    for count in barrels:
        table.play("ship", count)
    return table


# -- lighthouse --------------------------------------------------------------------------------------------------------


def test_worked_example_lighthouse() -> None:
    city = {"lighthouse": 1, "wharf": 1, "small_wharf": 1}
    board = {"city": city, "goods": {"corn": 2, "indigo": 3, "sugar": 3}}
    table = captain(board, ships=ships("corn"))
    table.play("load", "corn", 2)
    assert (table.chips(0), table.doubloons(0)) == (3, 2)
    table.play("wharf", "indigo")
    assert (table.chips(0), table.doubloons(0)) == (3 + 3, 2 + 1)
    ship(table, 3)
    assert (table.chips(0), table.doubloons(0)) == (3 + 3 + 1, 2 + 1 + 1)


def test_the_captain_s_lighthouse_pays_without_loading() -> None:
    assert captain({"city": {"lighthouse": 1}}).doubloons(0) == 1
    assert captain({"city": {"lighthouse": 0}}).doubloons(0) == 0
    assert captain({}, {"city": {"lighthouse": 1}}).doubloons(1) == 0


def test_others_lighthouse_pays_for_each_load_only() -> None:
    board = {"city": {"lighthouse": 1}, "goods": {"sugar": 2, "tobacco": 2}}
    table = sailor(board).play("load", "sugar", 2)
    assert (table.chips(0), table.doubloons(0)) == (4, 2)  # the tobacco follows without a choice


def test_an_unmanned_lighthouse_pays_nothing() -> None:
    board = {"city": {"lighthouse": 0}, "goods": {"sugar": 2}}
    assert captain(board).doubloons(0) == 0


def test_harbor_and_lighthouse_both_pay_for_a_load() -> None:
    board = {"city": {"lighthouse": 1, "harbor": 1}, "goods": {"sugar": 2}}
    table = captain(board)
    assert (table.chips(0), table.doubloons(0)) == (2 + 1 + 1, 1 + 1)


# -- union hall --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goods", "points"),
    [
        ({"corn": 3, "indigo": 2, "coffee": 1}, 2),
        ({"corn": 4, "coffee": 2}, 3),
        ({"coffee": 1, "corn": 1, "indigo": 1}, 0),
        ({"coffee": 7}, 3),
    ],
)
def test_worked_examples_union_hall(goods: dict[str, int], points: int) -> None:
    def chips(colonists: int) -> int:
        table = sailor({"city": {"union_hall": colonists}, "goods": goods}, {"goods": {"coffee": 1}}, kinds=UNION)
        return table.chips(0)  # the coffee is loaded without a choice

    loaded = min(4, goods["coffee"])  # the coffee ship of 5 spaces has 4 left
    assert chips(1) == points + loaded
    assert chips(0) == loaded


def test_the_union_hall_pays_before_the_first_load_only() -> None:
    board = {"city": {"union_hall": 1}, "goods": {"sugar": 2, "tobacco": 2, "coffee": 2}}
    table = sailor(board, kinds=UNION).play("load", "sugar", 2)
    assert table.chips(0) == 3 + 2
    table.play("load", "tobacco", 0)
    assert table.chips(0) == 3 + 2 + 2 + 2


def test_the_union_hall_pays_nothing_to_who_loads_nothing() -> None:
    table = sailor({"city": {"union_hall": 1}, "goods": {"corn": 4}}, kinds=UNION)
    assert (table.chips(0), table.phase) == (0, "store")


def test_the_union_hall_counts_what_is_held_at_the_owner_s_first_load() -> None:
    boards = [{"goods": {"sugar": 1}}, {"city": {"union_hall": 1}, "goods": {"sugar": 2, "corn": 2}}]
    table = captain(*boards, kinds=UNION)
    assert (table.chips(0), table.chips(1)) == (1 + 1, 2 + 2)


def test_union_hall_with_the_small_wharf_counts_all_barrels_before_they_leave() -> None:
    board = {"city": {"union_hall": 1, "small_wharf": 1}, "goods": {"corn": 4, "indigo": 2}}
    table = ship(sailor(board, kinds=UNION), 3, 0)
    assert table.chips(0) == 3 + 1
    assert table.goods(0) == {"corn": 1, "indigo": 2}


def test_union_hall_and_the_small_wharf_after_a_load_pays_no_second_time() -> None:
    board = {"city": {"union_hall": 1, "small_wharf": 1}, "goods": {"sugar": 2, "corn": 2}}
    table = sailor(board, kinds=UNION).play("load", "sugar", 2)
    assert table.chips(0) == 2 + 2
    assert ship(table, 2).chips(0) == 2 + 2 + 1


def test_union_hall_harbor_lighthouse_and_the_captain_s_point_together() -> None:
    city = {"union_hall": 1, "harbor": 1, "lighthouse": 1}
    table = captain({"city": city, "goods": {"sugar": 4}}, kinds=UNION)
    assert (table.chips(0), table.doubloons(0)) == (2 + 4 + 1 + 1, 1 + 1)


def test_points_of_the_union_hall_can_end_the_game() -> None:
    boards = [{"city": {"union_hall": 1}, "goods": {"sugar": 2}, "chips": 72}]
    table = sailor(*boards, kinds=UNION)
    assert (table.chips(0), table.now["chips_supply"], table.now["ending"]) == (72 + 1 + 2, 0, ["chips"])


# -- small wharf -------------------------------------------------------------------------------------------------------


def test_worked_example_small_wharf() -> None:
    board = {"city": {"small_wharf": 1}, "goods": {"corn": 3, "sugar": 2, "tobacco": 3}}
    table = stranded(board)
    supply = table.now["goods_supply"]
    table = ship(table, 3, 1, 2)
    assert table.chips(0) == 3
    assert (table.phase, table.goods(0)) == ("store", {"sugar": 1, "tobacco": 1})
    sent = {"corn": 3, "sugar": 1, "tobacco": 2}
    assert table.now["goods_supply"] == {good: count + sent.get(good, 0) for good, count in supply.items()}


@pytest.mark.parametrize(("barrels", "points"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_the_small_wharf_pays_a_point_for_two_barrels(barrels: int, points: int) -> None:
    table = ship(sailor({"city": {"small_wharf": 1}, "goods": {"corn": 5}}), barrels)
    assert table.chips(0) == points


def test_odd_barrels_of_different_kinds_make_pairs() -> None:
    board = {"city": {"small_wharf": 1}, "goods": {"corn": 1, "indigo": 1, "sugar": 1}}
    assert ship(stranded(board), 1, 1, 1).chips(0) == 1


def test_any_barrels_but_at_least_one_each_choice_in_one_way() -> None:
    board = {"city": {"small_wharf": 1}, "goods": {"corn": 2, "indigo": 1, "sugar": 2}}
    table = stranded(board).play(*SMALL_WHARF)
    names = ("corn", "indigo", "sugar")
    found = all_outcomes(table, {"small_wharf"}, lambda after: tuple(after.goods(0).get(name, 0) for name in names))
    assert sorted(found) == [left for left in itertools.product(range(3), range(2), range(3)) if left != (2, 1, 2)]


def test_the_small_wharf_is_never_forced() -> None:
    table = sailor({"city": {"small_wharf": 1}, "goods": {"corn": 1}})
    assert table.legal == {("pass",), SMALL_WHARF}
    table.play("pass")
    assert (table.phase, table.goods(0)) == ("pick_role", {"corn": 1})


def test_the_small_wharf_may_take_the_place_of_a_load() -> None:
    table = sailor({"city": {"small_wharf": 1}, "goods": {"corn": 1, "sugar": 2}})
    assert table.legal == {SMALL_WHARF, ("load", "sugar", 2)}
    ship(table, 0, 2)
    assert (table.chips(0), table.goods(0)) == (1, {"corn": 1})


def test_what_the_small_wharf_leaves_must_still_be_loaded() -> None:
    table = ship(sailor({"city": {"small_wharf": 1}, "goods": {"corn": 1, "sugar": 2}}), 1, 0)
    assert (table.chips(0), table.goods(0)) == (0 + 2, {})


def test_the_small_wharf_once_a_phase() -> None:
    table = ship(sailor({"city": {"small_wharf": 1}, "goods": {"corn": 4}}), 2)
    assert (table.phase, table.goods(0)) == ("store", {"corn": 2})


def test_who_passes_may_still_use_the_small_wharf_on_a_later_turn() -> None:
    boards = [{"city": {"small_wharf": 1}, "goods": {"corn": 2}}, {"goods": {"sugar": 1, "tobacco": 1}}]
    table = sailor(*boards).play("pass").play("load", "sugar", 2)
    assert (table.player, table.legal) == (0, {("pass",), SMALL_WHARF})
    assert ship(table, 2).chips(0) == 1


def test_an_unmanned_small_wharf_or_one_without_barrels_does_nothing() -> None:
    assert sailor({"city": {"small_wharf": 0}, "goods": {"corn": 1}}).phase == "pick_role"
    assert sailor({"city": {"small_wharf": 1}}).phase == "pick_role"


@pytest.mark.parametrize(("option", "bonus"), [("use", 1), ("kind", 3)])
def test_the_harbor_pays_for_a_use_of_the_small_wharf_or_for_each_kind(option: str, bonus: int) -> None:
    board = {"city": {"small_wharf": 1, "harbor": 1}, "goods": {"corn": 2, "indigo": 3, "sugar": 1}}
    table = ship(sailor(board, small_wharf_harbor=option), 2, 1, 1)
    assert table.chips(0) == 4 // 2 + bonus


@pytest.mark.parametrize("option", ["use", "kind"])
def test_kinds_that_stay_behind_bring_the_harbor_nothing(option: str) -> None:
    board = {"city": {"small_wharf": 1, "harbor": 1}, "goods": {"corn": 2, "indigo": 3}}
    assert ship(sailor(board, small_wharf_harbor=option), 1, 0).chips(0) == 0 + 1


@pytest.mark.parametrize("option", ["use", "kind"])
def test_the_harbor_pays_once_for_any_other_load(option: str) -> None:
    board = {"city": {"wharf": 1, "harbor": 1}, "goods": {"corn": 2, "sugar": 1}}
    table = sailor(board, small_wharf_harbor=option).play("wharf", "corn")
    assert table.chips(0) == 2 + 1 + 1 + 1


def test_wharf_and_small_wharf_on_different_turns() -> None:
    board = {"city": {"wharf": 1, "small_wharf": 1}, "goods": {"corn": 3, "indigo": 2}}
    table = ship(sailor(board), 2, 1)
    assert table.legal == {("pass",), ("wharf", "corn"), ("wharf", "indigo")}
    table.play("wharf", "corn")
    assert (table.chips(0), table.goods(0), table.phase) == (1 + 1, {"indigo": 1}, "pick_role")


def test_the_captain_s_first_load_may_be_by_the_small_wharf() -> None:
    board = {"city": {"small_wharf": 1}, "goods": {"corn": 1, "sugar": 1}}
    table = ship(captain(board), 1, 0)
    assert table.chips(0) == (0 + 1) + 1  # the sugar follows, without the privilege


def test_others_use_the_small_wharf_too() -> None:
    boards = [{}, {"city": {"small_wharf": 1, "lighthouse": 1}, "goods": {"corn": 2}}]
    table = ship(captain(*boards), 2)
    assert (table.chips(1), table.doubloons(1)) == (1, 1)


# -- library -----------------------------------------------------------------------------------------------------------


def test_the_library_gives_the_captain_two_points_more_for_the_first_load_only() -> None:
    board = {"city": {"library": 1}, "goods": {"sugar": 2, "tobacco": 1}}
    assert captain(board).play("load", "sugar", 2).chips(0) == 2 + 2 + 1
    assert captain(board | {"city": {"library": 0}}).play("load", "sugar", 2).chips(0) == 2 + 1 + 1
    assert sailor(board).play("load", "sugar", 2).chips(0) == 2 + 1


def test_library_and_small_wharf() -> None:
    board = {"city": {"library": 1, "small_wharf": 1}, "goods": {"corn": 2}}
    assert ship(captain(board), 1).chips(0) == 0 + 2


def test_the_library_does_not_double_the_captain_s_doubloon_of_the_lighthouse() -> None:
    assert captain({"city": {"library": 1, "lighthouse": 1}}).doubloons(0) == 1


def test_no_load_no_doubled_privilege() -> None:
    assert captain({"city": {"library": 1}, "goods": {"corn": 1}}).chips(0) == 0


# -- storehouse --------------------------------------------------------------------------------------------------------


def store(goods: dict[str, int], **city: int) -> Table:
    return Table(3, {"phase": "store", "boards": [{"goods": goods, "city": city}, {}, {}]}, buildings=STORING)


def kept(goods: dict[str, int], table: Table) -> tuple[int, ...]:
    return tuple(table.goods(0).get(good, 0) for good in goods)


def allowed(goods: dict[str, int], kinds: int, loose: int) -> list[tuple[int, ...]]:
    """All outcomes of the rulebook: some kinds whole in warehouses, a number of loose barrels of the rest."""
    results = set()
    for whole in itertools.product((False, True), repeat=len(goods)):
        if sum(whole) > kinds:
            continue
        for barrels in itertools.product(*(range(count + 1) for count in goods.values())):
            rest = [count for count, stored in zip(barrels, whole, strict=True) if not stored]
            if sum(rest) <= loose:
                pairs = zip(goods.values(), barrels, whole, strict=True)
                results.add(tuple(held if stored else count for held, count, stored in pairs))
    return sorted(results)


def test_worked_example_storehouse_and_large_warehouse_keep_two_kinds_and_four_barrels() -> None:
    goods = {"corn": 6, "indigo": 5, "sugar": 3, "tobacco": 2, "coffee": 1}
    table = store(goods, storehouse=1, large_warehouse=1)
    table.play("store", "all").play("store", "all").play("keep", 2).play("store", "one").play("store", "all")
    assert kept(goods, table) == (6, 5, 2, 1, 1)
    table = store(goods, storehouse=1, large_warehouse=1)
    table.play("store", "all").play("store", "all").play("store", "all").play("store", "one")
    assert kept(goods, table) == (6, 5, 3, 1, 0)


@pytest.mark.parametrize(
    ("goods", "city"),
    [
        ({"corn": 5}, {"storehouse": 1}),
        ({"corn": 4, "indigo": 1}, {"storehouse": 1}),
        ({"corn": 2, "indigo": 1, "sugar": 1, "tobacco": 1, "coffee": 1}, {"storehouse": 1}),
        ({"corn": 3, "indigo": 2, "sugar": 2}, {"storehouse": 1}),
        ({"corn": 6, "indigo": 2}, {"storehouse": 1}),
        ({"corn": 2, "indigo": 2, "sugar": 2, "tobacco": 2}, {"storehouse": 0}),
        ({"corn": 3, "indigo": 3, "sugar": 3, "tobacco": 3}, {"storehouse": 1, "large_warehouse": 1}),
        ({"corn": 1, "indigo": 5, "sugar": 3, "tobacco": 2, "coffee": 2}, {"storehouse": 1, "large_warehouse": 1}),
        ({"corn": 6, "indigo": 1, "sugar": 4, "tobacco": 5}, {"storehouse": 1, "large_warehouse": 1}),
        ({"corn": 5, "indigo": 6, "sugar": 1, "tobacco": 2}, {"storehouse": 1, "large_warehouse": 0}),
        ({"corn": 5, "indigo": 6, "sugar": 1, "tobacco": 2}, {"storehouse": 0, "large_warehouse": 1}),
    ],
)
def test_every_way_to_store_is_reached_by_exactly_one_sequence(goods: dict[str, int], city: dict[str, int]) -> None:
    kinds, loose = 2 * city.get("large_warehouse", 0), 1 + 3 * city["storehouse"]
    found = all_outcomes(store(goods, **city), {"store"}, lambda after: kept(goods, after))
    assert sorted(found) == allowed(goods, kinds, loose)


@pytest.mark.parametrize(
    ("goods", "city"),
    [
        ({"corn": 4}, {"storehouse": 1}),
        ({"corn": 1, "indigo": 1, "sugar": 2}, {"storehouse": 1}),
        ({"corn": 6, "indigo": 5, "sugar": 3, "tobacco": 1}, {"storehouse": 1, "large_warehouse": 1}),
        ({"corn": 1, "indigo": 2, "sugar": 5, "tobacco": 1, "coffee": 8}, {"storehouse": 1, "large_warehouse": 1}),
    ],
)
def test_what_fits_is_kept_without_asking(goods: dict[str, int], city: dict[str, int]) -> None:
    table = stranded({"goods": goods, "city": city}, STORING)
    assert (table.phase, table.goods(0)) == ("pick_role", goods)


def test_what_the_storehouse_does_not_keep_goes_back_to_the_supply() -> None:
    table = store({"corn": 6, "coffee": 2}, storehouse=1).play("keep", 3).play("store", "one")
    assert table.goods(0) == {"corn": 3, "coffee": 1}
    assert (table.now["goods_supply"]["corn"], table.now["goods_supply"]["coffee"]) == (7, 8)


def test_the_large_warehouse_alone_keeps_two_kinds_and_one_barrel_in_the_extended_game() -> None:
    goods = {"corn": 2, "indigo": 3, "sugar": 2, "tobacco": 1}
    found = all_outcomes(store(goods, large_warehouse=1), {"store"}, lambda after: kept(goods, after))
    assert sorted(found) == allowed(goods, 2, 1)


def test_every_player_s_storehouse_counts_for_them_only() -> None:
    boards = [{"goods": {"corn": 4}, "city": {"storehouse": 1}}, {"goods": {"corn": 4}}]
    table = captain(*boards, kinds=STORING)
    assert (table.phase, table.player, table.goods(0)) == ("store", 1, {"corn": 4})
    assert table.legal == {("store", "none"), ("store", "one")}
