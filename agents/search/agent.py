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
    """What a search found out about the actions at hand in each of k games.

    Attributes:
        visits: int64 (k, actions): how many playouts began with the action. The more, the better it seems.
        values: float64 (k, actions, players): what these playouts were worth to each seat on average, from 0 to 1; 0
            where nothing was tried.
        players: int64 (k,): the seat to move.
    """

    visits: np.ndarray
    values: np.ndarray
    players: np.ndarray

    def best(self) -> np.ndarray:
        """int64 (k,): the action tried most in each game; of equals the one of the higher value to the mover."""
        own = np.take_along_axis(self.values, self.players[:, None, None], axis=2)[:, :, 0]
        return np.asarray(np.argmax(self.visits + 0.5 * own, axis=1), np.int64)

    @classmethod
    def blank(cls, game: Game, games: np.ndarray) -> Thought:
        """Room for what is found out about these games."""
        actions = len(game.actions)
        return cls(
            visits=np.zeros((len(games), actions), np.int64),
            values=np.zeros((len(games), actions, game.players)),
            players=np.array(games["player"], np.int64),
        )


class SearchAgent(Agent):
    """Looks ahead in copies of the game. Where only one action is legal it does not.

    It is fair: what its player cannot know is drawn anew in every playout (`Game.resample`), and a choice depends on
    nothing but what that player knows, the options and the seed. What everybody has seen it remembers, even where
    observations do not show it: with hidden points it counts the victory point chips that were paid out.

    Args:
        game: What is played.
        seed: Chance in playouts comes from it and from the position: the same position gets the same answer.

    Attributes:
        watch: Is told while a search goes on which share of it is done, from 0 to 1; the search ends early, with what
            it has found, when this answers False. None: nobody watches.
    """

    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True
    games_at_once: int = 24

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game)
        self._seed = seed
        self.watch: Callable[[float], bool] | None = None

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One action for each game of a batch."""
        games = self._records(games)
        actions = np.asarray(np.argmax(masks, axis=1), np.int64)
        real = np.flatnonzero(np.count_nonzero(games["legal"], axis=1) > 1)
        if len(real):
            actions[real] = self.think(games[real]).best()
        return actions

    @abstractmethod
    def think(self, games: np.ndarray) -> Thought:
        """Search every one of these games (records), and tell what came out for each action of the player to move."""

    def _goes_on(self, share: float) -> bool:
        """Whether to go on with a search of which this share is done."""
        return self.watch is None or self.watch(share)

    def _keys(self, games: np.ndarray) -> np.ndarray:
        """uint64 (k,): where the chance of each search begins. What the player to move cannot know is left out."""
        known = games.copy()
        self.game._resample(known, np.ascontiguousarray(known["player"]), np.zeros(len(known), np.uint64))
        known["seed"] = 0
        salt = blake2b(str(self._seed).encode(), digest_size=16).digest()
        keys = [int.from_bytes(blake2b(game.tobytes(), digest_size=8, salt=salt).digest(), "little") for game in known]
        return np.array(keys, np.uint64)


def read_budget(playouts: int | None, seconds: float | None, default: int) -> tuple[float, float]:
    """What limits a search: playouts and seconds, infinite where not limited; if nothing is given, default playouts."""
    if playouts is None and seconds is None:
        playouts = default
    if playouts is not None:
        check_whole("playouts", playouts)
    if seconds is not None:
        check_number("seconds", seconds)
        if seconds == 0:
            raise ValueError("seconds must be more than 0")
    return math.inf if playouts is None else int(playouts), math.inf if seconds is None else float(seconds)
