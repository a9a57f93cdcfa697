"""The documentation is up to date and its examples run."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])


def examples() -> list[tuple[str, str]]:
    return [
        (f"{page.name}-{number}", code)
        for page in PAGES
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    ]


def quotations() -> list[tuple[str, str, str]]:
    """Blocks that say which file they are from; those that the site cuts out of it by itself need no test."""
    return [
        (page.name, path, code)
        for page in PAGES
        for path, code in re.findall(r'```python title="(.*?)"\n(.*?)```', page.read_text(), re.DOTALL)
        if "--8<--" not in code
    ]


def without_indentation(code: str) -> str:
    return "\n".join(line.strip() for line in code.strip().splitlines())


@pytest.mark.parametrize(("page", "path", "code"), quotations())
def test_code_that_a_page_quotes_is_still_there(page: str, path: str, code: str) -> None:
    assert without_indentation(code) in without_indentation((ROOT / path).read_text()), f"{page} quotes {path}"


def test_generated_pages_are_what_the_generator_writes() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.FILE.read_text() == generate.page(), "run: make docs"
    assert generate.MATERIAL.read_text() == generate.material_page(), "run: make docs"
    assert generate.BOARD.read_text() == generate.board(), "run: make docs"
    assert generate.EXPANSION.read_text() == generate.expansion(), "run: make docs"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in examples()])
def test_examples_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "sb3" in code:
        pytest.importorskip("sb3_contrib")
    exec(compile(code, "example", "exec"), {})
