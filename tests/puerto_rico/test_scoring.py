"""The end of the game, points by source, ranking and rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env.puerto_rico.scoring import BASE_SOURCES
from tests.puerto_rico.table import Table, tiles


def points(board: dict[str, Any]) -> dict[str, int]:
    """The points of a board by source, without sources of 0 points."""
    final = Table(3, {"boards": [board, {}, {}]}).batch.score()[0]
    assert final["total"][0] == final["points"][0].sum()
    return {name: int(value) for name, value in zip(BASE_SOURCES, final["points"][0], strict=True) if value}


def test_printed_points_count_always() -> None:
    city = {"small_market": 0, "hospice": 0, "harbor": 1, "city_hall": 0}
    assert points({"city": city}) == {"buildings": 1 + 2 + 3 + 4}


def test_worked_example_guild_hall() -> None:
    city = {"sugar_mill": 0, "small_sugar_mill": 1, "small_indigo_plant": 0, "coffee_roaster": 2}
    assert points({"city": city | {"guild_hall": 1}})["guild_hall"] == 6
    assert "guild_hall" not in points({"city": city | {"guild_hall": 0}})


@pytest.mark.parametrize(("count", "bonus"), [(0, 4), (9, 4), (10, 5), (11, 6), (12, 7)])
def test_worked_example_residence(count: int, bonus: int) -> None:
    island = {"corn": {"tiles": count // 2}, "quarry": {"tiles": count - count // 2, "colonists": 1 if count else 0}}
    assert points({"city": {"residence": 1}, "island": island})["residence"] == bonus
    assert "residence" not in points({"city": {"residence": 0}, "island": island})


def test_worked_example_fortress() -> None:
    board = {"city": {"fortress": 1, "indigo_plant": 2}, "island": tiles(corn=5, quarry=2), "san_juan": 10}
    assert points(board)["fortress"] == 6  # 20 colonists


def test_worked_example_customs_house() -> None:
    assert points({"city": {"customs_house": 1}, "chips": 23}) == {"chips": 23, "buildings": 4, "customs_house": 5}


def test_worked_example_city_hall() -> None:
    others = ("hacienda", "harbor", "office", "construction_hut", "large_warehouse", "residence")
    city = dict.fromkeys(others, 0) | {"city_hall": 1, "indigo_plant": 3}
    assert points({"city": city})["city_hall"] == 7


def last_decision(boards: list[dict[str, Any]], reward: str = "win_share") -> Table:
    """Player 1 of two makes the last pick of the last round: a prospector, so that nothing else changes."""
    taken = {"settler": 0, "mayor": 1, "builder": 0, "craftsman": 1, "trader": 0}
    roles = {name: {"taken_by": seat} for name, seat in taken.items()}
    # All 42 colonists are on the boards or on the ship.
    position = {"roles": roles, "boards": boards, "ending": ["colonists"], "colonist_ship": 2}
    return Table(2, position, reward=reward).play("pick", "prospector")


def test_most_points_win() -> None:
    table = last_decision([{"chips": 5, "san_juan": 20}, {"chips": 6, "san_juan": 20}])
    assert table.phase == "game_over"
    assert table.batch.terminated.tolist() == [True]
    assert table.batch.final["rank"][0, :2].tolist() == [2, 1]
    assert table.batch.reward.tolist() == [[0.0, 1.0]]


def test_a_tie_is_broken_by_doubloons_and_barrels_together() -> None:
    first = {"chips": 5, "doubloons": 3, "goods": {"corn": 2, "coffee": 1}, "san_juan": 20}
    second = {"chips": 5, "doubloons": 4, "san_juan": 20}  # and one from the prospector
    table = last_decision([first, second])
    assert table.batch.final["tie_break"][0, :2].tolist() == [6, 5]
    assert table.batch.reward.tolist() == [[1.0, 0.0]]


def test_a_tie_that_stays_is_a_shared_win() -> None:
    table = last_decision([{"chips": 5, "doubloons": 3, "san_juan": 20}, {"chips": 5, "doubloons": 2, "san_juan": 20}])
    assert table.batch.final["rank"][0, :2].tolist() == [1, 1]
    assert table.batch.reward.tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize(
    ("reward", "expected"), [("win_share", [0, 1]), ("rank", [0, 1]), ("margin", [-1, 1]), ("points", [0, 0])]
)
def test_reward_schemes(reward: str, expected: list[float]) -> None:
    table = last_decision([{"chips": 5, "san_juan": 20}, {"chips": 6, "san_juan": 20}], reward=reward)
    assert table.batch.reward.tolist() == [expected]


def test_ranks_of_ties_share_their_mean_reward() -> None:
    roles = {name: {"taken_by": seat} for seat, name in enumerate(("settler", "mayor", "builder"))}
    boards = [{"chips": points_, "san_juan": 19} for points_ in (9, 7, 7)] + [{"chips": 0, "san_juan": 18}]
    position = {"roles": roles, "boards": boards, "ending": ["colonists"]}
    table = Table(4, position, reward="rank").play("pick", "prospector")
    assert table.batch.final["rank"][0, :4].tolist() == [1, 2, 2, 4]
    np.testing.assert_allclose(table.batch.reward[0], [1, 0.5, 0.5, 0])


def test_points_reward_is_the_change_of_the_score() -> None:
    position = {"phase": "captain", "boards": [{"goods": {"corn": 2, "indigo": 1}, "city": {"harbor": 1}}, {}, {}]}
    table = Table(3, position, reward="points").play("load", "corn", 0)
    assert table.batch.reward.tolist() == [[2 + 1 + 1, 0, 0]]


def test_the_game_ends_only_after_the_round() -> None:
    table = Table(3, {"ending": ["colonists"], "boards": [{"san_juan": 20}, {"san_juan": 20}, {"san_juan": 15}]})
    for role in ("captain", "trader"):
        table.play("pick", role)
        assert table.phase == "pick_role"
    table.play("pick", "craftsman")
    assert table.phase == "game_over"
    assert table.now["ending"] == ["colonists"]
