"""The commands ``pr-env arena``, ``agents``, ``export`` and ``validate``; `agents.cli` defines their options."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agents.arena.positions import load_positions
from agents.arena.report import progress_bar, report
from agents.arena.schedule import Mode
from agents.arena.tournament import play_tournament
from agents.offered import names_of_others
from agents.policies import PLAYERS_OF
from agents.registry import Entry, agent_class, agents_of, options_of
from pr_env.commands.choice import Choice
from pr_env.game import Game

WIDTH_OF_FILES = 140  # width of tables if the output is not a terminal


def arena(
    game: Game,
    agents: Sequence[str],
    *,
    mode: Mode,
    games: int | None,
    seed: int,
    positions: Path | None,
    batch: int | None,
    seconds: float,
    out: Path | None,
    replays: Path | None,
    processes: int,
    ray: str | None,
) -> None:
    """Play a tournament and print its results.

    Raises:
        ValueError: If the options or the file of positions are invalid.
        KeyboardInterrupt: If it was interrupted; finished batches are kept.
    """
    with progress_bar(Console(stderr=True)) as progress:
        tournament = play_tournament(
            game,
            agents,
            mode=mode,
            games=games,
            seed=seed,
            positions=None if positions is None else load_positions(positions, game),
            batch=batch,
            seconds=seconds,
            out=out,
            replays=replays,
            processes=processes,
            ray=ray,
            progress=progress,
        )
    console = _console()
    for part in report(tournament):
        console.print(part, highlight=False)
    for file in (out, replays):
        if file is not None:
            console.print(f"written: {file}", highlight=False, soft_wrap=True)


def list_agents(kind: type[Game]) -> None:
    """Print all agents that can play a game, with descriptions and options."""
    table = Table()
    for column in ("name", "description", "options"):
        table.add_column(column)
    for name, entry in agents_of(kind.name).items():
        table.add_row(name, entry.words, _options(entry))
    for name, words in names_of_others(kind).items():
        table.add_row(name, words, "")
    console = _console()
    console.print(table)
    console.print("Options follow a colon: mcts:playouts=2000,rollout=builder", highlight=False)


def export(
    choice: Choice,
    agents: Sequence[str],
    *,
    out: Path,
    games: int,
    seed: int,
    replays: Path | None,
    observation: str,
    reward: str | None,
    part: int,
    seconds: float,
) -> None:
    """Play games, or read replays, and write their decisions.

    Raises:
        ValueError: If the options, the replay file or the folder are invalid.
        KeyboardInterrupt: If it was interrupted; finished files are kept.
    """
    from agents import exporting  # here, because only this command needs PyArrow

    source: exporting.Source
    if replays is None:
        source = exporting.AgentGames(choice.game(), agents, games, seed, seconds)
    elif agents:
        raise ValueError("agents and --replays cannot be combined")
    else:
        local = {name: value for name, value in choice.given.items() if name in choice.kind.local_options}
        source = exporting.ReplayGames(replays, **local)
    with progress_bar(Console(stderr=True)) as progress:
        written = exporting.export(
            source,
            out,
            observation=observation,  # type: ignore[arg-type] # it checks
            reward=reward,
            part=part,
            progress=progress,
        )
    size = sum(file.stat().st_size for file in written.files)
    _console().print(
        f"{out} has {len(written):,} decisions, {size / max(1, len(written)):.1f} bytes each", highlight=False
    )


def validate(kind: type[Game], agents: Sequence[str], *, random_games: int, strong_games: int, seed: int) -> None:
    """Play, and print a comparison of the simulator with known figures, by the module ``validate`` of the game.

    Raises:
        ValueError: If there are no figures for the game, or the options are invalid.
    """
    if kind.name not in PLAYERS_OF:
        known = " and ".join(PLAYERS_OF)
        raise ValueError(f"validate supports {known}: there are no known figures for {kind.name}")
    own = importlib.import_module(f"{PLAYERS_OF[kind.name]}.validate")
    console = _console()
    with progress_bar(Console(stderr=True)) as progress:
        own.print_report(
            console, agents, random_games=random_games, strong_games=strong_games, seed=seed, progress=progress
        )


def _options(entry: Entry) -> str:
    """The options of an agent with their defaults, or the library that it lacks."""
    try:
        made = agent_class(entry)
    except ModuleNotFoundError as error:
        return f"(needs {error.name})"
    parameters = inspect.signature(made).parameters
    options = [parameters[name] for name in options_of(made)]
    return ", ".join(
        option.name if option.default is inspect.Parameter.empty else f"{option.name}={option.default}"
        for option in options
    )


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH_OF_FILES)
