"""Picking roles, doubloons on cards, the governor, the prospectors."""

from __future__ import annotations

import pytest

from tests.puerto_rico.table import Table, new_game


def pass_until_pick(table: Table) -> None:
    """Decline whatever can be declined until somebody picks a role."""
    while table.phase != "pick_role" and table.phase != "game_over":
        table.play(*min(table.legal, key=lambda name: (name != ("pass",), str(name))))


def test_unpicked_cards_get_a_doubloon_and_the_governor_moves_left() -> None:
    table = new_game(3)
    for role in ("builder", "trader", "craftsman"):
        table.play("pick", role)
        pass_until_pick(table)
    now = table.now
    assert (now["round"], now["governor"], now["player"]) == (2, 1, 1)
    doubloons = {name: card["doubloons"] for name, card in now["roles"].items()}
    assert doubloons == {"settler": 1, "mayor": 1, "builder": 0, "craftsman": 0, "trader": 0, "captain": 1}
    assert all(card["taken_by"] is None for card in now["roles"].values())


def test_a_picked_card_is_gone_for_the_round_and_pays_what_lies_on_it() -> None:
    table = Table(4, {"roles": {"trader": {"doubloons": 3}}, "boards": [{"doubloons": 1}, {}, {}, {}]})
    table.play("pick", "trader")
    assert table.doubloons(0) == 4
    assert table.player == 1
    assert ("pick", "trader") not in table.legal
    assert table.now["roles"]["trader"] == {"doubloons": 0, "taken_by": 0}


def test_a_prospector_with_two_doubloons_pays_three() -> None:
    table = Table(4, {"roles": {"prospector": {"doubloons": 2}}})
    table.play("pick", "prospector")
    assert [table.doubloons(player) for player in range(4)] == [3, 0, 0, 0]


def test_the_two_prospectors_are_separate_cards() -> None:
    table = Table(5, {"roles": {"prospector": {"doubloons": 2}, "prospector_2": {"doubloons": 1}}})
    table.play("pick", "prospector_2")
    assert ("pick", "prospector_2") not in table.legal
    assert ("pick", "prospector") in table.legal
    table.play("pick", "prospector")
    assert [table.doubloons(player) for player in range(2)] == [2, 3]


def test_two_players_pick_three_roles_each_in_turn() -> None:
    table = new_game(2)
    pickers = []
    for role in ("prospector", "builder", "trader", "craftsman", "captain", "settler"):
        pickers.append(table.player)
        table.play("pick", role)
        pass_until_pick(table)
    assert pickers == [0, 1, 0, 1, 0, 1]
    now = table.now
    assert (now["round"], now["governor"], now["player"]) == (2, 1, 1)
    assert {name: card["doubloons"] for name, card in now["roles"].items() if card["doubloons"]} == {"mayor": 1}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_everyone_picks_once_in_a_round(players: int) -> None:
    table = new_game(players)
    pickers = []
    while table.now["round"] == 1:
        pickers.append(table.player)
        table.play(*sorted(table.legal)[0])
        pass_until_pick(table)
    assert pickers == list(range(players))


def test_a_game_that_does_not_end_is_truncated_and_pays_nothing() -> None:
    table = Table(3, {}, max_rounds=2)
    table.batch.reset(0)
    for _ in range(2):
        for role in ("builder", "trader", "craftsman"):
            table.play("pick", role)
            pass_until_pick(table)
    assert table.phase == "game_over"
    assert table.now["ending"] == ["rounds"]
    assert table.batch.truncated.tolist() == [True]
    assert table.batch.terminated.tolist() == [False]
    assert table.batch.reward.tolist() == [[0.0, 0.0, 0.0]]
    assert table.batch.final["rounds"].tolist() == [2]
