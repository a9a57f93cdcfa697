"""The library with mayor and prospector, and with two players; the other roles are tested with their phases."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import Table, kinds_with

KINDS = kinds_with("library", "construction_hut")


def owner(**board: Any) -> dict[str, Any]:
    return {"city": {"library": 1}, **board}


# -- mayor -------------------------------------------------------------------------------------------------------------


def mayor(taken: int, library: int = 1, **position: Any) -> Table:
    """The mayor takes a number of colonists of the privilege and then declines."""
    boards = [{"city": {"library": library}}, {}, {}]
    table = Table(3, {"boards": boards, **position}, buildings=KINDS).play("pick", "mayor")
    for _ in range(taken):
        assert (table.phase, table.legal) == ("mayor_privilege", {("pass",), ("take_colonist",)})
        table.play("take_colonist")
    return table.play("pass") if table.phase == "mayor_privilege" else table


@pytest.mark.parametrize("taken", [0, 1, 2])
def test_the_mayor_with_a_library_takes_up_to_two_colonists(taken: int) -> None:
    table = mayor(taken)
    # 1 in the library, 1 of the ship and those of the privilege; the library is the only circle
    assert table.board(0)["city"]["library"] + table.board(0)["san_juan"] == 2 + taken
    assert table.phase == "pick_role"


def test_without_a_working_library_one_colonist() -> None:
    table = mayor(1, library=0)
    assert table.phase == "pick_role"
    assert table.board(0)["city"]["library"] + table.board(0)["san_juan"] == 2


def test_the_second_colonist_comes_from_the_supply_only() -> None:
    boards = [owner(), {"san_juan": 53}, {}]
    table = Table(3, {"boards": boards, "colonist_ship": 3}, buildings=KINDS)
    assert table.now["colonist_supply"] == 1
    table.play("pick", "mayor").play("take_colonist")
    assert (table.phase, table.board(0)["san_juan"]) == ("pick_role", 2)


# -- prospector --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("library", "pay"), [(0, 1), (1, 2)])
def test_the_prospector_with_a_library_gets_two_doubloons(library: int, pay: int) -> None:
    boards = [{"city": {"library": library}}, {}, {}, {}]
    table = Table(4, {"boards": boards, "roles": {"prospector": {"doubloons": 3}}}, buildings=KINDS)
    assert table.play("pick", "prospector").doubloons(0) == 3 + pay  # what lies on the card is not doubled


# -- two players -------------------------------------------------------------------------------------------------------


def two(option: str, *boards: dict[str, Any], **position: Any) -> Table:
    boards = (*boards, *[{}] * (2 - len(boards)))
    return Table(2, {"boards": list(boards), **position}, buildings=KINDS, two_player_library=option)


@pytest.mark.parametrize(("option", "second"), [("each", 2), ("round", 1)])
def test_with_two_players_the_library_doubles_each_privilege_or_one_a_round(option: str, second: int) -> None:
    table = two(option, owner(goods={"corn": 1}))
    table.play("pick", "prospector")
    assert table.doubloons(0) == 2
    table.play("pick", "craftsman")  # the other player's
    table.play("pick", "trader").play("sell", "corn")
    assert table.doubloons(0) == 2 + second


def test_a_new_round_frees_the_library() -> None:
    roles = ("settler", "mayor", "builder", "craftsman", "trader")
    taken = {role: {"taken_by": number % 2} for number, role in enumerate(roles)}
    table = two("round", {}, owner(), roles=taken).play("pick", "prospector")
    assert (table.doubloons(1), table.now["round"], table.player) == (2, 2, 1)
    assert table.play("pick", "prospector").doubloons(1) == 4


def test_a_privilege_that_was_not_used_uses_up_the_library_too() -> None:
    table = two("round", owner(goods={"corn": 1})).play("pick", "trader").play("pass")
    table.play("pick", "craftsman")
    assert table.play("pick", "prospector").doubloons(0) == 1


def test_a_library_that_does_not_work_is_not_used_up() -> None:
    table = two("round", {"city": {"library": 0}}).play("pick", "prospector")
    assert table.doubloons(0) == 1
    assert table.now["decision"].get("library_used", []) == []


def test_the_settler_s_second_turn_once_a_round() -> None:
    up = {"corn": 2, "indigo": 1}
    first = two("round", owner(), face_up=up).play("pick", "settler").play("settle", "quarry").play("pass")
    assert (first.phase, first.player) == ("settler", 0)
    later = two("round", owner(), face_up=up).play("pick", "prospector").play("pick", "craftsman")
    later.play("pick", "settler").play("settle", "quarry").play("pass")
    assert (later.phase, later.player) == ("pick_role", 1)


def test_with_three_players_the_option_changes_nothing() -> None:
    boards = [owner(goods={"corn": 1}), {}, {}]
    for option in ("each", "round"):
        table = Table(3, {"boards": boards}, buildings=KINDS, two_player_library=option)
        assert table.play("pick", "trader").play("sell", "corn").doubloons(0) == 2
        assert "library_used" not in table.now["decision"]
