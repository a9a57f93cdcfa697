"""Matches and tournaments: agents play the games of their tables, batch after batch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from agents.agent import Agent
from agents.arena.comparison import Comparison, compare_teams
from agents.arena.contestants import Contestants
from agents.arena.hooks import Hook
from agents.arena.journal import ArenaError, Journal, check_configuration
from agents.arena.matches import Matches, Plan, ProcessPool, Progress, for_worker, prepare_worker
from agents.arena.positions import fingerprint, set_up_positions
from agents.arena.results import NO_REPLAYS, MatchResult
from agents.arena.schedule import Mode, places_of, tables
from agents.arena.statistics import Rating, rate
from agents.arena.workers import workers
from agents.cluster import versions
from pr_env import replay
from pr_env.checks import check_whole, shown
from pr_env.game import Game
from pr_env.registry import known_game

FORMAT = 2
GAMES = 600  # per table
SECONDS = 300.0  # per answer


# -- one table -------------------------------------------------------------------------------------------------------


def play_match(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    games: int | None = None,
    seed: int = 0,
    positions: Sequence[Mapping[str, Any]] | None = None,
    batch: int | None = None,
    seconds: float = SECONDS,
    keep_actions: bool = False,
    hooks: Sequence[Hook] = (),
    progress: Progress | None = None,
) -> MatchResult:
    """Play one table in all its seatings, with the same seeds in each.

    >>> play_match(game, ["mcts", "builder"], games=300).table()

    Args:
        game: The game and its configuration.
        agents: The agents, by name or as objects. If there are fewer agents than seats, the last one takes the
            remaining seats: a single agent plays against (in cooperative games: with) itself; of two, the first plays
            against (or with) copies of the second. If teams of several seats compete, give one agent per team.
        games: Number of games, rounded up to a multiple of the seatings. None: GAMES.
        seed: The same seed gives the same games, if all agents are given by name and none depends on a clock.
        positions: Starting positions, as accepted by ``Game.from_dict``. Every seating plays each of them once, so
            ``games`` must not be given.
        batch: Number of games played at once. None: the smallest preference of the agents.
        seconds: Time limit of an agent per answer: its moves in all games of a batch in which it is to move. Agents
            given by name are asked once before, without this limit, because they may have to compile; objects should
            already have compiled.
        keep_actions: Whether to keep the actions, for ``MatchResult.replays``.
        hooks: Called while the games are played, see `Hook`.
        progress: Receives progress reports.

    Raises:
        ValueError: If an agent does not exist or cannot play the game, there are more agents than seats, or a position
            is impossible.
    """
    contestants = Contestants(game, agents)
    seated = contestants.names
    places = 1 + max(places_of(game))
    if not 1 <= len(seated) <= places:
        what = "players" if places == game.players else "teams"
        raise ValueError(f"a match of {places} {what} must have 1 to {places} agents, got {len(seated)}")
    table = (*seated, *[seated[-1]] * (places - len(seated)))
    plan = _plan(game, contestants, games, seed, positions, batch, seconds, keep_actions)
    return Matches(plan, contestants, hooks, progress).play([table])[0]


def _plan(
    game: Game,
    contestants: Contestants,
    games: int | None,
    seed: int,
    positions: Sequence[Mapping[str, Any]] | None,
    batch: int | None,
    seconds: float,
    keep_actions: bool,
) -> Plan:
    if positions is not None and games is not None:
        raise ValueError("games and positions cannot be combined: every seating plays every position once")
    records = None if positions is None else set_up_positions(game, positions)
    count = GAMES if games is None else games
    at_once = contestants.batch() if batch is None else batch
    return Plan(game, count, seed, at_once, seconds, keep_actions, records)


# -- many tables -----------------------------------------------------------------------------------------------------


@dataclass
class Tournament:
    """All matches of a tournament.

    Attributes:
        game: The game and its configuration.
        configuration: Everything that determines the results, JSON-safe.
        matches: One per table.
    """

    game: Game
    configuration: dict[str, Any]
    matches: list[MatchResult]

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that took part."""
        return tuple(dict.fromkeys(self.configuration["agents"]))

    @cached_property
    def ratings(self) -> Mapping[str, Rating]:
        """Ratings from all games together; empty in cooperative and solo games."""
        if not self.game.constant_sum:
            return {}
        results = [
            ([match.agents[number] for number in teams], ranks)
            for match in self.matches
            for teams, ranks in zip(
                match.seating[:, match.first_seats].tolist(), match.team_ranks.tolist(), strict=True
            )
        ]
        return rate(results, self.agents)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """In cooperative games, each table compared with the best one, the best first. Empty in competitive games."""
        return [] if self.game.constant_sum else compare_teams(self.matches)

    def to_json(self) -> str:
        """The configuration, the summary and all games."""
        data = {
            "configuration": self.configuration,
            "ratings": {name: rating._asdict() for name, rating in self.ratings.items()},
            **({"comparisons": [one.to_dict() for one in self.comparisons]} if self.comparisons else {}),
            "matches": [
                {
                    "agents": match.agents,
                    "summary": match.summary(),
                    self.game.length_unit: match.mean_length(),
                    "ends": match.ends(),
                    **({"titles": match.title_shares()} if self.game.titles else {}),
                    "games": [{k: v for k, v in row.items() if k != "actions"} for row in match.to_dicts()],
                }
                for match in self.matches
            ],
        }
        return json.dumps(data) + "\n"

    @classmethod
    def from_json(cls, text: str, game: Game | None = None) -> Tournament:
        """The inverse of `to_json`.

        Args:
            text: Output of `to_json`.
            game: The game and its configuration. None to take it from the results, if it is a game of this package, or
                one that was found before.

        Raises:
            ArenaError: If this is not output of `to_json`, or belongs to another game.
        """
        try:
            data = json.loads(text)
            configuration = data["configuration"]
            if configuration["pr_env"] != "arena" or configuration["format"] != FORMAT:
                raise ArenaError(
                    f"the results have the format {shown(configuration['format'])}, not {FORMAT}: run the tournament "
                    "again"
                )
            name, options = configuration["game"], configuration["options"]
            if game is None:
                game = known_game(name).from_recorded(options)
            elif (name, options) != (game.name, game.recorded_options()):
                raise ArenaError(f"these are results of {shown(name)} with {shown(options)}, not of {game}")
            matches = [MatchResult.from_dicts(game, match["agents"], match["games"]) for match in data["matches"]]
            _check_agents(configuration, matches)
        except ArenaError:
            raise
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            reason = shown(str(error))
            raise ArenaError(f"these are not results of the arena, or damaged: {reason}") from None
        return cls(game, configuration, matches)


def _check_agents(configuration: Mapping[str, Any], matches: Sequence[MatchResult]) -> None:
    """Reject results whose parts do not belong together."""
    agents = configuration["agents"]
    if configuration["mode"] not in get_args(Mode):
        raise ArenaError(f"the results have an unknown mode, {shown(configuration['mode'])}")
    if not matches or not {name for match in matches for name in match.agents} <= set(agents):
        raise ArenaError(f"the results are damaged: their tables do not have the agents {shown(agents)}")


def play_tournament(
    game: Game,
    agents: Sequence[str | Agent],
    *,
    mode: Mode = "pairs",
    games: int | None = None,
    seed: int = 0,
    positions: Sequence[Mapping[str, Any]] | None = None,
    batch: int | None = None,
    seconds: float = SECONDS,
    out: str | Path | None = None,
    replays: str | Path | None = None,
    processes: int = 1,
    ray: str | None = None,
    hooks: Sequence[Hook] = (),
    progress: Progress | None = None,
) -> Tournament:
    """Play all tables of a mode (see `tables`); other arguments as for `play_match`.

    Args:
        game: The game and its configuration.
        agents: The agents, by name or as objects.
        mode: ``"pairs"``, ``"first"`` or ``"table"``.
        games: Number of games per table.
        seed: As for `play_match`.
        positions: As for `play_match`. Games started from positions have no replays.
        batch: As for `play_match`.
        seconds: As for `play_match`.
        out: File for the results (JSON). Finished games are saved next to it while the tournament runs: after an
            interruption the same command resumes, and after the end it reads the results.
        replays: File for the replays of all games, in the order of the results.
        processes: Number of processes that play batches in parallel; the results are the same, if no agent depends on
            a clock. This is worthwhile for slow agents. In a script the call must then be under
            ``if __name__ == "__main__":``, all agents must be given by name, and hooks are not available.
        ray: Address of a Ray cluster (``HOST:PORT``, ``"auto"`` or ``"local"``) that plays the batches; the results are
            the same. Batches whose process or node dies are played again. As with ``processes``, agents must be given
            by name, and hooks are not available.
        hooks: Called while this call plays games; not for games already in ``out``.
        progress: Receives progress reports.

    Raises:
        ValueError: If an agent does not exist or cannot play the game, the names are invalid for the mode, a position
            is impossible, or arguments cannot be combined.
        ArenaError: If ``out`` belongs to another tournament.
        ClusterError: If there is no cluster at the address.
    """
    check_whole("processes", processes)
    if processes > 1 and ray is not None:
        raise ValueError(f"processes and ray cannot be combined, got {processes} and {ray!r}")
    elsewhere = processes > 1 or ray is not None
    if elsewhere and not all(isinstance(agent, str) for agent in agents):
        raise ValueError("several processes need agents given by name: an object can only play in its own process")
    if elsewhere and hooks:
        raise ValueError("several processes and hooks cannot be combined: a hook only sees games of its own process")
    if replays is not None and positions is not None:
        raise ValueError(NO_REPLAYS)
    contestants = Contestants(game, agents)
    planned = tables(contestants.names, 1 + max(places_of(game)), mode, one_team=not game.constant_sum)
    plan = _plan(game, contestants, games, seed, positions, batch, seconds, replays is not None)
    configuration = {
        "pr_env": "arena",
        "format": FORMAT,
        "game": game.name,
        "layout": game.layout,
        "options": game.recorded_options(),
        "agents": list(contestants.names),
        "mode": mode,
        "games": plan.games if plan.positions is None else None,
        "positions": None if plan.positions is None else fingerprint(plan.positions),
        "seed": seed,
        "batch": plan.batch,
        "seconds": seconds,
        "replays": replays is not None,
        "versions": versions(),
    }
    if replays is not None:
        Path(replays).touch()  # raises now rather than after the last game
    path = None if out is None else Path(out)
    if path is not None and path.exists():
        return _finished(path, game, configuration)
    journal = None if path is None else Journal(path.with_name(f"{path.name}.partial.jsonl"), configuration)
    match = Matches(plan, contestants, hooks, progress)
    with ExitStack() as stack:
        if path is not None and journal is not None:
            stack.callback(journal.close)
            if path.exists():  # written meanwhile by the tournament that had the lock
                journal.remove()
                return _finished(path, game, configuration)
        if ray is not None:
            from agents.arena.ray_pool import on_cluster

            arguments = for_worker(plan, contestants.names)
            match.pool = stack.enter_context(on_cluster(ray, arguments, versions()))
        if processes > 1:
            for table in planned:
                contestants.warm_up(table)  # so that code is compiled once, and not in each process
            arguments = for_worker(plan, contestants.names)
            match.pool = ProcessPool(stack.enter_context(workers(processes, prepare_worker, *arguments)))
        tournament = Tournament(game, configuration, match.play(planned, journal))
        try:
            if replays is not None:
                replay.save(replays, [one for match in tournament.matches for one in match.replays()])
            if path is not None and journal is not None:
                written = path.with_name(f"{path.name}.tmp")
                written.write_text(tournament.to_json(), encoding="utf-8")
                written.replace(path)  # atomic
                journal.remove()
        except OSError as error:
            kept = "" if journal is None else "; finished games are kept, and the same command resumes"
            raise ArenaError(f"cannot write the results: {error.strerror}{kept}") from None
    return tournament


def _finished(path: Path, game: Game, configuration: Mapping[str, Any]) -> Tournament:
    """The results of a tournament that was completed before."""
    try:
        text = path.read_text(encoding="utf-8")
        found = json.loads(text)["configuration"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ArenaError(f"{path}: these are not results of the arena") from None
    check_configuration(path, found, configuration)
    try:
        return Tournament.from_json(text, game)
    except ArenaError as error:
        raise ArenaError(f"{path}: {error}") from None
