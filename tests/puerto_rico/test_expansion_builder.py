"""Expansion I in the builder's phase: forests, black market, church, statue and library, alone and together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.outcomes import all_outcomes
from tests.puerto_rico.table import Table, kinds_with, tiles

KINDS = kinds_with("forest_house", "black_market", "church", "library", "university", "statue")
PAYING = ("pay_colonist", "pay_barrel")


def build(board: dict[str, Any], *, picker: bool = False, kinds: list[str] = KINDS, **position: Any) -> Table:
    """Player 0 is about to build; without the privilege unless they are the picker."""
    boards = [board, {"doubloons": 12}, {}]  # player 1 is always asked, so that the phase does not end
    picked = {"picker": 0 if picker else 2, "governor": 0 if picker else 2}
    return Table(3, {"phase": "builder", "player": 0, "boards": boards, **picked, **position}, buildings=kinds)


def price(board: dict[str, Any], building: str, *, picker: bool = False) -> int:
    """The price of the building: 20 doubloons less those that remain."""
    return 20 - build(board | {"doubloons": 20}, picker=picker).play("build", building).doubloons(0)


# -- forests -----------------------------------------------------------------------------------------------------------


def test_worked_example_six_forests_two_quarries_and_the_builder_build_a_large_warehouse_for_nothing() -> None:
    board = {"forests": 6, "island": tiles(quarry=2)}
    table = build(board, picker=True)
    assert ("build", "large_warehouse") in table.legal
    assert table.play("build", "large_warehouse").board(0)["city"] == {"large_warehouse": 0}
    assert price(board, "large_warehouse") == 1
    assert price(board | {"forests": 5}, "large_warehouse", picker=True) == 1
    assert price(board | {"island": tiles(quarry=1)}, "large_warehouse", picker=True) == 1


@pytest.mark.parametrize(("forests", "reduction"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (6, 3), (11, 5)])
def test_two_forests_each_make_a_building_a_doubloon_cheaper(forests: int, reduction: int) -> None:
    assert price({"forests": forests}, "wharf") == 9 - reduction


def test_forests_know_no_column_and_count_on_top_of_the_quarries() -> None:
    assert price({"forests": 4, "island": tiles(quarry=3)}, "small_warehouse") == 3 - 2 - 1
    assert price({"forests": 8, "island": tiles(quarry=4)}, "fortress", picker=True) == 10 - 4 - 4 - 1
    assert price({"forests": 12}, "small_sugar_mill") == 0  # never below


@pytest.mark.parametrize("city", [{}, {"forest_house": 0}, {"forest_house": 1}])
def test_forests_count_whether_the_forest_house_works_or_not(city: dict[str, int]) -> None:
    assert price({"forests": 4, "city": city}, "wharf") == 7


# -- library -----------------------------------------------------------------------------------------------------------


def test_with_the_library_the_builder_pays_two_less() -> None:
    assert price({"city": {"library": 1}}, "wharf", picker=True) == 7
    assert price({"city": {"library": 0}}, "wharf", picker=True) == 8
    assert price({"city": {"library": 1}}, "wharf") == 9


def test_library_quarries_and_forests_add_up() -> None:
    board = {"forests": 5, "island": tiles(quarry=4), "city": {"library": 1}}
    assert price(board, "wharf", picker=True) == 9 - 2 - 3 - 2
    assert price(board, "office", picker=True) == 0  # 5 - 2 - 2 - 2


def test_the_library_just_built_does_not_help_its_own_building() -> None:
    assert price({}, "library", picker=True) == 7


# -- black market ------------------------------------------------------------------------------------------------------

MARKET: dict[str, Any] = {"city": {"black_market": 1}}
HARBOR = kinds_with("black_market", "harbor", "church")


def test_worked_example_black_market() -> None:
    board = MARKET | {"doubloons": 6, "goods": {"indigo": 1}, "san_juan": 1, "chips": 1}
    table = build(board, kinds=HARBOR)
    before = table.now
    table.play("build", "harbor")
    assert (table.phase, table.legal) == ("pay_colonist", {("pass",), ("pay_colonist", "san_juan")})
    table.play("pay_colonist", "san_juan")
    assert (table.phase, table.legal) == ("pay_barrel", {("pass",), ("pay_barrel", "indigo")})
    table.play("pay_barrel", "indigo")
    # Two things for two doubloons; a third one would leave money over.
    assert (table.phase, table.player) == ("builder", 1)
    board = table.board(0)
    assert (board["doubloons"], table.goods(0), board["san_juan"], board["chips"]) == (0, {}, 0, 1)
    assert board["city"] == {"black_market": 1, "harbor": 0}
    assert table.now["colonist_supply"] == before["colonist_supply"] + 1
    assert table.now["goods_supply"]["indigo"] == before["goods_supply"]["indigo"] + 1
    assert table.now["chips_supply"] == before["chips_supply"]


def paid(before: dict[str, Any], after: Table) -> tuple[int, int, int]:
    """The numbers of colonists, barrels and chips that player 0 has paid."""

    def has(board: dict[str, Any]) -> tuple[int, int, int]:
        colonists = board["san_juan"] + sum(entry["colonists"] for entry in board["island"].values())
        return colonists + sum(board["city"].values()), sum(board["goods"].values()), board["chips"]

    first, second = has(before), has(after.board(0))
    return first[0] - second[0], first[1] - second[1], first[2] - second[2]


@pytest.mark.parametrize(
    ("doubloons", "ways"),
    [
        (7, [(0, 0, 1), (0, 1, 0), (1, 0, 0)]),
        (6, [(0, 1, 1), (1, 0, 1), (1, 1, 0)]),
        (5, [(1, 1, 1)]),
    ],
)
def test_exactly_as_many_things_as_doubloons_are_missing_each_choice_in_one_way(
    doubloons: int, ways: list[tuple[int, int, int]]
) -> None:
    board = MARKET | {"doubloons": doubloons, "goods": {"indigo": 3}, "san_juan": 2, "chips": 4}
    table = build(board, kinds=HARBOR)
    before = table.board(0)
    table.play("build", "harbor")
    assert sorted(all_outcomes(table, PAYING, lambda after: paid(before, after))) == ways


def test_every_kind_and_place_can_be_paid_with_in_one_way() -> None:
    board = {
        "doubloons": 6,
        "goods": {"corn": 2, "coffee": 1},
        "island": tiles(corn=1, quarry=1) | {"sugar": {"tiles": 1}},
        "city": {"black_market": 1, "indigo_plant": 2, "office": 0},
        "chips": 5,
    }
    table = build(board, kinds=HARBOR)
    table.play("build", "wharf")  # 9 - 1 quarry - 6 doubloons

    def tell(after: Table) -> tuple[Any, ...]:
        board = after.board(0)
        manned = [entry["colonists"] for entry in board["island"].values()]
        return (*manned, board["city"]["indigo_plant"], *after.goods(0).items(), board["chips"])

    found = all_outcomes(table, PAYING, tell)
    # two missing: a colonist of 3 places and one of 2 barrels, a colonist and the chip, a barrel and the chip
    assert len(found) == 3 * 2 + 3 + 2
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("thing", "building"),
    [
        ({"goods": {"corn": 1}}, "harbor"),
        ({"chips": 1}, "harbor"),
        ({"san_juan": 1}, "harbor"),
        ({"island": tiles(corn=1)}, "harbor"),
        ({"city": {"black_market": 1, "small_market": 1}}, "harbor"),
    ],
)
def test_each_thing_alone_is_worth_one_doubloon(thing: dict[str, Any], building: str) -> None:
    table = build(MARKET | thing | {"doubloons": 7}, kinds=HARBOR)
    before = table.board(0)
    assert ("build", building) in table.legal
    table.play("build", building)  # the only way to pay is automatic
    assert (table.phase, table.player) == ("builder", 1)
    assert sum(paid(before, table)) == 1
    assert table.doubloons(0) == 0
    assert ("build", building) not in build(MARKET | thing | {"doubloons": 6}, kinds=HARBOR).legal


def test_three_doubloons_at_most() -> None:
    things = {"goods": {"corn": 5, "coffee": 2}, "chips": 9, "san_juan": 5}
    table = build(MARKET | things | {"doubloons": 5}, kinds=HARBOR)
    assert ("build", "harbor") in table.legal
    assert ("build", "wharf") not in table.legal


def test_the_colonist_on_the_black_market_is_not_payable() -> None:
    assert ("build", "harbor") not in build(MARKET | {"doubloons": 7}, kinds=HARBOR).legal


def test_an_unmanned_black_market_pays_nothing() -> None:
    board = {"doubloons": 7, "city": {"black_market": 0}, "san_juan": 1, "goods": {"corn": 1}, "chips": 1}
    assert ("build", "harbor") not in build(board, kinds=HARBOR).legal


def test_nothing_is_given_when_the_doubloons_suffice() -> None:
    things = {"goods": {"corn": 1}, "chips": 1, "san_juan": 1}
    table = build(MARKET | things | {"doubloons": 8}, kinds=HARBOR).play("build", "harbor")
    assert (table.phase, table.player) == ("builder", 1)
    assert (table.goods(0), table.chips(0), table.board(0)["san_juan"]) == ({"corn": 1}, 1, 1)


def test_the_price_on_the_black_market_counts_forests_quarries_and_privilege() -> None:
    board = MARKET | {"doubloons": 0, "forests": 4, "island": tiles(quarry=2), "goods": {"corn": 1}, "chips": 1}
    table = build(board, picker=True, kinds=HARBOR)
    assert ("build", "harbor") in table.legal  # 8 - 1 - 2 - 2 = 3: the quarry's colonist, the corn and the chip
    table.play("build", "harbor")
    assert table.board(0)["island"]["quarry"]["colonists"] == 1
    assert (table.goods(0), table.chips(0), table.doubloons(0)) == ({}, 0, 0)
    assert table.board(0)["city"]["harbor"] == 0


def test_the_colonist_of_a_quarry_may_pay_and_the_quarry_still_counts() -> None:
    board = MARKET | {"doubloons": 6, "island": tiles(quarry=1)}
    table = build(board, kinds=HARBOR).play("build", "harbor")  # 8 - 1 = 7: one is missing
    assert table.board(0)["island"] == {"quarry": {"tiles": 1, "colonists": 0}}
    assert table.board(0)["city"] == {"black_market": 1, "harbor": 0}
    assert table.doubloons(0) == 0


def test_the_colonist_of_the_library_may_pay_and_the_privilege_is_still_doubled() -> None:
    board = {"doubloons": 6, "city": {"black_market": 1, "library": 1}}
    table = build(board, picker=True).play("build", "wharf")  # 9 - 2 = 7
    assert table.board(0)["city"] == {"black_market": 1, "library": 0, "wharf": 0}


def test_the_colonist_of_the_church_may_pay_and_then_brings_no_point() -> None:
    board = {"doubloons": 7, "city": {"black_market": 1, "church": 1}, "goods": {"corn": 1}}
    table = build(board, kinds=HARBOR).play("build", "harbor")
    assert table.legal == {("pass",), ("pay_colonist", "church")}
    assert build(board, kinds=HARBOR).play("build", "harbor").play("pay_colonist", "church").chips(0) == 0
    assert table.play("pass").chips(0) == 1  # the barrel pays, the church works


def test_the_church_s_point_comes_too_late_to_pay() -> None:
    board = {"doubloons": 6, "city": {"black_market": 1, "church": 1}}
    # The church's colonist could be paid, but the chip that the church brings is not there yet.
    assert ("build", "harbor") not in build(board, kinds=HARBOR).legal


def test_a_chip_is_paid_before_the_church_brings_one() -> None:
    board = {"doubloons": 5, "city": {"black_market": 1, "church": 1}, "chips": 2, "goods": {"corn": 1}}
    table = build(board, kinds=HARBOR).play("build", "harbor")  # the church's colonist, the corn and a chip
    assert (table.chips(0), table.goods(0), table.board(0)["city"]["church"]) == (2 - 1, {}, 0)
    table = build(board | {"doubloons": 6}, kinds=HARBOR).play("build", "harbor").play("pass")
    assert (table.chips(0), table.goods(0), table.board(0)["city"]["church"]) == (2 - 1 + 1, {}, 1)


def test_the_colonist_of_the_university_may_pay_and_then_mans_nothing() -> None:
    board = {"doubloons": 8, "city": {"black_market": 1, "university": 1}, "goods": {"corn": 1}}
    table = build(board).play("build", "wharf").play("pay_colonist", "university")
    assert (table.phase, table.player) == ("builder", 1)
    assert table.board(0)["city"]["wharf"] == 0
    table = build(board).play("build", "wharf").play("pass")
    assert table.phase == "university"


def test_a_city_without_space_builds_nothing_on_the_black_market() -> None:
    small = ("small_market", "hacienda", "small_warehouse", "hospice", "office", "church", "large_warehouse")
    city = dict.fromkeys((*small, "factory", "university", "harbor", "indigo_plant"), 0)
    kinds = kinds_with("black_market", "church", "university", "harbor", "hacienda")
    board = {"doubloons": 9, "city": city | {"black_market": 1}, "goods": {"corn": 1}}
    table = build(board, kinds=kinds)
    assert (table.phase, table.player) == ("builder", 1)


def test_a_chip_that_is_paid_goes_back_to_the_supply() -> None:
    table = build(MARKET | {"doubloons": 7, "chips": 3}, kinds=HARBOR).play("build", "harbor")
    assert (table.chips(0), table.now["chips_supply"]) == (2, 75 - 2)


def test_the_end_by_chips_is_not_undone() -> None:
    table = build(MARKET | {"doubloons": 7, "chips": 75}, kinds=HARBOR, ending=["chips"]).play("build", "harbor")
    assert (table.chips(0), table.now["chips_supply"], table.now["ending"]) == (74, 1, ["chips"])


def test_points_counted_on_without_chips_are_given_back_first() -> None:
    table = build(MARKET | {"doubloons": 7, "chips": 77}, kinds=HARBOR, ending=["chips"]).play("build", "harbor")
    assert (table.chips(0), table.now["chips_supply"], table.now["ending"]) == (76, 0, ["chips"])


def test_the_end_by_colonists_is_not_undone() -> None:
    board = MARKET | {"doubloons": 7, "san_juan": 54}
    table = build(board, kinds=HARBOR, ending=["colonists"], colonist_ship=3).play("build", "harbor")
    assert (table.now["colonist_supply"], table.now["ending"]) == (1, ["colonists"])


def test_who_could_pay_on_the_black_market_may_still_decline() -> None:
    table = build(MARKET | {"doubloons": 7, "chips": 3}, kinds=HARBOR)
    assert ("pass",) in table.legal
    table.play("pass")
    assert (table.chips(0), table.doubloons(0)) == (3, 7)


def test_the_black_market_does_not_pay_for_itself() -> None:
    table = build({"doubloons": 1, "goods": {"corn": 1}, "chips": 1, "san_juan": 1})
    assert ("build", "black_market") not in table.legal


# -- church ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("building", "points"),
    [
        ("small_market", 0),
        ("small_indigo_plant", 0),
        ("small_warehouse", 0),
        ("indigo_plant", 1),
        ("hospice", 1),
        ("large_warehouse", 1),
        ("tobacco_storage", 1),
        ("library", 1),
        ("wharf", 1),
        ("fortress", 2),
        ("statue", 2),
    ],
)
def test_the_church_pays_by_the_column(building: str, points: int) -> None:
    board = {"doubloons": 12, "city": {"church": 1}}
    assert build(board).play("build", building).chips(0) == points
    assert build(board | {"city": {"church": 0}}).play("build", building).chips(0) == 0


def test_only_the_builder_of_the_building_is_paid() -> None:
    table = build({"city": {"church": 1}}, player=1, picker=True)
    assert table.player == 1
    table.play("build", "wharf")
    assert (table.chips(0), table.chips(1)) == (0, 0)


def test_the_church_pays_nothing_for_itself_even_with_a_university() -> None:
    table = build({"doubloons": 5, "city": {"university": 1}}).play("build", "church")
    assert table.play("take_colonist").board(0)["city"]["church"] == 1
    assert table.chips(0) == 0


def test_the_church_pays_nothing_for_itself_even_with_a_guesthouse() -> None:
    kinds = kinds_with("church", "guesthouse")
    boards = [{"doubloons": 5, "city": {"guesthouse": 2}}, {"doubloons": 5}, {}]
    table = Table(3, {"boards": boards}, buildings=kinds).play("pick", "builder").play("build", "church")
    assert table.player == 1
    assert table.chips(0) == 0


def test_the_church_ends_the_game_with_the_last_chip() -> None:
    table = build({"doubloons": 12, "city": {"church": 1}, "chips": 74}, chips_supply=1)
    assert table.now["ending"] == []
    table.play("build", "small_indigo_plant")
    assert table.now["ending"] == []  # nothing for the first column
    table = build({"doubloons": 12, "city": {"church": 1}, "chips": 74}, chips_supply=1).play("build", "fortress")
    assert (table.chips(0), table.now["chips_supply"], table.now["ending"]) == (76, 0, ["chips"])
    while table.phase not in ("pick_role", "game_over"):
        table.play("pass")
    assert table.phase == "pick_role"  # the round is played to its end


def test_church_and_university_both_work_on_a_building() -> None:
    table = build({"doubloons": 12, "city": {"university": 1, "church": 1}}).play("build", "fortress")
    assert (table.phase, table.chips(0)) == ("university", 2)
    table.play("take_colonist")
    assert (table.board(0)["city"]["fortress"], table.chips(0)) == (1, 2)


def test_the_church_s_last_chip_ends_the_game() -> None:
    table = build({"doubloons": 12, "chips": 74, "city": {"church": 1}}).play("build", "fortress")
    assert (table.chips(0), table.now["chips_supply"], table.now["ending"]) == (76, 0, ["chips"])


def test_a_building_for_nothing_still_brings_the_church_s_point() -> None:
    assert build({"forests": 12, "city": {"church": 1}}).play("build", "large_warehouse").chips(0) == 1


# -- statue ------------------------------------------------------------------------------------------------------------


def test_the_university_s_colonist_for_a_statue_goes_to_san_juan() -> None:
    table = build({"doubloons": 10, "city": {"university": 1}})
    supply = table.now["colonist_supply"]
    table.play("build", "statue")
    assert (table.phase, table.legal) == ("university", {("pass",), ("take_colonist",)})
    table.play("take_colonist")
    assert table.board(0)["city"] == {"university": 1, "statue": 0}
    assert (table.board(0)["san_juan"], table.now["colonist_supply"]) == (1, supply - 1)


def test_the_statue_takes_two_spaces_and_four_quarries() -> None:
    eleven = dict.fromkeys(("small_market", "forest_house", "black_market", "small_warehouse", "hospice", "church"), 0)
    eleven |= dict.fromkeys(("office", "large_warehouse", "factory", "library", "university"), 0)
    assert ("build", "statue") not in build({"doubloons": 12, "city": eleven}).legal
    del eleven["library"]
    table = build({"doubloons": 6, "city": eleven, "island": tiles(quarry=5)})
    assert ("build", "statue") in table.legal
    assert table.play("build", "statue").now["ending"] == ["city"]


def test_nobody_works_in_a_statue() -> None:
    boards = [{"city": {"statue": 0, "small_market": 0}, "san_juan": 2}, {}, {}]
    table = Table(3, {"boards": boards, "colonist_ship": 3}, buildings=KINDS).play("pick", "mayor").play("pass")
    assert table.board(0)["city"] == {"statue": 0, "small_market": 1}
    assert table.board(0)["san_juan"] == 2


@pytest.mark.parametrize("balanced", [False, True])
def test_quarries_and_forests_on_balanced_prices(balanced: bool) -> None:
    kinds = kinds_with("university", "library", "factory", "forest_house")
    board = {"doubloons": 10, "forests": 2, "island": tiles(quarry=4)}

    def cost(building: str) -> int:
        position = {"phase": "builder", "boards": [board, {"doubloons": 9}, {}]}
        return 10 - Table(3, position, buildings=kinds, balanced=balanced).play("build", building).doubloons(0)

    discount = 1 + 3 + 1  # builder, column 3, two forests
    assert cost("university") == (7 if balanced else 8) - discount
    assert cost("factory") == (8 if balanced else 7) - discount
    assert cost("library") == 8 - discount
