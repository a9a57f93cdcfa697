"""Text blocks for a terminal and their layout. Needs the library rich."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from pr_env.render.extra import needs_the_extra

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

MARK, QUIET, LABEL = "bold #2fb36f", "#8a8a8a", "bold"
GLUE = "\ue000"  # a space where rich does not break lines


def laid_out(parts: Iterable[Table | Text], width: int, colour: bool) -> str:
    """The parts, one below another.

    Args:
        parts: The parts to lay out.
        width: Columns of the terminal.
        colour: Whether to use colour escape codes.
    """
    with needs_the_extra():
        from rich.console import Console
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        height=100,  # unused, but rich queries the terminal unless both are given
        force_terminal=colour,
        force_jupyter=False,
        color_system="truecolor" if colour else None,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
    )
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in out.getvalue().replace(GLUE, " ").splitlines()) + "\n"


def styled(*parts: str | tuple[str, str] | Text) -> Text:
    """Texts joined together; a pair is a text and its style."""
    with needs_the_extra():
        from rich.text import Text
    return Text.assemble(*parts)


def joined(parts: Iterable[Text], separator: str = "  ") -> Text:
    """Texts joined with a separator."""
    with needs_the_extra():
        from rich.text import Text
    return Text(separator).join(parts)


def unbroken(name: str) -> str:
    """A name that stays on one line."""
    return name.replace(" ", GLUE)


def labelled(rows: Iterable[tuple[str, Text]], between: int = 2) -> Table:
    """Rows with a label on the left and a gap after it; long texts wrap within their column."""
    with needs_the_extra():
        from rich.table import Table
    table = Table.grid(padding=(0, between, 0, 0))
    table.add_column(style=LABEL, no_wrap=True)
    table.add_column()
    for label, content in rows:
        table.add_row(label, content)
    return table


def side_by_side(cells: Sequence[Table | Text]) -> Table:
    """An even number of cells in two columns with lines around them."""
    with needs_the_extra():
        from rich import box
        from rich.table import Table
    table = Table(box=box.ROUNDED, show_header=False, show_lines=True, expand=True, border_style=QUIET)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    for left, right in zip(cells[::2], cells[1::2], strict=True):
        table.add_row(left, right)
    return table
