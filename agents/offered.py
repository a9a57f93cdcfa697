"""Agents of this package and of all others that offer players, by name.

Other packages offer theirs in the way that `pr_env.opponents` describes: a function ``make(name, *, game, seed)`` in
the entry-point group ``pr_env.opponents``, and the names in ``pr_env.opponent_names``.
"""

from __future__ import annotations

from importlib.metadata import entry_points

import numpy as np

from agents.agent import Agent
from agents.registry import agents_of, make_agent
from pr_env.game import Game
from pr_env.opponents import GROUP, OWN, Player, make_opponent, opponent_names


class OfferedAgent(Agent):
    """A player of another package as an agent.

    Args:
        game: What it plays.
        player: Who chooses. Its attributes ``needs_observations``, ``needs_games`` and ``games_at_once`` are those of
            the agent, if it has them.
    """

    def __init__(self, game: Game, player: Player) -> None:
        super().__init__(game)
        self._player = player
        for name in ("needs_observations", "needs_games", "games_at_once"):
            setattr(self, name, getattr(player, name, getattr(Agent, name)))

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """What the player chooses."""
        return self._player.choose(observations, masks, games)


def find_agent(spec: str, game: Game, *, seed: int = 0) -> Agent:
    """The agent of a name with its options, for a game: one of this package, else of the first other that knows it.

    Args:
        spec: As for `make_agent`; what follows the colon is the other package's business.
        game: What it is to play.
        seed: What an agent that uses chance starts from.

    Raises:
        ValueError: If nobody knows it, or it does not play the game; with what each package says about it.
    """
    name = spec.partition(":")[0]
    if name in agents_of(game.name) or all(entry.value == OWN for entry in entry_points(group=GROUP)):
        return make_agent(spec, game, seed=seed)
    player = make_opponent(spec, game=game, seed=seed)
    return player if isinstance(player, Agent) else OfferedAgent(game, player)


def names_of_others(kind: type[Game]) -> dict[str, str]:
    """The agents that other packages offer for a class of games: names with what each is in a few words."""
    own = agents_of(kind.name)
    return {name: words for name, words in opponent_names(kind).items() if name not in own}
