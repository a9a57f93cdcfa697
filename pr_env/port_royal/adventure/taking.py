"""Phase 2 in the adventure: ships with items and crowns, innkeepers, and income of characters."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.characters import ability, crowns_for_ship, works_for
from pr_env.port_royal.adventure.crowns import gain_crowns
from pr_env.port_royal.adventure.events import more_for_ship
from pr_env.port_royal.adventure.items import count_item, discard_item, first_ship
from pr_env.port_royal.adventure.names import (
    ARES,
    ARES_PERSONS,
    AS_ADMIRAL,
    AS_TRADER,
    COINS_FOR_SHIPS,
    INNKEEPER,
    INNKEEPER_CARDS,
    NO_ITEM,
    PAID_FOR_SHIPS,
    SCOTT_COINS,
    SHIPS_PAID_FOR,
    SOLD,
)
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.people import count, count_of_colour
from pr_env.port_royal.piles import cards_to_draw, gain_coins
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import ADMIRAL_CARDS, TRADER
from pr_env.rules import Record


@with_adventure(0)
def coins_of_part(game: Record, tables: Record, cards: int, ships: int) -> int:
    """Coins of a player's character when the player's part begins."""
    kind = ability(game, tables, int(game.player))
    if kind == AS_ADMIRAL and cards >= ADMIRAL_CARDS:
        return SCOTT_COINS
    if kind == PAID_FOR_SHIPS and ships >= SHIPS_PAID_FOR:
        return COINS_FOR_SHIPS
    return 0


@with_adventure()
def begin_part(game: Record, tables: Record, cards: int) -> None:
    """Gain a crown for each innkeeper, active or not, and let all of them sell."""
    for kind in range(game.inn_used.shape[0]):
        game.inn_used[kind] = 0
    if cards >= INNKEEPER_CARDS:
        gain_crowns(game, tables, int(game.player), count(game, int(game.player), INNKEEPER))


# -- ships -------------------------------------------------------------------------------------------------------------


@compiled
def coins_beside(game: Record, tables: Record, seat: int, colour: int) -> int:
    """Additional coins that a ship of a colour brings, traded or kept (R58)."""
    coins = count_of_colour(game, tables, seat, TRADER, colour) + works_for(game, tables, seat, AS_TRADER, colour)
    if colour == ARES:
        for person in ARES_PERSONS:
            coins += count(game, seat, person)
    return coins


@with_adventure(0)
def more_coins(game: Record, tables: Record, seat: int, colour: int) -> int:
    """Coins that a traded ship brings in addition to its own and those of traders."""
    traders = count_of_colour(game, tables, seat, TRADER, colour)
    return more_for_ship(game, tables) + coins_beside(game, tables, seat, colour) - traders


@with_adventure()
def crowns_of_trade(game: Record, tables: Record, seat: int, kind: int) -> None:
    """Crowns of a traded ship, and of a character."""
    gain_crowns(game, tables, seat, tables.ship_crowns[kind] + crowns_for_ship(game, tables, seat, tables.colour[kind]))


@with_adventure(True)
def can_pay_fee(game: Record, tables: Record, colour: int, fee: int) -> bool:
    """Whether the fee of a trade can be paid, if necessary from the ship's coins, of which there may be none."""
    seat, kind = int(game.player), int(game.harbour_ship[colour])
    if kind == NOTHING or game.purse[seat] >= fee:
        return True
    return tables.coins[kind] + more_for_ship(game, tables) + coins_beside(game, tables, seat, colour) > 0


@compiled
def may_keep(game: Record, tables: Record, colour: int, fee: int) -> bool:
    """Whether a ship with an item can be kept: the fee is paid, if necessary from the coins of traders."""
    kind = int(game.harbour_ship[colour])
    if kind == NOTHING or game.takes == 0 or tables.ship_item[kind] == NO_ITEM:
        return False
    seat = int(game.player)
    return game.purse[seat] >= fee or (coins_beside(game, tables, seat, colour) > 0 and cards_to_draw(game) > 0)


@compiled
def keep(game: Record, tables: Record, kind: int) -> None:
    """Put a ship from the harbour into the display; traders and characters pay."""
    seat, colour = int(game.player), int(tables.colour[kind])
    game.items[seat, kind - first_ship(game, tables)] += 1
    gain_coins(game, seat, coins_beside(game, tables, seat, colour))
    gain_crowns(game, tables, seat, crowns_for_ship(game, tables, seat, colour))


# -- innkeepers --------------------------------------------------------------------------------------------------------


@compiled
def may_sell(game: Record, tables: Record, which: int) -> bool:
    """Whether an innkeeper can buy: each once in the player's own part (R57)."""
    seat = int(game.player)
    return _dearest(game, tables, seat) != NOTHING and count_item(game, tables, seat, SOLD[which]) > 0


@compiled
def sell(game: Record, tables: Record, which: int) -> None:
    """Sell a bread or a rum to the innkeeper who pays most."""
    seat = int(game.player)
    kind = _dearest(game, tables, seat)
    game.inn_used[kind] += 1
    discard_item(game, tables, seat, SOLD[which])
    gain_coins(game, seat, int(tables.sell_price[kind]))


@compiled
def _dearest(game: Record, tables: Record, seat: int) -> int:
    best = NOTHING
    for kind in range(game.inn_used.shape[0]):
        if tables.ability[kind] == INNKEEPER and game.display[seat, kind] > game.inn_used[kind]:
            if best == NOTHING or tables.sell_price[kind] > tables.sell_price[best]:
                best = kind
    return best
