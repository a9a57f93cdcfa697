"""The players of Port Royal: legal in every configuration, and each plays its strategy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import agent_names, make_agent
from agents.policies import strategies_of
from agents.port_royal import STRATEGIES
from agents.port_royal.plans import PLANS, TEAM_PLANS
from pr_env import Batch
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.tables import COLOURS
from tests.port_royal.uncompiled import run_uncompiled

ALL = (*STRATEGIES, "greedy")
BASE = PortRoyal(players=3)
CONTRACTS = PortRoyal(players=3, add=("contract_cards", "contracts"))
SOLO = PortRoyal(players=1, add=("contract_cards", "contracts"), mode="cooperative")
Name = tuple[str | int, ...]


def seat(coins: int, *persons: str) -> dict[str, Any]:
    """A seat with a number of coins and these persons."""
    return {"coins": coins, "display": {name: persons.count(name) for name in persons}}


def harbour(*cards: str) -> dict[str, Any]:
    """The harbour with these persons and ships."""
    ships = [card for card in cards if card.split("_")[0] in COLOURS]
    persons = [card for card in cards if card not in ships]
    return {"persons": {name: persons.count(name) for name in persons}, "ships": ships}


def decide(agent: str, position: dict[str, Any], game: PortRoyal = BASE) -> Name:
    """The choice of an agent in a described position."""
    games = game.from_dict(position)
    masks = games["legal"].astype(np.bool_)
    action = int(make_agent(agent, game).choose(np.zeros((1, 0), np.float32), masks, games)[0])
    assert masks[0, action]
    return game.actions[action].name


# -- every position ----------------------------------------------------------------------------------------------------


def test_every_choice_is_legal_in_every_configuration_also_where_others_play_by_chance() -> None:
    said = run_uncompiled("-m", "tests.agents.port_royal.every_configuration", "2")
    assert "38 games" in said
    assert "all legal" in said


def test_a_team_works_towards_the_missions_of_the_adventure() -> None:
    said = run_uncompiled("-m", "tests.agents.port_royal.adventure_positions")
    assert "all as expected" in said


def test_all_are_registered() -> None:
    assert strategies_of(BASE) == STRATEGIES
    assert set(ALL) <= set(agent_names(BASE.name))


@pytest.mark.parametrize("name", ALL)
def test_the_choice_depends_on_the_position_alone(name: str) -> None:
    batch = Batch(BASE, 8, seed=1, observations=False, threads=1)
    for _ in range(60):
        batch.step(batch.sample_actions())
    games = batch.games.copy()
    actions = make_agent(name, BASE, seed=5).choose(batch.observation, batch.mask, games)
    assert games.tobytes() == batch.games.tobytes(), "the agent changed the games"
    backwards = make_agent(name, BASE, seed=5).choose(batch.observation[::-1], batch.mask[::-1], games[::-1].copy())
    assert actions.tolist() == backwards[::-1].tolist()


@pytest.mark.parametrize("name", ALL)
def test_nobody_looks_at_what_a_player_cannot_know(name: str) -> None:
    batch = Batch(BASE, 32, seed=2, observations=False, threads=1)
    agent = make_agent(name, BASE)
    for step in range(40):
        games = batch.games.copy()
        actions = agent.choose(batch.observation, batch.mask, games)
        games["rng"] = games["rng"][::-1]  # other cards will be drawn
        games["seed"] = 0
        assert agent.choose(batch.observation, batch.mask, games).tolist() == actions.tolist()
        batch.step(actions if step % 2 else batch.sample_actions())


def test_plans_are_not_the_same() -> None:
    competitive = STRATEGIES[:5]  # without contracts or a team the last two play alike
    assert len({plan.tobytes() for plan in PLANS[: len(competitive)]}) == len(competitive)
    assert len({plan.tobytes() for plan in TEAM_PLANS}) == len(STRATEGIES)
    for plans in (PLANS, TEAM_PLANS):
        for name in plans.dtype.names or ():
            assert np.isfinite(plans[name]).all()


# -- drawing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_nobody_draws_on_where_a_bust_is_likely_and_much_would_be_lost(name: str) -> None:
    cards = harbour("yellow_4_4", "blue_4_5", "green_4_5", "red_4_skull", "black_4_skull", "admiral_9_3")
    assert decide(name, {"harbour": cards, "drawn": 6, "seats": [seat(9), seat(3), seat(3)]}) == ("stop",)


@pytest.mark.parametrize("name", ALL)
def test_everybody_draws_on_after_one_poor_ship(name: str) -> None:
    assert decide(name, {"harbour": harbour("yellow_1_1"), "seats": [seat(3)] * 3}) == ("draw",)


def test_the_purser_stops_at_a_chance_of_a_bust_at_which_the_pirate_draws() -> None:
    cards = ("yellow_1_1", "blue_1_1", "green_1_1", "red_1_1")
    chance = 36 / 115  # the share of face-down cards that are ships of one of the four colours
    risks = dict(zip(STRATEGIES, PLANS["risk"], strict=True))
    assert risks["purser"] < chance < risks["pirate"]
    assert decide("purser", {"harbour": harbour(*cards), "seats": [seat(3)] * 3}) == ("stop",)
    sabres = seat(3, "pirate_5_1", "pirate_7_2", "sailor_3_1")
    assert decide("pirate", {"harbour": harbour(*cards), "seats": [sabres, seat(3), seat(3)]}) == ("draw",)


@pytest.mark.parametrize("name", STRATEGIES)
def test_who_is_far_behind_in_the_last_turn_draws_on(name: str) -> None:
    ahead = seat(3, *["mademoiselle_9_3"] * 2, *["admiral_9_3"] * 2)
    seats = [ahead, seat(3, "jester_9_3"), seat(9, "mademoiselle_7_2", "sailor_7_3", "admiral_7_2", "jester_7_2")]
    position = {"harbour": harbour("yellow_3_4", "trader_green_3_1"), "seats": seats, "last_round": True}
    assert decide(name, {**position, "turn": 3, "active": 2, "player": 2}) == ("draw",)


# -- repelling ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_a_ship_that_would_be_a_bust_is_repelled(name: str) -> None:
    position = {
        "question": "repel",
        "harbour": harbour("yellow_4_4", "blue_4_5", "admiral_7_2"),
        "decision": {"ship": "yellow_1_1"},
        "seats": [seat(8, "sailor_3_1"), seat(3), seat(3)],
    }
    assert decide(name, position) == ("repel",)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_rich_fourth_colour_is_let_in(name: str) -> None:
    position = {
        "question": "repel",
        "harbour": harbour("yellow_1_1", "blue_2_2", "green_3_3", "mademoiselle_9_3"),
        "decision": {"ship": "black_3_7"},
        "seats": [seat(9, "pirate_5_1", "pirate_7_2", "pirate_9_3", "sailor_3_1"), seat(3), seat(3)],
    }
    assert decide(name, position) == ("let_in",)


# -- taking ------------------------------------------------------------------------------------------------------------


def take(name: str, cards: tuple[str, ...], own: dict[str, Any], **more: Any) -> Name:
    """The first take of an agent as the active player."""
    position = {"question": "take", "harbour": harbour(*cards), "seats": [own, seat(3), seat(3)], **more}
    return decide(name, position)


def test_the_pirate_hires_sabres_first() -> None:
    cards = ("pirate_5_1", "trader_green_3_1", "admiral_5_1", "captain_4_1")
    assert take("pirate", cards, seat(5)) == ("hire", "pirate_5_1")
    assert take("patron", cards, seat(5)) == ("hire", "admiral_5_1")


def test_the_explorer_hires_a_captain_for_an_expedition() -> None:
    cards = ("captain_4_1", "trader_green_3_1", "sailor_3_1")
    assert take("explorer", cards, seat(4, "captain_4_1")) == ("hire", "captain_4_1")


def test_the_patron_hires_a_governor_that_the_purser_leaves() -> None:
    cards = ("governor_8_0", "captain_4_1")
    assert take("patron", cards, seat(8)) == ("hire", "governor_8_0")
    assert take("purser", cards, seat(8)) != ("hire", "governor_8_0")


@pytest.mark.parametrize("name", ALL)
def test_two_takes_are_a_ship_and_the_person_that_it_pays_for(name: str) -> None:
    assert take(name, ("red_4_skull", "mademoiselle_7_2"), seat(3, "governor_8_0")) == ("trade", "red")


@pytest.mark.parametrize("name", ALL)
def test_a_mademoiselle_is_hired_before_the_person_that_she_makes_cheaper(name: str) -> None:
    cards = ("sailor_7_3", "mademoiselle_7_2")
    assert take(name, cards, seat(13, "governor_8_0")) == ("hire", "mademoiselle_7_2")


@pytest.mark.parametrize("name", ALL)
def test_influence_counts_most_in_the_last_turn(name: str) -> None:
    ahead = seat(3, *["mademoiselle_9_3"] * 2, *["admiral_9_3"] * 2)
    seats = [ahead, seat(3), seat(7, *["mademoiselle_7_2"] * 2, *["admiral_7_2"] * 3)]
    position: dict[str, Any] = {"question": "take", "harbour": harbour("sailor_7_3", "red_4_skull"), "seats": seats}
    position |= {"last_round": True, "turn": 3, "active": 2, "player": 2}
    assert decide(name, position) == ("hire", "sailor_7_3")


# -- expeditions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_an_expedition_is_claimed_as_soon_as_it_can_be(name: str) -> None:
    seats = [seat(3, "captain_4_1", "captain_4_1"), seat(3), seat(3)]
    position = {"seats": seats, "table": ["two_captains"], "harbour": harbour("yellow_1_1")}
    assert decide(name, position) == ("claim", "two_captains")


@pytest.mark.parametrize("name", ALL)
def test_the_larger_expedition_is_claimed(name: str) -> None:
    seats = [seat(3, "captain_4_1", "captain_4_1", "settler_4_1"), seat(3), seat(3)]
    position = {"seats": seats, "table": ["two_captains", "two_captains_settler"], "harbour": harbour("yellow_1_1")}
    assert decide(name, position) == ("claim", "two_captains_settler")


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_jack_is_kept_if_a_captain_can_pay(name: str) -> None:
    position = {
        "question": "pay",
        "seats": [seat(3, "captain_4_1", "captain_4_1", "jack_of_all_trades_6_1"), seat(3), seat(3)],
        "table": ["two_captains"],
        "harbour": harbour("yellow_1_1"),
        "decision": {"expedition": "two_captains", "owed": {"captain": 2}, "claimed_at": "discover"},
    }
    assert decide(name, position) == ("pay_match",)


# -- contracts ---------------------------------------------------------------------------------------------------------


def face_up(*names: str) -> dict[str, Any]:
    """Contracts that nobody has completed."""
    return {name: {"completed": []} for name in names}


def test_the_contractor_hires_for_a_contract_what_the_pirate_leaves() -> None:
    position = {
        "question": "take",
        "contracts": face_up("comedian", "gamester", "jinx", "explorer"),
        "harbour": harbour("priest_4_1", "pirate_7_2"),
        "seats": [seat(7), seat(3), seat(3)],
    }
    assert decide("contractor", position, CONTRACTS) == ("hire", "priest_4_1")
    assert decide("pirate", position, CONTRACTS) == ("hire", "pirate_7_2")


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_contract_is_completed_when_it_can_be(name: str) -> None:
    position = {
        "contracts": face_up("comedian", "gamester", "jinx", "explorer"),
        "harbour": harbour("yellow_1_1"),
        "seats": [seat(3, "jester_5_1", "priest_4_1"), seat(3), seat(3)],
    }
    assert decide(name, position, CONTRACTS) == ("complete", "comedian")


def test_the_crew_draws_on_to_bust_for_a_contract_that_asks_for_it() -> None:
    cards = harbour("yellow_1_1", "blue_1_1", "green_1_1", "black_1_2")
    position = {"harbour": cards, "seats": [seat(1)], "time_deck": 12}
    assert decide("crew", {**position, "contracts": face_up("jinx", "comedian", "fighter")}, SOLO) == ("draw",)
    assert decide("crew", {**position, "contracts": face_up("explorer", "comedian", "fighter")}, SOLO) == ("stop",)


def test_the_crew_refuses_the_coins_of_a_galleon_for_a_contract() -> None:
    position = {
        "question": "take",
        "contracts": {**face_up("comedian", "fighter"), "galleon_foe": {"completed": [], "progress": [0]}},
        "harbour": harbour("black_1_2"),
        "seats": [seat(3)],
        "time_deck": 12,
    }
    assert decide("crew", position, SOLO) == ("refuse", "black")
