"""Output shared by several commands: boards, moves in words, the final table."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from pr_env.batch import Batch
from pr_env.moment import Moment
from pr_env.replay import Move
from pr_env.words import Words, capitalised, plain

CLEAR = "\x1b[2J\x1b[H"
WIDTH_OF_FILES = 100  # where the output is not a terminal


def on_terminal() -> bool:
    """Whether the output is a terminal."""
    return sys.stdout.isatty()


def width() -> int:
    """Columns of the terminal."""
    return shutil.get_terminal_size((WIDTH_OF_FILES, 40)).columns


def height() -> int | None:
    """Lines of the terminal; None if the output is not a terminal, where any height fits."""
    return shutil.get_terminal_size((WIDTH_OF_FILES, 40)).lines if on_terminal() else None


def console() -> Console:
    """The console for tables; without a terminal they keep their full width."""
    return Console() if on_terminal() else Console(width=WIDTH_OF_FILES)


def clear() -> None:
    """Clear the screen; without a terminal, print an empty line."""
    print(CLEAR if on_terminal() else "\n", end="")


def meanwhile(text: str) -> None:
    """Show a status line until the next board is drawn, on a terminal."""
    if on_terminal():
        print(f"\r\x1b[K{text} ...", end="", flush=True)


def bold(text: str) -> str:
    """Bold text, where the output has colours."""
    return f"\x1b[1m{text}\x1b[0m" if _in_colour() else text


def board(
    batch: Batch,
    *,
    answers: bool = True,
    names: Sequence[str] = (),
    below: int = 1,
    least: int | None = None,
    whole: bool = False,
) -> str:
    """One game as text, in compact form if the full one does not fit, in the most compact form if that does not either.

    Args:
        batch: A batch of one game.
        answers: Whether to list what the acting player may do.
        names: The player in each seat.
        below: Number of lines that follow below it.
        least: Number of these lines that must fit below a compact board.
        whole: Whether to draw the full board in any case.
    """
    lines = height()
    for compact, needed in enumerate((below, below if least is None else least, 0)):
        text = batch.game.text(
            batch.games[0], names=names, answers=answers, width=width(), colour=_in_colour(), compact=compact
        ).rstrip("\n")
        if whole or lines is None or text.count("\n") + 1 + needed <= lines:
            break
    return text


def in_columns(lines: Sequence[str], columns: int) -> list[str]:
    """Lines in columns, filled from top to bottom, if they are short enough."""
    wide = width() // columns
    if any(len(line) >= wide for line in lines):
        return list(lines)
    rows = -(-len(lines) // columns)
    return ["".join(f"{line:{wide}}" for line in lines[row::rows]).rstrip() for row in range(rows)]


def told(moves: Sequence[Move], words: Words) -> list[str]:
    """Moves as lines wrapped to the screen."""
    lines = []
    for move in words.together(moves):
        first = f"{move.number:5}  {'' if move.opens else '  '}"
        lines += textwrap.wrap(
            f"{first}{move}", width(), subsequent_indent=" " * 13, break_long_words=False, break_on_hyphens=False
        )
    return lines


def final_table(batch: Batch, names: Sequence[str]) -> None:
    """Print who won, and each player's points by source; sources without any points are left out."""
    moment, words, players = Moment(batch.game, batch.games[0]), batch.game.words, batch.game.players
    score, ranked = moment.final, words.ranking(moment)
    grid = Grid(box=box.SIMPLE_HEAD, show_footer=True)
    grid.add_column("", footer="points", no_wrap=True)
    for seat in ranked:
        rank = "" if words.one_team else f"{score['rank'][seat]}. "
        title = f"{rank}{capitalised(words.seat(seat))}\n{names[seat]}"
        grid.add_column(title, footer=str(score["total"][seat]), justify="right")
    for place, source in enumerate(batch.game.point_sources):
        points = score["points"][:players, place]
        if points.any():
            grid.add_row(plain(source), *(str(points[seat]) for seat in ranked))
    print(bold(words.result(moment)))
    console().print(grid, highlight=False, markup=False)
    if tie_break := words.tie_break(moment):
        print(tie_break)


def _in_colour() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR")
