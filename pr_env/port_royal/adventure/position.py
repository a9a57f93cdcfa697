"""The adventure's part of position descriptions, written and read. The whole format is in position.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pr_env.port_royal.adventure.cards import AdventureCards
from pr_env.port_royal.adventure.names import (
    AS_LOOKOUT,
    AS_MADEMOISELLE,
    AS_SAILOR,
    CUBES,
    LOOK_AT,
    LOOKOUT,
    MOST_EVENTS,
    SAILOR_SABRES,
    SLOTS,
    TROPHY,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER, NO_CUBE
from pr_env.port_royal.state import (
    CHARACTER,
    CUBE,
    DISCOVER,
    END_OF_TURN,
    GAME_OVER,
    IMMEDIATE,
    ITEM,
    LOOK,
    NOTHING,
    QUESTIONS,
    SIDE,
    TAKE,
)
from pr_env.port_royal.tables import MADEMOISELLE
from pr_env.positions import PositionError
from pr_env.reading import Reader, name_in, whole

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal
    from pr_env.port_royal.position import Names

_COMPLETED_AT = (QUESTIONS[DISCOVER], QUESTIONS[TAKE], QUESTIONS[END_OF_TURN], QUESTIONS[IMMEDIATE])


class _AdventureNames:
    """Names of things that only an adventure has."""

    def __init__(self, game: PortRoyal, names: Names) -> None:
        cards = game.cards
        assert isinstance(cards, AdventureCards)
        self.items = names.ships[len(names.ships) - game.shape.item_ships :]
        self.first_item = names.first_expedition - game.shape.item_ships
        self.characters = [character.name for character in cards.characters]
        self.cards = [character.card for character in cards.characters]
        self.missions = [mission.name for mission in cards.missions]
        self.times = [mission.times for mission in cards.missions]
        self.events = [event.name for event in cards.events]


# -- telling -----------------------------------------------------------------------------------------------------------


def tell_seat(told: Any, game: PortRoyal, names: Names, seat: int) -> dict[str, Any]:
    """The adventure's part of a seat."""
    own = _AdventureNames(game, names)
    character = told.character[seat]
    completed = sum(place >= FIRST_FINISHER for place in told.mission_place[seat])
    return {
        "character": None if character == NOTHING else own.characters[character],
        "character_card": told.dealt[seat],
        "returned_cubes": told.uncovered[seat] - completed,
        "crowns": told.crowns[seat],
        "items": {name: count for name, count in zip(own.items, told.items[seat], strict=True) if count},
    }


def tell(told: Any, game: PortRoyal, names: Names) -> dict[str, Any]:
    """The adventure's part of the table."""
    own = _AdventureNames(game, names)
    seats = range(game.players)
    missions = []
    for slot, mission in enumerate(told.mission):
        if mission != NOTHING:
            places = [told.mission_place[seat][slot] for seat in seats]
            done = sorted((place, seat) for seat, place in enumerate(places) if place >= FIRST_FINISHER)
            progress = [place if place < FIRST_FINISHER else 0 for place in places]
            entry: dict[str, Any] = {"mission": own.missions[mission], "completed": [seat for _, seat in done]}
            missions.append(entry | ({"progress": progress} if any(progress) else {}))
    deck = [None if event == NOTHING else own.events[event] for event in told.event_deck[: told.event_count]]
    position = {
        "missions": missions,
        "events": {
            "now": None if told.event == NOTHING else own.events[told.event],
            "deck": deck,
            "revealed": told.event_place,
        },
        "asked": [own.missions[told.mission[slot]] for slot in range(SLOTS) if told.asked_turn >> slot & 1],
        "take_less": told.take_less,
        "lookouts_used": told.lookouts_used,
        "innkeepers_used": {name: n for name, n in zip(names.persons, told.inn_used, strict=True) if n},
    }
    if told.top != NOTHING:
        position["seen_on_top"] = {"card": names.kinds[told.top], "seat": told.top_owner}
    return position


def tell_decision(told: Any, game: PortRoyal, names: Names) -> dict[str, Any]:
    """What a question of the adventure is about."""
    own = _AdventureNames(game, names)
    decision: dict[str, Any] = {}
    if told.asked_about != NOTHING:
        decision["mission"] = own.missions[told.mission[told.asked_about]]
    if told.completing != NOTHING:
        decision |= {
            "mission": own.missions[told.mission[told.completing]],
            "completed_at": QUESTIONS[told.completed_at],
            "owed_pirates": told.owed_ares,
            "only_herbs": bool(told.only_herbs),
        }
    if told.look[0] != NOTHING:
        cards = [names.kinds[kind] for kind in told.look if kind != NOTHING]
        decision["cards"] = cards
        decision["older"] = [bool(told.look_old >> place & 1) for place in range(len(cards))]
    if told.cube_price:
        decision["price"] = told.cube_price
    if told.ask:
        decision["to_ask"] = [seat for seat in range(game.players) if told.ask >> seat & 1]
    if told.only_special:
        decision["only_special"] = True
    return decision


# -- reading -----------------------------------------------------------------------------------------------------------


class AdventureReader:
    """Reads the adventure's part of a description into a record.

    Args:
        record: The record to write to.
        game: The game and its configuration.
        names: The names of its cards.
    """

    def __init__(self, record: Any, game: PortRoyal, names: Names) -> None:
        self.record, self.game, self.names = record, game, names
        self.own = _AdventureNames(game, names)
        self.tables: Any = game.tables[0]
        self.returned = [0] * game.players

    def read_seat(self, reader: Reader, seat: int) -> None:
        """Read the adventure's part of a seat. By default, seats have different cards, each with its first side."""
        record, own = self.record, self.own
        choosing = record.question in (SIDE, CHARACTER)
        default = own.cards.index(seat + 1)
        if choosing:
            chosen = seat > record.player if record.question == CHARACTER else seat < record.player
        else:
            chosen = True
        character = reader.name("character", own.characters, own.characters[default] if chosen else None)
        record.character[seat] = NOTHING if character is None else character
        card = 0 if record.question == CHARACTER and not chosen else seat + 1
        card = card if character is None else own.cards[character]
        record.dealt[seat] = reader.whole("character_card", card, high=max(own.cards))
        self.returned[seat] = reader.whole("returned_cubes", 0, high=CUBES)
        record.crowns[seat] = reader.whole("crowns", 0, high=int(self.tables.last_crown))
        counts = reader.counts("items", own.items)
        for name, count, copies in zip(own.items, counts, self.tables.copies[own.first_item :], strict=False):
            if count > copies:
                raise PositionError(f"{name} in items in {reader.path} must be at most {copies}, got {count}")
        record.items[seat] = counts

    def read_table(self, reader: Reader) -> None:
        """Read missions, events and what was used in this turn."""
        self._read_missions(reader)
        self._read_events(reader)
        record, own = self.record, self.own
        out = [own.missions[mission] for mission in record.mission if mission != NOTHING]
        for value in reader.sequence("asked", []):
            record.asked_turn |= 1 << name_in(value, out, "each of asked")
        record.take_less = reader.whole("take_less", 0, high=100)
        record.lookouts_used = reader.whole("lookouts_used", 0, high=100)
        record.inn_used = reader.counts("innkeepers_used", self.names.persons)
        if "seen_on_top" in reader.data:
            seen = reader.mapping("seen_on_top")
            kind = seen.name("card", self.names.kinds, None)
            if kind is None:
                raise PositionError("seen_on_top needs 'card'")
            record.top, record.top_owner = kind, seen.whole("seat", 0, high=self.game.players - 1)
            seen.finish()
        else:
            reader.known.append("seen_on_top")

    def _read_missions(self, reader: Reader) -> None:
        record, own, players = self.record, self.own, self.game.players
        first = [number for number in range(len(own.missions)) if self.tables.star[number]][:SLOTS]
        if self.tables.first_mission != NOTHING:
            first = [int(self.tables.first_mission)]
        missions = reader.sequence("missions", [{"mission": own.missions[number]} for number in first])
        if not 0 < len(missions) <= SLOTS:
            raise PositionError(f"missions must have 1 to {SLOTS} entries, got {len(missions)}")
        for slot, description in enumerate(missions):
            entry = Reader(description, f"entry {slot} of missions")
            number = entry.name("mission", own.missions, None)
            if number is None:
                raise PositionError(f"{entry.path} needs 'mission'")
            record.mission[slot] = number
            for place, value in enumerate(entry.sequence("completed", [])):
                seat = whole(value, f"each of completed in {entry.path}", players - 1)
                if record.mission_place[seat, slot] != NO_CUBE:
                    raise PositionError(f"completed in {entry.path} must not have seat {seat} twice")
                record.mission_place[seat, slot] = FIRST_FINISHER + place
            progress = entry.sequence("progress", [0] * players)
            if len(progress) != players:
                raise PositionError(f"progress in {entry.path} must have {players} numbers, one for each player")
            for seat, value in enumerate(progress):
                space = whole(value, f"each of progress in {entry.path}", own.times[number] - 1)
                if space and record.mission_place[seat, slot] != NO_CUBE:
                    raise PositionError(
                        f"seat {seat} must not have progress on {own.missions[number]}, which it has completed"
                    )
                if space:
                    record.mission_place[seat, slot] = space
            entry.finish()
        completed = (record.mission_place[:players] >= FIRST_FINISHER).sum(axis=1)
        for seat in range(players):
            if completed[seat] + self.returned[seat] > CUBES:
                raise PositionError(
                    f"seat {seat} must use at most {CUBES} cubes, got {completed[seat] + self.returned[seat]}"
                )
            record.uncovered[seat] = completed[seat] + self.returned[seat]

    def _read_events(self, reader: Reader) -> None:
        record, own, tables = self.record, self.own, self.tables
        events = reader.mapping("events")
        choosing = record.question in (SIDE, CHARACTER)
        common = int(np.flatnonzero(tables.event_number == 0)[0])
        at_end = record.question == CUBE
        month = int(tables.month_events)
        usual: Sequence[str | None] = [None] * month
        if not choosing:
            usual = [own.events[common], *[None] * (month - 1)]
        if at_end:
            usual = self._whole_month()
        deck = events.sequence("deck", usual)
        if not 0 < len(deck) <= MOST_EVENTS:
            raise PositionError(f"deck in {events.path} must have 1 to {MOST_EVENTS} entries, got {len(deck)}")
        for place, value in enumerate(deck):
            record.event_deck[place] = (
                NOTHING if value is None else name_in(value, own.events, f"each of deck in {events.path}")
            )
        record.event_count = len(deck)
        revealed = len(deck) if at_end else int(not choosing)
        record.event_place = events.whole("revealed", revealed, high=len(deck))
        now = int(tables.month_end) if at_end else record.event_deck[max(0, int(record.event_place) - 1)]
        name = None if choosing or now == NOTHING else own.events[now]
        event = events.name("now", own.events, name)
        record.event = NOTHING if event is None else event
        events.finish()

    def _whole_month(self) -> list[str]:
        """The first events that make a month."""
        numbers, tables = self.tables.event_number, self.tables
        common = [self.own.events[place] for place in np.flatnonzero(numbers == 0)]
        ones = [self.own.events[place] for place in np.flatnonzero(numbers == 1)] if tables.adds_card_1 else []
        return [*common[: int(tables.month_events) - len(ones)], *ones]

    def read_decision(self, decision: Reader) -> None:
        """What a question of the adventure is about."""
        record, question = self.record, self.record.question
        over = question == GAME_OVER  # a game may be truncated in the middle of a decision
        out = [self.own.missions[mission] for mission in record.mission if mission != NOTHING]
        asks = question == IMMEDIATE or (over and "mission" in decision.data and "owed_pirates" not in decision.data)
        if asks:
            record.asked_about = self._slot(decision, out)
        if question == ITEM or (over and "owed_pirates" in decision.data):
            record.completing = self._slot(decision, out)
            mission = int(record.mission[record.completing])
            at = decision.name("completed_at", _COMPLETED_AT, _COMPLETED_AT[0]) or 0
            record.completed_at = QUESTIONS.index(_COMPLETED_AT[at])
            record.owed_ares = decision.whole("owed_pirates", int(self.tables.spend[mission, 1]), high=30)
            record.only_herbs = self._flag(decision, "only_herbs")
        if question == LOOK or (over and "cards" in decision.data):
            self._read_look(decision)
        if question == CUBE or (over and "price" in decision.data):
            price = max(int(self.tables.cube_price.max()), int(self.tables.amount[self.tables.month_end]))
            record.cube_price = decision.whole("price", price, high=99)
        if (question in (CUBE, ITEM, IMMEDIATE) or over) and "to_ask" in decision.data:
            for seat in decision.sequence("to_ask", []):
                record.ask |= 1 << whole(seat, f"each of to_ask in {decision.path}", self.game.players - 1)
        if "only_special" in decision.data:
            record.only_special = self._flag(decision, "only_special")

    def _slot(self, decision: Reader, out: Sequence[str]) -> int:
        slot = decision.name("mission", out, None)
        if slot is None:
            raise PositionError(f"{decision.path} needs 'mission': one of {', '.join(out)}")
        return slot

    def _flag(self, reader: Reader, key: str) -> bool:
        value = reader.take(key, False)
        if not isinstance(value, (bool, np.bool_)):
            raise PositionError(f"{key} in {reader.path} must be true or false, got {value!r}")
        return bool(value)

    def _read_look(self, decision: Reader) -> None:
        cards = decision.sequence("cards", [])
        if not 0 < len(cards) <= LOOK_AT:
            raise PositionError(f"cards in {decision.path} must be 1 to {LOOK_AT} cards, got {len(cards)}")
        older = decision.sequence("older", [False] * len(cards))
        if len(older) != len(cards) or not all(isinstance(one, (bool, np.bool_)) for one in older):
            raise PositionError(f"older in {decision.path} must have true or false for each of cards")
        for place, (value, old) in enumerate(zip(cards, older, strict=True)):
            self.record.look[place] = name_in(value, self.names.kinds, f"each of cards in {decision.path}")
            self.record.look_old |= int(old) << place

    # -- what follows ------------------------------------------------------------------------------------------------

    def add_up(self) -> None:
        """Add crowns and characters to what the displays count."""
        record, tables = self.record, self.tables
        record.influence += tables.crown_influence[record.crowns].astype(np.int16)
        for seat in range(self.game.players):
            if record.uncovered[seat] and record.character[seat] != NOTHING:
                ability = tables.character_ability[record.character[seat]]
                record.sabres[seat] += SAILOR_SABRES * (ability == AS_SAILOR)
                record.staff[seat, MADEMOISELLE] += ability == AS_MADEMOISELLE
                record.staff[seat, LOOKOUT] += ability == AS_LOOKOUT

    def cards_face_up(self, counts: np.ndarray) -> None:
        """Items, and cards that lookouts have taken from the unseen ones."""
        counts[self.own.first_item : self.names.first_expedition] += self.record.items.sum(axis=0, dtype=np.int64)
        for kind in (*self.record.look, self.record.top):
            if kind != NOTHING:
                counts[kind] += 1

    def may_end(self, seat: int) -> bool:
        """Whether the influence of a player ends the game."""
        return not self.tables.together and self.record.uncovered[seat] >= TROPHY
