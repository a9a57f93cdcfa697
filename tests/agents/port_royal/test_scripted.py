"""The players of Port Royal: legal in every configuration, and each does what it is called for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import agent_names, make_agent
from agents.policies import strategies_of
from agents.port_royal import STRATEGIES
from agents.port_royal.plans import PLANS, TEAM_PLANS
from pr_env import Batch
from pr_env.port_royal import PortRoyal
from tests.agents.port_royal.positions import decide, position

ROOT = Path(__file__).parents[3]
ALL = (*STRATEGIES, "greedy")
BASE = PortRoyal(players=3)
CONTRACTS = PortRoyal(players=3, add=("contract_cards", "contracts"))
SOLO = PortRoyal(players=1, add=("contract_cards", "contracts"), mode="cooperative")


def contracts(game: PortRoyal, *names: str) -> list[int]:
    """The field ``face_up`` with these contracts."""
    return [int(contract.name in names) for contract in game.cards.contracts]


# -- every position ----------------------------------------------------------------------------------------------------


def test_every_choice_is_legal_in_every_configuration_also_where_others_play_by_chance() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.agents.port_royal.every_configuration", "2"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert "30 games" in run.stdout
    assert "all legal" in run.stdout


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
        games["rng"] = games["rng"][::-1]  # other cards will come
        games["seed"] = 0
        assert agent.choose(batch.observation, batch.mask, games).tolist() == actions.tolist()
        batch.step(actions if step % 2 else batch.sample_actions())


def test_plans_are_not_the_same() -> None:
    competitive = STRATEGIES[:5]  # without contracts and without a team the last two play alike
    assert len({plan.tobytes() for plan in PLANS[: len(competitive)]}) == len(competitive)
    assert len({plan.tobytes() for plan in TEAM_PLANS}) == len(STRATEGIES)
    for plans in (PLANS, TEAM_PLANS):
        for name in plans.dtype.names or ():
            assert np.isfinite(plans[name]).all()


# -- drawing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_nobody_draws_on_where_the_next_ship_is_likely_to_be_a_bust_and_much_would_be_lost(name: str) -> None:
    harbour = ("yellow_4_4", "blue_4_5", "green_4_5", "red_4_skull", "black_4_skull", "admiral_9_3")
    assert decide(name, BASE, position(BASE, harbour=harbour, coins=(9, 3, 3))) == ("stop",)


@pytest.mark.parametrize("name", ALL)
def test_everybody_draws_on_after_one_poor_ship(name: str) -> None:
    assert decide(name, BASE, position(BASE, harbour=("yellow_1_1",), coins=(3, 3, 3))) == ("draw",)


def test_the_purser_stops_at_a_chance_of_a_bust_at_which_the_pirate_draws() -> None:
    # Four colours: of 119 cards less 4, 36 ships double one of them. With five sabres most of these can be repelled.
    harbour = ("yellow_1_1", "blue_1_1", "green_1_1", "red_1_1")
    games = position(BASE, harbour=harbour, coins=(3, 3, 3))
    limit = PLANS["risk"][STRATEGIES.index("purser")]
    assert limit < 36 / 115 < PLANS["risk"][STRATEGIES.index("pirate")]
    assert decide("purser", BASE, games) == ("stop",)
    with_sabres = position(
        BASE, harbour=harbour, coins=(3, 3, 3), displays=[["pirate_5_1", "pirate_7_2", "sailor_3_1"]]
    )
    assert decide("pirate", BASE, with_sabres) == ("draw",)


@pytest.mark.parametrize("name", ALL)
def test_who_is_behind_in_the_last_turn_draws_on(name: str) -> None:
    displays = [["sailor_3_1"], ["jester_9_3"], ["mademoiselle_9_3"] * 2 + ["admiral_9_3"] * 2]
    fields = {"end_flag": 1, "active": 0, "player": 0}
    harbour = ("yellow_3_4", "blue_3_2")
    assert decide(name, BASE, position(BASE, harbour=harbour, displays=displays, coins=(3, 3, 3), fields=fields)) == (
        "draw",
    )


# -- repelling ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_a_ship_that_would_be_a_bust_is_repelled(name: str) -> None:
    harbour = ("yellow_4_4", "blue_4_5", "admiral_7_2")
    games = position(
        BASE,
        question="repel",
        harbour=harbour,
        pending="yellow_1_1",
        displays=[["sailor_3_1"]],
        coins=(8, 3, 3),
        fields={"drawn": 4},
    )
    assert decide(name, BASE, games) == ("repel",)


def test_a_rich_fourth_colour_is_let_in_by_the_pirate() -> None:
    games = position(
        BASE,
        question="repel",
        harbour=("yellow_1_1", "blue_2_2", "green_3_3", "mademoiselle_9_3"),
        pending="black_3_7",
        displays=[["pirate_5_1", "pirate_7_2", "pirate_9_3", "sailor_3_1"]],
        coins=(9, 3, 3),
        fields={"drawn": 5},
    )
    assert decide("pirate", BASE, games) == ("let_in",)


# -- taking ------------------------------------------------------------------------------------------------------------


def take(name: str, harbour: tuple[str, ...], coins: int, display: tuple[str, ...] = (), takes: int = 1) -> tuple:
    games = position(BASE, question="take", harbour=harbour, coins=(coins, 3, 3), displays=[list(display)], takes=takes)
    return decide(name, BASE, games)


def test_the_pirate_hires_sabres_first() -> None:
    harbour = ("pirate_5_1", "trader_green_3_1", "admiral_5_1", "captain_4_1")
    assert take("pirate", harbour, 5) == ("hire", "pirate_5_1")


def test_the_explorer_hires_a_captain() -> None:
    harbour = ("captain_4_1", "trader_green_3_1", "sailor_3_1")
    assert take("explorer", harbour, 4, ("captain_4_1",)) == ("hire", "captain_4_1")


def test_the_patron_hires_a_governor_and_others_do_not() -> None:
    harbour = ("governor_8_0", "sailor_5_2", "mademoiselle_7_2")
    assert take("patron", ("governor_8_0", "captain_4_1"), 8) == ("hire", "governor_8_0")
    assert take("purser", harbour, 8) != ("hire", "governor_8_0")


@pytest.mark.parametrize("name", ALL)
def test_two_takes_are_a_ship_and_the_person_that_it_pays_for(name: str) -> None:
    assert take(name, ("red_4_skull", "mademoiselle_7_2"), 3, takes=2) == ("trade", "red")


@pytest.mark.parametrize("name", ALL)
def test_a_mademoiselle_is_hired_before_the_person_that_she_makes_cheaper(name: str) -> None:
    assert take(name, ("admiral_7_2", "mademoiselle_7_2"), 13, takes=2) == ("hire", "mademoiselle_7_2")


@pytest.mark.parametrize("name", ALL)
def test_influence_counts_most_in_the_last_turn(name: str) -> None:
    displays = [["mademoiselle_7_2"], ["mademoiselle_9_3"], []]
    fields = {"end_flag": 1, "active": 2, "player": 2}
    games = position(
        BASE,
        question="take",
        harbour=("sailor_7_3", "red_4_skull"),
        coins=(3, 3, 7),
        displays=displays,
        takes=1,
        fields=fields,
    )
    assert decide(name, BASE, games) == ("hire", "sailor_7_3")


# -- expeditions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_an_expedition_is_claimed_as_soon_as_it_can_be(name: str) -> None:
    games = position(BASE, displays=[["captain_4_1", "captain_4_1"]], expeditions=["two_captains"], coins=(3, 3, 3))
    assert decide(name, BASE, games) == ("claim", "two_captains")


@pytest.mark.parametrize("name", ALL)
def test_the_larger_expedition_is_claimed(name: str) -> None:
    games = position(
        BASE,
        displays=[["captain_4_1", "captain_4_1", "settler_4_1"]],
        expeditions=["two_captains", "two_captains_settler"],
        coins=(3, 3, 3),
    )
    assert decide(name, BASE, games) == ("claim", "two_captains_settler")


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_jack_is_kept_if_a_captain_can_pay(name: str) -> None:
    games = position(
        BASE,
        question="pay",
        displays=[["captain_4_1", "captain_4_1", "jack_of_all_trades_6_1"]],
        coins=(3, 3, 3),
        pending="two_captains",
        fields={"owed": [2, 0, 0]},
    )
    assert decide(name, BASE, games) == ("pay_match",)


# -- contracts ---------------------------------------------------------------------------------------------------------


def test_the_contractor_hires_for_a_contract_what_the_pirate_leaves() -> None:
    fields = {"face_up": contracts(CONTRACTS, "comedian", "gamester", "jinx", "explorer"), "asked_about": -1}
    games = position(
        CONTRACTS,
        question="take",
        harbour=("priest_4_1", "sailor_3_1", "pirate_5_1"),
        displays=[["jester_5_1"]],
        coins=(5, 3, 3),
        takes=1,
        fields=fields,
    )
    assert decide("contractor", CONTRACTS, games) == ("hire", "priest_4_1")
    assert decide("pirate", CONTRACTS, games) != ("hire", "priest_4_1")


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_contract_is_completed_when_it_can_be(name: str) -> None:
    fields = {"face_up": contracts(CONTRACTS, "comedian", "gamester", "jinx", "explorer"), "asked_about": -1}
    games = position(CONTRACTS, displays=[["jester_5_1", "priest_4_1"]], coins=(3, 3, 3), fields=fields)
    assert decide(name, CONTRACTS, games) == ("complete", "comedian")


def test_the_crew_busts_for_a_contract_that_asks_for_it() -> None:
    fields = {"face_up": contracts(SOLO, "jinx", "comedian", "fighter"), "asked_about": -1, "time": 12}
    games = position(SOLO, harbour=("yellow_1_1", "blue_1_1", "green_1_1"), coins=(1,), fields=fields)
    assert decide("crew", SOLO, games) == ("draw",)


def test_the_crew_refuses_the_coins_of_a_galleon_for_a_contract() -> None:
    fields = {"face_up": contracts(SOLO, "galleon_foe", "comedian", "fighter"), "asked_about": -1, "time": 12}
    games = position(SOLO, question="take", harbour=("black_1_2",), coins=(3,), takes=1, fields=fields)
    assert decide("crew", SOLO, games) == ("refuse", "black")
