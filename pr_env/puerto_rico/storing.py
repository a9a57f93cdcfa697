"""Storing, the end of the captain's phase: what does not fit goes back to the supply.

The warehouses work here; of Expansion I the storehouse.

Each player may keep one single barrel, and all barrels of one kind for each place in a warehouse. A player who can keep
everything does so. A player who cannot goes through their goods in table order and answers "how many of these?": none,
one, or all. Every outcome has exactly one sequence of answers: a lone barrel of its kind counts as all, and no
warehouse has to be named.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import guests
from pr_env.puerto_rico.boards import GameRecord, table_row, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import STORE_PHASE
from pr_env.puerto_rico.tables import (
    LARGE_WAREHOUSE,
    NOTHING,
    NUM_GOODS,
    NUM_SHIPS,
    SHIP_CAPACITY,
    SMALL_WAREHOUSE,
    STOREHOUSE,
)
from pr_env.puerto_rico.turns import end_phase, pass_turn


@compiled
def begin(game: GameRecord) -> None:
    """The picker stores first."""
    game.player = game.picker
    if not guests.ask_before_storing(game):
        begin_turn(game)


@compiled
def begin_turn(game: GameRecord) -> None:
    """The player stores, then the others."""
    _open_places(game)
    _next_question(game)


@compiled
def warehouse_kinds(game: GameRecord, player: int) -> int:
    """Kinds of goods of which the warehouses keep all barrels: 1 with the small one, 2 with the large one."""
    kinds = 0
    if works(game, player, SMALL_WAREHOUSE):
        kinds += 1
    if works(game, player, LARGE_WAREHOUSE):
        kinds += 2
    return kinds


@compiled
def everything_fits(game: GameRecord, player: int) -> bool:
    """Whether the warehouses take all kinds except at most one, of which there is only a single barrel."""
    kinds = 0
    single_barrels = 0
    for good in range(NUM_GOODS):
        if game.goods[player, good] > 0:
            kinds += 1
        if game.goods[player, good] == 1:
            single_barrels += 1
    places = warehouse_kinds(game, player)
    fits = kinds <= places or (kinds == places + 1 and single_barrels > 0)
    return fits or _everything_fits_into_storehouse(game, player)


@compiled
def _open_places(game: GameRecord) -> None:
    """Open all places. A player who can keep everything is not asked."""
    game.store_kinds = warehouse_kinds(game, game.player)
    game.store_single = 1
    game.store_places = game.store_kinds + 1
    game.store_good = NUM_GOODS if everything_fits(game, game.player) else 0


@compiled
def may_keep_one(game: GameRecord) -> bool:
    """Whether a single barrel out of several can be kept."""
    return game.goods[game.player, game.store_good] > 1 and game.store_single > 0 and game.store_places > 0


@compiled
def may_keep_all(game: GameRecord) -> bool:
    """Whether all barrels can be kept: several need a warehouse, a lone one any place."""
    return game.store_places > 0 and (game.goods[game.player, game.store_good] == 1 or game.store_kinds > 0)


@compiled
def keep_none(game: GameRecord) -> None:
    """All barrels of this good go back to the supply."""
    _give_back(game, 0)


@compiled
def keep_one(game: GameRecord) -> None:
    """This good is the single barrel."""
    game.store_single -= 1
    game.store_places -= 1
    _give_back(game, 1)


@compiled
def keep_all(game: GameRecord) -> None:
    """A place for all barrels of this good."""
    barrels = game.goods[game.player, game.store_good]
    if barrels > 1:
        game.store_kinds -= 1
    game.store_places -= 1
    _give_back(game, barrels)


@compiled
def _give_back(game: GameRecord, kept: int) -> None:
    good = game.store_good
    game.goods_supply[good] += game.goods[game.player, good] - kept
    game.goods[game.player, good] = kept
    game.store_good += 1
    _next_question(game)


@compiled
def _next_question(game: GameRecord) -> None:
    """Go on to the player's next good, player by player; after the last player, the phase ends."""
    while True:
        while game.store_good < NUM_GOODS:
            if game.goods[game.player, game.store_good] > 0:
                game.phase = STORE_PHASE
                return
            game.store_good += 1
        _close_storehouse(game)
        if not pass_turn(game):
            break
        if guests.ask_before_storing(game):
            _close_places(game)
            return
        _open_places(game)
    _close_places(game)
    _empty_full_ships(game)
    end_phase(game)


@compiled
def _close_places(game: GameRecord) -> None:
    """No storing is unfinished."""
    game.store_good = 0
    game.store_kinds = 0
    game.store_single = 0
    game.store_places = 0


@compiled
def _empty_full_ships(game: GameRecord) -> None:
    for ship in range(NUM_SHIPS):
        if game.ship_good[ship] != NOTHING and game.ship_barrels[ship] == SHIP_CAPACITY[table_row(game), ship]:
            game.goods_supply[game.ship_good[ship]] += game.ship_barrels[ship]
            game.ship_good[ship] = NOTHING
            game.ship_barrels[ship] = 0


# -- Expansion I: the storehouse keeps three more barrels of any kinds -------------------------------------------------

LOOSE_BARRELS = 4  # the single barrel that everybody may keep, and the storehouse's three


@extension(otherwise=False)
def has_storehouse(game: GameRecord, player: int) -> bool:
    """Whether the player stores with a storehouse."""
    return works(game, player, STOREHOUSE)


@compiled
def _loose_barrels(game: GameRecord, player: int, good_asked: int, kept: int) -> int:
    """Barrels outside of warehouses if this many of the good asked about are kept, and none of later goods.

    A warehouse takes only all barrels of a kind; the largest kinds that are kept completely are there.
    """
    loose = 0
    stored = 0  # bits: goods in warehouses
    for good in range(good_asked):
        loose += game.goods[player, good]
    loose += kept
    for _ in range(warehouse_kinds(game, player)):
        largest = NOTHING
        most = 0
        for good in range(good_asked + 1):
            barrels = kept if good == good_asked else 0 + game.goods[player, good]
            whole = barrels == game.goods[player, good] if good == good_asked else game.kept_whole[good] == 1
            if whole and (stored >> good) & 1 == 0 and barrels > most:
                largest = good
                most = barrels
        if largest != NOTHING:
            stored |= 1 << largest
            loose -= most
    return loose


@compiled
def may_keep(game: GameRecord, barrels: int) -> bool:
    """With a storehouse: whether this many barrels of this good can be kept in addition to those already kept."""
    if barrels > game.goods[game.player, game.store_good]:
        return False
    return _loose_barrels(game, game.player, game.store_good, barrels) <= LOOSE_BARRELS


@compiled
def keep(game: GameRecord, barrels: int) -> None:
    """With a storehouse: keep this many barrels of this good."""
    game.kept_whole[game.store_good] = barrels == game.goods[game.player, game.store_good]
    _give_back(game, barrels)


@extension(otherwise=False)
def _everything_fits_into_storehouse(game: GameRecord, player: int) -> bool:
    if not works(game, player, STOREHOUSE):
        return False
    for good in range(NUM_GOODS):
        game.kept_whole[good] = 1
    last = NUM_GOODS - 1
    fits = _loose_barrels(game, player, last, 0 + game.goods[player, last]) <= LOOSE_BARRELS
    for good in range(NUM_GOODS):
        game.kept_whole[good] = 0
    return fits


@extension()
def _close_storehouse(game: GameRecord) -> None:
    for good in range(NUM_GOODS):
        game.kept_whole[good] = 0
