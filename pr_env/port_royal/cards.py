"""The card files: the values on the cards, checked row by row, as kinds of cards for one configuration."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pr_env.checks import shown
from pr_env.port_royal.tables import (
    ABILITIES,
    COLOURS,
    CONTRACTS_COOPERATIVE,
    DOWN_TO,
    DOWN_TO_8,
    MOST_COIN_SPACES,
    REQUIREMENTS,
    SET_SAIL_IN_BASE,
    SET_SIZES,
    SHIP_NAMES,
    SYMBOLS,
    TAX_BONUSES,
    TAX_RULES,
    TIME_CARDS,
)

FOLDER = Path(__file__).parent / "data"
KINDS = ("person", "ship", "expedition", "tax")
PERSON, SHIP, EXPEDITION, TAX = range(len(KINDS))
CARD_FILES = {
    "base": "base_cards.csv",
    "set_sail": "set_sail_cards.csv",
    "gambler": "gambler_cards.csv",
    "contract": "contract_cards.csv",
}
CONTRACT_FILE = "contracts.csv"
CARD_COLUMNS = (
    *("set", "kind", "type", "colour", "cost", "influence", "coins", "coins_other", "sabres", "repellable"),
    *("req_captain", "req_priest", "req_settler", "tax_from", "tax_rule", "tax_bonus", "bonus_coins"),
    *("min_players", "joins_base", "copies", "source"),
)
_CONTRACT_COLUMNS = (
    *("id", "name", "requirement", "person_1", "person_2", "progress_spaces"),
    *(f"coins_{space}" for space in range(1, MOST_COIN_SPACES + 1)),
    *("seal_number", "seal_letter", "coop_only", "timing", "source"),
)
SOURCES = ("printed", "reconstructed")
_HIGHEST = 99  # the highest number allowed on a card
_LARGEST_FILE = 1 << 20


class CardFileError(ValueError):
    """A card file that cannot be used; the message has the file, the row and what was expected."""


@dataclass(frozen=True)
class Card:
    """A kind of card: equal cards of all sets in the game.

    Attributes:
        kind: Index in ``KINDS``.
        type: Its name in code: a person's ability, a ship's name, or the expedition or tax itself.
        colour: Of a ship; for a trader, merchant or clerk, the colour it works for; ``""`` for all others.
        cost: The cost of a person.
        influence: The influence of a person or an expedition.
        coins: What a traded ship or a claimed expedition pays.
        coins_other: Coins for another player, chosen by the taker.
        sabres: The sabres that a person gives, or that repelling a ship takes.
        repellable: Whether a ship can be repelled at all; False with a skull.
        requires: The symbols that an expedition asks for, by ``SYMBOLS``.
        tax_from: The number of coins from which a tax is due.
        tax_rule: How many coins are lost.
        tax_bonus: The players who get the bonus of a tax.
        bonus_coins: The amount of the bonus.
        min_players: If not 0, the card is never shuffled: with at least this many players it is on the table from the
            start, with fewer it is out of the game.
        copies: The number of copies.
        reconstructed: The number of copies with at least one value that is not known from the printed game.
    """

    kind: int
    type: str
    colour: str = ""
    cost: int = 0
    influence: int = 0
    coins: int = 0
    coins_other: int = 0
    sabres: int = 0
    repellable: bool = False
    requires: tuple[int, ...] = (0,) * len(SYMBOLS)
    tax_from: int = 0
    tax_rule: str = ""
    tax_bonus: str = ""
    bonus_coins: int = 0
    min_players: int = 0
    copies: int = 1
    reconstructed: int = 0

    @property
    def name(self) -> str:
        """Its name in programs, for example ``trader_yellow_3_1``, ``red_3_skull`` or ``two_priests``."""
        if self.kind == PERSON:
            return "_".join(str(part) for part in (self.type, self.colour, self.cost, self.influence) if part != "")
        if self.kind == SHIP:
            sabres = self.sabres if self.repellable else "skull"
            return f"{self.colour}_{self.coins}_{sabres}" + ("_gift" if self.coins_other else "")
        return self.type


@dataclass(frozen=True)
class Contract:
    """A contract card.

    Attributes:
        name: Its name in programs.
        requirement: One of ``REQUIREMENTS``.
        persons: The two persons that ``two_persons`` asks for.
        progress_spaces: Spaces for a cube before it is completed.
        coins: Its coin track.
        seal_number: The number of cards that it adds to the time deck.
        seal_letter: Each different letter on the face-up contracts adds one card.
        cooperative_only: Whether it is left out of competitive games.
        reconstructed: Whether some of its values are not known from the printed game.
    """

    name: str
    requirement: str
    persons: tuple[str, ...]
    progress_spaces: int
    coins: tuple[int, ...]
    seal_number: int
    seal_letter: str
    cooperative_only: bool
    reconstructed: bool


@dataclass(frozen=True)
class Cards:
    """The cards of a configuration.

    Attributes:
        kinds: Persons, then ships, expeditions and taxes, each in the order of the files.
        contracts: The contracts that the face-up ones are drawn from.
    """

    kinds: tuple[Card, ...]
    contracts: tuple[Contract, ...]

    def of(self, kind: int) -> tuple[Card, ...]:
        """All cards of one kind in ``KINDS``."""
        return tuple(card for card in self.kinds if card.kind == kind)

    @property
    def fingerprint(self) -> str:
        """A short hash of all values on the cards."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


def read_cards(folder: Path | None, sets: Sequence[str], contracts: str = "") -> Cards:
    """The cards of a configuration.

    Args:
        folder: The folder with the files; None for the package's.
        sets: Names in ``CARD_FILES``; ``set_sail`` together with ``base`` means the cards that may join it.
        contracts: ``""`` for none, ``"competitive"`` or ``"cooperative"``.

    Raises:
        CardFileError: If a file is missing or cannot be used.
    """
    place = FOLDER if folder is None else folder
    merged: dict[Card, Card] = {}
    for name in sets:
        for card in _read_set(place, name, joined="base" in sets and name == "set_sail"):
            same = replace(card, copies=0, reconstructed=0)
            known = merged.get(same, same)
            merged[same] = replace(
                known, copies=known.copies + card.copies, reconstructed=known.reconstructed + card.reconstructed
            )
    kinds = tuple(sorted(merged.values(), key=lambda card: card.kind))  # a stable sort keeps the order of the files
    check_names(place, kinds)
    drawn_from: tuple[Contract, ...] = ()
    if contracts:
        drawn_from = tuple(
            contract
            for contract in _read_contracts(place)
            if contracts == "cooperative" or not contract.cooperative_only
        )
    return Cards(kinds, drawn_from)


# -- reading -----------------------------------------------------------------------------------------------------------


def check_names(folder: Path, kinds: Sequence[Card]) -> None:
    """Check that names are unique: actions and positions refer to cards by name."""
    names = [card.name for card in kinds]
    for card in kinds:
        if names.count(card.name) > 1:
            raise CardFileError(f"{folder}: kinds of cards must have different names, got {shown(card.name)} twice")
        if card.kind == EXPEDITION and card.copies > 1:
            raise CardFileError(f"{folder}: an expedition must have one copy, got {card.copies} of {shown(card.name)}")


def _read_set(folder: Path, name: str, joined: bool) -> list[Card]:
    file = folder / CARD_FILES[name]
    rows = [(card, joins) for card, joins in read_rows(file, CARD_COLUMNS, read_card) if joins or not joined]
    wanted = SET_SAIL_IN_BASE if joined else SET_SIZES[name]
    for kind, count in enumerate(wanted):
        found = sum(card.copies for card, _ in rows if card.kind == kind)
        if found != count:
            which = f"{KINDS[kind]} cards" + (" with joins_base 1" if joined else "")
            raise CardFileError(f"{file}: copies of {which} must add up to {count}, got {found}")
    return [card for card, _ in rows]


def _read_contracts(folder: Path) -> list[Contract]:
    file = folder / CONTRACT_FILE
    contracts = read_rows(file, _CONTRACT_COLUMNS, _contract)
    for cooperative_only, count in ((False, 16), (True, 2)):
        found = sum(contract.cooperative_only == cooperative_only for contract in contracts)
        if found != count:
            raise CardFileError(f"{file}: {count} rows must have coop_only {int(cooperative_only)}, got {found}")
    names = [contract.name for contract in contracts]
    seals = sorted(contract.seal_number for contract in contracts)
    for face_up in CONTRACTS_COOPERATIVE[1:]:
        if TIME_CARDS + sum(seals[:face_up]) < 0:  # a letter adds at least one card
            raise CardFileError(f"{file}: seal_number must leave a time card for any {face_up} contracts")
    for requirement in REQUIREMENTS[1:]:
        found = sum(contract.requirement == requirement for contract in contracts)
        if found > 1:
            raise CardFileError(f"{file}: at most one contract may have the requirement {requirement}, got {found}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CardFileError(f"{file}: names must differ, got {shown(twice)} twice")
    return contracts


def read_rows(file: Path, columns: Sequence[str], read: Callable[[Row], Any]) -> list[Any]:
    """Apply ``read`` to each row of a card file that must have these columns."""
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise CardFileError(f"{file}: a card file must be smaller than 1 MiB")
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise CardFileError(f"{file}: there is no such card file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CardFileError(f"{file}: cannot be read as text: {error}") from None
    try:
        table = csv.DictReader(text.splitlines(), strict=True)
        header = table.fieldnames or ()
        missing = [column for column in columns if column not in header]
        if missing:
            raise CardFileError(f"{file}: the column {missing[0]!r} is missing")
        return [read(Row(file, number, row)) for number, row in enumerate(table, start=2)]
    except csv.Error as error:
        raise CardFileError(f"{file}: is not a CSV file: {error}") from None


class Row:
    """A row of a file, which is named in errors."""

    def __init__(self, file: Path, number: int, values: dict[Any, Any]) -> None:
        self.file, self.number, self.values = file, number, values
        if None in values or None in values.values():
            raise self.error("must have as many values as the header has columns")

    def error(self, sentence: str) -> CardFileError:
        """An error that names the row."""
        return CardFileError(f"{self.file}, row {self.number}: {sentence}")

    def text(self, column: str) -> str:
        """The text in a column."""
        return str(self.values[column]).strip()

    def number_in(self, column: str, least: int = 0, most: int = _HIGHEST) -> int:
        """The whole number in a column; 0 if it is empty."""
        text = self.text(column)
        try:
            value = int(text or "0")
        except ValueError:
            raise self.error(f"{column} must be a whole number, got {shown(text)}") from None
        if not least <= value <= most:
            raise self.error(f"{column} must be from {least} to {most}, got {value}")
        return value

    def one_of(self, column: str, choices: Sequence[str]) -> str:
        """The text in a column, which must be one of the choices."""
        text = self.text(column)
        if text not in choices:
            raise self.error(
                f"{column} must be one of {', '.join(repr(choice) for choice in choices)}, got {shown(text)}"
            )
        return text


_COLOURED = ("trader", "merchant", "clerk")


def read_card(row: Row) -> tuple[Card, bool]:
    """A play card of any set except the adventure, and whether it may join the base game."""
    kind = KINDS.index(row.one_of("kind", KINDS))
    card = Card(
        kind,
        row.text("type"),
        copies=row.number_in("copies", least=1),
        min_players=row.number_in("min_players", most=5 if kind == EXPEDITION else 0),
    )
    if row.one_of("source", SOURCES) == "reconstructed":
        card = replace(card, reconstructed=card.copies)
    joins = row.number_in("joins_base", most=1) == 1
    if kind == PERSON:
        ability = row.one_of("type", ABILITIES)
        colour = row.one_of("colour", COLOURS if ability in _COLOURED else ("",))
        numbers: dict[str, Any] = {name: row.number_in(name) for name in ("cost", "influence", "sabres")}
        return replace(card, colour=colour, **numbers), joins
    if kind == SHIP:
        colour = row.one_of("colour", COLOURS)
        row.one_of("type", (SHIP_NAMES[COLOURS.index(colour)],))
        numbers = {name: row.number_in(name) for name in ("coins", "coins_other", "sabres")}
        repellable = row.number_in("repellable", most=1) == 1
        if not repellable:
            numbers["sabres"] = 0
        if numbers["coins"] < 1:
            raise row.error("coins of a ship must be at least 1, got 0")
        return replace(card, colour=colour, repellable=repellable, **numbers), joins
    if not card.type.isidentifier():
        raise row.error(f"type must be a name like two_priests, got {shown(card.type)}")
    if kind == EXPEDITION:
        requires = tuple(row.number_in(f"req_{symbol}", most=9) for symbol in SYMBOLS)
        if not any(requires) or card.copies != 1:
            raise row.error("an expedition must ask for at least one symbol and have one copy")
        return replace(
            card, influence=row.number_in("influence"), coins=row.number_in("coins"), requires=requires
        ), joins
    tax_rule = row.one_of("tax_rule", TAX_RULES)
    return replace(
        card,
        tax_from=row.number_in("tax_from", least=DOWN_TO if tax_rule == TAX_RULES[DOWN_TO_8] else 1),
        tax_rule=tax_rule,
        tax_bonus=row.one_of("tax_bonus", TAX_BONUSES),
        bonus_coins=row.number_in("bonus_coins"),
    ), joins


def _contract(row: Row) -> Contract:
    requirement = row.one_of("requirement", REQUIREMENTS)
    persons: tuple[str, ...] = ()
    if requirement == "two_persons":
        persons = (row.one_of("person_1", ABILITIES), row.one_of("person_2", ABILITIES))
    name = row.text("name")
    if not name.isidentifier():
        raise row.error(f"name must be a name like tax_officer, got {shown(name)}")
    letter = row.text("seal_letter")
    if len(letter) != 1 or not "A" <= letter <= "Z":
        raise row.error(f"seal_letter must be a letter from A to Z, got {shown(letter)}")
    progress = row.number_in("progress_spaces", most=2)
    wanted = {"refuse_frigate_coins_3": 2, "refuse_galleon_coins_2": 1, "harbour_3_colours_2": 1}.get(requirement, 0)
    if progress != wanted:
        raise row.error(f"progress_spaces of {requirement} must be {wanted}, got {progress}")
    return Contract(
        name,
        requirement,
        persons,
        progress,
        tuple(row.number_in(f"coins_{space}") for space in range(1, MOST_COIN_SPACES + 1)),
        row.number_in("seal_number", least=-9, most=9),
        letter,
        row.number_in("coop_only", most=1) == 1,
        row.one_of("source", SOURCES) == "reconstructed",
    )


@dataclass(frozen=True)
class Reconstructed:
    """A row of a card file with values that are not known from the printed game.

    Attributes:
        file: The file's name.
        row: Its number; the header is row 1.
        name: The name of the card or contract.
        copies: The number of such cards.
        guessed: The guessed values, as listed in the file.
    """

    file: str
    row: int
    name: str
    copies: int
    guessed: str


def guessed_in(row: Row) -> str:
    """The guessed values of a row."""
    return str(row.values.get("guessed") or "").replace(";", ", ") or "not said which"


def reconstructed_rows(folder: Path | None, sets: Sequence[str], contracts: str = "") -> list[Reconstructed]:
    """The rows of a configuration with guessed values; arguments as for `read_cards`."""
    place = FOLDER if folder is None else folder
    found: list[Reconstructed] = []

    def note(row: Row, name: str, copies: int) -> None:
        found.append(Reconstructed(row.file.name, row.number, name, copies, guessed_in(row)))

    def card(row: Row) -> None:
        read, joins = read_card(row)
        if read.reconstructed and (joins or not joined):
            note(row, read.name, read.copies)

    def contract(row: Row) -> None:
        read = _contract(row)
        if read.reconstructed and (contracts == "cooperative" or not read.cooperative_only):
            note(row, read.name, 1)

    for name in sets:
        joined = "base" in sets and name == "set_sail"
        read_rows(place / CARD_FILES[name], CARD_COLUMNS, card)
    if contracts:
        read_rows(place / CONTRACT_FILE, _CONTRACT_COLUMNS, contract)
    return found


@cache
def packaged_cards(sets: tuple[str, ...], contracts: str) -> Cards:
    """The cards in the package's own files; read once."""
    return read_cards(None, sets, contracts)
