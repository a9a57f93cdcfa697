"""The command line: ``pr-env COMMAND``. A new command is a function with ``@app.command()``.

Here are the options; `pr_env.commands` and `agents.commands` have what the commands do, and are loaded when asked for.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pr_env import __version__
from pr_env.replay import Replay, load_one

try:
    import rich  # noqa: F401 # boards are laid out with it: better to say now that it is missing
    import typer
except ModuleNotFoundError:
    raise SystemExit("the command line needs the extra 'cli': pip install 'pr-env[cli]'") from None

from pr_env.commands import completion, configuration, extras

if TYPE_CHECKING:
    from pr_env.commands.table import Table
    from pr_env.opponents import Player

app = typer.Typer(
    name="pr-env",
    help="Puerto Rico in the terminal: play, watch, compare and train players.",
    no_args_is_help=True,
    rich_markup_mode=None,  # help as plain text, the same on every terminal
    pretty_exceptions_enable=False,
)

# Options of several commands
Players = Annotated[int, typer.Option(metavar="N", help="Players at the table: 2 to 6.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="The same seed sets up the same game. Default: by chance.")]
Buildings = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="base; or with Expansion I draft, random, or 17 violet buildings with commas between them.",
        autocompletion=completion.buildings,
    ),
]
Balanced = Annotated[bool, typer.Option("--balanced", help="Play by the tournament players' rules.")]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="Any other option of the game, for example six_players=governor. May be repeated.",
        autocompletion=completion.rules,
    ),
]
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


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
def play(
    context: typer.Context,
    players: Players = 3,
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat; player 0 begins.")] = 0,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponents",
            "-o",
            metavar="AGENT",
            help="Who plays the other seats, see 'pr-env agents'. Once for all, or repeated for each one, clockwise "
            "from you. Default: builder.",
            autocompletion=completion.agents,
        ),
    ] = None,
    seed: Seed = None,
    buildings: Buildings = "base",
    balanced: Balanced = False,
    rules: Rules = None,
    tips: Annotated[
        str, typer.Option(metavar="AGENT", help="Whom the key t asks.", autocompletion=completion.agents)
    ] = "builder",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the game is saved. Default: a new file of this folder.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
) -> None:
    """Play against agents in the terminal.

    The board is drawn, your choices are listed, and a number chooses. Other keys: t for a tip, u to undo, l for the
    log, s to save, h for help, q to quit. Quitting saves the game, and so do Ctrl-C and the end of the input.

    Example: pr-env play --players 4 --opponents shipper --opponents mcts --opponents builder
    """
    with _errors_in_one_line("open"):
        from pr_env.commands import table
        from pr_env.commands.play import Session

        if resume is None:
            game = configuration.game(players, buildings, balanced, rules)
            if not 0 <= seat < players:
                raise ValueError(f"with {players} players the seats are 0 to {players - 1}, not {seat}")
            names = configuration.seats(players, seat, opponents or ["builder"])
            start = Replay(game, secrets.randbits(32) if seed is None else seed, (), names)
            file = save or table.free_name(start)
            table.check_new(file)
        else:
            configuration.refuse_with_resume(context)
            start, seat = table.load(resume)
            file = save or resume
            if file != resume:
                table.check_new(file)
        others = {place: name for place, name in enumerate(start.seats) if place != seat}
        _players({0: tips}, start.seed)  # complains now rather than when the tip is wanted
        Session(_table(start, others), seat, file, (tips, lambda: _players({0: tips}, start.seed)[0])).run()


@app.command()
def watch(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...", help="One for each seat, see 'pr-env agents'.", autocompletion=completion.agents
        ),
    ],
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats, if a single agent plays all of them. Default: 3.")
    ] = None,
    boards: Annotated[
        str, typer.Option(metavar="WHEN", help="Draw the board after every move or round, or at the end.")
    ] = "move",
    delay: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds between boards. Default: 0.5 in a terminal.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each board.")] = False,
    seed: Seed = None,
    buildings: Buildings = "base",
    balanced: Balanced = False,
    rules: Rules = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as a replay.")] = None,
) -> None:
    """Watch agents play one game.

    Example: pr-env watch builder shipper mcts --boards round --delay 2 --save game.jsonl
    """
    with _errors_in_one_line("open"):
        from pr_env.commands import screen, table
        from pr_env.commands import watch as watching

        names = tuple(agents * (3 if players is None else players) if len(agents) == 1 else agents)
        if players not in (None, len(names)):
            raise ValueError(f"{len(names)} agents play {len(names)} seats, not {players}")
        if boards not in watching.BOARDS:
            raise ValueError(f"boards is one of {', '.join(watching.BOARDS)}, not {boards!r}")
        if delay is not None and delay < 0:
            raise ValueError(f"delay is at least 0, not {delay}")
        if save is not None:
            table.check_new(save)
        game = configuration.game(len(names), buildings, balanced, rules)
        start = Replay(game, secrets.randbits(32) if seed is None else seed, (), names)
        if delay is None:
            delay = 0.5 if screen.on_terminal() else 0.0
        watching.watch(_table(start, dict(enumerate(names))), boards, delay, step, save)


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
    with _errors_in_one_line("read"):
        from pr_env.commands import replay as replaying

        recorded = load_one(file, game)
        if log:
            typer.echo("\n".join(recorded.log()))
        elif move is not None:
            replaying.show(recorded, recorded.moves(), move)
        else:
            replaying.step_through(recorded)


@app.command()
def arena(
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT...", help="Names, see 'pr-env agents'.", autocompletion=completion.agents),
    ],
    games: Annotated[int, typer.Option(metavar="N", help="Games of each table, rounded up to whole seatings.")] = 600,
    players: Annotated[int, typer.Option(metavar="N", help="Seats at a table: 2 to 6.")] = 3,
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
    processes: Annotated[
        int, typer.Option(metavar="N", help="How many play batches of games side by side: for agents that think long.")
    ] = 1,
) -> None:
    """Let agents play against each other, every agent in every seat and with the same seeds.

    With --mode pairs (the usual one) each agent sits alone among copies of each other one. With --mode first only the
    first agent does so, against each of the others. With --mode table one of each sits at the table in every order; of
    more agents than seats, every choice of as many. A single agent plays against itself.

    Who crashes, chooses an illegal action or stalls loses the game. After an interruption the same command with --out
    goes on with what is finished.

    Example: pr-env arena builder shipper random --games 600 --players 3 --out results.json
    """
    with _errors_in_one_line("use"):
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
            processes=processes,
        )


@app.command()
def agents() -> None:
    """List the agents that can play, with their options.

    Example: pr-env agents
    """
    with _errors_in_one_line("use"):
        from agents import commands

        commands.list_agents()


@app.command()
def validate(
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Who plays the strong games; 'A + B + C + D' sit at one table. May be repeated.",
            autocompletion=completion.agents,
        ),
    ] = None,
    random_games: Annotated[int, typer.Option(metavar="N", help="Games of random play, each.")] = 20_000,
    games: Annotated[int, typer.Option(metavar="N", help="Games of strong play, each.")] = 2_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed.")] = 0,
) -> None:
    """Compare games played here with what is known of the game: who wins from which seat, how long, why games end.

    Example: pr-env validate --agent builder --agent mcts:playouts=200 --games 1000
    """
    with _errors_in_one_line("use"):
        from agents import commands

        commands.validate(agent or [], random_games=random_games, strong_games=games, seed=seed)


@app.command(context_settings=PASSED_ON)
def train(context: typer.Context) -> None:
    """Train an agent, rate it against the others, and write it down.

    All options are those of ``python -m training``; 'pr-env train --help' lists them.

    Example: pr-env train --players 4 --minutes 30
    """
    with _errors_in_one_line("use"):
        from training.__main__ import main as train_main

        train_main(context.args, command="pr-env train")


@app.command()
def bench(
    quick: Annotated[
        bool, typer.Option("--quick", help="Player counts only, no batch sizes, no compile times.")
    ] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the figures to a file.")] = None,
    repeats: Annotated[int, typer.Option(metavar="N", min=1, help="Runs of each figure, the best counts.")] = 5,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.001, help="Length of a run.")] = 0.5,
) -> None:
    """Measure how fast the rules play here: decisions and games a second, memory, time to start.

    Example: pr-env bench --quick
    """
    with _errors_in_one_line("write"):
        from pr_env.commands import bench as benchmark

        benchmark.bench(json, quick, repeats, seconds)


@app.command()
def info(
    players: Players = 3,
    buildings: Buildings = "base",
    balanced: Balanced = False,
    rules: Rules = None,
) -> None:
    """Show what is installed and what is missing, where compiled code is kept, and the sizes of a game.

    Example: pr-env info --players 4 --buildings draft
    """
    with _errors_in_one_line("use"):
        from pr_env.commands import info as informing

        informing.info(configuration.game(players, buildings, balanced, rules))


def _table(start: Replay, names: dict[int, str]) -> Table:
    """The table of a game with its players, who were asked once."""
    from pr_env.commands.table import Table

    table = Table(start, _players(names, start.seed))
    table.ask_everybody()
    return table


def _players(names: dict[int, str], seed: int) -> dict[int, Player]:
    """The players of these seats; those of equal names differ by what they start from."""
    from agents import make_agent  # the commands that need players load them

    return {seat: make_agent(name, seed=(seed + seat) % 2**32) for seat, name in names.items()}


@contextmanager
def _errors_in_one_line(doing: str) -> Iterator[None]:
    """What is wrong with the input ends the command with a sentence instead of a traceback."""
    try:
        yield
    except ValueError as error:
        message = str(error)
    except ModuleNotFoundError as error:
        message = str(error) if error.name is None else extras.what_to_install(error.name)
    except OSError as error:
        if error.filename is None:  # not about a file of the user, for example a closed pipe
            raise
        message = f"cannot {doing} {error.filename}: {error.strerror}"
    else:
        return
    typer.echo(f"pr-env: {message}", err=True)
    raise typer.Exit(1)


if __name__ == "__main__":
    main()
