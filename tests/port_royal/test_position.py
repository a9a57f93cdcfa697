"""Positions as dictionaries: round trips, defaults, and clear errors for impossible positions."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from pr_env import PositionError
from pr_env.port_royal import PortRoyal, position
from pr_env.port_royal.read_position import read_position
from tests.port_royal.configurations import CONFIGURATIONS, CONTRACTS, EVERYTHING, SOLO
from tests.port_royal.uncompiled import run_uncompiled

TWELVE = {"sailor_7_3": 1, "jester_9_3": 1, "pirate_9_3": 1, "admiral_9_3": 1}  # influence


def seat(**entries: Any) -> list[dict[str, Any]]:
    """Three seats, of which only the first has cards."""
    return [entries, {}, {}]


def test_every_position_of_random_games_survives_json_byte_for_byte() -> None:
    said = run_uncompiled("-m", "tests.port_royal.describing", "there_and_back")
    assert f"{len(CONFIGURATIONS)} configurations: the same bytes" in said


# -- omitted fields ----------------------------------------------------------------------------------------------------


def told(described: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Set up and describe again, without playing forced moves."""
    game = PortRoyal(**options)
    return game.to_dict(read_position(described, game)[0])


def test_the_example_of_the_documentation_is_a_position() -> None:
    example = re.search(r"from_dict\((\{.*?\n    \})\)", position.__doc__ or "", re.DOTALL)
    assert example is not None
    described = eval(example.group(1))
    now = told(described, players=3)
    assert {key: now[key] for key in described if key != "seats"} == {
        key: value for key, value in described.items() if key != "seats"
    }
    assert [seat["coins"] for seat in now["seats"]] == [3, 7, 4]


def test_an_empty_description_is_a_table_with_nobody_hired() -> None:
    now = told({})
    assert (now["question"], now["player"], now["turn"], now["deck"]) == ("discover", 0, 1, 119)
    assert sum(now["face_down"].values()) == 119
    assert now["face_down"]["captain_4_1"] == 5
    assert now["older"] == []


def test_five_players_have_an_expedition_on_the_table_unless_somebody_owns_it() -> None:
    assert told({"table": ["two_captains"]}, players=5)["table"] == ["two_captains", "one_of_each"]
    owned = {"seats": [{}, {"expeditions": ["one_of_each"]}, {}, {}, {}]}
    assert told(owned, players=5)["table"] == []


def test_takes_are_those_of_the_beginning_of_a_part() -> None:
    harbour = {"persons": {"sailor_3_1": 1}, "ships": ["yellow_1_1", "blue_1_1", "green_1_1", "red_1_1"]}
    active = {"question": "take", "harbour": harbour, "seats": [{"coins": 9, "display": {"governor_8_0": 1}}, {}, {}]}
    assert told(active)["takes"] == 3  # four colours, and a governor
    other = {"question": "take", "player": 1, "harbour": harbour, "seats": [{}, {"coins": 9}, {}]}
    assert told(other)["takes"] == 1
    assert told(other)["drawn"] == 5


def test_the_turn_says_whose_it_is() -> None:
    assert told({"turn": 5})["active"] == 1
    assert told({"active": 1})["turn"] == 2


def test_enough_influence_makes_it_the_last_round() -> None:
    assert told({"seats": seat(display=TWELVE)})["last_round"]
    assert not told({"seats": seat(display=TWELVE)}, alternative_end=True)["last_round"]
    claimed = {"seats": seat(display=TWELVE, expeditions=["two_priests"])}
    assert told(claimed, alternative_end=True)["last_round"]


def test_a_solo_game_has_three_contracts_and_a_time_deck_by_their_seals() -> None:
    now = told({}, **SOLO)
    assert list(now["contracts"]) == ["lady_killer", "explorer", "tax_officer"]
    assert now["time_deck"] == 13 + 3 + 3
    assert now["deck"] == 143 - 19


def test_contracts_tell_who_has_completed_them_and_how_far_others_are() -> None:
    contracts: dict[str, Any] = {
        "fighter": {"completed": [2, 0]},
        "frigate_foe": {"completed": [1], "progress": [2, 0, 0]},
        "jinx": {},
        "gamester": {},
    }
    seats = [{}, {}, {"kept_ships": ["red_2_3", "blue_1_1"]}]
    now = told({"seats": seats, "contracts": contracts}, add=CONTRACTS)
    assert now["contracts"]["fighter"] == {"completed": [2, 0]}
    assert now["contracts"]["frigate_foe"] == {"completed": [1], "progress": [2, 0, 0]}
    assert now["seats"][2]["kept_ships"] == ["blue_1_1", "red_2_3"]


def test_a_described_decision_with_one_answer_is_played() -> None:
    game = PortRoyal()
    now = game.to_dict(game.from_dict({"question": "end_of_turn"})[0])  # nothing can be claimed
    assert now["turn"] > 1


# -- impossible positions ----------------------------------------------------------------------------------------------

BASE: list[tuple[Any, str]] = [
    ([1, 2], "the position must be a dictionary"),
    ({"players": 4}, "players in the position must be 3 for this game, got 4"),
    ({"players": "three"}, "must be 3"),
    ({"game": "chess"}, "game in the position must be 'port_royal' for this game, got 'chess'"),
    ({"colour": "red"}, "the position has no 'colour'; known are game, players"),
    ({"seed": -1}, "seed in the position must be a whole number from 0"),
    ({"generator": 2**64}, "generator in the position"),
    ({"turn": 0}, "turn in the position must be at least 1, got 0"),
    ({"turn": 501}, "turn in the position must be a whole number from 0 to 500, got 501"),
    ({"turn": 2, "active": 2}, "active must be 1 in turn 2, got 2"),
    ({"active": 3}, "active in the position must be a whole number from 0 to 2, got 3"),
    ({"player": True}, "player in the position must be a whole number from 0 to 2, got True"),
    ({"player": 1}, "this question must be for the active player"),
    ({"question": "lunch"}, "question in the position must be one of discover, repel, pay, take, end_of_turn"),
    ({"question": "give"}, "question in the position must be one of"),
    ({"question": ["take"]}, "question in the position must be one of"),
    ({"decisions": 20001}, "decisions in the position"),
    ({"seats": [{}]}, "seats must have 3 entries, one for each player, got 1"),
    ({"seats": 7}, "seats in the position must be a list"),
    ({"seats": [1, 2, 3]}, "seat 0 must be a dictionary, got 1"),
    ({"seats": seat(doubloons=1)}, "seat 0 has no 'doubloons'; known are coins, display, expeditions"),
    ({"seats": seat(coins=-1)}, "coins in seat 0 must be a whole number from 0"),
    ({"seats": seat(coins=1.5)}, "must be a whole number from 0 to 120, got 1.5"),
    ({"seats": seat(coins=121)}, "coins in seat 0 must be a whole number from 0 to 120, got 121"),
    ({"seats": seat(coins=120)}, "coins and set-aside cards must be at most the 119 face-down cards, got 120"),
    ({"seats": seat(display={"wizard": 1})}, "display in seat 0 has no 'wizard'; known are trader_yellow_3_1"),
    ({"seats": seat(display=["sailor_3_1"])}, "display in seat 0 must be a dictionary"),
    ({"seats": seat(display={"governor_8_0": 5})}, "governor_8_0 in display in seat 0 must be at most 4, got 5"),
    ({"seats": [{"display": {"governor_8_0": 2}}] * 3}, "governor_8_0 must be there at most 4 times, got 6"),
    ({"seats": seat(expeditions="two_priests")}, "expeditions in seat 0 must be a list"),
    ({"seats": seat(expeditions=["atlantis"])}, "each of expeditions in seat 0 must be one of two_captains"),
    ({"seats": seat(expeditions=["two_priests"] * 2)}, "expeditions in seat 0 must not have two_priests twice"),
    ({"seats": [{"expeditions": ["two_priests"]}] * 3}, "two_priests must not belong to both seat 0 and seat 1"),
    ({"seats": seat(expeditions=["one_of_each"])}, "one_of_each needs at least 5 players"),
    (
        {"seats": seat(expeditions=["two_priests"]), "table": ["two_priests"]},
        "must not be on the table, as seat 0 has it",
    ),
    ({"seats": seat(under_merchants={})}, "seat 0 has no 'under_merchants'"),
    ({"table": {"two_priests": 1}}, "table in the position must be a list"),
    ({"table": ["two_priests", "two_priests"]}, "table in the position must not have two_priests twice"),
    ({"table": [None]}, "each of table in the position must be one of"),
    ({"table": ["two_priests"], "discard": {"two_priests": 1}}, "two_priests must be there at most 1 times, got 2"),
    ({"harbour": {"ships": ["red_1_1", "red_2_3"]}}, "ships in harbour must have at most one red ship, got red_2_3"),
    ({"harbour": {"ships": ["pinnace"]}}, "each of ships in harbour must be one of yellow_1_1"),
    ({"harbour": {"boats": []}}, "harbour has no 'boats'; known are persons, ships"),
    ({"harbour": {"persons": {"sailor_3_1": 99}}}, "sailor_3_1 in persons in harbour must be at most 7, got 99"),
    ({"discard": {"sailor_3_1": 8}}, "sailor_3_1 in discard in the position must be at most 7, got 8"),
    ({"discard": {"one_of_each": 1}}, "one_of_each must be there at most 0 times, got 1"),
    ({"face_down": {"sailor_3_1": 7}}, "trader_yellow_3_1 must be there 1 times, got 0 with those face_down"),
    ({"deck": 118}, "deck must be 119, the cards that are not elsewhere, got 118"),
    ({"deck": None}, "deck in the position must be a whole number"),
    (
        {"drawn": 1, "harbour": {"persons": {"sailor_3_1": 2}}},
        "drawn must be at least 2, the cards on the table from this turn, got 1",
    ),
    ({"takes": 1}, "takes must be 0 except in phase 2"),
    ({"takes": 101}, "takes in the position must be a whole number from 0 to 100"),
    ({"dry_turns": 4}, "dry_turns in the position must be a whole number from 0 to 3"),
    ({"others_acted": 1}, "others_acted in the position must be true or false, got 1"),
    ({"last_round": "no"}, "last_round in the position must be true or false, got 'no'"),
    ({"last_round": False, "seats": seat(display=TWELVE)}, "last_round must be true, as seat 0 has 12 influence"),
    ({"ending": ["boredom"]}, "each of ending in the position must be one of influence"),
    ({"ending": ["influence"]}, "ending must be one reason at the question 'game_over', and none at others"),
    ({"question": "game_over"}, "ending must be one reason"),
    ({"question": "game_over", "ending": ["influence"]}, "ending must not be 'influence', which does not follow"),
    ({"question": "game_over", "ending": ["time"]}, "ending must not be 'time'"),
    ({"question": "game_over", "ending": ["turns"], "turn": 499}, "ending must not be 'turns'"),
    ({"question": "repel"}, "decision needs 'ship' at the question 'repel': one of yellow_1_1"),
    ({"question": "repel", "decision": {"ship": "red_4_skull"}}, "the ship must be one that can be repelled"),
    ({"question": "repel", "decision": {"ship": "black_3_7"}}, "the ship must be one that can be repelled"),
    ({"question": "repel", "decision": {"ship": "two_priests"}}, "ship in decision must be one of yellow_1_1"),
    ({"decision": {"ship": "red_1_1"}}, "decision has no 'ship'; no keys are known there"),
    ({"decision": 3}, "decision must be a dictionary"),
    ({"question": "pay"}, "decision needs 'expedition' at the question 'pay'"),
    ({"question": "pay", "decision": {"expedition": "two_priests"}}, "a claimed expedition must be on the table"),
    (
        {"question": "pay", "decision": {"expedition": "two_priests"}, "table": ["two_priests"]},
        "what a claim owes must be payable",
    ),
    (
        {"question": "pay", "decision": {"expedition": "two_priests", "owed": {"captain": 1}}},
        "owed in decision must be the last of what two_priests asks for (2 priest)",
    ),
    (
        {
            "question": "pay",
            "decision": {"expedition": "two_captains_settler", "owed": {"captain": 2}},
            "table": ["two_captains_settler"],
        },
        "must be the last of what two_captains_settler asks for (2 captain, 1 settler)",
    ),
    ({"older": [{"coins": [1, 0], "faces": {}}]}, "coins in entry 0 of older must have 3 numbers, one for each player"),
    (
        {"older": [{"coins": [0, 0, 0]}]},
        "entry 0 of older must have a face for each card, got 0 faces for 0 cards",
    ),
    (
        {"older": [{"coins": [1, 0, 0]}]},
        "entry 0 of older must have a face for each card, got 0 faces for 1 cards",
    ),
    (
        {"older": [{"coins": [1, 0, 0], "faces": {"sailor_3_1": 1}}]},
        "seat 0 must have at most its 0 coins in older",
    ),
    ({"older": [{}] * 24}, "older in the position must have at most 23 entries, got 24"),
    ({"older": {}}, "older in the position must be a list"),
    ({"asleep": ["draw"]}, "each of asleep in the position must be one of claim two_captains"),
    ({"asleep": ["trade red", "trade red"]}, "asleep in the position must not have trade red twice"),
    ({"contracts": {}}, "the position has no 'contracts'"),
    ({"time_deck": 3}, "the position has no 'time_deck'"),
    ({"gamblers_used": 0}, "the position has no 'gamblers_used'"),
]
FOUR: dict[str, Any] = {"fighter": {}, "frigate_foe": {}, "jinx": {}, "gamester": {}}
SETS: list[tuple[dict[str, Any], Any, str]] = [
    ({"add": CONTRACTS}, {"contracts": {"fighter": {}}}, "contracts must be the 4 face-up ones, got 1"),
    ({"add": CONTRACTS}, {"contracts": FOUR | {"ransom": {}}}, "contracts must be the 4 face-up ones, got 5"),
    (
        {"add": CONTRACTS},
        {"contracts": {"fighter": {}, "jinx": {}, "gamester": {}, "ransom": {}}},
        "contracts has no 'ransom'; known are lady_killer",
    ),
    ({"add": CONTRACTS}, {"contracts": FOUR | {"jinx": {"completed": [3]}}}, "each of completed in jinx in contracts"),
    (
        {"add": CONTRACTS},
        {"contracts": FOUR | {"jinx": {"completed": [1, 1]}}},
        "completed in jinx in contracts must not have seat 1 twice",
    ),
    ({"add": CONTRACTS}, {"contracts": FOUR | {"jinx": {"progress": []}}}, "jinx in contracts has no 'progress'"),
    (
        {"add": CONTRACTS},
        {"contracts": FOUR | {"frigate_foe": {"progress": [3, 0, 0]}}},
        "each of progress in frigate_foe in contracts must be a whole number from 0 to 2, got 3",
    ),
    (
        {"add": CONTRACTS},
        {"contracts": FOUR | {"frigate_foe": {"completed": [0], "progress": [1, 0, 0]}}},
        "seat 0 must not have progress on frigate_foe, which it has completed",
    ),
    (
        {"add": CONTRACTS},
        {"contracts": {name: {"completed": [0]} for name in FOUR}},
        "seat 0 must have at most 3 cubes on contracts, got 4",
    ),
    (
        {"add": CONTRACTS},
        {"seats": seat(kept_ships=["yellow_1_1", "blue_1_1", "green_1_1", "red_1_1", "black_1_2"])},
        "seat 0 must not keep ships of all colours, which would complete the contract",
    ),
    ({"add": CONTRACTS}, {"question": "immediate"}, "decision needs 'contract' at the question 'immediate'"),
    (
        {"add": CONTRACTS},
        {"question": "immediate", "decision": {"contract": "fighter"}, "contracts": FOUR},
        "a free contract must not be asked about",
    ),
    (
        {"add": CONTRACTS},
        {"question": "immediate", "decision": {"contract": "comedian"}, "contracts": FOUR},
        "a free contract must not be asked about; a contract that is asked about must be face up",
    ),
    ({"add": CONTRACTS}, {"asked": ["five_colours"]}, "each of asked in the position must be one of three_colours"),
    (
        {"add": CONTRACTS},
        {"question": "give", "decision": {"coins": 0}},
        "coins in decision must be at least 1, got 0",
    ),
    (SOLO, {"last_round": True}, "influence does not end a cooperative game"),
    (SOLO, {"time_deck": 20}, "time_deck in the position must be a whole number from 0 to 19, got 20"),
    (SOLO, {"time_deck": 18, "score_deck": 2}, "time_deck and score_deck must have at most 19 cards, got 20"),
    (SOLO, {"time_deck": 0, "score_deck": 2}, "there must be a time card for the first card of the turn"),
    (SOLO | {"score_start": 3}, {"score_deck": 2}, "score_deck must have at least 3 cards as at the start, got 2"),
    (
        SOLO,
        {"contracts": {name: {"completed": [0]} for name in ("fighter", "jinx", "explorer")}},
        "question must be 'game_over', as all contracts are completed",
    ),
    (SOLO, {"question": "game_over", "ending": ["contracts"]}, "ending must not be 'contracts'"),
    ({"add": EVERYTHING}, {"gamblers_used": 1}, "gamblers_used must not be more than the active player has"),
    ({"add": EVERYTHING}, {"decision": {"draws_left": 2}}, "decision has no 'draws_left'"),
    (
        {"add": EVERYTHING},
        {
            "question": "immediate",
            "decision": {"contract": "tax_officer", "draws_left": 2, "double_ships": ["red_1_1"]},
        },
        "each of double_ships must double a ship in the harbour, got red_1_1",
    ),
    (
        {"add": EVERYTHING},
        {"seats": seat(under_merchants={"red_1_1": 1})},
        "seat 0 must have a merchant of the colour of red_1_1, which is under one",
    ),
]


@pytest.mark.parametrize(
    ("options", "described", "message"),
    [*(({}, described, message) for described, message in BASE), *SETS],
    ids=[str(row[-1])[:40] for row in [*BASE, *SETS]],
)
def test_what_cannot_be_is_refused_with_a_sentence(options: dict[str, Any], described: Any, message: str) -> None:
    before = copy.deepcopy(described)
    with pytest.raises(PositionError) as error:
        PortRoyal(**options).from_dict(described)
    assert message in str(error.value)
    assert described == before


def test_damaged_descriptions_are_refused_with_a_sentence_or_are_positions() -> None:
    """Every value of real positions is replaced by wrong ones: the only permitted error is PositionError."""
    refused = [int(line) for line in run_uncompiled("-m", "tests.port_royal.describing", "damage").split()]
    assert min(refused) > 100
