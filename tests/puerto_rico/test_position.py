"""Positions as dictionaries: round trips, defaults, and clear errors for impossible positions."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from pr_env import Batch, PositionError, PuertoRico
from tests.puerto_rico.table import Table, tiles


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_position_of_random_games_survives_json_byte_for_byte(players: int) -> None:
    game = PuertoRico(players=players)
    batch = Batch(game, 6, seed=players, observations=False)
    for _ in range(250):
        batch.step(batch.sample_actions())
        for index in range(len(batch)):
            described = json.loads(json.dumps(batch.to_dict(index)))
            assert game.from_dict(described).tobytes() == batch.games[index].tobytes()


def test_an_empty_description_is_a_table_with_nothing_on_the_boards() -> None:
    now = Table(3, {}).now
    assert now["goods_supply"] == {"corn": 10, "indigo": 11, "sugar": 11, "tobacco": 9, "coffee": 9}
    assert now["colonist_supply"] == 55
    assert sum(now["face_down"].values()) == 50
    assert (now["phase"], now["player"]) == ("pick_role", 0)


def test_supplies_are_what_is_not_elsewhere() -> None:
    position = {
        "boards": [{"goods": {"corn": 3}, "island": tiles(quarry=2), "city": {"hospice": 1}, "chips": 10}, {}, {}],
        "trading_house": ["corn"],
        "ships": [{"good": "corn", "barrels": 2}, {}, {}],
    }
    now = Table(3, position).now
    assert now["goods_supply"]["corn"] == 4
    assert now["quarry_supply"] == 6
    assert now["buildings_left"]["hospice"] == 1
    assert now["chips_supply"] == 65
    assert now["colonist_supply"] == 52


def test_the_picker_of_a_role_is_the_governor_unless_roles_say_otherwise() -> None:
    now = Table(3, {"phase": "builder", "picker": 2, "boards": [{}, {}, {"doubloons": 5}]}).now
    assert (now["governor"], now["picker"], now["roles"]["builder"]["taken_by"]) == (2, 2, 2)
    roles = {"mayor": {"taken_by": 1}, "builder": {"taken_by": 2}}
    now = Table(3, {"phase": "builder", "governor": 1, "roles": roles, "boards": [{}, {}, {"doubloons": 5}]}).now
    assert (now["picker"], now["player"]) == (2, 2)


BOARDS: list[dict[str, Any]] = [{}, {}, {}]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"players": 4}, "players in the position must be 3 for this game, got 4"),
        ({"game": "chess"}, "game in the position must be 'puerto_rico' for this game, got 'chess'"),
        ({"colour": "red"}, "has no 'colour'; known are"),
        ({"boards": [{}]}, "boards must have 3 entries, one for each player, got 1"),
        ({"boards": 7}, "must be a list"),
        ({"boards": [{"dubloons": 1}, {}, {}]}, "board 0 has no 'dubloons'; known are doubloons"),
        ({"boards": [{"doubloons": -1}, {}, {}]}, "doubloons in board 0 must be a whole number from 0"),
        ({"boards": [{"doubloons": 1.5}, {}, {}]}, "must be a whole number from 0 to 10000, got 1.5"),
        ({"boards": [{"doubloons": True}, {}, {}]}, "must be a whole number from 0 to 10000, got True"),
        ({"boards": [{"city": {"castle": 1}}, {}, {}]}, "has no 'castle'"),
        (
            {"boards": [{"city": {"hospice": 2}}, {}, {}]},
            "hospice in city in board 0 must be a whole number from 0 to 1, got 2",
        ),
        ({"boards": [{"city": {"hospice": 1}}] * 3}, "at most 2 copies of hospice, got 3"),
        ({"boards": [{"city": {"city_hall": 1}}] * 2 + [{}]}, "at most 1 copies of city_hall, got 2"),
        ({"boards": [{"goods": {"corn": 11}}, {}, {}]}, "barrels of corn must be at most 10, got 11"),
        ({"boards": [{"goods": {"corn": 6}}] * 2 + [{}]}, "at most 10 barrels of corn, got 12"),
        ({"boards": [{"island": tiles(corn=7, sugar=6)}, {}, {}]}, "at most 12 tiles"),
        ({"boards": [{"island": {"corn": {"tiles": 1, "colonists": 2}}}, {}, {}]}, "more colonists on corn tiles"),
        ({"boards": [{"island": tiles(quarry=5)}] * 2 + [{}]}, "at most 8 quarries, got 10"),
        ({"boards": [{"san_juan": 30}] * 2 + [{}]}, "at most 58 colonists, got 63"),
        ({"colonist_supply": 54}, "must be 58 colonists, got 57"),
        (
            {"goods_supply": {"corn": 9, "indigo": 11, "sugar": 11, "tobacco": 9, "coffee": 9}},
            "must be 10 barrels of corn, got 9",
        ),
        ({"face_up": {"corn": 5}}, "face-up tiles must be at most 4, got 5"),
        ({"face_down": {"corn": 10}}, "indigo plantations, got 0"),
        ({"chips_supply": 70}, "must be 75 victory points in chips, got 70"),
        ({"ships": [{}]}, "ships must have 3 entries for 3 players, got 1"),
        ({"ships": [{"capacity": 9}, {}, {}]}, "capacity in ship 0 must be 4 for this game, got 9"),
        ({"ships": [{"good": "corn"}, {}, {}]}, "a kind of goods if and only if"),
        ({"ships": [{"barrels": 2}, {}, {}]}, "a kind of goods if and only if"),
        (
            {"ships": [{"good": "corn", "barrels": 1}, {"good": "corn", "barrels": 1}, {}]},
            "corn must be on at most one ship",
        ),
        ({"ships": [{"good": "corn", "barrels": 4}, {}, {}]}, "a full ship must be emptied"),
        ({"ships": [{"good": "gold", "barrels": 4}, {}, {}]}, "must be one of corn, indigo"),
        ({"trading_house": ["corn", "indigo", "sugar", "coffee"]}, "a full trading house must be emptied"),
        ({"trading_house": "corn"}, "must be a list"),
        ({"phase": "lunch"}, "phase in the position must be one of pick_role"),
        ({"phase": "builder", "role": "mayor"}, "in phase builder"),
        ({"phase": "pick_role", "player": 1}, "player must be the picker"),
        ({"player": 3}, "player in the position must be a whole number from 0 to 2, got 3"),
        ({"roles": {"mayor": {"taken_by": 1}}}, "player 0 must have 1 role cards, got 0"),
        ({"roles": {"prospector": {}}}, "has no 'prospector'"),
        (
            {"roles": {"mayor": {"taken_by": "Ana"}}},
            "taken_by of role mayor must be a whole number from 0 to 2, got 'Ana'",
        ),
        ({"phase": "hacienda"}, "must be able to draw a tile"),
        ({"phase": "hospice"}, "must be able to use a hospice"),
        ({"phase": "university"}, "must be able to use a university"),
        ({"phase": "store"}, "must have a barrel of the good to be stored"),
        ({"phase": "mayor", "boards": [{"island": tiles(corn=1)}, {"san_juan": 2}, {}]}, "must be in san_juan"),
        ({"phase": "mayor", "decision": {"circle_kind": "wharf"}}, "must be one of corn"),
        (
            {"phase": "mayor", "colonist_ship": 3, "boards": [{"san_juan": 2}, {}, {}]},
            "the colonist ship must be empty",
        ),
        (
            {
                "phase": "mayor",
                "boards": [
                    {"san_juan": 3, "island": {"corn": {"tiles": 3}}, "city": {"hospice": 0, "office": 0}},
                    {},
                    {},
                ],
                "decision": {"circle_kind": "hospice"},
            },
            "if a colonist will stay in San Juan",
        ),
        ({"trading_house": ["corn"] * 256}, "must have at most 4 barrels, got 256"),
        ({"roles": []}, "must be a dictionary"),
        ({"decision": {"idle_turns": 1}}, "no keys are known there in this phase"),
        ({"phase": "captain", "decision": {"wharf_used": [1]}}, "must have a working one"),
        ({"phase": "trader", "decision": {"captain_bonus": 1}}, "decision has no 'captain_bonus'"),
        ({"phase": "game_over"}, "over must have a reason"),
        ({"ending": ["city"]}, "ending by a full city"),
        ({"ending": ["chips"]}, "ending by the last chip"),
        ({"ending": ["colonists"]}, "when they have run short"),
        ({"ending": ["rounds"]}, "truncated before its last round"),
        ({"ending": ["boredom"]}, "must be one of colonists, city"),
        ({"round": 101}, "must be a whole number from 0 to 100, got 101"),
        ({"round": 0}, "round_number must be from 1 to 100, got 0"),
        ({"seed": -1}, "seed in the position"),
        ([1, 2], "must be a dictionary"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(position: Any, message: str) -> None:
    before = copy.deepcopy(position)
    with pytest.raises(PositionError) as error:
        PuertoRico(players=3).from_dict(position)
    assert message in str(error.value)
    assert position == before


def test_a_described_decision_with_one_answer_is_played() -> None:
    table = Table(3, {"phase": "trader"})  # nobody has anything to sell
    assert table.phase == "pick_role"
    assert table.player == 1
