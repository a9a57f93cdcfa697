"""The agent that chooses uniformly random legal actions."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from agents.agent import Agent
from pr_env.checks import readable
from pr_env.game import Game
from pr_env.sampling import sample_actions, start_generators

_OTHER_CHANCE = np.uint64(0xC401CE)  # so that an agent's randomness differs from that of a game with the same seed


class RandomAgent(Agent):
    """Chooses uniformly among the legal actions.

    Args:
        game: The game to play.
        seed: The same seed gives the same choices.
    """

    needs_observations: ClassVar[bool] = False

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        super().__init__(game)
        self._seed = seed
        self._generators = np.zeros(0, np.uint64)

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        self._grow(len(masks))
        actions = np.zeros(len(masks), np.int64)
        masks = readable("masks", masks, np.bool_, (len(masks), len(self.game.actions)))
        sample_actions(masks, self._generators[: len(masks)], actions)
        return actions

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Uniform over the legal actions."""
        return np.asarray(masks / masks.sum(axis=1, keepdims=True), np.float32)

    def _grow(self, count: int) -> None:
        """Make sure that there is a generator for each game. Existing ones continue."""
        known = len(self._generators)
        if count > known:
            new = np.zeros(count - known, np.uint64)
            seeds = np.arange(self._seed + known, self._seed + count, dtype=np.uint64)
            start_generators(seeds ^ _OTHER_CHANCE, new)
            self._generators = np.concatenate([self._generators, new])
