"""The common base of all search agents."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from agents.agent import Agent
from pr_env.checks import check_number, check_whole
from pr_env.game import Game


@dataclass(frozen=True)
class Thought:
    """The result of a search in each of k games.

    Attributes:
        visits: int64 (k, actions): the number of playouts that started with each action. Higher means better.
        values: float64 (k, actions, players): the mean value of these playouts for each seat, from 0 to 1; 0 for
            actions without visits.
        players: int64 (k,): the seat to move.
    """

    visits: np.ndarray
    values: np.ndarray
    players: np.ndarray

    def best(self) -> np.ndarray:
        """int64 (k,): the most visited action in each game; ties go to the higher value for the player to move."""
        own = np.take_along_axis(self.values, self.players[:, None, None], axis=2)[:, :, 0]
        return np.asarray(np.argmax(self.visits + 0.5 * own, axis=1), np.int64)

    @classmethod
    def blank(cls, game: Game, games: np.ndarray) -> Thought:
        """An empty result for these games."""
        actions = len(game.actions)
        return cls(
            visits=np.zeros((len(games), actions), np.int64),
            values=np.zeros((len(games), actions, game.players)),
            players=np.array(games["player"], np.int64),
        )


class SearchAgent(Agent):
    """Searches copies of the game. Decisions with a single legal action are not searched.

    It is fair: information hidden from its player is resampled in every playout (`Game.resample`), and a choice depends
    only on what that player knows, the options and the seed. It remembers public information, even if observations do
    not include it: with hidden points it counts the victory point chips that were paid out.

    Args:
        game: The game to play.
        seed: Chance in playouts is determined by it and by the position: the same position gets the same answer.

    Attributes:
        watch: Called during a search with its progress, from 0 to 1. If it returns False, the search stops early with
            its current result. None for no callback.
    """

    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True
    games_at_once: int = 24

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game)
        self._seed = seed
        self.watch: Callable[[float], bool] | None = None

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        games = self._records(games)
        actions = np.asarray(np.argmax(masks, axis=1), np.int64)
        real = np.flatnonzero(np.count_nonzero(games["legal"], axis=1) > 1)
        if len(real):
            actions[real] = self.think(games[real]).best()
        return actions

    @abstractmethod
    def think(self, games: np.ndarray) -> Thought:
        """Search each of these games (records), and return the statistics of each action of the player to move."""

    def _goes_on(self, share: float) -> bool:
        """Report progress, and return whether to continue the search."""
        return self.watch is None or self.watch(share)

    def _keys(self, games: np.ndarray) -> np.ndarray:
        """uint64 (k,): the random seed of each search, independent of what the player to move cannot know."""
        known = games.copy()
        self.game._resample(known, np.ascontiguousarray(known["player"]), np.zeros(len(known), np.uint64))
        known["seed"] = 0
        salt = blake2b(str(self._seed).encode(), digest_size=16).digest()
        keys = [int.from_bytes(blake2b(game.tobytes(), digest_size=8, salt=salt).digest(), "little") for game in known]
        return np.array(keys, np.uint64)


def read_budget(playouts: int | None, seconds: float | None, default: int) -> tuple[float, float]:
    """The limits of a search: playouts and seconds, infinite if unlimited; default playouts if neither is given."""
    if playouts is None and seconds is None:
        playouts = default
    if playouts is not None:
        check_whole("playouts", playouts)
    if seconds is not None:
        check_number("seconds", seconds)
        if seconds == 0:
            raise ValueError("seconds must be more than 0")
    return math.inf if playouts is None else int(playouts), math.inf if seconds is None else float(seconds)
