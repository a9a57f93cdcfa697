"""The interface of a game: a record, its rules, its tables and its words.

The batch and all adapters work with any game that implements this interface. They contain no game rules.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from pr_env import kernels
from pr_env.checks import (
    as_array,
    check_array,
    check_choice,
    check_flag,
    check_whole,
    is_whole,
    listed,
    readable,
    shown,
)
from pr_env.positions import PositionError, read_position, tell_position
from pr_env.rewards import FOR_ANY_TEAMS, FOR_COMPETITORS, SCHEMES
from pr_env.rules import ACTING, EVERYTHING, NO_TABLES, NO_TITLE, Rules
from pr_env.threads import check_threads, together

if TYPE_CHECKING:
    from pr_env.campaign import Campaign
    from pr_env.words import Words

__all__ = [
    "ACTING",
    "EVERYTHING",
    "NO_TITLE",
    "Action",
    "Buffers",
    "Field",
    "Game",
    "IllegalActionError",
    "PositionError",
]


class IllegalActionError(ValueError):
    """An action that is illegal or does not exist. Nothing has changed."""


@dataclass(frozen=True)
class Action:
    """One row of a game's action table.

    Attributes:
        number: Its index in masks, and its number in steps.
        name: Its name in programs, for example ``("build", "hacienda")``.
        sentence: A description for people.
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
        name: Its name.
        start: Its first index in the vector.
        axes: The names along each axis; ``()`` for a single number.
        scale: The factor by which the plain count is multiplied.
        meaning: A one-line description.
    """

    name: str
    start: int
    axes: tuple[tuple[str, ...], ...]
    scale: float
    meaning: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(len(axis) for axis in self.axes)

    @property
    def stop(self) -> int:
        """The index after its last one."""
        return self.start + math.prod(self.shape)

    def read(self, observation: np.ndarray) -> np.ndarray:
        """The field's plain counts in an observation or a batch of observations."""
        counts = np.rint(observation[..., self.start : self.stop] / self.scale).astype(np.int64)
        return counts.reshape((*observation.shape[:-1], *self.shape))


@dataclass(frozen=True)
class Buffers:
    """The arrays that a batch writes at each step, with the batch as first axis. Each step overwrites them.

    Attributes:
        player: int8 (n,): the seat to move.
        mask: bool (n, actions): its legal actions. All True where a game is over and does not restart.
        observation: float32 (n, size): its observation, uint8 if it is compact; (n, 0) if observations are off.
        reward: float32 (n, players): each seat's reward for the step.
        terminated: bool (n,): a game ended by its rules in this step.
        truncated: bool (n,): a game was truncated in this step.
        final: records of ``Game.final`` (n,): the results of games that ended in this step; old results elsewhere.
    """

    player: np.ndarray
    mask: np.ndarray
    observation: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final: np.ndarray

    @classmethod
    def allocate(cls, game: Game, count: int, observations: bool = True, compact: bool = False) -> Buffers:
        """New buffers for ``count`` games; with ``compact`` for compact observations."""
        check_is_game(game)
        check_whole("count", count, least=0)
        check_flag("observations", observations)
        dtype = game.observation_dtype(compact)
        try:
            return cls(
                player=np.zeros(count, np.int8),
                mask=np.zeros((count, len(game.actions)), np.bool_),
                observation=np.zeros((count, game.observation_size if observations else 0), dtype),
                reward=np.zeros((count, game.players), np.float32),
                terminated=np.zeros(count, np.bool_),
                truncated=np.zeros(count, np.bool_),
                final=np.zeros(count, game.final),
            )
        except (MemoryError, OverflowError, ValueError):
            raise MemoryError(f"{count} games do not fit into memory") from None

    def tensors(self) -> dict[str, Any]:
        """The arrays as PyTorch tensors on the same memory, by name; without ``final``, which has named fields.

        Nothing is copied: each step of the batch changes them.
        """
        import torch  # only who calls this needs it

        return {field.name: torch.from_numpy(getattr(self, field.name)) for field in fields(self)[:-1]}

    def check(self, game: Game, count: int) -> None:
        """Check that the buffers are like those of `allocate`, with or without observations.

        Raises:
            ValueError: If they are not; the message names the first buffer that does not fit.
        """
        unseen = np.shape(self.observation)[1:] == (0,)
        dtype = game.observation_dtype(compact=getattr(self.observation, "dtype", None) == np.uint8)
        check_array("buffer player", self.player, np.int8, (count,))
        check_array("buffer mask", self.mask, np.bool_, (count, len(game.actions)))
        check_array("buffer observation", self.observation, dtype, (count, 0 if unseen else game.observation_size))
        check_array("buffer reward", self.reward, np.float32, (count, game.players))
        check_array("buffer terminated", self.terminated, np.bool_, (count,))
        check_array("buffer truncated", self.truncated, np.bool_, (count,))
        check_array("buffer final", self.final, game.final, (count,))


def check_is_game(value: object) -> None:
    """Check that a value is a game.

    Raises:
        TypeError: If it is not.
    """
    if not isinstance(value, Game):
        raise TypeError(f"game must be a Game, got {shown(value)}")


def check_options(kind: type[Game], options: object) -> None:
    """Check that a value is a dictionary of options for a class of games.

    Raises:
        TypeError: If it is not.
    """
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type] # games are dataclasses
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dictionary, got {shown(options)}")
    for name in options:
        if name not in known:
            raise TypeError(f"options of {kind.name} must be among {', '.join(known) or 'none'}, got {shown(name)}")


def check_buffers(name: str, value: object) -> None:
    """Check that a value is a `Buffers`.

    Raises:
        ValueError: If it is not.
    """
    if not isinstance(value, Buffers):
        raise ValueError(f"{name} must be Buffers, for example Buffers.allocate(game, count), got {shown(value)}")


class Game(ABC):
    """A game in one configuration: a frozen dataclass whose fields are its options. Sizes depend on these only.

    A record (made with `pr_env.rules.game_record`) has at least these fields:

    | field    | type              | meaning                                                             |
    |----------|-------------------|---------------------------------------------------------------------|
    | `seed`   | uint64            | the seed of the game                                                |
    | `rng`    | uint64            | the state of its random generator, which decides all future chance  |
    | `player` | int64             | the seat to move                                                    |
    | `legal`  | uint8 (actions,)  | 1 where an action is legal; all 0 when the game is over             |

    A final record has at least these, where ``seats`` is the number of players or more:

    | field         | type                    | meaning                                                   |
    |---------------|-------------------------|-----------------------------------------------------------|
    | `seed`        | uint64                  | the seed of the game                                      |
    | `ending`      | unsigned                | why it ended: bits, indices of ``end_reasons``            |
    | `points`      | signed (seats, sources) | points by ``point_sources``                               |
    | `total`       | signed (seats,)         | total points                                              |
    | `rank`        | signed (seats,)         | starting at 1; tied seats share a rank                    |
    | `win_share`   | float32 (seats,)        | who won; this counts, whatever the ranks say              |
    | `length_unit` | signed                  | the length of the game; the field is named after the unit |

    ``win_share`` is 1 for a sole winner and 1/k for each of k players who share the win. Seats of one team have the
    same share: in a cooperative game all have 1, or 0 if it is lost.

    A cooperative or solo game may award a title for how well it went. It lists them in ``titles``, and its final record
    has one more field:

    | field   | type | meaning                                          |
    |---------|------|--------------------------------------------------|
    | `title` | int8 | the index in ``titles``; `NO_TITLE` (-1) if none |

    If `score` is one of its ``reward_schemes``, its final record has another field:

    | field   | type             | meaning                                                   |
    |---------|------------------|-----------------------------------------------------------|
    | `score` | float32 (seats,) | how well it went: 0 for a loss, more for a win, at most 1 |

    Attributes:
        name: Its name in programs.
        layout: A version number, raised when records, actions or observations change their meaning.
        rules: Its rules on one record.
        record: The NumPy type of a game's record.
        final: The NumPy type of a final record.
        actions: The action table.
        fields: The observation table.
        observation_size: The length of an observation.
        players: The number of seats.
        point_sources: The sources of points.
        end_reasons: The reasons for which a game of this configuration can end.
        titles: The titles that a game of this configuration can award to all players together, from lowest to highest.
            Empty by default, and always where teams compete.
        length_unit: The unit of a game's length.
        clear_lead: The lead in points that makes a win clear; 0 if points say little about who wins. Searches and
            learners use it to tell a narrow win from a clear one.
        render_modes: The render modes that it supports, out of ``"ansi"``, ``"rgb_array"``, ``"svg"``.
        local_options: The options that name something on this machine, such as a folder. Replays, saved games and
            weights do not contain them; they must be given again when such a file is read.
        can_be_compact: Whether the rule `observe` also writes compact observations: whole numbers from 0 to 255 into
            a row of uint8, which `scales` turns into the numbers of the usual ones.
    """

    name: ClassVar[str]
    layout: ClassVar[int]
    rules: ClassVar[Rules]
    length_unit: ClassVar[str] = "rounds"
    clear_lead: ClassVar[float] = 0.0
    render_modes: ClassVar[tuple[str, ...]] = ()
    local_options: ClassVar[tuple[str, ...]] = ()
    can_be_compact: ClassVar[bool] = False

    record: np.dtype[Any]
    final: np.dtype[Any]
    actions: tuple[Action, ...]
    fields: tuple[Field, ...]
    observation_size: int
    players: int
    point_sources: tuple[str, ...]
    end_reasons: tuple[str, ...]
    titles: tuple[str, ...] = ()

    # -- the configuration ------------------------------------------------------------------------------------------

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """Create a game from the options in a dictionary that belong to it, and remove them from the dictionary."""
        known = [field.name for field in fields(cls) if field.init]  # type: ignore[arg-type] # games are dataclasses
        return cls(**{name: options.pop(name) for name in known if name in options})

    def options(self) -> dict[str, Any]:
        """The configuration, JSON-safe: ``type(game)(**game.options())`` is the same game."""
        options = {}
        for field in fields(self):  # type: ignore[arg-type] # games are dataclasses
            if field.init:
                value = getattr(self, field.name)
                options[field.name] = list(value) if isinstance(value, tuple) else value
        return options

    def recorded_options(self) -> dict[str, Any]:
        """The configuration as stored in files, JSON-safe: `options` without those in ``local_options``."""
        return {name: value for name, value in self.options().items() if name not in self.local_options}

    @classmethod
    def from_recorded(cls, options: Mapping[str, Any], **local: Any) -> Self:
        """The game that a file was made with.

        Args:
            options: The output of `recorded_options`.
            **local: Values for ``local_options``, given by the user. A file never decides which other files are opened.

        Raises:
            ValueError: If the file was made with different data, or has unknown options.
            TypeError: If it has unknown options.
        """
        check_options(cls, options)
        named = [name for name in cls.local_options if name in options]
        if named:
            raise ValueError(f"a file must not set {named[0]}, which only the user can set")
        other = [name for name in local if name not in cls.local_options]
        if other:
            known = ", ".join(cls.local_options) or "none"
            raise ValueError(f"{cls.name} has no local option {other[0]!r}; it has {known}")
        return cls(**options, **local)

    def local(self) -> dict[str, Any]:
        """This game's values of its ``local_options``."""
        return {name: getattr(self, name) for name in self.local_options}

    @classmethod
    def campaign(cls) -> type[Campaign] | None:
        """Games of this kind in a row whose results decide what is played next, see `pr_env.campaign`; None: none."""
        return None

    def data_notes(self) -> list[tuple[str, str]]:
        """Notes about the data that this configuration uses, as rows of two texts.

        For example, which values are not known from the printed game; ``pr-env info`` lists them.
        """
        return []

    def options_for_agents(self) -> dict[str, Any]:
        """The options that an agent must have been trained with to play this game."""
        return self.options()

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat. Seats of one team win or lose together. By default, every seat is its own team."""
        return tuple(range(self.players))

    @property
    def constant_sum(self) -> bool:
        """Whether one team's win is the others' loss; False if all seats are one team, or there is only one seat."""
        return len(set(self.teams)) > 1

    @property
    def imperfect_information(self) -> bool:
        """Whether a seat can know something about the past that another does not. Future chance does not count."""
        return False

    @property
    def reward_schemes(self) -> tuple[str, ...]:
        """The schemes of `pr_env.rewards` that this configuration supports; the first is the default.

        A game that offers `score` needs that field in its final record; one that offers `progress` needs that rule.
        """
        everybody_alone = self.players > 1 and len(set(self.teams)) == self.players
        return FOR_COMPETITORS if everybody_alone else FOR_ANY_TEAMS

    @property
    def tables(self) -> np.ndarray:
        """A record, shape (1,), of the data that depend on options: the argument ``tables`` of the rules."""
        return NO_TABLES

    @property
    def blank(self) -> np.ndarray:
        """A record, shape (1,), that contains nothing but the configuration."""
        return np.zeros(1, self.record)

    def fits(self, games: np.ndarray) -> bool:
        """Whether records belong to this configuration, beyond what their type shows. Fast, unlike `problems`."""
        return True

    # -- arrays of games ----------------------------------------------------------------------------------------------
    # Public methods check their arrays and records; on ValueError or PositionError nothing has changed. Methods that
    # begin with an underscore trust them: they are for callers that own the records.

    def reset(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """Set up each game with its seed (uint64)."""
        self._check_games(games)
        self._reset(games, readable("seeds", seeds, np.uint64, games.shape))

    def _reset(self, games: np.ndarray, seeds: np.ndarray) -> None:
        games[:] = self.blank
        kernels.reset_games.of(self.rules)(games, self.tables, seeds)

    def refresh(self, games: np.ndarray) -> None:
        """Advance externally written games to their next decision."""
        self._check_games(games)
        self._check_possible(games)
        self._refresh(games)

    def _refresh(self, games: np.ndarray) -> None:
        kernels.refresh_games.of(self.rules)(games, self.tables)

    def look(self, games: np.ndarray, out: Buffers, viewer: int = ACTING) -> None:
        """Write the acting player, its mask, and the observation of a seat, or ACTING or EVERYTHING."""
        games = self._readable(games)
        check_buffers("out", out)
        out.check(self, len(games))
        self._check_viewer(viewer)
        self._look(games, out, viewer)

    def _look(self, games: np.ndarray, out: Buffers, viewer: int = ACTING) -> None:
        kernels.look_at_games.of(self.rules)(games, self.tables, viewer, out.player, out.mask, out.observation)

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
        """Play one action (int64) in every game where ``where`` (bool) is True, and fill all of ``out``.

        Returns -1, or the index of the first game whose action is illegal; in that case no game changes.
        """
        self._check_games(games)
        self._check_possible(games)
        actions = readable("actions", actions, np.int64, games.shape)
        where = readable("where", where, np.bool_, games.shape)
        self._check_reward(reward)
        check_flag("autoreset", autoreset)
        check_threads(threads)
        check_buffers("out", out)
        out.check(self, len(games))
        return self._step(games, actions, where, reward, bool(autoreset), int(threads), out)

    def _step(
        self,
        games: np.ndarray,
        actions: np.ndarray,
        where: np.ndarray,
        reward: str,
        autoreset: bool,
        threads: int,
        out: Buffers,
    ) -> int:
        arguments = self._step_arguments(games, actions, where, reward, autoreset, out)
        if threads == 1:
            return kernels.step_games.of(self.rules)(*arguments)
        with together():
            return kernels.step_games_together.of(self.rules)(threads, *arguments)

    def _bind_step(
        self, games: np.ndarray, actions: np.ndarray, where: np.ndarray, reward: str, autoreset: bool, out: Buffers
    ) -> Callable[[], int]:
        """`_step` on one thread, bound to these arguments."""
        arguments = self._step_arguments(games, actions, where, reward, autoreset, out)
        return kernels.step_games.bound(self.rules, *arguments)

    def _step_arguments(
        self, games: np.ndarray, actions: np.ndarray, where: np.ndarray, reward: str, autoreset: bool, out: Buffers
    ) -> tuple[Any, ...]:
        return (
            games,
            self.tables,
            actions,
            where,
            SCHEMES.index(reward),
            autoreset,
            out.player,
            out.mask,
            out.observation,
            out.reward,
            out.terminated,
            out.truncated,
            out.final,
        )

    def _play_on(
        self,
        games: np.ndarray,
        policies: np.ndarray,
        generators: np.ndarray,
        look_at_all: bool,
        reward: str,
        threads: int,
        out: Buffers,
    ) -> None:
        """Play random actions in every game until a seat that ``policies`` marks as ASKED is to move, or it is over."""
        arguments = (
            games,
            self.tables,
            policies,
            generators,
            look_at_all,
            SCHEMES.index(reward),
            out.player,
            out.mask,
            out.observation,
            out.reward,
            out.terminated,
            out.truncated,
            out.final,
        )
        if threads == 1:
            kernels.play_on_in_games.of(self.rules)(*arguments)
            return
        with together():
            kernels.play_on_in_games_together.of(self.rules)(threads, *arguments)

    def score(self, games: np.ndarray, finals: np.ndarray) -> None:
        """Write the final record of every game as if it ended now."""
        games = self._readable(games)
        check_array("finals", finals, self.final, games.shape)
        self._score(games, finals)

    def _score(self, games: np.ndarray, finals: np.ndarray) -> None:
        kernels.score_games.of(self.rules)(games, self.tables, finals)

    def is_over(self, games: np.ndarray) -> np.ndarray:
        """Bool (n,): which games are over."""
        return self._is_over(self._readable(games))

    def _is_over(self, games: np.ndarray) -> np.ndarray:
        over = np.empty(len(games), np.bool_)
        kernels.find_over.of(self.rules)(games, over)
        return over

    def is_truncated(self, games: np.ndarray) -> np.ndarray:
        """Bool (n,): which games are over because they were truncated."""
        games = self._readable(games)
        return np.asarray(self._is_over(games) & self._is_truncated(games))

    def _is_truncated(self, games: np.ndarray) -> np.ndarray:
        cut = np.empty(len(games), np.bool_)
        kernels.find_truncated.of(self.rules)(games, cut)
        return cut

    def resample(self, games: np.ndarray, viewers: np.ndarray, chances: np.ndarray) -> None:
        """Redraw in every game what its viewer cannot know, including the future.

        Args:
            games: Records, modified in place.
            viewers: int64: one seat per game.
            chances: uint64: one seed per game for the generator to draw with.
        """
        self._check_games(games)
        self._check_possible(games)
        viewers = readable("viewers", viewers, np.int64, games.shape)
        if ((viewers < 0) | (viewers >= self.players)).any():
            raise ValueError(f"viewers must be seats from 0 to {self.players - 1}")
        self._resample(games, viewers, readable("chances", chances, np.uint64, games.shape))

    def _resample(self, games: np.ndarray, viewers: np.ndarray, chances: np.ndarray) -> None:
        kernels.resample_games.of(self.rules)(games, self.tables, viewers, chances)

    def _check_games(self, games: np.ndarray) -> None:
        check_array("games", games, self.record, _one_dimensional(games))

    def _readable(self, games: np.ndarray) -> np.ndarray:
        """Games that are only read, copied if necessary."""
        games = readable("games", games, self.record, _one_dimensional(games))
        self._check_possible(games)
        return games

    def _check_possible(self, games: np.ndarray) -> None:
        problems = self.problems(games) if len(games) else []
        if problems:
            raise PositionError(listed(problems))

    def _check_viewer(self, viewer: int) -> None:
        seats = range(self.players)
        if not is_whole(viewer) or not (viewer in seats or viewer in (ACTING, EVERYTHING)):
            raise ValueError(
                f"viewer must be a seat from 0 to {self.players - 1}, ACTING or EVERYTHING, got {shown(viewer)}"
            )

    def _check_reward(self, reward: str) -> None:
        check_choice("reward", reward, self.reward_schemes)

    def check_render_mode(self, mode: str) -> None:
        """Check that a mode is one of ``render_modes``.

        Raises:
            ValueError: If it is not.
        """
        if not self.render_modes:
            raise ValueError(f"{self.name} has no render modes, got {shown(mode)}")
        check_choice("mode", mode, self.render_modes)

    @contextmanager
    def reading(self, record: Any) -> Iterator[None]:
        """Context for code that describes one record to people.

        The record is only checked if that code fails, since the check takes milliseconds.

        Raises:
            ValueError: If it is not a single record of this configuration.
            PositionError: If the code failed because the record is impossible.
        """
        if not isinstance(record, np.void) or record.dtype != self.record:
            raise ValueError(f"record must be one record of {self}, for example batch.games[0], got {shown(record)}")
        try:
            yield
        except Exception:
            self._check_possible(np.array([record], self.record))
            raise

    # -- one game for people ------------------------------------------------------------------------------------------

    def seen_by(self, record: Any, viewer: int | None) -> Any:
        """A copy of a game for one seat: pictures and texts made from it reveal nothing that the seat cannot know.

        In a game with imperfect information, hidden parts are redrawn (`resample`), or marked as unknown if the game
        can do that. The state of the generator is kept, since the story derives random events from it; so the record
        itself must not be shown to the seat.

        Args:
            record: One game.
            viewer: A seat; None for what every seat can see.
        """
        games = np.array([record], self.record)
        if self.imperfect_information:
            for seat in range(self.players) if viewer is None else (viewer,):
                self._resample(games, np.array([seat], np.int64), np.zeros(1, np.uint64))
            games["rng"] = record["rng"]
        return games[0]

    def describe_decision(self, record: Any) -> str:
        """The player and the question, in a few words."""
        with self.reading(record):
            return f"player {record['player']}"

    def render(self, record: Any, mode: str) -> str | np.ndarray:
        """Draw the board in one of ``render_modes``."""
        self.check_render_mode(mode)
        raise NotImplementedError(f"{type(self).__name__} must draw its render modes, but does not draw {mode!r}")

    def to_dict(self, record: Any) -> dict[str, Any]:
        """A game as JSON-safe Python values: its fields, except those that follow from others."""
        with self.reading(record):
            return tell_position(record)

    def from_dict(self, position: Mapping[str, Any]) -> np.ndarray:
        """One record, shape (1,), set up from a description; raises PositionError if it is impossible.

        Anything left out of the description is as in ``blank``.
        """
        games = read_position(position, self.blank)
        self._check_possible(games)
        self._refresh(games)
        return games

    @abstractmethod
    def problems(self, games: np.ndarray) -> list[str]:
        """Sentences about what is impossible in these records; empty if they are all possible.

        Records may come from anywhere. After this check, no rule may index outside its arrays.
        """

    # -- for people: defaults for any game --------------------------------------------------------------------------

    @property
    def words(self) -> Words:
        """Texts about the game for people."""
        from pr_env.words import Words  # words depend on games, so they are imported later

        return Words(self)

    def text(
        self,
        record: Any,
        *,
        names: Sequence[str] = (),
        answers: bool = True,
        width: int = 100,
        colour: bool = True,
        compact: int = 0,
    ) -> str:
        """The board as text for a terminal.

        Args:
            record: One game.
            names: The player in each seat, if known.
            answers: Whether to list the legal actions.
            width: Columns of the terminal.
            colour: Whether to use colour escape codes.
            compact: How much to leave out, if the game supports it: 0 nothing, 1 what does not fit on a terminal of 24
                lines, 2 also the cards or buildings of the players who are not to move.
        """
        from pr_env.render.plain import text

        with self.reading(record):
            return text(self, record, names=names, answers=answers, width=width, colour=colour)

    def action_number(self, *name: str | int) -> int:
        """The number of an action by its name, for example ``action_number("build", "hacienda")``."""
        if all(isinstance(part, str) or is_whole(part) for part in name):
            for action in self.actions:
                if action.name == name:
                    return action.number
        raise KeyError(f"{self.name} has no action {shown(name)}")

    def observation_dtype(self, compact: bool = False) -> type[np.float32] | type[np.uint8]:
        """The type of the numbers of an observation.

        Raises:
            ValueError: If it is to be compact, and the game has no compact observations.
        """
        check_flag("compact", compact)
        if compact and not self.can_be_compact:
            raise ValueError(f"{self.name} has no compact observations: not all of its numbers are counts up to 255")
        return np.uint8 if compact else np.float32

    @cached_property
    def scales(self) -> np.ndarray:
        """Shape (size,): what each number of a compact observation is multiplied by, see `expand`."""
        return np.concatenate([np.full(field.stop - field.start, field.scale, np.float32) for field in self.fields])

    def expand(self, compact: np.ndarray) -> np.ndarray:
        """The usual observations, float32, for compact ones."""
        return np.asarray(compact * self.scales, np.float32)

    def read_observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Convert an observation back to named fields with plain counts."""
        observation = as_array("observation", observation)
        if observation.dtype == np.uint8 and self.can_be_compact and observation.shape[-1:] == self.scales.shape:
            observation = self.expand(observation)
        if observation.shape[-1:] != (self.observation_size,) or observation.dtype.kind not in "biuf":
            raise ValueError(
                f"observation must have length {self.observation_size}, got {observation.dtype} of shape "
                f"{observation.shape}"
            )
        if not np.isfinite(observation).all():
            raise ValueError("observation must be finite, got NaN or inf")
        return {field.name: field.read(observation) for field in self.fields}


def _one_dimensional(games: Any) -> tuple[int, ...]:
    """The shape required of an array of games."""
    return games.shape if isinstance(games, np.ndarray) and games.ndim == 1 else (0,)
