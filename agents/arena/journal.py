"""Finished games on disk, so that an interrupted tournament goes on where it was.

A file of JSON lines that only grows: the first line is the configuration, each further one has the games of a batch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class ArenaError(ValueError):
    """A file of results that cannot be read or belongs to something else."""


class Journal:
    """The batches that are finished.

    Args:
        path: The file. It is created if it is not there.
        configuration: What is played.

    Raises:
        ArenaError: If the file belongs to another configuration, or is none of this kind.
    """

    def __init__(self, path: Path, configuration: Mapping[str, Any]) -> None:
        self._path = path
        self._batches: dict[tuple[int, int], list[dict[str, Any]]] = {}
        lines = self._whole_lines()
        if not lines:
            self._append(configuration)
            return
        check_configuration(path, _read(path, 1, lines[0]), configuration)
        for number, line in enumerate(lines[1:], start=2):
            batch = _read(path, number, line)
            try:
                self._batches[batch["table"], batch["batch"]] = batch["games"]
            except KeyError:
                raise ArenaError(f"{path}, line {number}: has no games") from None

    def games(self, table: int, batch: int) -> list[dict[str, Any]] | None:
        """The games of a batch, None if it has not been played."""
        return self._batches.get((table, batch))

    def add(self, table: int, batch: int, games: list[dict[str, Any]]) -> None:
        """Keep a batch that is finished."""
        self._append({"table": table, "batch": batch, "games": games})

    def remove(self) -> None:
        """Remove the file."""
        self._path.unlink()

    def _whole_lines(self) -> list[str]:
        """The lines of the file; a last one that was cut by the interruption is removed from it."""
        if not self._path.exists():
            return []
        try:
            text = self._path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise ArenaError(f"{self._path} is not a file of results: it is not text") from None
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            os.truncate(self._path, len(whole.encode()))
        return whole.splitlines()

    def _append(self, data: Mapping[str, Any]) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")
            file.flush()
            os.fsync(file.fileno())


def check_configuration(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse a file of another tournament; the message says what differs."""
    if not isinstance(found, Mapping):
        raise ArenaError(f"{path} is not a file of results: it has no configuration")
    if found.get("pr_env") == wanted["pr_env"] and found.get("format") != wanted["format"]:
        raise ArenaError(
            f"{path} has results of format {found.get('format')!r}, this version writes {wanted['format']!r}: play the "
            "tournament again, into another file"
        )
    for key in wanted:
        if key not in found:
            raise ArenaError(f"{path} is not a file of results: it has no {key!r}")
        if found[key] != wanted[key]:
            raise ArenaError(
                f"{path} belongs to a tournament with {key} {found[key]!r}, not {wanted[key]!r}: go on with the same "
                "options, or choose another file"
            )


def _read(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError:
        raise ArenaError(f"{path}, line {number}: is not JSON") from None
    if not isinstance(data, dict):
        raise ArenaError(f"{path}, line {number}: is not a JSON object")
    return data
