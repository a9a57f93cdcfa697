"""How well an agent plays: in one seat against copies of another, seats in turn; where all win together, in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from agents import Agent, make_agent
from agents.arena.play import play_games
from agents.arena.statistics import Estimate, share
from agents.neural import NeuralAgent
from agents.registry import AGENTS, agents_of
from pr_env.game import Game

SECONDS = 3600.0  # for one answer: nobody is hurried here
OTHER_CHANCE = 2**32  # added to the seeds of agents: with those of the games their chance would be that of the games
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


class TrainedAgent(NeuralAgent):
    """The agent of a training, computed by PyTorch with the threads of the training.

    Those of NumPy wait awake: beside other work an evaluation would take twenty times as long.

    Args:
        game: What it plays.
        weights: A file of `agents.neural.save_agent`.
    """

    def __init__(self, game: Game, weights: str) -> None:
        super().__init__(game, weights)
        stored = {name: torch.from_numpy(value.astype(np.float32)) for name, value in self.brain.weights.items()}
        depth = sum(name.startswith("hidden.") and name.endswith(".weight") for name in stored)
        names = [*(f"hidden.{place}" for place in range(depth)), "policy"]
        self._layers = [(stored[f"{name}.weight"], stored[f"{name}.bias"]) for name in names]

    @torch.inference_mode()
    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One action for each game: the likeliest."""
        *hidden, policy = self._layers
        x = torch.from_numpy(observations)
        for weight, bias in hidden:
            x = functional.relu(functional.linear(x, weight, bias))
        scores = functional.linear(x, *policy).numpy()
        return np.asarray(np.where(masks, scores, -np.inf).argmax(axis=1), np.int64)


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
    chance = make_agent("random", game, seed=OTHER_CHANCE)
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
    if agent.game != game:
        raise ValueError(f"{type(agent).__name__} was made for {agent.game}, not for {game}")
    if other is not None and game.players == 1:
        raise ValueError(f"a game for 1 player has no opponents, got {other!r}")
    players = [agent] if other is None else [agent, make_agent(other, game, seed=seed + OTHER_CHANCE)]
    seatings = np.zeros((1, game.players), np.int64) if other is None else _seatings(game)
    count = -(-games // len(seatings))
    seeds = np.uint64(seed) + np.repeat(np.arange(count, dtype=np.uint64), len(seatings))
    seating = np.tile(seatings, (count, 1))
    finals = []
    for part in _parts(len(seeds), min(player.games_at_once for player in players)):
        played = play_games(game, players, seeds[part], seating[part], seconds=SECONDS)
        if played.faults:
            first = next(iter(played.faults.values()))
            raise RuntimeError(
                f"{len(played.faults)} of {len(played.finals)} games were abandoned: {first.kind}: {first.message}"
            )
        finals.append(played.finals)
    return _measured(game, np.concatenate(finals), seating, seed)


def _measured(game: Game, finals: np.ndarray, seating: np.ndarray, seed: int) -> Measured:
    own = seating == 0
    wins = (finals["win_share"][:, : game.players] * own).sum(axis=1) / own.sum(axis=1)
    points = finals["total"][:, : game.players]
    return Measured(
        wins=share(wins.astype(np.float64), finals["seed"]),
        points=float(points[own].mean()),
        theirs=None if own.all() else float(points[~own].mean()),
        length=float(finals[game.length_unit].mean()),
        games=len(finals),
        seed=seed,
    )


def _seatings(game: Game) -> np.ndarray:
    """int64 (seatings, seats): 0 where the agent sits, 1 where the other one does."""
    sides = np.array(game.teams if game.constant_sum else range(game.players))
    return np.array([sides != side for side in np.unique(sides)], np.int64)


def _parts(count: int, most: int) -> Iterator[slice]:
    for start in range(0, count, most):
        yield slice(start, start + most)


def _plays(name: str, game: Game) -> bool:
    try:
        make_agent(name, game)
    except ValueError:
        return False
    return True
