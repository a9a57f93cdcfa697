"""Agents that follow a plan."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from agents.agent import Agent
from agents.port_royal.policy import STRATEGIES, scripted_action
from pr_env.compiling import announce_compiling, kernel
from pr_env.port_royal import PortRoyal


@kernel
def scripted_actions(games: np.ndarray, tables: np.ndarray, strategy: int, out: np.ndarray) -> None:
    """The choice of one strategy in each game."""
    for i in range(games.shape[0]):
        out[i] = scripted_action(games[i], tables[0], strategy)


class ScriptedAgent(Agent):
    """Plays Port Royal by a strategy of `plans.py`; the same position always gets the same answer."""

    plays: ClassVar[tuple[str, ...]] = (PortRoyal.name,)
    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True
    strategy: ClassVar[str]

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        games = self._records(games)
        actions = np.zeros(len(games), np.int64)
        with announce_compiling("the scripted agents", scripted_actions):
            scripted_actions(games, self.game.tables, STRATEGIES.index(self.strategy), actions)
        return actions


class PurserAgent(ScriptedAgent):
    """Stops at a low probability of a bust, sells, and hires persons that raise the income from ships."""

    strategy: ClassVar[str] = "purser"


class ExplorerAgent(ScriptedAgent):
    """Hires captains, priests, settlers and jacks, for expeditions."""

    strategy: ClassVar[str] = "explorer"


class PatronAgent(ScriptedAgent):
    """Builds an engine of recurring income: mademoiselles, governors, admirals, traders."""

    strategy: ClassVar[str] = "patron"


class PirateAgent(ScriptedAgent):
    """Collects sabres first; then draws long, for two or three cards per turn."""

    strategy: ClassVar[str] = "pirate"


class ContractorAgent(ScriptedAgent):
    """Works towards the face-up contracts; without contracts it plays by the default plan."""

    strategy: ClassVar[str] = "contractor"


class CrewAgent(ScriptedAgent):
    """Completes contracts that nobody in its team has completed; without a team it plays by the default plan."""

    strategy: ClassVar[str] = "crew"
