"""Opponents, which play the seats that are not the learner's: functions, agents or names of agents.

This package has one built-in opponent, ``"random"``. Other names are looked up in packages that offer agents: they
declare a function ``make(name, *, game, seed)`` in the entry-point group ``pr_env.opponents``, which raises ValueError
for unknown names and for games that the agent does not play. A function ``names(kind)`` in the group
``pr_env.opponent_names`` returns the agents for a class of games: names with short descriptions. The agents of this
distribution are registered in the same way.
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

# Maps observations (k, size) and masks (k, actions) of k games to k actions
Policy = Callable[[np.ndarray, np.ndarray], npt.ArrayLike]


@runtime_checkable
class Player(Protocol):
    """An object that chooses actions. With the attribute ``needs_games = True`` it also gets the games' records."""

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One legal action for each of k games."""


Opponent = str | Policy | Player
Opponents = Opponent | Sequence[Opponent]


class Chooser(NamedTuple):
    """An opponent with the seats that it plays.

    Attributes:
        player: The player; None plays randomly.
        needs_games: Whether it gets the records.
        distances: Its seats, counted clockwise from the learner, without the learner's own seats; 1 is the next seat.
    """

    player: Player | None
    needs_games: bool
    distances: list[int]


def choosers(game: Game, opponents: Opponents, counts: Sequence[int]) -> list[Chooser]:
    """The opponents in the other seats. An opponent with several seats is asked once for all of them.

    Args:
        game: The game and its configuration.
        opponents: As for `pr_env.seats.SeatBatch`.
        counts: The number of other seats, for each seat or team of the learner.

    Raises:
        ValueError: If the number of opponents is wrong, or a name is unknown.
    """
    most = max(counts)
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        given: list[Any] = list(opponents)
        if min(counts) < most:
            raise ValueError("opponents must be one for all other seats if teams differ in size, got a list")
        if len(given) != most:
            learner = "" if most == game.players - 1 else " whose learner has a team"
            raise ValueError(f"{game.players} players{learner} need {most} opponents, got {len(given)}")
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
    """Create a player by name, with the first package that knows the name.

    Raises:
        ValueError: If no package knows the name; the message includes each package's reason.
    """
    if not isinstance(name, str):
        raise ValueError(f"name must be the name of an agent, for example 'random', got {shown(name)}")
    check_is_game(game)
    complaints = []
    own_first = sorted(entry_points(group=GROUP), key=lambda entry: entry.value != OWN)
    for entry in own_first:  # other packages cannot take over names of this distribution
        try:
            player: Player = entry.load()(name, game=game, seed=seed)
        except ValueError as error:
            complaints.append(f"{entry.name}: {error}")
        else:
            return player
    known = "; ".join(complaints) or "no package that offers players is installed"
    raise ValueError(f"no opponent {shown(name)}: {known}")


def opponent_names(kind: type[Game]) -> dict[str, str]:
    """The agents on offer for a class of games: names with short descriptions."""
    names: dict[str, str] = {}
    for entry in entry_points(group=NAMES_GROUP):
        try:
            offered = entry.load()(kind)
        except ImportError:  # reported when one of its players is asked for by name
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
        """The function's actions; the caller checks them."""
        return self.function(observations, masks)  # type: ignore[return-value] # anything array-like

    @property
    def name(self) -> str:
        """The function's name, for messages."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))
