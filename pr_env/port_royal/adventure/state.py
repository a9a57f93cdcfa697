"""The adventure's fields of the record and of the tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env.port_royal.adventure.names import DISCARD, HAVE, LOOK_AT, MOST_CROWNS, MOST_EVENTS, SLOTS
from pr_env.port_royal.tables import MAX_PLAYERS

# Where a player's cube for a mission is: the field `mission_place`. Up to two progress spaces, then the order of
# finishing
NO_CUBE, FIRST_FINISHER = 0, 3


def record_fields(persons: int, item_ships: int) -> list[Any]:
    """Fields of the record, for these numbers of kinds of persons and of ships with an item."""
    return [
        # the characters of players, and their progress
        ("dealt", np.int8, (MAX_PLAYERS,)),  # character cards, from 1; 0 before it is dealt or chosen
        ("character", np.int8, (MAX_PLAYERS,)),  # sides by row, or NOTHING
        ("uncovered", np.int8, (MAX_PLAYERS,)),  # fields of the character: missions completed and cubes returned
        ("crowns", np.int8, (MAX_PLAYERS,)),
        ("items", np.int8, (MAX_PLAYERS, item_ships)),  # kept ships
        # missions
        ("mission", np.int8, (SLOTS,)),  # those laid out, or NOTHING
        ("mission_place", np.int8, (MAX_PLAYERS, SLOTS)),  # NO_CUBE, a progress space, or the order of finishing
        ("ask", np.uint8),  # immediate, cube: seats still to be asked, as bits
        ("asked_about", np.int8),  # immediate: the slot, or NOTHING
        ("asked_turn", np.uint8),  # slots already asked about in this turn, as bits
        ("take_less", np.int8),  # takes that missions have cost in this turn
        ("completing", np.int8),  # item: the slot being paid for, or NOTHING
        ("completed_at", np.int8),  # item: the question at which it was begun
        ("owed_ares", np.int8),  # item: pirates of the Ares still to be given
        ("only_herbs", np.int8),  # item: 1 if herbs were given
        ("only_special", np.int8),  # pay: 1 if a person of the Ares was paid for the symbol asked about
        # events
        ("event", np.int8),  # the event of the turn, or NOTHING
        ("event_deck", np.int8, (MOST_EVENTS,)),  # of this month, without its end; NOTHING where not revealed yet
        ("event_count", np.int8),  # cards of this month, without its end
        ("event_place", np.int8),  # how many of them have been revealed
        ("cube_price", np.int8),  # cube: coins for returning a cube
        # lookouts and innkeepers
        ("look", np.int16, (LOOK_AT,)),  # look: faces in the order of kinds, or NOTHING
        ("look_old", np.uint8),  # look: which of them come from the previous epoch, as bits
        ("top", np.int16),  # kind of the top card of the deck if a player has seen it, or NOTHING
        ("top_owner", np.int8),  # the player who has seen it
        ("lookouts_used", np.int8),  # lookouts used in this turn
        ("inn_used", np.int8, (persons,)),  # innkeepers who have sold something in this part, by kind
    ]


FIELDS_OF_NOTHING = ("character", "mission", "asked_about", "completing", "event", "event_deck", "look", "top")


def table_fields(kinds: int, persons: int, missions: int, characters: int, events: int) -> list[Any]:
    """Fields of the tables."""
    return [
        ("ship_crowns", np.int64, (kinds,)),
        ("ship_item", np.int64, (kinds,)),  # the item that a kept ship is, or NO_ITEM
        ("sell_price", np.int64, (persons,)),
        ("character_card", np.int64, (characters,)),
        ("start_coins", np.int64, (characters,)),
        ("character_ability", np.int64, (characters,)),
        ("character_colour", np.int64, (characters,)),
        ("crown_influence", np.int64, (MOST_CROWNS + 1,)),
        ("last_crown", np.int64),
        ("event_number", np.int64, (events,)),
        ("effect", np.int64, (events,)),
        ("amount", np.int64, (events,)),
        ("month_events", np.int64),  # events of the first month, without its end
        ("adds_card_1", np.int64),
        ("month_end", np.int64),  # the last event of a month
        ("first_mission", np.int64),  # or NOTHING if starred missions are laid out
        ("star", np.int64, (missions,)),
        ("have", np.int64, (missions, len(HAVE))),
        ("spend", np.int64, (missions, len(DISCARD))),
        ("trigger", np.int64, (missions,)),
        ("trigger_n", np.int64, (missions,)),
        ("times", np.int64, (missions,)),
        ("active_only", np.int64, (missions,)),
        ("take_less", np.int64, (missions,)),
        ("first_coins", np.int64, (missions,)),
        ("first_crowns", np.int64, (missions,)),
        ("mission_crowns", np.int64, (missions,)),
        ("check", np.int64, (missions,)),  # or NOTHING; likewise the next two
        ("next_yes", np.int64, (missions,)),
        ("next_no", np.int64, (missions,)),
        ("cube_price", np.int64, (missions,)),  # in this mode
        ("ends_chapter", np.int64, (missions,)),  # in this mode
        ("victory_cubes", np.int64),
        ("victory_influence", np.int64),
        # options
        ("together", np.int64),  # 1: cooperative or solo
        ("draft", np.int64),  # 1: characters are drafted
        ("month_end_ends_turn", np.int64),
        ("jean_counts_for_missions", np.int64),
        ("bonus", np.int64, (MAX_PLAYERS,)),
    ]
