"""A report on strong play in Port Royal, next to the few known figures of games between people.

``pr-env validate --game port_royal`` prints it. A strong agent is added with ``--agent NAME``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from agents.arena import MatchResult, Progress, play_match
from agents.arena.report import faults, number_of, percent, titled, words
from agents.arena.statistics import average
from agents.port_royal.habits import MOST_SABRES, Busts, Draws, Hires
from agents.registry import make_agent
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.tables import NUM_COLOURS

SHIPPED, SCRIPTED = "ppo", "crew"  # the default agents: the shipped network if there is one
LEAST_SEEN = 30  # smallest number of decisions for which a share is shown
_CONTRACTS = ("contract_cards", "contracts")


@dataclass(frozen=True)
class Known:
    """A configuration, and known figures of games between people, in words.

    Attributes:
        name: Name of the configuration in the report.
        options: Options of the game.
        rounds: Length of a game.
        busts: Busts per game.
        random: Turns, decisions and busts of 300 random games of another implementation.
    """

    name: str
    options: dict[str, Any]
    rounds: str = ""
    busts: str = "1 to 2 (a review)"
    random: tuple[float, float, float] | None = None

    @property
    def game(self) -> PortRoyal:
        """The game in this configuration."""
        return PortRoyal(**self.options)


BASE_3 = Known("base, 3 players", {"players": 3}, rounds="10 (one recorded game)", random=(65.6, 242, 3.1))
CONTRACTS_3 = Known("contracts, 3 players", {"players": 3, "add": _CONTRACTS})
CONFIGURATIONS = (
    Known("base, 2 players", {"players": 2}, random=(59.3, 199, 2.6)),
    BASE_3,
    Known("base, 4 players", {"players": 4}, random=(73.3, 287, 3.7)),
    Known("base, 5 players", {"players": 5}, random=(77.9, 315, 4.2)),
    Known("contracts, 2 players", {"players": 2, "add": _CONTRACTS}, rounds="14 (one recorded game)"),
    CONTRACTS_3,
)


@dataclass
class Observed:
    """Games of a configuration, with statistics."""

    known: Known
    result: MatchResult
    draws: Draws
    busts: Busts
    hires: Hires


def print_report(
    console: Console,
    agents: Sequence[str] = (),
    *,
    random_games: int,
    strong_games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> None:
    """Play, and print the report.

    Args:
        console: The console to print to.
        agents: The agents of the strong games: an agent that plays against itself, or several joined by `` + `` that
            share a table (the last one takes the remaining seats). None: the shipped network, or a scripted player if
            there is none.
        random_games: Games of random play in each configuration.
        strong_games: Games of each strong table in each configuration.
        seed: The first seed.
        progress: Receives progress reports.

    Raises:
        ValueError: If there is no such agent.
    """
    tables = [name.split(" + ") for name in agents] or [[]]
    for table in tables:
        for known in CONFIGURATIONS:
            for name in table:
                make_agent(name, known.game)  # raises before anything is played
    console.print(_random_play(random_games, seed, progress))
    for table in tables:
        everything = [
            watch(known, table or [strongest(known.game)], strong_games, seed, progress) for known in CONFIGURATIONS
        ]
        console.print(lengths(everything))
        for observed in everything:
            _warn(console, observed.result)
            if observed.known in (BASE_3, CONTRACTS_3):
                console.print(frontier(observed))
                console.print(persons(observed))


def strongest(game: PortRoyal) -> str:
    """The strongest agent of the package for a configuration: its network, or the general scripted player."""
    try:
        make_agent(SHIPPED, game)
    except ValueError:
        return SCRIPTED
    return SHIPPED


def watch(known: Known, table: Sequence[str], games: int, seed: int = 0, progress: Progress | None = None) -> Observed:
    """Play games of a configuration, and collect statistics."""
    game = known.game
    draws, busts, hires = Draws(), Busts(), Hires(game)
    result = play_match(game, table, games=games, seed=seed, hooks=[draws, busts, hires], progress=progress)
    return Observed(known, result, draws, busts, hires)


def _random_play(games: int, seed: int, progress: Progress | None) -> Table:
    """Turns and busts, compared with those of another implementation."""
    table = titled("Random play", "known: means of 300 games of another implementation; in brackets: 95 % intervals")
    for column in ("", "games", "turns", "known", "busts per game", "known"):
        table.add_column(column)
    for known in CONFIGURATIONS:
        if known.random is not None:
            busts = Busts()
            result = play_match(known.game, ["random"], games=games, seed=seed, hooks=[busts], progress=progress)
            turns = number_of(average(result.lengths.astype(np.float64), result.starts))
            table.add_row(
                known.name,
                f"{len(result):,}",
                turns,
                f"{known.random[0]}",
                number_of(busts.a_game()),
                f"{known.random[2]}",
            )
    return table


def lengths(everything: Sequence[Observed]) -> Table:
    """Length, busts, points and the advantage of each seat, in every configuration."""
    table = titled("Strong play", "seats in the order of play; in brackets: 95 % intervals; known: games of people")
    table.add_column("")
    for observed in everything:
        table.add_column(observed.known.name)

    def row(name: str, cells: list[str]) -> None:
        table.add_row(name, *cells)

    results = [observed.result for observed in everything]
    row("who plays", [" + ".join(result.agents) for result in results])
    row("games", [f"{len(result):,}" for result in results])
    for seat in range(max(result.game.players for result in results)):
        cells = [percent(result.wins_of_seat(seat)) if seat < result.game.players else "" for result in results]
        row(f"wins of seat {seat + 1}", cells)
    row("rounds", [number_of(average(rounds_of(result), result.starts)) for result in results])
    row("known", [observed.known.rounds for observed in everything])
    row("busts per game", [number_of(observed.busts.a_game()) for observed in everything])
    row("known", [observed.known.busts for observed in everything])
    for source in dict.fromkeys(source for result in results for source in result.game.point_sources):
        row(f"points of winners from {words(source)}", [_winners_points(result, source) for result in results])
        row(f"points of all from {words(source)}", [_points(result, source) for result in results])
    return table


def rounds_of(result: MatchResult) -> np.ndarray:
    """float64 (n,): the rounds of each game; in a full round every player has one turn."""
    return np.asarray(result.lengths / result.game.players, np.float64)


def _points(result: MatchResult, source: str) -> str:
    if source not in result.game.point_sources:
        return ""
    return f"{result.points[:, :, result.game.point_sources.index(source)].mean():.1f}"


def _winners_points(result: MatchResult, source: str) -> str:
    if source not in result.game.point_sources:
        return ""
    return f"{result.points[result.win_shares > 0][:, result.game.point_sources.index(source)].mean():.1f}"


def frontier(observed: Observed) -> Table:
    """How often players draw, by ships in the harbour and sabres, with the exact probability of a bust."""
    draws = observed.draws
    title = f"When {' + '.join(observed.result.agents)} draws another card: {observed.known.name}"
    table = titled(
        title,
        "how often it draws if it could stop; in brackets: the mean exact probability that the next card is a bust, "
        "in all these decisions and in those where it draws",
    )
    table.add_column("sabres")
    for ships in range(1, NUM_COLOURS + 1):
        table.add_column(f"{ships} ships" if ships > 1 else "1 ship")
    for sabres in range(MOST_SABRES + 1):
        cells = [_drawn(draws, ships, sabres) for ships in range(1, NUM_COLOURS + 1)]
        if any(cells):
            table.add_row(f"{sabres} and more" if sabres == MOST_SABRES else str(sabres), *cells)
    return table


def _drawn(draws: Draws, ships: int, sabres: int) -> str:
    decided, drew = int(draws.decided[ships, sabres]), int(draws.drew[ships, sabres])
    if decided < LEAST_SEEN:
        return ""
    risk = f"{draws.risk[ships, sabres] / decided:.0%}"
    risk += f", {draws.drawn_at[ships, sabres] / drew:.0%}" if drew else ""
    return f"{drew / decided:.0%} ({risk})"


def persons(observed: Observed) -> Table:
    """The value of each kind of person: win rates of players who hire one and of those who do not."""
    hires, players = observed.hires, observed.known.game.players
    table = titled(
        f"Persons: {observed.known.name}",
        "win rates of players who hire at least one, and of those who hire none, with 95 % intervals; "
        f"fair share: {1 / players:.1%}. Players who are ahead hire more, so this is not proof of a cause",
    )
    for column in ("person", "hires per player", "wins with", "wins without"):
        table.add_column(column)
    for kind in sorted(hires.types, key=lambda kind: -_gain(hires, kind)):
        with_it, without = hires.wins(kind, hired=True), hires.wins(kind, hired=False)
        cells = ["" if estimate is None else percent(estimate) for estimate in (with_it, without)]
        table.add_row(words(kind), f"{hires.a_player(kind):.2f}", *cells)
    return table


def _gain(hires: Hires, kind: str) -> float:
    with_it, without = hires.wins(kind, hired=True), hires.wins(kind, hired=False)
    return (with_it.mean if with_it else 0.0) - (without.mean if without else 0.0)


def _warn(console: Console, result: MatchResult) -> None:
    """Warn about abandoned games: they count as wins of the others, so the figures are not valid."""
    if result.faults:
        console.print(f"NOT VALID: {len(result.faults):,} of {len(result):,} games were abandoned", style="bold")
        for line in faults([result]):
            console.print(line, highlight=False)
