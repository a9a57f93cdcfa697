"""Single colonists of the extended game: where guests go to work, and which colonist pays at the black market."""

from __future__ import annotations

import numpy as np

from agents.puerto_rico.outlook import MAKES, PlanRecord, doubloon_worth, time_left
from agents.puerto_rico.placing import barrel_worth, bonus_of, circle_worth
from agents.puerto_rico.trading import barrel_in_hand
from agents.puerto_rico.uses import use_of
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import MOVE_GUEST, PASS, PAY_BARREL, PAY_COLONIST
from pr_env.puerto_rico.black_market import SAN_JUAN, may_keep_barrel, may_keep_colonist, may_pay_colonist_from
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.guests import NUM_PLACES, may_go_to
from pr_env.puerto_rico.state import GAME_OVER, START_OF_ROLE
from pr_env.puerto_rico.tables import (
    BUILDER,
    BUILDING_NAMES,
    CAPTAIN,
    CORN,
    CRAFTSMAN,
    NO_ROLE,
    NOTHING,
    NUM_GOODS,
    NUM_TILES,
    QUARRY,
    SETTLER,
    TRADER,
)

# The role in which a building takes effect: a guest goes there when the phase starts.
ACTS_IN = np.full(len(BUILDING_NAMES), NO_ROLE, np.int64)
for _role, _names in {
    SETTLER: ("hacienda", "construction_hut", "hospice", "forest_house"),
    BUILDER: ("university", "black_market", "church"),
    CRAFTSMAN: ("factory", "specialty_factory", "aqueduct"),
    TRADER: ("small_market", "large_market", "office", "trading_post"),
    CAPTAIN: (
        "small_warehouse",
        "large_warehouse",
        "storehouse",
        "harbor",
        "wharf",
        "small_wharf",
        "lighthouse",
        "union_hall",
    ),
}.items():
    for _name in _names:
        ACTS_IN[BUILDING_NAMES.index(_name)] = _role

USED_NOW = 0.25  # share of a building's value over a whole game that one phase has
WORTH_MOVING = 0.4  # a guest that has gone to work is not a guest again until the next mayor


@extension(otherwise=PASS)
def choose_guest(game: GameRecord, plan: PlanRecord) -> int:
    """The most valuable place for the next guest in this phase; none if the value is low."""
    best, choice = WORTH_MOVING, PASS
    if game.after_guests == GAME_OVER:
        best = 0.0
    for place in range(game.guest_from, NUM_PLACES):
        if may_go_to(game, game.player, place, int(game.after_guests)):
            worth = _worth_now(game, plan, place)
            if worth > best:
                best, choice = worth, MOVE_GUEST + place
    return choice


@compiled
def _worth_now(game: GameRecord, plan: PlanRecord, place: int) -> float:
    """The value of a guest at a place in the current phase."""
    player = game.player
    left = time_left(game)
    if place == QUARRY:
        return doubloon_worth(game, plan, left) if game.role == BUILDER else 0.0
    harvest = game.role == CRAFTSMAN and game.after_guests == START_OF_ROLE
    good = place if place < NUM_TILES else int(MAKES[place - NUM_TILES])
    if good != NOTHING:
        if not harvest or not _completes(game, player, good, place < NUM_TILES):
            return 0.0
        return barrel_worth(plan, good, int(min(game.tile_colonists[player, good], _in_plants(game, player, good))))
    building = place - NUM_TILES
    if game.city[player, building] > 0:  # one colonist is enough
        return 0.0
    bonus = bonus_of(game, player, building)
    if bonus > 0:
        return float(plan.points * bonus * (1.0 - left) ** 2)
    if ACTS_IN[building] == game.role:
        return USED_NOW * use_of(game, plan, player, building)
    return 0.0


@compiled
def _in_plants(game: GameRecord, player: int, good: int) -> int:
    """The number of colonists in the player's production buildings for a good."""
    inside = 0
    for at in range(game.built_count[player]):
        building = game.built[player, at]
        if MAKES[building] == good:
            inside += game.city[player, building]
    return inside


@compiled
def _completes(game: GameRecord, player: int, good: int, on_tile: bool) -> bool:
    """Whether one more colonist, on a tile or in a production building, produces one more barrel."""
    if good == CORN:
        return True
    on_tiles, in_plants = game.tile_colonists[player, good], _in_plants(game, player, good)
    return bool(on_tiles < in_plants) if on_tile else bool(in_plants < on_tiles)


# -- black market ------------------------------------------------------------------------------------------------------


@extension(otherwise=PASS)
def choose_colonist_to_pay(game: GameRecord, plan: PlanRecord) -> int:
    """A colonist from San Juan; else none if the other payments suffice; else the least valuable one."""
    if may_pay_colonist_from(game, SAN_JUAN):
        return PAY_COLONIST + SAN_JUAN
    if may_keep_colonist(game):
        return PASS
    best, choice = 1e9, PASS
    for place in range(NUM_PLACES):
        if may_pay_colonist_from(game, place):
            loss = _missed(game, plan, place)
            if loss < best:
                best, choice = loss, PAY_COLONIST + place
    return choice


@compiled
def _missed(game: GameRecord, plan: PlanRecord, place: int) -> float:
    """The value of the colonist at a place until the next mayor."""
    player = game.player
    left = time_left(game)
    if place == QUARRY:
        return float(plan.quarry * 0.2 * left)
    good = place if place < NUM_TILES else int(MAKES[place - NUM_TILES])
    if good == NOTHING:
        return circle_worth(game, plan, player, place - NUM_TILES, left)
    on_tiles, in_plants = 0 + game.tile_colonists[player, good], _in_plants(game, player, good)
    idle = good != CORN and (on_tiles > in_plants if place < NUM_TILES else in_plants > on_tiles)
    return 0.0 if idle else barrel_worth(plan, good, max(0, on_tiles - 1))


@extension(otherwise=PASS)
def choose_barrel_to_pay(game: GameRecord, plan: PlanRecord) -> int:
    """The least valuable barrel; none if a point suffices and is worth less."""
    best, choice = 1e9, PASS
    if may_keep_barrel(game):
        best = 1.0
    for good in range(NUM_GOODS):
        held = int(game.goods[game.player, good])
        if held > 0:
            worth = barrel_in_hand(game, plan, game.player, good, held - 1)
            if worth < best:
                best, choice = worth, PAY_BARREL + good
    return choice
