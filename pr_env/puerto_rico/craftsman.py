"""Craftsman: everyone produces, then the picker may take one barrel more. The factory works here."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, works
from pr_env.puerto_rico.state import CRAFTSMAN_PRIVILEGE
from pr_env.puerto_rico.tables import (
    COFFEE_ROASTER,
    CORN,
    FACTORY,
    FACTORY_PAY,
    INDIGO,
    INDIGO_PLANT,
    NUM_GOODS,
    SMALL_INDIGO_PLANT,
    SMALL_SUGAR_MILL,
    SUGAR,
    SUGAR_MILL,
    TOBACCO,
    TOBACCO_STORAGE,
)
from pr_env.puerto_rico.turns import end_phase, left_of


@compiled
def begin(game: GameRecord) -> None:
    """All produce, picker first, as far as the supply lasts; then comes the picker's privilege."""
    player = game.picker
    for _ in range(game.players):
        _produce(game, player)
        player = left_of(game, player)
    game.phase = CRAFTSMAN_PRIVILEGE


@compiled
def capacity(game: GameRecord, player: int, good: int) -> int:
    """Corn needs manned tiles only; another good as many colonists in its buildings, too."""
    tiles = 0 + game.tile_colonists[player, good]
    if good == CORN:
        return tiles
    if good == INDIGO:
        processing = max(0, game.city[player, SMALL_INDIGO_PLANT]) + max(0, game.city[player, INDIGO_PLANT])
    elif good == SUGAR:
        processing = max(0, game.city[player, SMALL_SUGAR_MILL]) + max(0, game.city[player, SUGAR_MILL])
    elif good == TOBACCO:
        processing = max(0, game.city[player, TOBACCO_STORAGE])
    else:
        processing = max(0, game.city[player, COFFEE_ROASTER])
    return min(tiles, processing)


@compiled
def _produce(game: GameRecord, player: int) -> None:
    """Take the barrels, and the factory's doubloons for kinds really produced."""
    kinds = 0
    for good in range(NUM_GOODS):
        barrels = min(capacity(game, player, good), game.goods_supply[good])
        game.goods_supply[good] -= barrels
        game.goods[player, good] += barrels
        if barrels > 0:
            kinds += 1
        if player == game.picker:
            game.produced[good] = barrels
    if works(game, player, FACTORY):
        game.doubloons[player] += FACTORY_PAY[kinds]


@compiled
def may_take(game: GameRecord, good: int) -> bool:
    """Privilege: a kind that the picker really produced in this phase, if the supply still has one."""
    return game.produced[good] > 0 and game.goods_supply[good] > 0


@compiled
def take(game: GameRecord, good: int) -> None:
    """Privilege: one barrel more."""
    game.goods_supply[good] -= 1
    game.goods[game.player, good] += 1
    end(game)


@compiled
def end(game: GameRecord) -> None:
    """The phase is over."""
    for good in range(NUM_GOODS):
        game.produced[good] = 0
    end_phase(game)
