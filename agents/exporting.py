"""Export decisions of games between agents, or of replays, as Parquet files: in parts, so that memory is bounded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from agents.agent import Agent
from agents.arena.contestants import Contestants
from agents.arena.matches import Progress
from agents.arena.play import Watch, play_games
from agents.arena.schedule import agents_of, places_of, schedule
from agents.offered import find_agent
from pr_env import __version__, replay
from pr_env.checks import check_whole
from pr_env.data.columns import FORMAT, OBSERVATION_KINDS, DataError, ObservationKind
from pr_env.data.playing import PlayedGames, Probabilities, table_of
from pr_env.data.reading import Decisions
from pr_env.data.writing import ExportFolder
from pr_env.game import Game

GAMES_A_PART = 512


class Source(Protocol):
    """Games to export."""

    @property
    def game(self) -> Game:
        """The game and its configuration."""

    @property
    def count(self) -> int:
        """The number of games."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, each once; empty if unknown."""

    def configuration(self) -> dict[str, Any]:
        """Everything that determines the games, JSON-safe."""

    def games(self, first: int, stop: int, watch: Watch) -> PlayedGames:
        """The games from ``first`` up to ``stop``."""

    def probabilities(self) -> dict[str, Probabilities]:
        """Action probabilities, of the agents that provide them."""


class AgentGames:
    """Games between agents, in every seating and with the same seeds in each.

    Args:
        game: The game and its configuration.
        agents: The agents, one per place; if there are fewer, the last one takes the remaining places.
        games: Number of games, rounded up to a multiple of the seatings.
        seed: The first seed.
        seconds: Time limit of an agent for its moves in all games of a part.

    Raises:
        ValueError: If there are too many agents, or one of them cannot play the game.
    """

    def __init__(self, game: Game, agents: Sequence[str], games: int, seed: int, seconds: float) -> None:
        check_whole("games", games)
        check_whole("seed", seed, least=0)
        places = places_of(game)
        if not 1 <= len(agents) <= 1 + max(places):
            raise ValueError(f"an export needs 1 to {1 + max(places)} agents, got {len(agents)}")
        self.game = game
        self._table = (*agents, *[agents[-1]] * (1 + max(places) - len(agents)))
        self._contestants = Contestants(game, agents_of(self._table))
        self._seed, self._seconds = seed, seconds
        self._seeds, self._seating = schedule(self._table, games, seed, places)

    @property
    def count(self) -> int:
        """The number of games."""
        return len(self._seeds)

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, each once."""
        return agents_of(self._table)

    def configuration(self) -> dict[str, Any]:
        """Everything that determines the games."""
        return {"agents": list(self._table), "games": self.count, "seed": self._seed}

    def games(self, first: int, stop: int, watch: Watch) -> PlayedGames:
        """Play some of the games. Agents are created anew, so a part does not depend on parts played before."""
        self._contestants.warm_up(self._table)
        seating = self._seating[first:stop]
        played = play_games(
            self.game,
            self._contestants.make(self._table, [self._seed, first]),
            self._seeds[first:stop].astype(np.uint64),
            seating,
            seconds=self._seconds,
            names=self.agents,
            keep_actions=True,
            watch=watch,
        )
        if played.faults:
            fault = next(iter(played.faults.values()))
            raise DataError(f"{len(played.faults)} games were abandoned: {fault.kind}: {fault.message}")
        assert played.actions is not None
        names = [tuple(self.agents[number] for number in seats) for seats in seating.tolist()]
        return PlayedGames(
            self._seeds[first:stop].astype(np.uint64), played.actions, names, np.ones(stop - first, np.bool_)
        )

    def probabilities(self) -> dict[str, Probabilities]:
        """Of those agents that say how likely they play what."""
        found: dict[str, Probabilities] = {}
        for name in self.agents:
            agent = find_agent(name, self.game)
            if type(agent).probabilities is not Agent.probabilities:
                found[name] = agent.probabilities  # type: ignore[assignment] # it says
        return found


class ReplayGames:
    """The games of a replay file.

    Args:
        path: The file.
        **local: Options that files do not store, see `pr_env.replay.load`.

    Raises:
        ReplayError: If it is not a replay file.
    """

    def __init__(self, path: Path, **local: Any) -> None:
        self.game = replay.load_one(path, 1, **local).game
        self.count = replay.count(path)
        self.agents: tuple[str, ...] = ()
        self._path, self._local = path, local

    def configuration(self) -> dict[str, Any]:
        """All that decides the games."""
        return {"replays": self._path.name, "bytes": self._path.stat().st_size, "games": self.count}

    def games(self, first: int, stop: int, watch: Watch) -> PlayedGames:
        """Read some of the games."""
        found = list(islice(replay.each(self._path, first, **self._local), stop - first))
        for one in found:
            if one.game != self.game:
                raise DataError(f"{self._path} has games of {self.game} and of {one.game}: write a file for each")
        watch(len(found), sum(len(one.actions) for one in found))
        return PlayedGames.from_lists(
            [one.seed for one in found], [one.actions for one in found], [one.seats for one in found]
        )

    def probabilities(self) -> dict[str, Probabilities]:
        """None: a file has no agents that could be asked."""
        return {}


def export(
    source: Source,
    out: Path,
    *,
    observation: ObservationKind = "counts",
    reward: str | None = None,
    part: int = GAMES_A_PART,
    progress: Progress | None = None,
) -> Decisions:
    """Write the decisions of all games into a folder. After an interruption, the same call resumes.

    Args:
        source: The games.
        out: The folder.
        observation: ``"counts"``, ``"float16"`` or ``"record"``.
        reward: One of the game's reward schemes; None for its default.
        part: Games per file.
        progress: Receives progress reports.

    Raises:
        DataError: If the folder contains something else, or games cannot be exported.
        ValueError: If an argument is invalid.
    """
    game = source.game
    check_whole("part", part)
    if observation not in OBSERVATION_KINDS:
        raise ValueError(f"observation must be one of {', '.join(OBSERVATION_KINDS)}, got {observation!r}")
    reward = game.reward_schemes[0] if reward is None else reward
    game._check_reward(reward)
    configuration = {
        "pr_env": "export",
        "format": FORMAT,
        "version": __version__,
        "game": game.name,
        "layout": game.layout,
        "options": game.recorded_options(),
        "observation": observation,
        "reward": reward,
        "part": part,
        **source.configuration(),
    }
    folder = ExportFolder(out, configuration)
    if progress is not None:
        progress.start(source.agents or (game.name,), source.count)
    for number in range(-(-source.count // part)):
        first, stop = number * part, min((number + 1) * part, source.count)
        if folder.has(number):
            if progress is not None:
                progress.step(stop - first, 0)
            continue
        played = source.games(first, stop, _no_watch if progress is None else progress.step)
        table = table_of(
            game,
            played,
            first=first,
            observation=observation,
            reward=reward,
            probabilities=source.probabilities(),
        )
        folder.write(number, table)
    return Decisions(out, **game.local())


def _no_watch(games: int, decisions: int) -> None:
    """Report nothing."""
