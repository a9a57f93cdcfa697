"""The documentation is up to date, and its examples run."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])


def examples() -> list[tuple[str, str]]:
    return [
        (f"{page.name}-{number}", code)
        for page in PAGES
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    ]


def program(name: str) -> Any:
    """A Python file in docs/, which is not a package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quotations() -> list[tuple[str, str, str]]:
    """Code blocks that name the file they quote."""
    return [
        (page.name, path, code)
        for page in PAGES
        for path, code in re.findall(r'```python title="(.*?)"\n(.*?)```', page.read_text(), re.DOTALL)
    ]


def without_indentation(code: str) -> str:
    return "\n".join(line.strip() for line in code.strip().splitlines())


@pytest.mark.parametrize(
    ("page", "path", "code"), [pytest.param(*found, id=f"{found[0]}-{found[1]}") for found in quotations()]
)
def test_code_that_a_page_quotes_is_still_there(page: str, path: str, code: str) -> None:
    assert without_indentation(code) in without_indentation((ROOT / path).read_text()), f"{page} quotes {path}"


def test_generated_pages_are_what_the_generator_writes() -> None:
    pages = program("generate").pages()
    assert ROOT / "docs" / "board.svg" in pages
    for file, content in pages.items():
        assert file.read_text() == content, f"{file.name}: run: make docs"


def test_a_notebook_becomes_a_page_with_its_outputs(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    shown = {"text/plain": ["<board>"], "image/svg+xml": ["<svg/>"]}
    cells = [
        {"cell_type": "markdown", "source": ["# Tour\n", "[rules](../docs/rules.md), [next](02_train.ipynb)"]},
        {
            "cell_type": "code",
            "source": "print('```')",
            "outputs": [
                {"output_type": "stream", "text": ["\x1b[1mbold\x1b[0m\n"]},
                {"output_type": "display_data", "data": shown},
            ],
        },
    ]
    notebook = tmp_path / "01_tour.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    files = dict(program("hooks").notebook_files(notebook))
    page = files["notebooks/01_tour.md"]
    assert page.startswith("# Tour\n[rules](../rules.md), [next](02_train.md)\n")
    assert "````python\nprint('```')\n````" in page
    assert "```text\nbold\n```" in page
    assert "![output](01_tour_0.svg)" in page
    assert files["notebooks/01_tour_0.svg"] == "<svg/>"
    assert files["notebooks/01_tour.ipynb"] == notebook.read_text()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in examples()])
def test_examples_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "sb3" in code:
        pytest.importorskip("sb3_contrib")
    exec(compile(code, "example", "exec"), {})
