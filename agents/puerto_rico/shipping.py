"""What to load on which ship, when to use the wharf, and what to store."""

from __future__ import annotations

import numpy as np

from agents.puerto_rico.outlook import PlanRecord, doubloon_worth, time_left
from agents.puerto_rico.trading import barrel_in_hand
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import (
    KEEP,
    LOAD,
    PASS,
    SHIP,
    SMALL_WHARF_LOAD,
    STORE_ALL,
    STORE_NONE,
    STORE_ONE,
    WHARF_LOAD,
)
from pr_env.puerto_rico.boards import GameRecord, barrels_of, works
from pr_env.puerto_rico.captain import fewest_to_ship, may_load, may_use_small_wharf, may_use_wharf, room
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.storing import (
    LOOSE_BARRELS,
    everything_fits,
    has_storehouse,
    may_keep,
    may_keep_all,
    may_keep_one,
)
from pr_env.puerto_rico.tables import HARBOR, LIGHTHOUSE, NOTHING, NUM_GOODS, NUM_SHIPS, PRICE, UNION_HALL


@compiled
def choose_load(game: GameRecord, plan: PlanRecord) -> int:
    """The load with the most points; ties go to cheap goods, and to ships that others would like to use.

    The wharf is used once no ship takes anything: unlike space on a ship, it is not lost by waiting.
    """
    player = game.player
    best, choice = -1.0, PASS
    for good in range(NUM_GOODS):
        for ship in range(NUM_SHIPS):
            if may_load(game, player, good, ship):
                barrels = min(game.goods[player, good], room(game, ship))
                score = barrels - 0.1 * PRICE[good] + plan.urgency * _lost_by_waiting(game, player, good, ship)
                if game.ship_good[ship] == NOTHING:
                    score += 0.2 - 0.01 * room(game, ship)
                if score > best:
                    best, choice = score, LOAD + good * NUM_SHIPS + ship
    if choice != PASS:
        return choice
    if not may_use_wharf(game, player):
        return _choose_small_wharf(game)
    best = 0.0
    for good in range(NUM_GOODS):
        barrels = game.goods[player, good]
        if barrels > 0:
            score = barrels + (1 if works(game, player, HARBOR) else 0) - barrel_in_hand(game, plan, player, good, 0)
            if score > best:
                best, choice = score, WHARF_LOAD + good
    return choice if choice != PASS else _choose_small_wharf(game)


@extension(otherwise=PASS)
def _choose_small_wharf(game: GameRecord) -> int:
    """The last resort: half a point each for barrels that no ship takes and no warehouse keeps."""
    player = game.player
    if not may_use_small_wharf(game, player) or barrels_of(game, player) < 2:
        return PASS
    extra = works(game, player, HARBOR) or works(game, player, LIGHTHOUSE)
    return SMALL_WHARF_LOAD if extra or not everything_fits(game, player) or game.ending != 0 else PASS


@extension(otherwise=PASS)
def choose_shipment(game: GameRecord, plan: PlanRecord) -> int:
    """Small wharf: ship everything; if the number of barrels is odd, keep the most valuable one."""
    player, good = game.player, game.wharf_good
    barrels = int(game.goods[player, good])
    if barrels_of(game, player) % 2 == 1:
        best = 0.0
        kept = NOTHING
        for other in range(NUM_GOODS):
            if game.goods[player, other] > 0:
                worth = barrel_in_hand(game, plan, player, other, 0)
                if worth > best:
                    best, kept = worth, other
        if kept == good:
            barrels -= 1
    return int(SHIP + max(fewest_to_ship(game), barrels))


@compiled
def _lost_by_waiting(game: GameRecord, player: int, good: int, ship: int) -> int:
    """The player's barrels that would no longer fit if all others loaded the same good first."""
    others = 0
    for other in range(game.players):
        if other != player:
            others += game.goods[other, good]
    here = min(game.goods[player, good], room(game, ship))
    return int(min(here, max(0, here + others - room(game, ship))))


@compiled
def choose_storing(game: GameRecord, plan: PlanRecord) -> int:
    """Warehouses for the most valuable piles, the single storage space for the best remaining barrel."""
    if has_storehouse(game, game.player):
        return _choose_storing_with_storehouse(game, plan)
    player = game.player
    good = game.store_good
    mine = _pile_worth(game, plan, player, good)
    single = barrel_in_hand(game, plan, player, good, 0)
    better_piles, better_singles = 0, 0
    for later in range(good + 1, NUM_GOODS):
        if game.goods[player, later] > 0:
            if _pile_worth(game, plan, player, later) > mine:
                better_piles += 1
            if barrel_in_hand(game, plan, player, later, 0) >= single:
                better_singles += 1
    if may_keep_all(game):
        if game.store_kinds > better_piles:
            return STORE_ALL
        if game.goods[player, good] == 1 and game.store_places > better_singles:
            return STORE_ALL
    if may_keep_one(game) and game.store_places > better_singles:
        return STORE_ONE
    return STORE_NONE


@extension(otherwise=STORE_NONE)
def _choose_storing_with_storehouse(game: GameRecord, plan: PlanRecord) -> int:
    """The number of barrels to keep, leaving space for more valuable barrels of later goods."""
    player, good = game.player, game.store_good
    each = barrel_in_hand(game, plan, player, good, 0)
    better = 0
    for later in range(good + 1, NUM_GOODS):
        if barrel_in_hand(game, plan, player, later, 0) > each:
            better += int(game.goods[player, later])
    barrels = int(game.goods[player, good])
    if may_keep(game, barrels) and (better == 0 or barrels + better <= LOOSE_BARRELS):
        return STORE_ALL
    kept = min(barrels, max(0, LOOSE_BARRELS - better))
    while kept > 0 and not may_keep(game, kept):
        kept -= 1
    if kept == 0:
        return STORE_NONE
    if kept == barrels:
        return STORE_ALL
    return STORE_ONE if kept == 1 else KEEP + kept


@compiled
def _pile_worth(game: GameRecord, plan: PlanRecord, player: int, good: int) -> float:
    """The value of all barrels of a kind."""
    return float(barrel_in_hand(game, plan, player, good, 0) + (game.goods[player, good] - 1) * plan.barrel[good])


@compiled
def captain_gains(game: GameRecord, plan: PlanRecord, gains: np.ndarray) -> None:
    """The gain of each player from a captain phase by game.picker: points, less the later value of the barrels.

    A quick approximation: all players in turn load what gives most points; wharfs take the largest remaining pile.
    """
    goods = np.zeros((game.players, NUM_GOODS), np.int64)
    ship_good = np.zeros(NUM_SHIPS, np.int64)
    free = np.zeros(NUM_SHIPS, np.int64)
    for ship in range(NUM_SHIPS):
        ship_good[ship] = game.ship_good[ship]
        free[ship] = room(game, ship)
    for player in range(game.players):
        gains[player] = 0.0
        for good in range(NUM_GOODS):
            goods[player, good] = game.goods[player, good]
    idle, player, bonus = 0, game.picker, 1
    while idle < game.players:
        best, best_good, best_ship = 0, 0, 0
        for good in range(NUM_GOODS):
            if goods[player, good] == 0:
                continue
            ship = _ship_for(ship_good, free, good, goods[player, good])
            if ship != NOTHING and min(goods[player, good], free[ship]) > best:
                best, best_good, best_ship = min(goods[player, good], free[ship]), good, ship
        if best == 0:
            idle += 1
        else:
            idle = 0
            goods[player, best_good] -= best
            free[best_ship] -= best
            ship_good[best_ship] = best_good
            gains[player] += best
            if works(game, player, HARBOR):
                gains[player] += 1
            if player == game.picker:
                gains[player] += bonus
                bonus = 0
        player = player + 1 if player + 1 < game.players else 0
    for player in range(game.players):
        gains[player] += _from_other_buildings(game, plan, player)
        _rest_of_pile(game, plan, player, goods, gains)


@extension(otherwise=0.0)
def _from_other_buildings(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """The gain from lighthouse (money per load, about one of each kind) and union hall (points before the first)."""
    worth = 0.0
    if works(game, player, LIGHTHOUSE):
        loads = 1 if player == game.picker else 0
        for good in range(NUM_GOODS):
            loads += game.goods[player, good] > 0
        worth += loads * doubloon_worth(game, plan, time_left(game))
    if works(game, player, UNION_HALL):
        for good in range(NUM_GOODS):
            worth += game.goods[player, good] // 2
    return worth


@compiled
def _rest_of_pile(game: GameRecord, plan: PlanRecord, player: int, goods: np.ndarray, gains: np.ndarray) -> None:
    """After the ships: the wharf takes the largest pile; shipped barrels are missing later."""
    largest = 0
    for good in range(NUM_GOODS):
        if goods[player, good] > goods[player, largest]:
            largest = good
    if goods[player, largest] > 0 and may_use_wharf(game, player):
        gains[player] += goods[player, largest] + (1 if works(game, player, HARBOR) else 0)
        goods[player, largest] = 0
    stored = False
    for good in range(NUM_GOODS):
        gone = game.goods[player, good] - goods[player, good]
        if goods[player, good] > 0 and not stored:
            gone += goods[player, good] - 1
            stored = True
        else:
            gone += goods[player, good]
        gains[player] -= plan.held * plan.barrel[good] * gone


@compiled
def _ship_for(ship_good: np.ndarray, free: np.ndarray, good: int, barrels: int) -> int:
    """The ship for a good, or NOTHING: the one that already has it, else the empty one that takes most."""
    best, choice = 0, NOTHING
    for ship in range(NUM_SHIPS):
        if ship_good[ship] == good:
            return ship if free[ship] > 0 else NOTHING
        if ship_good[ship] == NOTHING and min(free[ship], barrels) > best:
            best, choice = min(free[ship], barrels), ship
    return choice
