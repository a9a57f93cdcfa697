"""Puerto Rico for two to six players, with or without Expansion I: the rules on records, one module per role.

Start reading at ``step.py``. ``tables.py`` has the numbers, ``state.py`` the record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from pr_env.checks import check_choice, check_flag, check_whole, shown
from pr_env.game import Action, Field, Game
from pr_env.moment import Moment
from pr_env.puerto_rico import observation, position, scoring, state
from pr_env.puerto_rico.actions import ACTIONS, NUM_BASE_ACTIONS
from pr_env.puerto_rico.invariants import find_problems
from pr_env.puerto_rico.kinds import check_kinds
from pr_env.puerto_rico.rules import RULES
from pr_env.puerto_rico.tables import (
    BUILDING_NAMES,
    DOUBLE_CARDS_ROW,
    FIRST_VIOLET,
    GOVERNOR_ROW,
    MAX_BASE_PLAYERS,
    PLAYER_COUNTS,
)
from pr_env.rules import Rules

if TYPE_CHECKING:
    from pr_env.puerto_rico.words import PuertoRicoWords

MOST_ROUNDS = 500  # keeps every count of the record within its type


@dataclass(frozen=True)
class PuertoRico(Game):
    """Puerto Rico in one configuration.

    Attributes:
        players: 2 to 6.
        points: ``"public"``, or ``"hidden"``: observations do not show the other players' victory points.
        max_rounds: A game that has not ended after this many rounds is truncated. Games between people last about 15
            rounds.
        buildings: ``"base"``, or with Expansion I ``"draft"`` (the first decisions of the players choose the violet
            buildings), ``"random"`` (the seed chooses them), or a list of 17 violet kinds.
        balanced: Whether to play by the balanced rules of tournaments: seats that start with corn have 1 doubloon less,
            the university costs 7, the factory 8.
        six_players: The variant for six players: ``"johns"`` (more of everything, politician, pirate and large
            church) or ``"governor"`` (the material of five players, a governor's card, 10 buildings end the game).
        double_cards: Whether five players play with politician and pirate instead of the two prospectors.
        hacienda_with_forest_house: ``"allowed"``, or ``"excluded"``: the two are never in the same game.
        small_wharf_harbor: What the harbor pays for the small wharf: 1 point for each ``"use"``, or for each
            ``"kind"``.
        two_player_library: Whether, with two players, the library doubles ``"each"`` privilege, or one per ``"round"``.

    Any buildings, cards or player counts beyond the base game make it an `extended` game, which has its own record,
    more actions and a longer observation.
    """

    players: int = 3
    points: Literal["public", "hidden"] = "public"
    max_rounds: int = 100
    buildings: Literal["base", "draft", "random"] | Sequence[str] = "base"
    balanced: bool = False
    six_players: Literal["johns", "governor"] = "johns"
    double_cards: bool = False
    hacienda_with_forest_house: Literal["allowed", "excluded"] = "allowed"
    small_wharf_harbor: Literal["use", "kind"] = "use"
    two_player_library: Literal["each", "round"] = "each"

    name: ClassVar[str] = state.NAME
    layout: ClassVar[int] = 1
    rules: ClassVar[Rules] = RULES
    clear_lead: ClassVar[float] = 5.0
    end_reasons: ClassVar[tuple[str, ...]] = state.END_REASONS  # type: ignore[misc]
    can_be_compact: ClassVar[bool] = True
    render_modes: ClassVar[tuple[str, ...]] = ("ansi", "rgb_array", "svg")

    def __post_init__(self) -> None:
        """Check the options."""
        for name in ("players", "max_rounds"):
            value = getattr(self, name)
            if isinstance(value, np.integer):
                object.__setattr__(self, name, int(value))
        check_whole("players", self.players, min(PLAYER_COUNTS), max(PLAYER_COUNTS))
        check_whole("max_rounds", self.max_rounds, 1, MOST_ROUNDS)
        for name, choices in _CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        for name in ("balanced", "double_cards"):
            check_flag(name, getattr(self, name))
            object.__setattr__(self, name, bool(getattr(self, name)))
        if self.double_cards and self.players != 5:
            raise ValueError("double_cards is for 5 players; 6 players have these cards in the variant 'johns' anyway")
        if isinstance(self.buildings, (list, tuple)):
            object.__setattr__(self, "buildings", tuple(self.buildings))
            check_kinds(self.buildings, self.hacienda_with_forest_house == "excluded")
        elif not isinstance(self.buildings, str) or self.buildings not in state.BOARDS[:-1]:
            boards = ", ".join(state.BOARDS[:-1])
            raise ValueError(
                f"buildings must be one of {boards}, or a list of 17 violet kinds, got {shown(self.buildings)}"
            )

    @cached_property
    def extended(self) -> bool:
        """Whether the game has anything that does not fit into the base game's record."""
        return self.buildings != "base" or self.players > MAX_BASE_PLAYERS or self.double_cards

    @property
    def record(self) -> np.dtype[Any]:  # type: ignore[override]
        """The type of a record."""
        return state.EXTENDED_RECORD if self.extended else state.RECORD

    @property
    def final(self) -> np.dtype[Any]:  # type: ignore[override]
        """The type of a final record."""
        return scoring.EXTENDED_FINAL if self.extended else scoring.FINAL

    @property
    def point_sources(self) -> tuple[str, ...]:  # type: ignore[override]
        """The sources of points, as in ``final["points"]``."""
        return scoring.SOURCES if self.extended else scoring.BASE_SOURCES

    @property
    def actions(self) -> tuple[Action, ...]:  # type: ignore[override]
        """The action table; the same for all player counts."""
        return _ACTIONS if self.extended else _BASE_ACTIONS

    @cached_property
    def fields(self) -> tuple[Field, ...]:  # type: ignore[override]
        """The observation table."""
        return observation.fields_for(self.players, self.extended)

    @cached_property
    def observation_size(self) -> int:  # type: ignore[override]
        """The length of an observation."""
        return observation.size_for(self.players, self.extended)

    def options(self) -> dict[str, Any]:
        """The configuration, JSON-safe: the options of every game, and those that differ from a base game."""
        options: dict[str, Any] = {"players": self.players, "points": self.points, "max_rounds": self.max_rounds}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in options and value != field.default:
                options[field.name] = list(value) if isinstance(value, tuple) else value
        return options

    def options_for_agents(self) -> dict[str, Any]:
        """All options except the one for truncation."""
        return {name: value for name, value in self.options().items() if name != "max_rounds"}

    @cached_property
    def blank(self) -> np.ndarray:
        """A record, shape (1,), that contains nothing but the configuration."""
        blank = np.zeros(1, self.record)
        game: Any = blank[0]
        game.players = self.players
        game.max_rounds = self.max_rounds
        game.balanced = self.balanced
        if not self.extended:
            return blank
        if self.players == 6:
            game.row = self.players if self.six_players == "johns" else GOVERNOR_ROW
        else:
            game.row = DOUBLE_CARDS_ROW if self.double_cards else self.players
        game.exclude_forest_house = self.hacienda_with_forest_house == "excluded"
        game.harbor_by_kind = self.small_wharf_harbor == "kind"
        game.library_once = self.players == 2 and self.two_player_library == "round"
        if isinstance(self.buildings, str):
            game.board = state.BOARDS.index(self.buildings)
        else:
            game.board = state.LIST_BOARD
            game.in_game[:FIRST_VIOLET] = 1
            for name in self.buildings:
                game.in_game[BUILDING_NAMES.index(name)] = 1
        return blank

    @cached_property
    def tables(self) -> np.ndarray:
        """The data that decide what observations show."""
        tables = np.zeros(1, state.TABLES)
        tables["hidden_points"] = self.points == "hidden"
        return tables

    def fits(self, games: np.ndarray) -> bool:
        """Whether the records have the right number of players."""
        return bool((games["players"] == self.players).all())

    @property
    def imperfect_information(self) -> bool:
        """With hidden points, nobody sees the chips of others."""
        return self.points == "hidden"

    def seen_by(self, record: Any, viewer: int | None) -> Any:
        """With hidden points, the chips of others are `state.UNKNOWN_CHIPS`."""
        games = np.array([record], self.record)
        if self.imperfect_information:
            others = np.arange(len(games["chips"][0])) != viewer
            games["chips"][0, others] = state.UNKNOWN_CHIPS
        return games[0]

    def describe_decision(self, record: Any) -> str:
        """The player and the phase."""
        with self.reading(record):
            return f"player {record.player} in phase {state.PHASES[record.phase]!r}"

    def render(self, record: Any, mode: str) -> str | np.ndarray:
        """The board as text (``ansi``), pixels (``rgb_array``) or SVG (``svg``)."""
        from pr_env.puerto_rico import pictures  # only needed for pictures

        with self.reading(record):
            self.check_render_mode(mode)
            games = np.array([record], self.record)
            finals = np.zeros(1, self.final)
            if (games["chips"] == state.UNKNOWN_CHIPS).any():
                self._score(games, finals)  # the copy of `seen_by` is a valid game except for its chips
            else:
                self.score(games, finals)
            legal = [self.actions[number] for number in np.flatnonzero(games["legal"][0])]
            table = (self.to_dict(record), legal, finals["total"][0, : self.players].tolist())
            if mode == "ansi":
                return pictures.text(*table)
            picture = pictures.draw(*table)
            return picture.svg() if mode == "svg" else picture.rgb()

    @property
    def words(self) -> PuertoRicoWords:
        """Texts about the game for people."""
        from pr_env.puerto_rico.words import PuertoRicoWords  # only needed for texts

        return PuertoRicoWords(self)

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
        """The board as text for a terminal."""
        from pr_env.puerto_rico import pictures  # only needed for pictures

        with self.reading(record):
            moment = Moment(self, record)
            legal = moment.legal if answers else None
            return pictures.text(
                moment.position, legal, moment.points, names=names, width=width, colour=colour, compact=compact
            )

    def to_dict(self, record: Any) -> dict[str, Any]:
        """A game as JSON-safe Python values."""
        with self.reading(record):
            return position.to_dict(record)

    def from_dict(self, position_: Mapping[str, Any]) -> np.ndarray:
        """One record set up from a description."""
        games = position.from_dict(position_, self.blank)
        self._refresh(games)
        return games

    def problems(self, games: np.ndarray) -> list[str]:
        """Sentences about what is impossible in these records."""
        return find_problems(games, self.blank)


_ACTIONS = tuple(ACTIONS)
_BASE_ACTIONS = _ACTIONS[:NUM_BASE_ACTIONS]
_CHOICES: dict[str, tuple[str, ...]] = {
    "points": ("public", "hidden"),
    "six_players": ("johns", "governor"),
    "hacienda_with_forest_house": ("allowed", "excluded"),
    "small_wharf_harbor": ("use", "kind"),
    "two_player_library": ("each", "round"),
}
