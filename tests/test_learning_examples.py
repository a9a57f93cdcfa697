"""The learning examples, briefly on small games. Those whose library is not installed are skipped."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "learn"
NIM = ("--game", "examples.nim:Nim")

# Their arguments, and the libraries they need
EXAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "behaviour_cloning": (
        (*NIM, "--agent", "random", "--games", "60", "--passes", "2", "--matches", "20"),
        ("torch", "pyarrow"),
    ),
    "cleanrl_ppo": ((*NIM, "--total-timesteps", "4096"), ("torch",)),
    "torchrl_ppo": ((*NIM, "--total-timesteps", "1024", "--num-envs", "4"), ("torchrl",)),
    "tianshou_dqn": ((*NIM, "--total-timesteps", "2048"), ("tianshou",)),
    "tune_optuna": (
        (*NIM, "--trials", "2", "--decisions", "600", "--games", "20", "--num-envs", "8"),
        ("optuna", "torch"),
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_learns_and_says_what_came_of_it(name: str, tmp_path: Path) -> None:
    arguments, needs = EXAMPLES[name]
    for library in needs:
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed: make test-interop, make test-tianshou")
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    run = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"return .*\d\.\d", run.stdout), run.stdout
    if name == "behaviour_cloning":
        assert (tmp_path / "clone.npz").exists()


def test_every_example_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(EXAMPLES)
