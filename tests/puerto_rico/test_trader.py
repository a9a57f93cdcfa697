"""Trader: prices, the house, markets, office."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import Table

ALL_GOODS = {"corn": 1, "indigo": 1, "sugar": 1, "tobacco": 1, "coffee": 1}


def trade(players: int = 3, **position: Any) -> Table:
    return Table(players, {"phase": "trader", **position})


@pytest.mark.parametrize(("good", "price"), [("corn", 0), ("indigo", 1), ("sugar", 2), ("tobacco", 3), ("coffee", 4)])
def test_prices_and_the_pickers_extra_doubloon(good: str, price: int) -> None:
    table = trade(boards=[{"goods": ALL_GOODS}, {"goods": ALL_GOODS}, {}]).play("sell", good)
    assert table.doubloons(0) == price + 1
    other = trade(boards=[{}, {"goods": ALL_GOODS}, {}], player=1).play("sell", good)
    assert other.doubloons(1) == price


def test_no_sale_no_privilege() -> None:
    table = trade(boards=[{"goods": ALL_GOODS}, {}, {}]).play("pass")
    assert table.doubloons(0) == 0


@pytest.mark.parametrize(
    ("city", "pay"),
    [
        ({"small_market": 1}, 1),
        ({"large_market": 1}, 2),
        ({"small_market": 1, "large_market": 1}, 3),
        ({"small_market": 0, "large_market": 0}, 0),
    ],
)
def test_worked_example_markets_on_a_sale_of_corn(city: dict[str, int], pay: int) -> None:
    table = trade(boards=[{}, {"goods": {"corn": 1}, "city": city}, {}], player=1).play("sell", "corn")
    assert table.doubloons(1) == pay


def test_kinds_in_the_house_must_differ() -> None:
    table = trade(boards=[{"goods": ALL_GOODS}, {}, {}], trading_house=["corn", "coffee"])
    assert table.legal == {("pass",), ("sell", "indigo"), ("sell", "sugar"), ("sell", "tobacco")}


def test_worked_example_two_offices_sell_tobacco_into_a_house_with_tobacco() -> None:
    owner = {"goods": {"tobacco": 1}, "city": {"office": 1}}
    table = trade(boards=[owner, owner, {"goods": {"tobacco": 1}}], trading_house=["tobacco"])
    table.play("sell", "tobacco").play("sell", "tobacco")
    assert [table.doubloons(player) for player in range(2)] == [4, 3]
    assert table.now["trading_house"] == ["tobacco"] * 3  # the third player has no office


def test_an_unmanned_office_does_nothing() -> None:
    owner = {"goods": {"tobacco": 1, "corn": 1}, "city": {"office": 0}}
    assert ("sell", "tobacco") not in trade(boards=[owner, {}, {}], trading_house=["tobacco"]).legal


def test_a_full_house_ends_the_phase_at_once_and_is_emptied() -> None:
    boards = [{"goods": {"coffee": 1}}, {"goods": {"indigo": 2}, "city": {"office": 1}}, {}]
    table = trade(boards=boards, trading_house=["corn", "indigo", "sugar"])
    table.play("sell", "coffee")
    assert table.phase == "pick_role"  # the office does not help in a full house
    assert table.now["trading_house"] == []
    assert table.now["goods_supply"]["coffee"] == 9


def test_a_part_full_house_stays() -> None:
    table = trade(boards=[{"goods": {"coffee": 1}}, {}, {}], trading_house=["corn"]).play("sell", "coffee")
    assert table.phase == "pick_role"
    assert table.now["trading_house"] == ["corn", "coffee"]


def test_one_sale_each() -> None:
    table = trade(boards=[{"goods": ALL_GOODS}, {"goods": ALL_GOODS}, {}]).play("sell", "corn")
    assert table.player == 1
    assert ("sell", "corn") not in table.legal
