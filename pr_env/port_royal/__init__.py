"""Port Royal with its sets: the rules on records, one module per part of the rulebook.

Start reading at ``step.py``. ``tables.py`` and ``data/*.csv`` have the numbers, ``state.py`` the record, and
``piles.py`` deals with unseen cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

import numpy as np

from pr_env.checks import check_choice, check_flag, check_whole, is_whole, shown
from pr_env.game import Action, Field, Game
from pr_env.observing import MOST
from pr_env.port_royal import invariants, observation, scoring, state
from pr_env.port_royal.actions import COMPLETE, actions_for
from pr_env.port_royal.adventure.cards import (
    AdventureCards,
    packaged_adventure,
    read_adventure,
    reconstructed_adventure,
)
from pr_env.port_royal.adventure.filling import fill_tables, shape_of
from pr_env.port_royal.adventure.names import ALL_ABILITIES, ALL_COLOURS, MODES, NUM_CHAPTERS
from pr_env.port_royal.adventure.names import MAX_PLAYERS as ADVENTURE_PLAYERS
from pr_env.port_royal.adventure.state import FIELDS_OF_NOTHING
from pr_env.port_royal.cards import (
    CARD_FILES,
    EXPEDITION,
    PERSON,
    SHIP,
    TAX,
    CardFileError,
    Cards,
    Contract,
    packaged_cards,
    read_cards,
    reconstructed_rows,
)
from pr_env.port_royal.position import tell_position
from pr_env.port_royal.read_position import read_position
from pr_env.port_royal.rules import RULES
from pr_env.port_royal.tables import (
    CONTRACTS_COOPERATIVE,
    GOAL,
    GOVERNOR,
    MAX_PLAYERS,
    NO_COLOUR,
    REQUIREMENTS,
    TAX_BONUSES,
    TAX_RULES,
    TIME_CARDS,
    TITLES,
)
from pr_env.rules import Rules

if TYPE_CHECKING:
    from pr_env.port_royal.campaign import AdventureCampaign
    from pr_env.port_royal.words import PortRoyalWords

__all__ = ["Addition", "CardFileError", "PortRoyal"]

_CUTS = ("max_turns", "max_decisions")
Addition = Literal["gambler", "set_sail_20", "contract_cards", "contracts"]
ADDITIONS: tuple[Addition, ...] = get_args(Addition)
_SET_OF = {"set_sail_20": "set_sail", "gambler": "gambler", "contract_cards": "contract"}  # in the order of the kinds
ADVENTURE_OPTIONS = ("chapter", "bonus_coins", "character_choice", "month_end_ends_turn", "jean_counts_for_missions")
MOST_BONUS_COINS = 99
MOST_TURNS, MOST_DECISIONS = 5000, 30000  # keep every count of the record within its type


@dataclass(frozen=True)
class PortRoyal(Game):
    """Port Royal in one configuration.

    Attributes:
        players: 2 to 5; 2 to 4 with the decks ``"set_sail"`` and ``"adventure"``. A cooperative game is also for 1 (the
            solo game).
        deck: ``"base"``; ``"set_sail"``: the small game of that set on its own; ``"adventure"``: a chapter of the
            adventure, played with the base deck.
        add: The sets to add to the base deck, any of ``"gambler"``, ``"set_sail_20"`` (the 20 marked cards of
            set_sail), ``"contract_cards"``, and ``"contracts"``, which need the contract cards.
        mode: ``"competitive"``; ``"cooperative"`` with contracts or in the adventure; ``"post_adventure"``: competitive
            with all cards of the adventure and four of the missions with a star.
        alternative_end: Whether ending the game takes 12 influence and an expedition, and only players with an
            expedition can win. Only for competitive games with the base deck.
        score_start: The number of cards moved from the time deck to the score deck before a cooperative game.
        must_repel_duplicate: Whether a ship that doubles a colour must be repelled if possible.
        vice_admiral_passive: Coins from a vice admiral whose owner is not the active player: 1, or 2 as in the Spanish
            rules.
        chapter: The chapter of the adventure, 1 to 5; the cards of all earlier chapters are in the deck.
        bonus_coins: In the adventure, coins for each seat in addition to those of its character: 3 in total for each
            failure at the same chapter.
        character_choice: In the adventure, ``"deal"``: each player gets a card and chooses its side, or ``"draft"``:
            each player chooses a card and its side, the start player last.
        month_end_ends_turn: Whether the end of a month always ends the turn of the player who reveals it, not only when
            it ends the game.
        jean_counts_for_missions: Whether the sabre of Jean Blackbeard counts for missions.
        max_turns: A game that has not ended after this many turns is truncated.
        max_decisions: The same for decisions.
        data: A folder with card files to use instead of the package's own, for example with the printed values of cards
            that are reconstructed here; None for the package's files. Replays, saved games and weights record which
            cards they were made with, but not where the files are.
    """

    players: int = 3
    deck: Literal["base", "set_sail", "adventure"] = "base"
    add: Sequence[Addition] = ()
    mode: Literal["competitive", "cooperative", "post_adventure"] = "competitive"
    alternative_end: bool = False
    score_start: int = 0
    must_repel_duplicate: bool = False
    vice_admiral_passive: Literal[1, 2] = 1
    chapter: Literal[1, 2, 3, 4, 5] = 1
    bonus_coins: Sequence[int] = ()
    character_choice: Literal["deal", "draft"] = "deal"
    month_end_ends_turn: bool = False
    jean_counts_for_missions: bool = False
    max_turns: int = 500
    max_decisions: int = 20000
    data: str | None = None
    _cards: str = field(default="", init=False, repr=False)  # fingerprint of the cards in `data`, so that games differ

    name: ClassVar[str] = state.NAME
    layout: ClassVar[int] = 1
    rules: ClassVar[Rules] = RULES
    length_unit: ClassVar[str] = "turns"
    clear_lead: ClassVar[float] = 2.0
    local_options: ClassVar[tuple[str, ...]] = ("data",)
    can_be_compact: ClassVar[bool] = True
    render_modes: ClassVar[tuple[str, ...]] = ("ansi", "rgb_array", "svg")

    def __post_init__(self) -> None:
        """Check the options."""
        for name in ("players", "score_start", "vice_admiral_passive", "chapter", "max_turns", "max_decisions"):
            value = getattr(self, name)
            if not is_whole(value):
                raise ValueError(f"{name} must be a whole number, got {shown(value)}")
            object.__setattr__(self, name, int(value))
        for name in ("alternative_end", "must_repel_duplicate", "month_end_ends_turn", "jean_counts_for_missions"):
            check_flag(name, getattr(self, name))
            object.__setattr__(self, name, bool(getattr(self, name)))
        check_choice("deck", self.deck, GOAL)
        check_choice("mode", self.mode, MODES)
        check_choice("character_choice", self.character_choice, ("deal", "draft"))
        check_whole("chapter", self.chapter, 1, NUM_CHAPTERS)
        check_whole("vice_admiral_passive", self.vice_admiral_passive, 1, 2)
        check_whole("max_turns", self.max_turns, 1, MOST_TURNS)
        check_whole("max_decisions", self.max_decisions, 1, MOST_DECISIONS)
        if self.data is not None and not isinstance(self.data, (str, Path)):
            raise ValueError(f"data must be the name of a folder, got {shown(self.data)}")
        object.__setattr__(self, "data", None if self.data is None else str(self.data))
        self._check_add()
        self._check_adventure()
        self._check_mode()
        self._check_score_start()  # reads the card files, so that their errors are raised now
        object.__setattr__(self, "_cards", "" if self.cards == self._packaged else self.cards.fingerprint)

    def _check_add(self) -> None:
        if isinstance(self.add, str) or not isinstance(self.add, Sequence):
            raise ValueError(f"add must be a list of any of {', '.join(ADDITIONS)}, got {shown(self.add)}")
        for one in self.add:
            check_choice("each of add", one, ADDITIONS)
        object.__setattr__(self, "add", tuple(name for name in ADDITIONS if name in self.add))
        if self.add and self.deck != "base":
            raise ValueError(f"add is for the base deck; {self.deck} takes no additions")
        if "contracts" in self.add and "contract_cards" not in self.add:
            raise ValueError("contracts need the contract cards: add=('contract_cards', 'contracts')")

    def _check_adventure(self) -> None:
        coins = self.bonus_coins
        if isinstance(coins, str) or not isinstance(coins, Sequence):
            raise ValueError(f"bonus_coins must be a list of whole numbers, got {coins!r}")
        for one in coins:
            check_whole("each of bonus_coins", one, 0, MOST_BONUS_COINS)
        object.__setattr__(self, "bonus_coins", tuple(map(int, coins)))
        if coins and len(coins) != self.players:
            raise ValueError(f"bonus_coins must have one number for each of {self.players} players, got {len(coins)}")
        if self.deck != "adventure":
            defaults = {one.name: one.default for one in fields(self)}
            for name in ADVENTURE_OPTIONS:
                if getattr(self, name) != defaults[name]:
                    raise ValueError(f"{name} is for the adventure: deck='adventure'")
            if self.mode == "post_adventure":
                raise ValueError("the mode post_adventure is for the adventure: deck='adventure'")
            return
        if self.mode == "post_adventure" and self.chapter != 1:
            raise ValueError("a game after the adventure has no chapter")
        check_whole(
            f"players of a {self.mode} chapter of the adventure",
            self.players,
            1 if self.mode == "cooperative" else 2,
            ADVENTURE_PLAYERS,
        )
        if self.alternative_end:
            raise ValueError("alternative_end is for competitive games with the base deck")

    def _check_mode(self) -> None:
        if self.deck == "adventure":
            return
        if self.mode == "cooperative":
            if "contracts" not in self.add:
                raise ValueError("a cooperative game needs contracts: add=('contract_cards', 'contracts')")
            check_whole("players of a cooperative game", self.players, 1, MAX_PLAYERS)
        else:
            check_whole(
                f"players of a competitive game with the deck {self.deck}",
                self.players,
                2,
                MAX_PLAYERS - 1 if self.deck == "set_sail" else MAX_PLAYERS,
            )
        if self.alternative_end and (self.deck != "base" or self.mode != "competitive"):
            raise ValueError("alternative_end is for competitive games with the base deck")

    def _check_score_start(self) -> None:
        cards = self.cards
        if self.score_start == 0:
            return
        if self.mode != "cooperative" or self.deck == "adventure":
            raise ValueError("score_start is for cooperative games with contracts")
        check_whole("score_start", self.score_start, 0, _smallest_time_deck(cards.contracts, self.players) - 1)

    @cached_property
    def cards(self) -> Cards:
        """The cards of this configuration; read from the files once."""
        if self.data is None:
            return self._packaged
        if self.deck == "adventure":
            return read_adventure(Path(self.data), self._chapter)
        return read_cards(Path(self.data), *self._sets)

    @property
    def _packaged(self) -> Cards:
        return packaged_adventure(self._chapter) if self.deck == "adventure" else packaged_cards(*self._sets)

    @property
    def _chapter(self) -> int:
        """The last chapter whose cards are in the deck."""
        return NUM_CHAPTERS if self.mode == "post_adventure" else self.chapter

    @property
    def plays_together(self) -> bool:
        """Whether all players win or lose together."""
        return self.mode == "cooperative"

    @property
    def _sets(self) -> tuple[tuple[str, ...], str]:
        """The card files and the contracts that are used."""
        sets = (self.deck, *(name for addition, name in _SET_OF.items() if addition in self.add))
        return sets, self.mode if "contracts" in self.add else ""

    @cached_property
    def shape(self) -> state.Shape:
        """The sizes that the type of the record depends on."""
        persons, ships = self.cards.of(PERSON), self.cards.of(SHIP)
        abilities = {ALL_ABILITIES.index(card.type) for card in persons}
        return state.Shape(
            persons=len(persons),
            ships=len(ships),
            expeditions=len(self.cards.of(EXPEDITION)),
            taxes=len(self.cards.of(TAX)),
            abilities=1 + max(GOVERNOR, *abilities),
            cards=getattr(self.cards, "play_cards", 0) or sum(card.copies for card in self.cards.kinds),
            contracts=len(self.cards.contracts),
            merchants=any(card.type == "merchant" for card in persons),
            gamblers=any(card.type == "gambler" for card in persons),
            gifts=any(card.coins_other for card in ships),
            cooperative=self.plays_together and self.deck != "adventure",
            **(
                shape_of(self.cards, self.character_choice == "draft") if isinstance(self.cards, AdventureCards) else {}
            ),
        )

    @cached_property
    def record(self) -> np.dtype[Any]:  # type: ignore[override]
        """The type of a record."""
        return state.record_for(self.shape)

    @cached_property
    def final(self) -> np.dtype[Any]:  # type: ignore[override]
        """The type of a final record."""
        return scoring.final_for(self.shape)

    @property
    def point_sources(self) -> tuple[str, ...]:  # type: ignore[override]
        """The sources of points, as in ``final["points"]``."""
        return scoring.sources_for(self.shape)

    @cached_property
    def actions(self) -> tuple[Action, ...]:  # type: ignore[override]
        """The action table; the same for all player counts."""
        return actions_for(self.cards, self.shape)

    @cached_property
    def sleepers(self) -> tuple[int, ...]:
        """The numbers of the actions that can sleep, in the order of the field `asleep`."""
        numbers = range(COMPLETE, COMPLETE + self.shape.can_sleep)
        if not self.shape.adventure:
            return tuple(numbers)
        sales = tuple(action.number for action in self.actions if str(action.name[0]).startswith("sell_"))
        return (*numbers[: -len(sales)], *sales)

    @cached_property
    def fields(self) -> tuple[Field, ...]:  # type: ignore[override]
        """The observation table."""
        return observation.fields_for(self.cards, self.shape, self.players)

    @cached_property
    def scales(self) -> np.ndarray:
        """Shape (size,): as for any game; chances are multiples of 1/255 in compact observations."""
        scales = observation.scales_of(self.fields)
        chances = next(row for row in self.fields if row.name == observation.CHANCES)
        scales[chances.start : chances.stop] = 1 / MOST
        return scales

    @cached_property
    def observation_size(self) -> int:  # type: ignore[override]
        """The length of an observation."""
        return self.fields[-1].stop

    @property
    def teams(self) -> tuple[int, ...]:
        """In a cooperative game, all players are one team."""
        return (0,) * self.players if self.plays_together else tuple(range(self.players))

    @property
    def imperfect_information(self) -> bool:
        """In the adventure, a lookout shows cards only to its owner."""
        return self.players > 1 and "top_owner" in (self.record.names or ())

    @property
    def reward_schemes(self) -> tuple[str, ...]:
        """A cooperative game also has schemes for its points and for the team's progress."""
        usual = super().reward_schemes
        if not self.plays_together:
            return usual
        return (*usual, "progress") if self.deck == "adventure" else (*usual, "score", "progress")

    @property
    def end_reasons(self) -> tuple[str, ...]:  # type: ignore[override]
        """Why a game can end."""
        return state.ADVENTURE_END_REASONS if self.deck == "adventure" else state.END_REASONS

    @property
    def titles(self) -> tuple[str, ...]:  # type: ignore[override]
        """The titles for winning a cooperative game, by points."""
        return TITLES if self.shape.cooperative else ()

    def options(self) -> dict[str, Any]:
        """The configuration, JSON-safe: the players, and options that are not at their defaults."""
        options: dict[str, Any] = {"players": self.players}
        for one in fields(self):
            value = getattr(self, one.name)
            if one.init and one.name not in options and value != one.default:
                options[one.name] = list(value) if isinstance(value, tuple) else value
        return options

    def recorded_options(self) -> dict[str, Any]:
        """As for all games, plus a fingerprint of the cards if they are not the package's."""
        return super().recorded_options() | ({"cards": self._cards} if self._cards else {})

    @classmethod
    def from_recorded(cls, options: Mapping[str, Any], **local: Any) -> Self:
        """As for all games; the cards must be those that the file was made with."""
        made_with = options.get("cards", "") if isinstance(options, Mapping) else ""
        if not isinstance(made_with, str):
            raise ValueError(f"cards must be a fingerprint, got {shown(made_with)}")
        others = {name: value for name, value in options.items() if name != "cards"} if made_with else options
        game = super().from_recorded(others, **local)
        if made_with != game._cards:
            theirs = f"cards with the fingerprint {shown(made_with)}" if made_with else "the package's cards"
            here = f"those of data={game.data!r} have {game._cards!r}" if game._cards else "these are the package's"
            raise ValueError(f"it was made with {theirs}, and {here}: name the right folder with the option data")
        return game

    def options_for_agents(self) -> dict[str, Any]:
        """All options except those for truncation and the location of files; the cards' values count."""
        others = _CUTS if self.deck != "adventure" else (*_CUTS, "chapter", "bonus_coins")
        return {name: value for name, value in self.recorded_options().items() if name not in others}

    def data_notes(self) -> list[tuple[str, str]]:
        """The cards with values that are not known from the printed game."""
        folder = None if self.data is None else Path(self.data)
        if self.deck == "adventure":
            used = [*reconstructed_rows(folder, ("base",)), *reconstructed_adventure(folder, self._chapter)]
        else:
            used = reconstructed_rows(folder, *self._sets)
        notes = [
            ("card files", "those of the package" if self.data is None else self.data),
            ("reconstructed", f"{sum(row.copies for row in used)} cards and contracts of this configuration"),
        ]
        if self.deck == "adventure":
            return notes + [(f"{row.file}, row {row.row}", f"{row.name}: guessed are {row.guessed}") for row in used]
        for name in CARD_FILES:
            try:
                rows = reconstructed_rows(folder, (name,), "cooperative" if name == "contract" else "")
            except CardFileError:  # of a set that is not in the game, so the file is not needed
                continue
            for row in rows:
                unused = "" if row in used else " (not used here)"
                cards = f"{row.copies} card{'' if row.copies == 1 else 's'} {row.name}"
                notes.append((f"{row.file}, row {row.row}", f"{cards}: guessed are {row.guessed}{unused}"))
        return notes

    @cached_property
    def blank(self) -> np.ndarray:
        """A record, shape (1,), that contains nothing but the configuration."""
        blank = np.zeros(1, self.record)
        blank["players"] = self.players
        for name in ("harbour_ship", "pending", "double_ship", "kept", "asked_about", *FIELDS_OF_NOTHING):
            if name in (self.record.names or ()):
                blank[name] = state.NOTHING
        return blank

    @cached_property
    def tables(self) -> np.ndarray:
        """The values on the cards, and the options of the rules."""
        longest = observation.fields_for(self.cards, self.shape, MAX_PLAYERS)[-1].stop
        tables = np.zeros(1, state.tables_for(self.shape, longest))
        row: Any = tables[0]
        row.scales[: self.observation_size] = observation.scales_of(self.fields)
        for number, card in enumerate(self.cards.kinds):
            for name in ("copies", "cost", "influence", "coins", "coins_other", "sabres", "repellable", "min_players"):
                row[name][number] = getattr(card, name)
            row.colour[number] = ALL_COLOURS.index(card.colour) if card.colour else NO_COLOUR
        for number, card in enumerate(self.cards.of(PERSON)):
            row.ability[number] = ALL_ABILITIES.index(card.type)
        for number, card in enumerate(self.cards.of(EXPEDITION)):
            row.requires[number] = (*card.requires, *getattr(card, "items", ()), *(0,) * 4)[: self.shape.symbols]
        row.fewest_symbols = min((sum(card.requires) for card in self.cards.of(EXPEDITION)), default=0)
        for number, card in enumerate(self.cards.of(TAX)):
            row.tax_from[number] = card.tax_from
            row.tax_rule[number] = TAX_RULES.index(card.tax_rule)
            row.tax_bonus[number] = TAX_BONUSES.index(card.tax_bonus)
            row.bonus_coins[number] = card.bonus_coins
        for number, contract in enumerate(self.cards.contracts):
            row.requirement[number] = REQUIREMENTS.index(contract.requirement)
            for name, person in zip(("person_1", "person_2"), contract.persons, strict=False):
                row[name][number] = ALL_ABILITIES.index(person)
            row.progress_spaces[number] = contract.progress_spaces
            row.track[number] = contract.coins
            row.seal_number[number] = contract.seal_number
            row.seal_letter[number] = ord(contract.seal_letter) - ord("A")
        row.goal = GOAL[self.deck]
        row.needs_expedition = self.alternative_end
        for name in ("must_repel_duplicate", "vice_admiral_passive", "score_start", "max_turns", "max_decisions"):
            row[name] = getattr(self, name)
        if isinstance(self.cards, AdventureCards):
            fill_tables(row, self.cards, self)
        return tables

    def fits(self, games: np.ndarray) -> bool:
        """Whether the records have the right number of players."""
        return bool((games["players"] == self.players).all())

    def describe_decision(self, record: Any) -> str:
        """The player and the question."""
        with self.reading(record):
            return f"player {record['player']} at the question {state.QUESTIONS[record['question']]!r}"

    def to_dict(self, record: Any) -> dict[str, Any]:
        """A game in JSON-safe words and numbers; see position.py for the format."""
        with self.reading(record):
            return tell_position(record, self)

    def from_dict(self, position: Mapping[str, Any]) -> np.ndarray:
        """One record (shape (1,)) set up from a description.

        Decisions with one legal answer are played, so the game may be slightly further on than described.

        Raises:
            PositionError: If the position is impossible.
        """
        games = read_position(position, self)
        self._refresh(games)
        return games

    def render(self, record: Any, mode: str) -> str | np.ndarray:
        """The table as text (``ansi``), pixels (``rgb_array``) or SVG (``svg``)."""
        from pr_env.port_royal import pictures  # only needed for pictures

        with self.reading(record):
            self.check_render_mode(mode)
            if mode == "ansi":
                return pictures.text(self, record)
            picture = pictures.draw(self, record)
            return picture.svg() if mode == "svg" else picture.rgb()

    @classmethod
    def campaign(cls) -> type[AdventureCampaign]:
        """The five chapters of the adventure."""
        from pr_env.port_royal.campaign import AdventureCampaign  # only where one is played

        return AdventureCampaign

    @property
    def words(self) -> PortRoyalWords:
        """Texts about the game for people."""
        from pr_env.port_royal.words import PortRoyalWords  # only needed for texts

        return PortRoyalWords(self)

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
        """The table as text for a terminal."""
        from pr_env.port_royal import pictures  # only needed for pictures

        with self.reading(record):
            return pictures.text(
                self, record, names=names, answers=answers, width=width, colour=colour, compact=compact
            )

    def problems(self, games: np.ndarray) -> list[str]:
        """Sentences about what is impossible in these records."""
        return invariants.find_problems(games, self)


def _smallest_time_deck(contracts: Sequence[Contract], players: int) -> int:
    """The smallest time deck that any draw of contracts gives."""
    return TIME_CARDS + min(
        sum(contract.seal_number for contract in drawn) + len({contract.seal_letter for contract in drawn})
        for drawn in combinations(contracts, CONTRACTS_COOPERATIVE[players])
    )
