"""Recorded games stay as they were, compiled and uncompiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.puerto_rico.golden import FILE, GAMES, record_game

RECORDED = json.loads(FILE.read_text())


@pytest.mark.parametrize("index", range(len(GAMES)))
def test_golden_game(index: int) -> None:
    options, seed = GAMES[index]
    assert record_game(options, seed) == RECORDED[index], "if this change is meant: make golden"


@pytest.mark.parametrize("index", [0, 3, 5, 6, 9, 12, 13, 14, 15, 16])
def test_uncompiled_play_agrees_byte_for_byte(index: int) -> None:
    options, seed = GAMES[index]
    program = (
        "import json, warnings; warnings.simplefilter('error')\n"
        "from tests.puerto_rico.golden import record_game\n"
        f"print(json.dumps(record_game({options!r}, {seed})))"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == RECORDED[index]
