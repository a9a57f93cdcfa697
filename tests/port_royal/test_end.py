"""The end of the game, ties, limits, and miscellaneous rules."""

from __future__ import annotations

from typing import Any

import pytest

from pr_env.port_royal import PortRoyal
from tests.port_royal.configurations import EVERYTHING
from tests.port_royal.table import REST, Seat, Table

ELEVEN = ("pirate_9_3", "admiral_9_3", "admiral_9_3", "mademoiselle_7_2")


def hire_the_twelfth(active: int, players: int, **options: Any) -> Table:
    """The active player hires a captain and reaches 12 influence; the others have nothing."""
    seats = [Seat(*ELEVEN, coins=4) if seat == active else Seat() for seat in range(players)]
    table = Table(*seats, active=active, turn=1 + active, harbour=["captain"], **options).play("stop")
    return table.play("hire", "captain", cards=[] if active == players - 1 else ["settler"])


def test_the_end_flag_stays_while_a_claim_lowers_the_influence() -> None:  # R30
    table = hire_the_twelfth(0, 2)
    assert table.record.end_flag == 1
    jacks = ("jack_of_all_trades", "jack_of_all_trades", "captain", "captain")
    seat = Seat("pirate_9_3", "admiral_9_3", "mademoiselle_7_2", *jacks, coins=4)  # 12
    table = Table(seat, Seat(), expeditions=["two_captains"])
    table.record.end_flag = 1
    table.play("claim", "two_captains").play("pay_match")
    assert (table.question, table.influence[0], table.record.end_flag) == ("pay", 11, 1)


@pytest.mark.parametrize("active", [0, 1, 2])
def test_the_round_is_finished_after_the_trigger(active: int) -> None:  # R31
    table = hire_the_twelfth(active, 3)
    turns = 0
    while not table.over:
        seat, turn = int(table.record.active), int(table.record.turn)
        assert seat > active
        if table.question == "discover":
            table.play("stop")
        else:
            table.play("done")
        turns += table.record.turn > turn or table.over
    assert (table.ending, int(table.record.turn), turns) == ("influence", 3, 2 - active)


def test_influence_of_another_player_triggers_the_end_too() -> None:
    table = Table(Seat(), Seat(*ELEVEN, coins=5), harbour=["captain", "blue_1_1"]).play("stop").play("done")
    table.play("hire", "captain")
    assert table.record.end_flag == 1


def test_the_alternative_end_is_triggered_by_an_expedition_claimed_later() -> None:  # R32
    seat = Seat(*ELEVEN, "priest", "priest")  # 13 influence
    table = Table(seat, Seat(), drawn=0, expeditions=["two_priests"], alternative_end=True)
    assert table.record.end_flag == 0
    table.play("claim", "two_priests", cards=["sailor"])
    assert (table.influence[0], table.record.end_flag) == (15, 1)


def test_only_players_with_an_expedition_win_with_the_alternative_end() -> None:  # R32
    seats = Seat(*ELEVEN, "sailor_7_3"), Seat(expeditions=["two_captains"]), Seat("sailor", expeditions=["two_priests"])
    final = Table(*seats, alternative_end=True).final
    assert final["rank"][:3].tolist() == [3, 2, 1]
    assert final["win_share"][:3].tolist() == [0, 0, 1]
    assert Table(*seats).final["rank"][:3].tolist() == [1, 3, 2]


def test_a_tie_is_broken_by_coins_and_then_shared() -> None:  # R33
    final = Table(Seat("captain", coins=2), Seat("priest", coins=3), Seat("settler", coins=3), Seat(coins=9)).final
    assert final["rank"][:4].tolist() == [3, 1, 1, 4]
    assert final["win_share"][:4].tolist() == [0, 0.5, 0.5, 0]


def test_the_first_seat_begins_and_the_turn_goes_clockwise() -> None:  # R71
    table = Table(Seat(), Seat(), Seat(), harbour=["captain"])
    order = []
    for _ in range(4):
        order.append(int(table.record.active))
        table.play("stop")
    assert order == [0, 1, 2, 0]


def test_all_sets_may_be_combined_competitive_and_cooperative() -> None:  # R72
    for mode in ("competitive", "cooperative"):
        game = PortRoyal(players=3, add=EVERYTHING, mode=mode)
        assert sum(card.copies for card in game.cards.kinds) == 168  # one of them never shuffled
        assert {card.type for card in game.cards.kinds} >= {"gambler", "merchant", "passenger", "clerk", "governor"}


def test_payments_are_neither_asked_about_nor_declined() -> None:  # R73
    table = Table(Seat("admiral_5_1", "jester_5_1"), Seat()).draw("tax_max_sabres")
    assert (table.question, table.coins) == ("discover", [1, 1])


def test_a_round_in_which_no_card_can_be_turned_up_ends_the_game() -> None:  # R75
    table = Table(Seat("priest", "priest"), Seat("captain", coins=REST), drawn=0, expeditions=["two_priests"])
    assert table.legal == {("stop",), ("claim", "two_priests")}
    table.play("stop")
    assert (table.over, table.ending, int(table.record.turn)) == (True, "stalemate", 2)
    assert table.final["rank"][:2].tolist() == [1, 2]  # scored as it stands


def test_a_turn_with_a_card_turned_up_ends_the_dry_spell() -> None:  # R75
    table = Table(Seat("priest", "priest"), Seat("captain", coins=REST), drawn=1, expeditions=["two_priests"])
    table.play("stop").play("stop")  # turns 2 and 3 are dry
    assert (table.ending, int(table.record.turn)) == ("stalemate", 3)


def test_the_regular_end_comes_before_a_stalemate() -> None:  # R75
    table = Table(Seat("priest", "priest"), Seat("captain", coins=REST), drawn=0, expeditions=["two_priests"])
    table.record.end_flag = 1
    assert table.play("stop").ending == "influence"


def test_the_rest_of_the_harbour_is_discarded_before_the_last_chance() -> None:  # R78
    harbour = ["blue_2_1", "governor"]
    table = Table(Seat("priest", "priest"), Seat(), harbour=harbour, expeditions=["two_priests"]).play("stop")
    table.play("done").play("trade", "blue")
    assert (table.question, table.harbour, table.discarded("governor")) == ("end_of_turn", set(), 1)


def test_any_answer_of_another_player_but_done_opens_the_last_chance() -> None:  # R81
    options: dict[str, Any] = {"expeditions": ["two_priests"], "contracts": ["fighter"], "add": EVERYTHING}
    seats = Seat("priest", "priest"), Seat("sailor", "pirate")
    table = Table(*seats, **options).play("stop")
    assert table.asked == ("take", 1)
    assert table.play("complete", "fighter").asked == ("end_of_turn", 0)
    table = Table(*seats, **options).play("stop").play("done")
    assert table.record.turn == 2


def test_a_cut_game_in_which_nobody_has_an_expedition_drops_that_condition() -> None:  # R90
    table = Table(Seat("captain"), Seat(), harbour=["captain"], alternative_end=True, max_turns=1).play("stop")
    assert (table.ending, table.final["rank"][:2].tolist()) == ("turns", [1, 2])


def test_limits_of_turns_and_decisions() -> None:  # R7, R91
    game = PortRoyal()
    assert (game.max_turns, game.max_decisions) == (500, 20_000)
    table = Table(Seat(coins=9), Seat(coins=9), harbour=["captain"], max_turns=2).play("stop").play("done")
    while not table.over:
        table.play("stop" if table.question == "discover" else "done")
    assert (table.ending, int(table.record.turn)) == ("turns", 2)
    table = Table(Seat(coins=9), Seat(coins=9), harbour=["captain"], max_decisions=2).play("stop").play("done")
    assert (table.ending, int(table.record.decisions)) == ("decisions", 2)
    assert table.legal == set()
