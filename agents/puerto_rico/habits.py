"""Statistics of play in Puerto Rico: arena hooks that count opening roles and buildings."""

from __future__ import annotations

from collections import Counter

import numpy as np

from agents.arena.hooks import Hook, Playing
from pr_env.puerto_rico.actions import ACTIONS
from pr_env.puerto_rico.tables import BUILDING_NAMES, NOT_BUILT

_ROLES = {action.number: str(action.name[1]) for action in ACTIONS if action.name[0] == "pick"}
_NONE = -1


class OpeningRoles(Hook):
    """Counts the roles picked in the first round."""

    def __init__(self) -> None:
        self._picked: list[np.ndarray] = []  # per batch: (games, seats), the action or _NONE

    def before_game(self, playing: Playing, index: np.ndarray) -> None:
        """Start recording."""
        self._picked.append(np.full((len(playing.batch), playing.batch.game.players), _NONE))

    def step(self, playing: Playing, index: np.ndarray, actions: np.ndarray) -> None:
        """Record a pick of the first round, in which each seat picks once, from the first seat on."""
        picked = self._picked[-1]
        seats = (picked[index] != _NONE).sum(axis=1)
        first = (seats < picked.shape[1]) & np.isin(actions, list(_ROLES))
        picked[index[first], seats[first]] = actions[first]

    @property
    def counts(self) -> list[Counter[str]]:
        """How often each seat picked each role."""
        columns = np.concatenate(self._picked).T.tolist()
        return [Counter(_ROLES[action] for action in column if action != _NONE) for column in columns]


class Buildings(Hook):
    """Counts the buildings that players own at the end.

    Attributes:
        everybody: The number of players who own each building.
        winners: The number of winners who own each building.
        players: The number of players.
        won: The number of winners.
    """

    def __init__(self) -> None:
        self.everybody: Counter[str] = Counter()
        self.winners: Counter[str] = Counter()
        self.players = 0
        self.won = 0

    def after_game(self, playing: Playing, index: np.ndarray, finals: np.ndarray) -> None:
        """Count the buildings in the cities."""
        seats = playing.batch.game.players
        owned = np.take(playing.batch.games, index)["city"][:, :seats] != NOT_BUILT
        winners = finals["win_share"][:, :seats] > 0
        names = BUILDING_NAMES[: owned.shape[2]]
        self.everybody.update(dict(zip(names, owned.sum(axis=(0, 1)).tolist(), strict=True)))
        self.winners.update(dict(zip(names, owned[winners].sum(axis=0).tolist(), strict=True)))
        self.players += winners.size
        self.won += int(winners.sum())
