"""Expansion I in the trader's phase: trading post and library, with office, markets and a full house."""

from __future__ import annotations

from typing import Any

import pytest

from tests.puerto_rico.table import Table, kinds_with

KINDS = kinds_with("trading_post", "library", "office")
WITH_LARGE_MARKET = kinds_with("trading_post", "library", "large_market")
FULL = ["corn", "indigo", "sugar", "tobacco"]


def trade(*boards: dict[str, Any], kinds: list[str] = KINDS, picker: int = 2, **position: Any) -> Table:
    """It is player 0's turn to sell; without the privilege, unless they are said to be the picker."""
    all_boards = [*boards, *[{}] * (3 - len(boards))]
    position = {"phase": "trader", "governor": picker, "player": 0, "boards": all_boards, **position}
    return Table(3, position, buildings=kinds)


def owner(*goods: str, **city: int) -> dict[str, Any]:
    return {"goods": {good: goods.count(good) for good in goods}, "city": {"trading_post": 1, **city}}


@pytest.mark.parametrize(("good", "price"), [("corn", 0), ("indigo", 1), ("sugar", 2), ("tobacco", 3), ("coffee", 4)])
def test_the_trading_post_pays_the_price_and_the_barrel_goes_to_the_supply(good: str, price: int) -> None:
    table = trade(owner(good, good))
    assert table.legal == {("pass",), ("sell", good), ("sell_to_post", good)}
    supply = table.now["goods_supply"][good]
    table.play("sell_to_post", good)
    assert (table.doubloons(0), table.goods(0)) == (price, {good: 1})
    assert table.now["goods_supply"][good] == supply + 1
    assert table.now["trading_house"] == []


def test_one_barrel_to_the_post_or_to_the_house() -> None:
    for action in ("sell", "sell_to_post"):
        table = trade(owner("coffee", "sugar"), {"goods": {"corn": 1}})
        table.play(action, "coffee")
        assert table.player == 1
        assert table.goods(0) == {"sugar": 1}


def test_an_unmanned_trading_post_buys_nothing() -> None:
    assert trade(owner("coffee", trading_post=0)).legal == {("pass",), ("sell", "coffee")}


def test_the_trading_post_buys_a_kind_that_is_in_the_house() -> None:
    table = trade(owner("coffee", "corn"), trading_house=["coffee"])
    assert table.legal == {("pass",), ("sell", "corn"), ("sell_to_post", "corn"), ("sell_to_post", "coffee")}


def test_the_trading_post_buys_when_the_house_is_full_and_the_house_is_emptied_afterwards() -> None:
    table = trade(owner("coffee"), trading_house=[*FULL[:3], "coffee"])
    assert table.legal == {("pass",), ("sell_to_post", "coffee")}
    table.play("sell_to_post", "coffee")
    assert (table.doubloons(0), table.now["trading_house"]) == (4, [])
    assert table.now["goods_supply"]["coffee"] == 9


def test_who_comes_after_the_last_space_was_taken_still_sells_to_a_post() -> None:
    seller = {"goods": {"tobacco": 1}}
    table = trade(seller, owner("coffee"), trading_house=FULL[:3]).play("sell", "tobacco")
    assert (table.player, table.legal) == (1, {("pass",), ("sell_to_post", "coffee")})
    assert table.now["trading_house"] == FULL  # emptied at the end only
    table.play("pass")
    assert (table.phase, table.now["trading_house"]) == ("pick_role", [])


def test_a_full_house_leaves_players_without_a_post_nothing_to_do() -> None:
    seller = {"goods": {"tobacco": 1, "coffee": 1}}
    table = trade(seller, {"goods": {"coffee": 1}}, trading_house=FULL[:3]).play("sell", "tobacco")
    assert (table.phase, table.now["trading_house"]) == ("pick_role", [])
    assert table.goods(1) == {"coffee": 1}


def test_a_barrel_sold_to_the_post_does_not_fill_the_house() -> None:
    table = trade(owner("tobacco"), trading_house=FULL[:3]).play("sell_to_post", "tobacco")
    assert (table.phase, table.now["trading_house"]) == ("pick_role", FULL[:3])


# -- with other buildings ----------------------------------------------------------------------------------------------


def test_markets_add_nothing_at_the_trading_post() -> None:
    city = {"small_market": 1, "large_market": 1}
    assert trade(owner("sugar", **city), kinds=WITH_LARGE_MARKET).play("sell_to_post", "sugar").doubloons(0) == 2
    assert trade(owner("sugar", **city), kinds=WITH_LARGE_MARKET).play("sell", "sugar").doubloons(0) == 2 + 1 + 2


def test_with_an_office_a_kind_in_the_house_goes_to_either() -> None:
    table = trade(owner("coffee", office=1), trading_house=["coffee"])
    assert table.legal == {("pass",), ("sell", "coffee"), ("sell_to_post", "coffee")}
    table.play("sell", "coffee")
    assert table.now["trading_house"] == ["coffee", "coffee"]


def test_an_office_does_not_help_with_a_full_house_but_the_post_does() -> None:
    table = trade(owner("coffee", office=1), trading_house=FULL)
    assert table.legal == {("pass",), ("sell_to_post", "coffee")}


def test_the_trader_s_privilege_counts_at_the_trading_post() -> None:
    assert trade(owner("sugar"), picker=0).play("sell_to_post", "sugar").doubloons(0) == 3
    assert trade(owner("corn"), picker=0).play("sell_to_post", "corn").doubloons(0) == 1


def test_the_library_doubles_the_privilege_at_post_and_house() -> None:
    assert trade(owner("sugar", library=1), picker=0).play("sell_to_post", "sugar").doubloons(0) == 4
    assert trade(owner("sugar", library=1), picker=0).play("sell", "sugar").doubloons(0) == 4
    assert trade(owner("sugar", library=0), picker=0).play("sell", "sugar").doubloons(0) == 3
    assert trade(owner("sugar", library=1)).play("sell", "sugar").doubloons(0) == 2


def test_library_and_markets_at_the_house() -> None:
    city = {"library": 1, "small_market": 1, "large_market": 1}
    table = trade(owner("corn", **city), kinds=WITH_LARGE_MARKET, picker=0).play("sell", "corn")
    assert table.doubloons(0) == 0 + 2 + 3


def test_who_sells_nothing_gets_no_privilege_even_with_a_library() -> None:
    assert trade(owner("sugar", library=1), picker=0).play("pass").doubloons(0) == 0
