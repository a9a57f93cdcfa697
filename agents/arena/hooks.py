"""Hooks: objects that are called while games are played, for example to collect statistics.

Games are played in batches, so a hook is called for many games at once, given by their indices in the batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.arena.asking import Fault
from pr_env.batch import Batch


@dataclass(frozen=True)
class Playing:
    """Games that are played in parallel. Read-only.

    Attributes:
        batch: The current state of the games: ``batch.game``, ``batch.games``, ``batch.player``, ``batch.mask``, ...
        agents: The names of the agents, each once.
        seating: int64 (n, players): the index in ``agents`` of the agent in each seat.
        faults: The faults in games abandoned so far, by index of the game.
    """

    batch: Batch
    agents: tuple[str, ...]
    seating: np.ndarray
    faults: dict[int, Fault]


class Hook:
    """Base class of hooks. The methods do nothing; override the ones you need.

    ``index``: indices in the batch, int64 (k,). Every game starts once and ends once.
    """

    def before_game(self, playing: Playing, index: np.ndarray) -> None:
        """Called when games start."""

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        """Called before an action is played in each of these games.

        Args:
            playing: The games, as they are before the actions.
            index: Indices of the games.
            actions: int64 (k,): the actions, all legal.
        """

    def after_game(self, playing: Playing, index: np.ndarray, finals: np.ndarray) -> None:
        """Called when games are over, or abandoned (then they are in ``playing.faults``).

        Args:
            playing: The games, as they are at the end.
            index: Indices of the games.
            finals: Final records (k,) of type ``Game.final``.
        """
