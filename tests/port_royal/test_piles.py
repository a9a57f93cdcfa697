"""Deck, coins and discard pile: reshuffles, the order of coins, and running out of cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pr_env.port_royal.state import NUM_EPOCHS
from tests.port_royal import plain
from tests.port_royal.table import REST, Seat, Table


def test_a_coin_has_no_face_until_it_is_spent() -> None:  # R1
    table = Table(Seat(), Seat(coins=5), harbour=["blue_3_2", "sailor"])
    before = table.record.unseen.copy()
    table.play("stop").play("trade", "blue")
    assert table.coins[0] == 3
    assert (table.record.unseen == before).all()
    table.play("hire", "sailor")
    assert before.sum() - table.record.unseen.sum() == 3 + table.record.drawn  # the price, the next player's first card


def test_the_deck_is_reshuffled_when_a_card_is_needed_and_a_running_draw_goes_on() -> None:  # R2
    harbour = ["blue_3_2", "admiral_5_1"]
    table = Table(Seat(), Seat(coins=8), harbour=harbour, in_deck=1)
    discarded = table.record.discards
    assert (table.record.deck, table.record.epoch) == (1, 0)
    table.play("stop").play("trade", "blue")
    record = table.record
    assert (table.asked, table.coins[0]) == (("take", 1), 3)
    assert (record.epoch, record.coins[0, 0], record.coins[0, 1]) == (1, 1, 2)
    assert record.deck == discarded + 1 - 2  # the traded ship was shuffled in, too


def test_an_empty_deck_is_not_reshuffled_before_a_card_is_needed() -> None:  # R2
    table = Table(Seat(), Seat(coins=8), harbour=["blue_1_1", "admiral_5_1"], in_deck=1)
    table.play("stop").play("trade", "blue")
    assert table.asked == ("take", 1)
    assert (table.record.deck, table.record.epoch, table.discarded("blue_1_1")) == (0, 0, 3)


def with_two_epochs() -> Any:
    """A record in which the first player has three old coins and two new ones, and the second two old ones."""
    record = Table(Seat(coins=3), Seat(coins=2), in_deck=0).record
    plain.piles.reshuffle(record)
    plain.piles.gain_coins(record, 0, 2)
    assert record.epoch == 1
    return record


def test_the_oldest_coins_are_spent_first() -> None:  # R3
    record = with_two_epochs()
    plain.piles.spend_coins(record, 0, 2)
    assert record.coins[0, :2].tolist() == [1, 2]
    plain.piles.spend_coins(record, 0, 2)
    assert record.coins[0, :2].tolist() == [0, 1]


def test_the_oldest_coins_are_handed_over_first_and_stay_old() -> None:  # R3
    record = with_two_epochs()
    plain.piles.hand_coins(record, 0, 1, 4)
    assert record.coins[0, :2].tolist() == [0, 1]
    assert record.coins[1, :2].tolist() == [5, 1]


def test_an_epoch_without_cards_is_forgotten() -> None:
    record = with_two_epochs()
    plain.piles.spend_coins(record, 0, 3)
    assert record.epoch == 1
    plain.piles.spend_coins(record, 1, 2)
    assert (record.epoch, record.coins[0, 0], record.coins[0, 1]) == (0, 2, 0)
    assert not record.closed.any()


def test_an_old_coin_cannot_be_a_card_of_the_new_deck() -> None:
    table = Table(Seat(coins=2), Seat(), in_deck=0)
    old = table.record.unseen.copy()
    assert old.sum() == 2
    plain.piles.reshuffle(table.record)
    plain.piles.spend_coins(table.record, 0, 2)
    assert (table.record.discard == old).all()


def test_coins_that_nobody_can_draw_are_lost() -> None:  # R4
    harbour = ["blue_4_5", "yellow_1_1", "sailor", "captain", "priest"]
    table = Table(Seat("admiral_5_1"), Seat(coins=REST), harbour=harbour)
    assert (table.asked, table.coins[0]) == (("take", 0), 0)  # the admiral's two coins are lost
    assert table.play("trade", "blue").coins[0] == 1  # only the ship itself could be drawn


def test_without_cards_there_is_no_draw_and_phase_2_follows() -> None:  # R4
    table = Table(Seat(), Seat(coins=REST), harbour=["blue_1_1"])
    assert table.asked == ("take", 0)  # stopping was the only answer
    table = Table(Seat("priest", "priest"), Seat(coins=REST), drawn=0, expeditions=["two_priests"])
    assert table.legal == {("stop",), ("claim", "two_priests")}


def test_another_player_takes_a_ship_only_if_its_real_coins_pay_the_fee() -> None:  # R4
    options: dict[str, Any] = {"deck": "set_sail", "harbour": ["green_1_1", "blue_1_1"]}
    table = Table(Seat(coins=REST), Seat("merchant_green"), **options).play("done")
    assert table.asked == ("take", 1)
    assert not table.may("trade", "green")  # it goes under the merchant, so that there is no card for its coin
    assert table.may("trade", "blue")
    table = Table(Seat(coins=REST), Seat("merchant_green"), discard=["sailor"], **options).play("stop").play("done")
    assert table.may("trade", "green")


def test_a_ship_is_discarded_before_its_coins_are_drawn() -> None:  # R5, R77
    table = Table(Seat(), Seat(coins=REST), harbour=["blue_2_1", "admiral_5_1"]).play("trade", "blue")
    assert (table.coins[0], table.discarded("blue_2_1")) == (1, 0)  # its only coin is the ship itself


def test_a_person_is_discarded_before_the_coins_of_a_claim_are_drawn() -> None:  # R5
    table = Table(Seat("priest", "priest"), Seat(coins=REST), drawn=0, expeditions=["two_priests"])
    assert table.play("claim", "two_priests").coins[0] == 2


def test_a_tax_is_discarded_after_its_bonus() -> None:  # R5
    table = Table(Seat("sailor"), Seat("captain", coins=3), Seat(coins=REST), discard=["tax_max_sabres"], active=1)
    table.tables.tax_from = table.tables.tax_from + 200  # nobody is taxed
    table.draw("tax_max_sabres")
    assert (table.coins[0], table.discarded("tax_max_sabres")) == (0, 1)  # there was no card for the bonus


@pytest.mark.parametrize(("active", "first"), [(0, 0), (1, 1), (2, 0)])
def test_the_active_player_draws_first_then_clockwise(active: int, first: int) -> None:  # R6
    """One card is left for the bonus of a tax."""
    seats = Seat("sailor"), Seat("sailor"), Seat(coins=REST)
    table = Table(*seats, active=active, discard=["captain", "tax_max_sabres"])
    table.tables.tax_from = table.tables.tax_from + 200
    table.draw("tax_max_sabres")
    assert table.coins[:2] == [int(first == 0), int(first == 1)]


@pytest.mark.parametrize(("active", "paid"), [(0, [1, 1, 0]), (1, [0, 1, 1]), (2, [1, 0, 1]), (3, [1, 1, 0])])
def test_jesters_after_a_bust_are_paid_from_the_active_player_on(active: int, paid: list[int]) -> None:  # R6
    """A bust leaves two cards to draw for three jesters."""
    jesters = Seat("jester_5_1"), Seat("jester_7_2"), Seat("jester_9_3")
    table = Table(*jesters, Seat(coins=REST), active=active, harbour=["blue_1_1"], discard=["blue_2_1"])
    table.draw("blue_2_1")
    assert table.coins[:3] == paid


def test_all_losses_of_a_tax_come_before_its_gains() -> None:  # R6
    table = Table(Seat("sailor"), Seat(coins=12), Seat(coins=REST), discard=["tax_max_sabres"])
    table.draw("tax_max_sabres")
    assert table.coins[:2] == [1, 6]  # the bonus comes out of what the others have lost


def test_every_random_number_turns_up_a_card_and_every_card_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(Seat(coins=3), Seat(coins=3))
    unseen = table.record.unseen.copy()
    size = int(unseen.sum())
    assert size == table.record.deck + 6  # the coins of the epoch are part of the pool
    found = np.zeros_like(unseen)
    for number in range(size):
        monkeypatch.setattr(plain.piles, "random_below", lambda state, limit, number=number: number)
        found[plain.piles._draw_unseen(table.record, size)] += 1
        table.record.unseen[:] = unseen
    assert (found == unseen).all()


def test_epochs_are_merged_only_when_no_slot_is_left() -> None:
    """Far more reshuffles with held coins than in any real game; the record stays valid."""
    table = Table(Seat(), Seat())
    record = table.record
    for number in range(1, NUM_EPOCHS + 3):
        plain.piles.gain_coins(record, 0, 1)
        left = record.unseen.copy()  # all others of this deck are turned up
        kinds = np.flatnonzero(left)
        left[kinds[-number % len(kinds)]] -= 1
        record.unseen[:] -= left
        record.discard[:] += left
        record.discards += record.deck
        record.deck = 0
        plain.piles.reshuffle(record)
        table.check()
        assert record.merged == max(0, number - (NUM_EPOCHS - 1))
    assert record.epoch == NUM_EPOCHS - 1
