"""Captain: loading, the wharf, the harbor, points, storing, emptying ships."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.puerto_rico.table import Name, Table


def captain(players: int = 3, **position: Any) -> Table:
    return Table(players, {"phase": "captain", **position})


def ships(*loads: tuple[str, int] | None) -> list[dict[str, Any]]:
    return [{} if load is None else {"good": load[0], "barrels": load[1]} for load in loads]


def test_worked_example_four_players() -> None:
    boards = [
        {"goods": {"corn": 2, "sugar": 6}},
        {"goods": {"sugar": 2, "tobacco": 3}},
        {"goods": {"corn": 2, "tobacco": 1}},
        {"goods": {"corn": 1, "indigo": 5}},
    ]
    table = captain(4, boards=boards, ships=ships(None, ("corn", 3), None))
    # The five spaces of ship 0 are not allowed for six sugar: the seven of ship 2 take more.
    assert table.legal == {("load", "corn", 1), ("load", "sugar", 2)}
    table.play("load", "sugar", 2)
    assert table.chips(0) == 7
    assert table.legal == {("load", "sugar", 2), ("load", "tobacco", 0)}
    table.play("load", "sugar", 2)
    assert table.chips(1) == 1
    assert table.legal == {("load", "corn", 1), ("load", "tobacco", 0)}
    table.play("load", "tobacco", 0)
    # The rest has one legal answer each and is played at once: D 1 corn, A 2 corn, B 3 tobacco.
    assert [table.chips(player) for player in range(4)] == [9, 4, 1, 1]
    # C holds 2 corn and is asked what to store; D would be next.
    assert (table.phase, table.player, table.goods(2)) == ("store", 2, {"corn": 2})
    table.play("store", "one").play("store", "one")
    assert (table.goods(2), table.goods(3)) == ({"corn": 1}, {"indigo": 1})
    after = [(ship["good"], ship["barrels"]) for ship in table.now["ships"]]
    assert after == [("tobacco", 4), (None, 0), (None, 0)]


def test_worked_example_harbor_and_wharf() -> None:
    owner = {"goods": {"tobacco": 5, "sugar": 2}, "city": {"harbor": 1, "wharf": 1}}
    loads = ships(("sugar", 1), ("tobacco", 2), ("corn", 1))
    table = captain(boards=[{}, owner, {}], player=1, ships=loads)
    table.play("load", "tobacco", 1)
    assert table.chips(1) == 3 + 1
    table.play("load", "sugar", 0)
    assert table.chips(1) == 3 + 1 + 2 + 1
    table.play("wharf", "tobacco")
    assert table.chips(1) == 3 + 1 + 2 + 1 + 2 + 1
    assert table.goods(1) == {}


def test_using_the_wharf_first_leaves_the_tobacco_ship_part_full() -> None:
    owner = {"goods": {"tobacco": 5, "sugar": 2}, "city": {"wharf": 1}}
    table = captain(boards=[{}, owner, {}], player=1, ships=ships(("sugar", 1), ("tobacco", 2), ("corn", 1)))
    table.play("wharf", "tobacco")
    assert table.chips(1) == 5 + 2  # the sugar follows without a choice
    assert table.now["ships"][1] == {"capacity": 5, "good": "tobacco", "barrels": 2}


def test_the_captain_gets_one_point_more_for_the_first_load_only() -> None:
    boards = [{"goods": {"corn": 2, "indigo": 2}}, {}, {}]
    table = captain(boards=boards).play("load", "corn", 0).play("load", "indigo", 1)
    assert table.chips(0) == 2 + 1 + 2


def test_no_load_no_privilege() -> None:
    boards = [{"goods": {"corn": 1}}, {"goods": {"corn": 2, "indigo": 1}}, {}]
    loads = ships(("sugar", 1), ("tobacco", 1), ("coffee", 1))
    table = captain(boards=boards, ships=loads)
    assert table.chips(0) == 0
    assert table.phase == "store"


def test_any_of_the_empty_ships_that_take_all() -> None:
    table = captain(boards=[{"goods": {"corn": 4}}, {}, {}])
    assert table.legal == {("load", "corn", 0), ("load", "corn", 1), ("load", "corn", 2)}
    table = captain(boards=[{"goods": {"corn": 5}}, {}, {}])
    assert table.legal == {("load", "corn", 1), ("load", "corn", 2)}
    table = captain(boards=[{"goods": {"corn": 9, "indigo": 1}}, {}, {}])
    assert table.legal == {("load", "corn", 2), *(("load", "indigo", ship) for ship in range(3))}


def test_a_good_on_a_ship_goes_nowhere_else_even_when_that_ship_is_full() -> None:
    boards = [{"goods": {"corn": 3, "indigo": 1}}, {}, {}]
    table = captain(boards=boards, ships=ships(("corn", 4), None, None))
    assert table.legal == {("load", "indigo", 1), ("load", "indigo", 2)}
    table = captain(boards=boards, ships=ships(("corn", 3), None, None))
    assert ("load", "corn", 0) in table.legal
    assert ("load", "corn", 1) not in table.legal


def test_who_can_load_must() -> None:
    table = captain(boards=[{"goods": {"corn": 1, "indigo": 1}}, {}, {}])
    assert ("pass",) not in table.legal


def test_the_player_chooses_freely_among_kinds() -> None:
    table = captain(boards=[{"goods": {"corn": 1, "indigo": 5}}, {}, {}])
    assert {name[1] for name in table.legal} == {"corn", "indigo"}


def test_loading_starts_with_the_captain_and_goes_round_until_nobody_can() -> None:
    boards = [{"goods": {"corn": 1, "indigo": 1}} for _ in range(3)]
    table = captain(boards=boards, picker=2)
    order = []
    while table.phase == "captain":
        order.append(table.player)
        table.play(*min(table.legal))
    assert order[:3] == [2, 0, 1]
    assert all(table.goods(player) == {} for player in range(3))


# -- wharf -------------------------------------------------------------------------------------------------------------

BLOCKED = ships(("sugar", 1), ("tobacco", 1), ("coffee", 1))  # neither corn nor indigo can be loaded


def test_the_wharf_is_never_forced() -> None:
    owner = {"goods": {"corn": 3}, "city": {"wharf": 1}}
    table = captain(boards=[owner, {}, {}], ships=BLOCKED)
    assert table.legal == {("pass",), ("wharf", "corn")}
    table.play("pass")
    assert table.phase == "store"


def test_with_a_ship_to_load_there_is_no_passing_but_the_wharf_may_take_its_place() -> None:
    owner = {"goods": {"corn": 3, "sugar": 1}, "city": {"wharf": 1}}
    table = captain(boards=[owner, {}, {}], ships=BLOCKED)
    assert table.legal == {("load", "sugar", 0), ("wharf", "corn"), ("wharf", "sugar")}


def test_who_passes_may_still_use_the_wharf_on_a_later_turn() -> None:
    owner = {"goods": {"corn": 3}, "city": {"wharf": 1}}
    loader = {"goods": {"sugar": 1, "tobacco": 1}}
    table = captain(boards=[owner, loader, {}], ships=BLOCKED).play("pass")
    table.play("load", "sugar", 0)
    assert table.player == 0
    assert table.legal == {("pass",), ("wharf", "corn")}
    table.play("wharf", "corn")
    assert table.chips(0) == 3 + 1  # the captain's first load


def test_the_wharf_once_a_phase_and_with_all_barrels_of_the_kind() -> None:
    owner = {"goods": {"corn": 3, "indigo": 2}, "city": {"wharf": 1}}
    table = captain(boards=[{}, owner, {}], player=1, ships=BLOCKED).play("wharf", "corn")
    assert table.chips(1) == 3
    assert table.now["goods_supply"]["corn"] == 10
    assert (table.phase, table.goods(1)) == ("store", {"indigo": 2})  # no second use


def test_an_unmanned_wharf_does_nothing() -> None:
    owner = {"goods": {"corn": 1}, "city": {"wharf": 0}}
    assert captain(boards=[owner, {}, {}], ships=BLOCKED).phase == "pick_role"


def test_the_wharf_takes_a_kind_that_is_on_a_ship() -> None:
    owner = {"goods": {"sugar": 6}, "city": {"wharf": 1}}
    table = captain(boards=[{}, owner, {}], player=1, ships=BLOCKED).play("wharf", "sugar")
    assert table.chips(1) == 6


# -- points ------------------------------------------------------------------------------------------------------------


def test_the_last_chip_ends_the_game_after_the_round_and_points_count_on() -> None:
    boards = [{"goods": {"corn": 4}, "chips": 36}, {"goods": {"corn": 1, "indigo": 2}, "chips": 36}, {}]
    table = captain(boards=boards)
    assert table.now["chips_supply"] == 3
    table.play("load", "corn", 0)
    assert table.chips(0) == 36 + 5
    assert table.now["chips_supply"] == 0
    assert table.now["ending"] == ["chips"]
    table.play(*min(table.legal))
    assert table.chips(1) > 36
    assert table.phase == "pick_role"  # the round goes on


# -- storing -----------------------------------------------------------------------------------------------------------


def store(goods: dict[str, int], **city: int) -> Table:
    """The picker cannot load and has to store."""
    return captain(boards=[{"goods": goods, "city": city}, {}, {}], ships=BLOCKED)


@pytest.mark.parametrize(
    ("goods", "city"),
    [
        ({"corn": 1}, {}),
        ({"corn": 5}, {"small_warehouse": 1}),
        ({"corn": 5, "indigo": 1}, {"small_warehouse": 1}),
        ({"corn": 5, "indigo": 5}, {"large_warehouse": 1}),
        ({"corn": 1, "indigo": 5}, {"large_warehouse": 1, "small_warehouse": 1}),
    ],
)
def test_what_fits_is_kept_without_asking(goods: dict[str, int], city: dict[str, int]) -> None:
    table = store(goods, **city)
    assert table.phase == "pick_role"
    assert table.goods(0) == goods


def allowed(goods: dict[str, int], kinds: int) -> list[tuple[int, ...]]:
    """All outcomes of the rulebook: each kind is stored whole in a warehouse, or as the single barrel, or returned."""
    results = set()
    names = list(goods)
    for stored in itertools.product((False, True), repeat=len(names)):
        if sum(stored) > kinds:
            continue
        for single in (None, *range(len(names))):
            kept = [goods[name] if whole else 0 for name, whole in zip(names, stored, strict=True)]
            if single is not None:
                kept[single] = max(kept[single], 1)
            results.add(tuple(kept))
    return sorted(results)


@pytest.mark.parametrize(
    ("goods", "city", "kinds"),
    [
        ({"corn": 2}, {}, 0),
        ({"corn": 2, "indigo": 3}, {}, 0),
        ({"corn": 1, "indigo": 1}, {}, 0),
        ({"corn": 2, "indigo": 3}, {"small_warehouse": 1}, 1),
        ({"corn": 1, "indigo": 3, "sugar": 2}, {"small_warehouse": 1}, 1),
        ({"corn": 1, "indigo": 1, "sugar": 1}, {"small_warehouse": 1}, 1),
        ({"corn": 2, "indigo": 3, "sugar": 2, "tobacco": 1}, {"large_warehouse": 1}, 2),
        (
            {"corn": 2, "indigo": 3, "sugar": 2, "tobacco": 1, "coffee": 2},
            {"large_warehouse": 1, "small_warehouse": 1},
            3,
        ),
        ({"corn": 2, "indigo": 3}, {"large_warehouse": 0, "small_warehouse": 0}, 0),
    ],
)
def test_every_way_to_store_is_reached_by_exactly_one_sequence(
    goods: dict[str, int], city: dict[str, int], kinds: int
) -> None:
    position = {"phase": "store", "boards": [{"goods": goods, "city": city}, {}, {}]}
    found: list[tuple[int, ...]] = []

    def explore(answers: list[Name]) -> None:
        table = Table(3, position)
        for answer in answers:
            table.play(*answer)
        if table.phase == "store":
            for answer in sorted(table.legal):
                explore([*answers, answer])
        else:
            found.append(tuple(table.goods(0).get(good, 0) for good in goods))

    explore([])
    assert sorted(found) == allowed(goods, kinds)


def test_what_is_not_stored_goes_back_to_the_supply() -> None:
    table = store({"corn": 3, "indigo": 4})
    table.play("store", "one")
    assert table.goods(0) == {"corn": 1}
    assert table.now["goods_supply"]["corn"] == 9
    assert table.now["goods_supply"]["indigo"] == 11


def test_full_ships_are_emptied_and_others_stay() -> None:
    boards = [{"goods": {"corn": 1}}, {}, {}]
    table = captain(boards=boards, ships=ships(("corn", 3), ("sugar", 2), None))
    after = [(ship["good"], ship["barrels"]) for ship in table.now["ships"]]
    assert after == [(None, 0), ("sugar", 2), (None, 0)]
    assert table.now["goods_supply"]["corn"] == 10


def test_players_store_in_order_from_the_picker() -> None:
    boards = [{"goods": {"corn": 2}}, {"goods": {"corn": 2}}, {"goods": {"corn": 2}}]
    table = captain(boards=boards, picker=1, ships=BLOCKED)
    order = []
    while table.phase == "store":
        order.append(table.player)
        table.play("store", "none")
    assert order == [1, 2, 0]


def test_two_players_have_two_ships() -> None:
    table = captain(2, boards=[{"goods": {"corn": 1, "indigo": 5}}, {}])
    assert table.legal == {("load", "corn", 0), ("load", "corn", 1), ("load", "indigo", 1)}
