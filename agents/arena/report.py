"""Results as printed tables. Needs rich."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress
from rich.table import Column, Table

from agents.arena import schedule
from agents.arena.results import MatchResult
from agents.arena.statistics import Estimate
from agents.arena.tournament import Tournament
from pr_env.game import Game

NARROW = 110  # terminals with fewer columns get a shorter progress bar
MOST_IN_FULL = 2  # up to this many tables are printed with points by source; more are listed
MOST_FAULTS = 5  # printed in full


def percent(estimate: Estimate) -> str:
    """A share with its interval."""
    return f"{estimate.mean:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]"


def in_two_lines(estimate: Estimate) -> str:
    """A share with its interval on a second line, to save width."""
    return f"{estimate.mean:.1%}\n{100 * estimate.low:.0f}-{100 * estimate.high:.0f}"


def number_of(estimate: Estimate) -> str:
    """A mean with its interval."""
    return f"{estimate.mean:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"


def words(name: str) -> str:
    """A name from the results, written for people."""
    return name.replace("_", " ")


def ends(result: MatchResult) -> str:
    """The reasons for the end of games, the most frequent first."""
    found = sorted(((share, reason) for reason, share in result.ends().items() if share > 0), reverse=True)
    return ", ".join(f"{words(reason)} {share:.0%}" for share, reason in found) or "no game was completed"


def title_of(result: MatchResult) -> str:
    """The agents at the table."""
    copies = [int(result.seats_of(agent)[0].sum()) for agent in result.agents]
    return " + ".join(name if n == 1 else f"{n} x {name}" for name, n in zip(result.agents, copies, strict=True))


def titled(title: str, caption: str | None = None) -> Table:
    """A table that is at least as wide as its title."""
    return Table(title=title, caption=caption, title_justify="left", caption_justify="left", min_width=len(title))


def match_table(result: MatchResult) -> Table:
    """One table: a row per agent; or per seat, if an agent plays against itself; or one row for a whole team."""
    itself = len(result.agents) == 1
    unit = words(result.game.length_unit)
    games = f"{len(result):,} games of {result.mean_length():.1f} {unit}"
    title = f"{title_of(result)}: {games}; ended by {ends(result)}"
    if result.one_team:
        return _team_table(result, title)
    caption = f"wins: share of the wins of one {one_of(result.game)}, with 95 % interval{_abandoned(result)}"
    table = titled(title, caption)
    table.add_column("seat" if itself else "agent", overflow="fold")
    table.add_column("wins", justify="right", no_wrap=True)
    for column in ("rank", "points", *(["faults"] if result.faults and not itself else [])):
        table.add_column(column, justify="right", no_wrap=True)
    if itself:
        for seat, points in enumerate(_points_of_seats(result)):
            of_seat, rank = percent(result.wins_of_seat(seat)), f"{result.ranks[:, seat].mean():.2f}"
            table.add_row(str(seat + 1), of_seat, rank, f"{points.sum():.1f}")
        return table
    for row in result.summary():
        wins = Estimate(row["win_share"], row["win_share_low"], row["win_share_high"])
        faults = [str(row["faults"])] if result.faults else []
        table.add_row(row["agent"], percent(wins), f"{row['rank']:.2f}", f"{row['points']:.1f}", *faults)
    return table


def _abandoned(result: MatchResult) -> str:
    """A note on forfeited games."""
    lost = len(result.faults)
    return f"; {lost:,} of {len(result):,} games were forfeited by faulty agents" if lost else ""


def _points_of_seats(result: MatchResult) -> np.ndarray:
    """Mean points (seats, sources) in completed games."""
    points = result.points[result.played]
    return points.mean(axis=0) if len(points) else np.zeros(result.points.shape[1:])


def sources_table(result: MatchResult) -> Table | None:
    """Points by source: a column per agent, or per seat; None if there is only one source."""
    sources = shown_sources(result.game)
    if not sources:
        return None
    if len(result.agents) == 1:
        columns = {f"seat {seat + 1}": points for seat, points in enumerate(_points_of_seats(result))}
    else:
        columns = {row["agent"]: list(row["sources"].values()) for row in result.summary()}
    return _by_source("Points by source", sources, columns)


def _by_source(title: str, sources: Sequence[str], columns: Mapping[str, Sequence[float]]) -> Table:
    table = titled(title, "mean per seat in completed games")
    table.add_column("source")
    for name in columns:
        table.add_column(name, justify="right", overflow="fold")
    for place, source in enumerate(sources):
        table.add_row(words(source), *[f"{points[place]:.1f}" for points in columns.values()])
    return table


def _team_table(result: MatchResult, title: str) -> Table:
    """The table of a cooperative game: one row for the team."""
    titles = result.title_shares()
    of_titles = "; titles: share of all games" if titles else ""
    caption = "wins: share of games won; points: per seat; with 95 % intervals"
    table = titled(title, f"{caption}{of_titles}{_abandoned(result)}")
    for column in ("wins", "points", *map(words, titles)):
        table.add_column(column, justify="right")
    cells = [f"{share:.1%}" for share in titles.values()]
    table.add_row(percent(result.team_wins()), number_of(result.team_points()), *cells)
    return table


def one_of(game: Game) -> str:
    """What can win: a seat, or a team of several seats."""
    return "seat" if len(set(game.teams)) == game.players else "team"


def shown_sources(game: Game) -> tuple[str, ...]:
    """The sources of points that get their own columns: none if there is only one, since the total is shown anyway."""
    return game.point_sources if len(game.point_sources) > 1 else ()


def matrix(tournament: Tournament) -> Table:
    """The matrix of each agent against copies of each other one, or with them in cooperative games."""
    game = tournament.game
    places = 1 + max(schedule.places_of(game))
    if game.constant_sum:
        others = "the other" if places == 2 else f"{places - 1} copies of the other"
        table = titled(
            f"Wins of one agent (row) against {others} (column)",
            f"95 % intervals; between equal agents {1 / places:.1%}",
        )
    else:
        others = "one of the other" if places == 2 else f"{places - 1} of the other"
        table = titled(f"Games won by one agent (row) with {others} (column)", "95 % intervals")
    columns = [name for name in tournament.agents if any(name in match.agents for match in tournament.matches)]
    table.add_column("")
    found = {}
    for match in tournament.matches:
        one, other = match.agents[0], match.agents[-1]
        found[one, other] = match._wins_of(one)
        if places == 2:
            found[other, one] = match._wins_of(other)
    for name in columns:
        if any(name == other for _, other in found):
            table.add_column(name, justify="right")
    for one in columns:
        cells = [found.get((one, other)) for other in columns if any(other == column for _, column in found)]
        if any(cells):
            table.add_row(one, *["" if cell is None else in_two_lines(cell) for cell in cells])
    return table


def rating_table(tournament: Tournament) -> Table:
    """All agents, the best first."""
    of_one = one_of(tournament.game)
    table = titled("Ratings", f"rating: openskill (Plackett-Luce); wins: mean win rate of one {of_one} over all tables")
    table.add_column("agent", overflow="fold")
    for column in ("rating", "wins", "rank", "points", "faults"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, rows in _rows_of_agents(tournament).items():

        def mean(key: str, rows: list[dict[str, Any]] = rows) -> float:
            return float(sum(row[key] for row in rows) / len(rows))

        rating = tournament.ratings[name]
        table.add_row(
            name,
            f"{rating.mu:.1f} ± {rating.sigma:.1f}",
            f"{mean('win_share'):.1%}",
            f"{mean('rank'):.2f}",
            f"{mean('points'):.1f}",
            str(sum(row["faults"] for row in rows)),
        )
    return table


def sources_of_agents(tournament: Tournament) -> Table | None:
    """Points of each agent by source, mean over all tables; None if there is only one source."""
    sources = shown_sources(tournament.game)
    if not sources:
        return None
    columns = {
        name: [sum(row["sources"][source] for row in rows) / len(rows) for source in sources]
        for name, rows in _rows_of_agents(tournament).items()
    }
    return _by_source("Points by source", sources, columns)


def _rows_of_agents(tournament: Tournament) -> dict[str, list[dict[str, Any]]]:
    """The summaries of each agent that has played, the best first."""
    best_first = sorted(tournament.agents, key=lambda name: -tournament.ratings[name].mu)
    rows = [row for match in tournament.matches for row in match.summary()]
    found = {name: [row for row in rows if row["agent"] == name] for name in best_first}
    return {name: rows for name, rows in found.items() if rows}


def comparison_table(tournament: Tournament) -> Table:
    """Tables of cooperative games, the best first, each compared with the best on the same starts."""
    alike = "seeds" if tournament.matches[0].positions is None else "positions"
    unit = words(tournament.game.length_unit)
    table = titled(
        "Games won and points, the best first",
        f"95 % intervals; behind: paired difference to the best on the same {alike}; points: per seat",
    )
    table.add_column("agents")
    for column in ("wins", "behind", "points", "behind", unit, "faults"):
        table.add_column(column, justify="right")
    best = tournament.comparisons[0]
    for one in tournament.comparisons:
        match = tournament.matches[one.match]
        behind = "" if one.points_behind is None else number_of(one.points_behind)
        table.add_row(
            title_of(match),
            percent(one.wins),
            "" if one is best else percent(one.wins_behind),
            number_of(one.points),
            "" if one is best else behind,
            f"{match.mean_length():.1f}",
            str(len(match.faults)),
        )
    return table


def title_table(tournament: Tournament) -> Table:
    """How often each title was earned at each table."""
    table = titled("Titles", "share of all games of a table")
    table.add_column("agents")
    for title in tournament.game.titles:
        table.add_column(words(title), justify="right")
    for match in tournament.matches:
        table.add_row(title_of(match), *[f"{share:.1%}" for share in match.title_shares().values()])
    return table


def faults(matches: Sequence[MatchResult]) -> list[str]:
    """What went wrong, in sentences, each once for an agent; empty if nothing did."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for result in matches:
        for i, fault in result.faults.items():
            agent = result.agents[result.seating[i, fault.seat]]
            place = (
                f"of seed {result.seeds[i]}" if result.positions is None else f"from position {result.positions[i] + 1}"
            )
            where = f"{title_of(result)}, the game {place} in seat {fault.seat + 1}"
            found.setdefault((agent, fault.kind, fault.message), []).append(where)
    lines = []
    for (agent, kind, message), games in list(found.items())[:MOST_FAULTS]:
        lost = f"a game ({games[0]})" if len(games) == 1 else f"{len(games):,} games (the first: {games[0]})"
        lines.append(f"{agent} forfeited {lost}: {kind}: {message}")
    more = sum(map(len, list(found.values())[MOST_FAULTS:]))
    return [*lines, f"... and {more:,} more with other messages"] if more else lines


def tables_table(tournament: Tournament) -> Table:
    """A summary of all tables: agents, length, reasons for the end."""
    table = titled("Tables")
    unit = words(tournament.game.length_unit)
    for column in ("table", "games", unit, "ended by"):
        table.add_column(column, justify="right" if column in ("games", unit) else "left")
    for match in tournament.matches:
        table.add_row(title_of(match), f"{len(match):,}", f"{match.mean_length():.1f}", ends(match))
    return table


def report(tournament: Tournament) -> Iterator[RenderableType]:
    """The complete report, in the order in which it is printed."""
    in_pairs = tournament.configuration["mode"] != "table"
    if in_pairs and len(tournament.matches) > MOST_IN_FULL:
        yield tables_table(tournament)
        if tournament.game.titles:
            yield title_table(tournament)
    else:
        for match in tournament.matches:
            yield match_table(match)
            if sources := sources_table(match):
                yield sources
    yield from faults(tournament.matches)
    if in_pairs and len(tournament.matches) > 1 and tournament.game.players > 1:
        yield matrix(tournament)
    if len(tournament.agents) > 1:
        if not tournament.game.constant_sum:
            yield comparison_table(tournament)
            return
        yield rating_table(tournament)
        if len(tournament.matches) > 1 and (sources := sources_of_agents(tournament)):
            yield sources


class ProgressBar:
    """Shows games and decisions while a tournament is played."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar = bar
        self._task: TaskID | None = None
        self._decisions = 0

    def start(self, table: schedule.Table, games: int) -> None:
        """Called before a table is played."""
        names = " + ".join(dict.fromkeys(table))
        self._decisions = 0
        self._task = self._bar.add_task(names, total=games, decisions="0")

    def step(self, games: int, decisions: int) -> None:
        """Called after some more games were finished and decisions made."""
        self._decisions += decisions
        if self._task is not None:
            self._bar.update(self._task, advance=games, decisions=f"{self._decisions:,}")


@contextmanager
def progress_bar(console: Console) -> Iterator[ProgressBar]:
    """A progress bar per table; narrow terminals get shortened names and fewer figures."""
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}", table_column=Column(overflow="ellipsis", no_wrap=True)),
        BarColumn(),
        MofNCompleteColumn(table_column=Column(no_wrap=True)),
        TextColumn("games, {task.fields[decisions]} decisions", table_column=Column(no_wrap=True)),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    ]
    if console.width < NARROW:
        columns = [
            TextColumn("{task.description}", table_column=Column(overflow="ellipsis", no_wrap=True, max_width=40)),
            BarColumn(bar_width=10, table_column=Column(min_width=10)),
            MofNCompleteColumn(table_column=Column(no_wrap=True, min_width=13)),
            TimeRemainingColumn(table_column=Column(no_wrap=True, min_width=8)),
        ]
    with RichProgress(*columns, console=console, transient=True) as bar:
        yield ProgressBar(bar)
