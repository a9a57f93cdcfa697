"""Expansion I in the settler's phase: forests, and the library's second turn, combined with other buildings."""

from __future__ import annotations

from typing import Any

from tests.puerto_rico.table import Table, kinds_with, tiles

FACE_UP = {"corn": 1, "indigo": 1, "sugar": 1, "coffee": 1}
FOREST = ("settle", "forest")
QUARRY = ("settle", "quarry")
PLANTATIONS = {("settle", good) for good in FACE_UP}
WITH_HACIENDA = kinds_with("forest_house", "hacienda", "library", "hospice")
WITH_HUT = kinds_with("forest_house", "construction_hut", "library", "hospice")


def settle(*cities: dict[str, int], kinds: list[str] = WITH_HACIENDA, players: int = 3, **position: Any) -> Table:
    """The settler has just been picked by player 0; the cities are those of the first players."""
    boards = [{"city": city} for city in cities] + [{}] * (players - len(cities))
    position = {"face_up": FACE_UP, "boards": boards, **position}
    return Table(players, position, buildings=kinds).play("pick", "settler")


def island(table: Table, player: int) -> dict[str, int]:
    """Tiles by kind, including forests."""
    board = table.board(player)
    found = {name: entry["tiles"] for name, entry in board["island"].items()}
    return found | ({"forest": board["forests"]} if board["forests"] else {})


# -- forest house ------------------------------------------------------------------------------------------------------


def test_the_forest_house_offers_a_forest_instead_of_a_tile() -> None:
    table = settle({}, {"forest_house": 1}).play("pass")
    assert (table.player, table.legal) == (1, {("pass",), FOREST, *PLANTATIONS})
    table.play(*FOREST)
    assert island(table, 1) == {"forest": 1}
    assert table.player == 2  # instead, not in addition


def test_the_picker_chooses_between_plantation_quarry_and_forest() -> None:
    assert settle({"forest_house": 1}).legal == {("pass",), FOREST, QUARRY, *PLANTATIONS}


def test_an_unmanned_forest_house_places_no_forest() -> None:
    assert FOREST not in settle({"forest_house": 0}).legal


def test_a_face_down_plantation_leaves_the_game_for_a_forest() -> None:
    table = settle({"forest_house": 1})
    before = table.now
    table.play(*FOREST)
    after = table.now
    removed = [good for good, count in after["removed"].items() if count]
    assert len(removed) == 1
    assert after["removed"][removed[0]] == 1
    assert after["face_down"] == before["face_down"] | {removed[0]: before["face_down"][removed[0]] - 1}
    assert after["face_up"] == before["face_up"]
    assert after["quarry_supply"] == before["quarry_supply"]


# With five players all 50 plantations can be on islands and face up.
FULL_ISLANDS: list[dict[str, Any]] = [
    {"island": {"corn": {"tiles": 9}, "indigo": {"tiles": 2}}},
    {"island": {"indigo": {"tiles": 8}, "sugar": {"tiles": 3}}},
    {"island": {"sugar": {"tiles": 7}, "tobacco": {"tiles": 4}}},
    {"island": {"tobacco": {"tiles": 4}, "coffee": {"tiles": 7}}},
]
SIX_UP = {"corn": 1, "indigo": 2, "sugar": 1, "tobacco": 1, "coffee": 1}


def without_stacks(discarded: int, city: dict[str, int]) -> Table:
    others = [dict(board) for board in FULL_ISLANDS]
    others[0] = {"island": {"corn": {"tiles": 9 - discarded}, "indigo": {"tiles": 2}}}
    boards = [{"city": city}, *others]
    position = {"face_up": SIX_UP, "discards": {"corn": discarded}, "boards": boards}
    return Table(5, position, buildings=WITH_HACIENDA).play("pick", "settler")


def test_no_forest_when_no_plantation_is_left() -> None:
    table = without_stacks(0, {"forest_house": 1})
    assert sum(table.now["face_down"].values()) == 0
    assert FOREST not in table.legal
    assert ("settle", "corn") in table.legal


def test_discarded_plantations_are_shuffled_for_a_forest() -> None:
    table = without_stacks(1, {"forest_house": 1})
    assert FOREST in table.legal
    table.play(*FOREST)
    assert (table.now["removed"]["corn"], table.now["discards"]["corn"], table.board(0)["forests"]) == (1, 0, 1)


def test_no_second_forest_when_the_hacienda_took_the_last_plantation() -> None:
    table = without_stacks(1, {"forest_house": 1, "hacienda": 1}).play("draw_tile").play(*FOREST)
    assert table.board(0)["forests"] == 1
    assert (table.phase, table.player) == ("settler", 0)
    assert FOREST not in table.legal


def test_forests_fill_island_spaces() -> None:
    board = {"forests": 5, "island": tiles(corn=7), "city": {"forest_house": 1, "hacienda": 1}}
    assert settle(boards=[board, {}, {}]).player == 1
    table = settle(boards=[board | {"forests": 4}, {}, {}])
    assert (table.phase, table.player) == ("hacienda", 0)
    table.play("pass").play(*FOREST)
    assert (table.player, island(table, 0)) == (1, {"corn": 7, "forest": 5})


def test_a_forest_has_no_circle() -> None:
    boards = [{"forests": 3, "island": {"corn": {"tiles": 1}}}, {}, {}]
    table = Table(3, {"boards": boards, "colonist_ship": 9}, buildings=WITH_HACIENDA).play("pick", "mayor")
    while table.phase == "mayor_privilege":
        table.play("take_colonist")
    board = table.board(0)
    assert board["island"]["corn"]["colonists"] == 1
    assert board["san_juan"] == 3  # 1 of the privilege and 3 of the ship, for a single circle


# -- with the hacienda -------------------------------------------------------------------------------------------------


def test_with_the_hacienda_the_drawn_tile_is_seen_before_the_choice_of_a_forest() -> None:
    table = settle({"forest_house": 1, "hacienda": 1})
    assert (table.phase, table.legal) == ("hacienda", {("pass",), ("draw_tile",)})
    table.play("draw_tile")
    assert (table.phase, table.player, table.legal) == ("forest", 0, {("pass",), FOREST})
    assert table.now["decision"]["drawn"] in ("corn", "indigo", "sugar", "tobacco", "coffee")
    assert island(table, 0) == {}


def test_a_forest_in_place_of_the_hacienda_s_tile_costs_that_tile_only() -> None:
    table = settle({"forest_house": 1, "hacienda": 1}).play("draw_tile")
    drawn = table.now["decision"]["drawn"]
    down = sum(table.now["face_down"].values())
    table.play(*FOREST)
    assert island(table, 0) == {"forest": 1}
    assert {good: count for good, count in table.now["removed"].items() if count} == {drawn: 1}
    assert sum(table.now["face_down"].values()) == down
    # The normal tile is still to come.
    assert (table.phase, table.player, table.legal) == ("settler", 0, {("pass",), FOREST, QUARRY, *PLANTATIONS})


def test_the_hacienda_s_tile_can_be_kept() -> None:
    table = settle({"forest_house": 1, "hacienda": 1}).play("draw_tile")
    drawn = table.now["decision"]["drawn"]
    table.play("pass")
    assert island(table, 0) == {drawn: 1}
    assert sum(table.now["removed"].values()) == 0
    assert (table.phase, table.player) == ("settler", 0)


def test_two_forests_with_hacienda_and_forest_house() -> None:
    table = settle({"forest_house": 1, "hacienda": 1}).play("draw_tile").play(*FOREST).play(*FOREST)
    assert island(table, 0) == {"forest": 2}
    assert sum(table.now["removed"].values()) == 2


def test_the_hacienda_asks_for_no_forest_while_the_forest_house_is_unmanned() -> None:
    table = settle({"forest_house": 0, "hacienda": 1}).play("draw_tile")
    assert (table.phase, sum(island(table, 0).values())) == ("settler", 1)


def test_the_last_space_goes_to_the_hacienda_s_forest_and_the_turn_is_over() -> None:
    board = {"island": tiles(corn=6, indigo=5), "city": {"forest_house": 1, "hacienda": 1}}
    table = settle(boards=[board, {}, {}]).play("draw_tile").play(*FOREST)
    assert island(table, 0) == {"corn": 6, "indigo": 5, "forest": 1}
    assert (table.phase, table.player) == ("settler", 1)


# -- with the hospice --------------------------------------------------------------------------------------------------


def test_the_hospice_s_colonist_of_a_forest_goes_to_san_juan() -> None:
    table = settle({"forest_house": 1, "hospice": 1})
    supply = table.now["colonist_supply"]
    table.play(*FOREST)
    assert (table.phase, table.legal) == ("hospice", {("pass",), ("take_colonist",)})
    table.play("take_colonist")
    assert (table.board(0)["san_juan"], table.now["colonist_supply"]) == (1, supply - 1)
    assert table.board(0)["forests"] == 1


def test_the_hospice_s_colonist_of_a_forest_can_be_declined() -> None:
    table = settle({"forest_house": 1, "hospice": 1}).play(*FOREST).play("pass")
    assert (table.board(0)["san_juan"], table.player) == (0, 1)


def test_the_hospice_s_colonist_of_a_tile_still_goes_on_the_tile() -> None:
    table = settle({"forest_house": 1, "hospice": 1}).play("settle", "corn").play("take_colonist")
    assert table.board(0)["island"]["corn"] == {"tiles": 1, "colonists": 1}
    assert table.board(0)["san_juan"] == 0


def test_no_hospice_for_the_hacienda_s_forest() -> None:
    table = settle({"forest_house": 1, "hacienda": 1, "hospice": 1}).play("draw_tile").play(*FOREST)
    assert table.phase == "settler"


# -- with the construction hut -----------------------------------------------------------------------------------------


def test_construction_hut_and_forest_house_give_the_choice_of_all_three() -> None:
    table = settle({}, {"forest_house": 1, "construction_hut": 1}, kinds=WITH_HUT).play("pass")
    assert table.legal == {("pass",), FOREST, QUARRY, *PLANTATIONS}
    table.play(*QUARRY)
    assert table.player == 2


# -- library -----------------------------------------------------------------------------------------------------------


def test_the_library_s_second_turn_comes_after_all_others_and_takes_no_quarry() -> None:
    table = settle({"library": 1}).play(*QUARRY)
    assert table.player == 1
    table.play("settle", "corn")
    assert table.player == 2
    table.play("settle", "sugar")
    assert (table.phase, table.player) == ("settler", 0)
    assert table.legal == {("pass",), ("settle", "indigo"), ("settle", "coffee")}
    table.play("settle", "coffee")
    assert island(table, 0) == {"quarry": 1, "coffee": 1}
    assert (table.phase, table.player) == ("pick_role", 1)


def test_the_rest_is_discarded_after_the_library_s_second_turn() -> None:
    table = settle({"library": 1}).play(*QUARRY).play("settle", "corn").play("settle", "sugar")
    assert sum(table.now["discards"].values()) == 0
    table.play("settle", "coffee")
    assert {good: count for good, count in table.now["discards"].items() if count} == {"indigo": 1}
    assert sum(table.now["face_up"].values()) == 4


def test_the_library_s_second_turn_can_be_declined() -> None:
    table = settle({"library": 1}).play(*QUARRY).play("pass").play("pass").play("pass")
    assert (table.phase, island(table, 0)) == ("pick_role", {"quarry": 1})


def test_who_declined_the_first_tile_still_has_the_second_turn() -> None:
    table = settle({"library": 1}).play("pass").play("pass").play("pass")
    assert (table.phase, table.player, table.legal) == ("settler", 0, {("pass",), *PLANTATIONS})


def test_library_with_construction_hut_may_take_a_second_quarry() -> None:
    table = settle({"library": 1, "construction_hut": 1}, kinds=WITH_HUT).play(*QUARRY).play("pass").play("pass")
    assert QUARRY in table.legal
    table.play(*QUARRY)
    assert island(table, 0) == {"quarry": 2}


def test_an_unmanned_construction_hut_gives_no_second_quarry() -> None:
    table = settle({"library": 1, "construction_hut": 0}, kinds=WITH_HUT).play(*QUARRY).play("pass").play("pass")
    assert (table.player, table.legal) == (0, {("pass",), *PLANTATIONS})


def test_library_with_hospice_mans_the_first_tile_only() -> None:
    table = settle({"library": 1, "hospice": 1}).play("settle", "corn").play("take_colonist")
    table.play("pass").play("pass").play("settle", "coffee")
    assert table.phase == "pick_role"
    assert table.board(0)["island"] == {
        "corn": {"tiles": 1, "colonists": 1},
        "coffee": {"tiles": 1, "colonists": 0},
    }


def test_library_with_hacienda_draws_once() -> None:
    table = settle({"library": 1, "hacienda": 1}).play("pass").play(*QUARRY).play("pass").play("pass")
    assert (table.phase, table.player) == ("settler", 0)
    table.play("settle", "corn")
    assert table.phase == "pick_role"


def test_library_with_forest_house_places_none_one_or_two_forests() -> None:
    found = set()
    for first in (FOREST, ("settle", "corn")):
        for second in (FOREST, ("settle", "indigo")):
            table = settle({"library": 1, "forest_house": 1}).play(*first).play("pass").play("pass").play(*second)
            found.add(tuple(sorted(island(table, 0).items())))
    assert found == {
        (("forest", 2),),
        (("forest", 1), ("indigo", 1)),
        (("corn", 1), ("forest", 1)),
        (("corn", 1), ("indigo", 1)),
    }


def test_library_hacienda_and_forest_house_make_three_forests() -> None:
    table = settle({"library": 1, "hacienda": 1, "forest_house": 1})
    table.play("draw_tile").play(*FOREST).play(*FOREST).play("pass").play("pass").play(*FOREST)
    assert island(table, 0) == {"forest": 3}
    assert table.phase == "pick_role"


def test_an_unmanned_library_gives_no_second_turn() -> None:
    assert settle({"library": 0}).play(*QUARRY).play("pass").play("pass").phase == "pick_role"


def test_only_the_picker_s_library_gives_a_second_turn() -> None:
    table = settle({}, {"library": 1}).play("pass").play("settle", "corn").play("pass")
    assert table.phase == "pick_role"


def test_no_second_turn_on_a_full_island() -> None:
    board = {"island": tiles(corn=6, indigo=5), "city": {"library": 1}}
    table = settle(boards=[board, {}, {}]).play(*QUARRY).play("pass").play("pass")
    assert table.phase == "pick_role"


def test_nothing_is_asked_when_no_tile_is_left_for_the_second_turn() -> None:
    table = settle({"library": 1}, face_up={"corn": 2}).play(*QUARRY).play("settle", "corn").play("settle", "corn")
    assert table.phase == "pick_role"


def test_the_second_turn_with_a_forest_when_no_tile_is_face_up() -> None:
    table = settle({"library": 1, "forest_house": 1}, face_up={"corn": 2})
    table.play(*QUARRY).play("settle", "corn").play("settle", "corn")
    assert (table.player, table.legal) == (0, {("pass",), FOREST})
