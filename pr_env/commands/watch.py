"""``pr-env watch``: watch agents play one game."""

from __future__ import annotations

import time
from pathlib import Path

import typer

from pr_env import replay
from pr_env.commands import screen
from pr_env.commands.table import Table

BOARDS = ("move", "round", "end")  # when the board is drawn
MOVES_SHOWN = 8  # below a board that is drawn after every move
STEP = "Enter: continue, q: quit > "


def watch(table: Table, boards: str, delay: float, step: bool, file: Path | None) -> None:
    """Play to the end, or until Ctrl-C or q.

    Args:
        table: The game with its players.
        boards: When to draw the board, one of BOARDS.
        delay: Seconds to wait after each board.
        step: Whether to wait for Enter instead.
        file: Where to save the game, finished or not.
    """
    try:
        _play(table, boards, delay, step)
    except (EOFError, KeyboardInterrupt):
        typer.echo(f"\nStopped after move {table.moves}.")
    if file is not None:
        replay.save(file, [table.replay])
        typer.echo(f"Saved. To look at it: pr-env replay {file}")


def _play(table: Table, boards: str, delay: float, step: bool) -> None:
    words, drawn = table.batch.game.words, 0  # moves already told
    while not table.is_over:
        round_ = words.round_number(table.moment)
        table.play_seat()
        if table.is_over or boards == "move" or (boards == "round" and words.round_number(table.moment) != round_):
            _draw(table, drawn, boards)
            drawn = table.moves
            if not table.is_over:
                _wait(delay, step)
    typer.echo()
    screen.final_table(table.batch, table.names)


def _draw(table: Table, drawn: int, boards: str) -> None:
    """Draw the board and the latest moves; on a cleared screen, repeat some earlier moves as well."""
    since = max(0, table.moves - MOVES_SHOWN) if boards == "move" and screen.on_terminal() else drawn
    screen.clear()
    if boards == "end":
        typer.echo("\n".join(table.replay.log()) + "\n")
    told = screen.told(table.replay.moves(since), table.batch.game.words)
    typer.echo(screen.board(table.batch, answers=False, names=table.names, below=len(told) + 2))
    if boards != "end":
        typer.echo("\n" + "\n".join(told))


def _wait(delay: float, step: bool) -> None:
    if not step:
        time.sleep(delay)
    elif input(screen.bold(STEP)).strip().lower() == "q":
        raise EOFError
