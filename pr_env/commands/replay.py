"""``pr-env replay``: one recorded game, move by move."""

from __future__ import annotations

import sys

import typer

from pr_env.commands import screen
from pr_env.replay import Move, Replay

KEYS = "Enter or n: next, p or b: back, a number: that move, r: next {unit}, q: quit"


def step_through(recorded: Replay) -> None:
    """Show the board, read a key and go to that move, until q or the end of the input."""
    moves, keys = recorded.moves(), KEYS.format(unit=recorded.game.words.one_unit)
    at, message = 0, ""
    while True:
        screen.clear()
        show(recorded, moves, at)
        typer.echo(f"{message}[{keys}] ", nl=not screen.on_terminal())
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if not line or answer == "q":
            return
        try:
            at, message = _go(answer, at, moves), ""
        except ValueError as error:
            message = f"{error}\n"


def show(recorded: Replay, moves: list[Move], at: int) -> None:
    """Show the board after a number of moves, with the last move and the next one."""
    batch = recorded.batch_at(at)  # raises if there is no such move
    made = str(moves[at - 1]) if at > 0 else "the game is set up"
    if at < len(moves):
        following = moves[at].decision
    else:
        following = "none, the replay ends here"
    typer.echo(screen.board(batch, names=recorded.seats))
    typer.echo(f"\nmove {at} of {len(moves)}: {made}\nnext: {following}")


def _go(answer: str, at: int, moves: list[Move]) -> int:
    """The move to show next; ValueError for an unknown answer."""
    if answer in ("", "n"):
        return min(at + 1, len(moves))
    if answer in ("p", "b"):
        return max(at - 1, 0)
    if answer == "r":
        return _next_round(at, moves)
    if answer.isdecimal() and len(answer) < 10 and int(answer) <= len(moves):
        return int(answer)
    raise ValueError(f"{answer!r} is neither a move (0 to {len(moves)}) nor a key")


def _next_round(at: int, moves: list[Move]) -> int:
    """The move at which the next round starts; the last one if there is none."""
    for move in moves[at + 1 :]:
        if move.round > moves[at].round:
            return move.number - 1
    return len(moves)
