"""Tree search guided by a trained network: ``make_agent("ppo+mcts:playouts=400", game)``."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from agents.guided_mcts import GuidedMctsAgent
from agents.neural import NeuralAgent
from agents.search.agent import SearchAgent, Thought
from pr_env.checks import check_number
from pr_env.game import Game

DEFAULT_PLAYOUTS = 400


class NeuralMctsAgent(SearchAgent):
    """Tree search with the network's policy as prior and its values at the leaves.

    Args:
        game: The game to play.
        weights: As for `NeuralAgent`.
        playouts: Playouts per decision; each evaluates a position. If neither this nor ``seconds`` is given, 400.
        seconds: Seconds per decision; with both, the search ends at whichever limit comes first, or early once no
            other action can overtake the best one.
        leaves: Positions that are evaluated at a time.
        exploration: Weight of the exploration term (PUCT).
        sure: If the network gives an action at least this probability, it is played without a search. This is the
            case in most decisions.
        device: As for `NeuralAgent`.
        seed: Chance in playouts is determined by it and by the position.
    """

    needs_observations: ClassVar[bool] = True

    def __init__(
        self,
        game: Game,
        weights: str = "",
        playouts: int | None = None,
        seconds: float | None = None,
        leaves: int = 16,
        exploration: float = 0.5,
        sure: float = 0.99,
        device: str = "",
        *,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed)
        if playouts is None and seconds is None:
            playouts = DEFAULT_PLAYOUTS
        check_number("sure", sure)
        self._sure = sure
        self._network = NeuralAgent(game, weights, device=device)
        self._search = GuidedMctsAgent(
            game,
            self._network,
            playouts=playouts,
            seconds=seconds,
            leaves=leaves,
            exploration=exploration,
            seed=seed,
        )

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game: the network's where it is sure, else that of the search."""
        chances, _ = self._network.evaluate(observations, masks)
        actions = np.asarray(chances.argmax(axis=1), np.int64)
        unsure = np.flatnonzero(chances.max(axis=1) < self._sure)
        if len(unsure):
            actions[unsure] = super().choose(
                observations[unsure], masks[unsure], None if games is None else games[unsure]
            )
        return actions

    def think(self, games: np.ndarray) -> Thought:
        """Search each of these games."""
        self._search.watch = self.watch
        return self._search.think(games)
