"""Agents by name, of this package and of other packages that offer players.

Other packages offer players as `pr_env.opponents` describes: a function ``make(name, *, game, seed)`` in the
entry-point group ``pr_env.opponents``, and the names in ``pr_env.opponent_names``.
"""

from __future__ import annotations

from importlib.metadata import entry_points

import numpy as np

from agents.agent import Agent
from agents.registry import agents_of, make_agent
from pr_env.game import Game
from pr_env.opponents import GROUP, OWN, Player, make_opponent, opponent_names


class OfferedAgent(Agent):
    """A player from another package as an agent.

    Args:
        game: The game to play.
        player: The player. The agent takes over its attributes ``needs_observations``, ``needs_games`` and
            ``games_at_once`` if they exist.
    """

    def __init__(self, game: Game, player: Player) -> None:
        super().__init__(game)
        self._player = player
        for name in ("needs_observations", "needs_games", "games_at_once"):
            setattr(self, name, getattr(player, name, getattr(Agent, name)))

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """The choice of the player."""
        return self._player.choose(observations, masks, games)


def find_agent(spec: str, game: Game, *, seed: int = 0) -> Agent:
    """Create an agent by name, from this package, or else from the first other package that knows the name.

    Args:
        spec: As for `make_agent`; another package interprets its own options.
        game: The game to play.
        seed: Seed of an agent that uses chance.

    Raises:
        ValueError: If no package knows the name, or the agent cannot play the game. The message includes the errors
            of the packages.
    """
    name = spec.partition(":")[0]
    if name in agents_of(game.name) or all(entry.value == OWN for entry in entry_points(group=GROUP)):
        return make_agent(spec, game, seed=seed)
    player = make_opponent(spec, game=game, seed=seed)
    return player if isinstance(player, Agent) else OfferedAgent(game, player)


def names_of_others(kind: type[Game]) -> dict[str, str]:
    """The agents that other packages offer for a class of games: names with short descriptions."""
    own = agents_of(kind.name)
    return {name: words for name, words in opponent_names(kind).items() if name not in own}
