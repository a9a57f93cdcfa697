"""Cooperative and solo games: time deck, score deck, winning and losing together."""

from __future__ import annotations

from typing import Any

from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.table import Seat, Table

TEAM: dict[str, Any] = {"add": CONTRACTS, "mode": "cooperative"}
THREE = ("fighter", "jinx", "explorer")
FIVE = (*THREE, "galleon_foe", "tax_officer")


def test_the_team_wins_when_each_contract_is_completed_by_somebody() -> None:  # R48
    first = Seat("sailor", "pirate", cubes={"jinx": "done", "explorer": "done"}, expeditions=["two_captains"])
    second = Seat(cubes={"galleon_foe": "done", "tax_officer": "done"})
    table = Table(first, second, contracts=FIVE, time=4, **TEAM).play("complete", "fighter")
    assert (table.over, table.ending) == (True, "contracts")
    assert (table.final["won"], table.final["win_share"][:2].tolist()) == (1, [1, 1])


def test_a_contract_that_is_decided_at_once_can_win_the_game() -> None:  # R48
    done = {"fighter": "done", "explorer": "done"}
    table = Table(Seat(cubes=done), contracts=(*done, "jinx"), harbour=["blue_1_1"], **TEAM).draw("blue_2_1")
    assert table.play("accept").ending == "contracts"
    almost = Seat(cubes={**done, "little_gamester": 1})
    table = Table(almost, contracts=(*done, "little_gamester"), harbour=["blue_1_1", "red_1_1"], **TEAM)
    assert table.draw("green_1_1").ending == "contracts"  # the second time is not asked about
    kept = ("blue_1_1", "green_1_1", "red_1_1", "yellow_1_1")
    pirates = Seat("pirate", cubes=done, kept=kept)
    table = Table(pirates, contracts=(*done, "pack_of_pirates"), **TEAM).draw("black_1_2")
    assert table.play("repel").ending == "contracts"
    galleons = Seat(cubes={**done, "galleon_foe": 1})
    table = Table(galleons, contracts=(*done, "galleon_foe"), harbour=["black_1_2"], **TEAM).play("stop")
    assert table.play("refuse", "black").ending == "contracts"


def test_a_contract_on_a_progress_space_is_not_completed() -> None:  # R48
    first = Seat("sailor", "pirate", cubes={"jinx": "done", "explorer": "done"}, expeditions=["two_captains"])
    second = Seat(cubes={"galleon_foe": 1, "tax_officer": "done"})
    assert not Table(first, second, contracts=FIVE, **TEAM).play("complete", "fighter").over


def test_the_turn_of_the_last_time_card_still_counts() -> None:  # R48, R79
    almost = Seat("sailor", "pirate", cubes={"jinx": "done", "explorer": "done"}, expeditions=["two_captains"])
    table = Table(almost, contracts=THREE, time=0, **TEAM)  # its last card was drawn
    assert table.question == "discover"
    assert table.play("complete", "fighter").ending == "contracts"


def test_nothing_can_be_done_in_a_turn_without_a_time_card() -> None:  # R79
    almost = Seat("sailor", "pirate", cubes={"jinx": "done", "explorer": "done"}, expeditions=["two_captains"])
    table = Table(Seat(), almost, contracts=FIVE, time=0, turn=3, **TEAM).play("stop")
    while not table.over:  # the passive player passes in its part
        table.play("done")
    assert (table.ending, table.final["won"], table.final["title"]) == ("time", 0, -1)
    assert table.final["turns"] == 3
    assert table.final["win_share"].tolist() == [0] * 5


def test_several_players_may_complete_the_same_contract() -> None:  # R49
    first = Seat("sailor", "pirate")
    second = Seat("sailor", "pirate_7_2", cubes={"fighter": "done"})
    table = Table(first, second, contracts=FIVE, **TEAM).play("complete", "fighter")
    assert (table.coins[0], table.cube(0, "fighter")) == (2, "done")
    assert not table.over


def test_a_time_card_may_be_set_aside_after_a_tax_is_settled() -> None:  # R50
    table = Table(Seat(coins=12), Seat(), contracts=("tax_officer", "fighter", "jinx"), time=5, **TEAM)
    table.draw("tax_max_sabres")
    assert table.asked_about == "tax_officer"
    table.play("decline")
    assert (table.asked, table.coins) == (("set_aside", 0), [7, 1])
    unseen = int(table.record.unseen.sum())
    table.play("accept")
    assert (table.record.time, table.record.score, int(table.record.unseen.sum())) == (4, 1, unseen)
    table = Table(Seat(), Seat(), contracts=THREE, time=5, **TEAM).draw("tax_max_sabres").play("decline")
    assert (table.record.time, table.record.score) == (5, 0)


def test_nothing_is_set_aside_without_time_cards() -> None:  # R50
    assert Table(Seat(), Seat(), time=0, **TEAM).draw("tax_max_sabres").question == "discover"


def test_the_first_card_of_a_turn_comes_from_the_time_deck_all_others_from_the_deck() -> None:
    table = Table(Seat(), Seat(), drawn=0, time=9, cards=["captain"], **TEAM)
    deck = table.record.deck
    assert table.record.time == 8
    table.draw("priest")
    assert (table.record.time, table.record.deck) == (8, deck - 1)


def test_time_cards_are_of_the_first_epoch_also_after_a_reshuffle() -> None:
    table = Table(Seat(), Seat(), harbour=["captain"], time=3, in_deck=0, **TEAM)
    table.draw("priest")
    assert (table.record.epoch, int(table.record.closed.astype(bool).sum()) <= 3) == (1, True)
    table.play("stop")
    while table.record.turn == 1:
        table.play("done")
    assert table.record.time == 2


def test_12_influence_end_nothing_in_a_team() -> None:
    strong = Seat("pirate_9_3", "admiral_9_3", "admiral_9_3", "mademoiselle_7_2", coins=4)
    table = Table(strong, Seat(), harbour=["captain"], **TEAM).play("stop").play("hire", "captain")
    assert (table.influence[0], table.record.end_flag) == (12, 0)


def test_alone_there_is_no_fee_and_always_the_bonus_of_a_tax() -> None:
    table = Table(Seat(coins=3), harbour=["sailor"], **TEAM).draw("tax_max_sabres").play("decline")
    assert table.coins == [4]
    assert table.draw("tax_min_influence").play("decline").coins == [5]
    assert table.play("stop").play("hire", "sailor").coins == [2]


def test_a_cut_game_of_a_team_is_lost() -> None:  # R90
    table = Table(Seat(), Seat(), harbour=["captain"], time=9, max_turns=1, **TEAM).play("stop")
    while not table.over:
        table.play("done")
    assert (table.ending, table.final["won"], table.final["title"]) == ("turns", 0, -1)
