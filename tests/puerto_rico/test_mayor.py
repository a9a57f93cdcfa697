"""Mayor: privilege, dealing, arranging colonists, refilling the ship."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.puerto_rico.table import Table, new_game, tiles


def mayor(players: int = 3, **position: Any) -> Table:
    return Table(players, {"phase": "mayor_privilege", **position})


def test_the_privilege_is_a_choice() -> None:
    assert new_game(3).play("pick", "mayor").legal == {("pass",), ("take_colonist",)}


def colonists(table: Table) -> list[int]:
    return [
        board["san_juan"] + sum(kind["colonists"] for kind in board["island"].values()) + sum(board["city"].values())
        for board in table.now["boards"]
    ]


def test_worked_example_six_on_the_ship_for_four_players() -> None:
    table = mayor(4, colonist_ship=6).play("take_colonist")
    assert colonists(table) == [3, 2, 1, 1]


def test_declining_the_privilege_leaves_the_supply() -> None:
    table = mayor(4, colonist_ship=6)
    supply = table.now["colonist_supply"]
    table.play("pass")
    assert colonists(table) == [2, 2, 1, 1]
    assert table.now["colonist_supply"] == supply - 4  # only the ship's refill


def test_dealing_starts_with_the_picker() -> None:
    table = mayor(4, colonist_ship=5, picker=2).play("pass")
    assert colonists(table) == [1, 1, 2, 1]


def test_no_privilege_without_supply_but_the_ship_is_dealt() -> None:
    boards = [{"san_juan": 20}, {"san_juan": 20}, {"san_juan": 15}]
    table = Table(3, {"boards": boards, "colonist_ship": 3}).play("pick", "mayor")
    assert colonists(table) == [21, 21, 16]
    assert table.now["ending"] == ["colonists"]


def test_all_circles_are_filled_without_asking_when_there_are_enough_colonists() -> None:
    board = {"island": tiles(corn=1) | {"indigo": {"tiles": 2}}, "city": {"indigo_plant": 0}, "san_juan": 7}
    table = mayor(3, boards=[board, {}, {}]).play("pass")
    assert table.phase == "pick_role"
    after = table.board(0)
    assert after["island"] == {"corn": {"tiles": 1, "colonists": 1}, "indigo": {"tiles": 2, "colonists": 2}}
    assert after["city"] == {"indigo_plant": 3}
    assert after["san_juan"] == 7 + 1 + 1 - 6


def test_no_colonist_may_stay_in_san_juan_while_a_circle_is_empty() -> None:
    # Four colonists for five circles: whoever leaves the three of the indigo plant empty cannot do so completely.
    board = {"island": {"corn": {"tiles": 2}}, "city": {"indigo_plant": 0}, "san_juan": 3}
    table = mayor(3, boards=[board, {}, {}]).play("pass")
    assert table.now["decision"]["circle_kind"] == "corn"
    assert table.legal == {("place", 1), ("place", 2)}
    table.play("place", 1)
    assert table.board(0)["city"] == {"indigo_plant": 3}  # forced
    assert table.board(0)["san_juan"] == 0


def test_all_colonists_may_be_moved_also_those_placed_before() -> None:
    board = {"island": tiles(corn=1) | {"sugar": {"tiles": 1}}, "city": {"hospice": 1}}
    table = mayor(3, boards=[board, {"san_juan": 1}, {}], colonist_ship=0).play("pass")
    table.play("place", 0)  # then sugar and hospice are forced
    after = table.board(0)
    assert after["island"] == {"corn": {"tiles": 1, "colonists": 0}, "sugar": {"tiles": 1, "colonists": 1}}
    assert after["city"] == {"hospice": 1}


def test_every_arrangement_is_reached_by_exactly_one_sequence() -> None:
    island = {"corn": {"tiles": 2}, "indigo": {"tiles": 1}, "quarry": {"tiles": 1}}
    board = {"island": island, "city": {"indigo_plant": 0, "hospice": 0}, "san_juan": 3}
    circles = (2, 1, 1, 3, 1)
    wanted = {split for split in itertools.product(*(range(n + 1) for n in circles)) if sum(split) == 4}
    reached: list[tuple[int, ...]] = []

    def explore(answers: list[tuple[str | int, ...]]) -> None:
        table = mayor(3, boards=[board, {}, {}]).play("pass")
        for answer in answers:
            table.play(*answer)
        if table.phase == "mayor" and table.player == 0:
            for answer in sorted(table.legal):
                explore([*answers, answer])
            return
        after = table.board(0)
        manned = [after["island"][name]["colonists"] for name in island]
        reached.append((*manned, after["city"]["indigo_plant"], after["city"]["hospice"]))

    explore([])
    assert len(reached) == len(set(reached))
    assert set(reached) == wanted


def test_players_arrange_in_order_from_the_picker() -> None:
    board = {"island": {"corn": {"tiles": 2}, "indigo": {"tiles": 2}}}
    table = mayor(3, boards=[board] * 3, picker=1).play("pass")
    order = []
    while table.phase == "mayor":
        order.append(table.player)
        table.play("place", 1)
    assert order == [1, 2, 0]


@pytest.mark.parametrize(("city", "ship"), [({}, 3), ({"indigo_plant": 0, "sugar_mill": 0}, 4), ({"hospice": 0}, 3)])
def test_the_ship_gets_one_for_each_empty_building_circle_at_least_one_a_player(
    city: dict[str, int], ship: int
) -> None:
    # The picker has two colonists for his circles: with two mills four circles in buildings stay empty.
    boards = [{"city": city, "san_juan": 1}, {}, {}]
    table = mayor(3, boards=boards).play("pass")
    while table.phase == "mayor":
        table.play(*max(table.legal))
    assert table.now["colonist_ship"] == ship


def test_empty_circles_on_tiles_do_not_count() -> None:
    boards = [{"island": {"corn": {"tiles": 9}}}, {}, {}]
    table = mayor(3, boards=boards).play("pass")
    assert table.now["colonist_ship"] == 3


def test_when_the_supply_falls_short_the_rest_goes_on_board_and_the_game_ends_after_the_round() -> None:
    boards = [{"san_juan": 30}, {"san_juan": 21}, {}]
    table = mayor(3, boards=boards, colonist_ship=4).play("take_colonist")
    now = table.now
    assert (now["colonist_supply"], now["colonist_ship"]) == (0, 2)
    assert now["ending"] == ["colonists"]
    assert now["phase"] == "pick_role"  # the round is played to its end


def test_an_exactly_sufficient_supply_does_not_end_the_game() -> None:
    boards = [{"san_juan": 30}, {"san_juan": 20}, {}]
    table = mayor(3, boards=boards, colonist_ship=4).play("take_colonist")
    now = table.now
    assert (now["colonist_supply"], now["colonist_ship"], now["ending"]) == (0, 3, [])
