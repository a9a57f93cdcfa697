"""Hooks: objects that are called while games are played, to count and to collect.

Games are played in batches, so a hook is called for many games at once, given by their indices in the batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.arena.asking import Fault
from pr_env.batch import Batch


@dataclass(frozen=True)
class Playing:
    """Games that are played side by side. To look at, not to change.

    Attributes:
        batch: The games as they stand: ``batch.game``, ``batch.games``, ``batch.player``, ``batch.mask``, ...
        agents: Who plays, each name once.
        seating: int64 (n, players): which of ``agents`` sits where.
        faults: Of games that were abandoned so far, by their place.
    """

    batch: Batch
    agents: tuple[str, ...]
    seating: np.ndarray
    faults: dict[int, Fault]


class Hook:
    """Is told what happens. All methods do nothing: a hook has those that it needs.

    ``index`` are places in the batch, int64 (k,). Every game is begun once and ended once.
    """

    def before_game(self, playing: Playing, index: np.ndarray) -> None:
        """Games begin: they stand at their start."""

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        """One decision is made in each of these games: they stand as they did before it.

        Args:
            playing: The games.
            index: In which games.
            actions: int64 (k,): what is played there; all are legal.
        """

    def after_game(self, playing: Playing, index: np.ndarray, finals: np.ndarray) -> None:
        """Games have ended, or were abandoned (then they are in ``playing.faults``).

        Args:
            playing: The games; these stand as they ended.
            index: Which games.
            finals: Final records (k,) of ``Game.final``.
        """
