"""The log of a training run: CSV tables and TensorBoard events."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from agents.weights import UNFINISHED
from training.sinks import Sink

STEP = "decisions"  # the x axis of all plots
WIN_SHARE = "win_share/"  # prefix of the columns with win rates; the opponent follows
LOW, HIGH = "win_share_low/", "win_share_high/"  # the bounds of their 95 % intervals


class DamagedLogError(ValueError):
    """The log is not a table of numbers."""


class Log:
    """Rows of metrics, and TensorBoard events in the same folder: ``log.csv``, and ``times.csv`` for measured times.

    They are separate so that the same training run always writes the same ``log.csv``.

    Args:
        folder: The folder. An existing log is continued.
        step: Rows after this step are removed: a killed training run resumes from an earlier checkpoint.
        sinks: Receive the same metrics.
    """

    def __init__(self, folder: Path, step: int = 0, sinks: Sink | None = None) -> None:
        self._sinks = sinks
        self._figures, self._times = (_Table(folder / name, step) for name in ("log.csv", "times.csv"))
        for table in (self._figures, self._times):
            table.write_all()  # before TensorBoard, whose thread prints a traceback if the disk is full
        self._events = SummaryWriter(str(folder), purge_step=step + 1)

    @property
    def rows(self) -> list[dict[str, float]]:
        """The rows of ``log.csv``."""
        return self._figures.rows

    def add(self, figures: Mapping[str, float]) -> None:
        """Add a row; it must have the column STEP. New columns may appear at any time."""
        self._figures.add({name: value for name, value in figures.items() if not _is_time(name)})
        self._times.add({name: value for name, value in figures.items() if name == STEP or _is_time(name)})
        for name, value in figures.items():
            if name != STEP:
                self._events.add_scalar(name, value, int(figures[STEP]))
        self._events.flush()
        if self._sinks is not None:
            rest = {name: value for name, value in figures.items() if name != STEP}
            self._sinks.add(rest, int(figures[STEP]))

    def close(self) -> None:
        """Close TensorBoard's file and the sinks."""
        self._events.close()
        if self._sinks is not None:
            self._sinks.close()


def _is_time(name: str) -> bool:
    return name.endswith(("second", "seconds"))


class _Table:
    """Rows in a file."""

    def __init__(self, path: Path, step: int) -> None:
        self._path = path
        self.rows = [row for row in read_log(path) if row[STEP] <= step]

    def add(self, row: Mapping[str, float]) -> None:
        new = any(name not in first for first in self.rows[:1] for name in row) or not self.rows
        self.rows.append(dict(row))
        if new:
            self.write_all()
        else:
            with self._path.open("a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, list(self.rows[0])).writerow(row)

    def write_all(self) -> None:
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        new = self._path.with_name(self._path.name + UNFINISHED)
        with new.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(self.rows)
        new.replace(self._path)  # atomic: if the process is killed, the old table remains
        if self.rows:  # the first row gets all columns, so that `add` detects new ones
            self.rows[0] = {name: self.rows[0].get(name, float("nan")) for name in columns}


def read_log(path: Path) -> list[dict[str, float]]:
    """The rows of a log, without empty cells; empty if there is no log.

    An incomplete last line, left by a killed process, is skipped.

    Raises:
        DamagedLogError: If it is not a table of numbers with a column STEP.
    """
    if not path.exists():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            lines = [line for line in file if line.endswith("\n")]
        rows = [{name: float(cell) for name, cell in row.items() if cell} for row in csv.DictReader(lines)]
        if any(STEP not in row for row in rows):
            raise ValueError(f"a row has no {STEP}")
    except (TypeError, ValueError) as error:
        raise DamagedLogError(
            f"{path} is damaged: {error}; move it away, and the training run resumes without it"
        ) from error
    return rows
