"""The interface of agents: objects that choose actions for a batch of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from pr_env.game import Game


class Agent(ABC):
    """A player of one game in one configuration, for any number of games at once.

    Args:
        game: The game to play.

    Attributes:
        game: The game to play.
        plays: Names of the games that it can play; empty for any game.
        needs_observations: Whether ``choose`` reads the observations. If not, callers may leave them out.
        needs_games: Whether ``choose`` reads the records of the games. If so, callers must pass them.
        games_at_once: Preferred number of parallel games: large if the agent is fast. Tournaments save results batch
            by batch.

    Raises:
        ValueError: If it cannot play the game.
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
        """Choose one legal action for each game.

        Args:
            observations: float32 (k, size): the observations of the acting players.
            masks: bool (k, actions): their action masks.
            games: Records (k,) of the games, read-only, for agents that need them. A fair agent only uses what its
                player may know.

        Returns:
            int64 (k,): the actions.
        """

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray | None:
        """Action probabilities, float32 (k, actions), 0 for illegal actions; None if the agent has none."""
        return None

    def _records(self, games: np.ndarray | None) -> np.ndarray:
        """The records of the games as writable arrays, for compiled code.

        Raises:
            ValueError: If they are missing, or belong to another game.
        """
        if games is None:
            raise ValueError(f"{type(self).__name__} needs the records of the games: pass them as games")
        if not isinstance(games, np.ndarray) or games.dtype != self.game.record or games.ndim != 1:
            raise ValueError(f"games must be a one-dimensional array of records of {self.game}")
        if not self.game.fits(games):
            raise ValueError(f"this agent was made for {self.game}, got games of another configuration")
        fits = games.flags.writeable and games.flags.c_contiguous
        return games if fits else np.array(games, order="C")
