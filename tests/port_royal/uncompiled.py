"""Runs without compilation, in a separate process: plain Python starts at once in every configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_uncompiled(*arguments: str) -> str:
    """The output of ``python ARGUMENTS`` with compilation disabled; it must not fail."""
    run = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout
