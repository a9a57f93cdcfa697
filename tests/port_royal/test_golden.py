"""Recorded games do not change, compiled and uncompiled."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.port_royal.golden import COMPILED, FILE, GAMES, compare, first_difference

RECORDED = json.loads(FILE.read_text())


@pytest.mark.parametrize("place", COMPILED)
def test_golden_game(place: int) -> None:
    assert compare([place]) == [], "if this change is intended: make golden"


def test_uncompiled_play_agrees_byte_for_byte() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.port_royal.golden", "--compare"],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(GAMES)} games: no difference" in run.stdout


def test_the_file_has_all_games() -> None:
    assert [(game["options"], game["seed"]) for game in RECORDED] == GAMES


def test_a_difference_names_its_first_move() -> None:
    game = RECORDED[0]
    assert first_difference(game, game) == ""
    other = copy.deepcopy(game)
    other["actions"][7] += 1
    assert "seed 1, move 8: played" in first_difference(game, other)
    other = copy.deepcopy(game)
    moves = other["moves"].split()
    moves[4] = "0000"
    other["moves"] = " ".join(moves)
    assert "seed 1, move 5: the position after" in first_difference(game, other)
    other = copy.deepcopy(game)
    other["points"][0][0] += 1
    assert "points differ" in first_difference(game, other)
