"""Evaluators guide a search in place of rollouts, for example a neural network."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class Evaluator(Protocol):
    """Evaluates many positions at once."""

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Estimate action priors and the value of the position for each player.

        Args:
            observations: float32 (k, size): the observations of the acting players.
            masks: bool (k, actions): their action masks.

        Returns:
            Priors (k, actions), not negative: the search tries actions with high priors first. Rows need not add up to
            1, and priors of illegal actions are ignored. Values (k, players), preferably from 0 to 1: the expected
            share of the win (`win_share`) of the acting player, then of the others clockwise. Seats of one team have
            equal values.
        """
