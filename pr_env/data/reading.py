"""Exported decisions as NumPy arrays, a few row groups at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pr_env.checks import shown
from pr_env.data.columns import DataError, described_in, game_in, scales_of
from pr_env.game import Game

Rows = dict[str, np.ndarray]
USUAL_COLUMNS = ("observation", "mask", "action")
MIXED_GROUPS = 4  # row groups whose rows are shuffled together


class Decisions:
    """The decisions in a file, or in all files of a folder.

    >>> for rows in Decisions("games").batches(1024, seed=0):
    ...     learn(rows["observation"], rows["mask"], rows["action"])

    Args:
        path: A Parquet file of `pr_env.data.writing`, or a folder of such files.
        **local: Options of the game that are not in the files (``Game.local_options``).

    Attributes:
        game: The game and its configuration.
        description: The description in the files.
        files: All files.

    Raises:
        DataError: If they are not exported decisions, belong to different exports, or are of an unknown game.
    """

    def __init__(self, path: str | Path, **local: Any) -> None:
        self.files = sorted(Path(path).glob("*.parquet")) if Path(path).is_dir() else [Path(path)]
        if not self.files:
            raise DataError(f"{path} has no Parquet files")
        self._groups: list[tuple[Path, int]] = []
        self._rows = 0
        for file in self.files:
            about = _metadata(file)
            description = described_in(about.schema.to_arrow_schema(), file)
            if file is self.files[0]:
                self.description = description
            elif description != self.description:
                raise DataError(f"{file} belongs to another export than {self.files[0]}")
            self._rows += about.num_rows
            self._groups += [(file, group) for group in range(about.num_row_groups)]
        self.game: Game = game_in(self.description, self.files[0], **local)
        self._scales = np.array(scales_of(self.game), np.float32)

    def __len__(self) -> int:
        """The number of decisions."""
        return self._rows

    def batches(
        self,
        size: int,
        *,
        columns: Sequence[str] = USUAL_COLUMNS,
        seed: int | None = None,
        part: int = 0,
        parts: int = 1,
    ) -> Iterator[Rows]:
        """Batches of decisions as arrays by column name; the last batch may be smaller.

        ``observation`` is float32 (k, size) in every format except ``record``, which gives records (see ``Game.look``).
        ``mask`` is bool (k, actions), ``agent`` an array of strings and ``probabilities`` an array of arrays.

        Args:
            size: Decisions per batch.
            columns: The columns to read.
            seed: Seed of the order: row groups are shuffled, and rows within a few groups at a time. None: as written.
            part: Index of the part of the row groups to read, for several readers at once.
            parts: The number of parts.
        """
        groups = self._groups[part::parts]
        chance = np.random.default_rng(seed)
        if seed is not None:
            groups = [groups[place] for place in chance.permutation(len(groups))]
        together = 1 if seed is None else MIXED_GROUPS
        left: pa.Table | None = None
        for start in range(0, len(groups), together):
            tables = [_read_group(file, group, columns) for file, group in groups[start : start + together]]
            table = pa.concat_tables(tables if left is None else [left, *tables])
            order = None if seed is None else chance.permutation(len(table))
            whole = len(table) - len(table) % size
            for first in range(0, whole, size):
                yield self._rows_of(table, first, size, order)
            rest = np.arange(whole, len(table)) if order is None else order[whole:]
            left = table.take(pa.array(rest))
        if left is not None and len(left):
            yield self._rows_of(left, 0, len(left), None)

    def _rows_of(self, table: pa.Table, first: int, size: int, order: np.ndarray | None) -> Rows:
        if order is None:
            chosen = table.slice(first, size)
        else:
            chosen = table.take(pa.array(order[first : first + size]))
        return {name: self._array(name, chosen.column(name).combine_chunks()) for name in chosen.column_names}

    def _array(self, name: str, column: pa.Array) -> np.ndarray:
        if isinstance(column, pa.ChunkedArray):  # without rows
            column = pa.array([], column.type)
        if name == "mask":
            bits = np.unpackbits(_bytes(column), axis=1, bitorder="little", count=len(self.game.actions))
            return np.asarray(bits.astype(np.bool_))
        if name == "observation":
            if self.description["observation"] == "record":
                return np.ascontiguousarray(_bytes(column)).view(self.game.record)[:, 0]
            values = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float32)
            return np.asarray(values * self._scales if self.description["observation"] == "counts" else values)
        return np.asarray(column.to_numpy(zero_copy_only=False))


@contextmanager
def _damage_of(file: Path) -> Iterator[None]:
    """Errors of PyArrow name the file; those of the system, such as a missing file, stay as they are."""
    try:
        yield
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = shown(str(error).partition("\n")[0])
        raise DataError(f"{file} is not a Parquet file, or damaged: {reason}") from None


def _metadata(file: Path) -> Any:
    with _damage_of(file):
        about = pq.read_metadata(file)
        about.schema.to_arrow_schema()
        return about


def _read_group(file: Path, group: int, columns: Sequence[str]) -> pa.Table:
    with _damage_of(file), pq.ParquetFile(file, page_checksum_verification=True) as opened:
        known = opened.schema_arrow.names
        unknown = [name for name in columns if name not in known]
        if unknown:
            raise DataError(f"{file} has no column {unknown[0]!r}; it has {', '.join(known)}")
        return opened.read_row_group(group, columns=list(columns), use_threads=False).unify_dictionaries()


def _bytes(column: pa.Array) -> np.ndarray:
    """Fixed-size binary values as rows of bytes."""
    width = column.type.byte_width
    _, data = column.buffers()
    whole = np.frombuffer(data or b"", np.uint8)
    return whole[column.offset * width : (column.offset + len(column)) * width].reshape(len(column), width)
