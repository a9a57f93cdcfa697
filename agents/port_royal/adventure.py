"""Decisions of scripted players that only the adventure has: missions, items, lookouts and the end of a month."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.actions import COMPLETE, accept_at, keep_at
from pr_env.port_royal.adventure.items import count_item, item_of
from pr_env.port_royal.adventure.names import (
    BOOK,
    DISCARD_ARES,
    FIRST_DISCARDED_ITEM,
    FIRST_ITEM_SYMBOL,
    HERBS,
    LOOK_AT,
    SALES,
    SLOTS,
    SOLD,
)
from pr_env.port_royal.adventure.places import sell_at, top_at, use_lookout_at
from pr_env.port_royal.adventure.state import FIRST_FINISHER
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.state import CUBE, DISCOVER, IMMEDIATE, LOOK, NOTHING, ON_TABLE, OWNED, TAKE
from pr_env.rules import Record


@with_adventure(-1)
def choose(game: Record, tables: Record) -> int:
    """The choice in decisions that only the adventure has; -1 to leave the decision to the general plan."""
    question = game.question
    for slot in range(SLOTS):  # completing is better than waiting: each mission uncovers a field
        if game.legal[COMPLETE + slot] != 0:
            return COMPLETE + slot
    if question in (IMMEDIATE, CUBE):
        return accept_at(game)
    if question == LOOK:
        return _choose_face(game, tables)
    if question == DISCOVER and game.drawn > 0 and game.legal[use_lookout_at(game)] != 0:
        return use_lookout_at(game)
    return _choose_item(game, tables) if question == TAKE else -1


@compiled
def _choose_face(game: Record, tables: Record) -> int:
    """A new ship colour, else a person; nothing that causes a bust."""
    best, choice = -1, top_at(game)
    for place in range(LOOK_AT):
        kind = int(game.look[place])
        if kind == NOTHING or game.legal[top_at(game) + place] == 0:
            continue
        worth = 1
        if kind < game.harbour.shape[0]:
            worth = 2 + tables.influence[kind]
        elif tables.colour[kind] >= 0:
            worth = 4 if game.harbour_ship[tables.colour[kind]] == NOTHING else 0
        if worth > best:
            best, choice = worth, top_at(game) + place
    return choice


@compiled
def _choose_item(game: Record, tables: Record) -> int:
    """Keep a ship whose item is missing for a mission or an expedition; sell items that none requires."""
    seat = int(game.player)
    for colour in range(game.harbour_ship.shape[0]):
        action = keep_at(game) + colour
        if game.legal[action] != 0:
            item = item_of(tables, int(game.harbour_ship[colour]))
            if _wanted(game, tables, seat, item) > _have(game, tables, seat, item):
                return action
    for which in range(SALES):
        if game.legal[sell_at(game) + which] != 0 and _wanted(game, tables, seat, SOLD[which]) == 0:
            return sell_at(game) + which
    return -1


@compiled
def _have(game: Record, tables: Record, seat: int, item: int) -> int:
    if item in (BOOK, HERBS):
        return count_item(game, tables, seat, BOOK) + count_item(game, tables, seat, HERBS)
    return count_item(game, tables, seat, item)


@compiled
def _wanted(game: Record, tables: Record, seat: int, item: int) -> int:
    """The number of an item required by expeditions, and by missions that the player has not completed."""
    wanted = 0
    for slot in range(SLOTS):
        mission = int(game.mission[slot])
        if mission != NOTHING and game.mission_place[seat, slot] < FIRST_FINISHER:
            wanted += tables.spend[mission, FIRST_DISCARDED_ITEM + item]
            if item in (BOOK, HERBS):
                wanted += tables.spend[mission, DISCARD_ARES]
    for expedition in range(game.expedition.shape[0]):
        if ON_TABLE <= game.expedition[expedition] < OWNED:
            wanted += tables.requires[expedition, FIRST_ITEM_SYMBOL + item]
    return wanted
