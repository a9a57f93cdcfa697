"""The command line: ``pr-env COMMAND``. A new command is a function with ``@app.command()``."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated

from pr_env import Batch, __version__
from pr_env.replay import Move, Replay, ReplayError, load_one

try:
    import rich  # noqa: F401 # boards are laid out with it: better to say now that it is missing
    import typer
except ModuleNotFoundError:
    raise SystemExit("the command line needs the extra 'cli': pip install 'pr-env[cli]'") from None

KEYS = "Enter or n: next, p or b: back, a number: that move, r: next round, q: quit"
CLEAR_SCREEN = "\x1b[2J\x1b[H"

app = typer.Typer(
    name="pr-env",
    help="Games of pr-env in the terminal.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # help as plain text, the same on every terminal
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line."""
    app()


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pr-env {__version__}")
        raise typer.Exit


@app.callback()
def _options_of_all(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before the command. With them typer keeps the name of a command even if there is only one."""


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of replays, one JSON line a game.")],
    game: Annotated[int, typer.Option(metavar="N", help="Which game of the file, from 1 on.")] = 1,
    move: Annotated[
        int | None, typer.Option(metavar="K", help="Print the board after K moves (0: set-up) and end.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Print the whole game in words and end.")] = False,
) -> None:
    """Step through a recorded game, or print it.

    Keys, each followed by Enter: nothing or n for the next move, p or b back, a number for that move, r for the next
    round, q to quit.

    Example: pr-env replay games.jsonl --game 2 --log
    """
    with _errors_in_one_line("read", ReplayError):
        recorded = load_one(file, game)
        if log:
            typer.echo("\n".join(recorded.log()))
        elif move is not None:
            _show(recorded, recorded.moves(), move)
        else:
            _step_through(recorded)


@app.command()
def arena(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT", help="Names, see 'pr-env agents'.")],
    games: Annotated[int, typer.Option(metavar="N", help="Games of each table, rounded up to whole seatings.")] = 600,
    players: Annotated[int, typer.Option(metavar="N", help="Seats at a table: 2 to 5.")] = 3,
    mode: Annotated[str, typer.Option(metavar="MODE", help="pairs, first or table, see above.")] = "pairs",
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed; the same seed gives the same games.")] = 0,
    batch: Annotated[int | None, typer.Option(metavar="N", help="Games played at once.")] = None,
    seconds_per_answer: Annotated[
        float, typer.Option(metavar="S", help="Who takes longer for the moves of a whole batch loses its games.")
    ] = 300.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all results as JSON; the same command goes on with it.")
    ] = None,
    replays: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game as a replay.")] = None,
) -> None:
    """Let agents play against each other, every agent in every seat and with the same seeds.

    With --mode pairs (the usual one) each agent sits alone among copies of each other one. With --mode first only the
    first agent does so, against each of the others. With --mode table one of each sits at the table in every order; of
    more agents than seats, every choice of as many. A single agent plays against itself.

    Who crashes, chooses an illegal action or stalls loses the game. After an interruption the same command with --out
    goes on with what is finished.

    Example: pr-env arena builder shipper random --games 600 --players 3 --out results.json
    """
    with _errors_in_one_line("use", ValueError, ModuleNotFoundError):
        from agents import commands  # the commands that need players load them

        commands.arena(
            agents,
            players=players,
            mode=mode,  # type: ignore[arg-type] # it checks
            games=games,
            seed=seed,
            batch=batch,
            seconds=seconds_per_answer,
            out=out,
            replays=replays,
        )


@app.command()
def agents() -> None:
    """List the agents that can play, with their options."""
    from agents import commands

    commands.list_agents()


@app.command()
def validate(
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT", help="Who plays the strong games; 'A + B + C + D' sit at one table. May be repeated."
        ),
    ] = None,
    random_games: Annotated[int, typer.Option(metavar="N", help="Games of random play, each.")] = 20_000,
    games: Annotated[int, typer.Option(metavar="N", help="Games of strong play, each.")] = 2_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed.")] = 0,
) -> None:
    """Compare games played here with what is known of the game: who wins from which seat, how long, why games end.

    Example: pr-env validate --agent builder --agent mcts:playouts=200 --games 1000
    """
    with _errors_in_one_line("use", ValueError):
        from agents import commands

        commands.validate(agent or [], random_games=random_games, strong_games=games, seed=seed)


@contextmanager
def _errors_in_one_line(doing: str, *expected: type[Exception]) -> Iterator[None]:
    """What is wrong with the input ends the command with a sentence instead of a traceback."""
    try:
        yield
    except expected as error:
        message = str(error)
    except OSError as error:
        if error.filename is None:  # not about a file of the user, for example a closed pipe
            raise
        message = f"cannot {doing} {error.filename}: {error.strerror}"
    else:
        return
    typer.echo(f"pr-env: {message}", err=True)
    raise typer.Exit(1)


def _step_through(recorded: Replay) -> None:
    """Show the board, read a line, go where it says; until q or the end of the input."""
    moves = recorded.moves()
    at, message = 0, ""
    while True:
        if _on_terminal():
            typer.echo(CLEAR_SCREEN, nl=False)
        _show(recorded, moves, at)
        typer.echo(f"{message}[{KEYS}] ", nl=not _on_terminal())
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if not line or answer == "q":
            return
        try:
            at, message = _go(answer, at, moves), ""
        except ValueError as error:
            message = f"{error}\n"


def _go(answer: str, at: int, moves: list[Move]) -> int:
    """The move to show next; ValueError for an answer that means nothing."""
    if answer in ("", "n"):
        return min(at + 1, len(moves))
    if answer in ("p", "b"):
        return max(at - 1, 0)
    if answer == "r":
        return _next_round(at, moves)
    if answer.isdecimal() and len(answer) < 10 and int(answer) <= len(moves):
        return int(answer)
    raise ValueError(f"{answer!r} is no move (0 to {len(moves)}) and no key")


def _next_round(at: int, moves: list[Move]) -> int:
    """Where the next round starts; the end if there is none."""
    for move in moves[at + 1 :]:
        if move.round > moves[at].round:
            return move.number - 1
    return len(moves)


def _show(recorded: Replay, moves: list[Move], at: int) -> None:
    """The board after a number of moves, the move that led to it and the one that follows."""
    batch = recorded.batch_at(at)  # complains about a move that there is not
    made = str(moves[at - 1]) if at > 0 else "the game is set up"
    if at < len(moves):
        following = f"player {moves[at].player}: {moves[at].words}"
    else:
        following = "none, the replay ends here"
    typer.echo(_board(batch).rstrip("\n"))
    typer.echo(f"\nmove {at} of {len(moves)}: {made}\nnext: {following}")


def _board(batch: Batch) -> str:
    """One game as text, by the module of ``pr_env.render`` that is named after it."""
    pictures = import_module(f"pr_env.render.{batch.game.name}")
    points = batch.score()["total"][0, : batch.game.players].tolist()
    width = shutil.get_terminal_size((100, 40)).columns
    return str(pictures.text(batch.to_dict(0), batch.legal_actions(0), points, width=width, colour=_in_colour()))


def _on_terminal() -> bool:
    return sys.stdout.isatty()


def _in_colour() -> bool:
    return _on_terminal() and not os.environ.get("NO_COLOR")


if __name__ == "__main__":
    main()
