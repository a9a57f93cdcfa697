"""The games of tables, batch by batch: in this process, in parallel processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from agents.agent import Agent
from agents.arena.contestants import Contestants
from agents.arena.hooks import Hook
from agents.arena.journal import ArenaError, Journal
from agents.arena.play import Watch, play_games
from agents.arena.results import MatchResult
from agents.arena.schedule import Table, agents_of, in_every_seating, places_of, schedule
from pr_env.checks import check_whole, shown
from pr_env.game import Game
from pr_env.registry import find_game


class Progress(Protocol):
    """Receives progress reports of a tournament."""

    def start(self, table: Table, games: int) -> None:
        """Called before a table is played, with its number of games; with a pool once, for all tables together."""

    def step(self, games: int, decisions: int) -> None:
        """Called after some more games were finished and decisions made."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines the games of all tables, except the agents.

    Attributes:
        game: The game and its configuration.
        games: Number of games per table, rounded up. Ignored with positions.
        seed: The first seed.
        batch: Number of games played at once.
        seconds: Time limit of an agent per answer.
        keep_actions: Whether to keep the actions.
        positions: Records of the starting positions, each played in every seating; None to start from seeds.
    """

    game: Game
    games: int
    seed: int
    batch: int
    seconds: float
    keep_actions: bool = False
    positions: np.ndarray | None = None

    def __post_init__(self) -> None:
        """Validate the settings."""
        for name, least in (("games", 1), ("seed", 0), ("batch", 1)):
            check_whole(name, getattr(self, name), least)
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)) or not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0, got {shown(self.seconds)}")

    def schedule(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        """The start of each game of a table (a seed, or an index in the positions), and the seating."""
        places = places_of(self.game)
        if self.positions is None:
            return schedule(table, self.games, self.seed, places)
        return in_every_seating(table, np.arange(len(self.positions)), places)


class Job(NamedTuple):
    """One batch of the games of a table.

    Attributes:
        table: The agents.
        place: The index of the table.
        number: The index of the batch.
    """

    table: Table
    place: int
    number: int


class Pool(Protocol):
    """Plays batches in parallel, elsewhere."""

    def play(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, MatchResult, int]]:
        """Yield each batch with its result and its number of decisions, in the order in which they finish."""


class ProcessPool:
    """A pool of processes on this machine, each of which has called `prepare_worker`."""

    def __init__(self, processes: ProcessPoolExecutor) -> None:
        self._processes = processes

    def play(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, MatchResult, int]]:
        """See `Pool.play`."""
        futures = {self._processes.submit(play_prepared, job): job for job in jobs}
        for future in as_completed(futures):
            try:
                part, decisions = future.result()
            except BrokenProcessPool:
                raise ArenaError(
                    "a worker process died: killed, or out of memory? With a file for the results, the same call "
                    "resumes with the finished batches"
                ) from None
            yield futures[future], part, decisions


class Matches:
    """Plays the tables of a plan.

    Args:
        plan: Determines the games.
        contestants: The agents.
        hooks: Called while games are played in this process.
        progress: Receives progress reports.

    Attributes:
        pool: Plays the batches, if set.
    """

    def __init__(
        self,
        plan: Plan,
        contestants: Contestants,
        hooks: Sequence[Hook] = (),
        progress: Progress | None = None,
    ) -> None:
        self._plan = plan
        self._contestants = contestants
        self._hooks = hooks
        self._progress = progress
        self.pool: Pool | None = None

    def play(self, tables: Sequence[Table], journal: Journal | None = None) -> list[MatchResult]:
        """Play all games of some tables, batch by batch; batches in the journal are not played again.

        A pool gets the batches of all tables at once: a table may have fewer batches than a cluster has processors.
        """
        jobs = [self._jobs(table, place) for place, table in enumerate(tables)]
        if self.pool is None:
            parts = [self._play_jobs(table, own, journal) for table, own in zip(tables, jobs, strict=True)]
        else:
            everybody = tuple(name for table in tables for name in table)
            found = self._play_jobs(everybody, [job for own in jobs for job in own], journal)
            parts = [{job: found[job] for job in own} for own in jobs]
        return [MatchResult.joined(list(of_table.values())) for of_table in parts]

    def _jobs(self, table: Table, place: int) -> list[Job]:
        games = len(self._plan.schedule(table)[0])
        return [Job(table, place, number) for number in range(-(-games // self._plan.batch))]

    def _play_jobs(self, table: Table, jobs: Sequence[Job], journal: Journal | None) -> dict[Job, MatchResult]:
        """The results in the order of the jobs."""
        if self._progress is not None:
            games = {job.place: len(self._plan.schedule(job.table)[0]) for job in jobs}
            self._progress.start(table, sum(games.values()))
        parts: dict[Job, MatchResult] = {}
        for job in jobs:
            kept = None if journal is None else journal.games(job.place, job.number)
            if kept is not None:
                parts[job] = MatchResult.from_dicts(self._plan.game, agents_of(job.table), kept)
                if self._progress is not None:
                    self._progress.step(len(kept), 0)
        missing = [job for job in jobs if job not in parts]
        for job, part in self._play_here(missing) if self.pool is None else self._play_in_pool(missing, self.pool):
            parts[job] = part
            if journal is not None:
                journal.add(job.place, job.number, part.to_dicts())
        return {job: parts[job] for job in jobs}

    def _play_here(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, MatchResult]]:
        watch = None if self._progress is None else self._progress.step
        for job in jobs:
            yield job, self.play_batch(job, watch)

    def _play_in_pool(self, jobs: Sequence[Job], pool: Pool) -> Iterator[tuple[Job, MatchResult]]:
        for job, part, decisions in pool.play(jobs):
            yield job, part
            if self._progress is not None:
                self._progress.step(len(part), decisions)

    def play_batch(self, job: Job, watch: Watch | None = None) -> MatchResult:
        """Play one batch of a table."""
        plan, (table, place, number) = self._plan, job
        starts, seating = plan.schedule(table)
        part = slice(number * plan.batch, (number + 1) * plan.batch)
        self._contestants.warm_up(table)
        names = agents_of(table)
        played = play_games(
            plan.game,
            self._contestants.make(table, [plan.seed, place, number]),
            starts[part].astype(np.uint64),
            seating[part],
            seconds=plan.seconds,
            positions=None if plan.positions is None else np.take(plan.positions, starts[part]),
            names=names,
            hooks=self._hooks,
            keep_actions=plan.keep_actions,
            watch=watch,
        )
        return MatchResult.of(
            plan.game, names, seating[part], played, positions=None if plan.positions is None else starts[part]
        )


# -- in a worker -----------------------------------------------------------------------------------------------------

_matches: Matches  # the tournament of this process


def for_worker(plan: Plan, names: Sequence[str]) -> tuple[str, dict[str, Any], dict[str, Any], list[str]]:
    """The arguments of `prepare_worker`. The game is given by name, since a worker may have to import its module."""
    kind = type(plan.game)
    rest = {name: value for name, value in vars(plan).items() if name != "game"}
    if plan.positions is not None:
        rest["positions"] = plan.positions.tobytes()
    return f"{kind.__module__}:{kind.__qualname__}", plan.game.options(), rest, list(names)


def prepare_worker(
    spec: str, options: Mapping[str, Any], rest: Mapping[str, Any], names: Sequence[str | Agent]
) -> None:
    """Prepare this process to play batches of a plan."""
    global _matches
    game = find_game(spec)(**options)
    positions = None if rest["positions"] is None else np.frombuffer(rest["positions"], game.record)
    plan = Plan(game, **{**rest, "positions": positions})
    _matches = Matches(plan, Contestants(game, names))


def play_prepared(job: Job) -> tuple[MatchResult, int]:
    """Play one batch in a prepared process; returns the result and the number of decisions."""
    decisions = 0

    def count(_: int, made: int) -> None:
        nonlocal decisions
        decisions += made

    return _matches.play_batch(job, count), decisions
