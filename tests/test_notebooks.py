"""Every notebook runs from top to bottom (with few games), and is saved with the outputs of one complete run."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NEEDS = {"02_train": "torch", "05_research": "sb3_contrib"}
MOST_BYTES = 1_000_000
OF_A_MACHINE = re.compile(r"/(tmp|home|root|Users|usr)/|site-packages|<[\w.]+ at 0x")

every_notebook = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in NOTEBOOKS])


def code_cells(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


@every_notebook
def test_it_runs_and_writes_no_warnings(path: Path) -> None:
    package = NEEDS.get(path.stem, "nbclient")
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    # A separate process: warnings of Jupyter's packages are not ours, but those of the notebook's code are.
    run = subprocess.run(
        [sys.executable, str(FOLDER / "execute.py"), "--small", path.name],
        capture_output=True,
        text=True,
        timeout=600,  # the first run compiles the rules
    )
    assert run.returncode == 0, run.stderr


@every_notebook
def test_it_is_saved_with_the_outputs_of_one_run_from_top_to_bottom(path: Path) -> None:
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1)), "run: make notebooks"
    kinds = [output["output_type"] for cell in cells for output in cell["outputs"]]
    assert "display_data" in kinds
    assert "error" not in kinds
    assert not [output for cell in cells for output in cell["outputs"] if output.get("name") == "stderr"]


@every_notebook
def test_it_is_small_and_says_nothing_about_a_machine(path: Path) -> None:
    text = path.read_text()
    assert len(text) < MOST_BYTES
    assert not OF_A_MACHINE.search(text)
    assert "iopub.execute_input" not in text  # when a cell was run


@every_notebook
def test_its_first_cell_reads_the_switch_for_small_runs(path: Path) -> None:
    assert 'SMALL = bool(os.environ.get("PR_ENV_SMALL"))' in "".join(code_cells(path)[0]["source"])


def test_all_are_in_the_readme() -> None:
    listed = re.findall(r"\]\((\w+\.ipynb)\)", (FOLDER / "README.md").read_text())
    assert listed == [path.name for path in NOTEBOOKS]
    assert len(listed) == 6
