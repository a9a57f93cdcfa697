"""The scripted agents and the greedy one: legal everywhere, sensible in each phase, far better than random play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import make_agent
from agents.agent import Agent
from agents.puerto_rico.plans import PLANS, STRATEGIES
from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.state import GAME_OVER, PHASES
from pr_env.puerto_rico.tables import PLAYER_COUNTS
from tests.puerto_rico.table import Name, tiles

SCRIPTED = STRATEGIES
ALL = (*SCRIPTED, "greedy")

# Boards of the others, for setting up positions
CHIPS_GONE = {"chips": 75}  # the last round of a game of three
ALL_QUARRIES = {"island": {"quarry": {"tiles": 8}}}
SOME_COLONISTS = {"san_juan": 5}


def decide(agent: str, position: dict[str, Any], players: int = 3) -> Name:
    """The choice of an agent in a described position."""
    batch = Batch.from_dicts(PuertoRico(players=players), [position], autoreset=False, observations=False)
    action = int(make_agent(agent, batch.game).choose(batch.observation, batch.mask, batch.games)[0])
    assert batch.mask[0, action]
    return batch.game.actions[action].name


def arrangement(agent: str, position: dict[str, Any]) -> dict[str, Any]:
    """The board of player 0 after an agent has placed the colonists."""
    batch = Batch.from_dicts(PuertoRico(players=3), [{"phase": "mayor", **position}], autoreset=False)
    player = make_agent(agent, batch.game)
    while batch.to_dict(0)["phase"] == "mayor" and batch.player[0] == 0:
        batch.step(player.choose(batch.observation, batch.mask, batch.games))
    board: dict[str, Any] = batch.to_dict(0)["boards"][0]
    return board


# -- every position ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("name", ALL)
def test_every_choice_is_legal_also_where_others_play_by_chance(name: str, players: int) -> None:
    batch = Batch(PuertoRico(players=players), 12, seed=players, observations=False, threads=1)
    agent = make_agent(name, batch.game)
    chance = np.random.default_rng(0)
    phases = set()
    for _ in range(400):
        phases |= set(batch.games["phase"].tolist())
        actions = agent.choose(batch.observation, batch.mask, batch.games)
        assert batch.mask[np.arange(12), actions].all()
        batch.step(np.where(chance.random(12) < 0.5, batch.sample_actions(), actions))
    rare = {"hacienda", "hospice", "university"}
    assert phases >= {number for number, phase in enumerate(PHASES[:GAME_OVER]) if phase not in rare}


@pytest.mark.parametrize("name", ALL)
def test_the_choice_depends_on_the_position_alone(name: str) -> None:
    batch = Batch(PuertoRico(players=4), 8, seed=1, observations=False, threads=1)
    for _ in range(60):
        batch.step(batch.sample_actions())
    games = batch.games.copy()
    actions = make_agent(name, batch.game, seed=5).choose(batch.observation, batch.mask, games)
    assert games.tobytes() == batch.games.tobytes(), "the agent changed the games"
    backwards = make_agent(name, batch.game, seed=5).choose(
        batch.observation[::-1], batch.mask[::-1], games[::-1].copy()
    )
    assert actions.tolist() == backwards[::-1].tolist()


@pytest.mark.parametrize("name", ALL)
def test_nobody_looks_at_what_a_player_cannot_know(name: str) -> None:
    batch = Batch(PuertoRico(players=3), 64, seed=2, observations=False, threads=1)
    agent = make_agent(name, batch.game)
    for step in range(80):
        games = batch.games.copy()
        actions = agent.choose(batch.observation, batch.mask, games)
        rows = np.arange(len(games))
        games["rng"] = games["rng"][::-1]  # other tiles will be drawn
        others = (games["player"] + 1) % 3, (games["player"] + 2) % 3
        swapped = games["chips"][rows, others[0]], games["chips"][rows, others[1]]
        games["chips"][rows, others[0]], games["chips"][rows, others[1]] = swapped[1].copy(), swapped[0].copy()
        assert agent.choose(batch.observation, batch.mask, games).tolist() == actions.tolist()
        batch.step(actions if step % 2 else batch.sample_actions())


# -- phase by phase ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_trader_sells_coffee_rather_than_corn(name: str) -> None:
    boards = [{"goods": {"corn": 1, "coffee": 1}}, {}, {}]
    assert decide(name, {"phase": "trader", "boards": boards}) == ("sell", "coffee")


@pytest.mark.parametrize("name", SCRIPTED)
def test_nobody_gives_corn_away_for_nothing(name: str) -> None:
    boards = [{}, {"goods": {"corn": 3}}, {}]
    position = {"phase": "trader", "boards": boards, "picker": 0, "player": 1, "trading_house": ["sugar"]}
    assert decide(name, position) == ("pass",)


@pytest.mark.parametrize("name", ALL)
def test_a_pick_with_coffee_in_hand_and_money_on_the_card_is_the_trader(name: str) -> None:
    boards = [{"goods": {"coffee": 1}, "island": tiles(coffee=1), "city": {"coffee_roaster": 1}}, {}, {}]
    assert decide(name, {"boards": boards, "roles": {"trader": {"doubloons": 3}}}) == ("pick", "trader")


@pytest.mark.parametrize("name", ALL)
def test_a_pick_with_many_barrels_and_empty_ships_is_the_captain(name: str) -> None:
    boards = [{"goods": {"corn": 5, "indigo": 4}}, {}, {}]
    assert decide(name, {"boards": boards}) == ("pick", "captain")


@pytest.mark.parametrize("name", ALL)
def test_a_pick_with_money_for_a_large_building_in_the_last_round_is_the_builder(name: str) -> None:
    boards = [{"doubloons": 10, "city": {"small_market": 1}}, CHIPS_GONE, {}]
    assert decide(name, {"boards": boards, "round": 14}) == ("pick", "builder")


@pytest.mark.parametrize("name", ALL)
def test_the_mayor_mans_a_plantation_and_its_plant_before_anything_idle(name: str) -> None:
    island = {"sugar": {"tiles": 1}, "indigo": {"tiles": 1}, "tobacco": {"tiles": 2}}
    position = {"boards": [{"san_juan": 2, "island": island, "city": {"small_indigo_plant": 0}}, SOME_COLONISTS, {}]}
    board = arrangement(name, position)
    assert board["island"]["indigo"]["colonists"] == 1
    assert board["city"]["small_indigo_plant"] == 1
    assert board["island"]["tobacco"]["colonists"] == 0


@pytest.mark.parametrize("name", ALL)
def test_the_mayor_mans_a_large_building_in_the_last_round(name: str) -> None:
    city = {"guild_hall": 0, "coffee_roaster": 0, "sugar_mill": 0, "hacienda": 0}
    board = arrangement(name, {"boards": [{"san_juan": 1, "city": city}, {**CHIPS_GONE, **SOME_COLONISTS}, {}]})
    assert board["city"]["guild_hall"] == 1


@pytest.mark.parametrize("name", ALL)
def test_the_settler_takes_the_plantation_for_an_empty_plant(name: str) -> None:
    boards = [{"city": {"tobacco_storage": 3}, "island": {"corn": {"tiles": 1}}}, ALL_QUARRIES, {}]
    position = {"phase": "settler", "boards": boards, "face_up": {"tobacco": 1, "sugar": 2}}
    assert decide(name, position) == ("settle", "tobacco")


def test_the_builder_wants_the_first_quarry_more_than_corn_the_shipper_likes_corn() -> None:
    position = {"phase": "settler", "face_up": {"corn": 2, "indigo": 2}}
    assert decide("builder", position) == ("settle", "quarry")
    assert decide("shipper", {**position, "boards": [{}, ALL_QUARRIES, {}]}) == ("settle", "corn")


@pytest.mark.parametrize("name", SCRIPTED)
def test_the_last_island_space_is_kept_for_a_quarry(name: str) -> None:
    island = {"corn": {"tiles": 6, "colonists": 6}, "indigo": {"tiles": 5}}
    position = {"phase": "hacienda", "boards": [{"island": island, "city": {"hacienda": 1}}, {}, {}]}
    assert decide(name, position) == ("pass",)
    island["indigo"]["tiles"] = 3
    assert decide(name, position) == ("draw_tile",)


@pytest.mark.parametrize("name", ALL)
def test_a_colonist_for_nothing_is_taken(name: str) -> None:
    board = {"city": {"hospice": 1, "university": 1}, "island": {"corn": {"tiles": 1}}}
    hospice = {"phase": "hospice", "boards": [board, {}, {}], "decision": {"placed": "corn"}}
    assert decide(name, hospice) == ("take_colonist",)
    city = {"hospice": 1, "university": 1, "harbor": 0}
    university = {"phase": "university", "boards": [{"city": city}, {}, {}], "decision": {"placed": "harbor"}}
    assert decide(name, university) == ("take_colonist",)


@pytest.mark.parametrize("name", ALL)
def test_a_large_building_is_built_when_it_can_be_paid_late_in_the_game(name: str) -> None:
    city = {"coffee_roaster": 2, "tobacco_storage": 3, "sugar_mill": 3, "indigo_plant": 3, "small_indigo_plant": 1}
    boards = [{"doubloons": 10, "city": city, "island": tiles(corn=2)}, {"san_juan": 30}, {}]
    assert decide(name, {"phase": "builder", "boards": boards, "round": 13}) == ("build", "guild_hall")


@pytest.mark.parametrize("name", ALL)
def test_the_craftsman_takes_one_more_coffee_rather_than_corn(name: str) -> None:
    boards = [{"goods": {"corn": 2, "coffee": 1}, "island": tiles(corn=2, coffee=1), "city": {"coffee_roaster": 1}}]
    position = {
        "phase": "craftsman_privilege",
        "boards": [*boards, {}, {}],
        "decision": {"produced": {"corn": 2, "coffee": 1}},
    }
    assert decide(name, position) == ("take_good", "coffee")


@pytest.mark.parametrize("name", ALL)
def test_the_captain_loads_the_larger_pile_first(name: str) -> None:
    boards = [{"goods": {"corn": 4, "sugar": 1}}, {"goods": {"corn": 3}}, {"goods": {"corn": 3}}]
    position = {"phase": "captain", "boards": boards, "ships": [{"good": "tobacco", "barrels": 1}, {}, {}]}
    assert decide(name, position)[:2] == ("load", "corn")


@pytest.mark.parametrize("name", SCRIPTED)
def test_the_wharf_is_not_wasted_on_what_a_ship_takes(name: str) -> None:
    boards = [{"goods": {"corn": 2, "sugar": 4}, "city": {"wharf": 1}}, {}, {}]
    ships = [{"good": "corn", "barrels": 1}, {"good": "indigo", "barrels": 1}, {"good": "coffee", "barrels": 1}]
    assert decide(name, {"phase": "captain", "boards": boards, "ships": ships}) == ("load", "corn", 0)
    boards[0]["goods"] = {"sugar": 4}
    assert decide(name, {"phase": "captain", "boards": boards, "ships": ships}) == ("wharf", "sugar")


@pytest.mark.parametrize("name", ALL)
def test_the_best_barrel_is_stored(name: str) -> None:
    boards = [{"goods": {"corn": 2, "coffee": 2}}, {}, {}]
    position = {"phase": "store", "boards": boards}
    assert decide(name, position) == ("store", "none")
    later = {**position, "boards": [{"goods": {"coffee": 2}}, {}, {}], "decision": {"store_good": "coffee"}}
    assert decide(name, later) == ("store", "one")


@pytest.mark.parametrize("name", SCRIPTED)
def test_the_warehouse_takes_the_pile_that_is_worth_most(name: str) -> None:
    boards = [{"goods": {"corn": 5, "indigo": 2, "sugar": 2}, "city": {"small_warehouse": 1}}, {}, {}]
    assert decide(name, {"phase": "store", "boards": boards}) == ("store", "all")


# -- strength ----------------------------------------------------------------------------------------------------------


def play(seats: list[Agent], games: int, seed: int = 0) -> np.ndarray:
    """Final records of games with the agents in these seats."""
    batch = Batch(seats[0].game, games, seed, observations=False, autoreset=False, threads=1)
    over = np.zeros(games, np.bool_)
    actions = np.zeros(games, np.int64)
    while not over.all():
        for seat, agent in enumerate(seats):
            rows = np.flatnonzero((batch.player == seat) & ~over)
            if len(rows):
                actions[rows] = agent.choose(batch.observation[rows], batch.mask[rows], batch.games[rows])
        batch.step(actions, where=~over)
        over = batch.is_over()
    return batch.score()


@pytest.mark.parametrize("name", ALL)
def test_far_better_than_chance_from_every_seat(name: str) -> None:
    game = PuertoRico(players=3)
    wins = []
    for seat in range(3):
        seats = [make_agent("random", game, seed=other) for other in range(3)]
        seats[seat] = make_agent(name, game)
        finals = play(seats, 24, seed=100 * seat)
        wins.append(finals["win_share"][:, seat].mean())
        assert finals["rounds"].max() < 50
    assert np.mean(wins) > 0.95


def test_each_plan_is_played_as_its_name_says() -> None:
    game = PuertoRico(players=len(STRATEGIES))
    finals = play([make_agent(name, game) for name in STRATEGIES], 60)
    chips = finals["points"][:, : len(STRATEGIES), 0].mean(axis=0)
    buildings = finals["total"][:, : len(STRATEGIES)].mean(axis=0) - chips
    builder, shipper, trader = (STRATEGIES.index(name) for name in ("builder", "shipper", "trader"))
    assert chips[shipper] > chips[trader] > chips[builder]
    assert buildings[builder] > buildings[shipper]
    assert 30 < finals["total"].max(axis=1).mean() < 60
    assert 11 < finals["rounds"].mean() < 19


def test_plans_have_a_number_for_every_building_and_are_not_the_same() -> None:
    assert len(PLANS) == len(STRATEGIES)
    assert len({PLANS[strategy].tobytes() for strategy in range(len(STRATEGIES))}) == len(STRATEGIES)
