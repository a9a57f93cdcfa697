"""Rules on one record, found by the record's type."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pr_env.compiling import compiled, kernel
from pr_env.rules import NO_TABLES, Rules, game_record, points, rules_of, step
from tests.toys import EXAMPLES, Nim


@compiled
def one(game: Any) -> bool:
    return False


@compiled
def two(game: Any, x: Any) -> None:
    pass


@compiled
def five(game: Any, tables: Any, viewer: int, scratch: np.ndarray, out: np.ndarray) -> None:
    pass


def points_of(number: int) -> Callable[[Any, int], int]:
    @compiled
    def own(game: Any, seat: int) -> int:
        return number + seat

    return own


def complete(**changes: Any) -> dict[str, Any]:
    return {
        "set_up": two,
        "step": two,
        "refresh": one,
        "observe": five,
        "is_over": one,
        "write_final": two,
    } | changes


@kernel
def ask(games: np.ndarray, tables: np.ndarray) -> int:
    return points(games[0], tables[0], 3)


def test_each_record_finds_its_own_rules() -> None:
    for name, number in (("rules_a", 10), ("rules_b", 20)):
        rules = Rules(name, **complete(points=points_of(number)))
        games = np.zeros(1, game_record(name, [("x", np.int64)]))
        assert rules_of(games.dtype) is rules
        assert ask.of(rules)(games, NO_TABLES) == number + 3
        assert points(games[0], NO_TABLES[0], 3) == number + 3  # the same without compilation


def test_the_mark_costs_no_byte() -> None:
    assert game_record("rules_c", [("x", np.int64)]).itemsize == 8


def test_what_every_game_has_needs_no_rule_of_its_own() -> None:
    rules = Rules("rules_d", **complete())
    assert ask.of(rules)(np.zeros(1, game_record("rules_d", [("x", np.int64)])), NO_TABLES) == 0


def test_records_of_nobody_are_refused() -> None:
    with pytest.raises(TypeError, match="no rules are registered for records with the fields x"):
        step(np.zeros(1, np.dtype((np.record, [("x", np.int64)])))[0], NO_TABLES[0], 0)


def test_a_kernel_for_any_game_must_be_told_which() -> None:
    with pytest.raises(TypeError, match="needs the rules of a game"):
        ask(np.zeros(1, game_record("rules_e", [("x", np.int64)])), NO_TABLES)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"jump": one}, "there is no rule 'jump'"),
        ({"step": one}, "'step' must have the arguments game, tables, action, got game"),
        ({"is_over": two}, "'is_over' must have the arguments game, got game, x"),
    ],
)
def test_rules_that_do_not_fit_are_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(TypeError, match=complaint):
        Rules("rules_f", **complete(**changes))


def test_missing_rules_are_named() -> None:
    with pytest.raises(TypeError, match="rules_g lack set_up, refresh, observe, is_over, write_final"):
        Rules("rules_g", step=two)


def test_a_rule_cannot_come_after_it_was_used() -> None:
    rules = Rules("rules_h", **complete())
    rules.find("points")
    with pytest.raises(RuntimeError, match="in use"):
        rules.add(points=points_of(1))


def test_other_rules_of_the_same_name_are_refused_and_the_same_code_is_not() -> None:
    Rules("rules_i", **complete(points=points_of(1)))
    Rules("rules_i", **complete(points=points_of(1)))
    with pytest.raises(RuntimeError, match="other rules with the name 'rules_i'"):
        Rules("rules_i", **complete(points=points_of(2)))


def test_a_module_may_be_imported_by_two_names() -> None:
    spec = importlib.util.spec_from_file_location("nim_once_more", EXAMPLES / "nim.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses need it there
    spec.loader.exec_module(module)
    assert module.Nim is not Nim
    assert module.Nim.rules == Nim.rules
