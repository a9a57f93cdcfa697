"""Evaluation of a position for a player: the points so far, and the expected value of everything on the board."""

from __future__ import annotations

from agents.puerto_rico.outlook import (
    MAKES,
    QUARRY_SHARES,
    TIE_BREAK,
    PlanRecord,
    can_be_manned,
    doubloon_worth,
    time_left,
)
from agents.puerto_rico.placing import barrel_worth, bonus_of
from agents.puerto_rico.settling import plant_circles
from agents.puerto_rico.trading import barrel_in_hand
from agents.puerto_rico.uses import use_of
from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, barrels_of, colonists_of
from pr_env.puerto_rico.craftsman import capacity
from pr_env.puerto_rico.scoring import total_points
from pr_env.puerto_rico.state import GAME_OVER
from pr_env.puerto_rico.tables import CORN, NOTHING, NUM_GOODS, QUARRY, SPACES

UNMANNED = 0.7  # share of its value that an unmanned plantation or building has


@compiled
def standing(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """The points that the player can expect at the end of the game."""
    points = float(total_points(game, player))
    if game.phase == GAME_OVER:
        return points + TIE_BREAK * float(game.doubloons[player] + barrels_of(game, player))
    left = time_left(game)
    points += doubloon_worth(game, plan, left) * float(game.doubloons[player])
    points += float(plan.colonist) * left * float(colonists_of(game, player))
    return points + _barrels(game, plan, player) + _island(game, plan, player, left) + _city(game, plan, player, left)


@compiled
def _barrels(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """The value of the barrels in hand, to be sold or shipped."""
    worth = 0.0
    for good in range(NUM_GOODS):
        for already in range(game.goods[player, good]):
            worth += barrel_in_hand(game, plan, player, good, already)
    return worth


@compiled
def _island(game: GameRecord, plan: PlanRecord, player: int, left: float) -> float:
    """The value of plantations, with their production buildings, and of quarries."""
    worth = 0.0
    for good in range(NUM_GOODS):
        tiles = int(game.tiles[player, good])
        circles = tiles if good == CORN else plant_circles(game, player, good)
        manned = int(capacity(game, player, good))
        for already in range(min(tiles, circles)):
            each = barrel_worth(plan, good, already)
            worth += each if already < manned else UNMANNED * each
        worth += 0.6 * plan.unprocessed * plan.barrel[good] * max(0, tiles - circles)
        worth += plan.spare_circle * plan.barrel[good] * max(0, circles - tiles)
    worth *= plan.harvests
    for quarry in range(game.tiles[player, QUARRY]):
        each = plan.quarry * QUARRY_SHARES[quarry]
        worth += each if quarry < game.tile_colonists[player, QUARRY] else UNMANNED * each
    return float(worth * left)


@compiled
def _city(game: GameRecord, plan: PlanRecord, player: int, left: float) -> float:
    """The value of violet buildings, and the bonus of unmanned large ones."""
    worth = 0.0
    for place in range(game.built_count[player]):
        building = int(game.built[player, place])
        if MAKES[building] != NOTHING:
            continue
        manned = game.city[player, building] > 0
        worth += use_of(game, plan, player, building) * left * (1.0 if manned else UNMANNED)
        if SPACES[building] > 1 and not manned and can_be_manned(game):
            worth += UNMANNED * bonus_of(game, player, building)
    return worth
