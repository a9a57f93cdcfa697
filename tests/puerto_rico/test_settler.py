"""Settler: tiles, quarries, hacienda, construction hut, hospice, refilling."""

from __future__ import annotations

from typing import Any

from tests.puerto_rico.table import Table, tiles

FACE_UP = {"corn": 1, "indigo": 1, "sugar": 1, "coffee": 1}
FULL_ISLAND = tiles(corn=6, indigo=6)


def settle(players: int = 3, **position: Any) -> Table:
    """The picker of the settler decides first; arguments describe the differences."""
    return Table(players, {"phase": "settler", "face_up": FACE_UP, **position})


def test_the_picker_may_take_a_quarry_the_others_only_a_plantation() -> None:
    table = settle()
    plantations = {("settle", good) for good in FACE_UP}
    assert table.legal == {("pass",), ("settle", "quarry"), *plantations}
    table.play("settle", "quarry")
    assert table.board(0)["island"] == {"quarry": {"tiles": 1, "colonists": 0}}
    assert table.player == 1
    assert table.legal == {("pass",), *plantations}


def test_a_tile_that_is_taken_is_gone() -> None:
    table = settle().play("settle", "coffee")
    assert ("settle", "coffee") not in table.legal


def test_settling_can_be_declined() -> None:
    table = settle().play("pass")
    assert (table.player, table.board(0)["island"]) == (1, {})


def test_construction_hut_gives_the_choice_of_a_quarry_once() -> None:
    table = settle(boards=[{}, {"city": {"construction_hut": 1}}, {}]).play("pass")
    assert ("settle", "quarry") in table.legal
    table.play("settle", "quarry")
    assert table.player == 2  # one quarry in all


def test_an_unmanned_construction_hut_does_nothing() -> None:
    table = settle(boards=[{}, {"city": {"construction_hut": 0}}, {}]).play("pass")
    assert ("settle", "quarry") not in table.legal


def test_no_quarry_when_they_have_run_out() -> None:
    boards = [{}, {"island": tiles(quarry=8)}, {}]
    assert ("settle", "quarry") not in settle(boards=boards).legal


def test_a_full_island_takes_nothing_and_the_phase_goes_on_for_the_others() -> None:
    table = settle(boards=[{"island": {"corn": {"tiles": 6}, "indigo": {"tiles": 6}}}, {}, {}])
    assert (table.phase, table.player) == ("settler", 1)  # the picker was not asked
    table.play("settle", "corn")
    assert (table.phase, table.player) == ("settler", 2)


def test_a_full_island_in_the_middle_is_passed_over() -> None:
    table = settle(boards=[{}, {"island": {"corn": {"tiles": 6}, "indigo": {"tiles": 6}}}, {}]).play("pass")
    assert (table.phase, table.player) == ("settler", 2)


def test_the_rest_is_discarded_and_one_more_than_players_is_turned_up() -> None:
    table = settle(player=2).play("settle", "sugar")
    now = table.now
    assert now["phase"] == "pick_role"
    assert now["discards"] == {"corn": 1, "indigo": 1, "sugar": 0, "tobacco": 0, "coffee": 1}
    assert sum(now["face_up"].values()) == 4


def test_discards_stay_out_while_the_stacks_have_enough() -> None:
    boards = [
        {"island": {"indigo": {"tiles": 12}}},
        {"island": {"sugar": {"tiles": 11}, "corn": {"tiles": 1}}},
        {"island": {"tobacco": {"tiles": 9}}},
    ]
    table = settle(
        boards=boards, player=2, face_up={"corn": 3}, discards={"coffee": 7}, face_down={"coffee": 1, "corn": 6}
    )
    table.play("settle", "corn")
    now = table.now
    assert sum(now["face_up"].values()) == 4
    assert sum(now["face_down"].values()) == 3  # seven were face down; the discards are not needed yet
    assert now["discards"] == {"corn": 2, "indigo": 0, "sugar": 0, "tobacco": 0, "coffee": 7}


def test_discards_are_shuffled_in_when_the_stacks_run_out() -> None:
    boards = [
        {"island": {"indigo": {"tiles": 12}}},
        {"island": {"sugar": {"tiles": 11}, "corn": {"tiles": 1}}},
        {"island": {"tobacco": {"tiles": 9}}},
    ]
    table = settle(
        boards=boards,
        player=2,
        face_up={"corn": 3},
        discards={"corn": 5, "coffee": 7},
        face_down={"coffee": 1, "corn": 1},
    )
    table.play("settle", "corn")
    now = table.now
    # Both face-down tiles are up; two more come out of the 14 discards (two of them just laid off).
    assert sum(now["face_up"].values()) == 4
    assert now["face_up"]["coffee"] >= 1
    assert now["face_up"]["corn"] >= 1
    assert sum(now["discards"].values()) == 0
    assert sum(now["face_down"].values()) == 12


def test_fewer_tiles_lie_there_when_there_are_too_few() -> None:
    islands = [
        tiles(corn=10, indigo=2),
        tiles(indigo=10, sugar=2),
        tiles(sugar=9, tobacco=3),
        {"tobacco": {"tiles": 6}, "coffee": {"tiles": 3}},
    ]
    position = {"face_up": {"coffee": 3}, "discards": {"coffee": 1}, "face_down": {"coffee": 1}, "player": 3}
    table = settle(4, boards=[{"island": island} for island in islands], **position)
    table.play("settle", "coffee")
    now = table.now
    assert sum(now["face_up"].values()) == 4  # of five: one was face down, one discarded before, two discarded now
    assert sum(now["face_down"].values()) + sum(now["discards"].values()) == 0


# -- hacienda ----------------------------------------------------------------------------------------------------------


def hacienda(position: dict[str, Any] | None = None, **board: Any) -> Table:
    """The picker has a working hacienda."""
    owner = {"city": {"hacienda": 1}, **board}
    return Table(3, {"phase": "hacienda", "face_up": FACE_UP, "boards": [owner, {}, {}], **(position or {})})


def test_the_hacienda_draw_is_a_choice() -> None:
    table = hacienda()
    assert table.legal == {("pass",), ("draw_tile",)}
    table.play("pass")
    assert (table.phase, table.player, table.board(0)["island"]) == ("settler", 0, {})


def test_the_drawn_tile_is_placed_and_the_normal_one_follows() -> None:
    table = hacienda().play("draw_tile")
    island = table.board(0)["island"]
    assert sum(kind["tiles"] for kind in island.values()) == 1
    assert "quarry" not in island
    assert (table.phase, table.player) == ("settler", 0)
    assert ("settle", "quarry") in table.legal  # the picker still takes one quarry
    table.play("settle", "quarry")
    assert table.player == 1


def test_hacienda_before_a_settler_picked_by_others() -> None:
    table = Table(3, {"face_up": FACE_UP, "boards": [{}, {"city": {"hacienda": 1}}, {}]})
    table.play("pick", "settler").play("pass")
    assert (table.phase, table.player) == ("hacienda", 1)


def test_a_hacienda_tile_that_fills_the_island_leaves_no_room_for_another() -> None:
    table = hacienda(island={"corn": {"tiles": 6}, "indigo": {"tiles": 5}}).play("draw_tile")
    assert (table.phase, table.player) == ("settler", 1)


def test_the_hacienda_draws_from_the_discards_when_the_stacks_are_empty() -> None:
    everything_else = [
        {"city": {"hacienda": 1}, "island": {"indigo": {"tiles": 11}}},
        {"island": {"sugar": {"tiles": 10}, "corn": {"tiles": 2}}},
        {"island": {"tobacco": {"tiles": 9}, "corn": {"tiles": 2}}},
    ]
    discards = {"corn": 5, "coffee": 7}
    table = hacienda({"boards": everything_else, "discards": discards, "face_down": {}})
    table.play("draw_tile")
    now = table.now
    assert sum(now["discards"].values()) == 0
    assert sum(now["face_down"].values()) == 11


def test_no_draw_is_offered_without_a_tile() -> None:
    islands: list[dict[str, Any]] = [
        {"indigo": {"tiles": 11}},
        {"sugar": {"tiles": 11}},
        {"tobacco": {"tiles": 9}},
        {"corn": {"tiles": 10}, "indigo": {"tiles": 1}},
        {"coffee": {"tiles": 5}},
    ]
    boards: list[dict[str, Any]] = [{"island": island} for island in islands]
    boards[0]["city"] = {"hacienda": 1}
    table = Table(5, {"boards": boards, "face_up": {"coffee": 3}, "face_down": {}})
    table.play("pick", "settler")
    assert (table.phase, table.player) == ("settler", 0)


def test_no_draw_is_offered_on_a_full_island() -> None:
    boards = [{"city": {"hacienda": 1}, "island": FULL_ISLAND}, {}, {}]
    table = Table(3, {"boards": boards, "face_up": {"coffee": 3}}).play("pick", "settler")
    assert (table.phase, table.player) == ("settler", 1)


# -- hospice -----------------------------------------------------------------------------------------------------------


def hospice(**position: Any) -> Table:
    """The picker has a working hospice."""
    return settle(boards=[{"city": {"hospice": 1}}, {}, {}], **position)


def test_hospice_mans_the_new_tile_from_the_supply() -> None:
    table = hospice()
    supply = table.now["colonist_supply"]
    table.play("settle", "corn")
    assert table.legal == {("pass",), ("take_colonist",)}
    table.play("take_colonist")
    assert table.board(0)["island"] == {"corn": {"tiles": 1, "colonists": 1}}
    assert table.now["colonist_supply"] == supply - 1
    assert table.player == 1


def test_the_hospice_can_be_declined() -> None:
    table = hospice().play("settle", "corn").play("pass")
    assert table.board(0)["island"] == {"corn": {"tiles": 1, "colonists": 0}}


def test_hospice_works_with_quarries() -> None:
    table = hospice().play("settle", "quarry").play("take_colonist")
    assert table.board(0)["island"] == {"quarry": {"tiles": 1, "colonists": 1}}


def without_supply(ship: int) -> dict[str, Any]:
    """All 58 colonists of three players, none of them in the supply."""
    return {
        "phase": "settler",
        "face_up": FACE_UP,
        "colonist_ship": ship,
        "boards": [{"city": {"hospice": 1}, "san_juan": 20}, {"san_juan": 20}, {"san_juan": 17 - ship}],
    }


def test_hospice_falls_back_to_the_ship() -> None:
    table = Table(3, without_supply(ship=2))
    assert table.now["colonist_supply"] == 0
    table.play("settle", "corn").play("take_colonist")
    assert table.now["colonist_ship"] == 1
    assert table.board(0)["island"] == {"corn": {"tiles": 1, "colonists": 1}}


def test_hospice_gives_nothing_when_supply_and_ship_are_empty() -> None:
    table = Table(3, without_supply(ship=0)).play("settle", "corn")
    assert (table.phase, table.player) == ("settler", 1)


def test_the_hacienda_tile_gets_no_hospice_colonist() -> None:
    table = Table(
        3, {"phase": "hacienda", "face_up": FACE_UP, "boards": [{"city": {"hacienda": 1, "hospice": 1}}, {}, {}]}
    )
    table.play("draw_tile")
    assert table.phase == "settler"
    assert sum(kind["colonists"] for kind in table.board(0)["island"].values()) == 0
    table.play("settle", "quarry").play("take_colonist")
    assert table.board(0)["island"]["quarry"] == {"tiles": 1, "colonists": 1}
