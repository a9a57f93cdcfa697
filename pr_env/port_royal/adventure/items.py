"""Items: ships that players have kept in their displays."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.names import FIRST_ITEM_SYMBOL, NO_ITEM
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.piles import discard
from pr_env.port_royal.state import NOTHING
from pr_env.rules import Record


@compiled
def first_ship(game: Record, tables: Record) -> int:
    """The kind of the first ship with an item; they are the last ships."""
    expeditions_and_taxes = game.expedition.shape[0] + tables.tax_from.shape[0]
    return game.unseen.shape[0] - expeditions_and_taxes - game.items.shape[1]


@with_adventure(0)
def count_item(game: Record, tables: Record, seat: int, item: int) -> int:
    """The number of ships with an item that a player has kept."""
    first, found = first_ship(game, tables), 0
    for ship in range(game.items.shape[1]):
        if tables.ship_item[first + ship] == item:
            found += int(game.items[seat, ship])
    return found


@with_adventure()
def discard_item(game: Record, tables: Record, seat: int, item: int) -> None:
    """Discard a kept ship: the one with the fewest sabres, skulls last, then in the order of the files (R87)."""
    first, best = first_ship(game, tables), NOTHING
    for ship in range(game.items.shape[1]):
        if game.items[seat, ship] > 0 and tables.ship_item[first + ship] == item:
            if best == NOTHING or _weaker(tables, first + ship, first + best):
                best = ship
    game.items[seat, best] -= 1
    discard(game, first + best)


@compiled
def _weaker(tables: Record, kind: int, other: int) -> bool:
    if tables.repellable[kind] != tables.repellable[other]:
        return bool(tables.repellable[kind] == 1)
    return bool(tables.sabres[kind] < tables.sabres[other])


@with_adventure(True)
def has_items_for(game: Record, tables: Record, seat: int, expedition: int) -> bool:
    """Whether a player has kept the items that an expedition asks for."""
    for symbol in range(FIRST_ITEM_SYMBOL, game.owed.shape[0]):
        wanted = tables.requires[expedition, symbol]
        if wanted > 0 and count_item(game, tables, seat, symbol - FIRST_ITEM_SYMBOL) < wanted:
            return False
    return True


@compiled
def item_of(tables: Record, kind: int) -> int:
    """The item that a ship is when it is kept, or NO_ITEM."""
    return int(tables.ship_item[kind]) if kind != NOTHING else NO_ITEM
