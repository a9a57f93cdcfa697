"""Matches and tournaments: agents play the games of their tables, batch after batch."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numba
import numpy as np

from agents.agent import Agent
from agents.arena.journal import ArenaError, Journal, check_configuration
from agents.arena.play import Watch, play_games, warm_up
from agents.arena.results import MatchResult
from agents.arena.schedule import Mode, Table, agents_of, schedule, tables
from agents.arena.statistics import Rating, rate
from agents.arena.workers import workers
from agents.registry import make_agent
from pr_env import __version__, replay
from pr_env.checks import check_whole
from pr_env.game import Game
from pr_env.registry import known_game

FORMAT = 1
SECONDS = 300.0  # for one answer


class Progress(Protocol):
    """Is told how a tournament goes on."""

    def start(self, table: Table, games: int) -> None:
        """A table is next, with so many games."""

    def step(self, games: int, decisions: int) -> None:
        """So many games more are finished, so many decisions more are made."""


# -- one table -------------------------------------------------------------------------------------------------------


def play_match(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    games: int = 600,
    seed: int = 0,
    batch: int | None = None,
    seconds: float = SECONDS,
    keep_actions: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Play one table in all its seatings, with the same seeds in each.

    >>> play_match(PuertoRico(players=3), ["mcts", "builder"], games=300).table()

    Args:
        game: What is played.
        agents: Who plays, by name or as objects. If they are fewer than the seats, the last one has all seats that are
            left: one agent alone plays against itself, two are one against copies of the other.
        games: At least so many; rounded up to a multiple of the seatings.
        seed: The same seed gives the same games, if the agents are given by name and none depends on a clock.
        batch: How many games are played at once. None: what the slowest agent proposes.
        seconds: How long an agent may take for one answer, that is for its moves in all games of a batch in which it
            is to move. Agents by name are asked once before, without this limit, because they may have to compile; one
            given as an object should have done that.
        keep_actions: Whether to keep what was played, for ``MatchResult.replays``.
        progress: Is told how it goes on.

    Raises:
        ValueError: If an agent does not exist, or there are more than seats.
    """
    contestants = _Contestants(game, agents)
    seated = contestants.names
    if not 1 <= len(seated) <= game.players:
        raise ValueError(f"a match of {game.players} players has 1 to {game.players} agents, not {len(seated)}")
    table = (*seated, *[seated[-1]] * (game.players - len(seated)))
    match = _Matches(game, contestants, games, seed, batch, seconds, keep_actions, progress)
    return match.play(table)


# -- many tables -----------------------------------------------------------------------------------------------------


@dataclass
class Tournament:
    """All matches of a tournament.

    Attributes:
        game: What was played.
        configuration: Everything that decides the results, JSON-safe.
        matches: One for each table.
    """

    game: Game
    configuration: dict[str, Any]
    matches: list[MatchResult]

    @property
    def agents(self) -> tuple[str, ...]:
        """Who took part."""
        return tuple(dict.fromkeys(self.configuration["agents"]))

    @cached_property
    def ratings(self) -> Mapping[str, Rating]:
        """From all games together."""
        results = [
            ([match.agents[number] for number in seats], ranks)
            for match in self.matches
            for seats, ranks in zip(match.seating.tolist(), match.ranks.tolist(), strict=True)
        ]
        return rate(results, self.agents)

    def to_json(self) -> str:
        """Configuration, summary and every game."""
        data = {
            "configuration": self.configuration,
            "ratings": {name: rating._asdict() for name, rating in self.ratings.items()},
            "matches": [
                {
                    "agents": match.agents,
                    "summary": match.summary(),
                    "rounds": match.mean_rounds(),
                    "ends": match.ends(),
                    "games": [{k: v for k, v in row.items() if k != "actions"} for row in match.to_dicts()],
                }
                for match in self.matches
            ],
        }
        return json.dumps(data) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Tournament:
        """The way back.

        Raises:
            ArenaError: If this is not what `to_json` wrote.
        """
        try:
            data = json.loads(text)
            configuration = data["configuration"]
            if configuration["pr_env"] != "arena" or configuration["format"] != FORMAT:
                raise ArenaError(f"the results have the format {configuration['format']}, not {FORMAT}")
            game = known_game(configuration["game"])(**configuration["options"])
            matches = [MatchResult.from_dicts(game, match["agents"], match["games"]) for match in data["matches"]]
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, ArenaError):
                raise
            raise ArenaError(f"these are not results of the arena: {type(error).__name__}: {error}") from None
        return cls(game, configuration, matches)


def play_tournament(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    mode: Mode = "pairs",
    games: int = 600,
    seed: int = 0,
    batch: int | None = None,
    seconds: float = SECONDS,
    out: str | Path | None = None,
    replays: str | Path | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> Tournament:
    """Play all tables of a mode (see `tables`); other arguments as for `play_match`.

    Args:
        game: What is played.
        agents: Who plays, by name or as objects.
        mode: ``"pairs"``, ``"first"`` or ``"table"``.
        games: For each table.
        seed: As for `play_match`.
        batch: As for `play_match`.
        seconds: As for `play_match`.
        out: Where to write the results (JSON). Finished games are kept beside it until the tournament is over: the same
            call after an interruption goes on where it was, and after the end it reads the results.
        replays: Where to write every game as a replay, in the order of the results.
        processes: How many play batches side by side; the results are the same, if no agent depends on a clock. It
            pays for agents that think long. In a script the call then has to stand under ``if __name__ ==
            "__main__":``, and all agents are given by name.
        progress: Is told how it goes on.

    Raises:
        ValueError: If an agent does not exist, the names do not fit the mode, or processes and agents do not go
            together.
        ArenaError: If ``out`` belongs to another tournament.
    """
    contestants = _Contestants(game, agents)
    planned = tables(contestants.names, game.players, mode)
    match = _Matches(game, contestants, games, seed, batch, seconds, replays is not None, progress)
    configuration = {
        "pr_env": "arena",
        "format": FORMAT,
        "game": game.name,
        "layout": game.layout,
        "options": game.options(),
        "agents": list(contestants.names),
        "mode": mode,
        "games": games,
        "seed": seed,
        "batch": match.batch,
        "seconds": seconds,
        "replays": replays is not None,
        "versions": {
            "pr_env": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
        },
    }
    check_whole("processes", processes)
    if processes > 1 and not all(isinstance(agent, str) for agent in agents):
        raise ValueError("several processes need agents by name: an object plays in its own process only")
    if replays is not None:
        Path(replays).touch()  # complains now rather than after the last game
    path = None if out is None else Path(out)
    if path is not None and path.exists():
        finished = Tournament.from_json(path.read_text(encoding="utf-8"))
        check_configuration(path, finished.configuration, configuration)
        return finished
    journal = None if path is None else Journal(path.with_name(f"{path.name}.partial.jsonl"), configuration)
    with ExitStack() as stack:
        if processes > 1:
            for table in planned:
                contestants.warm_up(table)  # what has to be compiled is compiled once, and not in each process
            same = (game, contestants.names, games, seed, match.batch, seconds, replays is not None)
            match.pool = stack.enter_context(workers(processes, _prepare_worker, *same))
        matches = [match.play(table, place, journal) for place, table in enumerate(planned)]
    tournament = _finish(Tournament(game, configuration, matches), replays)
    if path is None or journal is None:
        return tournament
    written = path.with_name(f"{path.name}.tmp")
    written.write_text(tournament.to_json(), encoding="utf-8")
    written.replace(path)  # all or nothing
    journal.remove()
    return tournament


def _finish(tournament: Tournament, replays: str | Path | None) -> Tournament:
    if replays is not None:
        replay.save(replays, [one for match in tournament.matches for one in match.replays()])
    return tournament


# -- inside ----------------------------------------------------------------------------------------------------------


class _Contestants:
    """The agents by the names that they have in the results.

    Those given by name are made anew for every batch, with a seed of their own, so that a batch has the same games
    whether it is played after others or alone.
    """

    def __init__(self, game: Game, agents: Sequence[str | Agent]) -> None:
        self._game = game
        self.names: list[str] = []
        self._objects: dict[str, Agent] = {}
        self._warm: set[str] = set()
        for agent in agents:
            if isinstance(agent, str):
                make_agent(agent, game)  # complains now rather than in the middle
                self.names.append(agent)
            elif isinstance(agent, Agent):
                if agent.game != game:
                    raise ValueError(f"{type(agent).__name__} was made for {agent.game}, not for {game}")
                self.names.append(self._name(agent))
            else:
                raise ValueError(f"an agent is a name or an Agent, not {agent!r}")

    def _name(self, agent: Agent) -> str:
        for name, known in self._objects.items():
            if known is agent:
                return name
        name = kind = type(agent).__name__
        number = 1
        while name in self._objects:
            number += 1
            name = f"{kind} {number}"
        self._objects[name] = agent
        return name

    def batch(self) -> int:
        """How many games at once suit all of them."""
        return min(self._make(name, 0).games_at_once for name in self.names)

    def make(self, table: Table, seed: list[int]) -> list[Agent]:
        """The agents of a table for one batch."""
        names = agents_of(table)
        seeds = np.random.SeedSequence(seed).generate_state(len(names))
        return [self._make(name, int(own)) for name, own in zip(names, seeds, strict=True)]

    def warm_up(self, table: Table) -> None:
        """Before their first game agents by name may compile and load; one given as an object is left as it is."""
        for name in agents_of(table):
            if name not in self._warm and name not in self._objects:
                warm_up(self._game, self._make(name, 0))
            self._warm.add(name)

    def _make(self, name: str, seed: int) -> Agent:
        return self._objects[name] if name in self._objects else make_agent(name, self._game, seed=seed)


class _Matches:
    """What all tables of a tournament have in common."""

    def __init__(
        self,
        game: Game,
        contestants: _Contestants,
        games: int,
        seed: int,
        batch: int | None,
        seconds: float,
        keep_actions: bool,
        progress: Progress | None,
    ) -> None:
        self.batch = contestants.batch() if batch is None else batch
        for name, value, least in (("games", games, 1), ("seed", seed, 0), ("batch", self.batch, 1)):
            check_whole(name, value, least)
        if not seconds > 0:
            raise ValueError(f"seconds are more than 0, not {seconds!r}")
        self._game = game
        self._contestants = contestants
        self._games = games
        self._seed = seed
        self._seconds = seconds
        self._keep_actions = keep_actions
        self._progress = progress
        self.pool: ProcessPoolExecutor | None = None  # plays the batches, if it is there

    def play(self, table: Table, place: int = 0, journal: Journal | None = None) -> MatchResult:
        """All games of a table, batch by batch; those that the journal has are taken from there."""
        seeds, _ = schedule(table, self._games, self._seed)
        batches = range(-(-len(seeds) // self.batch))
        if self._progress is not None:
            self._progress.start(table, len(seeds))
        parts: dict[int, MatchResult] = {}
        for number in batches:
            kept = None if journal is None else journal.games(place, number)
            if kept is not None:
                parts[number] = MatchResult.from_dicts(self._game, agents_of(table), kept)
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
        seeds, seating = schedule(table, self._games, self._seed)
        part = slice(number * self.batch, (number + 1) * self.batch)
        self._contestants.warm_up(table)
        played = play_games(
            self._game,
            self._contestants.make(table, [self._seed, place, number]),
            seeds[part],
            seating[part],
            seconds=self._seconds,
            keep_actions=self._keep_actions,
            watch=watch,
        )
        return MatchResult.of(self._game, agents_of(table), seating[part], played)


# -- in a worker -----------------------------------------------------------------------------------------------------

_matches: _Matches  # what this process takes part in


def _prepare_worker(
    game: Game, names: Sequence[str], games: int, seed: int, batch: int, seconds: float, keep_actions: bool
) -> None:
    global _matches
    _matches = _Matches(game, _Contestants(game, names), games, seed, batch, seconds, keep_actions, None)


def _play_in_worker(table: Table, place: int, number: int) -> tuple[MatchResult, int]:
    """One batch, and how many decisions it took."""
    decisions = 0

    def count(_: int, made: int) -> None:
        nonlocal decisions
        decisions += made

    return _matches.play_batch(table, place, number, count), decisions
