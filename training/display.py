"""The live display of a training run: progress, speed and playing strength."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from training.evaluation import ITSELF, Yardstick
from training.log import HIGH, LOW, WIN_SHARE

_LINES_EVERY = 30.0  # seconds between two lines where nothing can be drawn (in files and pipes)

# column of the log: its label in the display, and its format
_SHOWN = {
    "decisions": ("decisions learned from", "{:,.0f}"),
    "decisions_per_second": ("decisions per second", "{:,.0f}"),
    "points": ("points of the learner", "{:.1f}"),
    "entropy": ("entropy of the policy", "{:.2f}"),
}
_LENGTH = "length/"  # prefix of the column with the length of games; the unit follows


class Display:
    """Shows the latest metrics; a context manager. Where nothing can be drawn, it prints lines.

    Args:
        title: Title of the training run.
        yardstick: The reference for win rates.
        console: The console to draw on.
    """

    def __init__(self, title: str, yardstick: Yardstick, console: Console | None = None) -> None:
        self._title = title
        self._yardstick = yardstick
        self._console = console or Console()
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(None), TaskProgressColumn(), TimeElapsedColumn()
        )
        self._task = self._progress.add_task(title, total=1.0)
        self._figures: dict[str, float] = {}
        self._live = Live(console=self._console, refresh_per_second=2, transient=True)
        self._next_line = 0.0

    def __enter__(self) -> Display:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def update(self, progress: float, figures: Mapping[str, float]) -> None:
        """Show the progress (0 to 1) and new metrics."""
        self._figures |= figures
        self._progress.update(self._task, completed=progress)
        if self._console.is_terminal:
            self._live.update(Group(self._progress, self._table()))
        elif self._figures and (time.monotonic() >= self._next_line or any(map(_is_win_share, figures))):
            self._next_line = time.monotonic() + _LINES_EVERY
            cells = [f"{what} {value}" for what, value in self._cells()]
            line = f"{self._title} {progress:.0%}: {', '.join(cells)}"
            self._console.print(line, soft_wrap=True, markup=False, highlight=False)

    def _table(self) -> Table:
        table = Table(show_header=False, box=None, padding=(0, 2))
        for what, value in self._cells():
            table.add_row(what, escape(value))
        return table

    def _cells(self) -> list[tuple[str, str]]:
        cells = [
            (words, form.format(self._figures[name])) for name, (words, form) in _SHOWN.items() if name in self._figures
        ]
        for name, value in self._figures.items():
            if name.startswith(_LENGTH):
                cells.append((f"{name.removeprefix(_LENGTH)} per game", f"{value:.1f}"))
        for name, value in self._figures.items():
            if _is_win_share(name):
                opponent = name.removeprefix(WIN_SHARE)
                against = opponent if opponent in ITSELF else f"against {opponent}"
                low, high = self._figures[LOW + opponent], self._figures[HIGH + opponent]
                cells.append(
                    (
                        f"wins {against} ({self._yardstick.words}: {self._yardstick.share:.0%})",
                        f"{value:.0%} [{low:.0%}, {high:.0%}]",
                    )
                )
        return cells


def _is_win_share(name: str) -> bool:
    return name.startswith(WIN_SHARE)
