"""Puerto Rico for two to five players: the rules on records, one module a role.

Start reading at ``step.py``; ``tables.py`` has the numbers, ``state.py`` the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from pr_env.game import ACTING, Action, Buffers, Field, Game
from pr_env.puerto_rico import kernels, observation, position, rewards, scoring, state
from pr_env.puerto_rico.actions import ACTIONS
from pr_env.puerto_rico.invariants import find_problems
from pr_env.puerto_rico.tables import PLAYER_COUNTS
from pr_env.threads import together

MOST_ROUNDS = 500  # keeps every count of the record within its type


@dataclass(frozen=True)
class PuertoRico(Game):
    """Puerto Rico in one configuration.

    Attributes:
        players: 2, 3, 4 or 5.
        points: ``"public"``, or ``"hidden"``: then the observation does not show the other players' victory points.
        max_rounds: A game that has not ended after so many rounds is cut and reported as truncated. Games between
            people last about 15 rounds.
    """

    players: int = 3
    points: Literal["public", "hidden"] = "public"
    max_rounds: int = 100

    name: ClassVar[str] = "puerto_rico"
    layout: ClassVar[int] = 1
    record: ClassVar[np.dtype[Any]] = state.RECORD
    final: ClassVar[np.dtype[Any]] = scoring.FINAL
    point_sources: ClassVar[tuple[str, ...]] = scoring.SOURCES
    end_reasons: ClassVar[tuple[str, ...]] = state.END_REASONS
    reward_schemes: ClassVar[tuple[str, ...]] = rewards.SCHEMES
    render_modes: ClassVar[tuple[str, ...]] = ("ansi", "rgb_array", "svg")

    def __post_init__(self) -> None:
        """Refuse what the rules do not know."""
        for name in ("players", "max_rounds"):
            value = getattr(self, name)
            if isinstance(value, np.integer):
                object.__setattr__(self, name, int(value))
        if not _is_whole(self.players) or self.players not in PLAYER_COUNTS:
            raise ValueError(f"Puerto Rico is for {_either(PLAYER_COUNTS)} players, not {self.players!r}")
        if self.points not in ("public", "hidden"):
            raise ValueError(f"points are 'public' or 'hidden', not {self.points!r}")
        if not _is_whole(self.max_rounds) or not 1 <= self.max_rounds <= MOST_ROUNDS:
            raise ValueError(f"max_rounds is a whole number from 1 to {MOST_ROUNDS}, not {self.max_rounds!r}")

    @property
    def actions(self) -> tuple[Action, ...]:  # type: ignore[override]
        """The action table; the same for all player counts."""
        return _ACTIONS

    @cached_property
    def fields(self) -> tuple[Field, ...]:  # type: ignore[override]
        """The observation table."""
        return observation.fields_for(self.players)

    @property
    def observation_size(self) -> int:  # type: ignore[override]
        """Length of the observation."""
        return observation.size_for(self.players)

    def options(self) -> dict[str, Any]:
        """The configuration, JSON-safe."""
        return asdict(self)

    def reset(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """Set up every game with its seed."""
        kernels.reset_games(games, seeds, self.players, self.max_rounds)

    def refresh(self, games: np.ndarray) -> None:
        """Bring games that were written from outside to their next real decision."""
        kernels.refresh_games(games)

    def look(self, games: np.ndarray, out: Buffers, viewer: int = ACTING) -> None:
        """Write acting player, mask and an observation."""
        kernels.look_at_games(games, viewer, self.points == "hidden", out.player, out.mask, out.observation)

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
        """Play one action in every game; -1, or the first game whose action is illegal."""
        arguments = (
            games,
            actions,
            where,
            rewards.SCHEMES.index(reward),
            self.points == "hidden",
            autoreset,
            out.player,
            out.mask,
            out.observation,
            out.reward,
            out.terminated,
            out.truncated,
            out.final,
        )
        if threads == 1:
            return kernels.step_games(*arguments)
        with together():
            return kernels.step_games_together(threads, *arguments)

    def play_others(
        self, games: np.ndarray, seats: np.ndarray, generators: np.ndarray, reward: str, out: Buffers
    ) -> None:
        """Play by chance in every game until a seat is to move or the game is over."""
        kernels.play_others(
            games,
            seats,
            generators,
            rewards.SCHEMES.index(reward),
            self.points == "hidden",
            out.player,
            out.mask,
            out.observation,
            out.reward,
            out.terminated,
            out.truncated,
            out.final,
        )

    def score(self, games: np.ndarray, finals: np.ndarray) -> None:
        """Write the result of every game as if it ended now."""
        kernels.score_games(games, finals)

    def is_over(self, games: np.ndarray) -> np.ndarray:
        """Which games are over."""
        return np.asarray(games["phase"] == state.GAME_OVER)

    def describe_decision(self, record: Any) -> str:
        """Who is asked what."""
        return f"player {record.player} in phase {state.PHASES[record.phase]!r}"

    def render(self, record: Any, mode: str) -> str | np.ndarray:
        """The board as text (``ansi``), picture (``rgb_array``) or drawing (``svg``)."""
        from pr_env.render import puerto_rico as pictures  # only where pictures are wanted

        games = np.array([record], self.record)
        finals = np.zeros(1, self.final)
        self.score(games, finals)
        legal = [self.actions[number] for number in np.flatnonzero(games["legal"][0])]
        table = (self.to_dict(record), legal, finals["total"][0, : self.players].tolist())
        if mode == "ansi":
            return pictures.text(*table)
        picture = pictures.draw(*table)
        return picture.svg() if mode == "svg" else picture.rgb()

    def to_dict(self, record: Any) -> dict[str, Any]:
        """A game as plain JSON-safe Python."""
        return position.to_dict(record)

    def from_dict(self, position_: Mapping[str, Any]) -> np.ndarray:
        """One record set up from a description."""
        return position.from_dict(position_, self.players, self.max_rounds)

    def problems(self, games: np.ndarray) -> list[str]:
        """What is impossible in these records."""
        return find_problems(games, self.players, self.max_rounds)


_ACTIONS = tuple(ACTIONS)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _either(choices: tuple[int, ...]) -> str:
    return f"{', '.join(str(choice) for choice in choices[:-1])} or {choices[-1]}"
