"""Evaluation of an agent: in each seat in turn, against copies of another; in cooperative games in all seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents import Agent, make_agent
from agents.arena import play_match
from agents.arena.statistics import Estimate
from agents.registry import AGENTS, agents_of
from pr_env.game import Game

SECONDS = 3600.0  # per answer: practically no limit
ITSELF = ("alone", "together")  # instead of an opponent's name, if the agent has all seats
CHANCE_GAMES = 600  # to estimate the win rate of random play


@dataclass(frozen=True)
class Measured:
    """The result of an agent against one opponent.

    Attributes:
        wins: Its win rate, with a 95 % interval.
        points: Its mean points.
        theirs: The mean points of the others; None if there are no others.
        length: Mean length of a game, in the game's unit.
        games: Number of games.
        seed: The first seed.
    """

    wins: Estimate
    points: float
    theirs: float | None
    length: float
    games: int
    seed: int


class Yardstick(NamedTuple):
    """The reference for a win rate.

    Attributes:
        words: Its description.
        share: The win rate.
    """

    words: str
    share: float


def fair_share(game: Game) -> float | None:
    """The win rate among equal agents; None if all seats win or lose together."""
    return 1 / len(set(game.teams)) if game.constant_sum else None


def yardstick(game: Game) -> Yardstick:
    """The win rate that an agent should exceed: its fair share, or in cooperative games that of random play."""
    fair = fair_share(game)
    if fair is not None:
        return Yardstick("fair", fair)
    chance = make_agent("random", game)
    return Yardstick("random play", measure(chance, None, game, CHANCE_GAMES, seed=0).wins.mean)


def itself(game: Game) -> str:
    """The name of the table at which the agent has all seats."""
    return ITSELF[0] if game.players == 1 else ITSELF[1]


def opponents_of(game: Game) -> tuple[str, ...]:
    """Opponents in evaluations: random play, and the agents for this game only. None in cooperative games."""
    if not game.constant_sum:
        return ()
    return ("random", *(name for name in agents_of(game.name) if name not in AGENTS and _plays(name, game)))


def measure_all(agent: Agent, opponents: Sequence[str], game: Game, games: int, seed: int) -> dict[str, Measured]:
    """Evaluate an agent against each opponent, by name; without opponents, in all seats."""
    if not opponents:
        return {itself(game): measure(agent, None, game, games, seed)}
    return {name: measure(agent, name, game, games, seed) for name in opponents}


def measure(agent: Agent, other: str | None, game: Game, games: int, seed: int) -> Measured:
    """Evaluate an agent against one opponent.

    Args:
        agent: The agent to evaluate. It has one seat, or the seats of one team, each in turn with the same seeds.
        other: The agent in the other seats; None for the agent itself.
        game: The game and its configuration.
        games: Number of games, rounded up to a multiple of the seatings.
        seed: The first seed.

    Raises:
        ValueError: If the agent is for another game, or there is no such opponent.
        RuntimeError: If games were abandoned: a faulty agent would otherwise just look weak.
    """
    if other is not None and game.players == 1:
        raise ValueError(f"a game for 1 player has no opponents, got {other!r}")
    players: list[str | Agent] = [agent] if other is None else [agent, other]
    match = play_match(game, players, games=games, seed=seed, seconds=SECONDS)
    if match.faults:
        first = next(iter(match.faults.values()))
        raise RuntimeError(f"{len(match.faults)} of {len(match)} games were abandoned: {first.kind}: {first.message}")
    name = match.agents[0]
    own, points = match.seats_of(name), match.points.sum(axis=-1)
    return Measured(
        wins=match.wins_of(name),
        points=float(points[own].mean()),
        theirs=None if own.all() else float(points[~own].mean()),
        length=match.mean_length(),
        games=len(match),
        seed=seed,
    )


def _plays(name: str, game: Game) -> bool:
    try:
        make_agent(name, game)
    except ValueError:
        return False
    return True
