"""What a player is: something that chooses actions for a batch of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np


class Agent(ABC):
    """A player for any number of games at once.

    Attributes:
        needs_observations: Whether ``choose`` reads the observations. Who plays may leave them out if not.
        needs_games: Whether ``choose`` reads the games' records. It must then be given them.
        games_at_once: How many games it likes to play side by side: many if it is fast. The results of a tournament
            come in, and are kept, batch by batch.
    """

    needs_observations: ClassVar[bool] = True
    needs_games: ClassVar[bool] = False
    games_at_once: int = 1024

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
