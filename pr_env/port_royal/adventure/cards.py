"""The card files of the adventure: play cards, characters, crowns, events, missions and card 9, checked row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pr_env.port_royal.adventure.names import (
    ALL_COLOURS,
    ALL_SHIP_NAMES,
    CARD_9,
    CHARACTER_ABILITIES,
    COLOURED_ABILITIES,
    CUBES,
    DISCARD,
    EFFECTS,
    EVENTS_OF_NUMBER,
    HAVE,
    ITEMS,
    MAX_PLAYERS,
    MODES,
    MONTH_END,
    MONTH_END_PAY,
    MOST_CROWNS,
    MOST_TIMES,
    NEW_ABILITIES,
    NUM_CHAPTERS,
    NUM_CHARACTERS,
    SIDES,
    SLOTS,
    STARRED,
    STOP_AFTER_CARDS,
    TRIGGERS,
    WHEN_OF,
)
from pr_env.port_royal.cards import (
    CARD_COLUMNS,
    EXPEDITION,
    FOLDER,
    KINDS,
    PERSON,
    SHIP,
    SOURCES,
    TAX,
    Card,
    CardFileError,
    Cards,
    Reconstructed,
    Row,
    check_names,
    guessed_in,
    read_cards,
    read_rows,
)
from pr_env.port_royal.tables import COLOURS, SYMBOLS, TAX_BONUSES, TAX_RULES

CARD_FILE = "adventure_cards.csv"
CHARACTER_FILE = "adventure_characters.csv"
CROWN_FILE = "adventure_crowns.csv"
EVENT_FILE = "adventure_events.csv"
EVENT_DECK_FILE = "adventure_event_deck.csv"
MISSION_FILE = "adventure_missions.csv"
VICTORY_FILE = "adventure_victory.csv"

_PLAY_CARD_COLUMNS = (
    *CARD_COLUMNS,
    *("crowns", "item", "sell_price", "group"),
    *(f"req_{item}" for item in ITEMS),
)
_MISSION_COLUMNS = (
    *("id", "chapter", "level", "star"),
    *(f"have_{what}" for what in HAVE),
    *(f"discard_{what}" for what in DISCARD),
    *("trigger", "trigger_n", "times", "timing", "active_only", "take_less"),
    *("first_coins", "first_crowns", "crowns", "adds_group"),
    *("check", "next_yes", "next_no", "competitive", "cooperative", "chapter_end", "source"),
)
_PERSONS = {"ares_captain": 1, "ares_priest": 1, "ares_settler": 1, "lookout": 5, "tybuk_brother": 3, "innkeeper": 5}
_PIRATES, _EXPEDITIONS, _ALL = 8, 3, 39
_PAY = re.compile(r"pay_([0-9]{1,2})_remove_cube")


@dataclass(frozen=True)
class AdventureCard(Card):
    """A kind of play card of the adventure.

    Attributes:
        crowns: The crowns that a traded ship brings.
        item: The item that a kept ship is, one of ``ITEMS``, or ``""``.
        sell_price: For an innkeeper: coins for one bread or rum.
        items: The items that an expedition asks for, by ``ITEMS``.
        group: The group by which story cards add it to the deck.
    """

    crowns: int = 0
    item: str = ""
    sell_price: int = 0
    items: tuple[int, ...] = (0,) * len(ITEMS)
    group: int = 0

    @property
    def name(self) -> str:
        """Its name in programs, for example ``lookout_4_1``, ``ares_1_skull_book`` or ``red_0_6_rum``."""
        return f"{super().name}_{self.item}" if self.kind == SHIP else super().name


@dataclass(frozen=True)
class Character:
    """A side of a character card.

    Attributes:
        card: The number of the card, starting at 1; both sides have the same.
        side: ``"a"`` or ``"b"``.
        name: Its name in programs.
        title: Its name for people.
        start_coins: The coins that its player begins with.
        ability: One of ``CHARACTER_ABILITIES``.
        colour: The colour of an ability like a trader's.
        reconstructed: Whether some of its values are not known from the printed game.
    """

    card: int
    side: str
    name: str
    title: str
    start_coins: int
    ability: str
    colour: str
    reconstructed: bool


@dataclass(frozen=True)
class Event:
    """An event card.

    Attributes:
        name: Its id.
        number: The number in its corner.
        effect: One of ``EFFECTS``.
        amount: The amount of the effect.
        reconstructed: Whether some of its values are not known from the printed game.
    """

    name: str
    number: int
    effect: str
    amount: int
    reconstructed: bool


@dataclass(frozen=True)
class Mission:
    """The mission side of a story card.

    Attributes:
        name: Its id.
        chapter: The chapter it belongs to.
        level: Its level in the chapter.
        star: Whether it is also used after the adventure.
        have: The cards that must be in the display, by ``HAVE``.
        discard: What must be discarded, by ``DISCARD``.
        trigger: One of ``TRIGGERS``; with one it can only be completed at that moment.
        trigger_n: The number of colours or cards for the trigger.
        times: How many times the trigger is needed.
        active_only: Whether only the active player may complete it.
        take_less: The number of takes that completing it costs.
        first_coins: Coins for the first player who completes it; likewise ``first_crowns``.
        crowns: Crowns for everybody who completes it.
        adds: Groups of play cards that its story card adds to the deck.
        check: The mission that its month end asks about, or ``""``.
        next_yes: The mission laid out next if somebody has completed that mission, or in any case without a ``check``.
        next_no: The mission laid out next if nobody has.
        price: By mode, competitive and cooperative: coins for removing a cube at the month end, or 0.
        ends: Whether a cooperative game ends there.
        chapter_end: The story card for a success.
        reconstructed: Whether some of its values are not known from the printed game.
    """

    name: str
    chapter: int
    level: int
    star: bool
    have: tuple[int, ...]
    discard: tuple[int, ...]
    trigger: str
    trigger_n: int
    times: int
    active_only: bool
    take_less: int
    first_coins: int
    first_crowns: int
    crowns: int
    adds: tuple[int, ...]
    check: str
    next_yes: str
    next_no: str
    price: tuple[int, int]
    ends: bool
    chapter_end: str
    reconstructed: bool


@dataclass(frozen=True)
class EventDeck:
    """How the event deck is built: cards with number 0, whether card 1 joins them, the number of the last card."""

    common: int
    adds_card_1: bool
    bottom: int


@dataclass(frozen=True)
class Victory:
    """The conditions of card 9 for a team."""

    cubes: int
    influence: int


@dataclass(frozen=True)
class AdventureCards(Cards):
    """The cards of an adventure; play cards that no story card has added yet have no copies.

    Attributes:
        characters: In the order of the file.
        crowns: Influence by the place on the track.
        events: In the order of the file.
        event_deck: By mode and number of players.
        missions: In the order of the file.
        victory: Card 9, by players.
        play_cards: How many there are after the last chapter.
    """

    characters: tuple[Character, ...] = ()
    crowns: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    event_deck: tuple[tuple[str, int, EventDeck], ...] = ()
    missions: tuple[Mission, ...] = ()
    victory: tuple[Victory, ...] = ()
    play_cards: int = 0


def read_adventure(folder: Path | None, chapter: int) -> AdventureCards:
    """The cards of a chapter; ``NUM_CHAPTERS`` also stands for everything after the last chapter.

    Args:
        folder: The folder with the files; None for the package's.
        chapter: The chapter, starting at 1.

    Raises:
        CardFileError: If a file is missing or cannot be used.
    """
    place = FOLDER if folder is None else folder
    base = read_cards(folder, ("base",)).kinds
    added = _read_play_cards(place / CARD_FILE)
    missions = _read_missions(place / MISSION_FILE, {card.group for card in added})
    in_deck = {group for mission in missions if mission.chapter <= chapter for group in mission.adds}
    never = {card.group for card in added} - {group for mission in missions for group in mission.adds}
    if never:
        raise CardFileError(f"{place / MISSION_FILE}: a story card must add the group {min(never)} to the deck")
    kinds = tuple(
        sorted(
            (*base, *(card if card.group in in_deck else replace(card, copies=0, reconstructed=0) for card in added)),
            key=lambda card: card.kind,
        )
    )
    check_names(place, kinds)
    return AdventureCards(
        kinds,
        (),
        characters=_read_characters(place / CHARACTER_FILE),
        crowns=_read_crowns(place / CROWN_FILE),
        events=_read_events(place / EVENT_FILE),
        event_deck=_read_event_deck(place / EVENT_DECK_FILE),
        missions=missions,
        victory=_read_victory(place / VICTORY_FILE),
        play_cards=sum(card.copies for card in (*base, *added)),
    )


@cache
def packaged_adventure(chapter: int) -> AdventureCards:
    """The cards in the package's own files; read once."""
    return read_adventure(None, chapter)


# -- play cards --------------------------------------------------------------------------------------------------------


def _read_play_cards(file: Path) -> list[AdventureCard]:
    cards: list[AdventureCard] = read_rows(file, _PLAY_CARD_COLUMNS, _play_card)
    wanted = {**_PERSONS, ALL_SHIP_NAMES[-1]: _PIRATES}
    for type_, count in wanted.items():
        _check_count(
            file, f"cards of the type {type_}", sum(card.copies for card in cards if card.type == type_), count
        )
    expeditions = sum(card.copies for card in cards if card.kind == EXPEDITION)
    _check_count(file, "expedition cards", expeditions, _EXPEDITIONS)
    _check_count(file, "all cards", sum(card.copies for card in cards), _ALL)
    if not any(card.kind == TAX for card in cards):
        raise CardFileError(f"{file}: there must be a tax")
    return cards


def _check_count(file: Path, what: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise CardFileError(f"{file}: copies of {what} must add up to {wanted}, got {found}")


def _play_card(row: Row) -> AdventureCard:
    kind = KINDS.index(row.one_of("kind", KINDS))
    card = AdventureCard(
        kind,
        row.text("type"),
        copies=row.number_in("copies", least=1),
        group=row.number_in("group", least=1),
    )
    if row.one_of("source", SOURCES) == "reconstructed":
        card = replace(card, reconstructed=card.copies)
    if kind == PERSON:
        ability = row.one_of("type", NEW_ABILITIES)
        numbers: dict[str, Any] = {name: row.number_in(name) for name in ("cost", "influence", "sabres")}
        price = row.number_in("sell_price", least=1) if ability == "innkeeper" else 0
        return replace(card, sell_price=price, **numbers)
    if kind == SHIP:
        return _ship(row, card)
    if not card.type.isidentifier():
        raise row.error(f"type must be a name like tax_16, got {card.type!r}")
    if kind == EXPEDITION:
        requires = tuple(row.number_in(f"req_{symbol}", most=9) for symbol in SYMBOLS)
        items = tuple(row.number_in(f"req_{item}", most=9) for item in ITEMS)
        if not any(requires) or card.copies != 1:
            raise row.error("an expedition must ask for at least one captain, priest or settler and have one copy")
        coins, influence = row.number_in("coins"), row.number_in("influence")
        return replace(card, influence=influence, coins=coins, requires=requires, items=items)
    return replace(
        card,
        tax_from=row.number_in("tax_from", least=1),
        tax_rule=row.one_of("tax_rule", TAX_RULES[:1]),
        tax_bonus=row.one_of("tax_bonus", TAX_BONUSES),
        bonus_coins=row.number_in("bonus_coins"),
    )


def _ship(row: Row, card: AdventureCard) -> AdventureCard:
    colour = row.one_of("colour", ALL_COLOURS)
    row.one_of("type", (ALL_SHIP_NAMES[ALL_COLOURS.index(colour)],))
    item = row.one_of("item", ITEMS[:2] if colour == "ares" else ITEMS[2:])
    numbers: dict[str, Any] = {name: row.number_in(name) for name in ("coins", "crowns", "sabres")}
    repellable = row.number_in("repellable", most=1) == 1
    if not repellable:
        numbers["sabres"] = 0
    if numbers["coins"] + numbers["crowns"] < 1:
        raise row.error("coins or crowns of a ship must be at least 1, got 0")
    return replace(card, colour=colour, repellable=repellable, item=item, **numbers)


# -- characters, crowns, card 9 ----------------------------------------------------------------------------------------


def _read_characters(file: Path) -> tuple[Character, ...]:
    columns = ("card", "side", "name", "name_es", "start_coins", "ability", "colour", "source")
    characters: list[Character] = read_rows(file, columns, _character)
    sides = [(character.card, character.side) for character in characters]
    for card in range(1, NUM_CHARACTERS + 1):
        for side in SIDES:
            if sides.count((card, side)) != 1:
                raise CardFileError(
                    f"{file}: there must be one side {side} of card {card}, got {sides.count((card, side))}"
                )
    _check_different(file, "name", [character.name for character in characters])
    return tuple(characters)


def _character(row: Row) -> Character:
    name, ability = row.text("name"), row.one_of("ability", CHARACTER_ABILITIES)
    if not name.isidentifier():
        raise row.error(f"name must be a name like lady_anne, got {name!r}")
    return Character(
        row.number_in("card", least=1, most=NUM_CHARACTERS),
        row.one_of("side", SIDES),
        name,
        row.text("name_es"),
        row.number_in("start_coins"),
        ability,
        row.one_of("colour", ALL_COLOURS if ability in COLOURED_ABILITIES else ("",)),
        _is_reconstructed(row),
    )


def _is_reconstructed(row: Row) -> bool:
    return row.one_of("source", SOURCES) == "reconstructed"


def _check_different(file: Path, column: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise CardFileError(f"{file}: each {column} must occur once, got {name!r} twice")


def _read_crowns(file: Path) -> tuple[int, ...]:
    def space(row: Row) -> tuple[int, int]:
        _is_reconstructed(row)
        return row.number_in("crowns"), row.number_in("influence")

    track: list[tuple[int, int]] = read_rows(file, ("crowns", "influence", "source"), space)
    for place, (crowns, influence) in enumerate(track):
        if crowns != place:
            raise CardFileError(f"{file}, row {place + 2}: crowns must be {place}, got {crowns}")
        if influence < (track[place - 1][1] if place else 0) or (place == 0 and influence):
            raise CardFileError(
                f"{file}, row {place + 2}: influence must begin with 0 and never decrease, got {influence}"
            )
    if not 1 < len(track) <= MOST_CROWNS + 1:
        raise CardFileError(f"{file}: the track must have from 2 to {MOST_CROWNS + 1} spaces, got {len(track)}")
    return tuple(influence for _, influence in track)


def _read_victory(file: Path) -> tuple[Victory, ...]:
    def line(row: Row) -> tuple[int, Victory]:
        _is_reconstructed(row)
        players = row.number_in("players", least=1, most=MAX_PLAYERS)
        return players, Victory(row.number_in("cubes_on_missions", most=CUBES * players), row.number_in("influence"))

    rows = dict(read_rows(file, ("players", "cubes_on_missions", "influence", "source"), line))
    for players in range(1, MAX_PLAYERS + 1):
        if players not in rows:
            raise CardFileError(f"{file}: the row for {players} players is missing")
    return tuple(rows[players] for players in range(1, MAX_PLAYERS + 1))


# -- events ------------------------------------------------------------------------------------------------------------


def _read_events(file: Path) -> tuple[Event, ...]:
    events: list[Event] = read_rows(file, ("id", "number", "when", "effect", "amount", "source"), _event)
    _check_different(file, "id", [event.name for event in events])
    for number, count in enumerate(EVENTS_OF_NUMBER):
        found = sum(event.number == number for event in events)
        if found != count:
            raise CardFileError(f"{file}: there must be {count} events with the number {number}, got {found}")
    return tuple(events)


def _event(row: Row) -> Event:
    number = row.number_in("number", most=len(EVENTS_OF_NUMBER) - 1)
    ends = {2: EFFECTS[MONTH_END], 3: EFFECTS[MONTH_END_PAY]}
    usual = tuple(effect for effect in EFFECTS if effect not in ends.values())
    effect = row.one_of("effect", (ends[number],) if number in ends else usual)
    row.one_of("when", (WHEN_OF[EFFECTS.index(effect)],))
    return Event(_identifier(row), number, effect, row.number_in("amount", most=30), _is_reconstructed(row))


def _identifier(row: Row) -> str:
    name = row.text("id")
    if not re.fullmatch("[0-9a-z]+", name):
        raise row.error(f"id must consist of digits and lower-case letters, got {name!r}")
    return name


def _read_event_deck(file: Path) -> tuple[tuple[str, int, EventDeck], ...]:
    def line(row: Row) -> tuple[str, int, EventDeck]:
        _is_reconstructed(row)
        return (
            row.one_of("mode", MODES),
            row.number_in("players", least=1, most=MAX_PLAYERS),
            EventDeck(
                row.number_in("number_0_cards", least=1, most=EVENTS_OF_NUMBER[0]),
                row.number_in("adds_card_1", most=1) == 1,
                row.number_in("bottom_card", least=2, most=3),
            ),
        )

    columns = ("mode", "players", "number_0_cards", "adds_card_1", "bottom_card", "source")
    rows: list[tuple[str, int, EventDeck]] = read_rows(file, columns, line)
    for mode in MODES:
        for players in range(1 if mode == "cooperative" else 2, MAX_PLAYERS + 1):
            found = sum(row[:2] == (mode, players) for row in rows)
            if found != 1:
                raise CardFileError(f"{file}: there must be one row for {mode} with {players} players, got {found}")
    return tuple(rows)


# -- missions ----------------------------------------------------------------------------------------------------------


def _read_missions(file: Path, groups: set[int]) -> tuple[Mission, ...]:
    missions: list[Mission] = read_rows(file, _MISSION_COLUMNS, _mission)
    names = [mission.name for mission in missions]
    _check_different(file, "id", names)
    by_name = dict(zip(names, missions, strict=True))
    for number, mission in enumerate(missions, start=2):
        row = f"{file}, row {number}"
        for column in ("check", "next_yes", "next_no"):
            other = getattr(mission, column)
            if other and (other not in by_name or by_name[other].chapter != mission.chapter):
                raise CardFileError(f"{row}: {column} must be a mission of chapter {mission.chapter}, got {other!r}")
        for group in mission.adds:
            if group not in groups:
                raise CardFileError(f"{row}: adds_group must name groups of {CARD_FILE}, got {group}")
        if mission.adds and mission.name != first_mission(mission.chapter):
            raise CardFileError(
                f"{row}: adds_group must be empty except on the first story card of a chapter (cards that join the "
                f"deck in the middle of a game are not supported), got {mission.adds[0]}"
            )
    for chapter in range(1, NUM_CHAPTERS + 1):
        first = by_name.get(first_mission(chapter))
        if first is None or first.chapter != chapter:
            raise CardFileError(f"{file}: the first mission of chapter {chapter}, {first_mission(chapter)}, is missing")
        longest = max(len(way) for way in _ways(first, by_name))
        if longest > SLOTS:
            raise CardFileError(f"{file}: chapter {chapter} must lay out at most {SLOTS} missions, got {longest}")
    stars = sum(mission.star for mission in missions)
    if stars != STARRED:
        raise CardFileError(f"{file}: star must be 1 in {STARRED} rows, got {stars}")
    return tuple(missions)


def first_mission(chapter: int) -> str:
    """The id of the first story card of a chapter."""
    return f"{chapter}0"


def _ways(mission: Mission, by_name: dict[str, Mission], before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The sequences of missions that can be laid out; those that are too long are not continued."""
    way = (*before, mission.name)
    later = {name for name in (mission.next_yes, mission.next_no) if name}
    if not later or len(way) > SLOTS:
        yield way
        return
    for name in sorted(later):
        yield from _ways(by_name[name], by_name, way)


def _mission(row: Row) -> Mission:
    trigger = row.one_of("trigger", TRIGGERS)
    row.one_of("timing", ("immediate",) if trigger else ("free",))
    counted = trigger not in ("", "pay_tax")
    trigger_n = row.number_in("trigger_n", least=int(counted), most=len(ALL_COLOURS) if counted else 0)
    times = row.number_in("times", most=MOST_TIMES) if trigger else 0
    check, next_yes, next_no = (row.text(column) for column in ("check", "next_yes", "next_no"))
    competitive, cooperative = row.text("competitive"), row.text("cooperative")
    if bool(next_yes) == bool(competitive or cooperative) or bool(competitive) != bool(cooperative):
        raise row.error("either next_yes, or competitive and cooperative must say what the month end brings")
    if bool(check) != bool(next_no) or (check and not next_yes):
        raise row.error("check and next_no must be both set or both empty")
    groups = [group.strip() for group in row.text("adds_group").split(";") if group.strip()]
    if not all(group.isdecimal() for group in groups):
        raise row.error(f"adds_group must be numbers separated by ;, got {row.text('adds_group')!r}")
    take_less = row.number_in("take_less", most=9 if trigger == TRIGGERS[STOP_AFTER_CARDS] else 0)
    return Mission(
        name=_identifier(row),
        chapter=row.number_in("chapter", least=1, most=NUM_CHAPTERS),
        level=row.number_in("level", least=1, most=SLOTS),
        star=row.number_in("star", most=1) == 1,
        have=tuple(row.number_in(f"have_{what}", most=30) for what in HAVE),
        discard=tuple(row.number_in(f"discard_{what}", most=30) for what in DISCARD),
        trigger=trigger,
        trigger_n=trigger_n,
        times=max(1, times),
        active_only=row.number_in("active_only", most=1) == 1,
        take_less=take_less,
        first_coins=row.number_in("first_coins", most=30),
        first_crowns=row.number_in("first_crowns", most=30),
        crowns=row.number_in("crowns", most=30),
        adds=tuple(map(int, groups)),
        check=check,
        next_yes=next_yes,
        next_no=next_no,
        price=(_price(row, "competitive", competitive), _price(row, "cooperative", cooperative)),
        ends=cooperative == CARD_9,
        chapter_end=row.text("chapter_end"),
        reconstructed=_is_reconstructed(row),
    )


def _price(row: Row, column: str, text: str) -> int:
    if not text or (text == CARD_9 and column == "cooperative"):
        return 0
    match = _PAY.fullmatch(text)
    if match is None:
        also = f" or {CARD_9}" if column == "cooperative" else ""
        raise row.error(f"{column} must be like pay_8_remove_cube{also}, got {text!r}")
    return int(match[1])


# -- guessed values ----------------------------------------------------------------------------------------------------


def reconstructed_adventure(folder: Path | None, chapter: int) -> list[Reconstructed]:
    """The rows of the adventure's files with guessed values that belong to the game of a chapter."""
    place = FOLDER if folder is None else folder
    cards = read_adventure(folder, chapter)
    there = {card.name for card in cards.kinds if card.copies}
    found: list[Reconstructed] = []

    def note(file: str, columns: Sequence[str], name: str, copies: str = "") -> None:
        def row(read: Row) -> None:
            if not _is_reconstructed(read):
                return
            named = _play_card(read).name if file == CARD_FILE else read.text(name)
            if file == CARD_FILE and named not in there:
                return
            number = read.number_in(copies) if copies else 1
            found.append(Reconstructed(file, read.number, named, number, guessed_in(read)))

        read_rows(place / file, columns, row)

    note(CARD_FILE, _PLAY_CARD_COLUMNS, "type", "copies")
    note(CHARACTER_FILE, ("name", "source"), "name")
    note(CROWN_FILE, ("crowns", "source"), "crowns")
    note(EVENT_FILE, ("id", "source"), "id")
    note(MISSION_FILE, ("id", "source"), "id")
    note(VICTORY_FILE, ("players", "source"), "players")
    return found


assert len(COLOURS) + 1 == len(ALL_COLOURS)
