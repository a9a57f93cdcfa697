"""The metadata for the package index: working links and consistent names."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parent.parent
HOME = "https://example.org/me/games"


def hook() -> Any:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)


def test_links_of_the_readme_lead_to_files_that_are_there() -> None:
    readme = (ROOT / "README.md").read_text()
    relative = [link for link in links(readme) if not link.startswith("http")]
    assert relative
    for link in relative:
        assert (ROOT / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize("home", [HOME, HOME + "/"])
def test_with_an_address_all_links_lead_there(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROJECT_URL", home)
    metadata: dict[str, Any] = {}
    hook().ReadmeHook(str(ROOT), {}).update(metadata)
    found = links(metadata["readme"]["text"])
    assert found
    assert all(link.startswith((f"{HOME}/blob/main/", f"{HOME}/raw/main/")) for link in found)
    assert metadata["urls"]["Repository"] == HOME


def test_without_an_address_there_are_no_broken_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROJECT_URL", raising=False)
    metadata: dict[str, Any] = {}
    hook().ReadmeHook(str(ROOT), {}).update(metadata)
    assert links(metadata["readme"]["text"]) == []
    assert metadata["urls"] == {}


def test_the_citation_names_this_version() -> None:
    from pr_env import __version__

    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_python_that_runs_the_tests_is_declared() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    assert f"Programming Language :: Python :: {sys.version_info.major}.{sys.version_info.minor}" in classifiers


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("pr_env.sb3", "stable_baselines3", "train"),
        ("pr_env.openspiel", "pyspiel", "openspiel"),
        ("pr_env.data.reading", "pyarrow", "data"),
    ],
)
def test_a_missing_extra_is_named(module: str, library: str, extra: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; import {module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"needs {library}" in run.stderr.splitlines()[-1]
    assert f"of the extra '{extra}': pip install -e '.[{extra}]'" in run.stderr.splitlines()[-1]
