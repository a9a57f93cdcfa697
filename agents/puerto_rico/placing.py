"""Where colonists work.

The circles are filled one after the other, always those with the highest gain per colonist. A plantation and its
production building are worth nothing without each other: each of an empty pair counts half a barrel, and a circle
whose counterpart is already manned counts a whole one.
"""

from __future__ import annotations

import numpy as np

from agents.puerto_rico.outlook import MAKES, QUARRY_SHARES, PlanRecord, can_be_manned, chips_of, time_left
from agents.puerto_rico.uses import use_of
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import PLACE
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.mayor import circles_of, fewest_here, kinds_of, most_here
from pr_env.puerto_rico.scoring import (
    city_hall_points,
    cloister_points,
    fortress_points,
    guild_hall_points,
    large_church_points,
    residence_points,
)
from pr_env.puerto_rico.tables import (
    CITY_HALL,
    CITY_SPACES,
    CLOISTER,
    CORN,
    CUSTOMS_HOUSE,
    FORTRESS,
    GUILD_HALL,
    LARGE_CHURCH,
    NOTHING,
    NUM_GOODS,
    NUM_TILES,
    QUARRY,
    RESIDENCE,
)

MOST_KINDS = NUM_TILES + CITY_SPACES


@compiled
def bonus_of(game: GameRecord, player: int, building: int) -> int:
    """The points of a large building for the player if it were manned at the end of the game."""
    if building == GUILD_HALL:
        return int(guild_hall_points(game, player))
    if building == RESIDENCE:
        return int(residence_points(game, player))
    if building == FORTRESS:
        return int(fortress_points(game, player))
    if building == CUSTOMS_HOUSE:
        return int(chips_of(game, player)) // 4
    if building == CITY_HALL:
        return int(city_hall_points(game, player))
    return _bonus_of_extension(game, player, building)


@extension(otherwise=0)
def _bonus_of_extension(game: GameRecord, player: int, building: int) -> int:
    if building == CLOISTER:
        return int(cloister_points(game, player))
    if building == LARGE_CHURCH:
        return int(large_church_points(game, player))
    return 0


@compiled
def circle_worth(game: GameRecord, plan: PlanRecord, player: int, building: int, left: float) -> float:
    """The value of a colonist in a violet building until the next mayor: its use, or its bonus near the end."""
    bonus = bonus_of(game, player, int(building))
    if bonus > 0:
        return float(0.1 + plan.points * bonus * (1.0 - left) ** 2)
    return float(use_of(game, plan, player, int(building)) * 0.2)


@compiled
def barrel_worth(plan: PlanRecord, good: int, already: int) -> float:
    """The value of one more barrel of a good in each harvest, in addition to a number of barrels."""
    return float(plan.first_barrel[good] if already == 0 else plan.barrel[good])


@compiled
def arrange(
    game: GameRecord, plan: PlanRecord, player: int, colonists: int, first_kind: int, counts: np.ndarray
) -> float:
    """Distribute colonists over the player's circles from ``first_kind`` on; earlier circles stay as they are.

    Args:
        game: The game.
        plan: The weights of the strategy.
        player: The owner of the board.
        colonists: The number of colonists to distribute.
        first_kind: The first kind of circle that is still open, as in ``game.circle_kind``.
        counts: Output: the number of colonists for each kind.

    Returns:
        The value of the arrangement until the next mayor.
    """
    left = time_left(game)
    kinds = kinds_of(game, player)
    on_tiles = np.zeros(NUM_GOODS, np.int64)
    in_plants = np.zeros(NUM_GOODS, np.int64)
    tile_room = np.zeros(NUM_GOODS, np.int64)
    plant_room = np.zeros(NUM_GOODS, np.int64)
    gain = np.zeros(MOST_KINDS)  # of circles without a counterpart
    worth = 0.0
    quarries = 0
    for kind in range(kinds):
        counts[kind] = 0
        room = circles_of(game, player, kind) if kind >= first_kind else 0
        if kind < NUM_GOODS:
            on_tiles[kind] = game.tile_colonists[player, kind] if kind < first_kind else 0
            tile_room[kind] = room
        elif kind == QUARRY:
            quarries = game.tile_colonists[player, kind] if kind < first_kind else 0
        elif kind >= NUM_TILES:
            building = int(game.built[player, kind - NUM_TILES])
            inside = max(0, game.city[player, building]) if kind < first_kind else 0
            good = MAKES[building]
            if good != NOTHING:
                in_plants[good] += inside
                plant_room[good] += room
            else:
                gain[kind] = circle_worth(game, plan, player, building, left)
                if inside > 0:
                    worth += gain[kind]
    for good in range(NUM_GOODS):
        pairs = on_tiles[good] if good == CORN else min(on_tiles[good], in_plants[good])
        for already in range(pairs):
            worth += barrel_worth(plan, good, already)

    while colonists > 0:
        best, best_kind, best_good = 0.0, NOTHING, NOTHING
        for good in range(NUM_GOODS):
            if tile_room[good] + plant_room[good] == 0:
                continue
            if good == CORN or on_tiles[good] < in_plants[good]:
                each = barrel_worth(plan, good, on_tiles[good])
                possible = tile_room[good] > 0
            elif on_tiles[good] > in_plants[good]:
                each = barrel_worth(plan, good, in_plants[good])
                possible = plant_room[good] > 0
            else:
                each = barrel_worth(plan, good, on_tiles[good]) * 0.5
                possible = tile_room[good] > 0 and plant_room[good] > 0 and colonists > 1
            if possible and each > best:
                best, best_good = each, good
        for kind in range(max(first_kind, QUARRY), kinds):
            if kind == QUARRY:
                each = plan.quarry * 0.2 * left * QUARRY_SHARES[quarries]
            else:
                each = gain[kind]
            if each > best and counts[kind] < circles_of(game, player, kind):
                best, best_kind = each, kind
        if best_kind != NOTHING:
            counts[best_kind] += 1
            colonists -= 1
            worth += best
            if best_kind == QUARRY:
                quarries += 1
            else:
                gain[best_kind] = 0.0  # one colonist is enough
        elif best_good != NOTHING:
            if on_tiles[best_good] <= in_plants[best_good] or best_good == CORN:
                pair = on_tiles[best_good] == in_plants[best_good] and best_good != CORN
                counts[best_good] += 1
                on_tiles[best_good] += 1
                tile_room[best_good] -= 1
                colonists -= 1
                worth += best
                if not pair:
                    continue
            _man_plant(game, player, best_good, first_kind, kinds, counts)
            in_plants[best_good] += 1
            plant_room[best_good] -= 1
            colonists -= 1
            worth += best
        else:
            return worth + _fill_idle(game, player, colonists, first_kind, kinds, counts, plan.colonist)
    return worth


@compiled
def _man_plant(game: GameRecord, player: int, good: int, first_kind: int, kinds: int, counts: np.ndarray) -> None:
    """Put a colonist in the first production building of the good with a free circle."""
    for kind in range(max(first_kind, NUM_TILES), kinds):
        building = game.built[player, kind - NUM_TILES]
        if MAKES[building] == good and counts[kind] < circles_of(game, player, kind):
            counts[kind] += 1
            return


@compiled
def _fill_idle(
    game: GameRecord, player: int, colonists: int, first_kind: int, kinds: int, counts: np.ndarray, each: float
) -> float:
    """Place the remaining colonists, which gain nothing now, from the last circles on."""
    worth = 0.0
    kind = kinds - 1
    while colonists > 0 and kind >= first_kind:
        placed = min(colonists, circles_of(game, player, kind) - counts[kind])
        counts[kind] += placed
        colonists -= placed
        worth += each * placed
        kind -= 1
    return worth


@compiled
def choose_placement(game: GameRecord, plan: PlanRecord) -> int:
    """The number of colonists for the current kind of circle."""
    counts = np.zeros(MOST_KINDS, np.int64)
    kind = game.circle_kind
    arrange(game, plan, game.player, int(game.san_juan[game.player]), kind, counts)
    circles = circles_of(game, game.player, kind)
    return int(PLACE + min(most_here(game, circles), max(fewest_here(game, circles), counts[kind])))


@compiled
def mayor_gain(game: GameRecord, plan: PlanRecord, player: int, manned: int, newcomers: int) -> float:
    """The value of new colonists for a player who already has ``manned`` of them."""
    if newcomers == 0 or not can_be_manned(game):
        return 0.0
    counts = np.zeros(MOST_KINDS, np.int64)
    before = arrange(game, plan, player, manned, 0, counts)
    until_next_mayor = arrange(game, plan, player, manned + newcomers, 0, counts) - before
    return float(until_next_mayor * max(1.0, 0.5 * plan.harvests * time_left(game)))  # colonists are permanent
