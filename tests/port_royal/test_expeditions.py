"""Expeditions: who claims them, when, and with which persons."""

from __future__ import annotations

import pytest

from pr_env.port_royal.actions import COMPLETE
from tests.port_royal.table import Name, Seat, Table

JACK = "jack_of_all_trades"


def test_an_expedition_is_claimed_after_the_others_have_played() -> None:  # R28
    seat = Seat("priest", JACK)
    table = Table(seat, Seat(), harbour=["blue_2_1", "yellow_1_1"], expeditions=["two_priests"]).play("stop")
    assert not table.may("claim", "two_priests")  # it could have been claimed before
    table.play("done").play("trade", "blue")
    assert table.asked == ("end_of_turn", 0)
    assert table.legal == {("claim", "two_priests"), ("done",)}
    table.play("claim", "two_priests")
    assert (table.expedition_of("two_priests"), table.coins[0]) == (0, 1 + 2)


def test_there_is_no_last_chance_if_nobody_else_did_anything() -> None:  # R28, R81
    seat = Seat("priest", "priest")
    table = Table(seat, Seat(), harbour=["blue_2_1", "yellow_1_1"], expeditions=["two_priests"]).play("stop")
    table.play("done").play("done", cards=["captain"])
    assert table.record.turn == 2


def test_an_expedition_is_claimed_after_a_bust() -> None:  # R28
    table = Table(Seat("priest", "priest"), Seat(), harbour=["blue_2_2"], expeditions=["two_priests"]).draw("blue_1_1")
    assert (table.asked, table.harbour) == (("end_of_turn", 0), set())
    assert table.legal == {("claim", "two_priests"), ("done",)}


def test_an_expedition_is_claimed_in_phase_two_with_a_symbol_hired_there() -> None:  # R28
    table = Table(Seat("priest", coins=4), Seat(), harbour=["priest"], expeditions=["two_priests"]).play("stop")
    assert not table.may("claim", "two_priests")
    assert table.play("hire", "priest").may("claim", "two_priests")


def test_any_number_of_expeditions_is_claimed_in_one_turn() -> None:
    seat = Seat("priest", "priest", "captain", "captain")
    table = Table(seat, Seat(), drawn=0, expeditions=["two_priests", "two_captains"])
    table.play("claim", "two_captains").play("claim", "two_priests", cards=["sailor"])
    assert (table.influence[0], table.coins[0], table.display(0)) == (8, 4, [])


@pytest.mark.parametrize(
    ("persons", "expedition", "ways"),
    [
        (["captain"] * 2 + [JACK] * 2, "two_captains", 3),
        (["captain"] * 2 + [JACK], "two_captains", 2),
        (["captain"] + [JACK] * 2, "two_captains", 2),
        (["captain", JACK], "two_captains", 1),
        (["captain", "captain", "settler", JACK], "two_captains_settler", 3),
        (["captain", "captain", "settler", JACK, JACK], "two_captains_settler", 5),
        (["captain", "captain", "settler", JACK, JACK, JACK], "two_captains_settler", 6),
    ],
)
def test_a_player_chooses_between_jacks_and_matching_persons_every_way_once(
    persons: list[str], expedition: str, ways: int
) -> None:  # R29
    left = []
    pending: list[list[Name]] = [[]]
    while pending:
        answers = pending.pop()
        table = Table(Seat(*persons), Seat(), expeditions=[expedition]).play("claim", expedition)
        for answer in answers:
            table.play(*answer)
        if table.question == "pay":
            assert table.legal == {("pay_match",), ("pay_jack",)}
            pending += [[*answers, answer] for answer in table.legal]
        else:
            left.append(tuple(table.display(0)))
    assert len(left) == len(set(left)) == ways


def test_persons_leave_at_each_answer() -> None:  # R83
    table = Table(Seat("captain", "captain", JACK, JACK), Seat(), expeditions=["two_captains"])
    table.play("claim", "two_captains")
    assert (table.question, len(table.display(0)), table.influence[0]) == ("pay", 4, 4)
    table.play("pay_match")
    assert (table.question, table.discarded("captain"), table.influence[0]) == ("pay", 1, 3)
    table.play("pay_jack")
    assert (table.display(0), table.expedition_of("two_captains")) == (["captain_4_1", "jack_of_all_trades_6_1"], 0)


def test_what_may_be_done_after_a_claim_is_judged_after_it_is_paid() -> None:  # R84
    """Whether another claim that sleeps during this payment is offered depends on the persons left afterwards."""
    seat = Seat("captain", "captain", "priest", JACK, JACK)
    table = Table(seat, Seat(), expeditions=["two_captains", "two_priests"])
    assert table.may("claim", "two_captains")
    table.play("claim", "two_priests")  # the captains' expedition was passed over and sleeps
    assert table.question in ("pay", "discover")
    while table.question == "pay":
        table.play("pay_match" if table.may("pay_match") else "pay_jack")
    assert not table.may("claim", "two_captains")
    assert table.record.asleep[table.number("claim", "two_captains") - COMPLETE] == 1
