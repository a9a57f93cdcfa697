"""The agents of a tournament, by their names in the results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.agent import Agent
from agents.arena.asking import warm_up
from agents.arena.schedule import Table, agents_of
from agents.offered import find_agent
from pr_env.checks import shown
from pr_env.game import Game


class Contestants:
    """The agents by their names in the results.

    Agents given by name are created anew for every batch, with their own seed, so that the games of a batch do not
    depend on batches played before.

    Args:
        game: The game to play.
        agents: Names and objects.

    Raises:
        ValueError: If an agent does not exist or cannot play the game. This happens before anything is played.
    """

    def __init__(self, game: Game, agents: Sequence[str | Agent]) -> None:
        self._game = game
        self.names: list[str] = []
        self._objects: dict[str, Agent] = {}
        self._warm: set[str] = set()
        for agent in agents:
            if isinstance(agent, str):
                find_agent(agent, game)  # raises now rather than in the middle
                self.names.append(agent)
            elif isinstance(agent, Agent):
                if agent.game != game:
                    raise ValueError(f"{type(agent).__name__} was made for {agent.game}, not for {game}")
                self.names.append(self._name(agent))
            else:
                raise ValueError(f"agent must be a name or an Agent, got {shown(agent)}")

    def _name(self, agent: Agent) -> str:
        for name, known in self._objects.items():
            if known is agent:
                return name
        name = kind = type(agent).__name__
        number = 1
        while name in self._objects:
            number += 1
            name = f"{kind} {number}"
        self._objects[name] = agent
        return name

    def batch(self) -> int:
        """The smallest preferred number of parallel games."""
        return min(self._make(name, 0).games_at_once for name in self.names)

    def make(self, table: Table, seed: list[int]) -> list[Agent]:
        """Create the agents of a table for one batch."""
        names = agents_of(table)
        seeds = np.random.SeedSequence(seed).generate_state(len(names))
        return [self._make(name, int(own)) for name, own in zip(names, seeds, strict=True)]

    def warm_up(self, table: Table) -> None:
        """Let agents given by name compile and load before their first game; objects are not touched."""
        for name in agents_of(table):
            if name not in self._warm and name not in self._objects:
                warm_up(self._game, self._make(name, 0))
            self._warm.add(name)

    def _make(self, name: str, seed: int) -> Agent:
        return self._objects[name] if name in self._objects else find_agent(name, self._game, seed=seed)
