"""Every invariant can fail: a valid record is changed in one place, and the matching message appears."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pr_env.port_royal import PortRoyal, invariants
from pr_env.port_royal.state import FIRST_COIN_SPACE, NOTHING, QUESTIONS
from tests.port_royal import plain
from tests.port_royal.configurations import CONTRACTS, EVERYTHING
from tests.port_royal.table import Seat, Table

Change = Callable[[Any], object]  # the change of a record
QUESTION = {name: number for number, name in enumerate(QUESTIONS)}
JACK = "jack_of_all_trades"
TEAM: dict[str, Any] = {"add": EVERYTHING, "mode": "cooperative"}


def at_discover() -> Table:
    seats = Seat("sailor", "gambler_4_1", "merchant_blue", coins=6), Seat("captain", coins=4)
    return Table(*seats, harbour=["blue_2_2", "captain"], expeditions=["two_priests"], in_deck=40, **TEAM)


def at_base() -> Table:
    return Table(Seat("sailor", coins=6), Seat("captain", coins=4), harbour=["blue_2_2", "captain"])


def at_set_sail() -> Table:
    return Table(Seat("sailor", coins=6), Seat(coins=4), harbour=["blue_2_2"], deck="set_sail")


def at_repel() -> Table:
    return Table(Seat("sailor"), Seat(coins=4), **TEAM).draw("blue_1_1")


def at_pay() -> Table:
    seat = Seat("captain", "captain", JACK, JACK)
    return Table(seat, Seat(), expeditions=["two_captains"], **TEAM).play("claim", "two_captains")


def at_take() -> Table:
    return Table(Seat(coins=9), Seat(), harbour=["blue_2_2", "captain"], **TEAM).play("stop")


def at_give() -> Table:
    table = Table(Seat(), Seat(), Seat(), harbour=["blue_3_5_gift"], add=CONTRACTS).play("stop")
    return table.play("trade", "blue")


def at_tax() -> Table:
    seats = Seat("gambler_4_1", coins=12), Seat(coins=12)
    options: dict[str, Any] = {"contracts": ["tax_officer", "fighter"], "add": ("gambler", *CONTRACTS)}
    return Table(*seats, **options).play("use_gambler", cards=["blue_1_1", "blue_2_1", "tax_max_sabres"])


def at_set_aside() -> Table:
    return Table(Seat(), Seat(), **TEAM).draw("tax_max_sabres")


def alone() -> Table:
    return Table(Seat(coins=3), harbour=["blue_2_2"], **TEAM)


def at_five() -> Table:
    return Table(*(Seat() for _ in range(5)))


def with_cubes() -> Table:
    done = {"fighter": "done", "jinx": "done", "galleon_foe": 1}
    return Table(Seat(cubes=done), Seat(cubes={"fighter": "done"}), contracts=list(done), add=CONTRACTS)


def two_epochs() -> Table:
    table = Table(Seat(coins=3), Seat(coins=2), in_deck=0)
    plain.piles.reshuffle(table.record)
    plain.piles.gain_coins(table.record, 0, 2)
    table.check()
    return table


def put(name: str, value: int, *place: int) -> Change:
    """Write a number into a field."""

    def change(record: Any) -> None:
        if place:
            record[name][place] = value
        else:
            record[name] = value

    return change


def add(name: str, value: int, *place: int) -> Change:
    """Add to a number in a field."""

    def change(record: Any) -> None:
        if place:
            record[name][place] = int(record[name][place]) + value
        else:
            record[name] += value

    return change


def both(*changes: Change) -> Change:
    """Several changes."""

    def change(record: Any) -> None:
        for one in changes:
            one(record)

    return change


def kind_of(table: Callable[[], Table], name: str) -> int:
    return table().kind(name)


def move_double_ship(record: Any) -> None:
    record["double_ship"][:2] = [NOTHING, record["double_ship"][0]]


def sort_closed_backwards(record: Any) -> None:
    record["closed"][:5] = np.sort(record["closed"][:5])[::-1]


CASES: list[tuple[Callable[[], Table], Change, str]] = [
    (at_base, put("question", QUESTION["give"]), "question must not be 'give' in this game"),
    (at_base, put("question", QUESTION["immediate"]), "question must not be 'immediate' in this game"),
    (at_base, put("question", QUESTION["set_aside"]), "question must not be 'set_aside' in this game"),
    (at_set_sail, put("question", QUESTION["pay"]), "question must not be 'pay' in this game"),
    (at_base, put("ending", 1), "ending must be set if and only if the game is over"),
    (at_base, put("question", QUESTION["game_over"]), "ending must be set if and only if the game is over"),
    (at_base, put("dry", 2), "a round without a card must end the game"),
    (at_base, put("coins", 1, 3, 0), "coins must be 0 for seats that do not play"),
    (at_discover, put("cube", 1, 3, 0), "cube must be 0 for seats that do not play"),
    (at_discover, put("kept", 50, 3, 0), "kept must be empty for seats that do not play"),
    (at_base, put("harbour_ship", 30, 4), "harbour_ship must hold ships of its own colours"),
    (at_base, put("harbour_ship", 3, 4), "harbour_ship must hold ships of its own colours"),
    (at_discover, put("kept", 50, 0, 4), "kept must hold ships of its own colours"),
    (at_tax, put("double_ship", 3, 0), "double_ship must hold ships"),
    (at_tax, move_double_ship, "double_ship must be filled from its start"),
    (
        at_discover,
        put("double_ship", kind_of(at_discover, "red_1_1"), 0),
        "double_ship must be empty except for the draws of a gambler",
    ),
    (at_tax, put("draws_left", 4), "a gambler must not draw this many cards"),
    (at_discover, put("gamblers_used", 2), "gamblers_used must not be more than the active player has"),
    (at_repel, put("pending", NOTHING), "pending must be a ship at the question 'repel' and nowhere else"),
    (at_base, put("pending", kind_of(at_base, "red_1_1")), "pending must be a ship at the question 'repel'"),
    (at_pay, put("pending", NOTHING), "pending must be an expedition at the question 'pay' and nowhere else"),
    (
        at_base,
        put("pending", kind_of(at_base, "tax_max_sabres")),
        "pending may be a tax only at the question 'immediate'",
    ),
    (at_base, put("pending", 3), "pending must not be a person"),
    (at_base, put("owed", 1, 0), "owed must be set at the question 'pay' and nowhere else"),
    (at_base, put("player", 1), "this question must be for the active player"),
    (at_base, put("takes", 1), "takes must be 0 except in phase 2"),
    (at_repel, put("pending", kind_of(at_repel, "red_4_skull")), "the ship must be one that can be repelled"),
    (at_repel, put("sabres", 0, 0), "the ship must be one that can be repelled"),
    (at_pay, put("expedition", 0, 0), "a claimed expedition must be on the table"),
    (at_pay, put("owed", 5, 0), "what a claim owes must be payable"),
    (at_pay, put("claimed_at", QUESTION["repel"]), "claimed_at must be a question at which claims are possible"),
    (at_take, put("gift", 1), "gift must be set at the question 'give' and nowhere else"),
    (alone, both(put("question", QUESTION["give"]), put("gift", 1)), "a coin cannot be given in a solo game"),
    (at_take, put("asked_about", 0), "asked_about must be set at the question 'immediate' and nowhere else"),
    (at_tax, put("asked_about", 7), "a free contract must not be asked about"),
    (at_tax, put("asked_about", 10), "pending must be the tax that the question is about"),
    (at_tax, put("face_up", 0, 2), "a contract that is asked about must be face up"),
    (at_tax, put("cube", FIRST_COIN_SPACE, 0, 2), "it must be possible to complete a contract that is asked about"),
    (at_take, put("ask", 1), "ask must be 0 except for taxes"),
    (at_set_aside, put("time", 0), "there must be a time card to set aside"),
    (at_discover, both(put("drawn", 0), put("time", 0)), "there must be a time card for the first card of the turn"),
    (at_take, put("draws_left", 1), "this question must not interrupt a gambler's draws"),
    (with_cubes, put("face_up", 1, 0), "4 contracts must be face up"),
    (with_cubes, both(put("cube", 0, 0, 4), put("cube", 1, 0, 0)), "cubes must be on face-up contracts"),
    (with_cubes, put("cube", FIRST_COIN_SPACE, 0, 2), "a player must not use more than 3 cubes"),
    (with_cubes, put("cube", 2, 0, 4), "a cube must be on one of the contract's progress spaces"),
    (with_cubes, put("cube", FIRST_COIN_SPACE, 1, 7), "coin spaces must be filled from the left, with one cube each"),
    (at_base, both(add("coins", -1, 0, 0), add("coins", 1, 0, 3)), "coins must be of epochs up to the current one"),
    (at_base, put("epoch", 2), "an earlier epoch must have at least one card"),
    (at_base, add("deck", -1), "unseen must match the number of face-down cards"),
    (at_base, both(add("deck", 1), add("unseen", 1, 0)), "there must be 1 cards trader_yellow_3_1, got 2"),
    (two_epochs, put("coins", 250, 0, 0), "there must not be more cards than the game has"),
    (at_base, put("closed", 1, 0), "closed must be 0 after its cards"),
    (two_epochs, sort_closed_backwards, "closed must be sorted by kind within an epoch"),
    (at_base, add("purse", 1, 0), "purse must be the number of coins"),
    (at_base, add("discard", 1, 3), "there must be 1 cards trader_blue_5_2, got 2"),
    (at_base, add("harbour", 1, 9), "there must be 5 cards priest_4_1, got 6"),
    (at_base, put("harbour_ship", kind_of(at_base, "red_1_1"), 3), "there must be 3 cards red_1_1, got 4"),
    (at_base, put("expedition", 1, 0), "there must be 1 cards two_captains, got 2"),
    (at_base, put("expedition", 1, 5), "there must be 0 cards one_of_each, got 1"),
    (at_discover, add("under", 1, 0, 0), "there must be 4 cards yellow_1_1, got 5"),
    (at_discover, put("kept", kind_of(at_discover, "red_1_1"), 0, 3), "there must be 4 cards red_1_1, got 5"),
    (two_epochs, add("closed", 1, 0), "there must be"),
    (at_base, add("staff", 1, 0, 0), "staff must match the persons in the display by ability"),
    (at_base, add("sabres", 1, 0), "sabres must match the display"),
    (at_base, add("influence", 1, 1), "influence must match the display"),
    (at_base, add("discards", 1), "discards must be the number of discarded cards"),
    (at_base, add("harbour_persons", 1), "harbour_persons must be the number of persons in the harbour"),
    (
        at_five,
        both(put("expedition", 0, 5), add("discard", 1, kind_of(at_base, "one_of_each")), add("discards", 1)),
        "an expedition that is never shuffled must not be face down or discarded",
    ),
]


def problems_after(table: Table, change: Change) -> list[str]:
    games = table.record.flush().copy()
    assert table.game.problems(games) == []
    change(games[0])
    return table.game.problems(games)


@pytest.mark.parametrize("case", range(len(CASES)), ids=[f"{place} {case[2]}" for place, case in enumerate(CASES)])
def test_an_invariant_can_fail(case: int) -> None:
    make, change, sentence = CASES[case]
    assert any(sentence in problem for problem in problems_after(make(), change))


def sentences() -> set[str]:
    """All messages of invariants.py, from its source, without the parts filled in at run time."""
    found = set()
    tree = ast.parse(Path(invariants.__file__).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "holds":
            text = node.args[1]
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            found.add("*".join(str(part.value) for part in parts if isinstance(part, ast.Constant)))
    return found


def test_every_sentence_has_a_case() -> None:
    known = [sentence for _, _, sentence in CASES]
    texts = {text for text in sentences() if "must be from" not in text}
    assert len(texts) > 40
    for text in texts:
        pattern = ".*".join(map(re.escape, text.split("*")))
        assert any(re.search(pattern, sentence) or sentence in text for sentence in known), text


@pytest.mark.parametrize("make", [at_discover, at_base, at_tax, at_pay], ids=lambda make: make.__name__)
def test_numbers_out_of_range_are_refused(make: Callable[[], Table]) -> None:
    """The largest and the smallest number that a field can hold."""
    table = make()
    fields = set(re.findall(r'within\("(\w+)"', Path(invariants.__file__).read_text()))
    fields |= {"end_flag", "acted", "only_jacks", "harbour", "display", "staff", "harbour_persons", "purse"}
    assert len(fields) > 25
    for name in sorted(fields & set(table.record.dtype.names)):
        kind = table.record.dtype[name].base
        worst = [np.iinfo(kind).max] + ([np.iinfo(kind).min] if kind.kind == "i" else [])
        for value in worst:
            place = (0,) * len(table.record.dtype[name].shape)
            games = table.record.flush().copy()
            if place:
                games[name][(0, *place)] = value
            else:
                games[name][0] = value
            assert table.game.problems(games), (name, value)


def test_records_of_another_configuration_are_refused() -> None:
    two, three = PortRoyal(players=2), PortRoyal(players=3)
    games = two.blank.copy()
    assert three.problems(games) == ["games must be for 3 players"]
    assert PortRoyal(players=2, add=("gambler",)).problems(games) == ["records must be of this configuration"]
    assert two.problems(games[:0]) == []
