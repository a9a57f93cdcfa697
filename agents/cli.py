"""The commands ``pr-env arena``, ``agents``, ``export`` and ``validate``; `agents.commands` implements them.

Found by the entry-point group ``pr_env.commands``. Heavy imports wait until a command is used.
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
    """Register the commands."""
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
        typer.Option(metavar="N", help="Games per table, rounded up to whole seatings. Default: 600."),
    ] = None,
    mode: Annotated[str, typer.Option(metavar="MODE", help="pairs, first or table, see above.")] = "pairs",
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed; the same seed gives the same games.")] = 0,
    positions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Start from these positions, one JSON line each; every seating plays each."),
    ] = None,
    batch: Annotated[int | None, typer.Option(metavar="N", help="Games played at once.")] = None,
    seconds_per_answer: Annotated[
        float, typer.Option(metavar="S", help="An agent that takes longer for the moves of a batch forfeits its games.")
    ] = 300.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all results as JSON; the same command resumes.")
    ] = None,
    replays: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game as a replay.")] = None,
    processes: Annotated[
        int, typer.Option(metavar="N", help="Processes that play batches in parallel: for slow agents.")
    ] = 1,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT, auto (this machine's) or local (a new one)."
        ),
    ] = None,
) -> None:
    """Run a tournament: every agent plays in every seat, with the same seeds.

    With --mode pairs (the default) each agent plays one seat against copies of each other agent. With --mode first only
    the first agent does so, against each of the others. With --mode table all agents sit at one table, in every order;
    if there are more agents than seats, in every combination. A single agent plays against itself.

    In cooperative games agents are partners: with --mode pairs each plays one seat among copies of each agent, itself
    included; with --mode first only the first agent does so; with --mode table one of each form the team. In solo games
    every agent plays alone, in all modes. Agents are then compared by games won and points on the same seeds. In games
    between teams an agent plays all seats of a team.

    Faulty agents forfeit: an agent that crashes, chooses an illegal action or exceeds its time loses the game, with its
    team. After an interruption the same command with --out resumes.

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
            help="One agent per seat, in every seating; if there are fewer, the last one takes the remaining seats.",
            autocompletion=completion.agents,
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Output folder; the same command resumes.")] = Path(
        "decisions"
    ),
    games: Annotated[int, typer.Option(metavar="N", help="Number of games, rounded up to whole seatings.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed; the same seed gives the same games.")] = 0,
    replays: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Export the games of a file of replays instead of playing."),
    ] = None,
    observation: Annotated[
        str, typer.Option(metavar="KIND", help="counts, float16 or record (includes hidden state), see docs/data.md.")
    ] = "counts",
    reward: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="A reward scheme of the game. Default: that of the game.")
    ] = None,
    part: Annotated[int, typer.Option(metavar="N", help="Games per file: the most that an interruption loses.")] = 512,
    seconds_per_answer: Annotated[
        float, typer.Option(metavar="S", help="The command fails if an agent takes longer for the moves of a part.")
    ] = 300.0,
) -> None:
    """Export every decision of many games as Parquet: observation, legal actions, action, reward and result.

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
            help="Agents of the strong games; 'A + B + C + D' share one table. May be repeated.",
            autocompletion=completion.agents,
        ),
    ] = None,
    random_games: Annotated[int, typer.Option(metavar="N", help="Games per table of random play.")] = 20_000,
    games: Annotated[int, typer.Option(metavar="N", help="Games per table of strong play.")] = 2_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed.")] = 0,
    game: GameName = registry.DEFAULT,
) -> None:
    """Compare simulated games with known facts: wins by seat, length, endings.

    Example: pr-env validate --agent builder --agent mcts:playouts=200 --games 1000
    """
    with errors_in_one_line("use"):
        from agents import commands

        kind = registry.find_game(game)
        commands.validate(kind, agent or [], random_games=random_games, strong_games=games, seed=seed)
