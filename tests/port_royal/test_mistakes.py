"""Known mistakes of other implementations of Port Royal: tests that we do not make them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP
from pr_env.port_royal.state import AWAY, NOTHING, REPEL
from pr_env.port_royal.tables import COLOURS
from tests.port_royal import plain
from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.table import Seat, Table

FOUR_SHIPS = ("yellow_2_1", "blue_3_2", "green_1_1", "red_1_1")
CARDS = PortRoyal().cards


def test_1_there_are_three_jacks() -> None:
    assert sum(card.copies for card in CARDS.kinds if card.type == "jack_of_all_trades") == 3


def test_2_expeditions_have_influence() -> None:
    assert sorted(card.influence for card in CARDS.of(EXPEDITION)) == [4, 4, 4, 5, 6, 6]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_3_the_expedition_of_five_players_lies_out_with_five_only(players: int) -> None:
    table = Table(*(Seat() for _ in range(players)))
    assert table.expedition_of("one_of_each") == ("table" if players == 5 else "away")
    assert table.record.unseen[table.kind("one_of_each")] == 0


def test_4_traders_cost_3_but_for_one_of_yellow_and_one_of_blue() -> None:
    traders = {card.name: card.copies for card in CARDS.of(PERSON) if card.type == "trader"}
    assert traders == {
        "trader_yellow_3_1": 1,
        "trader_yellow_5_2": 1,
        "trader_blue_3_1": 1,
        "trader_blue_5_2": 1,
        "trader_green_3_1": 2,
        "trader_red_3_1": 2,
        "trader_black_3_1": 2,
    }


def test_5_a_skull_cannot_be_repelled_with_any_number_of_sabres() -> None:
    strong = Seat(
        *["sailor_3_1"] * 7, "sailor_5_2", "sailor_5_2", "sailor_7_3", "pirate_5_1", "pirate_7_2", "pirate_9_3"
    )
    for ship in ("red_3_skull", "red_4_skull", "black_4_skull"):
        table = Table(strong, Seat())
        assert table.sabres[0] == 16
        table.draw(ship)
        assert table.question == "discover"
        assert table.harbour == {ship}
    assert Table(strong, Seat()).draw("black_3_7").question == "repel"


def test_6_the_player_is_asked_about_a_ship_that_doubles_a_colour() -> None:
    table = Table(Seat("sailor"), Seat(), harbour=["blue_2_2"]).draw("blue_1_1")
    assert (table.question, table.legal) == ("repel", {("repel",), ("let_in",)})


def test_7_stopping_with_an_empty_harbour_is_legal_after_one_draw() -> None:
    table = Table(Seat("sailor"), Seat(), drawn=0, cards=["tax_max_sabres"])
    assert table.harbour == set()
    assert table.legal == {("draw",), ("stop",)}
    table.play("stop", cards=["sailor"])  # and the next player's first card
    assert table.record.turn == 2


def test_8_admirals_of_the_other_players_pay_by_the_cards_at_the_start_of_their_part() -> None:
    harbour = [*FOUR_SHIPS, "sailor", "captain"]
    table = Table(Seat(), Seat("admiral_5_1"), Seat("admiral_7_2"), harbour=harbour).play("stop")
    table.play("trade", "yellow").play("trade", "blue")
    assert table.asked == ("take", 1)  # four cards are left
    assert table.coins == [5, 0, 0]
    table = Table(Seat(), Seat("admiral_5_1"), Seat("admiral_7_2"), harbour=harbour).play("stop")
    table.play("trade", "blue").play("done")
    assert (table.asked, table.coins[1]) == (("take", 1), 2)
    table.play("trade", "yellow")
    assert (table.asked, table.coins) == (("take", 2), [3 + 1, 2 + 2 - 1, 0])


def test_9_admiral_gunner_and_vice_admiral_pay_once_a_part() -> None:
    seat = Seat("admiral_5_1", "gunner_4_1", "governor", coins=0)
    table = Table(seat, Seat(), harbour=[*FOUR_SHIPS, "sailor"], add=("contract_cards",)).play("stop")
    assert table.coins[0] == 2 + 3
    assert table.play("trade", "yellow").coins[0] == 5 + 2
    assert table.play("trade", "green").coins[0] == 7 + 1
    seat = Seat("vice_admiral_5_1", "governor", coins=0)
    table = Table(seat, Seat(), harbour=["yellow_2_1", "blue_3_2", "red_1_1", "captain"], add=("contract_cards",))
    assert table.play("stop").coins[0] == 1
    assert table.play("trade", "yellow").coins[0] == 3


def test_10_a_governor_gives_others_one_more_take_with_its_own_fee() -> None:
    table = Table(Seat(), Seat("governor"), harbour=["yellow_2_1", "blue_3_2", "green_1_1"]).play("stop").play("done")
    assert (table.asked, table.takes) == (("take", 1), 2)
    table.play("trade", "yellow").play("trade", "blue")
    assert table.coins == [2, 2 + 3 - 2]


def test_11_only_the_active_player_claims_expeditions() -> None:
    rich = Seat("priest", "priest", coins=5)
    table = (
        Table(Seat(), rich, harbour=["yellow_2_1", "captain"], expeditions=["two_priests"]).play("stop").play("done")
    )
    assert table.asked == ("take", 1)
    assert not table.may("claim", "two_priests")
    assert Table(rich, Seat(), expeditions=["two_priests"]).may("claim", "two_priests")


@pytest.mark.parametrize("alternative_end", [False, True])
def test_12_the_end_needs_an_expedition_with_the_alternative_end_only(alternative_end: bool) -> None:
    strong = Seat("pirate_9_3", "admiral_9_3", "admiral_9_3", "mademoiselle_7_2", coins=9)  # 11 influence
    table = Table(strong, Seat(), harbour=["captain"], alternative_end=alternative_end).play("stop")
    table.play("hire", "captain")
    assert table.influence[0] == 12
    assert bool(table.record.end_flag) is not alternative_end


def test_13_a_tax_falls_on_12_coins_and_takes_6_of_13() -> None:
    table = Table(Seat("sailor"), Seat(coins=12), Seat(coins=13), Seat(coins=11)).draw("tax_max_sabres")
    assert table.coins == [1, 6, 7, 11]


def test_14_a_tax_bonus_goes_to_all_who_tie_also_at_zero() -> None:
    assert Table(Seat(), Seat(), Seat("sailor")).draw("tax_min_influence").coins == [1, 1, 0]
    assert Table(Seat(), Seat(), Seat("captain")).draw("tax_max_sabres").coins == [1, 1, 1]
    assert Table(Seat("sailor"), Seat(), Seat("sailor")).draw("tax_max_sabres").coins == [1, 0, 1]


def test_15_contracts_give_0_1_and_2_influence() -> None:
    seat = Seat("sailor", "sailor", "sailor", "sailor", "trader_green", "trader_green", coins=0)
    contracts = ["fighter", "trader_prince", "cheap_staff"]
    table = Table(seat, Seat(), contracts=contracts, add=CONTRACTS)
    gained = []
    for contract in sorted(contracts, key=table.contract_names.index):
        before = table.influence[0]
        table.play("complete", contract)
        gained.append(table.influence[0] - before)
    assert gained == [0, 1, 2]


def test_16_five_of_the_ten_contract_ships_give_a_coin_to_another_player() -> None:
    ships = PortRoyal(add=("contract_cards",)).cards.of(SHIP)
    assert sum(card.copies for card in ships) == 60
    gifts = {card.colour: (card.copies, card.coins) for card in ships if card.coins_other}
    assert gifts == dict.fromkeys(COLOURS, (1, 3))


def test_17_a_ship_under_two_merchants_of_its_colour_is_one_influence() -> None:
    table = Table(Seat("merchant_green", "merchant_green"), Seat(), harbour=["green_2_1"], deck="set_sail").play("stop")
    before = table.influence[0]
    table.play("trade", "green")
    assert (table.influence[0] - before, table.coins[0]) == (1, 2)
    assert table.discarded("green_2_1") == 0


def test_18_jesters_pay_everybody_after_a_bust_and_whose_part_begins_with_an_empty_harbour() -> None:
    seats = Seat("jester_5_1"), Seat("jester_7_2", "jester_7_2"), Seat("captain")
    busted = Table(*seats, harbour=["blue_2_2"]).play("draw", cards=["blue_1_1", "sailor"])
    assert (busted.record.turn, busted.coins) == (2, [1, 2, 0])
    empty = Table(*seats).play("stop", cards=["sailor"])
    assert (empty.record.turn, empty.coins) == (2, [1, 2, 0])


def test_19_a_jack_used_for_one_symbol_does_not_serve_for_another() -> None:
    table = Table(Seat("jack_of_all_trades"), Seat(), expeditions=["two_captains"])
    assert not table.may("claim", "two_captains")
    table = Table(Seat("jack_of_all_trades", "captain"), Seat(), expeditions=["two_captains", "two_captains_settler"])
    assert not table.may("claim", "two_captains_settler")
    table.play("claim", "two_captains")
    assert table.display(0) == []
    assert not table.may("claim", "two_captains_settler")


def test_20_no_card_of_a_gambler_is_repelled_and_the_bust_is_judged_after_the_fourth() -> None:
    seat = Seat("gambler_4_1", "sailor", "sailor")
    table = Table(seat, Seat(), harbour=["blue_2_2"], add=("gambler",))
    table.play(
        "use_gambler", cards=["blue_1_1", "green_1_1", "captain", "sailor", "admiral_5_1"]
    )  # the last: next turn
    assert table.record.turn == 2
    assert [table.discarded(name) for name in ("blue_2_2", "blue_1_1", "green_1_1", "captain", "sailor")] == [1] * 5


def draw_ships(game: PortRoyal, seed: int) -> list[int]:
    """Colours of the ships drawn from a shuffled deck, in order, until one repeats."""
    record = plain.Light(game.blank.copy())
    plain.setup._lay_out_table(record, plain.Light(game.tables))
    record.rng = plain.setup.start_generator(np.uint64(seed))
    colours: list[int] = []
    while len(colours) < 5 and len(set(colours)) == len(colours):
        card = game.cards.kinds[plain.piles.turn_up(record)]
        if card.kind == SHIP:
            colours.append(COLOURS.index(card.colour))
    return colours


def test_21_the_first_ships_of_a_deck_differ_in_colour_as_often_as_they_should() -> None:
    game, decks = PortRoyal(players=2), 2000
    drawn = [draw_ships(game, seed) for seed in range(decks)]
    for number, chance in ((2, 0.8163), (3, 0.5102), (4, 0.2171), (5, 0.0472)):
        exact = math.prod((50 - 10 * place) / (50 - place) for place in range(number))
        assert round(exact, 4) == chance
        share = sum(len(set(colours[:number])) == number <= len(colours) for colours in drawn) / decks
        assert abs(share - exact) < 4 * math.sqrt(exact * (1 - exact) / decks)


def count_cards(record: Any) -> int:
    """All cards except those out of the game."""
    persons = int(record.harbour.sum() + record.display.sum())
    ships = int((record.harbour_ship != NOTHING).sum()) + int(record.question == REPEL)
    expeditions = int((record.expedition != AWAY).sum())
    return int(record.deck) + int(record.purse.sum()) + int(record.discards) + persons + ships + expeditions


def test_22_the_number_of_cards_is_the_same_after_every_step() -> None:
    table = Table(Seat(coins=3), Seat(coins=3), Seat(coins=3), drawn=0, seed=4)
    chance = np.random.default_rng(4)
    for _ in range(150):
        assert count_cards(table.record) == 119
        table.play(*sorted(table.legal, key=str)[chance.integers(len(table.legal))])
