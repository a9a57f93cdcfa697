"""Captain: goods are shipped to the old world. Storing has its own module.

Harbor and wharf work here; of Expansion I lighthouse, union hall and small wharf.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import storing
from pr_env.puerto_rico.boards import (
    GameRecord,
    award_chips,
    barrels_of,
    has_privilege,
    privilege,
    table_row,
    works,
)
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import CAPTAIN_PHASE, SMALL_WHARF_PHASE
from pr_env.puerto_rico.tables import (
    HARBOR,
    LIGHTHOUSE,
    NOTHING,
    NUM_GOODS,
    NUM_SHIPS,
    SHIP_CAPACITY,
    SMALL_WHARF,
    UNION_HALL,
    WHARF,
)
from pr_env.puerto_rico.turns import left_of


@compiled
def begin(game: GameRecord) -> None:
    """The picker loads first, and gets 1 extra point for the first load."""
    game.captain_bonus = 1
    game.phase = CAPTAIN_PHASE
    _pay_captain(game)


@extension()
def _pay_captain(game: GameRecord) -> None:
    """Lighthouse: 1 doubloon for being captain, loading or not."""
    if not has_privilege(game, game.picker):
        game.captain_bonus = 0
    elif works(game, game.picker, LIGHTHOUSE):
        game.doubloons[game.picker] += 1


@compiled
def room(game: GameRecord, ship: int) -> int:
    """Free spaces on the ship."""
    return SHIP_CAPACITY[table_row(game), ship] - game.ship_barrels[ship]


@compiled
def may_load(game: GameRecord, player: int, good: int, ship: int) -> bool:
    """Whether the player may load this good on this ship.

    A good that is already on a ship may only go on that ship. Otherwise it goes on the empty ship that takes the most
    barrels of it, or any of these if there are several.
    """
    barrels = game.goods[player, good]
    if barrels == 0 or room(game, ship) == 0:
        return False
    if game.ship_good[ship] == good:
        return True
    if game.ship_good[ship] != NOTHING:
        return False
    for other in range(NUM_SHIPS):
        if game.ship_good[other] == good:
            return False
        if game.ship_good[other] == NOTHING and min(barrels, room(game, other)) > min(barrels, room(game, ship)):
            return False
    return True


@compiled
def may_use_wharf(game: GameRecord, player: int) -> bool:
    """Whether the player may use the wharf: once per captain phase, never compulsory."""
    return works(game, player, WHARF) and game.wharf_used[player] == 0


@compiled
def load(game: GameRecord, good: int, ship: int) -> None:
    """Load all barrels of the good that fit."""
    _begin_load(game)
    barrels = min(game.goods[game.player, good], room(game, ship))
    game.goods[game.player, good] -= barrels
    game.ship_good[ship] = good
    game.ship_barrels[ship] += barrels
    _score_load(game, barrels, 1)


@compiled
def load_wharf(game: GameRecord, good: int) -> None:
    """Ship all barrels of the good to the supply."""
    _begin_load(game)
    barrels = 0 + game.goods[game.player, good]
    game.goods[game.player, good] = 0
    game.goods_supply[good] += barrels
    game.wharf_used[game.player] = 1
    _score_load(game, barrels, 1)


@extension()
def _begin_load(game: GameRecord) -> None:
    """Union hall: before the first load 1 point for every two barrels of the same kind that the player holds."""
    player = game.player
    if works(game, player, UNION_HALL) and game.has_loaded[player] == 0:
        points = 0
        for good in range(NUM_GOODS):
            points += game.goods[player, good] // 2
        award_chips(game, player, points)
    game.has_loaded[player] = 1


@compiled
def _score_load(game: GameRecord, points_for_barrels: int, harbor_points: int) -> None:
    """Award the points for the barrels, for the harbor, and 1 for the picker's first load."""
    player = game.player
    points = points_for_barrels
    if works(game, player, HARBOR):
        points += harbor_points
    if player == game.picker:
        points += game.captain_bonus * privilege(game, player)
        game.captain_bonus = 0
    award_chips(game, player, points)
    _pay_lighthouse(game, player)
    game.idle_turns = 0
    game.player = left_of(game, player)


@extension()
def _pay_lighthouse(game: GameRecord, player: int) -> None:
    """Lighthouse: 1 doubloon on each load."""
    if works(game, player, LIGHTHOUSE):
        game.doubloons[player] += 1


@compiled
def may_use_small_wharf(game: GameRecord, player: int) -> bool:
    """Small wharf: whether the player may use it: once per captain phase, with any barrel, never compulsory."""
    return works(game, player, SMALL_WHARF) and game.small_wharf_used[player] == 0 and barrels_of(game, player) > 0


@compiled
def begin_small_wharf(game: GameRecord) -> None:
    """Small wharf: ask the player, good by good, how many barrels to ship."""
    game.small_wharf_used[game.player] = 1
    game.phase = SMALL_WHARF_PHASE
    game.wharf_good = 0
    _skip_goods_not_held(game)


@compiled
def _skip_goods_not_held(game: GameRecord) -> None:
    while game.wharf_good < NUM_GOODS and game.goods[game.player, game.wharf_good] == 0:
        game.wharf_good += 1


@compiled
def fewest_to_ship(game: GameRecord) -> int:
    """Small wharf: at least one barrel in total, so one of the last good if none was chosen before."""
    for good in range(game.wharf_good):
        if game.shipped[good] > 0:
            return 0
    for good in range(game.wharf_good + 1, NUM_GOODS):
        if game.goods[game.player, good] > 0:
            return 0
    return 1


@compiled
def ship(game: GameRecord, barrels: int) -> None:
    """Small wharf: the answer for one good. After the last good, the barrels are shipped: 1 point per two barrels."""
    game.shipped[game.wharf_good] = barrels
    game.wharf_good += 1
    _skip_goods_not_held(game)
    if game.wharf_good < NUM_GOODS:
        return
    _begin_load(game)
    total = 0
    kinds = 0
    for good in range(NUM_GOODS):
        leaving = game.shipped[good]
        game.goods[game.player, good] -= leaving
        game.goods_supply[good] += leaving
        game.shipped[good] = 0
        total += leaving
        if leaving > 0:
            kinds += 1
    game.wharf_good = 0
    game.phase = CAPTAIN_PHASE
    _score_load(game, total // 2, kinds if game.harbor_by_kind else 1)


@extension()
def _forget_loads(game: GameRecord) -> None:
    for player in range(game.players):
        game.has_loaded[player] = 0
        game.small_wharf_used[player] = 0


@compiled
def do_not_load(game: GameRecord) -> None:
    """The player cannot load, or declines to use a wharf. When nobody has loaded for a whole turn, everyone stores."""
    game.idle_turns += 1
    if game.idle_turns < game.players:
        game.player = left_of(game, game.player)
    else:
        game.idle_turns = 0
        game.captain_bonus = 0
        for player in range(game.players):
            game.wharf_used[player] = 0
        _forget_loads(game)
        storing.begin(game)
