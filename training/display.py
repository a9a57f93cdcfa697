"""The live display of a training: how far it is, how fast, and how well it plays."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from training.log import WIN_SHARE

_LINES_EVERY = 30.0  # seconds between two lines where nothing can be drawn: in files and pipes

# column of the log: what the display calls it, and how it is written
_SHOWN = {
    "decisions": ("decisions learned from", "{:,.0f}"),
    "decisions_per_second": ("decisions a second", "{:,.0f}"),
    "points": ("points of the learner", "{:.1f}"),
    "rounds": ("rounds a game", "{:.1f}"),
    "entropy": ("entropy of the policy", "{:.2f}"),
}


class Display:
    """Shows the newest figures; a context manager."""

    def __init__(self, title: str, fair_share: float, console: Console | None = None) -> None:
        self._title = title
        self._fair_share = fair_share
        self._console = console or Console()
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(None), TaskProgressColumn(), TimeElapsedColumn()
        )
        self._task = self._progress.add_task(title, total=1.0)
        self._figures: dict[str, float] = {}
        self._live = Live(console=self._console, refresh_per_second=2, transient=True)
        self._next_line = time.monotonic() + _LINES_EVERY

    def __enter__(self) -> Display:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def update(self, progress: float, figures: Mapping[str, float]) -> None:
        """Show how far the training is (0 to 1) and what is new."""
        self._figures |= figures
        self._progress.update(self._task, completed=progress)
        if self._console.is_terminal:
            self._live.update(Group(self._progress, self._table()))
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + _LINES_EVERY
            cells = [f"{what} {value}" for what, value in self._cells()]
            self._console.print(f"{self._title} {progress:.0%}: {', '.join(cells)}", soft_wrap=True)

    def _table(self) -> Table:
        table = Table(show_header=False, box=None, padding=(0, 2))
        for what, value in self._cells():
            table.add_row(what, value)
        return table

    def _cells(self) -> list[tuple[str, str]]:
        cells = [
            (words, form.format(self._figures[name])) for name, (words, form) in _SHOWN.items() if name in self._figures
        ]
        for name, value in self._figures.items():
            if name.startswith(WIN_SHARE):
                rival = name.removeprefix(WIN_SHARE)
                cells.append((f"wins against {rival} (fair: {self._fair_share:.0%})", f"{value:.0%}"))
        return cells
