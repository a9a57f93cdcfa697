"""How well an agent plays: one of it against copies of another, seats in turn."""

from __future__ import annotations

from collections.abc import Sequence

from agents import Agent
from agents.arena import play_match
from agents.arena.matches import Progress
from agents.arena.report import faults
from agents.arena.results import MatchResult
from pr_env.game import Game

OPPONENTS = ("random", "builder", "shipper", "trader", "greedy")


def play_against(
    agent: Agent, opponent: str, game: Game, games: int, seed: int, progress: Progress | None = None
) -> MatchResult:
    """One agent against copies of an opponent.

    Raises:
        RuntimeError: If games were abandoned: an agent that cannot play would only look weak.
    """
    result = play_match(game, [agent, opponent], games=games, seed=seed, progress=progress)
    if result.faults:
        raise RuntimeError(f"{len(result.faults)} of {len(result)} games were abandoned: {faults(result)[0]}")
    return result


def win_shares(
    agent: Agent, game: Game, games: int, seed: int, opponents: Sequence[str] = OPPONENTS
) -> dict[str, float]:
    """The share of wins of one agent against copies of each opponent."""
    shares = {}
    for name in opponents:
        result = play_against(agent, name, game, games, seed)
        shares[name] = result.wins_of(result.agents[0]).mean
    return shares
