"""Permitted imports: pr_env imports no layer above it, agents nothing from training, not even in functions."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {"pr_env": ("agents", "training"), "agents": ("training",)}


def imported(file: Path) -> Iterator[str]:
    """All modules that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from (str(argument.value) for argument in node.args if isinstance(argument, ast.Constant))


@pytest.mark.parametrize("package", FORBIDDEN)
def test_arrows_go_one_way(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert len(files) > 10
    wrong = [
        f"{file.relative_to(ROOT)} imports {module}"
        for file in files
        for module in imported(file)
        if module.partition(".")[0] in FORBIDDEN[package]
    ]
    assert not wrong


def test_imports_inside_functions_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("def f():\n    import agents.x\n    from training import y\n    import_module('agents.z')\n")
    assert list(imported(file)) == ["agents.x", "training", "agents.z"]


def test_declared_entry_points_are_there() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    assert {"pr_env.opponents", "pr_env.opponent_names", "pr_env.commands", "pr_env.compile"} <= set(groups)
    for group, entries in groups.items():
        for name, value in entries.items():
            assert callable(EntryPoint(name, value, group).load())
