"""The interface of agents: objects that choose actions for a batch of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from pr_env.game import Game


class Agent(ABC):
    """A player of one game in one configuration, for any number of games at once.

    Args:
        game: What it plays.

    Attributes:
        game: What it plays.
        plays: Names of the games that it knows; empty: any game.
        needs_observations: Whether ``choose`` reads the observations. Who plays may leave them out if not.
        needs_games: Whether ``choose`` reads the games' records. It must then be given them.
        games_at_once: How many games it likes to play side by side: many if it is fast. The results of a tournament
            come in, and are kept, batch by batch.

    Raises:
        ValueError: If it does not know the game.
    """

    plays: ClassVar[tuple[str, ...]] = ()
    needs_observations: ClassVar[bool] = True
    needs_games: ClassVar[bool] = False
    games_at_once: int = 1024
    starts_program: ClassVar[bool] = False

    def __init__(self, game: Game) -> None:
        if self.plays and game.name not in self.plays:
            raise ValueError(f"{type(self).__name__} plays {' and '.join(self.plays)}, not {game.name}")
        self.game = game

    @abstractmethod
    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One legal action for each game.

        Args:
            observations: float32 (k, size): what the acting player of each game sees.
            masks: bool (k, actions): what it may do.
            games: Records (k,) of the games, for agents that need them. To look at, not to change. A fair agent takes
                from them only what its player may know.

        Returns:
            int64 (k,): the actions.
        """

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray | None:
        """How likely it plays each action, float32 (k, actions), 0 where one is illegal; None if it does not say."""
        return None

    def _records(self, games: np.ndarray | None) -> np.ndarray:
        """The games' records for compiled code, which takes arrays that may be written.

        Raises:
            ValueError: If they were not given, or are of another game.
        """
        if games is None:
            raise ValueError(f"{type(self).__name__} looks at the games themselves: give their records")
        if not isinstance(games, np.ndarray) or games.dtype != self.game.record or games.ndim != 1:
            raise ValueError(f"games must be a one-dimensional array of records of {self.game}")
        if not self.game.fits(games):
            raise ValueError(f"this agent was made for {self.game}, got games of another configuration")
        fits = games.flags.writeable and games.flags.c_contiguous
        return games if fits else np.array(games, order="C")
