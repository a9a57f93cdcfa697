"""Every example runs as a program. Those whose package is not installed are skipped."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NEEDS = {"torchrl_rollout": "torchrl", "tianshou_random": "tianshou"}


@pytest.mark.parametrize("example", [pytest.param(path, id=path.stem) for path in EXAMPLES])
def test_example_runs_and_says_what_came_of_it(example: Path) -> None:
    package = NEEDS.get(example.stem)
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    run = subprocess.run(
        [sys.executable, str(example)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=300,  # the first run compiles the rules
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"(player_0|return).*\d|\d% of \d+ games won", run.stdout), run.stdout


def test_there_are_examples() -> None:
    assert {"aec_random", "cleanrl_loop"} <= {path.stem for path in EXAMPLES}
