"""Guesthouse: when and where its guests may move, and that they work at once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pr_env import PositionError
from pr_env.puerto_rico import phrases
from pr_env.puerto_rico.tables import VP_CHIPS
from tests.puerto_rico.outcomes import all_outcomes
from tests.puerto_rico.table import Table, kinds_with, tiles

PASS = ("pass",)
KINDS = kinds_with("guesthouse", "storehouse", "library", "university", "wharf", "lighthouse", "hacienda")
FACE_UP = {"corn": 1, "indigo": 1, "sugar": 1, "coffee": 1}
UNMANNED_CORN = {"corn": {"tiles": 2, "colonists": 0}}
BLOCKED = [{"good": "tobacco", "barrels": 1}, {"good": "coffee", "barrels": 1}, {"good": "sugar", "barrels": 1}]


def hosts(guests: int = 2, **city: int) -> dict[str, int]:
    return {"guesthouse": guests, **city}


def pick(role: str, *boards: dict[str, Any], players: int = 3, **more: Any) -> Table:
    """A role has just been picked, by player 0 unless said otherwise."""
    options = {"buildings": more.pop("kinds", KINDS)}
    all_boards = [*boards, *[{}] * (players - len(boards))]
    return Table(players, {"boards": all_boards, "face_up": FACE_UP, **more}, **options).play("pick", role)


def asked(table: Table) -> tuple[str, int]:
    return table.phase, table.player


def turn_of(player: int, table: Table) -> Table:
    """Decline everything until a player builds."""
    while asked(table) != ("builder", player):
        table.play("pass")
    return table


# -- when and where ----------------------------------------------------------------------------------------------------


def test_guests_move_at_the_start_of_a_phase_and_work_at_once() -> None:
    table = pick("craftsman", {"city": hosts(), "island": UNMANNED_CORN})
    assert (asked(table), table.legal) == (("guest", 0), {PASS, ("guest", "corn")})
    assert table.goods(0) == {}  # nothing of the role has happened
    table.play("guest", "corn").play("guest", "corn")
    assert table.board(0)["city"] == {"guesthouse": 0}
    assert table.board(0)["island"]["corn"] == {"tiles": 2, "colonists": 2}
    assert table.goods(0)["corn"] == 2


def test_one_guest_may_go_and_the_other_stay() -> None:
    board = {"city": hosts(), "island": UNMANNED_CORN}
    table = pick("craftsman", {}, board).play("guest", "corn").play("pass")
    assert table.board(1)["city"] == {"guesthouse": 1}
    assert table.goods(1) == {"corn": 1}


def test_the_doubloons_on_the_card_come_before_the_guests() -> None:
    board = {"city": hosts(), "island": UNMANNED_CORN}
    table = pick("craftsman", board, roles={"craftsman": {"doubloons": 2}})
    assert (asked(table), table.doubloons(0)) == (("guest", 0), 2)


@pytest.mark.parametrize("role", ["settler", "builder", "craftsman", "trader", "captain", "prospector"])
def test_every_player_with_guests_is_asked_at_the_start_clockwise_from_the_picker(role: str) -> None:
    board = {"city": hosts(1), "island": UNMANNED_CORN, "doubloons": 5}
    table = pick(role, {}, board, board, players=4, governor=3)
    # Players 1 and 2 are asked, in this order, before the picker decides anything.
    assert asked(table) == ("guest", 1)
    assert table.now["decision"]["after_guests"] == "start_of_role"
    assert asked(table.play("pass")) == ("guest", 2)
    assert table.now["decision"]["after_guests"] == "start_of_role"


def test_not_in_the_mayor_s_phase() -> None:
    boards = [{"city": hosts(), "island": UNMANNED_CORN}, {"city": hosts(), "island": UNMANNED_CORN}]
    table = pick("mayor", *boards)
    phases = set()
    while table.phase != "pick_role":
        phases.add(table.phase)
        table.play(*min(table.legal, key=str))
    assert "guest" not in phases
    assert "mayor" in phases


def test_the_mayor_fills_the_guesthouse_like_any_building() -> None:
    table = pick("mayor", {"city": {"guesthouse": 0, "small_market": 0}, "san_juan": 1}).play("take_colonist")
    # 1 of San Juan, 1 of the privilege, 1 of the ship: all three circles
    assert table.board(0)["city"] == {"guesthouse": 2, "small_market": 1}
    assert table.now["colonist_ship"] == 3


def test_empty_circles_of_the_guesthouse_count_for_the_ship() -> None:
    table = pick("mayor", *[{"city": {"guesthouse": 0, "tobacco_storage": 0, "indigo_plant": 0}}] * 2, {})
    while table.phase != "pick_role":
        table.play(*min(table.legal, key=str))
    circles = 2 * (2 + 3 + 3)
    assert table.now["colonist_ship"] == circles - 2  # one colonist each came off the ship


def test_nobody_is_asked_without_a_guest_or_without_a_place() -> None:
    assert pick("craftsman", {"city": hosts(0), "island": UNMANNED_CORN}).phase == "pick_role"
    assert pick("craftsman", {"city": hosts(2, small_market=1), "island": tiles(sugar=1)}).phase == "pick_role"
    assert pick("craftsman", {"city": hosts(1)}).phase == "pick_role"  # the guesthouse itself is no place


def test_nobody_goes_to_a_statue_or_a_forest() -> None:
    kinds = kinds_with("guesthouse", "statue", "forest_house")
    board = {"city": hosts(2, statue=0), "forests": 2}
    assert pick("craftsman", board, kinds=kinds).phase == "pick_role"


def test_a_guest_goes_to_any_empty_circle() -> None:
    city = hosts(2, indigo_plant=1, sugar_mill=3, wharf=0, library=1)
    island = {"corn": {"tiles": 2, "colonists": 1}, "sugar": {"tiles": 1, "colonists": 1}, "quarry": {"tiles": 1}}
    table = pick("captain", {"city": city, "island": island})
    assert table.legal == {PASS, *(("guest", place) for place in ("corn", "quarry", "indigo_plant", "wharf"))}


def test_each_set_of_moves_in_one_way() -> None:
    city = hosts(2, indigo_plant=1, wharf=0)
    island = {"corn": {"tiles": 3, "colonists": 1}, "quarry": {"tiles": 1}}
    table = pick("prospector", {"city": city, "island": island}, players=4)

    def tell(after: Table) -> tuple[int, ...]:
        board = after.board(0)
        manned = [entry["colonists"] for entry in board["island"].values()]
        return (*manned, board["city"]["indigo_plant"], board["city"]["wharf"])

    found = Counter(all_outcomes(table, {"guest"}, tell))
    # corn 0 to 2, quarry 0 or 1, indigo plant 0 to 2, wharf 0 or 1; at most two in all
    sets = [
        (1 + corn, quarry, 1 + plant, wharf)
        for corn in range(3)
        for quarry in range(2)
        for plant in range(3)
        for wharf in range(2)
        if corn + quarry + plant + wharf <= 2
    ]
    assert found == Counter(sets)


def test_who_has_moved_stays() -> None:
    table = pick("prospector", {"city": hosts(1, library=0, wharf=0)}, players=4).play("guest", "library")
    assert table.board(0)["city"] == {"guesthouse": 0, "library": 1, "wharf": 0}
    assert asked(table) == ("pick_role", 1)
    assert asked(table.play("pick", "craftsman")) == ("pick_role", 2)  # nobody is asked any more


# -- before own decisions ----------------------------------------------------------------------------------------------


def test_others_are_asked_again_before_their_own_decision() -> None:
    seller = {"city": hosts(1, office=0), "goods": {"coffee": 1}}
    table = pick("trader", {"goods": {"corn": 1}}, seller)
    assert asked(table) == ("guest", 1)  # at the start
    table.play("pass")
    assert asked(table) == ("trader", 0)
    table.play("sell", "corn")
    assert (asked(table), table.legal) == (("guest", 1), {PASS, ("guest", "office")})
    table.play("pass")
    assert asked(table) == ("trader", 1)


def test_the_picker_is_not_asked_twice_before_the_first_decision() -> None:
    table = pick("trader", {"city": hosts(1, office=0), "goods": {"coffee": 1}}).play("pass")
    assert asked(table) == ("trader", 0)


def test_the_picker_is_not_asked_twice_when_others_have_guests_too() -> None:
    board = {"city": hosts(1, office=0), "goods": {"coffee": 1}}
    table = pick("trader", board, board)
    assert asked(table) == ("guest", 0)
    assert asked(table.play("pass")) == ("guest", 1)
    assert asked(table.play("pass")) == ("trader", 0)


def test_guests_are_asked_about_before_a_decision_with_a_single_answer() -> None:
    table = pick("trader", {}, {"city": hosts(1, office=0)}).play("pass")
    assert asked(table) == ("guest", 1)  # player 1 has nothing to sell
    assert asked(table.play("pass")) == ("pick_role", 1)


def test_the_craftsman_is_asked_again_after_production_before_the_privilege() -> None:
    table = pick("craftsman", {"city": hosts(1, library=0), "island": tiles(corn=1)}).play("pass")
    assert (asked(table), table.goods(0)) == (("guest", 0), {"corn": 1})
    table.play("guest", "library").play("take_good", "corn").play("take_good", "corn")
    assert table.goods(0) == {"corn": 3}


def test_a_sale_in_the_house_s_taken_kind_after_a_guest_went_to_the_office() -> None:
    seller = {"city": hosts(1, office=0), "goods": {"corn": 1}}
    table = pick("trader", {"goods": {"corn": 1}}, seller).play("pass").play("sell", "corn")
    table.play("guest", "office")
    assert ("sell", "corn") in table.legal


def test_guests_are_asked_about_before_each_turn_of_the_captain() -> None:
    board = {"city": hosts(1, wharf=0), "goods": {"corn": 2, "sugar": 1}}
    other = {"goods": {"sugar": 1, "tobacco": 1}}
    table = pick("captain", board, other, ships=BLOCKED).play("pass")
    # The sugar was loaded without a choice; player 1 chooses.
    assert asked(table) == ("captain", 1)
    table.play("load", "sugar", 2)
    assert asked(table) == ("guest", 0)  # nothing can be loaded now, but the wharf would work
    table.play("guest", "wharf")
    assert (asked(table), table.legal) == (("captain", 0), {PASS, ("wharf", "corn")})


def test_guests_are_asked_about_before_storing() -> None:
    board = {"city": hosts(1, storehouse=0), "goods": {"corn": 4}}
    table = pick("captain", {}, board, ships=BLOCKED)
    assert asked(table) == ("guest", 1)  # at the start
    table.play("pass")
    while table.now["decision"]["after_guests"] == "captain":
        table.play("pass")
    assert (asked(table), table.now["decision"]["after_guests"]) == (("guest", 1), "store")
    table.play("guest", "storehouse")
    assert (table.phase, table.goods(1)) == ("pick_role", {"corn": 4})


def test_guests_are_asked_about_before_storing_even_when_everything_fits() -> None:
    table = pick("captain", {"city": hosts(1, storehouse=0)}, ships=BLOCKED)
    asked_before = []
    while table.phase == "guest":
        asked_before.append(table.now["decision"]["after_guests"])
        table.play("pass")
    assert asked_before == ["start_of_role", "store"]


def test_worked_example_a_guest_stores_and_the_other_trades() -> None:
    board = {"city": hosts(2, storehouse=0, library=0), "goods": {"indigo": 4}}
    table = pick("captain", {}, board, ships=BLOCKED)
    while table.now["decision"]["after_guests"] != "store":
        table.play("pass")
    table.play("guest", "storehouse")  # at the end of the captain's phase
    while table.phase == "guest":
        table.play("pass")
    assert table.goods(1) == {"indigo": 4}
    assert asked(table) == ("pick_role", 1)
    table.play("pick", "trader").play("guest", "library").play("sell", "indigo")
    assert table.doubloons(1) == 1 + 2
    assert table.board(1)["city"] == {"guesthouse": 0, "library": 1, "storehouse": 1}


# -- what guests set to work -------------------------------------------------------------------------------------------


def test_a_guest_in_the_library_doubles_the_prospector_s_doubloon() -> None:
    table = pick("prospector", {"city": hosts(1, library=0)}, players=4)
    assert table.doubloons(0) == 0
    assert table.play("guest", "library").doubloons(0) == 2
    assert pick("prospector", {"city": hosts(1, library=0)}, players=4).play("pass").doubloons(0) == 1


def test_a_guest_in_the_library_makes_building_cheaper() -> None:
    table = pick("builder", {"city": hosts(1, library=0), "doubloons": 9}, {"doubloons": 5})
    table.play("guest", "library").play("build", "wharf")
    assert table.doubloons(0) == 9 - 7


def test_a_guest_in_the_library_gives_the_settler_a_second_turn() -> None:
    table = pick("settler", {"city": hosts(1, library=0)}).play("guest", "library")
    table.play("settle", "quarry").play("pass").play("pass")
    assert asked(table) == ("settler", 0)


def test_guests_are_asked_about_before_the_library_s_second_turn() -> None:
    table = pick("settler", {"city": hosts(1, library=1, wharf=0)}).play("pass")
    table.play("settle", "quarry").play("pass").play("pass")
    assert asked(table) == ("guest", 0)
    assert asked(table.play("pass")) == ("settler", 0)


def test_a_guest_in_the_construction_hut_opens_the_quarries_in_the_second_turn() -> None:
    kinds = kinds_with("guesthouse", "library", "construction_hut")
    table = pick("settler", {"city": hosts(1, library=1, construction_hut=0)}, kinds=kinds).play("pass")
    table.play("settle", "corn").play("pass").play("pass").play("guest", "construction_hut")
    assert ("settle", "quarry") in table.legal


def test_a_guest_in_the_hacienda_does_not_draw_in_the_second_turn() -> None:
    table = pick("settler", {"city": hosts(1, library=1, hacienda=0)}).play("pass")
    table.play("settle", "corn").play("pass").play("pass").play("guest", "hacienda")
    assert asked(table) == ("settler", 0)


def test_a_guest_in_the_hacienda_draws_at_once() -> None:
    table = pick("settler", {"city": hosts(2, hacienda=0, wharf=0)}).play("guest", "hacienda").play("pass")
    assert asked(table) == ("hacienda", 0)
    table.play("draw_tile")
    assert asked(table) == ("guest", 0)  # before the normal tile: perhaps to the tile just drawn
    drawn = next(iter(table.board(0)["island"]))
    assert table.legal == {PASS, ("guest", drawn), ("guest", "wharf")}
    table.play("guest", drawn)
    assert asked(table) == ("settler", 0)
    assert table.board(0)["island"][drawn] == {"tiles": 1, "colonists": 1}


def test_a_guest_goes_to_the_hacienda_when_the_owner_s_turn_comes() -> None:
    table = pick("settler", {}, {"city": hosts(1, hacienda=0)}).play("pass").play("settle", "quarry")
    assert asked(table) == ("guest", 1)
    table.play("guest", "hacienda")
    assert asked(table) == ("hacienda", 1)
    table.play("draw_tile")
    assert asked(table) == ("settler", 1)


def test_a_guest_in_the_hacienda_after_the_draw_was_declined_does_not_draw_again() -> None:
    table = pick("settler", {"city": hosts(2, hacienda=1), "island": UNMANNED_CORN}).play("pass")
    assert asked(table) == ("hacienda", 0)
    table.play("pass")
    assert asked(table) == ("guest", 0)
    table.play("guest", "corn").play("pass")
    assert asked(table) == ("settler", 0)


def test_the_hacienda_s_owner_in_turn_is_asked_before_drawing_and_before_settling() -> None:
    table = pick("settler", {}, {"city": hosts(1, hacienda=1, wharf=0)}).play("pass").play("settle", "quarry")
    order = []
    while table.player == 1:
        order.append(table.phase)
        table.play("pass")
    assert order == ["guest", "hacienda", "guest", "settler"]


def test_a_guest_in_the_university_mans_the_building_that_follows() -> None:
    table = pick("builder", {"city": hosts(1, university=0), "doubloons": 5}).play("guest", "university")
    table.play("build", "office")
    assert table.phase == "university"
    table.play("take_colonist")
    assert table.board(0)["city"]["office"] == 1


def test_no_guest_between_a_building_and_the_university_s_colonist() -> None:
    board = {"city": hosts(1, university=1, wharf=0), "doubloons": 5}
    table = pick("builder", board, {"doubloons": 5}).play("pass").play("build", "office")
    assert asked(table) == ("university", 0)
    assert asked(table.play("take_colonist")) == ("builder", 1)


def test_a_guest_on_a_quarry_makes_building_cheaper() -> None:
    board = {"city": hosts(1), "island": {"quarry": {"tiles": 1}}, "doubloons": 9}
    table = pick("builder", board, {"doubloons": 5}).play("guest", "quarry").play("build", "wharf")
    assert table.doubloons(0) == 9 - (9 - 1 - 1)


def test_a_guest_in_the_lighthouse_at_the_start_is_the_captain_s_lighthouse() -> None:
    board = {"city": hosts(1, lighthouse=0), "goods": {"sugar": 2}}
    table = pick("captain", board, ships=BLOCKED).play("guest", "lighthouse")
    assert table.doubloons(0) == 1 + 1  # captain, and one load


def test_a_guest_in_the_lighthouse_after_the_start_is_paid_for_loads_only() -> None:
    board = {"city": hosts(1, lighthouse=0), "goods": {"sugar": 2, "tobacco": 2}}
    table = pick("captain", board, ships=BLOCKED).play("pass").play("load", "sugar", 2)
    assert asked(table) == ("guest", 0)
    table.play("guest", "lighthouse")
    assert table.doubloons(0) == 1  # the tobacco


def test_a_guest_in_the_union_hall_works_before_the_first_load_only() -> None:
    kinds = kinds_with("guesthouse", "union_hall")
    board = {"city": hosts(1, union_hall=0), "goods": {"sugar": 2, "tobacco": 2}}
    table = pick("captain", board, ships=BLOCKED, kinds=kinds).play("guest", "union_hall").play("load", "sugar", 2)
    assert table.chips(0) == 2 + (2 + 1) + 2
    table = pick("captain", board, ships=BLOCKED, kinds=kinds).play("pass").play("load", "sugar", 2)
    assert asked(table) == ("guest", 0)
    assert table.play("guest", "union_hall").chips(0) == (2 + 1) + 2


def test_a_guest_in_the_small_wharf_or_harbor() -> None:
    kinds = kinds_with("guesthouse", "small_wharf", "harbor")
    board = {"city": hosts(2, small_wharf=0, harbor=0), "goods": {"corn": 2}}
    table = pick("captain", board, ships=BLOCKED, kinds=kinds).play("guest", "harbor").play("guest", "small_wharf")
    table.play("small_wharf").play("ship", 2)
    assert table.chips(0) == 1 + 1 + 1


def test_a_guest_in_the_trading_post() -> None:
    kinds = kinds_with("guesthouse", "trading_post")
    board = {"city": hosts(1, trading_post=0), "goods": {"coffee": 1}}
    table = pick("trader", board, trading_house=["coffee"], kinds=kinds).play("guest", "trading_post")
    assert table.legal == {PASS, ("sell_to_post", "coffee")}


def test_a_guest_in_the_church() -> None:
    kinds = kinds_with("guesthouse", "church")
    board = {"city": hosts(1, church=0), "doubloons": 9}
    table = pick("builder", board, {"doubloons": 5}, kinds=kinds).play("guest", "church").play("build", "wharf")
    assert table.chips(0) == 1


def test_a_guest_in_the_black_market_and_the_other_guest_as_payment() -> None:
    kinds = kinds_with("guesthouse", "black_market")
    board = {"city": hosts(2, black_market=0), "doubloons": 7}
    table = pick("builder", board, {"doubloons": 5}, kinds=kinds).play("guest", "black_market").play("build", "wharf")
    assert table.board(0)["city"] == {"guesthouse": 0, "black_market": 1, "wharf": 0}


def test_a_guest_in_the_forest_house() -> None:
    kinds = kinds_with("guesthouse", "forest_house")
    table = pick("settler", {"city": hosts(1, forest_house=0)}, kinds=kinds).play("guest", "forest_house")
    assert ("settle", "forest") in table.legal


def test_a_guest_in_the_construction_hut_of_a_later_player() -> None:
    kinds = kinds_with("guesthouse", "construction_hut")
    table = pick("settler", {}, {"city": hosts(1, construction_hut=0)}, kinds=kinds).play("pass").play("pass")
    assert ("settle", "quarry") in table.play("guest", "construction_hut").legal


def test_guests_in_aqueduct_and_specialty_factory() -> None:
    kinds = kinds_with("guesthouse", "aqueduct", "specialty_factory")
    city = hosts(2, indigo_plant=1, aqueduct=0, specialty_factory=0)
    table = pick("craftsman", {}, {"city": city, "island": tiles(indigo=1)}, kinds=kinds)
    table.play("guest", "aqueduct").play("guest", "specialty_factory")
    assert (table.goods(1), table.doubloons(1)) == ({"indigo": 2}, 1)


def test_a_guest_in_the_library_doubles_the_craftsman_s_barrels() -> None:
    table = pick("craftsman", {"city": hosts(1, library=0), "island": tiles(corn=1)}).play("guest", "library")
    table.play("take_good", "corn").play("take_good", "corn")
    assert table.goods(0) == {"corn": 3}


def test_guests_score_for_the_fortress() -> None:
    table = pick("prospector", {"city": hosts(2, fortress=1)}, players=4)
    assert table.batch.score()[0]["points"][0].tolist()[4] == 1  # three colonists


def test_no_guest_goes_to_the_library_for_the_mayor_s_privilege() -> None:
    table = pick("mayor", {"city": hosts(1, library=0), "island": UNMANNED_CORN}).play("take_colonist")
    assert asked(table) == ("mayor", 0)
    assert table.board(0)["san_juan"] == 1 + 1 + 1  # the privilege, the ship, the guest


def test_no_guest_goes_to_the_library_when_the_others_have_their_tiles() -> None:
    table = pick("settler", {"city": hosts(1, library=0)}).play("pass")
    table.play("settle", "quarry").play("settle", "corn").play("pass")
    assert asked(table) == ("pick_role", 1)


def test_no_guest_goes_to_the_forest_house_for_a_tile_that_is_drawn() -> None:
    kinds = kinds_with("guesthouse", "forest_house", "hacienda")
    table = pick("settler", {"city": hosts(1, forest_house=0, hacienda=1)}, kinds=kinds).play("pass").play("draw_tile")
    assert (asked(table), table.now["decision"]["after_guests"]) == (("guest", 0), "settler")  # the tile is placed
    assert sum(tile["tiles"] for tile in table.board(0)["island"].values()) == 1


# -- before the points are counted -------------------------------------------------------------------------------------

END_KINDS = kinds_with("guesthouse", "church", "storehouse", "city_hall", "fortress", "residence")


def last_pick(role: str, *boards: dict[str, Any], players: int = 3, **more: Any) -> Table:
    """Player 0 has just picked the last role of the game: all chips are gone, unless said otherwise."""
    seats = [*boards, *[{}] * (players - len(boards))]
    options = {"buildings": END_KINDS, **more.pop("options", {})}
    before = more.pop("before", ["trader", "craftsman", "settler", "captain", "prospector"])
    taken = {card: {"taken_by": seat} for seat, card in enumerate([name for name in before if name != role], 1)}
    position: dict[str, Any] = {"governor": 1, "roles": dict(list(taken.items())[: players - 1])}
    if "max_rounds" not in options:
        row = 5 if options.get("six_players") == "governor" else players
        seats[-1] = {"chips": int(VP_CHIPS[row]), **seats[-1]}
        position["ending"] = ["chips"]
    position |= {"boards": seats, "face_up": FACE_UP, "ships": BLOCKED, **more}
    return Table(players, position, **options).play("pick", role)


def test_the_city_hall_of_the_last_turn_counts_with_a_guest_in_it() -> None:
    board = {"city": hosts(1, small_market=1), "doubloons": 10, "chips": 75}
    table = turn_of(2, last_pick("builder", {}, {}, board))
    assert table.play("build", "city_hall").now["decision"] == {"after_guests": "game_over"}
    assert (asked(table), table.legal) == (("guest", 2), {PASS, ("guest", "city_hall")})
    assert not table.batch.terminated[0]
    left = Table(3, table.now, buildings=END_KINDS).play("pass")
    table.play("guest", "city_hall")
    assert table.phase == left.phase == "game_over"
    assert table.batch.terminated[0]
    totals = [int(end.batch.final[0]["total"][2]) - 75 for end in (left, table)]
    assert totals == [7, 10]  # printed: 2, 1 and 4; three violet buildings


def test_the_words_of_the_question_before_the_points_are_counted() -> None:
    table = turn_of(2, last_pick("builder", {}, {}, {"city": hosts(1), "doubloons": 10})).play("build", "city_hall")
    assert phrases.question(table.now) == "where does a guest of the guesthouse go before the final scoring?"
    assert phrases.stage(table.now) == "builder of player 0"
    assert {phrases.answer(action, table.now) for action in table.batch.legal_actions(0)} == {"pass", "city hall"}


def test_all_owners_are_asked_before_the_points_are_counted_clockwise_from_the_picker() -> None:
    boards: list[dict[str, Any]] = [
        {"city": hosts(1, fortress=0)},
        {"city": hosts(2, city_hall=0), "doubloons": 1},
        {"doubloons": 1},
    ]
    table = last_pick("builder", *boards)
    order = []
    while table.phase != "game_over":
        order.append((table.phase, table.player, table.now["decision"].get("after_guests")))
        table.play("pass")
    assert order == [
        ("guest", 0, "start_of_role"),
        ("guest", 1, "start_of_role"),
        ("builder", 0, None),
        ("guest", 1, "builder"),
        ("builder", 1, None),
        ("builder", 2, None),
        ("guest", 0, "game_over"),
        ("guest", 1, "game_over"),
    ]


@pytest.mark.parametrize("doubloons", [0, 1])
def test_who_is_last_and_builds_nothing_is_not_asked_again(doubloons: int) -> None:
    table = last_pick("builder", {}, {}, {"city": hosts(1, city_hall=0), "doubloons": doubloons})
    asked_before = []
    while table.phase != "game_over":
        if table.phase == "guest":
            asked_before.append(table.now["decision"]["after_guests"])
        table.play("pass")
    assert asked_before == ["start_of_role", "builder"]


def test_who_built_nothing_before_others_is_asked_when_a_later_player_ends_the_game() -> None:
    full = dict.fromkeys(["aqueduct", "hacienda", "storehouse", "church", "office", "factory", "harbor", "wharf"], 0)
    kinds = kinds_with("guesthouse", *full, "city_hall")
    others = {**full, **dict.fromkeys(["small_indigo_plant", "small_sugar_mill", "indigo_plant"], 0)}
    boards: list[dict[str, Any]] = [{"city": hosts(1, city_hall=0)}, {}, {"city": others, "doubloons": 4}]
    table = turn_of(2, last_pick("builder", *boards, options={"buildings": kinds, "max_rounds": 100}))
    ended = Table(3, table.now, buildings=kinds).play("build", "sugar_mill")
    assert (asked(ended), ended.now["ending"]) == (("guest", 0), ["city"])
    assert asked(table.play("pass")) == ("pick_role", 2)  # the game goes on


def test_only_large_buildings_count_at_the_end() -> None:
    nowhere = {"city": hosts(1, fortress=1, small_market=0), "island": UNMANNED_CORN, "doubloons": 5}
    assert turn_of(2, last_pick("builder", {}, {}, nowhere)).play("build", "church").phase == "game_over"
    somewhere = {**nowhere, "doubloons": 10}
    table = turn_of(2, last_pick("builder", {}, {}, somewhere)).play("build", "residence")
    assert table.legal == {PASS, ("guest", "residence")}


def test_each_set_of_large_buildings_in_one_way() -> None:
    city = hosts(2, city_hall=0, residence=0)
    table = turn_of(2, last_pick("builder", {}, {}, {"city": city, "doubloons": 10})).play("build", "fortress")

    def tell(after: Table) -> tuple[str, ...]:
        return tuple(sorted(name for name, colonists in after.board(2)["city"].items() if colonists))

    found = Counter(all_outcomes(table, {"guest"}, tell))
    large = ("city_hall", "fortress", "residence")
    pairs = [("city_hall", "fortress"), ("city_hall", "residence"), ("fortress", "residence")]
    expected = [("guesthouse",), *[tuple(sorted(("guesthouse", name))) for name in large], *pairs]
    assert found == Counter(expected)


@pytest.mark.parametrize(
    ("role", "moments"),
    [
        ("mayor", []),
        ("craftsman", ["start_of_role"]),
        ("prospector", ["start_of_role"]),
        ("trader", ["start_of_role", "trader"]),
        ("settler", ["start_of_role", "settler"]),
        ("captain", ["start_of_role", "captain", "captain", "store"]),
    ],
)
def test_no_further_question_where_the_last_one_came_after_all_that_counts(role: str, moments: list[str]) -> None:
    board = {"city": hosts(1, city_hall=0), "goods": {"sugar": 1}}
    cards = [name for name in ("builder", "captain", "settler", "trader") if name != role]
    table = last_pick(role, {}, board, players=4, before=cards)
    found = []
    while table.phase != "game_over":
        if table.phase == "guest":
            found.append(table.now["decision"]["after_guests"])
        table.play(*min(table.legal, key=lambda name: (name != PASS, str(name))))
    assert [moment for moment in found if moment != "game_over"] == found
    assert found == moments


def test_guests_move_at_the_end_of_a_game_that_is_cut() -> None:
    board = {"city": hosts(1), "doubloons": 10}
    table = turn_of(2, last_pick("builder", {}, {}, board, options={"max_rounds": 1})).play("build", "city_hall")
    assert (asked(table), table.now["ending"]) == (("guest", 2), [])
    assert not table.batch.truncated[0]
    table.play("guest", "city_hall")
    assert (table.phase, table.now["ending"], bool(table.batch.truncated[0])) == ("game_over", ["rounds"], True)


def test_no_question_at_the_end_of_a_round_that_is_not_the_last() -> None:
    board = {"city": hosts(1), "doubloons": 10}
    table = turn_of(2, last_pick("builder", {}, {}, board, options={"max_rounds": 100})).play("build", "city_hall")
    assert (asked(table), table.now["round"]) == (("pick_role", 2), 2)


def test_no_question_at_the_end_of_a_phase_that_is_not_the_last() -> None:
    boards = [{}, {}, {"city": hosts(1), "doubloons": 10, "chips": 75}]
    table = Table(3, {"boards": boards, "ending": ["chips"]}, buildings=END_KINDS).play("pick", "builder")
    assert asked(turn_of(2, table).play("build", "city_hall")) == ("pick_role", 1)


def test_after_the_pirate_all_others_are_asked_once_more() -> None:
    options = {"buildings": END_KINDS, "double_cards": True}
    board = {"city": hosts(1, city_hall=0), "island": tiles(corn=1)}
    other = {"city": hosts(1, fortress=0)}
    table = last_pick(
        "pirate", board, other, players=5, options=options, before=["trader", "builder", "mayor", "captain"]
    )
    order = []
    while table.phase != "game_over":
        order.append((table.phase, table.player, table.now["decision"].get("after_guests")))
        table.play("pass")
    assert order == [
        ("guest", 0, "start_of_role"),
        ("guest", 1, "start_of_role"),
        ("guest", 0, "pirate_colonist"),
        ("guest", 1, "game_over"),
    ]


@pytest.mark.parametrize(("before", "asked_then"), [("trader", True), ("mayor", False)])
def test_after_the_governor_s_card_as_after_the_phase_before_it(before: str, asked_then: bool) -> None:
    options = {"six_players": "governor"}
    cards = ["builder", "captain", "settler", "craftsman", before]
    boards = [{"city": hosts(1, city_hall=0)}, {"city": hosts(1, fortress=0)}]
    table = last_pick("governor", *boards, players=6, options=options, before=cards)
    order = []
    while table.phase != "game_over":
        order.append((table.phase, table.player, table.now["decision"]["after_guests"]))
        table.play("pass")
    assert order == [("guest", 0, "game_over"), ("guest", 1, "game_over")] * asked_then


def test_the_position_before_the_points_are_counted_can_be_described() -> None:
    table = last_pick("builder", {}, {}, {"city": hosts(2, residence=0), "doubloons": 10})
    turn_of(2, table).play("build", "city_hall").play("guest", "residence")
    again = Table(3, table.now, buildings=END_KINDS)
    assert again.now == table.now
    assert again.legal == table.legal == {PASS, ("guest", "city_hall")}
    assert again.play("guest", "city_hall").phase == "game_over"


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"ending": [], "boards": [{}, {}, {"city": hosts(1, city_hall=0)}]}, "only after the last phase"),
        ({"boards": [{}, {}, {"city": hosts(1, small_market=0), "chips": 75}]}, "somewhere to send it"),
        ({"role": "trader"}, "guests cannot move in this role"),
    ],
)
def test_a_position_before_the_points_are_counted_that_cannot_be_is_refused(change: dict[str, Any], wrong: str) -> None:
    position = {
        "phase": "guest",
        "role": "builder",
        "governor": 1,
        "picker": 0,
        "player": 2,
        "ending": ["chips"],
        "roles": {"settler": {"taken_by": 1}, "trader": {"taken_by": 2}, "builder": {"taken_by": 0}},
        "boards": [{}, {}, {"city": hosts(1, city_hall=0), "chips": 75}],
        "decision": {"after_guests": "game_over"},
    }
    if change.get("role") == "trader":
        change = change | {"roles": {"settler": {"taken_by": 1}, "builder": {"taken_by": 2}, "trader": {"taken_by": 0}}}
    assert Table(3, position, buildings=END_KINDS).legal == {PASS, ("guest", "city_hall")}
    with pytest.raises(PositionError, match=wrong):
        Table(3, position | change, buildings=END_KINDS)
