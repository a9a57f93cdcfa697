"""Which building to build."""

from __future__ import annotations

from agents.puerto_rico.outlook import MAKES, PlanRecord, can_be_manned, lead, price_worth, time_left
from agents.puerto_rico.placing import bonus_of
from agents.puerto_rico.settling import plant_circles
from agents.puerto_rico.uses import use_of
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import BUILD, PASS
from pr_env.puerto_rico.boards import GameRecord, free_city_spaces, num_buildings, works
from pr_env.puerto_rico.builder import may_build, price
from pr_env.puerto_rico.tables import (
    CIRCLES,
    CITY_HALL,
    NOTHING,
    PRINTED_POINTS,
    SPACES,
    UNIVERSITY,
)


@compiled
def building_worth(game: GameRecord, plan: PlanRecord, player: int, building: int, left: float) -> float:
    """The value of a building to the player, apart from its price."""
    worth = plan.points * PRINTED_POINTS[building]
    good = MAKES[building]
    if good != NOTHING:
        circles = plant_circles(game, player, good)
        waiting = max(0, game.tiles[player, good] - circles)
        now = min(CIRCLES[building], waiting)
        later = CIRCLES[building] - now
        each = plan.barrel[good] * (now + plan.spare_circle * later)
        if circles == 0 and now > 0:
            each += plan.first_barrel[good] - plan.barrel[good]
        worth += each * plan.harvests * left
    else:
        worth += use_of(game, plan, player, building) * left
    if SPACES[building] > 1 and (can_be_manned(game) or works(game, player, UNIVERSITY)):
        worth += plan.points * (bonus_of(game, player, building) + (1 if building == CITY_HALL else 0))
    return float(worth)


@compiled
def build_gain(
    game: GameRecord, plan: PlanRecord, player: int, building: int, left: float, doubloon: float, spaces: int
) -> float:
    """The value of a building beyond its price and its space in the city."""
    gain = building_worth(game, plan, player, building, left) - doubloon * price(game, player, building)
    free = spaces - SPACES[building]
    if free == 0 and game.ending == 0 and player == game.player:
        gain += plan.finish * lead(game)
    elif SPACES[building] == 1 and free < 6:
        gain -= plan.space
    return float(gain)


@compiled
def best_building(game: GameRecord, plan: PlanRecord, player: int) -> int:
    """The building that the player would build now; PASS if none is worth its price."""
    left = time_left(game)
    doubloon = price_worth(game, plan, left)
    spaces = free_city_spaces(game, player)
    best, choice = 0.0, PASS
    for building in range(num_buildings(game)):
        if may_build(game, player, building, spaces):
            gain = build_gain(game, plan, player, building, left, doubloon, spaces)
            if gain > best:
                best, choice = gain, BUILD + building
    return choice


@compiled
def builder_gain(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """The gain of the player from the builder phase, with game.picker as the builder."""
    left = time_left(game)
    doubloon = price_worth(game, plan, left)
    spaces = free_city_spaces(game, player)
    best = 0.0
    for building in range(num_buildings(game)):
        if may_build(game, player, building, spaces):
            best = max(best, build_gain(game, plan, player, building, left, doubloon, spaces))
    return best
