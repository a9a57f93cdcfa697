"""The scripted plans in the extended game: its decisions, its buildings and its cards."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from agents import make_agent
from agents.puerto_rico import STRATEGIES
from agents.puerto_rico.plans import PLANS
from agents.puerto_rico.policy import follow
from agents.puerto_rico.uses import use_of
from pr_env import Batch, PuertoRico
from pr_env.compiling import kernel
from pr_env.puerto_rico.tables import (
    BUILDING_NAMES,
    FIRST_VIOLET,
    LARGE_CHURCH,
    NOT_BUILT,
    NUM_BASE_BUILDINGS,
)
from tests.puerto_rico.table import Name, Table, kinds_with, tiles

NEW = kinds_with(
    *("aqueduct", "black_market", "forest_house", "storehouse", "guesthouse", "church", "trading_post", "small_wharf"),
    *("lighthouse", "library", "specialty_factory", "union_hall", "cloister", "statue"),
)
JOHNS: dict[str, Any] = {"players": 6, "six_players": "johns"}
BLOCKED = [{"good": "tobacco", "barrels": 1}, {"good": "coffee", "barrels": 1}, {"good": "sugar", "barrels": 1}]
HALVES = {"corn": {"tiles": 2, "colonists": 0}}


def choose(agent: str, table: Table) -> Name:
    """The choice of an agent; the table is not changed."""
    batch = table.batch
    action = int(make_agent(agent, batch.game).choose(batch.observation, batch.mask, batch.games)[0])
    assert batch.mask[0, action]
    return batch.game.actions[action].name


def table_of(*boards: dict[str, Any], kinds: list[str] = NEW, **position: Any) -> Table:
    """A game for three with these boards."""
    return Table(3, {"boards": [*boards, *[{}] * (3 - len(boards))], **position}, buildings=kinds)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 3, "buildings": "draft"},
        {"players": 2, "buildings": "random"},
        JOHNS | {"buildings": "random"},
        {"players": 6, "six_players": "governor"},
        {"players": 5, "double_cards": True, "balanced": True},
    ],
)
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_choice_is_legal_also_where_others_play_by_chance(name: str, options: dict[str, Any]) -> None:
    batch = Batch(PuertoRico(**options), 8, seed=5, observations=False, threads=1)
    agent = make_agent(name, batch.game)
    chance = np.random.default_rng(0)
    for _ in range(300):
        actions = agent.choose(batch.observation, batch.mask, batch.games)
        assert batch.mask[np.arange(8), actions].all()
        batch.step(np.where(chance.random(8) < 0.3, batch.sample_actions(), actions))


# -- the buildings -----------------------------------------------------------------------------------------------------


def gain(agent: str, building: str, board: dict[str, Any]) -> float:
    """The value of a building for the first player, by the plan of an agent."""
    game = table_of(board, phase="builder").batch.games[0]
    plan, number = PLANS[STRATEGIES.index(agent)], BUILDING_NAMES.index(building)
    return float(use_of(game, plan, 0, number))


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_aqueduct_is_for_who_has_a_large_plant(name: str) -> None:
    island = {"indigo": {"tiles": 3, "colonists": 3}, "sugar": {"tiles": 3, "colonists": 3}}
    both = gain(name, "aqueduct", {"island": island, "city": {"indigo_plant": 3, "sugar_mill": 3}})
    one = gain(name, "aqueduct", {"island": island, "city": {"indigo_plant": 3, "small_sugar_mill": 1}})
    assert both == 2 * one > 0
    assert gain(name, "aqueduct", {"island": island, "city": {"small_indigo_plant": 1}}) == 0


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_specialty_factory_is_for_who_makes_much_of_one_kind(name: str) -> None:
    many = gain(name, "specialty_factory", {"island": tiles(tobacco=3), "city": {"tobacco_storage": 3}})
    each = {"island": tiles(corn=3, tobacco=1, sugar=1), "city": {"tobacco_storage": 1, "sugar_mill": 1}}
    assert many > 0 == gain(name, "specialty_factory", each)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_union_hall_is_for_who_ships_much_of_the_same(name: str) -> None:
    many = gain(name, "union_hall", {"island": tiles(corn=4, indigo=2), "city": {"indigo_plant": 2}})
    assert many == 3 * gain(name, "union_hall", {"island": tiles(corn=3, coffee=1), "city": {"coffee_roaster": 1}}) > 0


def test_the_builder_wants_the_church_most_and_the_trader_the_trading_post() -> None:
    wishes = {name: PLANS["use"][:, BUILDING_NAMES.index(name)].argmax() for name in ("church", "trading_post")}
    assert wishes == {"church": STRATEGIES.index("builder"), "trading_post": STRATEGIES.index("trader")}


@kernel
def follow_plans(games: np.ndarray, plans: np.ndarray, which: np.ndarray, out: np.ndarray) -> None:
    """The choice in each game by the plan with its number."""
    for i in range(games.shape[0]):
        out[i] = follow(games[i], plans[which[i]])


@cache
def played(count: int = 360) -> tuple[np.ndarray, np.ndarray]:
    """Games for three on random boards: each plan in one seat against two copies of a plan without the new buildings.

    Returns:
        The finished games, and the seat of the plan in each.
    """
    without = PLANS.copy()
    without["use"][:, NUM_BASE_BUILDINGS:] = 0
    plans = np.concatenate([PLANS, without])
    game = PuertoRico(players=3, buildings="random")
    batch = Batch(game, count, seed=11, observations=False, autoreset=False, threads=1)
    numbers = np.arange(count)
    seats, own, others = numbers % 3, numbers // 3 % 3, numbers // 9 % 3
    actions = np.zeros(count, np.int64)
    while not (over := batch.is_over()).all():
        which = np.where(batch.player == seats, own, len(PLANS) + others)
        rows = np.flatnonzero(~over)
        chosen = np.zeros(len(rows), np.int64)
        follow_plans(np.array(batch.games[rows]), plans, which[rows], chosen)
        actions[rows] = chosen
        batch.step(actions, where=~over)
    return np.array(batch.games), seats


@pytest.mark.parametrize(
    ("plan", "building"),
    [
        ("builder", "aqueduct"),
        ("builder", "black_market"),
        ("builder", "forest_house"),
        ("shipper", "storehouse"),
        ("trader", "guesthouse"),
        ("trader", "trading_post"),
        ("shipper", "statue"),
    ],
)
def test_plans_buy_new_buildings(plan: str, building: str) -> None:
    games, seats = played()
    numbers, kind = np.arange(len(games)), BUILDING_NAMES.index(building)
    there = (games["in_game"][:, kind] == 1) & (numbers // 3 % 3 == STRATEGIES.index(plan))
    owned = games["city"][numbers, seats, kind] != NOT_BUILT
    assert owned[there].mean() >= 0.1


# -- the decisions -----------------------------------------------------------------------------------------------------


def test_a_draft_puts_on_the_board_what_suits_the_plan() -> None:
    for number, name in enumerate(STRATEGIES):
        table = Table(3, None, buildings="draft")
        kind = str(choose(name, table)[1])
        use, chosen = PLANS[number]["use"], BUILDING_NAMES.index(kind)
        assert use[chosen] >= np.median(use[FIRST_VIOLET:LARGE_CHURCH])


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_the_house_does_not_take_goes_to_the_trading_post(name: str) -> None:
    board = {"goods": {"coffee": 2}, "city": {"trading_post": 1}}
    house = ["coffee", "corn"]
    table = table_of(board, phase="trader", trading_house=house)
    assert choose(name, table) == ("sell_to_post", "coffee")
    market = {"goods": {"coffee": 2}, "city": {"trading_post": 1, "small_market": 1}}
    table = table_of(market, phase="trader", kinds=kinds_with("trading_post"))
    assert choose(name, table) == ("sell", "coffee")  # where the market pays


def test_a_forest_is_better_than_a_plantation_that_nobody_can_use() -> None:
    board = {"city": {"forest_house": 1}, "island": tiles(corn=1)}
    table = table_of(board, {"island": {"quarry": {"tiles": 8}}}, phase="settler", face_up={"coffee": 2, "sugar": 2})
    assert choose("builder", table) == ("settle", "forest")


@pytest.mark.parametrize("name", STRATEGIES)
def test_guests_go_to_the_harvest(name: str) -> None:
    board = {"city": {"guesthouse": 2}, "island": HALVES}
    table = table_of(board).play("pick", "craftsman")
    assert table.phase == "guest"
    assert choose(name, table) == ("guest", "corn")


@pytest.mark.parametrize("name", STRATEGIES)
def test_guests_stay_where_they_are_while_nothing_is_to_be_done(name: str) -> None:
    board = {"city": {"guesthouse": 2, "factory": 0}, "island": HALVES}
    table = table_of(board, kinds=kinds_with("guesthouse", "factory")).play("pick", "settler")
    assert table.phase == "guest"
    assert choose(name, table) == ("pass",)


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_small_wharf_takes_an_even_number_of_what_would_be_lost(name: str) -> None:
    board = {"goods": {"corn": 3, "indigo": 4}, "city": {"small_wharf": 1}}
    table = table_of(board, phase="captain", ships=BLOCKED)
    assert choose(name, table) == ("small_wharf",)
    table.play("small_wharf")
    shipped = 0
    while table.phase == "small_wharf":
        answer = choose(name, table)
        shipped += int(answer[1])
        table.play(*answer)
    assert shipped == 6


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_storehouse_keeps_four_barrels_the_better_ones(name: str) -> None:
    board = {"goods": {"corn": 4, "coffee": 3}, "city": {"storehouse": 1}}
    table = table_of(board, phase="store")
    while table.phase == "store":
        table.play(*choose(name, table))
    kept = table.goods(0)
    assert kept["coffee"] == 3
    assert kept["corn"] == 1


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_black_market_gets_an_idle_colonist_first(name: str) -> None:
    board = {"doubloons": 7, "city": {"black_market": 1}, "san_juan": 1, "goods": {"corn": 1}}
    table = table_of(board, phase="builder", kinds=kinds_with("black_market", "harbor"))
    table.play("build", "harbor")  # 8, less 1 for the picker: paid
    assert table.board(0)["city"]["harbor"] == 0
    board["doubloons"] = 6
    table = table_of(board, phase="builder", kinds=kinds_with("black_market", "harbor")).play("build", "harbor")
    assert choose(name, table) == ("pay_colonist", "san_juan")


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_pirate_takes_the_best_barrel(name: str) -> None:
    boards = [{}, {"goods": {"corn": 2}}, {"goods": {"coffee": 1}}, {}, {}, {}]
    table = Table(6, {"boards": boards}, six_players="johns").play("pick", "pirate")
    assert choose(name, table) == ("plunder", 2, "coffee")
