"""The gambler: four cards in a row, none repelled, and one more take."""

from __future__ import annotations

from typing import Any

from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.table import REST, Seat, Table

GAMBLER: dict[str, Any] = {"add": ("gambler",)}
FOUR = ["blue_1_1", "green_1_1", "captain", "sailor"]


def test_each_gambler_used_gives_one_more_take() -> None:  # R34
    table = Table(Seat("gambler_4_1", "gambler_6_2"), Seat(), **GAMBLER).play("use_gambler", cards=FOUR)
    table.play("use_gambler", cards=["priest", "settler", "admiral_5_1", "yellow_1_1"])
    assert (table.asked, table.takes) == (("take", 0), 1 + 2)


def test_taxes_and_expeditions_count_among_the_four() -> None:  # R35
    table = Table(Seat("gambler_4_1", coins=12), Seat(), **GAMBLER)
    table.play("use_gambler", cards=["tax_max_sabres", "two_priests", "captain", "blue_1_1"])
    assert (table.asked, table.record.drawn) == (("take", 0), 5)
    assert table.harbour == {"captain_4_1", "blue_1_1"}
    assert table.expedition_of("two_priests") == "table"
    assert table.coins[0] == 12 - 6 + 1


def test_the_four_cards_are_drawn_to_the_end_although_the_second_doubles() -> None:  # R35
    table = Table(Seat("gambler_4_1", "jester_5_1"), Seat(), **GAMBLER)
    table.play("use_gambler", cards=["blue_1_1", "blue_2_1", "captain", "tax_max_sabres", "admiral_5_1"])
    assert (table.record.turn, table.coins) == (2, [1 + 1, 1])  # the tax was resolved, then the jester was paid
    assert [table.discarded(name) for name in ("blue_1_1", "blue_2_1", "captain")] == [1, 1, 1]


def test_a_colour_may_be_doubled_more_than_once() -> None:  # R35
    table = Table(Seat("gambler_4_1"), Seat(), harbour=["blue_1_1", "red_1_1"], **GAMBLER)
    table.play("use_gambler", cards=["blue_1_1", "red_2_3", "blue_2_1", "blue_2_2", "captain"])
    assert table.record.turn == 2
    assert [table.discarded(ship) for ship in ("blue_1_1", "red_1_1", "red_2_3", "blue_2_1", "blue_2_2")] == [
        2,
        1,
        1,
        1,
        1,
    ]


def test_a_gambler_serves_as_the_compulsory_draw() -> None:  # R36
    table = Table(Seat("gambler_4_1"), Seat(), drawn=0, **GAMBLER)
    assert table.legal == {("draw",), ("use_gambler",)}
    table.play("use_gambler", cards=FOUR)
    assert table.record.drawn == 4


def test_the_first_of_the_four_comes_from_the_time_deck_if_no_card_was_drawn() -> None:  # R36
    options: dict[str, Any] = {"add": ("gambler", *CONTRACTS), "mode": "cooperative"}
    for drawn, time in ((0, 14), (1, 15)):
        table = Table(Seat("gambler_4_1", coins=9), drawn=drawn, time=15, **options)
        deck = table.record.deck
        table.play("use_gambler", cards=FOUR)
        assert (table.record.time, deck - table.record.deck) == (time, 3 + drawn)


def test_after_a_gambler_there_is_no_normal_draw() -> None:  # R37
    seat = Seat("gambler_4_1", "gambler_6_2", "priest", "priest")
    table = Table(seat, Seat(), expeditions=["two_priests"], **GAMBLER).play("use_gambler", cards=FOUR)
    assert table.legal == {("stop",), ("use_gambler",), ("claim", "two_priests")}
    table = Table(Seat("gambler_4_1", coins=9), Seat(), **GAMBLER).play("use_gambler", cards=FOUR)
    assert table.asked == ("take", 0)  # with one gambler stopping is all that is left


def test_each_gambler_is_used_once_a_turn() -> None:
    table = Table(
        Seat("gambler_4_1", "gambler_4_1", "priest", "priest"), Seat(), expeditions=["two_priests"], **GAMBLER
    )
    table.play("use_gambler", cards=FOUR).play("use_gambler", cards=["priest", "settler", "settler", "settler"])
    assert table.legal == {("stop",), ("claim", "two_priests")}
    assert table.takes == 0


def test_a_gambler_draws_what_there_is() -> None:  # R85
    seat = Seat("gambler_4_1", coins=9)
    table = Table(seat, Seat(coins=REST), discard=["captain", "priest"], **GAMBLER)
    table.play("use_gambler", cards=["captain", "priest"])
    assert (table.asked, table.harbour) == (("take", 0), {"captain_4_1", "priest_4_1"})
    table = Table(Seat("gambler_4_1", "priest", "priest"), Seat(coins=REST), expeditions=["two_priests"], **GAMBLER)
    assert table.legal == {("stop",), ("claim", "two_priests")}  # with no card it is not legal


def test_a_tax_among_the_four_asks_and_the_draws_go_on() -> None:
    options: dict[str, Any] = {"add": ("gambler", *CONTRACTS), "contracts": ["tax_officer"]}
    table = Table(Seat("gambler_4_1"), Seat(coins=12), **options)
    table.play("use_gambler", cards=["blue_1_1", "blue_2_1", "tax_max_sabres"])
    assert (table.asked, table.record.draws_left, table.asked_about) == (("immediate", 1), 2, "tax_officer")
    table.play("accept", cards=["captain", "admiral_5_1"])
    assert table.record.turn == 2  # a bust
    assert table.coins == [1, 6 + 7 + 1]
