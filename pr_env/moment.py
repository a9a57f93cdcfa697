"""The state of one game between two moves: the input of texts, stories and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from pr_env.batch import Batch
from pr_env.game import ACTING, EVERYTHING, NO_TITLE, Action, Buffers, Game


class Moment:
    """A snapshot of a game that stays the same while the game goes on. Its properties are computed on demand.

    Args:
        game: The game and its configuration.
        record: A record of the game, for example ``batch.games[0]``; it is copied.
    """

    def __init__(self, game: Game, record: Any) -> None:
        self.game = game
        self._games = np.array([record], game.record)

    @property
    def record(self) -> Any:
        """The game's record, copied at each access."""
        return self._games.copy()[0]

    @cached_property
    def position(self) -> Mapping[str, Any]:
        """The game as plain Python values."""
        return self.game.to_dict(self._games[0])

    @property
    def player(self) -> int:
        """The seat to move."""
        return int(self._games["player"][0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game._is_over(self._games)[0])

    @property
    def was_cut(self) -> bool:
        """Whether the game has been truncated, so that nobody has won it."""
        return self.is_over and bool(self.game._is_truncated(self._games)[0])

    @property
    def legal(self) -> list[Action]:
        """The legal actions of the seat to move."""
        return [self.game.actions[number] for number in np.flatnonzero(self._games["legal"][0])]

    @cached_property
    def final(self) -> Any:
        """The final record as if the game ended now."""
        finals = np.zeros(1, self.game.final)
        self.game._score(self._games, finals)
        return finals[0]

    @property
    def points(self) -> list[int]:
        """Each seat's points if the game ended now."""
        points: list[int] = self.final["total"][: self.game.players].tolist()
        return points

    @property
    def end_reasons(self) -> list[str]:
        """The reasons why the game has ended or will end: names in ``game.end_reasons``."""
        bits = int(self.final["ending"])
        return [reason for place, reason in enumerate(self.game.end_reasons) if bits >> place & 1]

    @property
    def title(self) -> str | None:
        """The title that the players would earn if the game ended now: a name in ``game.titles``, or None."""
        if not self.game.titles or (place := int(self.final["title"])) == NO_TITLE:
            return None
        return self.game.titles[place]

    def observation(self) -> np.ndarray:
        """float32 (size,): the acting player's observation; everything when the game is over."""
        view = Buffers.allocate(self.game, 1)
        self.game._look(self._games, view, EVERYTHING if self.is_over else ACTING)
        return np.asarray(view.observation[0])

    def seen(self) -> dict[str, Any]:
        """The acting player's observation by fields; everything when the game is over."""
        fields = self.game.read_observation(self.observation())
        return {field.name: _by_name(fields[field.name].tolist(), field.axes) for field in self.game.fields}

    def after(self, action: Action) -> Moment:
        """The same game one move later."""
        reward = self.game.reward_schemes[0]
        batch = Batch(self.game, 1, reward=reward, observations=False, autoreset=False, threads=1)
        batch.set_games(self._games)
        batch.step([action.number])
        return Moment(self.game, batch.games[0])


def _by_name(values: Any, axes: tuple[tuple[str, ...], ...]) -> Any:
    """Numbers by the names along their axes."""
    if not axes:
        return values
    return {name: _by_name(value, axes[1:]) for name, value in zip(axes[0], values, strict=True)}
