"""Which tile to take, and whether to draw one."""

from __future__ import annotations

from agents.puerto_rico.outlook import MAKES, QUARRY_SHARES, PlanRecord, time_left
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import DRAW_TILE, PASS, SETTLE, SETTLE_FOREST
from pr_env.puerto_rico.boards import GameRecord, island_is_full, island_tiles, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.settler import may_draw, may_place_forest, may_take_quarry
from pr_env.puerto_rico.tables import CIRCLES, CORN, HOSPICE, ISLAND_SPACES, NUM_GOODS, NUM_TILES, QUARRY

FOREST_SHARE = 0.4  # value of a forest as a share of the first quarry


@compiled
def plant_circles(game: GameRecord, player: int, good: int) -> int:
    """The number of circles in the player's production buildings for a good."""
    circles = 0
    for place in range(game.built_count[player]):
        building = game.built[player, place]
        if MAKES[building] == good:
            circles += CIRCLES[building]
    return circles


@compiled
def tile_worth(game: GameRecord, plan: PlanRecord, player: int, tile: int, left: float) -> float:
    """The value of a tile to the player."""
    owned = game.tiles[player, tile]
    if tile == QUARRY:
        return float(plan.quarry * left * QUARRY_SHARES[owned] + 0.02)
    each = plan.first_barrel[tile] if owned == 0 else plan.barrel[tile]
    if tile != CORN and owned >= plant_circles(game, player, tile):
        each *= plan.unprocessed
    return float(each * plan.harvests * left * 0.6 + 0.01)


@extension(otherwise=0.0)
def forest_worth(game: GameRecord, plan: PlanRecord, player: int, left: float) -> float:
    """The value of a forest: two of them act as a quarry without a colonist and without the limit of columns."""
    if not may_place_forest(game, player):
        return 0.0
    return float(plan.quarry * left * FOREST_SHARE + 0.02)


@extension(otherwise=PASS)
def choose_forest(game: GameRecord, plan: PlanRecord) -> int:
    """Hacienda and forest house: take a forest instead of a drawn tile of low value."""
    left = time_left(game)
    poor = tile_worth(game, plan, game.player, int(game.drawn), left) < forest_worth(game, plan, game.player, left)
    return SETTLE_FOREST if poor else PASS


@compiled
def best_tile(game: GameRecord, plan: PlanRecord, player: int) -> int:
    """The tile that the player would take now; PASS if there is none."""
    left = time_left(game)
    best, choice = 0.0, PASS
    for tile in range(NUM_TILES):
        there = may_take_quarry(game, player) if tile == QUARRY else game.face_up[tile] > 0
        if there:
            worth = tile_worth(game, plan, player, tile, left)
            if worth > best:
                best, choice = worth, SETTLE + tile
    return SETTLE_FOREST if forest_worth(game, plan, player, left) > best else choice


@compiled
def choose_draw(game: GameRecord, plan: PlanRecord) -> int:
    """Hacienda: draw, unless the last island space is better kept for a face-up tile."""
    if island_tiles(game, game.player) + 1 < ISLAND_SPACES:
        return DRAW_TILE
    left = time_left(game)
    offered, average = _offer(game, plan, game.player, left)
    return PASS if offered > average else DRAW_TILE


@compiled
def _offer(game: GameRecord, plan: PlanRecord, player: int, left: float) -> tuple[float, float]:
    """The value of the best tile that the player may take, and of a randomly drawn plantation."""
    best, average = 0.0, 0.0
    for tile in range(NUM_TILES):
        there = may_take_quarry(game, player) if tile == QUARRY else game.face_up[tile] > 0
        worth = tile_worth(game, plan, player, tile, left)
        if there:
            best = max(best, worth)
        if tile < NUM_GOODS:
            average += worth / NUM_GOODS
    return max(best, forest_worth(game, plan, player, left)), average


@compiled
def settler_gain(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """The gain of the player from the settler phase, with game.picker as the settler."""
    if island_is_full(game, player):
        return 0.0
    best, average = _offer(game, plan, player, time_left(game))
    if works(game, player, HOSPICE):
        best += plan.colonist
    if may_draw(game, player):
        best += average
    return best
