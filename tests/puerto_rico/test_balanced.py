"""The balanced rules: corn seats start with a doubloon less, university 7, factory 8."""

from __future__ import annotations

from typing import Any

import pytest

from pr_env import PuertoRico
from tests.puerto_rico.table import Table, kinds_with, new_game, tiles


@pytest.mark.parametrize(
    ("options", "doubloons"),
    [
        ({"players": 2}, [3, 2]),
        ({"players": 3}, [2, 2, 1]),
        ({"players": 4}, [3, 3, 2, 2]),
        ({"players": 5}, [4, 4, 4, 3, 3]),
        ({"players": 5, "double_cards": True}, [4, 4, 4, 3, 3]),
        ({"players": 6}, [5, 5, 5, 4, 4, 4]),
        ({"players": 6, "six_players": "governor"}, [4, 4, 4, 3, 3, 3]),
    ],
)
def test_seats_that_start_with_corn_have_a_doubloon_less(options: dict[str, Any], doubloons: list[int]) -> None:
    balanced = new_game(**options, balanced=True).now["boards"]
    assert [board["doubloons"] for board in balanced] == doubloons
    assert [board["doubloons"] for board in balanced if "corn" in board["island"]] == [
        doubloons[0] - 1 for board in balanced if "corn" in board["island"]
    ]
    plain = new_game(**options).now["boards"]
    assert [board["doubloons"] for board in plain] == [doubloons[0]] * len(doubloons)


PRINTED = {
    "small_indigo_plant": 1,
    "small_sugar_mill": 2,
    "indigo_plant": 3,
    "sugar_mill": 4,
    "tobacco_storage": 5,
    "coffee_roaster": 6,
    "small_market": 1,
    "hacienda": 2,
    "construction_hut": 2,
    "small_warehouse": 3,
    "hospice": 4,
    "office": 5,
    "large_market": 5,
    "large_warehouse": 6,
    "factory": 7,
    "university": 8,
    "harbor": 8,
    "wharf": 9,
    "guild_hall": 10,
    "residence": 10,
    "fortress": 10,
    "customs_house": 10,
    "city_hall": 10,
}


def price(building: str, quarries: int = 0, **options: Any) -> int:
    boards = [{"doubloons": 20, "island": tiles(quarry=quarries)}, {"doubloons": 20}, {}]
    table = Table(3, {"phase": "builder", "governor": 2, "player": 0, "boards": boards}, **options)
    return 20 - table.play("build", building).doubloons(0)


@pytest.mark.parametrize("building", list(PRINTED))
def test_prices(building: str) -> None:
    changed = {"university": 7, "factory": 8}
    assert price(building, balanced=False) == PRINTED[building]
    assert price(building, balanced=True) == changed.get(building, PRINTED[building])


@pytest.mark.parametrize(("quarries", "reduction"), [(1, 1), (3, 3), (5, 3)])
def test_quarries_reduce_the_balanced_price_up_to_the_column(quarries: int, reduction: int) -> None:
    assert price("university", quarries, balanced=True) == 7 - reduction
    assert price("factory", quarries, balanced=True) == 8 - reduction


def test_the_points_of_university_and_factory_stay() -> None:
    table = Table(3, {"boards": [{"city": {"university": 0, "factory": 0}}, {}, {}]}, balanced=True)
    assert table.batch.score()[0]["total"][0] == 6


def test_the_board_s_spaces_go_by_the_printed_cost() -> None:
    kinds = kinds_with("university", "library", "factory")
    assert {name: price(name, buildings=kinds, balanced=True) for name in ("university", "library", "factory")} == {
        "university": 7,
        "library": 8,
        "factory": 8,
    }
    table = new_game(3, buildings="draft", balanced=True)
    for kind in ("university", "library"):
        table.play("draft", kind)
    drafted = {name[1] for name in table.legal}
    assert not {"harbor", "specialty_factory"} & drafted  # both spaces for 8 are taken
    assert {"factory", "lighthouse"} <= drafted
    table.play("draft", "factory")
    assert ("draft", "lighthouse") not in table.legal


def test_the_black_market_pays_what_is_missing_of_the_balanced_price() -> None:
    kinds = kinds_with("black_market", "university", "factory")
    board = {"doubloons": 6, "city": {"black_market": 1}, "goods": {"corn": 1}}
    position = {"phase": "builder", "governor": 2, "player": 0, "boards": [board, {"doubloons": 9}, {}]}
    table = Table(3, position, buildings=kinds, balanced=True)
    assert ("build", "university") in table.legal
    assert ("build", "factory") not in table.legal
    table = Table(3, position, buildings=kinds)
    assert ("build", "university") not in table.legal
    assert ("build", "factory") in table.legal


@pytest.mark.parametrize("value", [1, "yes", None])
def test_balanced_is_true_or_false(value: Any) -> None:
    with pytest.raises(ValueError, match="balanced must be True or False"):
        PuertoRico(balanced=value)


def test_a_balanced_base_game_is_no_extended_game() -> None:
    assert not PuertoRico(balanced=True).extended
