"""The games of a table, batch by batch: here, or in processes side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Protocol

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
        """A table is next, with so many games."""

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
        """Refuse what cannot be."""
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
        self.pool: ProcessPoolExecutor | None = None

    def play(self, table: Table, place: int = 0, journal: Journal | None = None) -> MatchResult:
        """All games of a table, batch by batch; those that the journal has are taken from there."""
        starts, _ = self._plan.schedule(table)
        batches = range(-(-len(starts) // self._plan.batch))
        if self._progress is not None:
            self._progress.start(table, len(starts))
        parts: dict[int, MatchResult] = {}
        for number in batches:
            kept = None if journal is None else journal.games(place, number)
            if kept is not None:
                parts[number] = MatchResult.from_dicts(self._plan.game, agents_of(table), kept)
                if self._progress is not None:
                    self._progress.step(len(kept), 0)
        missing = [number for number in batches if number not in parts]
        play = self._play_here if self.pool is None else self._play_in_workers
        for number, part in play(table, place, missing):
            parts[number] = part
            if journal is not None:
                journal.add(place, number, part.to_dicts())
        return MatchResult.joined([parts[number] for number in batches])

    def _play_here(self, table: Table, place: int, missing: list[int]) -> Iterator[tuple[int, MatchResult]]:
        watch = None if self._progress is None else self._progress.step
        for number in missing:
            yield number, self.play_batch(table, place, number, watch)

    def _play_in_workers(self, table: Table, place: int, missing: list[int]) -> Iterator[tuple[int, MatchResult]]:
        assert self.pool is not None
        jobs = {self.pool.submit(_play_in_worker, table, place, number): number for number in missing}
        for job in as_completed(jobs):
            try:
                part, decisions = job.result()
            except BrokenProcessPool:
                raise ArenaError(
                    "a process that played games has come to a sudden end: killed, or out of memory? With a file for "
                    "the results, the same call goes on with what is finished"
                ) from None
            yield jobs[job], part
            if self._progress is not None:
                self._progress.step(len(part), decisions)

    def play_batch(self, table: Table, place: int, number: int, watch: Watch | None = None) -> MatchResult:
        """The games of one batch of a table."""
        plan = self._plan
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


def _play_in_worker(table: Table, place: int, number: int) -> tuple[MatchResult, int]:
    """One batch, and how many decisions it took."""
    decisions = 0

    def count(_: int, made: int) -> None:
        nonlocal decisions
        decisions += made

    return _matches.play_batch(table, place, number, count), decisions
