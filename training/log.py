"""What a training writes down while it runs: a table for people and programs (CSV), and TensorBoard's events."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from agents.weights import UNFINISHED

STEP = "decisions"  # the column that all others are plotted over
WIN_SHARE = "win_share/"  # what columns of win shares start with; the opponent follows


class DamagedLogError(ValueError):
    """A log that is not a table of numbers."""


class Log:
    """Rows of figures, ``log.csv`` and events in the same folder.

    Args:
        folder: Where to write. What is there is continued.
        step: Rows after this one are removed: a training that was killed goes on from an earlier checkpoint.
    """

    def __init__(self, folder: Path, step: int = 0) -> None:
        self._path = folder / "log.csv"
        self.rows = [row for row in read_log(self._path) if row[STEP] <= step]
        self._events = SummaryWriter(str(folder), purge_step=step + 1)
        self._write_all()

    def add(self, figures: Mapping[str, float]) -> None:
        """One row; the column STEP must be among the figures. New columns may come at any time."""
        new = any(name not in row for row in self.rows[:1] for name in figures) or not self.rows
        self.rows.append(dict(figures))
        if new:
            self._write_all()
        else:
            with self._path.open("a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, list(self.rows[0])).writerow(figures)
        for name, value in figures.items():
            if name != STEP:
                self._events.add_scalar(name, value, int(figures[STEP]))
        self._events.flush()

    def close(self) -> None:
        """Finish TensorBoard's file."""
        self._events.close()

    def _write_all(self) -> None:
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        new = self._path.with_name(self._path.name + UNFINISHED)
        with new.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(self.rows)
        new.replace(self._path)  # whoever is killed here leaves the old table
        if self.rows:  # the first row knows all columns, so that `add` sees new ones
            self.rows[0] = {name: self.rows[0].get(name, float("nan")) for name in columns}


def read_log(path: Path) -> list[dict[str, float]]:
    """The rows of a log, without empty cells; nothing if there is no log.

    A last line without its end is left out: whoever wrote it was killed.

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
        raise DamagedLogError(f"{path} is damaged: {error}; move it away, the training goes on without it") from error
    return rows
