"""The action and observation tables: complete, consistent with the kernels, and without hidden information."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env import Batch, PuertoRico
from pr_env.puerto_rico import state
from pr_env.puerto_rico.scoring import FINAL
from tests.puerto_rico.table import Table


def test_actions_are_numbered_in_order_with_unique_names() -> None:
    actions = PuertoRico().actions
    assert [action.number for action in actions] == list(range(len(actions)))
    assert len({action.name for action in actions}) == len(actions)
    assert all(action.sentence.endswith(".") for action in actions)


def test_actions_are_the_same_for_all_player_counts() -> None:
    assert len({PuertoRico(players=players).actions for players in (2, 3, 4, 5)}) == 1


def test_an_unknown_action_name_says_so() -> None:
    with pytest.raises(KeyError, match="no action"):
        PuertoRico().action_number("build", "castle")


@pytest.mark.parametrize("dtype", [state.RECORD, FINAL])
def test_no_field_hides_behind_an_attribute_of_numpy_records(dtype: np.dtype[Any]) -> None:
    assert dtype.names is not None
    assert not set(dtype.names) & set(dir(np.record))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fields_cover_the_vector_without_gaps(players: int) -> None:
    game = PuertoRico(players=players)
    place = 0
    for field in game.fields:
        assert field.start == place
        place = field.stop
    assert place == game.observation_size
    assert len({field.name for field in game.fields}) == len(game.fields)


def expected(position: dict[str, Any], game: PuertoRico) -> dict[str, Any]:
    """The expected observation, computed from the dictionary."""
    players, me = position["players"], position["player"]
    names = {field.name: field.axes for field in game.fields}

    def one_hot(name: str, value: str | None) -> list[int]:
        return [int(entry == value) for entry in names[name][0]]

    decision = position["decision"]
    roles = position["roles"]
    result: dict[str, Any] = {
        "phase": one_hot("phase", position["phase"]),
        "role": one_hot("role", position["role"]),
        "role_available": [int(name in roles and roles[name]["taken_by"] is None) for name in names["role"][0]],
        "role_doubloons": [roles[name]["doubloons"] if name in roles else 0 for name in names["role"][0]],
        "round": position["round"],
        "picks": sum(card["taken_by"] is not None for card in roles.values()),
        "ending": [int(reason in position["ending"]) for reason in names["ending"][0]],
        "trading_house": [position["trading_house"].count(good) for good in names["trading_house"][0]],
        "placed": one_hot("placed", decision.get("placed")),
        "circle_kind": one_hot("circle_kind", decision.get("circle_kind")),
        "store_good": one_hot("store_good", decision.get("store_good")),
        "produced": list(decision.get("produced", dict.fromkeys(range(5), 0)).values()),
    }
    for name in ("goods_supply", "face_up", "face_down", "discards", "buildings_left"):
        result[name] = list(position[name].values())
    for name in ("colonist_supply", "colonist_ship", "chips_supply", "quarry_supply"):
        result[name] = position[name]
    for name in ("captain_bonus", "idle_turns", "store_kinds", "store_single", "store_places"):
        result[name] = decision.get(name, 0)
    ships = position["ships"] + [{"good": None, "barrels": 0, "capacity": 0}] * (3 - len(position["ships"]))
    result["ship_good"] = [[int(ship["good"] == good) for good in names["ship_good"][1]] for ship in ships]
    result["ship_barrels"] = [ship["barrels"] for ship in ships]
    result["ship_room"] = [ship["capacity"] - ship["barrels"] for ship in ships]
    for seat in range(players):
        player = (me + seat) % players
        board = position["boards"][player]
        prefix = "self" if seat == 0 else f"left_{seat}"
        island, city = board["island"], board["city"]
        no_tiles = {"tiles": 0, "colonists": 0}
        entries: dict[str, Any] = {
            "to_move": int(seat == 0),
            "governor": int(position["governor"] == player),
            "picker": int(position["role"] is not None and position["picker"] == player),
            "cards": [int(name in roles and roles[name]["taken_by"] == player) for name in names["role"][0]],
            "doubloons": board["doubloons"],
            "chips": board["chips"],
            "goods": list(board["goods"].values()),
            "tiles": [island.get(tile, no_tiles)["tiles"] for tile in names["self.tiles"][0]],
            "tile_colonists": [island.get(tile, no_tiles)["colonists"] for tile in names["self.tiles"][0]],
            "island_free": 12 - sum(kind["tiles"] for kind in island.values()),
            "built": [int(name in city) for name in names["self.built"][0]],
            "building_colonists": [city.get(name, 0) for name in names["self.built"][0]],
            "san_juan": board["san_juan"],
            "wharf_used": int(player in decision.get("wharf_used", [])),
        }
        result |= {f"{prefix}.{name}": value for name, value in entries.items()}
    return result


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_observation_says_what_the_position_says(players: int) -> None:
    game = PuertoRico(players=players)
    batch = Batch(game, 8, seed=100 + players)
    large = {"guild_hall", "residence", "fortress", "customs_house", "city_hall"}
    for step in range(400):
        batch.step(batch.sample_actions())
        if step % 3:
            continue
        scores = batch.score()
        for index in range(len(batch)):
            position = batch.to_dict(index)
            seen = game.read_observation(batch.observation[index])
            for name, value in expected(position, game).items():
                np.testing.assert_array_equal(seen[name], value, err_msg=name)
            for seat in range(players):
                player = (position["player"] + seat) % players
                prefix = "self" if seat == 0 else f"left_{seat}"
                city = position["boards"][player]["city"]
                assert seen[f"{prefix}.points"] == scores["total"][index, player]
                free = 12 - sum(2 if name in large else 1 for name in city)
                assert seen[f"{prefix}.city_free"] == free


def test_the_mayors_question_counts_the_circles() -> None:
    board = {"island": {"corn": {"tiles": 2}}, "city": {"indigo_plant": 0}, "san_juan": 3}
    table = Table(3, {"phase": "mayor", "boards": [board, {}, {}]})
    seen = table.game.read_observation(table.batch.observation[0])
    assert int(seen["circles_here"]) == 2
    assert int(seen["circles_ahead"]) == 5
    assert int(seen["self.empty_building_circles"]) == 3


def test_hidden_points_show_only_ones_own() -> None:
    position = {"boards": [{"chips": 7}, {"chips": 9}, {"chips": 3}]}
    public, hidden = (
        Batch.from_dicts(PuertoRico(players=3, points=points), [position], threads=1) for points in ("public", "hidden")
    )
    shown = public.game.read_observation(public.observation[0])
    masked = hidden.game.read_observation(hidden.observation[0])
    assert [int(shown[f"{seat}.chips"]) for seat in ("self", "left_1", "left_2")] == [7, 9, 3]
    for field in ("chips", "points"):
        assert [int(masked[f"{seat}.{field}"]) for seat in ("self", "left_1", "left_2")] == [7, 0, 0]


def test_the_observation_does_not_depend_on_the_generator() -> None:
    batch = Batch(PuertoRico(players=4), 1, seed=3, threads=1)
    for _ in range(100):
        batch.step(batch.sample_actions())
    other = batch.clone()
    games = other.games.copy()
    games["rng"] += np.uint64(12345)
    games["seed"] += np.uint64(1)
    other.set_games(games)
    assert np.array_equal(batch.observation, other.observation)


def test_reading_a_vector_of_the_wrong_length_says_so() -> None:
    with pytest.raises(ValueError, match="must have length 435, got float32 of shape"):
        PuertoRico(players=3).read_observation(np.zeros(5, np.float32))
