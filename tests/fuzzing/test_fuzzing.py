"""A few of the bad calls and damaged files of ``make fuzz``."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.fuzzing.calls import bad_calls
from tests.fuzzing.files import damaged_files, kinds
from tests.fuzzing.outcomes import HOLE, Outcomes


def test_bad_calls_are_refused_with_a_sentence_and_change_nothing() -> None:
    outcomes = Outcomes()
    bad_calls(outcomes, random.Random(11), 2500)
    assert not outcomes.holes


def test_damaged_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    outcomes = Outcomes()
    damaged_files(outcomes, random.Random(11), 360, kinds(tmp_path))
    assert not outcomes.holes


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: np.zeros(3).reshape(2), "not raised by a check of ours"),
        (lambda: _raise(ValueError("a sentence of somebody else")), "not raised by a check of ours"),
    ],
)
def test_the_fuzz_finds_holes(call: object, problem: str) -> None:
    outcomes = Outcomes()
    assert callable(call)
    assert outcomes.call("entry", "what", call, None) == HOLE
    assert problem in next(iter(outcomes.holes.values()))


def test_the_fuzz_sees_that_something_has_changed() -> None:
    from pr_env import Batch

    state: list[int] = []

    def call() -> None:
        state.append(1)
        Batch("no game", 1)  # type: ignore[arg-type]

    outcomes = Outcomes()
    assert outcomes.call("entry", "what", call, lambda: list(state)) == HOLE
    assert "something has changed" in next(iter(outcomes.holes.values()))
