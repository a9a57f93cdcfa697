"""Files of decisions in a folder: one per part of the games, and one that describes the export.

A file gets its final name only when it is complete, so an interrupted export resumes with the missing parts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pr_env.checks import shown
from pr_env.data.columns import DataError

ABOUT = ".export.json"  # hidden: libraries that read a folder of Parquet files leave such files out
UNFINISHED = ".unfinished"
QUOTES = "'\""
ROWS_TOGETHER = 16_384  # rows in a row group, which is read at once
LEVEL = 3  # compression level; higher ones take twice as long and save a few percent


class ExportFolder:
    """Where the parts of an export are written.

    Args:
        path: The folder. It is created if it does not exist.
        configuration: Everything that decides what is written, JSON-safe.

    Raises:
        DataError: If the folder contains something else.
        OSError: If it cannot be written; the error names the file.
    """

    def __init__(self, path: Path, configuration: Mapping[str, Any]) -> None:
        self.path = path
        about = path / ABOUT
        if about.exists():
            _check_the_same(about, configuration)
        elif path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise DataError(f"{path} must be an empty folder or belong to the same export")
        path.mkdir(parents=True, exist_ok=True)
        for left in path.glob(f"*{UNFINISHED}"):
            left.unlink()
        if not about.exists():
            new = path / f"{ABOUT}{UNFINISHED}"
            with _errors_of(new):
                new.write_text(json.dumps(configuration, indent=1) + "\n", encoding="utf-8")
            new.replace(about)

    def has(self, part: int) -> bool:
        """Whether a part is written."""
        return self._file(part).exists()

    def write(self, part: int, table: pa.Table) -> None:
        """Write a part completely or not at all."""
        new = self._file(part).with_suffix(UNFINISHED)
        with _errors_of(new):
            pq.write_table(
                table,
                new,
                row_group_size=ROWS_TOGETHER,
                compression="zstd",
                compression_level=LEVEL,
                store_schema=True,
                write_page_checksum=True,
            )
        new.replace(self._file(part))

    def _file(self, part: int) -> Path:
        return self.path / f"part-{part:05}.parquet"


@contextmanager
def _errors_of(file: Path) -> Iterator[None]:
    """Errors name the file, and what was written of it is removed; of a full disk they do not."""
    try:
        yield
    except OSError as error:
        file.unlink(missing_ok=True)
        raise OSError(error.errno, os.strerror(error.errno) if error.errno else str(error), str(file)) from None


def _check_the_same(about: Path, configuration: Mapping[str, Any]) -> None:
    try:
        found = json.loads(about.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise DataError(f"{about} is damaged") from None
    wanted = json.loads(json.dumps(configuration))
    if not isinstance(found, dict):
        raise DataError(f"{about} is damaged")
    for key in {**wanted, **found}:
        if found.get(key) != wanted.get(key):
            raise DataError(
                f"{about.parent} belongs to an export with {shown(key).strip(QUOTES)} {shown(found.get(key))}, "
                f"not {shown(wanted.get(key))}: use the same options, or choose another folder"
            )
