"""Games on disk, so that they survive a restart: one file per game, named by the server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from pr_env.registry import find_game, game_names
from web.limits import Limits
from web.table import Access, Table

_ID = re.compile("[0-9a-f]{16}")
_KEY = re.compile("[0-9a-f]{32}")


class Store:
    """A folder of games.

    Args:
        folder: Path of the folder; created if necessary.
        limits: Limit on the number of files.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._limits = limits

    def save(self, number: str, data: dict[str, Any]) -> None:
        """Write a game (``Table.to_dict``) atomically."""
        path = self._path(number)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(data), encoding="utf-8")
        new.replace(path)

    def load(self, number: str) -> Table | None:
        """The game with this id; None if it does not exist or cannot be read."""
        try:
            data = json.loads(self._path(number).read_text(encoding="utf-8"))
            return _table(number, data)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def prune(self) -> None:
        """Remove the oldest games if there are too many."""
        files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - self._limits.files)]:
            path.unlink(missing_ok=True)

    def _path(self, number: str) -> Path:
        if not _ID.fullmatch(number):
            raise ValueError(f"there is no game {number!r}")
        return self._folder / f"{number}.json"


def _table(number: str, data: dict[str, Any]) -> Table | None:
    """Restore a saved game; None if this version cannot continue it."""
    if data["pr_env"] != "web table" or data["version"] != 1 or data["id"] != number:
        return None
    if data["game"] not in game_names():
        return None
    kind = find_game(data["game"])
    game = kind.from_recorded(data["options"])
    if data["layout"] != game.layout or not all(_KEY.fullmatch(key) for key in data["keys"]):
        return None
    return Table(
        game=game,
        seats=tuple(data["seats"]),
        keys={key: Access(tuple(seats), bool(owner)) for key, (seats, owner) in data["keys"].items()},
        seed=data["seed"],
        position=data["position"],
        hints=bool(data["hints"]),
        finished=bool(data["finished"]),
        names=tuple(data["names"]),
        id=number,
        actions=[int(action) for action in data["actions"]],
    )
