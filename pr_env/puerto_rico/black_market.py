"""Black market (Expansion I): up to three missing doubloons are paid with a colonist, a barrel and a point.

At most one of each, and exactly as many as there are missing doubloons. The player is asked for the colonist, then for
the barrel; if one is still missing, it is the point. Everything goes back to the supply, which never undoes the end of
the game.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, barrels_of, colonists_of, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import PAY_BARREL_PHASE, PAY_COLONIST_PHASE
from pr_env.puerto_rico.tables import BLACK_MARKET, NOTHING, NUM_TILES, VP_CHIPS

SAN_JUAN = -1  # where the colonist comes from; the other places are tiles, then buildings


@extension(otherwise=0)
def credit(game: GameRecord, player: int) -> int:
    """The number of missing doubloons that the player could pay with a colonist, a barrel and a point."""
    if not works(game, player, BLACK_MARKET):
        return 0
    return _has_colonist(game, player) + _has_barrel(game, player) + _has_point(game, player)


@compiled
def _has_colonist(game: GameRecord, player: int) -> int:
    """1 if there is a colonist other than the one on the black market."""
    return 1 if colonists_of(game, player) > 1 else 0


@compiled
def _has_barrel(game: GameRecord, player: int) -> int:
    return 1 if barrels_of(game, player) > 0 else 0


@compiled
def _has_point(game: GameRecord, player: int) -> int:
    return 1 if game.chips[player] > 0 else 0


@extension(otherwise=False)
def begin_payment(game: GameRecord, building: int, doubloons: int) -> bool:
    """Whether the doubloons are too few; if so, all of them are paid and the player is asked about the rest."""
    missing = doubloons - game.doubloons[game.player]
    if missing <= 0:
        return False
    game.doubloons[game.player] = 0
    game.buying = building
    game.missing = missing
    game.phase = PAY_COLONIST_PHASE
    return True


@compiled
def may_keep_colonist(game: GameRecord) -> bool:
    """Whether a barrel and a point are enough."""
    return game.missing <= _has_barrel(game, game.player) + _has_point(game, game.player)


@compiled
def may_keep_barrel(game: GameRecord) -> bool:
    """Whether a point is enough."""
    return game.missing <= _has_point(game, game.player)


@compiled
def may_pay_colonist_from(game: GameRecord, place: int) -> bool:
    """A colonist from San Juan, a tile or a building, but not the one on the black market itself."""
    player = game.player
    if place == SAN_JUAN:
        return game.san_juan[player] > 0
    if place < NUM_TILES:
        return game.tile_colonists[player, place] > 0
    building = place - NUM_TILES
    return building != BLACK_MARKET and game.city[player, building] > 0


@compiled
def pay_colonist_from(game: GameRecord, place: int) -> None:
    """The colonist goes back to the supply."""
    player = game.player
    if place == SAN_JUAN:
        game.san_juan[player] -= 1
    elif place < NUM_TILES:
        game.tile_colonists[player, place] -= 1
    else:
        game.city[player, place - NUM_TILES] -= 1
    game.colonist_supply += 1
    game.missing -= 1


@compiled
def pay_barrel(game: GameRecord, good: int) -> None:
    """The barrel goes back to the supply."""
    game.goods[game.player, good] -= 1
    game.goods_supply[good] += 1
    game.missing -= 1


@compiled
def go_on(game: GameRecord) -> int:
    """After the answer about the colonist or the barrel: the building, if it is now paid for, else NOTHING."""
    if game.phase == PAY_COLONIST_PHASE and game.missing > 0:
        game.phase = PAY_BARREL_PHASE
        return NOTHING
    if game.missing > 0:
        _pay_point(game)
    building = game.buying
    game.buying = NOTHING
    return building


@compiled
def _pay_point(game: GameRecord) -> None:
    """Points that were awarded without chips are given back first."""
    game.chips[game.player] -= 1
    game.missing -= 1
    points = 0
    for player in range(game.players):
        points += game.chips[player]
    game.chips_supply = max(0, VP_CHIPS[game.row] - points)
