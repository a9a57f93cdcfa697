"""How well an agent plays: in one seat, in turn, against copies of another; in cooperative games in all seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents import Agent, make_agent
from agents.arena import play_match
from agents.arena.statistics import Estimate
from agents.registry import AGENTS, agents_of
from pr_env.game import Game

SECONDS = 3600.0  # for one answer: nobody is hurried here
ITSELF = ("alone", "together")  # in place of an opponent's name, where the agent has all seats
CHANCE_GAMES = 600  # that tell what random play wins


@dataclass(frozen=True)
class Measured:
    """What an agent did at one kind of table.

    Attributes:
        wins: Its share of the wins, with a 95 % interval.
        points: Its mean points.
        theirs: Those of the others; None if there were none.
        length: Of a game, in the game's unit.
        games: How many were played.
        seed: Of the first.
    """

    wins: Estimate
    points: float
    theirs: float | None
    length: float
    games: int
    seed: int


class Yardstick(NamedTuple):
    """What a share of wins is compared with.

    Attributes:
        words: What it is.
        share: Of the wins.
    """

    words: str
    share: float


def fair_share(game: Game) -> float | None:
    """What everybody wins among equals; None where all win or lose together."""
    return 1 / len(set(game.teams)) if game.constant_sum else None


def yardstick(game: Game) -> Yardstick:
    """What an agent has to win more than: its fair share, or where all win together what random play wins."""
    fair = fair_share(game)
    if fair is not None:
        return Yardstick("fair", fair)
    chance = make_agent("random", game)
    return Yardstick("by chance", measure(chance, None, game, CHANCE_GAMES, seed=0).wins.mean)


def itself(game: Game) -> str:
    """What a table is called at which the agent has all seats."""
    return ITSELF[0] if game.players == 1 else ITSELF[1]


def opponents_of(game: Game) -> tuple[str, ...]:
    """Whom an agent is measured with: random play, and the agents that play this game only. Nobody in a team of all."""
    if not game.constant_sum:
        return ()
    return ("random", *(name for name in agents_of(game.name) if name not in AGENTS and _plays(name, game)))


def measure_all(agent: Agent, opponents: Sequence[str], game: Game, games: int, seed: int) -> dict[str, Measured]:
    """An agent against each of some opponents, by their names; if there are none, in all seats."""
    if not opponents:
        return {itself(game): measure(agent, None, game, games, seed)}
    return {name: measure(agent, name, game, games, seed) for name in opponents}


def measure(agent: Agent, other: str | None, game: Game, games: int, seed: int) -> Measured:
    """Let an agent play.

    Args:
        agent: Who is measured. It has one seat, or the seats of one team, each in turn with the same seeds.
        other: Who plays the other seats; None: the agent itself.
        game: What is played.
        games: At least so many; rounded up to a multiple of the seatings.
        seed: The first seed.

    Raises:
        ValueError: If the agent is for another game, or there is no such opponent.
        RuntimeError: If games were abandoned: an agent that cannot play would only look weak.
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
