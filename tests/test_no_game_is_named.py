"""A game is a folder and a line in the registry: nothing else in the package names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pr_env.registry import GAMES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pr_env"
ALLOWED = {"__init__.py", "registry.py"}  # the public names, and the list of games
# Files that still do. Remove those that no longer do, and add none.
EXCEPTIONS = {"batch.py", "registration.py"}


def sources(game: str) -> list[str]:
    """Files of the package outside the game's folder and its module for PettingZoo."""
    module = GAMES[game].pettingzoo_module.removeprefix("pr_env.") + ".py"
    paths = (path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py")))
    return [path for path in paths if not path.startswith(f"{game}/") and path not in {module, *ALLOWED}]


def names(game: str, file: Path) -> bool:
    spelled = "[ _-]?".join(map(re.escape, game.split("_")))
    return re.search(spelled, file.read_text(), re.IGNORECASE) is not None


@pytest.mark.parametrize("game", GAMES)
def test_no_file_names_a_game(game: str) -> None:
    assert [path for path in sources(game) if path not in EXCEPTIONS and names(game, PACKAGE / path)] == []
    assert not names(game, ROOT / "docs" / "generate.py")


def test_exceptions_are_still_needed() -> None:
    named = {path for game in GAMES for path in sources(game) if names(game, PACKAGE / path)}
    assert named >= EXCEPTIONS, f"remove these from EXCEPTIONS: {sorted(EXCEPTIONS - named)}"
