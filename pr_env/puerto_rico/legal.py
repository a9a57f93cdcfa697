"""The mask: which actions the acting player may choose from, phase by phase."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import builder, captain, craftsman, extended_legal, mayor, settler, storing, trader, turns
from pr_env.puerto_rico.actions import (
    BUILD,
    DRAW_TILE,
    LOAD,
    PASS,
    PICK,
    PLACE,
    SELL,
    SETTLE,
    STORE_ALL,
    STORE_NONE,
    STORE_ONE,
    TAKE_COLONIST,
    TAKE_GOOD,
    WHARF_LOAD,
)
from pr_env.puerto_rico.boards import GameRecord, allow, free_city_spaces, island_is_full, num_buildings
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    HACIENDA_PHASE,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    MAYOR_PRIVILEGE,
    PICK_ROLE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    UNIVERSITY_PHASE,
)
from pr_env.puerto_rico.tables import NUM_BASE_ROLES, NUM_GOODS, NUM_SHIPS, QUARRY


@compiled
def list_legal(game: GameRecord) -> int:
    """Write ``game.legal`` for the question of the phase; returns the number of legal actions."""
    for action in range(game.legal.shape[0]):
        game.legal[action] = 0
    phase = game.phase
    if phase == PICK_ROLE:
        return _list_roles(game)
    if phase == SETTLER_PHASE:
        return _list_tiles(game)
    if phase == MAYOR_PHASE:
        return _list_placements(game)
    if phase == BUILDER_PHASE:
        return _list_buildings(game)
    if phase == CRAFTSMAN_PRIVILEGE:
        return _list_extra_goods(game)
    if phase == TRADER_PHASE:
        return _list_sales(game)
    if phase == CAPTAIN_PHASE:
        return _list_loads(game)
    if phase == STORE_PHASE:
        return _list_storing(game)
    if phase == HACIENDA_PHASE:
        return allow(game, PASS, True) + allow(game, DRAW_TILE, True)
    if phase in (HOSPICE_PHASE, UNIVERSITY_PHASE, MAYOR_PRIVILEGE):
        return allow(game, PASS, True) + allow(game, TAKE_COLONIST, True)
    return extended_legal.list_legal(game)  # or none: the game is over


@compiled
def _list_roles(game: GameRecord) -> int:
    count = 0
    for role in range(NUM_BASE_ROLES):
        count += allow(game, PICK + role, turns.may_pick(game, role))
    return count + extended_legal.list_roles(game)


@compiled
def _list_tiles(game: GameRecord) -> int:
    """With a full island there is nothing to take, but the phase goes on for the others."""
    count = allow(game, PASS, True)
    if island_is_full(game, game.player):
        return count
    for plantation in range(NUM_GOODS):
        count += allow(game, SETTLE + plantation, game.face_up[plantation] > 0)
    count += allow(game, SETTLE + QUARRY, settler.may_take_quarry(game, game.player))
    return count + extended_legal.list_forest(game)


@compiled
def _list_placements(game: GameRecord) -> int:
    circles = mayor.circles_of(game, game.player, game.circle_kind)
    fewest = mayor.fewest_here(game, circles)
    most = mayor.most_here(game, circles)
    for colonists in range(fewest, most + 1):
        game.legal[PLACE + colonists] = 1
    return most - fewest + 1


@compiled
def _list_buildings(game: GameRecord) -> int:
    count = allow(game, PASS, True)
    player = game.player
    free_spaces = free_city_spaces(game, player)
    for building in range(num_buildings(game)):
        count += allow(game, BUILD + building, builder.may_build(game, player, building, free_spaces))
    return count


@compiled
def _list_extra_goods(game: GameRecord) -> int:
    count = allow(game, PASS, True)
    for good in range(NUM_GOODS):
        count += allow(game, TAKE_GOOD + good, craftsman.may_take(game, good))
    return count


@compiled
def _list_sales(game: GameRecord) -> int:
    count = allow(game, PASS, True)
    for good in range(NUM_GOODS):
        count += allow(game, SELL + good, trader.may_sell(game, game.player, good))
    return count + extended_legal.list_sales_to_post(game)


@compiled
def _list_loads(game: GameRecord) -> int:
    """A player who can load a ship must load; only one who cannot may pass. The wharf may be used instead of a ship."""
    count = 0
    player = game.player
    for good in range(NUM_GOODS):
        for ship in range(NUM_SHIPS):
            count += allow(game, LOAD + good * NUM_SHIPS + ship, captain.may_load(game, player, good, ship))
    count += allow(game, PASS, count == 0)
    if captain.may_use_wharf(game, player):
        for good in range(NUM_GOODS):
            count += allow(game, WHARF_LOAD + good, game.goods[player, good] > 0)
    return count + extended_legal.list_small_wharf(game)


@compiled
def _list_storing(game: GameRecord) -> int:
    if storing.has_storehouse(game, game.player):
        return extended_legal.list_storehouse(game)
    count = allow(game, STORE_NONE, True)
    count += allow(game, STORE_ONE, storing.may_keep_one(game))
    return count + allow(game, STORE_ALL, storing.may_keep_all(game))
