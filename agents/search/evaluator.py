"""Evaluators, which guide a search instead of rollouts: for example a neural network."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class Evaluator(Protocol):
    """Judges many positions at once."""

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How likely each action is to be good, and how likely each player is to win.

        Args:
            observations: float32 (k, size): what the acting player of each position sees.
            masks: bool (k, actions): what it may do.

        Returns:
            Priors (k, actions), from 0 on: what the search should look at first. Rows need not add up to 1, and what
            they say about illegal actions is ignored. Values (k, players), best within 0 to 1: the expected share of
            the win (`win_share`) of the acting player, then of the others clockwise. Seats of one team have the same.
        """
