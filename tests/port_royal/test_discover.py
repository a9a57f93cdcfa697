"""Phase 1: drawing, repelling, busts, taxes, and when to stop; rulings where the rulebook is silent."""

from __future__ import annotations

import pytest

from pr_env.port_royal import PortRoyal
from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.table import Seat, Table


def test_a_ship_that_doubles_a_colour_may_be_let_in_which_is_a_bust() -> None:  # R8
    table = Table(Seat("sailor"), Seat(), harbour=["blue_2_2"]).draw("blue_1_1")
    table.play("let_in", cards=["captain"])
    assert (table.record.turn, table.harbour) == (2, {"captain_4_1"})


def test_a_ship_that_doubles_a_colour_must_be_repelled_with_the_option() -> None:  # R8
    table = Table(Seat("sailor"), Seat(), harbour=["blue_2_2"], must_repel_duplicate=True)
    assert table.draw("blue_1_1").question == "discover"  # nothing to ask
    assert (table.harbour, table.discarded("blue_1_1")) == ({"blue_2_2"}, 1)
    table = Table(Seat("sailor"), Seat(), harbour=["blue_2_2"], must_repel_duplicate=True)
    assert table.draw("green_1_1").legal == {("repel",), ("let_in",)}


def test_a_ship_that_cannot_be_repelled_busts_without_a_question() -> None:
    table = Table(Seat("sailor"), Seat(), harbour=["blue_1_1"]).play("draw", cards=["blue_2_2", "captain"])
    assert table.record.turn == 2


@pytest.mark.parametrize("card", ["tax_min_influence", "two_captains", "captain", "blue_1_1"])
def test_stopping_is_legal_after_one_draw_of_any_card(card: str) -> None:  # R9
    table = Table(Seat(), Seat(), drawn=0, cards=[card])
    assert table.legal == {("draw",), ("stop",)}


def test_one_draw_is_compulsory() -> None:
    table = Table(Seat("priest", "priest"), Seat(), drawn=0, expeditions=["two_priests"])
    assert table.legal == {("draw",), ("claim", "two_priests")}


def test_a_repelled_ship_counts_as_the_compulsory_draw() -> None:  # R9
    table = Table(Seat("sailor"), Seat(), drawn=0, cards=["blue_1_1"]).play("repel")
    assert (table.harbour, table.legal) == (set(), {("draw",), ("stop",)})


def test_a_ship_of_a_new_colour_may_be_repelled() -> None:  # R10
    table = Table(Seat("sailor"), Seat(), harbour=["blue_2_2"]).draw("green_1_1").play("repel")
    assert (table.harbour, table.discarded("green_1_1")) == ({"blue_2_2"}, 1)


def test_only_the_ship_just_drawn_can_be_repelled() -> None:
    table = Table(Seat("sailor"), Seat(), harbour=["blue_1_1"]).draw("green_1_1").play("let_in")
    assert (table.question, table.may("repel")) == ("discover", False)


@pytest.mark.parametrize(("sabres", "asked"), [(("sailor",), False), (("pirate",), True), (("sailor", "pirate"), True)])
def test_repelling_takes_as_many_sabres_as_the_ship_shows(sabres: tuple[str, ...], asked: bool) -> None:
    assert (Table(Seat(*sabres), Seat()).draw("blue_2_2").question == "repel") is asked


def test_the_doubling_ship_is_discarded_with_the_harbour() -> None:  # R11
    table = Table(Seat(), Seat(), harbour=["blue_2_2", "captain"]).play("draw", cards=["blue_3_5", "admiral_5_1"])
    assert [table.discarded(name) for name in ("blue_2_2", "captain", "blue_3_5")] == [1, 1, 1]


def test_there_is_no_phase_two_after_a_bust() -> None:
    rich = Seat(coins=9)
    table = Table(rich, rich, harbour=["blue_2_2", "captain"]).play("draw", cards=["blue_3_5", "admiral_5_1"])
    assert table.asked == ("discover", 1)


def test_the_bonus_of_a_tax_is_never_taxed() -> None:  # R12
    assert Table(Seat(coins=11), Seat(coins=12)).draw("tax_max_sabres").coins == [12, 7]


def test_a_tax_is_no_harbour_card_and_discovering_goes_on() -> None:
    table = Table(Seat(), Seat(), harbour=["captain"]).draw("tax_max_sabres")
    assert (table.asked, table.harbour, table.record.drawn) == (("discover", 0), {"captain_4_1"}, 2)


def test_all_sabres_count_for_the_bonus_of_a_tax() -> None:  # R13
    table = Table(Seat("sailor", "sailor"), Seat("pirate"), Seat("sailor")).draw("tax_max_sabres")
    assert table.coins == [1, 1, 0]


def test_everything_that_gives_influence_counts_for_the_bonus_of_a_tax() -> None:  # R13
    add = ("set_sail_20", *CONTRACTS)
    seats = (
        Seat("captain"),
        Seat(expeditions=["two_captains"]),
        Seat("merchant_green_6_2", under=["green_2_1"]),
        Seat(cubes={"jinx": "done", "tax_officer": "done"}),
        Seat("governor"),
    )
    table = Table(*seats, contracts=["jinx", "tax_officer"], add=add).draw("tax_min_influence")
    assert table.influence == [1, 4, 3, 1, 0]
    assert table.coins == [0, 0, 0, 0, 1]


def test_the_expedition_of_five_players_is_claimed_like_the_others() -> None:  # R14
    table = Table(Seat("captain", "priest", "settler"), *(Seat() for _ in range(4)))
    table.play("claim", "one_of_each")
    assert (table.expedition_of("one_of_each"), table.influence[0], table.coins[0]) == (0, 5, 3)


def test_the_expedition_of_five_players_is_never_shuffled() -> None:  # R14
    for players, there in ((4, 0), (5, 1)):
        game = PortRoyal(players=players)
        table = Table(*(Seat() for _ in range(players)))
        cards = int(table.record.unseen.sum()) + int(table.record.discard.sum()) + there
        assert cards == 119 + there
        assert sum(card.copies for card in game.cards.kinds) == 120


def test_nothing_is_claimed_between_drawing_a_ship_and_deciding_about_it() -> None:  # R15
    table = Table(Seat("sailor", "priest", "priest"), Seat(), expeditions=["two_priests"]).draw("blue_1_1")
    assert table.legal == {("repel",), ("let_in",)}
    assert table.play("repel").may("claim", "two_priests")


def test_an_expedition_stays_over_turns_beside_the_harbour() -> None:
    table = Table(Seat(), Seat(), harbour=["captain"]).draw("two_priests")
    assert table.harbour == {"captain_4_1"}
    table.play("stop", cards=["sailor"])
    assert (table.record.turn, table.expedition_of("two_priests")) == (2, "table")
