"""Finished games on disk, so that an interrupted tournament can be resumed.

An append-only file of JSON lines: the first line is the configuration, each further one has the games of a batch. Each
line ends with a checksum. The file is locked: two tournaments with the same file would overwrite each other's results.
"""

from __future__ import annotations

import io
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pr_env.checks import shown

try:
    import fcntl
except ImportError:  # Windows: no locking
    fcntl = None  # type: ignore[assignment]

_SEAL = ', "crc32": "'


class ArenaError(ValueError):
    """A results file cannot be read, or belongs to something else."""


class Journal:
    """The finished batches.

    Args:
        path: The file. It is created if it does not exist.
        configuration: The configuration of the tournament.

    Raises:
        ArenaError: If the file belongs to another configuration, is of another kind or damaged, cannot be written, or
            is in use by another process.
    """

    def __init__(self, path: Path, configuration: Mapping[str, Any]) -> None:
        self._path = path
        self._batches: dict[tuple[int, int], list[dict[str, Any]]] = {}
        self._file = _locked(path)
        try:
            lines = self._whole_lines()
            if not lines:
                self._append(configuration)
                return
            check_configuration(path, _read(path, 1, lines[0]), configuration)
            for number, line in enumerate(lines[1:], start=2):
                batch = _read(path, number, line)
                self._batches[batch["table"], batch["batch"]] = batch["games"]
        except BaseException:
            self.close()
            raise

    def games(self, table: int, batch: int) -> list[dict[str, Any]] | None:
        """The games of a batch; None if it has not been played."""
        return self._batches.get((table, batch))

    def add(self, table: int, batch: int, games: list[dict[str, Any]]) -> None:
        """Save a finished batch."""
        self._append({"table": table, "batch": batch, "games": games})

    def remove(self) -> None:
        """Remove the file."""
        self._path.unlink()
        self.close()

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()

    def _whole_lines(self) -> list[str]:
        """The lines of the file. An incomplete last line, left by an interruption, is removed from the file."""
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            self._file.truncate(len(whole))
        try:
            return whole.decode().split("\n")[:-1]
        except UnicodeDecodeError:
            raise ArenaError(f"{self._path} is not a results file, or damaged: it is not text") from None

    def _append(self, data: Mapping[str, Any]) -> None:
        try:
            self._file.seek(0, os.SEEK_END)
            line = _sealed(data).encode() + b"\n"
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ArenaError(
                f"cannot write {self._path}: {error.strerror}; finished games are kept, and the same command resumes"
            ) from None


def _locked(path: Path) -> io.FileIO:
    """Open the file with an exclusive lock, which ends with the process."""
    while True:
        # Unbuffered: if the disk is full, a failed write is not repeated on closing
        file = open(path, "a+b", buffering=0)  # noqa: SIM115 # stays open with the lock
        if fcntl is None:
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise ArenaError(f"{path} is in use by another tournament: wait for it, or choose another file") from None
        if path.exists() and os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            return file
        file.close()  # removed by the process that had the lock, after its last game


def _sealed(data: Mapping[str, Any]) -> str:
    """One line of JSON, whose last entry is a checksum of the others."""
    body = json.dumps(data)[:-1]
    return f'{body}{_SEAL}{zlib.crc32(body.encode()):08x}"}}'


def check_configuration(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Check that a file belongs to this tournament; the error names the difference."""
    if not isinstance(found, Mapping):
        raise ArenaError(f"{path} is not a results file: it has no configuration")
    if found.get("pr_env") == wanted["pr_env"] and found.get("format") != wanted["format"]:
        raise ArenaError(
            f"{path} has results of format {shown(found.get('format'))}, this version writes {wanted['format']!r}: "
            "run the tournament again, with another file"
        )
    for key in wanted:
        if key not in found:
            raise ArenaError(f"{path} is not a results file: it has no {key!r}")
        if found[key] != wanted[key]:
            raise ArenaError(
                f"{path} belongs to a tournament with {key} {shown(found[key])}, not {shown(wanted[key])}: resume with "
                "the same options, or choose another file"
            )


def _read(path: Path, number: int, line: str) -> dict[str, Any]:
    body, seal, checksum = line.rpartition(_SEAL)
    if not seal or checksum != f'{zlib.crc32(body.encode()):08x}"}}':
        raise ArenaError(
            f"{path}, line {number}: is damaged, or not a line of results (wrong checksum); remove the file to "
            "play these games again"
        )
    data: dict[str, Any] = json.loads(body + "}")
    return data
