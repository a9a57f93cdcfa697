"""Opponents, which play the seats that are not the learner's: functions, agents, or names of agents.

This package has one opponent of its own, ``"random"``. Other names are looked up in the packages that offer agents:
they declare a function ``make(name, *, game, seed)`` in the entry-point group ``pr_env.opponents``, which raises
ValueError for unknown names and for games that the agent does not play. A function ``names(kind)`` in the group
``pr_env.opponent_names`` gives the agents for a class of games: names with a short description. The agents
of this distribution are offered in that way, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pr_env.checks import shown
from pr_env.game import Game, check_is_game

GROUP = "pr_env.opponents"
NAMES_GROUP = "pr_env.opponent_names"
OWN = "agents:make_agent"  # the entry point of this distribution
RANDOM = "random"  # plays every game

# From observations (k, size) and masks (k, actions) of k games to k actions
Policy = Callable[[np.ndarray, np.ndarray], npt.ArrayLike]


@runtime_checkable
class Player(Protocol):
    """An object that chooses; it may ask for the games' records with an attribute ``needs_games = True``."""

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One legal action for each of k games."""


Opponent = str | Policy | Player
Opponents = Opponent | Sequence[Opponent]


class Chooser(NamedTuple):
    """Who chooses for some of the other seats.

    Attributes:
        player: None plays by chance.
        needs_games: Whether it is to be given the records.
        distances: Its seats, counted clockwise from the learner without the learner's own: 1 is the next one.
    """

    player: Player | None
    needs_games: bool
    distances: list[int]


def choosers(game: Game, opponents: Opponents, counts: Sequence[int]) -> list[Chooser]:
    """Who plays the other seats; one who plays several is asked once for all of them.

    Args:
        game: The game and its configuration.
        opponents: As for `pr_env.seats.SeatBatch`.
        counts: How many other seats there are, for each place where the learner can sit.

    Raises:
        ValueError: If there is not one opponent for each seat, or a name that nobody knows.
    """
    most = max(counts)
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        given: list[Any] = list(opponents)
        if min(counts) < most:
            raise ValueError("teams of different sizes need one opponent for all other seats, not a list")
        if len(given) != most:
            learner = "" if most == game.players - 1 else " whose learner has a team"
            raise ValueError(f"{game.players} players{learner} have {most} opponents, not {len(given)}")
    else:
        given = [opponents] * most
    found: list[tuple[Any, Chooser]] = []
    for distance, opponent in enumerate(given, start=1):
        for known, chooser in found:
            if known is opponent or (isinstance(opponent, str) and isinstance(known, str) and known == opponent):
                chooser.distances.append(distance)
                break
        else:
            player = _player(opponent, game)
            found.append((opponent, Chooser(player, bool(getattr(player, "needs_games", False)), [distance])))
    return [chooser for _, chooser in found]


def make_opponent(name: str, *, game: Game, seed: int = 0) -> Player:
    """The player of a name for a game, made by the first package that knows it.

    Raises:
        ValueError: If nobody knows the name; with what each package says about it.
    """
    if not isinstance(name, str):
        raise ValueError(f"name must be the name of an agent, for example 'random', got {shown(name)}")
    check_is_game(game)
    complaints = []
    own_first = sorted(entry_points(group=GROUP), key=lambda entry: entry.value != OWN)
    for entry in own_first:  # nobody takes over the names of this distribution
        try:
            player: Player = entry.load()(name, game=game, seed=seed)
        except ValueError as error:
            complaints.append(f"{entry.name}: {error}")
        else:
            return player
    known = "; ".join(complaints) or "no package that offers players is installed"
    raise ValueError(f"no opponent {shown(name)}: {known}")


def opponent_names(kind: type[Game]) -> dict[str, str]:
    """Who is offered for a class of games: names with what each is in a few words."""
    names: dict[str, str] = {}
    for entry in entry_points(group=NAMES_GROUP):
        try:
            offered = entry.load()(kind)
        except ImportError:  # whoever asks for one of its players by name is told what is missing
            continue
        names = {**offered, **names}
    return names


def _player(opponent: Any, game: Game) -> Player | None:
    if isinstance(opponent, str):
        return None if opponent == RANDOM else make_opponent(opponent, game=game)
    if not isinstance(opponent, (type, np.ndarray, np.generic)):  # NumPy's have a method `choose`, too
        if isinstance(opponent, Player):
            return opponent
        if callable(opponent):
            return _FunctionPlayer(opponent)
    raise ValueError(
        f"opponent must be a name, a function of observations and masks, or an agent, got {shown(opponent)}"
    )


@dataclass(frozen=True)
class _FunctionPlayer:
    """A function as a player."""

    function: Policy

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """What the function says; who asks checks it."""
        return self.function(observations, masks)  # type: ignore[return-value] # anything like an array

    @property
    def name(self) -> str:
        """What the function is called, for messages."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))
