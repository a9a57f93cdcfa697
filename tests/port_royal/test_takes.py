"""Phase 2: takes, fees, prices and income from persons; rulings where the rulebook is silent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.port_royal import plain
from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.table import Seat, Table

SHIPS = ("yellow_2_1", "blue_3_2", "green_1_1", "red_1_1", "black_1_2")
CARDS: dict[str, Any] = {"add": ("contract_cards",)}
WITH_CONTRACTS: dict[str, Any] = {"add": CONTRACTS}


def test_the_number_of_takes_is_fixed_when_the_part_begins() -> None:  # R16
    table = Table(Seat(), Seat(), harbour=SHIPS).play("stop")
    assert table.takes == 3
    assert table.play("trade", "yellow").play("trade", "blue").takes == 1
    assert table.play("trade", "green").asked == ("take", 1)


def test_nobody_must_take_a_card() -> None:  # R17
    table = Table(Seat(coins=5), Seat(coins=5), harbour=["captain", "blue_1_1"]).play("stop").play("done")
    assert table.asked == ("take", 1)
    table.play("done")
    assert table.coins == [5, 5]


def test_persons_are_paid_also_if_their_owner_takes_nothing() -> None:  # R18
    seats = Seat("admiral_5_1", "admiral_7_2"), Seat("admiral_9_3")
    table = Table(*seats, harbour=[*SHIPS[:4], "governor"]).play("stop").play("done").play("done")
    assert table.coins == [4, 2]


@pytest.mark.parametrize(("cards", "paid"), [(4, 0), (5, 2), (6, 2)])
def test_admirals_are_paid_from_five_cards_on(cards: int, paid: int) -> None:
    harbour = [*SHIPS[:3], "captain", "governor", "priest"][:cards]
    assert Table(Seat("admiral_5_1"), Seat(), harbour=harbour).play("stop").coins[0] == paid


def test_jesters_of_everybody_whose_part_begins_with_an_empty_harbour_are_paid() -> None:  # R19, R27
    table = Table(Seat("jester_5_1"), Seat(), Seat("jester_7_2", "jester_9_3")).play("stop", cards=["captain"])
    assert table.coins == [1, 0, 2]
    seats = Seat(), Seat("jester_5_1"), Seat("jester_7_2")
    table = Table(*seats, harbour=["blue_1_1"]).play("stop").play("trade", "blue", cards=["captain"])
    assert table.coins == [1, 1, 1]  # the last card was taken before their parts began
    table = Table(*seats, harbour=["blue_1_1"]).play("stop").play("done")
    assert table.coins == [0, 0, 0]


@pytest.mark.parametrize(("option", "paid"), [(1, [1, 1]), (2, [1, 2])])
def test_vice_admirals_of_other_players_are_paid_as_the_option_says(option: int, paid: list[int]) -> None:  # R20
    seats = Seat("vice_admiral_5_1"), Seat("vice_admiral_5_1")
    table = Table(*seats, harbour=["captain", "priest", "governor"], vice_admiral_passive=option, **CARDS)
    table.play("stop", cards=["captain"])  # nobody can afford anything; the next player's first card
    assert (table.record.turn, table.coins) == (2, paid)


@pytest.mark.parametrize(("cards", "paid"), [(2, 0), (3, 1), (4, 1), (5, 0)])
def test_vice_admirals_are_paid_for_three_or_four_cards(cards: int, paid: int) -> None:
    harbour = ["blue_1_1", "captain", "priest", "governor", "settler"][:cards]
    assert Table(Seat("vice_admiral_7_2"), Seat(), harbour=harbour, **CARDS).play("stop").coins[0] == paid


@pytest.mark.parametrize(("ships", "paid"), [(0, 0), (1, 0), (2, 2), (3, 4), (5, 8)])
def test_each_gunner_is_paid_for_all_ships_but_one(ships: int, paid: int) -> None:  # R21
    harbour = [*SHIPS[:ships], "captain"]
    assert Table(Seat("gunner_4_1", "gunner_6_2"), Seat(), harbour=harbour, **CARDS).play("stop").coins[0] == paid


def test_a_gunner_counts_the_ships_that_lie_there_when_its_part_begins() -> None:  # R21
    table = Table(Seat(), Seat("gunner_4_1"), harbour=SHIPS[:3], **CARDS).play("stop").play("trade", "blue")
    assert (table.asked, table.coins[1]) == (("take", 1), 1)


def test_another_player_needs_the_price_and_the_fee_to_hire() -> None:  # R22
    for coins, may in ((3, False), (4, True)):
        table = Table(Seat(), Seat(coins=coins), harbour=["sailor", "blue_1_1"]).play("stop").play("done")
        assert (table.asked, table.may("hire", "sailor")) == (("take", 1), may)
    table.play("hire", "sailor")
    assert table.coins == [1, 0]


def test_no_mademoiselle_lowers_the_fee() -> None:  # R22
    four = Seat(*["mademoiselle_7_2", "mademoiselle_9_3"] * 2, coins=0)
    table = Table(Seat(), four, harbour=["sailor", "blue_1_1"]).play("stop").play("done")
    assert not table.may("hire", "sailor")
    assert table.may("trade", "blue")  # the ship pays its own fee


def test_the_active_player_pays_no_fee() -> None:
    assert Table(Seat(coins=3), Seat(), harbour=["sailor"]).play("stop").may("hire", "sailor")


def test_the_fee_of_refused_coins_is_paid_with_a_coin_of_ones_own() -> None:  # R22, R82
    options: dict[str, Any] = {"harbour": ["black_1_2", "governor"], "contracts": ["galleon_foe"], **WITH_CONTRACTS}
    table = Table(Seat(), Seat(coins=0), **options).play("stop").play("done")
    assert (table.asked, table.may("trade", "black"), table.may("refuse", "black")) == (("take", 1), True, False)
    progressed = Seat(coins=0, cubes={"galleon_foe": 1})  # the reward of 6 coins comes too late for the fee
    table = Table(Seat(), progressed, **options).play("stop").play("done")
    assert not table.may("refuse", "black")
    table = Table(Seat(), Seat(coins=1), **options).play("stop").play("done").play("refuse", "black")
    assert (table.coins, table.cube(1, "galleon_foe")) == ([1, 0], 1)


def test_a_clerk_gives_one_more_take_at_every_trade_of_its_colour() -> None:  # R23
    table = Table(Seat("clerk_blue", "clerk_green"), Seat(), harbour=SHIPS[:3], **CARDS).play("stop")
    assert table.takes == 1
    assert table.play("trade", "blue").takes == 1
    assert table.play("trade", "green").takes == 1  # such takes chain
    assert table.play("trade", "yellow").record.turn == 2


def test_a_clerk_of_another_player_costs_a_fee_for_each_card() -> None:  # R23
    table = Table(Seat(), Seat("clerk_blue"), harbour=SHIPS[:3], **CARDS).play("stop").play("done")
    table.play("trade", "blue").play("trade", "yellow")
    assert table.coins == [2, 3 + 2 - 2]


def test_a_clerk_gives_a_take_for_refused_coins_too() -> None:  # R23
    options: dict[str, Any] = {"contracts": ["galleon_foe"], **WITH_CONTRACTS}
    table = Table(Seat("clerk_black"), Seat(), harbour=["black_1_2", "blue_1_1"], **options).play("stop")
    assert table.play("refuse", "black").takes == 1
    assert table.may("trade", "blue")


def test_a_mademoiselle_lowers_the_price_of_the_next_take() -> None:  # R24
    table = Table(Seat("governor", coins=9), Seat(), harbour=["mademoiselle_7_2", "sailor"]).play("stop")
    table.play("hire", "mademoiselle_7_2").play("hire", "sailor")
    assert table.coins[0] == 9 - 7 - 2


def test_a_trader_serves_for_the_next_take() -> None:  # R24
    table = Table(Seat("governor", coins=3), Seat(), harbour=["trader_blue_3_1", "blue_1_1"]).play("stop")
    assert table.play("hire", "trader_blue_3_1").play("trade", "blue").coins[0] == 2


def test_a_clerk_serves_for_the_next_take() -> None:  # R24
    table = Table(Seat("governor", coins=6), Seat(), harbour=["clerk_blue", "blue_1_1", "green_1_1"], **CARDS)
    table.play("stop").play("hire", "clerk_blue").play("trade", "blue")
    assert (table.asked, table.takes) == (("take", 0), 1)


def test_a_merchant_serves_for_the_next_take() -> None:  # R24
    table = Table(Seat("governor", coins=6), Seat(), harbour=["merchant_green", "green_1_1"], add=("set_sail_20",))
    table.play("stop").play("hire", "merchant_green").play("trade", "green")
    assert table.influence[0] == 2 + 1


def test_each_trader_of_the_colour_adds_a_coin() -> None:
    seat = Seat("trader_blue_3_1", "trader_blue_5_2", "trader_green")
    assert Table(seat, Seat(), harbour=["blue_2_1"]).play("stop").play("trade", "blue").coins[0] == 4


def test_a_merchant_keeps_the_ship_for_good() -> None:  # R25
    table = Table(Seat("merchant_blue"), Seat(), harbour=["blue_2_2"], add=("set_sail_20",)).play("stop")
    table.play("trade", "blue")
    assert (table.coins[0], table.influence[0], table.discarded("blue_2_2")) == (2, 4, 0)
    assert int(table.record.under[0].sum()) == 1


def test_a_ship_whose_coins_are_refused_does_not_go_under_the_merchant() -> None:  # R25
    options: dict[str, Any] = {"contracts": ["galleon_foe"], "add": ("set_sail_20", *CONTRACTS)}
    table = Table(Seat("merchant_black"), Seat(), harbour=["black_1_2"], **options).play("stop").play("refuse", "black")
    assert (table.influence[0], table.discarded("black_1_2"), int(table.record.under.sum())) == (2, 1, 0)


def test_influence_of_a_ship_under_a_merchant_counts_at_once() -> None:  # R25
    seat = Seat("merchant_blue_8_3", "merchant_yellow_8_3", "sailor")
    table = Table(seat, Seat(), harbour=["blue_1_1", "passenger"], deck="set_sail").play("stop")
    assert (table.influence[0], table.record.end_flag) == (7, 0)
    table.play("trade", "blue")
    assert (table.influence[0], table.record.end_flag) == (8, 1)


def test_any_other_player_may_get_the_coin_of_a_ship() -> None:  # R26
    options: dict[str, Any] = {"harbour": ["blue_3_5_gift", "governor"], **CARDS}
    table = Table(Seat(), Seat(), Seat(), **options).play("stop").play("done").play("trade", "blue")
    assert (table.asked, table.legal) == (("give", 1), {("give", 1), ("give", 2)})
    assert table.play("give", 2).coins == [1 + 1, 3 - 1, 0]  # the active player
    table = Table(Seat(), Seat(), Seat(), **options).play("stop").play("trade", "blue").play("give", 2)
    assert table.coins == [3, 0, 1]


def test_with_two_players_the_coin_is_given_without_a_question() -> None:  # R26
    table = Table(Seat(), Seat(), harbour=["blue_3_5_gift"], **CARDS).play("stop").play("trade", "blue")
    assert table.coins == [3, 1]


def test_alone_the_coin_is_not_given() -> None:  # R26
    options: dict[str, Any] = {"mode": "cooperative", **WITH_CONTRACTS}
    table = Table(Seat(), harbour=["blue_3_5_gift"], **options).play("stop").play("trade", "blue")
    assert table.coins == [3]


def test_the_coin_is_given_also_when_the_others_are_refused() -> None:  # R26
    options: dict[str, Any] = {"harbour": ["black_3_skull_gift"], "contracts": ["galleon_foe"], **WITH_CONTRACTS}
    table = Table(Seat(), Seat(), Seat(), **options).play("stop").play("refuse", "black")
    assert table.asked == ("give", 0)
    assert table.play("give", 1).coins == [0, 1, 0]


def test_players_complete_contracts_in_their_part_with_an_empty_harbour() -> None:  # R27
    table = Table(Seat(), Seat("sailor", "pirate"), contracts=["fighter"], **WITH_CONTRACTS).play("stop")
    assert (table.asked, table.legal) == (("take", 1), {("done",), ("complete", "fighter")})


def test_a_hire_is_paid_before_the_fee() -> None:  # R76
    """The oldest coins go first, so the coin that is handed over is the newest."""
    table = Table(Seat(), Seat(coins=3), harbour=["sailor", "blue_3_2"], in_deck=0)
    plain.piles.reshuffle(table.record)
    plain.piles.gain_coins(table.record, 1, 1)
    assert table.record.coins[1, :2].tolist() == [3, 1]
    table.play("stop").play("done")
    assert table.record.coins[0].sum() == 0
    table.play("hire", "sailor")
    assert table.coins == [1, 0]
    assert (table.record.epoch, table.record.coins[0, 0]) == (0, 1)  # the old epoch has no coins and is forgotten


def test_a_player_without_takes_and_free_actions_is_not_asked() -> None:
    table = Table(Seat(), Seat(), Seat(), harbour=["governor"]).play("stop", cards=["captain"])
    assert table.record.turn == 2
