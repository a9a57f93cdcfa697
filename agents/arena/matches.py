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
    """Is told how a tournament goes on."""

    def start(self, table: Table, games: int) -> None:
        """A table is next, with so many games; in a pool all tables at once, and those who sit at any of them."""

    def step(self, games: int, decisions: int) -> None:
        """So many games more are finished, so many decisions more are made."""


@dataclass(frozen=True)
class Plan:
    """What decides the games of all tables beside who plays.

    Attributes:
        game: What is played.
        games: Of each table, at least so many. Of no use with positions.
        seed: The first one.
        batch: How many games at once.
        seconds: How long an agent may take for one answer.
        keep_actions: Whether to keep what was played.
        positions: Records where games begin, each in every seating; None: at the set-up of their seeds.
    """

    game: Game
    games: int
    seed: int
    batch: int
    seconds: float
    keep_actions: bool = False
    positions: np.ndarray | None = None

    def __post_init__(self) -> None:
        """Refuse settings that make no sense."""
        for name, least in (("games", 1), ("seed", 0), ("batch", 1)):
            check_whole(name, getattr(self, name), least)
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)) or not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0, got {shown(self.seconds)}")

    def schedule(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        """Where each game of a table begins (seeds, or places in the positions), and who sits where."""
        places = places_of(self.game)
        if self.positions is None:
            return schedule(table, self.games, self.seed, places)
        return in_every_seating(table, np.arange(len(self.positions)), places)


class Job(NamedTuple):
    """One batch of the games of a table.

    Attributes:
        table: Who plays.
        place: The place of the table among all.
        number: Of the batch.
    """

    table: Table
    place: int
    number: int


class Pool(Protocol):
    """Plays batches side by side, elsewhere."""

    def play(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, MatchResult, int]]:
        """Each batch with its result and its number of decisions, in the order in which they are finished."""


class ProcessPool:
    """A pool of processes of this machine, each of which has called `prepare_worker`."""

    def __init__(self, processes: ProcessPoolExecutor) -> None:
        self._processes = processes

    def play(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, MatchResult, int]]:
        """As `Pool.play` says."""
        futures = {self._processes.submit(play_prepared, job): job for job in jobs}
        for future in as_completed(futures):
            try:
                part, decisions = future.result()
            except BrokenProcessPool:
                raise ArenaError(
                    "a process that played games has come to a sudden end: killed, or out of memory? With a file for "
                    "the results, the same call resumes with what is finished"
                ) from None
            yield futures[future], part, decisions


class Matches:
    """Plays the tables of a plan.

    Args:
        plan: What decides the games.
        contestants: Who plays.
        hooks: Are told what happens in games that are played here.
        progress: Is told how it goes on.

    Attributes:
        pool: Plays the batches, if it is there.
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
        """All games of some tables, batch by batch; those that the journal has are taken from there.

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
        """The games of one batch of a table."""
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

_matches: Matches  # what this process takes part in


def for_worker(plan: Plan, names: Sequence[str]) -> tuple[str, dict[str, Any], dict[str, Any], list[str]]:
    """The arguments of `prepare_worker`: the game by its name, because a worker may have to look for its module."""
    kind = type(plan.game)
    rest = {name: value for name, value in vars(plan).items() if name != "game"}
    if plan.positions is not None:
        rest["positions"] = plan.positions.tobytes()
    return f"{kind.__module__}:{kind.__qualname__}", plan.game.options(), rest, list(names)


def prepare_worker(
    spec: str, options: Mapping[str, Any], rest: Mapping[str, Any], names: Sequence[str | Agent]
) -> None:
    """Make ready to play batches of a plan in this process."""
    global _matches
    game = find_game(spec)(**options)
    positions = None if rest["positions"] is None else np.frombuffer(rest["positions"], game.record)
    plan = Plan(game, **{**rest, "positions": positions})
    _matches = Matches(plan, Contestants(game, names))


def play_prepared(job: Job) -> tuple[MatchResult, int]:
    """One batch in a process that is ready, and how many decisions it took."""
    decisions = 0

    def count(_: int, made: int) -> None:
        nonlocal decisions
        decisions += made

    return _matches.play_batch(job, count), decisions
