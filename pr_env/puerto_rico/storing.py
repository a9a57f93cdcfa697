"""Storing, the end of the captain's phase: what does not fit goes back to the supply. The warehouses work here.

Each player may keep one single barrel, and all barrels of one kind for each place in a warehouse. Who can keep
everything does. Who cannot goes through their goods in the order of the table and answers "how many of these?": none,
one, or all. Every outcome has exactly one sequence of answers: a single barrel that is all there is of its kind counts
as all, and no warehouse has to be named.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, works
from pr_env.puerto_rico.state import STORE_PHASE
from pr_env.puerto_rico.tables import (
    LARGE_WAREHOUSE,
    NOTHING,
    NUM_GOODS,
    NUM_SHIPS,
    SHIP_CAPACITY,
    SMALL_WAREHOUSE,
)
from pr_env.puerto_rico.turns import end_phase, pass_turn


@compiled
def begin(game: GameRecord) -> None:
    """The picker stores first."""
    game.player = game.picker
    _begin_turn(game)
    _next_question(game)


@compiled
def warehouse_kinds(game: GameRecord, player: int) -> int:
    """Kinds of goods that the warehouses keep whole: 1 the small one, 2 the large one."""
    kinds = 0
    if works(game, player, SMALL_WAREHOUSE):
        kinds += 1
    if works(game, player, LARGE_WAREHOUSE):
        kinds += 2
    return kinds


@compiled
def everything_fits(game: GameRecord, player: int) -> bool:
    """Whether the warehouses take all kinds but at most one, and that one is a single barrel."""
    kinds = 0
    single_barrels = 0
    for good in range(NUM_GOODS):
        if game.goods[player, good] > 0:
            kinds += 1
        if game.goods[player, good] == 1:
            single_barrels += 1
    places = warehouse_kinds(game, player)
    return kinds <= places or (kinds == places + 1 and single_barrels > 0)


@compiled
def _begin_turn(game: GameRecord) -> None:
    """All places are free. Who can keep everything is asked about no good."""
    game.store_kinds = warehouse_kinds(game, game.player)
    game.store_single = 1
    game.store_places = game.store_kinds + 1
    game.store_good = NUM_GOODS if everything_fits(game, game.player) else 0


@compiled
def may_keep_one(game: GameRecord) -> bool:
    """Keep a single barrel out of several."""
    return game.goods[game.player, game.store_good] > 1 and game.store_single > 0 and game.store_places > 0


@compiled
def may_keep_all(game: GameRecord) -> bool:
    """Keep all barrels: several need a warehouse, a lone one any place."""
    return game.store_places > 0 and (game.goods[game.player, game.store_good] == 1 or game.store_kinds > 0)


@compiled
def keep_none(game: GameRecord) -> None:
    """All barrels of this good go back."""
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
    """Go on to the next good that the player has, and from player to player; after the last one the phase ends."""
    while True:
        while game.store_good < NUM_GOODS:
            if game.goods[game.player, game.store_good] > 0:
                game.phase = STORE_PHASE
                return
            game.store_good += 1
        if not pass_turn(game):
            break
        _begin_turn(game)
    game.store_good = 0
    game.store_kinds = 0
    game.store_single = 0
    game.store_places = 0
    _empty_full_ships(game)
    end_phase(game)


@compiled
def _empty_full_ships(game: GameRecord) -> None:
    for ship in range(NUM_SHIPS):
        if game.ship_good[ship] != NOTHING and game.ship_barrels[ship] == SHIP_CAPACITY[game.players, ship]:
            game.goods_supply[game.ship_good[ship]] += game.ship_barrels[ship]
            game.ship_good[ship] = NOTHING
            game.ship_barrels[ship] = 0
