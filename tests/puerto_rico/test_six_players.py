"""Six players in both variants, and five with the two double cards."""

from __future__ import annotations

from typing import Any

import pytest

from pr_env import PuertoRico
from tests.puerto_rico.table import Table, kinds_with, new_game, tiles

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
ACTION_ROLES = ("settler", "mayor", "builder", "craftsman", "trader", "captain")
JOHNS: dict[str, Any] = {"players": 6, "six_players": "johns"}
GOVERNOR: dict[str, Any] = {"players": 6, "six_players": "governor"}
DOUBLE: dict[str, Any] = {"players": 5, "double_cards": True}
PRODUCTION = {
    "small_indigo_plant": 4,
    "small_sugar_mill": 4,
    "indigo_plant": 3,
    "sugar_mill": 3,
    "tobacco_storage": 3,
    "coffee_roaster": 3,
}
SMALL_VIOLET = (
    *("small_market", "hacienda", "construction_hut", "small_warehouse", "hospice", "office", "large_market"),
    *("large_warehouse", "factory", "university", "harbor", "wharf"),
)
LARGE = ("guild_hall", "residence", "fortress", "customs_house", "city_hall")


def seated(game: dict[str, Any], *boards: dict[str, Any], **position: Any) -> Table:
    """A position of a variant; the boards are those of the first players."""
    options = dict(game)
    players = options.pop("players")
    if "buildings" in position:
        options["buildings"] = position.pop("buildings")
    return Table(players, {"boards": [*boards, *[{}] * (players - len(boards))], **position}, **options)


# -- set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (
            JOHNS,
            {
                "doubloons": 5,
                "chips": 150,
                "colonists": 121,
                "ships": [7, 8, 9],
                "quarries": 10,
                "face_up": 7,
                "tiles": [12, 15, 14, 11, 10],
                "barrels": [12, 14, 14, 11, 11],
            },
        ),
        (
            GOVERNOR,
            {
                "doubloons": 4,
                "chips": 122,
                "colonists": 100,
                "ships": [6, 7, 8],
                "quarries": 8,
                "face_up": 7,
                "tiles": [10, 12, 11, 9, 8],
                "barrels": [10, 11, 11, 9, 9],
            },
        ),
        (
            DOUBLE,
            {
                "doubloons": 4,
                "chips": 122,
                "colonists": 100,
                "ships": [6, 7, 8],
                "quarries": 8,
                "face_up": 6,
                "tiles": [10, 12, 11, 9, 8],
                "barrels": [10, 11, 11, 9, 9],
            },
        ),
    ],
)
def test_material_of_the_chart(game: dict[str, Any], expected: dict[str, Any]) -> None:
    now = new_game(**game).now
    players = game["players"]
    assert [board["doubloons"] for board in now["boards"]] == [expected["doubloons"]] * players
    assert now["chips_supply"] == expected["chips"]
    assert now["colonist_ship"] == players
    assert now["colonist_supply"] + now["colonist_ship"] == expected["colonists"]
    assert [ship["capacity"] for ship in now["ships"]] == expected["ships"]
    assert now["quarry_supply"] == expected["quarries"]
    assert sum(now["face_up"].values()) == expected["face_up"]
    assert list(now["goods_supply"].values()) == expected["barrels"]
    starts = [next(iter(board["island"])) for board in now["boards"]]
    found = [now["face_up"][good] + now["face_down"][good] + starts.count(good) for good in GOODS]
    assert found == expected["tiles"]


@pytest.mark.parametrize("game", [JOHNS, GOVERNOR])
def test_three_start_with_indigo_and_three_with_corn(game: dict[str, Any]) -> None:
    islands = [board["island"] for board in new_game(**game).now["boards"]]
    unmanned = {"tiles": 1, "colonists": 0}
    assert islands == [{"indigo": unmanned}] * 3 + [{"corn": unmanned}] * 3


@pytest.mark.parametrize(("game", "more"), [(JOHNS, 1), (GOVERNOR, 0), (DOUBLE, 0)])
def test_copies_of_buildings(game: dict[str, Any], more: int) -> None:
    left = new_game(**game).now["buildings_left"]
    assert {name: left[name] for name in PRODUCTION} == {name: count + more for name, count in PRODUCTION.items()}
    assert all(left[name] == 2 + more for name in SMALL_VIOLET)
    assert all(left[name] == 1 for name in LARGE)
    assert left["large_church"] == (1 if game is JOHNS else 0)


def test_copies_of_the_expansion_s_buildings_in_johns_game() -> None:
    kinds = kinds_with("guesthouse", "library", "statue", "cloister")
    left = new_game(**JOHNS, buildings=kinds).now["buildings_left"]
    assert [left[name] for name in ("guesthouse", "library", "statue", "cloister", "large_church")] == [3, 3, 1, 1, 1]


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        (JOHNS, ["prospector", "politician", "pirate"]),
        (GOVERNOR, ["prospector", "prospector_2", "governor"]),
        (DOUBLE, ["politician", "pirate"]),
        ({"players": 5, "buildings": kinds_with()}, ["prospector", "prospector_2"]),
    ],
)
def test_role_cards(game: dict[str, Any], cards: list[str]) -> None:
    assert list(new_game(**game).now["roles"]) == [*ACTION_ROLES, *cards]


@pytest.mark.parametrize(
    ("game", "more"),
    [
        (JOHNS, {"prospector", "politician_as_prospector", "pirate", "pirate_as_prospector"}),
        (GOVERNOR, {"prospector", "prospector_2", "governor"}),
        (DOUBLE, {"politician_as_prospector", "pirate", "pirate_as_prospector"}),
    ],
)
def test_the_first_picker_s_choice(game: dict[str, Any], more: set[str]) -> None:
    table = new_game(**game)
    assert (table.phase, table.player) == ("pick_role", 0)
    assert table.legal == {("pick", role) for role in (*ACTION_ROLES, *more)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 7}, "players must be a whole number from 2 to 6, got 7"),
        ({"players": 1}, "players must be a whole number from 2 to 6, got 1"),
        ({"players": 6, "six_players": "standard"}, "six_players must be one of johns, governor, got 'standard'"),
        ({"players": 6, "six_players": None}, "six_players must be one of johns, governor, got None"),
        ({"players": 5, "double_cards": 1}, "double_cards must be True or False, got 1"),
        ({"players": 4, "double_cards": True}, "double_cards is for 5 players"),
        ({"players": 6, "double_cards": True}, "double_cards is for 5 players"),
        ({"players": 6, "six_players": "governor", "double_cards": True}, "double_cards is for 5 players"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PuertoRico(**options)


def test_the_variant_for_six_is_read_with_six_players_only() -> None:
    assert not PuertoRico(players=4, six_players="governor").extended
    assert PuertoRico(players=6, six_players="governor").extended


# -- a round -----------------------------------------------------------------------------------------------------------


def finish(table: Table) -> Table:
    """Decline whatever can be declined until somebody picks a role."""
    while table.phase not in ("pick_role", "game_over"):
        table.play(*min(table.legal, key=lambda name: (name != ("pass",), str(name))))
    return table


@pytest.mark.parametrize(
    ("game", "picks", "left"),
    [
        (JOHNS, ["builder", "trader", "craftsman", "captain", "prospector", "pirate"], "settler mayor politician"),
        (
            GOVERNOR,
            ["builder", "trader", "craftsman", "captain", "prospector", "prospector_2"],
            "settler mayor governor",
        ),
        (DOUBLE, ["builder", "trader", "craftsman", "captain", "politician_as_prospector"], "settler mayor pirate"),
    ],
)
def test_everybody_picks_once_and_cards_left_get_a_doubloon(game: dict[str, Any], picks: list[str], left: str) -> None:
    table = new_game(**game)
    for seat, role in enumerate(picks):
        assert (table.phase, table.player, table.now["round"]) == ("pick_role", seat, 1)
        finish(table.play("pick", role))
    now = table.now
    assert now["round"] == 2
    assert {name for name, card in now["roles"].items() if card["doubloons"] == 1} == set(left.split())
    assert all(card["taken_by"] is None for card in now["roles"].values())
    assert now["governor"] == now["player"] == (0 if game is GOVERNOR else 1)


# -- prospector sides --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [JOHNS, DOUBLE])
@pytest.mark.parametrize("card", ["politician", "pirate"])
def test_a_double_card_as_prospector_pays_one_and_what_lies_on_it(game: dict[str, Any], card: str) -> None:
    table = seated(game, roles={card: {"doubloons": 2}}).play("pick", f"{card}_as_prospector")
    assert [board["doubloons"] for board in table.now["boards"]] == [3] + [0] * (game["players"] - 1)
    assert table.now["roles"][card] == {"doubloons": 0, "taken_by": 0}
    assert (table.phase, table.player) == ("pick_role", 1)
    assert not {("pick", card), ("pick", f"{card}_as_prospector")} & table.legal


@pytest.mark.parametrize("role", ["prospector", "politician_as_prospector", "pirate_as_prospector"])
def test_the_library_doubles_every_prospector_s_doubloon(role: str) -> None:
    table = seated(JOHNS, {"city": {"library": 1}}, buildings=kinds_with("library")).play("pick", role)
    assert table.doubloons(0) == 2


# -- politician --------------------------------------------------------------------------------------------------------


def politics(role: str, politician: dict[str, Any], *others: dict[str, Any], **position: Any) -> Table:
    """Player 0 has taken the role; player 1 takes the politician. With a single role the choice is forced."""
    position = {"roles": {role: {"taken_by": 0}}, **position}
    return seated(JOHNS, {}, politician, *others, **position).play("pick", "politician")


def test_the_politician_needs_a_role_that_was_played_in_this_round() -> None:
    assert ("pick", "politician") not in seated(JOHNS).legal
    assert ("pick", "politician") in seated(JOHNS, roles={"trader": {"taken_by": 0}}).legal
    for card in ("prospector", "pirate"):
        assert ("pick", "politician") not in seated(JOHNS, roles={card: {"taken_by": 0}}).legal


def test_the_politician_chooses_among_the_roles_taken_and_cannot_pass() -> None:
    taken = {"trader": 0, "prospector": 1, "builder": 2}
    table = seated(JOHNS, roles={role: {"taken_by": seat} for role, seat in taken.items()}).play("pick", "politician")
    assert (table.phase, table.player) == ("politician", 3)
    assert table.legal == {("replay", "builder"), ("replay", "trader")}


def test_the_politician_takes_the_doubloons_on_the_card() -> None:
    roles = {"trader": {"taken_by": 0}, "politician": {"doubloons": 2}}
    table = seated(JOHNS, roles=roles).play("pick", "politician")
    assert table.doubloons(1) == 2  # and no doubloon of the prospector's side
    assert (table.phase, table.player) == ("pick_role", 2)


def test_politician_replays_the_settler_without_the_quarry() -> None:
    table = politics("settler", {}, face_up={"corn": 5, "indigo": 2})
    assert (table.phase, table.player) == ("settler", 1)
    assert table.legal == {("pass",), ("settle", "corn"), ("settle", "indigo")}
    order = []
    while table.phase == "settler":
        order.append(table.player)
        table.play("pass")
    assert order == [1, 2, 3, 4, 5, 0]
    assert sum(table.now["face_up"].values()) == 7
    assert (table.phase, table.player) == ("pick_role", 2)


def test_politician_with_a_construction_hut_may_take_a_quarry() -> None:
    table = politics("settler", {"city": {"construction_hut": 1}}, face_up={"corn": 1})
    assert ("settle", "quarry") in table.legal


def test_politician_replays_the_mayor_without_the_colonist() -> None:
    table = politics("mayor", {}, colonist_ship=7)
    assert [board["san_juan"] for board in table.now["boards"]] == [1, 2, 1, 1, 1, 1]
    assert (table.phase, table.player) == ("pick_role", 2)
    assert table.now["colonist_ship"] == 6


def test_politician_replays_the_builder_without_the_discount() -> None:
    board = {"doubloons": 9}
    table = politics("builder", board, board)
    assert (table.phase, table.player) == ("builder", 1)
    assert ("build", "wharf") in table.legal
    assert not any(("build", large) in table.legal for large in LARGE)
    table.play("build", "harbor")
    assert (table.doubloons(1), table.player) == (1, 2)


def test_politician_replays_the_craftsman_without_the_barrel() -> None:
    board = {"island": tiles(corn=2)}
    table = politics("craftsman", board, board)
    assert (table.goods(1), table.goods(2)) == ({"corn": 2}, {"corn": 2})
    assert (table.phase, table.player) == ("pick_role", 2)


def test_politician_replays_the_trader_without_the_doubloon() -> None:
    table = politics("trader", {"goods": {"coffee": 1}}).play("sell", "coffee")
    assert table.doubloons(1) == 4


def test_politician_replays_the_captain_without_the_point() -> None:
    ships = [{"good": "corn", "barrels": 1}, {"good": "coffee", "barrels": 1}, {"good": "sugar", "barrels": 1}]
    table = politics("captain", {"goods": {"corn": 3}}, {"goods": {"sugar": 2}}, ships=ships)
    assert (table.chips(1), table.chips(2)) == (3, 2)
    assert (table.phase, table.player) == ("pick_role", 2)


def test_a_replayed_role_may_be_one_that_the_politician_s_player_did_not_pick_and_it_stays_taken() -> None:
    table = politics("craftsman", {})
    assert ("pick", "craftsman") not in table.legal
    assert table.now["roles"]["craftsman"]["taken_by"] == 0
    assert table.now["roles"]["politician"]["taken_by"] == 1


LIBRARY = kinds_with("library", "lighthouse", "specialty_factory", "guesthouse")


def test_the_library_doubles_nothing_in_a_replay() -> None:
    library = {"city": {"library": 1}}
    table = politics("settler", library, face_up={"corn": 6}, buildings=LIBRARY)
    for _ in range(6):
        table.play("pass")
    assert (table.phase, table.player) == ("pick_role", 2)  # no second turn
    assert politics("mayor", library, colonist_ship=6, buildings=LIBRARY).board(1)["san_juan"] == 1
    table = politics("builder", library | {"doubloons": 9}, {"doubloons": 9}, buildings=LIBRARY)
    assert table.play("build", "wharf").doubloons(1) == 0
    assert politics("craftsman", library | {"island": tiles(corn=1)}, buildings=LIBRARY).goods(1) == {"corn": 1}
    table = politics("trader", library | {"goods": {"coffee": 1}}, buildings=LIBRARY).play("sell", "coffee")
    assert table.doubloons(1) == 4
    ships = [{"good": "corn", "barrels": 1}, {}, {}]
    assert politics("captain", library | {"goods": {"corn": 1}}, ships=ships, buildings=LIBRARY).chips(1) == 1


def test_the_lighthouse_pays_a_politician_for_loads_only() -> None:
    board = {"city": {"lighthouse": 1}, "goods": {"corn": 1}}
    ships = [{"good": "corn", "barrels": 1}, {}, {}]
    assert politics("captain", board, ships=ships, buildings=LIBRARY).doubloons(1) == 1


def test_the_specialty_factory_pays_in_a_replay() -> None:
    board = {"city": {"specialty_factory": 1, "indigo_plant": 3}, "island": tiles(indigo=3)}
    table = politics("craftsman", board, board, buildings=LIBRARY)
    assert (table.doubloons(1), table.doubloons(2)) == (2, 2)


def test_guests_move_in_a_replayed_role_but_not_before_the_choice_of_it() -> None:
    board = {"city": {"guesthouse": 1}, "island": {"corn": {"tiles": 1}}}
    taken = {"craftsman": {"taken_by": 0}, "mayor": {"taken_by": 1}}
    table = seated(JOHNS, {}, {}, board, roles=taken, buildings=LIBRARY).play("pick", "politician")
    assert (table.phase, table.player) == ("politician", 2)
    table.play("replay", "craftsman")
    assert (table.phase, table.player) == ("guest", 2)
    table.play("guest", "corn")
    assert table.goods(2) == {"corn": 1}
    table = seated(JOHNS, {}, {}, board, roles=taken, buildings=LIBRARY).play("pick", "politician")
    phases = []
    table.play("replay", "mayor")
    while table.phase != "pick_role":
        phases.append(table.phase)
        table.play(*min(table.legal, key=str))
    assert "guest" not in phases


def test_the_five_players_politician_works_alike() -> None:
    table = seated(DOUBLE, {}, {"goods": {"coffee": 1}}, roles={"trader": {"taken_by": 0}}).play("pick", "politician")
    assert table.play("sell", "coffee").doubloons(1) == 4


# -- pirate ------------------------------------------------------------------------------------------------------------


def test_the_pirate_takes_any_barrel_of_any_other_player() -> None:
    boards = [{"goods": {"corn": 1}}, {"goods": {"corn": 2, "coffee": 1}}, {}, {"goods": {"sugar": 1}}]
    table = seated(JOHNS, *boards).play("pick", "pirate")
    assert (table.phase, table.player) == ("pirate_barrel", 0)
    expected = {("plunder", 1, "corn"), ("plunder", 1, "coffee"), ("plunder", 3, "sugar")}
    assert table.legal == {("pass",), *expected}
    table.play("plunder", 1, "coffee")
    assert (table.goods(0), table.goods(1)) == ({"corn": 1, "coffee": 1}, {"corn": 2})
    assert (table.phase, table.player) == ("pick_role", 1)  # there is no colonist to take; nobody else acts


def test_seats_are_counted_to_the_left_of_the_pirate() -> None:
    boards = [{"goods": {"corn": 1}}, {}, {}, {}, {"goods": {"indigo": 1}}, {}]
    table = seated(JOHNS, *boards, governor=4).play("pick", "pirate")
    assert table.legal == {("pass",), ("plunder", 2, "corn")}
    table.play("plunder", 2, "corn")
    assert (table.goods(0), table.goods(4)) == ({}, {"corn": 1, "indigo": 1})


def test_the_pirate_takes_a_colonist_from_a_san_juan_or_a_plantation() -> None:
    victim = {
        "san_juan": 1,
        "island": tiles(corn=1, quarry=1) | {"sugar": {"tiles": 1, "colonists": 0}},
        "city": {"small_market": 1},
    }
    table = seated(JOHNS, {"san_juan": 1}, {}, victim).play("pick", "pirate")
    # Neither quarries nor buildings, and nothing from oneself; there is no barrel to take.
    assert (table.phase, table.legal) == (
        "pirate_colonist",
        {("pass",), ("kidnap", 2, "san_juan"), ("kidnap", 2, "corn")},
    )
    table.play("kidnap", 2, "corn")
    assert table.board(0)["san_juan"] == 2
    assert table.board(2)["island"]["corn"] == {"tiles": 1, "colonists": 0}
    assert (table.phase, table.player) == ("pick_role", 1)


def test_the_pirate_takes_a_barrel_and_a_colonist_and_may_decline_either() -> None:
    victim = {"san_juan": 1, "goods": {"corn": 1}}
    found = set()
    for barrel in (("pass",), ("plunder", 1, "corn")):
        for colonist in (("pass",), ("kidnap", 1, "san_juan")):
            table = seated(JOHNS, {}, victim).play("pick", "pirate").play(*barrel).play(*colonist)
            found.add((table.goods(0).get("corn", 0), table.board(0)["san_juan"], table.board(1)["san_juan"]))
            assert table.player == 1
    assert found == {(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)}


def test_the_pirate_gets_the_doubloons_on_the_card_and_no_other() -> None:
    table = seated(JOHNS, roles={"pirate": {"doubloons": 2}}).play("pick", "pirate")
    assert (table.doubloons(0), table.phase, table.player) == (2, "pick_role", 1)


def test_the_pirate_s_guests_may_move_before_each_decision() -> None:
    kinds = kinds_with("guesthouse")
    pirate = {"city": {"guesthouse": 1}, "island": {"corn": {"tiles": 1}}}
    table = seated(JOHNS, pirate, {"goods": {"corn": 1}, "san_juan": 1}, buildings=kinds).play("pick", "pirate")
    order = []
    while table.player == 0:
        order.append(table.phase)
        table.play("pass")
    assert order == ["guest", "pirate_barrel", "guest", "pirate_colonist"]


def test_a_pirate_s_victim_may_first_move_a_guest() -> None:
    kinds = kinds_with("guesthouse")
    victim = {"city": {"guesthouse": 1}, "island": {"corn": {"tiles": 1}}}
    table = seated(JOHNS, {}, victim, buildings=kinds).play("pick", "pirate")
    assert (table.phase, table.player) == ("guest", 1)
    table.play("guest", "corn")
    assert table.legal == {("pass",), ("kidnap", 1, "corn")}


# -- governor ----------------------------------------------------------------------------------------------------------


def last_pick(governor_taken_by: int | None) -> Table:
    """Five of six have picked; player 2 was the governor and player 1 picks last."""
    cards = ["builder", "trader", "craftsman", "captain", "prospector"]
    taken = {card: (2 + number) % 6 for number, card in enumerate(cards)}
    if governor_taken_by is not None:
        card = next(card for card, seat in taken.items() if seat == governor_taken_by)
        del taken[card]
        taken["governor"] = governor_taken_by
    roles = {card: {"taken_by": seat} for card, seat in taken.items()}
    return seated(GOVERNOR, roles=roles, governor=2)


def test_the_governor_stays_when_nobody_takes_the_card() -> None:
    table = last_pick(None).play("pick", "prospector_2")
    assert (table.now["round"], table.now["governor"], table.player) == (2, 2, 2)


def test_who_takes_the_governor_s_card_is_the_first_in_the_next_round() -> None:
    table = last_pick(4).play("pick", "prospector_2")
    assert (table.now["round"], table.now["governor"], table.player) == (2, 4, 4)


def test_the_last_player_may_take_the_governor_s_card_and_the_round_ends() -> None:
    table = last_pick(None).play("pick", "governor")
    assert (table.now["round"], table.now["governor"], table.player) == (2, 1, 1)


def test_the_governor_s_card_has_no_action_but_pays_what_lies_on_it() -> None:
    table = seated(GOVERNOR, roles={"governor": {"doubloons": 3}}).play("pick", "governor")
    assert (table.phase, table.player, table.doubloons(0)) == ("pick_role", 1, 3)
    assert ("pick", "governor") not in table.legal


def test_the_governor_changes_at_the_end_of_the_round_only() -> None:
    table = seated(GOVERNOR).play("pick", "governor").play("pick", "prospector").play("pick", "prospector_2")
    assert (table.now["governor"], table.player) == (0, 3)


def test_guests_do_not_move_with_the_governor_s_card() -> None:
    board = {"city": {"guesthouse": 1}, "island": {"corn": {"tiles": 1}}}
    table = seated(GOVERNOR, board, buildings=kinds_with("guesthouse")).play("pick", "governor")
    assert (table.phase, table.player) == ("pick_role", 1)


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "ending"), [(GOVERNOR, ["city"]), (JOHNS, [])])
def test_ten_buildings_end_the_game_in_the_governor_variant_only(game: dict[str, Any], ending: list[str]) -> None:
    city = dict.fromkeys(SMALL_VIOLET[:9], 0)
    boards: list[dict[str, Any]] = [{"doubloons": 9, "city": city}, {"doubloons": 9}]
    table = seated(game, *boards, phase="builder").play("build", "wharf")
    assert table.now["ending"] == ending
    eight = dict.fromkeys(SMALL_VIOLET[:8], 0)
    boards = [{"doubloons": 9, "city": eight}, {"doubloons": 9}]
    assert seated(game, *boards, phase="builder").play("build", "wharf").now["ending"] == []


@pytest.mark.parametrize("game", [GOVERNOR, JOHNS])
def test_twelve_spaces_end_the_game_with_fewer_than_ten_buildings(game: dict[str, Any]) -> None:
    city = dict.fromkeys((*LARGE[:4], "small_market", "hacienda"), 0)  # six buildings, ten spaces
    boards: list[dict[str, Any]] = [{"doubloons": 9, "city": city}, {"doubloons": 9}]
    table = seated(game, *boards, phase="builder").play("build", "city_hall")
    assert table.now["ending"] == ["city"]


def test_a_large_building_is_one_of_the_ten() -> None:
    city = dict.fromkeys(SMALL_VIOLET[:9], 0)
    boards: list[dict[str, Any]] = [{"doubloons": 9, "city": city}, {"doubloons": 9}]
    table = seated(GOVERNOR, *boards, phase="builder").play("build", "fortress")
    assert table.now["ending"] == ["city"]


def test_the_large_church_is_built_like_any_large_building() -> None:
    boards: list[dict[str, Any]] = [{"doubloons": 12, "city": {"church": 1}}, {"doubloons": 12}]
    table = seated(JOHNS, *boards, phase="builder", buildings=kinds_with("church")).play("build", "large_church")
    assert table.doubloons(0) == 3
    assert table.chips(0) == 2  # column 4
    assert ("build", "large_church") not in table.legal  # there is one
    assert table.now["buildings_left"]["large_church"] == 0
