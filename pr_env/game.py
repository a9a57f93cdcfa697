"""What a game is to the rest of the package: a record, its tables, and functions over arrays of records.

The batch and every adapter work with any game of this shape and know no rule of their own.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from pr_env.words import Words

# Whose view of a game, where it is not that of a seat
ACTING = -1  # the acting player's
EVERYTHING = -2  # seat by seat from the first, with nothing hidden


class IllegalActionError(ValueError):
    """An action that the rules do not allow, or that does not exist. Nothing was changed."""


class PositionError(ValueError):
    """A position that cannot be, or a description of one that cannot be understood."""


@dataclass(frozen=True)
class Action:
    """One row of a game's action table.

    Attributes:
        number: What the action is called in masks and steps.
        name: What programs call it, for example ``("build", "hacienda")``.
        sentence: What people call it.
    """

    number: int
    name: tuple[str | int, ...]
    sentence: str

    def __str__(self) -> str:
        return f"{self.number} {' '.join(str(part) for part in self.name)}"


@dataclass(frozen=True)
class Field:
    """One row of a game's observation table: a named slice of the vector.

    Attributes:
        name: What it is called.
        start: Its first place in the vector.
        axes: The names along each axis; ``()`` for a single number.
        scale: What the plain count is multiplied with.
        meaning: One line for people.
    """

    name: str
    start: int
    axes: tuple[tuple[str, ...], ...]
    scale: float
    meaning: str

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""
        return tuple(len(axis) for axis in self.axes)

    @property
    def stop(self) -> int:
        """The place after its last one."""
        return self.start + math.prod(self.shape)

    def read(self, observation: np.ndarray) -> np.ndarray:
        """The field's plain counts in an observation (or in a batch of them)."""
        counts = np.rint(observation[..., self.start : self.stop] / self.scale).astype(np.int64)
        return counts.reshape((*observation.shape[:-1], *self.shape))


@dataclass
class Buffers:
    """What a batch writes after a step, the batch as first axis. Each step overwrites it.

    Attributes:
        player: int8 (n,): the seat to move.
        mask: bool (n, actions): what it may do. All True where a game is over and does not restart.
        observation: float32 (n, size): what it sees; (n, 0) where no observations were asked for.
        reward: float32 (n, players): what the step paid to each seat.
        terminated: bool (n,): a game ended by its rules in this step.
        truncated: bool (n,): a game was cut in this step.
        final: records of ``Game.final`` (n,): result of the games that ended; holds old results elsewhere.
    """

    player: np.ndarray
    mask: np.ndarray
    observation: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final: np.ndarray

    @classmethod
    def allocate(cls, game: Game, count: int, observations: bool = True) -> Buffers:
        """Fresh buffers for ``count`` games."""
        return cls(
            player=np.zeros(count, np.int8),
            mask=np.zeros((count, len(game.actions)), np.bool_),
            observation=np.zeros((count, game.observation_size if observations else 0), np.float32),
            reward=np.zeros((count, game.players), np.float32),
            terminated=np.zeros(count, np.bool_),
            truncated=np.zeros(count, np.bool_),
            final=np.zeros(count, game.final),
        )


class Game(ABC):
    """A game in one configuration. Its sizes depend on the configuration only.

    Its record has at least the fields ``seed`` (uint64: what the game was set up with) and ``legal`` (one byte for each
    action: 1 where it is legal now). Its final record has at least ``seed``, ``rounds``, ``ending`` (bits: place in
    ``end_reasons``), and for each seat ``points`` (by ``point_sources``), ``total``, ``rank`` and ``win_share``.
    """

    name: ClassVar[str]
    layout: ClassVar[int]  # counts up when records, actions or observations change their meaning

    record: np.dtype[Any]
    final: np.dtype[Any]
    point_sources: tuple[str, ...]
    end_reasons: ClassVar[tuple[str, ...]]
    actions: tuple[Action, ...]
    fields: tuple[Field, ...]
    observation_size: int
    players: int
    reward_schemes: ClassVar[tuple[str, ...]]
    render_modes: ClassVar[tuple[str, ...]]

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """The configuration, JSON-safe: ``type(game)(**game.options())`` is the same game."""

    @abstractmethod
    def reset(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """Set up every game with its seed (uint64)."""

    @abstractmethod
    def refresh(self, games: np.ndarray) -> None:
        """Bring games that were written from outside to their next real decision."""

    @abstractmethod
    def look(self, games: np.ndarray, out: Buffers, viewer: int = ACTING) -> None:
        """Write acting player, its mask, and an observation: a seat's, or ACTING or EVERYTHING."""

    @abstractmethod
    def step(
        self,
        games: np.ndarray,
        actions: np.ndarray,
        where: np.ndarray,
        reward: str,
        autoreset: bool,
        threads: int,
        out: Buffers,
    ) -> int:
        """Play one action (int64) in every game where ``where`` (bool) is True, and write everything of ``out``.

        Returns -1; or the first game whose action is illegal, and then no game has changed.
        """

    @abstractmethod
    def bind_step(
        self, games: np.ndarray, actions: np.ndarray, where: np.ndarray, reward: str, autoreset: bool, out: Buffers
    ) -> Callable[[], int]:
        """A function that is `step` on one thread, always with these arguments: naming them takes a tenth of a step."""

    @abstractmethod
    def play_others(
        self,
        games: np.ndarray,
        seats: np.ndarray,
        generators: np.ndarray,
        look_at_all: bool,
        reward: str,
        threads: int,
        out: Buffers,
    ) -> None:
        """Play by chance in every game until a seat (int64) is to move or the game is over, and write ``out``.

        Player, mask and observation are written where the game went on, or of all games if ``look_at_all``.
        """

    @abstractmethod
    def score(self, games: np.ndarray, finals: np.ndarray) -> None:
        """Write the result of every game as if it ended now."""

    @abstractmethod
    def is_over(self, games: np.ndarray) -> np.ndarray:
        """Which games are over, bool."""

    @abstractmethod
    def describe_decision(self, record: Any) -> str:
        """Who is asked what, in a few words."""

    @abstractmethod
    def render(self, record: Any, mode: str) -> str | np.ndarray:
        """The board as one of ``render_modes``."""

    @abstractmethod
    def to_dict(self, record: Any) -> dict[str, Any]:
        """A game as plain JSON-safe Python."""

    @abstractmethod
    def from_dict(self, position: Mapping[str, Any]) -> np.ndarray:
        """One record (shape (1,)) set up from a description; raises PositionError when it cannot be."""

    @abstractmethod
    def problems(self, games: np.ndarray) -> list[str]:
        """What is impossible in these records, in sentences; empty when nothing is."""

    # -- for people: defaults for any game --------------------------------------------------------------------------

    @property
    def words(self) -> Words:
        """What people read about the game."""
        from pr_env.words import Words  # words are about games, so they load after them

        return Words(self)

    def text(
        self, record: Any, *, names: Sequence[str] = (), answers: bool = True, width: int = 100, colour: bool = True
    ) -> str:
        """The board as text for a terminal.

        Args:
            record: One game.
            names: Who plays each seat, if that is known.
            answers: Whether to list what the acting player may do.
            width: Columns of the terminal.
            colour: Whether to use escape codes for colours.
        """
        from pr_env.render.plain import text

        return text(self, record, names=names, answers=answers, width=width, colour=colour)

    def action_number(self, *name: str | int) -> int:
        """The number of an action by its name, for example ``action_number("build", "hacienda")``."""
        for action in self.actions:
            if action.name == name:
                return action.number
        raise KeyError(f"{self.name} has no action {name!r}")

    def read_observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The way back from an observation to named fields with plain counts."""
        if observation.shape[-1:] != (self.observation_size,):
            raise ValueError(f"an observation of {self} has {self.observation_size} numbers, not {observation.shape}")
        return {field.name: field.read(observation) for field in self.fields}
