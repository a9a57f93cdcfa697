"""How well an agent plays: one of it against copies of another, seats in turn."""

from __future__ import annotations

from collections.abc import Sequence

from agents import Agent
from agents.arena import play_match
from pr_env.game import Game

OPPONENTS = ("random", "builder", "shipper", "trader", "greedy")


def win_shares(
    agent: Agent, game: Game, games: int, seed: int, opponents: Sequence[str] = OPPONENTS
) -> dict[str, float]:
    """The share of wins of one agent against copies of each opponent."""
    shares = {}
    for name in opponents:
        result = play_match(game, [agent, name], games=games, seed=seed)
        shares[name] = result.wins_of(result.agents[0]).mean
    return shares
