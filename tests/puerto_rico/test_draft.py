"""Expansion I: which 17 kinds of violet buildings are in the game; drafted, drawn or listed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env import Batch, PuertoRico
from tests.puerto_rico.table import Table, kinds_with, new_game

# Values of the rulebooks, typed in independently: kinds by cost, and spaces on the board for each cost.
KINDS_BY_COST = {
    1: ("small_market", "aqueduct"),
    2: ("hacienda", "construction_hut", "black_market", "forest_house"),
    3: ("small_warehouse", "storehouse"),
    4: ("hospice", "guesthouse"),
    5: ("office", "large_market", "church", "trading_post"),
    6: ("large_warehouse", "small_wharf"),
    7: ("factory", "lighthouse"),
    8: ("university", "harbor", "library", "specialty_factory"),
    9: ("wharf", "union_hall"),
    10: ("guild_hall", "residence", "fortress", "customs_house", "city_hall", "cloister", "statue"),
}
SPACES = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
VIOLET = [kind for kinds in KINDS_BY_COST.values() for kind in kinds]
PRODUCTION = ["small_indigo_plant", "small_sugar_mill", "indigo_plant", "sugar_mill", "tobacco_storage"]
PRODUCTION.append("coffee_roaster")


def violet_in(now: dict[str, Any]) -> list[str]:
    """The violet kinds on the board, without the large church, which has a space of its own."""
    return [kind for kind in now["kinds"] if kind not in (*PRODUCTION, "large_church")]


def fits(kinds: list[str]) -> bool:
    return len(kinds) == 17 and all(
        sum(kind in kinds for kind in KINDS_BY_COST[cost]) == spaces for cost, spaces in SPACES.items()
    )


def start(**options: Any) -> dict[str, Any]:
    """The first position of a game."""
    return Batch(PuertoRico(**options), 1, 5, threads=1).to_dict(0)


def draft(table: Table, *kinds: str) -> Table:
    for kind in kinds:
        table.play("draft", kind)
    return table


# -- the draft ---------------------------------------------------------------------------------------------------------


def test_the_draft_is_the_first_decision_of_the_game() -> None:
    table = new_game(3, buildings="draft")
    assert (table.phase, table.player) == ("draft", 0)
    assert table.legal == {("draft", kind) for kind in VIOLET}
    assert sum(table.now["face_up"].values()) == 4  # the rest is set up
    assert violet_in(table.now) == []


@pytest.mark.parametrize("players", [2, 3, 5])
def test_players_draft_in_seat_order_until_all_17_spaces_are_taken(players: int) -> None:
    table = new_game(players, buildings="draft")
    for turn in range(17):
        assert (table.phase, table.player) == ("draft", turn % players)
        table.play(*max(table.legal, key=str))
    assert (table.phase, table.player, table.now["round"]) == ("pick_role", 0, 1)
    assert fits(violet_in(table.now))


def test_a_kind_comes_with_all_its_copies_and_the_rest_is_out() -> None:
    chosen = kinds_with("church", "library", "statue", "cloister", "aqueduct")
    for players, copies in ((2, 1), (3, 2)):
        left = draft(new_game(players, buildings="draft"), *chosen).now["buildings_left"]
        expected = {kind: (1 if kind in KINDS_BY_COST[10] else copies) if kind in chosen else 0 for kind in VIOLET}
        assert {kind: left[kind] for kind in VIOLET} == expected
        assert left["small_indigo_plant"] == (2 if players == 2 else 4)


def test_worked_example_black_market_and_hacienda_leave_no_space_for_others_of_cost_two() -> None:
    table = draft(new_game(3, buildings="draft"), "black_market")
    assert ("draft", "black_market") not in table.legal
    assert {("draft", "construction_hut"), ("draft", "forest_house"), ("draft", "hacienda")} <= table.legal
    draft(table, "hacienda")
    assert not {name[1] for name in table.legal} & set(KINDS_BY_COST[2])


@pytest.mark.parametrize("cost", list(SPACES))
def test_kinds_fit_while_a_space_of_their_cost_is_free(cost: int) -> None:
    table = new_game(4, buildings="draft")
    kinds = KINDS_BY_COST[cost]
    for number, kind in enumerate(kinds[: SPACES[cost]]):
        assert {name[1] for name in table.legal} & set(kinds) == set(kinds[number:])
        draft(table, kind)
    assert {name[1] for name in table.legal} == set(VIOLET) - set(kinds)


@pytest.mark.parametrize(("first", "second"), [("hacienda", "forest_house"), ("forest_house", "hacienda")])
def test_hacienda_and_forest_house_in_one_game_by_option(first: str, second: str) -> None:
    assert ("draft", second) in draft(new_game(3, buildings="draft"), first).legal
    table = draft(new_game(3, buildings="draft", hacienda_with_forest_house="excluded"), first)
    assert ("draft", second) not in table.legal
    assert {("draft", "construction_hut"), ("draft", "black_market")} <= table.legal


def test_only_what_was_drafted_can_be_built() -> None:
    chosen = kinds_with("church", "trading_post", "library", "specialty_factory")
    table = draft(Table(3, {"phase": "draft", "boards": [{"doubloons": 30}, {}, {}]}, buildings="draft"), *chosen)
    table.play("pick", "builder")
    assert {name[1] for name in table.legal if name[0] == "build"} == {*chosen, *PRODUCTION}


# -- drawn from the seed -----------------------------------------------------------------------------------------------


def drawn(count: int, seed: int = 0, **options: Any) -> list[list[str]]:
    batch = Batch(PuertoRico(buildings="random", **options), count, seed, threads=1)
    return [violet_in(batch.to_dict(i)) for i in range(count)]


def test_random_kinds_follow_from_the_seed() -> None:
    assert drawn(20, 7) == drawn(20, 7)
    assert len({tuple(kinds) for kinds in drawn(20, 7)}) == 20  # 2^6 * 6^3 * 21 boards


def test_random_kinds_always_fit_and_every_kind_occurs_as_often_as_it_should() -> None:
    games = drawn(400)
    assert all(fits(kinds) for kinds in games)
    for cost, kinds in KINDS_BY_COST.items():
        expected = 400 * SPACES[cost] / len(kinds)
        for kind in kinds:
            # five standard deviations of 400 tosses of a fair coin
            assert abs(sum(kind in game for game in games) - expected) < 50, kind


def test_random_kinds_respect_the_exclusion() -> None:
    def both(games: list[list[str]]) -> int:
        return sum("hacienda" in kinds and "forest_house" in kinds for kinds in games)

    assert both(drawn(300)) > 0
    excluding = drawn(300, hacienda_with_forest_house="excluded")
    assert both(excluding) == 0
    assert all(fits(kinds) for kinds in excluding)
    assert {kind for kinds in excluding for kind in kinds} == set(VIOLET)


def test_a_random_game_begins_with_a_pick() -> None:
    now = start(buildings="random")
    assert (now["phase"], now["player"]) == ("pick_role", 0)
    assert {kind for kind in VIOLET if now["buildings_left"][kind]} == set(violet_in(now))


# -- listed ------------------------------------------------------------------------------------------------------------


def test_a_list_is_the_game_s_violet_buildings() -> None:
    chosen = kinds_with("union_hall", "small_wharf", "statue")
    table = new_game(4, buildings=chosen)
    assert (table.phase, sorted(violet_in(table.now))) == ("pick_role", sorted(chosen))
    left = table.now["buildings_left"]
    assert {kind for kind in VIOLET if left[kind]} == set(chosen)


BASE_KINDS = [kind for kind in kinds_with() if kind != "large_church"]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        (BASE_KINDS[1:], "17 violet kinds, got 16"),
        ([], "17 violet kinds, got 0"),
        ([*BASE_KINDS, "library"], "17 violet kinds, got 18"),
        ([*BASE_KINDS[1:], "castle"], "got 'castle'"),
        ([*BASE_KINDS[1:], "indigo_plant"], "got 'indigo_plant'"),
        ([*BASE_KINDS[1:], "large_church"], "got 'large_church'"),
        ([*BASE_KINDS[1:], "wharf"], "must not list wharf twice"),
        ([*BASE_KINDS[1:], "storehouse"], "cost"),  # nothing for 1, two for 3
        ([*(kind for kind in BASE_KINDS if kind != "office"), "statue"], "cost"),
        ([*BASE_KINDS[1:], 5], "got 5"),
    ],
)
def test_a_list_that_does_not_fit_is_refused(kinds: list[Any], message: str) -> None:
    assert len(BASE_KINDS) == 17
    with pytest.raises(ValueError, match=message):
        PuertoRico(buildings=kinds)


def test_a_list_with_hacienda_and_forest_house_by_option() -> None:
    both = kinds_with("hacienda", "forest_house")
    assert PuertoRico(buildings=both).extended
    with pytest.raises(ValueError, match="hacienda and forest_house"):
        PuertoRico(buildings=both, hacienda_with_forest_house="excluded")
    assert PuertoRico(buildings=kinds_with("forest_house"), hacienda_with_forest_house="allowed").extended


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"buildings": "expansion"}, "buildings must be one of base, draft, random, or a list .* got 'expansion'"),
        ({"hacienda_with_forest_house": "no"}, "hacienda_with_forest_house must be one of allowed, excluded, got 'no'"),
        ({"hacienda_with_forest_house": True}, "hacienda_with_forest_house must be one of allowed, excluded, got True"),
        ({"small_wharf_harbor": "once"}, "small_wharf_harbor must be one of use, kind, got 'once'"),
        ({"two_player_library": "never"}, "two_player_library must be one of each, round, got 'never'"),
        ({"buildings": 17}, "buildings"),
        ({"buildings": None}, "buildings"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PuertoRico(**options)


# -- the next game -----------------------------------------------------------------------------------------------------


def next_game(**options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first position of a game of one round and of the one that follows it by autoreset."""
    batch = Batch(PuertoRico(max_rounds=1, **options), 1, 3, threads=1)
    first = batch.to_dict(0)
    for _ in range(1000):
        batch.step(batch.sample_actions())
        if batch.truncated[0] or batch.terminated[0]:
            return first, batch.to_dict(0)
    raise AssertionError("a game of one round does not end")


def test_autoreset_keeps_the_list() -> None:
    chosen = kinds_with("church", "guesthouse", "cloister")
    first, second = next_game(buildings=chosen)
    assert first["seed"] != second["seed"]
    assert sorted(violet_in(second)) == sorted(violet_in(first)) == sorted(chosen)
    assert second["buildings_left"] == first["buildings_left"]


def test_autoreset_drafts_anew() -> None:
    _, second = next_game(buildings="draft")
    assert (second["phase"], second["player"], violet_in(second)) == ("draft", 0, [])
    assert all(second["buildings_left"][kind] == 0 for kind in VIOLET)


def test_autoreset_draws_anew() -> None:
    first, second = next_game(buildings="random")
    assert fits(violet_in(second))
    assert violet_in(second) != violet_in(first)


# -- large church ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("buildings", ["base", "draft", "random", kinds_with("library")])
def test_the_large_church_is_in_johns_game_whatever_the_kinds_are(buildings: Any) -> None:
    now = start(players=6, buildings=buildings)
    assert now["buildings_left"]["large_church"] == 1
    assert "large_church" in now["kinds"]


@pytest.mark.parametrize(
    "options",
    [{"players": 6, "six_players": "governor"}, {"players": 5, "double_cards": True}, {"players": 5}, {"players": 2}],
)
def test_the_large_church_is_in_no_other_game(options: dict[str, Any]) -> None:
    for buildings in ("draft", "random", kinds_with("library")):
        now = start(buildings=buildings, **options)
        assert now["buildings_left"]["large_church"] == 0
        assert "large_church" not in now["kinds"]


def test_the_large_church_is_never_drafted() -> None:
    names = [action.name for action in PuertoRico(players=6).actions]
    assert ("draft", "large_church") not in names
    assert ("build", "large_church") in names


def test_the_seed_is_all_that_random_games_differ_in() -> None:
    games = Batch(PuertoRico(buildings="random"), 3, np.array([4, 4, 5]), threads=1)
    assert games.to_dict(0) == games.to_dict(1)
    assert games.to_dict(0)["kinds"] != games.to_dict(2)["kinds"]
