"""The command line: ``pr-env COMMAND``. A new command is a function with ``@app.command()``.

This module defines the options; the commands are implemented in `pr_env.commands` and loaded on demand. Commands that
play a game are of the class `GameCommand`, which adds the options of that game. Other packages add their commands by
entry points, see `pr_env.commands.layers`.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pr_env import __version__, registry
from pr_env.game import Game
from pr_env.opponents import make_opponent
from pr_env.replay import Replay, load_one

try:
    import rich  # noqa: F401 # needed to draw boards: report now if it is missing
    import typer
except ModuleNotFoundError:
    raise SystemExit(
        "the command line needs the extra 'cli': pip install -e '.[cli]' in the checkout of pr-env"
    ) from None

from pr_env.commands import completion, configuration
from pr_env.commands.choice import chosen
from pr_env.commands.errors import errors_in_one_line
from pr_env.commands.game_command import GameCommand, GameName
from pr_env.commands.layers import Program

if TYPE_CHECKING:
    from pr_env.commands.table import Table
    from pr_env.opponents import Player

app = typer.Typer(
    name="pr-env",
    help="Board games in the terminal: play, watch, compare and train players.",
    cls=Program,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text, the same on every terminal
    pretty_exceptions_enable=False,
)

# Shared by several commands
Seed = Annotated[int | None, typer.Option(metavar="N", help="The same seed gives the same set-up. Default: random.")]


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
    """Options before the command. With this callback, typer keeps the command's name even if there is only one."""


@app.command(cls=GameCommand)
def play(
    context: typer.Context,
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat; player 0 moves first.")] = 0,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponents",
            "-o",
            metavar="AGENT",
            help="Agents in the other seats, see 'pr-env agents': one for all, or one each, clockwise from you. "
            "Default: the game's usual opponent.",
            autocompletion=completion.agents,
        ),
    ] = None,
    seed: Seed = None,
    tips: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Agent that gives tips (key t). Default: the game's usual opponent.",
            autocompletion=completion.agents,
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to save the game. Default: a new file in this folder.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Resume a saved game.")] = None,
    campaign: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play a campaign, if the game has one: begin it in FILE, or go on with it."),
    ] = None,
) -> None:
    """Play against agents in the terminal.

    Shows the board and your legal actions; type a number to choose one. Other keys: t for a tip, u to undo, l for the
    log, s to save, h for help, q to quit. The game is saved when you quit, on Ctrl-C and at the end of the input.

    Example: pr-env play --players 4 --opponents shipper --opponents mcts --opponents builder
    """
    with errors_in_one_line("open"):
        from pr_env.commands import table
        from pr_env.commands.play import Session

        choice = chosen(context)
        if campaign is not None:
            _play_campaign(context, campaign, seat, opponents, seed, tips)
            return
        if resume is None:
            game = choice.game()
            if not 0 <= seat < game.players:
                raise ValueError(f"--seat must be from 0 to {game.players - 1} with {game.players} players, got {seat}")
            names = configuration.seats(game, seat, opponents)
            start = Replay(game, secrets.randbits(32) if seed is None else seed, (), names)
            file = save or table.free_name(start)
            table.check_new(file)
        else:
            configuration.refuse_with_resume(context)
            start, seat = table.load(resume, **choice.given)
            file = save or resume
            if file != resume:
                table.check_new(file)
        others = {place: name for place, name in enumerate(start.seats) if place != seat}
        if resume is not None:
            configuration.refuse_programs(resume, others, _players(start.game, others, start.seed))
        tipster = tips or registry.usual_opponent(start.game.name)

        def call_tipster() -> Player:
            return _players(start.game, {0: tipster}, start.seed)[0]

        call_tipster()  # fails now rather than when a tip is asked for
        Session(_table(start, others), seat, file, (tipster, call_tipster)).run()


def _play_campaign(
    context: typer.Context, file: Path, seat: int, opponents: list[str] | None, seed: int | None, tips: str | None
) -> None:
    from pr_env.campaign import campaign_of
    from pr_env.commands import campaign, table

    choice = chosen(context)
    if file.exists():
        configuration.refuse_with_campaign(context)
        current, seat = campaign.load(file, choice.kind, **choice.given)
        others = {place: name for place, name in enumerate(current.seats) if place != seat}
        configuration.refuse_programs(file, others, _players(current.first_game, others, 0))
    else:
        configuration.refuse_without_campaign(context)
        table.check_new(file)
        current = campaign_of(choice.kind).for_options(choice.given)
        if not 0 <= seat < current.players:
            raise ValueError(
                f"--seat must be from 0 to {current.players - 1} with {current.players} players, got {seat}"
            )
        current = current.with_seats(configuration.seats(current.first_game, seat, opponents))
    tipster = tips or registry.usual_opponent(choice.kind.name)
    _players(current.first_game, {0: tipster}, 0)  # complains now rather than when the tip is wanted
    campaign.play(current, seat, file, tipster, _players, seed)


@app.command(cls=GameCommand)
def watch(
    context: typer.Context,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="One agent per seat, or one for all seats; see 'pr-env agents'.",
            autocompletion=completion.agents,
        ),
    ],
    boards: Annotated[
        str, typer.Option(metavar="WHEN", help="Draw the board after every move or round, or at the end.")
    ] = "move",
    delay: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds between boards. Default: 0.5 in a terminal.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each board.")] = False,
    seed: Seed = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as a replay.")] = None,
) -> None:
    """Watch agents play one game.

    Example: pr-env watch builder shipper mcts --boards round --delay 2 --save game.jsonl
    """
    with errors_in_one_line("open"):
        from pr_env.commands import screen, table
        from pr_env.commands import watch as watching

        game, names = configuration.seated(chosen(context), agents)
        if boards not in watching.BOARDS:
            raise ValueError(f"--boards must be one of {', '.join(watching.BOARDS)}, got {boards!r}")
        if delay is not None and delay < 0:
            raise ValueError(f"--delay must be at least 0, got {delay}")
        if save is not None:
            table.check_new(save)
        start = Replay(game, secrets.randbits(32) if seed is None else seed, (), names)
        if delay is None:
            delay = 0.5 if screen.on_terminal() else 0.0
        watching.watch(_table(start, dict(enumerate(names))), boards, delay, step, save)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of replays, one JSON line per game.")],
    number: Annotated[int, typer.Option(metavar="N", help="Number of the game in the file, starting at 1.")] = 1,
    move: Annotated[
        int | None, typer.Option(metavar="K", help="Print the board after K moves (0: set-up) and exit.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Print the whole game in words and exit.")] = False,
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Folder of card files, if the game was played with your own."),
    ] = None,
    game: GameName = registry.DEFAULT,
) -> None:
    """Step through a recorded game, or print it.

    Keys, each followed by Enter: nothing or n for the next move, p or b for the previous one, a number for that move,
    r for the next round, q to quit.

    The file names its game; --game module:Class imports one that is not installed.

    Example: pr-env replay games.jsonl --number 2 --log
    """
    with errors_in_one_line("read"):
        from pr_env.commands import replay as replaying

        registry.find_game(game)
        recorded = load_one(file, number, **({} if data is None else {"data": data}))
        if log:
            typer.echo("\n".join(recorded.log()))
        elif move is not None:
            replaying.show(recorded, recorded.moves(), move)
        else:
            replaying.step_through(recorded)


@app.command(cls=GameCommand)
def bench(
    context: typer.Context,
    quick: Annotated[bool, typer.Option("--quick", help="Skip batch sizes and compile times.")] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the results to a file.")] = None,
    repeats: Annotated[int, typer.Option(metavar="N", min=1, help="Runs per measurement; the best one counts.")] = 5,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.001, help="Length of a run in seconds.")] = 0.5,
) -> None:
    """Measure the speed of the rules on this machine: decisions and games per second, memory, start-up time.

    Without game options: one configuration for each record type of the game, with every number of players.

    Example: pr-env bench --quick
    """
    with errors_in_one_line("write"):
        from pr_env.commands import bench as benchmark

        benchmark.bench(chosen(context), json, quick, repeats, seconds)


@app.command(cls=GameCommand)
def check(
    context: typer.Context,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games played at once.")] = 24,
    steps: Annotated[int, typer.Option(metavar="N", min=1, help="Decisions in each game.")] = 200,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the games and of the random play.")] = 0,
) -> None:
    """Check that a game keeps the promises that every game makes (see docs/add_a_game.md).

    Example: pr-env check --game examples.nim:Nim --players 3
    """
    with errors_in_one_line("use"):
        from pr_env.testing import BrokenPromiseError, check_game

        game = chosen(context).game()
        try:
            promises = check_game(game, games=games, steps=steps, seed=seed)
        except BrokenPromiseError as error:
            raise ValueError(f"broken promise: {error}") from None
        for promise in promises:
            typer.echo(f"kept  {promise}")


@app.command("compile", cls=GameCommand)
def compile_ahead(context: typer.Context) -> None:
    """Compile rules, batches and agents now rather than on first use.

    Without options: all games, with one configuration for each of their record types.

    Example: pr-env compile --players 4
    """
    with errors_in_one_line("write"):
        from pr_env.commands import compile as compiling

        compiling.compile_ahead(compiling.configurations_for(chosen(context)))


@app.command(cls=GameCommand)
def info(context: typer.Context) -> None:
    """Show installed and missing libraries, the cache of compiled code, all games, and the sizes of one configuration.

    Example: pr-env info --players 4 --buildings draft
    """
    with errors_in_one_line("use"):
        from pr_env.commands import info as informing

        informing.info(chosen(context))


def _table(start: Replay, names: dict[int, str]) -> Table:
    """The table of a game with its players; each player is asked once."""
    from pr_env.commands.table import Table

    table = Table(start, _players(start.game, names, start.seed))
    table.ask_everybody()
    return table


def _players(game: Game, names: dict[int, str], seed: int) -> dict[int, Player]:
    """The players in these seats; players with the same name get different seeds."""
    return {seat: make_opponent(name, game=game, seed=(seed + seat) % 2**32) for seat, name in names.items()}


if __name__ == "__main__":
    main()
