"""What several commands print: boards, moves in words, the final table."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import groupby

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from pr_env.batch import Batch
from pr_env.render import words
from pr_env.replay import Move

CLEAR = "\x1b[2J\x1b[H"
WIDTH_OF_FILES = 100  # where the output is no terminal
_PLACING = re.compile(r"Place (\d+) colonists? on ")


def on_terminal() -> bool:
    """Whether somebody looks at the output."""
    return sys.stdout.isatty()


def width() -> int:
    """Columns of the terminal."""
    return shutil.get_terminal_size((WIDTH_OF_FILES, 40)).columns


def console() -> Console:
    """For tables; where there is no terminal they are not squeezed."""
    return Console() if on_terminal() else Console(width=WIDTH_OF_FILES)


def clear() -> None:
    """Start at the top of the screen; where there is none, with an empty line."""
    print(CLEAR if on_terminal() else "\n", end="")


def meanwhile(text: str) -> None:
    """Say what goes on until the next board is drawn, where somebody waits for it."""
    if on_terminal():
        print(f"\r\x1b[K{text} ...", end="", flush=True)


def bold(text: str) -> str:
    """Text that stands out, where there are colours."""
    return f"\x1b[1m{text}\x1b[0m" if _in_colour() else text


def board(batch: Batch, *, answers: bool = True, names: Sequence[str] = ()) -> str:
    """One game as text, by the module of ``pr_env.render`` that is named after it.

    Args:
        batch: Of one game.
        answers: Whether to list what the acting player may do.
        names: Who plays each seat.
    """
    pictures = import_module(f"pr_env.render.{batch.game.name}")
    points = batch.score()["total"][0, : batch.game.players].tolist()
    legal = batch.legal_actions(0) if answers else None
    text = pictures.text(batch.to_dict(0), legal, points, names=names, width=width(), colour=_in_colour())
    return str(text).rstrip("\n")


def told(moves: Iterable[Move]) -> list[str]:
    """Moves as lines that fit the screen. Where a player's colonists go is one sentence."""
    lines = []
    for (_, placing), group in groupby(moves, key=lambda move: (move.player, _PLACING.match(move.words) is not None)):
        for move in [_together(list(group))] if placing else group:
            first = f"{move.number:5}  {'' if move.opens else '  '}"
            lines += textwrap.wrap(f"{first}{move}", width(), subsequent_indent=" " * 13)
    return lines


def _together(moves: Sequence[Move]) -> Move:
    """Moves that place colonists as a single one."""
    places = [_PLACING.sub(r"\1 on ", move.words) for move in moves[1:]]
    effects = tuple(effect for move in moves for effect in move.effects)
    return replace(moves[0], words=", ".join([moves[0].words, *places]), effects=effects)


def final_table(batch: Batch, names: Sequence[str]) -> None:
    """Print who has won, and where everybody's points come from; sources that gave nobody any are left out."""
    score, players = batch.score()[0], batch.game.players
    ranked = sorted(range(players), key=lambda seat: int(score["rank"][seat]))
    grid = Grid(box=box.SIMPLE_HEAD, show_footer=True)
    grid.add_column("", footer="points", no_wrap=True)
    for seat in ranked:
        title = f"{score['rank'][seat]}. {words.player_name(seat)}\n{names[seat]}"
        grid.add_column(title, footer=str(score["total"][seat]), justify="right", overflow="fold")
    for place, source in enumerate(batch.game.point_sources):
        points = score["points"][:players, place]
        if points.any():
            grid.add_row(words.plain(source), *(str(points[seat]) for seat in ranked))
    print(bold(words.result(batch.to_dict(0), score["total"][:players].tolist())))
    console().print(grid, highlight=False, markup=False)
    left = ", ".join(f"{words.player_name(seat).lower()}: {score['tie_break'][seat]}" for seat in ranked)
    print(f"Tie-break (doubloons and barrels): {left}")


def _in_colour() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR")
