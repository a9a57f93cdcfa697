"""Rules as plain Python: the same results as compiled, and listeners are notified of calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env.compiling import compiled, compiled_for
from pr_env.interpreting import interpreted

SOME = np.zeros(1, np.dtype((np.record, [("number", np.int64), ("extra", np.int64)])))
OTHER = np.zeros(1, np.dtype((np.record, [("number", np.int64)])))
STEP = 2


@compiled
def add(game: Any, count: int) -> int:
    """Called by the others."""
    game.number += count
    return int(game.number)


@compiled_for("extra", 0)
def add_extra(game: Any, count: int) -> int:
    """Only for records with the field."""
    game.extra += count
    return add(game, count)


@compiled
def play(game: Any, count: int) -> int:
    """Calls both."""
    return add(game, STEP * count) + add_extra(game, count)


@compiled
def countdown(game: Any, count: int) -> int:
    """Calls itself."""
    return count if count == 0 else add(game, 1) + countdown(game, count - 1)


def test_rules_are_played_and_chosen_by_the_record() -> None:
    some, other = SOME.copy(), OTHER.copy()
    assert interpreted(play)(some[0], 3) == 6 + 9
    assert (some[0].number, some[0].extra) == (9, 3)
    assert interpreted(play)(other[0], 3) == 6
    assert other[0].number == 6


def test_listeners_are_called_in_place_of_rules() -> None:
    heard = []

    def listener(rule: Any, *arguments: Any) -> Any:
        result = rule(*arguments)
        heard.append((rule.__name__, arguments[1:], result))
        return result

    def silent(rule: Any, *arguments: Any) -> int:
        heard.append(("silent", arguments[1:], 0))
        return 100

    assert interpreted(play, {add: listener})(SOME.copy()[0], 3) == 15
    assert heard == [("add", (6,), 6), ("add", (3,), 9)]
    heard.clear()
    assert interpreted(play, {add: listener, add_extra: silent})(SOME.copy()[0], 3) == 106
    assert heard == [("add", (6,), 6), ("silent", (3,), 0)]


def test_recursive_rules() -> None:
    assert interpreted(countdown)(OTHER.copy()[0], 3) == 1 + 2 + 3


def test_the_rules_themselves_are_left_alone() -> None:
    game = OTHER.copy()
    interpreted(play, {add: lambda rule, *arguments: 7})(game[0], 1)
    assert game[0].number == 0
    assert interpreted(add)(game[0], 4) == 4
