"""Agents that follow a plan."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from agents.agent import Agent
from agents.puerto_rico.policy import STRATEGIES, scripted_action
from pr_env.compiling import announce_compiling, kernel
from pr_env.puerto_rico import PuertoRico


@kernel
def scripted_actions(games: np.ndarray, strategy: int, out: np.ndarray) -> None:
    """The choice of one strategy in each game."""
    for i in range(games.shape[0]):
        out[i] = scripted_action(games[i], strategy)


class ScriptedAgent(Agent):
    """Plays Puerto Rico by a strategy of `plans.py`; the same position always gets the same answer."""

    plays: ClassVar[tuple[str, ...]] = (PuertoRico.name,)
    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True
    strategy: ClassVar[str]

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        games = self._records(games)
        actions = np.zeros(len(games), np.int64)
        with announce_compiling("the scripted agents", scripted_actions):
            scripted_actions(games, STRATEGIES.index(self.strategy), actions)
        return actions


class BuilderAgent(ScriptedAgent):
    """Quarries and money early, then a full city with large buildings."""

    strategy: ClassVar[str] = "builder"


class ShipperAgent(ScriptedAgent):
    """Large amounts of corn and indigo, shipped with harbor and wharf."""

    strategy: ClassVar[str] = "shipper"


class TraderAgent(ScriptedAgent):
    """Tobacco and coffee for the trading house, then factory and large buildings."""

    strategy: ClassVar[str] = "trader"
