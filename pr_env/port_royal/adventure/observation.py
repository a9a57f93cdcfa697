"""The observation of an adventure, in addition to the fields of every game.

Faces seen by a lookout are shown only to the looker; for others they are among the unseen ones.
"""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.cards import AdventureCards
from pr_env.port_royal.adventure.characters import cubes_left
from pr_env.port_royal.adventure.events import waiting
from pr_env.port_royal.adventure.items import first_ship
from pr_env.port_royal.adventure.names import (
    ALL_COLOURS,
    DISCARD,
    FREE,
    HAVE,
    INNKEEPER,
    ITEMS,
    LOOK_AT,
    LOOKOUT,
    NO_ITEM,
    NUM_CHARACTERS,
    SLOTS,
    TRIGGERS,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.people import count
from pr_env.port_royal.state import IMMEDIATE, ITEM, LOOK, NOTHING, QUESTIONS, SET_ASIDE
from pr_env.rules import EVERYTHING, Record

_QUESTIONS = ("immediate", *QUESTIONS[SET_ASIDE + 1 :])
_SHIP_PARTS = ("crowns", *ITEMS)
_CARD_PARTS = (
    *("person", "expedition", "tax", *ALL_COLOURS),
    *("cost", "influence", "coins", "crowns", "sabres", "skull", *ITEMS, "doubles"),
)
_MISSION_PARTS = (
    *("there", *(f"have_{what}" for what in HAVE), *(f"discard_{what}" for what in DISCARD)),
    *(*TRIGGERS[1:], "trigger_n", "times", "take_less", "first_coins", "first_crowns", "crowns", "first"),
)
_SEAT_PARTS = ("uncovered", "crowns", "cubes_left", "lookouts_left")
_SMALL = 1 / 4


def rows_for(cards: AdventureCards, players: int) -> list[tuple[str, tuple[tuple[str, ...], ...], float, str]]:
    """Rows of the observation table: names, axes, scales and meanings."""
    seats = ("self", *(f"{place}_to_the_left" for place in range(1, players)))
    slots = tuple(f"slot_{slot}" for slot in range(1, SLOTS + 1))
    places = tuple(f"card_{place}" for place in range(1, LOOK_AT + 1))
    sides = tuple(character.name for character in cards.characters)
    numbers = tuple(f"card_{card}" for card in range(1, NUM_CHARACTERS + 1))
    events = tuple(event.name for event in cards.events)
    ships = tuple(card.name for card in cards.kinds if getattr(card, "item", ""))
    return [
        ("adventure_question", (_QUESTIONS,), 1, "the question being asked, if it is one of the adventure"),
        ("together", (), 1, "a cooperative chapter"),
        ("goals", (("cubes", "influence"),), 1 / 20, "what card 9 asks a team for"),
        ("team", (("cubes", "influence"),), 1 / 20, "cubes on missions and influence of all players"),
        ("missions", (slots, _MISSION_PARTS), _SMALL, "missions laid out"),
        ("mission_asked", (slots,), 1, "the mission that is asked about or paid for"),
        ("progress", (slots, seats), 1 / 2, "progress of each player"),
        ("completed", (slots, seats), 1, "who has completed it"),
        ("owed_ares", (), _SMALL, "pirates of the Ares still to be given"),
        ("characters", (seats, sides), 1, "the character of each player"),
        ("character_cards", (seats, numbers), 1, "the character card of each player"),
        ("fields", (seats, _SEAT_PARTS), _SMALL, "what each character has uncovered, and crowns"),
        ("items", (seats, ships), 1 / 2, "kept ships of each player"),
        ("event", (events,), 1, "the event of the turn"),
        ("event_in", (events,), 1 / 16, "turns until a known event comes again"),
        ("month_end_in", (), 1 / 16, "turns until the month ends"),
        ("cube_price", (), 1 / 10, "coins for returning a cube"),
        ("sales_left", (), _SMALL, "innkeepers who have not bought anything in this part"),
        ("harbour_items", (ALL_COLOURS, _SHIP_PARTS), 1 / 2, "crowns and items of ships in the harbour"),
        ("pending_item", (_SHIP_PARTS,), 1 / 2, "of the ship just drawn"),
        ("look", (places, _CARD_PARTS), 1 / 7, "the cards being looked at"),
        ("top", (("known", "known_to_another", *_CARD_PARTS),), 1 / 7, "the top card of the deck"),
    ]


# -- faces that not everybody knows ------------------------------------------------------------------------------------


@compiled
def knows_top(game: Record, viewer: int) -> bool:
    """Whether a viewer knows the top card of the deck."""
    return game.top != NOTHING and (viewer == game.top_owner or viewer == EVERYTHING)


@compiled
def knows_look(game: Record, viewer: int) -> bool:
    """Whether a viewer sees the cards that a lookout looks at now."""
    return game.question == LOOK and (viewer == game.player or viewer == EVERYTHING)


@compiled
def count_unseen(game: Record, viewer: int, scratch: np.ndarray) -> int:
    """Write the faces of the current epoch that a viewer has not seen; returns their number."""
    size = 0
    for kind in range(game.unseen.shape[0]):
        scratch[kind] = game.unseen[kind]
    if game.top != NOTHING and not knows_top(game, viewer):
        scratch[game.top] += 1
    if game.question == LOOK and not knows_look(game, viewer):
        for place in range(LOOK_AT):
            if game.look[place] != NOTHING and (game.look_old >> place) & 1 == 0:
                scratch[game.look[place]] += 1
    for kind in range(game.unseen.shape[0]):
        size += int(scratch[kind])
    return size


# -- writing -----------------------------------------------------------------------------------------------------------


@with_adventure(lambda game, tables, viewer, at, out: at)
def write(game: Record, tables: Record, viewer: int, at: int, out: np.ndarray) -> int:
    """Write the adventure's fields in the order of `rows_for`."""
    first = max(0, viewer)
    out[at] = game.question == IMMEDIATE
    for place in range(len(_QUESTIONS) - 1):
        out[at + 1 + place] = game.question == SET_ASIDE + 1 + place
    at += len(_QUESTIONS)
    at = _write_missions(game, tables, first, at, out)
    at = _write_seats(game, tables, first, at, out)
    at = _write_events(game, tables, at, out)
    out[at] = int(game.cube_price)
    out[at + 1] = count(game, game.player, INNKEEPER) - _sold(game)
    at = _write_ships(game, tables, at + 2, out)
    return _write_seen(game, tables, viewer, at, out)


@compiled
def _sold(game: Record) -> int:
    sold = 0
    for kind in range(game.inn_used.shape[0]):
        sold += int(game.inn_used[kind])
    return min(sold, count(game, game.player, INNKEEPER))


@compiled
def _write_missions(game: Record, tables: Record, first: int, at: int, out: np.ndarray) -> int:
    players = game.players
    cubes = influence = 0
    for seat in range(players):
        influence += int(game.influence[seat])
        for slot in range(SLOTS):
            cubes += game.mission_place[seat, slot] >= FIRST_FINISHER
    out[at] = tables.together
    out[at + 1] = tables.victory_cubes * tables.together
    out[at + 2] = tables.victory_influence * tables.together
    out[at + 3] = cubes
    out[at + 4] = influence
    at += 5
    for slot in range(SLOTS):
        _write_mission(game, tables, slot, at, out)
        at += len(_MISSION_PARTS)
    asked = int(game.asked_about) if game.question == IMMEDIATE else int(game.completing)
    for slot in range(SLOTS):
        out[at + slot] = asked == slot and (game.question == IMMEDIATE or game.question == ITEM)
        for place in range(players):
            cube = int(game.mission_place[(first + place) % players, slot])
            done = cube >= FIRST_FINISHER
            own = SLOTS + slot * players + place
            out[at + own] = 0 if done else cube
            out[at + SLOTS * players + own] = done
    at += SLOTS * (1 + 2 * players)
    out[at] = int(game.owed_ares)
    return at + 1


@compiled
def _write_mission(game: Record, tables: Record, slot: int, at: int, out: np.ndarray) -> None:
    for place in range(len(_MISSION_PARTS)):
        out[at + place] = 0
    mission = int(game.mission[slot])
    if mission == NOTHING:
        return
    out[at] = 1
    at += 1
    for what in range(len(HAVE)):
        out[at + what] = tables.have[mission, what]
    at += len(HAVE)
    for what in range(len(DISCARD)):
        out[at + what] = tables.spend[mission, what]
    at += len(DISCARD)
    for trigger in range(1, len(TRIGGERS)):
        out[at + trigger - 1] = tables.trigger[mission] == trigger
    at += len(TRIGGERS) - 1
    finished = 0
    for seat in range(game.players):
        finished += game.mission_place[seat, slot] >= FIRST_FINISHER
    out[at] = tables.trigger_n[mission]
    out[at + 1] = tables.times[mission] if tables.trigger[mission] != FREE else 0
    out[at + 2] = tables.take_less[mission]
    out[at + 3] = tables.first_coins[mission]
    out[at + 4] = tables.first_crowns[mission]
    out[at + 5] = tables.mission_crowns[mission]
    out[at + 6] = finished == 0


@compiled
def _write_seats(game: Record, tables: Record, first: int, at: int, out: np.ndarray) -> int:
    players, sides, ships = game.players, tables.character_card.shape[0], game.items.shape[1]
    for place in range(players):
        seat = (first + place) % players
        for side in range(sides):
            out[at + place * sides + side] = game.character[seat] == side
        card = at + players * sides + place * NUM_CHARACTERS
        for number in range(NUM_CHARACTERS):
            out[card + number] = game.dealt[seat] == number + 1
        own = at + players * (sides + NUM_CHARACTERS) + place * len(_SEAT_PARTS)
        used = int(game.lookouts_used) if seat == game.active else 0
        out[own] = int(game.uncovered[seat])
        out[own + 1] = int(game.crowns[seat])
        out[own + 2] = cubes_left(game, seat)
        out[own + 3] = count(game, seat, LOOKOUT) - used
        kept = at + players * (sides + NUM_CHARACTERS + len(_SEAT_PARTS)) + place * ships
        for ship in range(ships):
            out[kept + ship] = int(game.items[seat, ship])
    return at + players * (sides + NUM_CHARACTERS + len(_SEAT_PARTS) + ships)


@compiled
def _write_events(game: Record, tables: Record, at: int, out: np.ndarray) -> int:
    """The event of the turn, when known events come again, and when the month ends."""
    events = tables.effect.shape[0]
    for event in range(events):
        out[at + event] = game.event == event
        out[at + events + event] = 0
    left = int(game.event_count) - int(game.event_place)
    new = int(waiting(game, tables) > 0)
    for place in range(game.event_count):
        event = int(game.event_deck[place])
        if event != NOTHING:
            turns = place - int(game.event_place) + 1
            if turns < 1:
                turns = left + 1 + new + place + 1
            out[at + events + event] = turns
    out[at + 2 * events] = left + 1
    return at + 2 * events + 1


@compiled
def _write_ships(game: Record, tables: Record, at: int, out: np.ndarray) -> int:
    for colour in range(game.harbour_ship.shape[0]):
        _write_ship(game, tables, int(game.harbour_ship[colour]), at, out)
        at += len(_SHIP_PARTS)
    pending = int(game.pending)
    ship = game.harbour.shape[0] <= pending < first_ship(game, tables) + game.items.shape[1]
    _write_ship(game, tables, pending if ship else NOTHING, at, out)
    return at + len(_SHIP_PARTS)


@compiled
def _write_ship(game: Record, tables: Record, kind: int, at: int, out: np.ndarray) -> None:
    there = kind != NOTHING
    out[at] = tables.ship_crowns[kind] if there else 0
    for item in range(len(ITEMS)):
        out[at + 1 + item] = there and tables.ship_item[kind] == item


@compiled
def _write_seen(game: Record, tables: Record, viewer: int, at: int, out: np.ndarray) -> int:
    """What lookouts have seen, for those who know it."""
    shown = knows_look(game, viewer)
    for place in range(LOOK_AT):
        _write_card(game, tables, int(game.look[place]) if shown else NOTHING, at, out)
        at += len(_CARD_PARTS)
    known = knows_top(game, viewer)
    out[at] = known
    out[at + 1] = game.top != NOTHING and not known
    _write_card(game, tables, int(game.top) if known else NOTHING, at + 2, out)
    return at + 2 + len(_CARD_PARTS)


@compiled
def _write_card(game: Record, tables: Record, kind: int, at: int, out: np.ndarray) -> None:
    for place in range(len(_CARD_PARTS)):
        out[at + place] = 0
    if kind == NOTHING:
        return
    persons, taxes = game.harbour.shape[0], tables.tax_from.shape[0]
    expeditions = game.unseen.shape[0] - taxes - game.expedition.shape[0]
    is_ship = persons <= kind < expeditions
    out[at] = kind < persons
    out[at + 1] = expeditions <= kind < game.unseen.shape[0] - taxes
    out[at + 2] = kind >= game.unseen.shape[0] - taxes
    if is_ship:
        out[at + 3 + int(tables.colour[kind])] = 1
    at += 3 + len(ALL_COLOURS)
    out[at] = tables.cost[kind]
    out[at + 1] = tables.influence[kind]
    out[at + 2] = tables.coins[kind]
    out[at + 3] = tables.ship_crowns[kind]
    out[at + 4] = tables.sabres[kind]
    out[at + 5] = is_ship and tables.repellable[kind] == 0
    for item in range(len(ITEMS)):
        out[at + 6 + item] = tables.ship_item[kind] != NO_ITEM and tables.ship_item[kind] == item
    out[at + 6 + len(ITEMS)] = is_ship and game.harbour_ship[tables.colour[kind]] != NOTHING
