"""The commands ``pr-env arena``, ``agents``, ``export`` and ``validate``; `agents.commands` has what they do.

Found by the entry-point group ``pr_env.commands``. Nothing heavy is loaded before a command is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pr_env import registry
from pr_env.commands import completion
from pr_env.commands.choice import chosen
from pr_env.commands.errors import errors_in_one_line
from pr_env.commands.game_command import GameCommand, GameName


def add(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(cls=GameCommand)(arena)
    app.command("agents")(list_agents)
    app.command(cls=GameCommand)(export)
    app.command()(validate)


def arena(
    context: typer.Context,
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT...", help="Names, see 'pr-env agents'.", autocompletion=completion.agents),
    ],
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of each table, rounded up to whole seatings. Default: 600."),
    ] = None,
    mode: Annotated[str, typer.Option(metavar="MODE", help="pairs, first or table, see above.")] = "pairs",
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed; the same seed gives the same games.")] = 0,
    positions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Begin at these positions, one of JSON a line; every seating plays each."),
    ] = None,
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
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT, auto (this machine's) or local (a new one)."
        ),
    ] = None,
) -> None:
    """Let agents play against each other, every agent in every seat and with the same seeds.

    With --mode pairs (the usual one) each agent sits alone among copies of each other one. With --mode first only the
    first agent does so, against each of the others. With --mode table one of each sits at the table in every order; of
    more agents than seats, every choice of as many. A single agent plays against itself.

    Where all win or lose together, agents are partners: with --mode pairs each sits alone among copies of each one,
    itself included; with --mode first only the first agent does so; with --mode table one of each are the team. In a
    game for one every agent plays alone, in all modes. Agents are then compared by games won and points on the same
    seeds. Where teams play against each other, an agent plays all seats of a team.

    Who crashes, chooses an illegal action or stalls loses the game, and so does its team. After an interruption the
    same command with --out goes on with what is finished.

    Example: pr-env arena builder shipper random --games 600 --players 3 --out results.json

    Example: pr-env arena builder shipper --buildings draft --positions positions.jsonl
    """
    with errors_in_one_line("use"):
        from agents import commands

        commands.arena(
            chosen(context).game(),
            agents,
            mode=mode,  # type: ignore[arg-type] # it checks
            games=games,
            seed=seed,
            positions=positions,
            batch=batch,
            seconds=seconds_per_answer,
            out=out,
            replays=replays,
            processes=processes,
            ray=ray,
        )


def list_agents(game: GameName = registry.DEFAULT) -> None:
    """List the agents that can play a game, with their options.

    Example: pr-env agents
    """
    with errors_in_one_line("use"):
        from agents import commands

        commands.list_agents(registry.find_game(game))


def export(
    context: typer.Context,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT...]",
            help="Who plays: one for each seat, in every seating; of fewer, the last one has the seats that are left.",
            autocompletion=completion.agents,
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write; the same command goes on with it.")
    ] = Path("decisions"),
    games: Annotated[int, typer.Option(metavar="N", help="How many games, rounded up to whole seatings.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed; the same seed gives the same games.")] = 0,
    replays: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games of a file of replays; then there are no agents."),
    ] = None,
    observation: Annotated[
        str, typer.Option(metavar="KIND", help="counts, float16 or record (with what is hidden), see docs/data.md.")
    ] = "counts",
    reward: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="A reward scheme of the game. Default: its usual one.")
    ] = None,
    part: Annotated[
        int, typer.Option(metavar="N", help="Games of a file: what is lost at most by an interruption.")
    ] = 512,
    seconds_per_answer: Annotated[
        float, typer.Option(metavar="S", help="Who takes longer for the moves of a whole part ends the command.")
    ] = 300.0,
) -> None:
    """Write every decision of many games as Parquet files: what was seen, legal and played, and what came of it.

    Example: pr-env export builder shipper trader --games 3000 --out games

    Example: pr-env export --replays games.jsonl --out games
    """
    with errors_in_one_line("use"):
        from agents import commands

        commands.export(
            chosen(context),
            agents or [],
            out=out,
            games=games,
            seed=seed,
            replays=replays,
            observation=observation,
            reward=reward,
            part=part,
            seconds=seconds_per_answer,
        )


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
    game: GameName = registry.DEFAULT,
) -> None:
    """Compare games played here with what is known of the game: who wins from which seat, how long, why games end.

    Example: pr-env validate --agent builder --agent mcts:playouts=200 --games 1000
    """
    with errors_in_one_line("use"):
        from agents import commands

        kind = registry.find_game(game)
        commands.validate(kind, agent or [], random_games=random_games, strong_games=games, seed=seed)
