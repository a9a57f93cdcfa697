"""Trader: sales to the trading house. Markets and the office work here; of Expansion I the trading post."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, has_privilege, privilege, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import TRADER_PHASE
from pr_env.puerto_rico.tables import (
    LARGE_MARKET,
    NUM_GOODS,
    OFFICE,
    PRICE,
    SMALL_MARKET,
    TRADING_HOUSE_SPACES,
    TRADING_POST,
)
from pr_env.puerto_rico.turns import end_phase, pass_turn


@compiled
def begin(game: GameRecord) -> None:
    """The picker sells first."""
    game.phase = TRADER_PHASE


@compiled
def house_is_full(game: GameRecord) -> bool:
    """Whether all four spaces are taken."""
    barrels = 0
    for good in range(NUM_GOODS):
        barrels += game.trading_house[good]
    return barrels >= TRADING_HOUSE_SPACES


@compiled
def may_sell(game: GameRecord, player: int, good: int) -> bool:
    """Whether the player has a barrel of the kind, and it is not in the house yet; an office allows any kind."""
    if game.goods[player, good] == 0 or (_all_have_their_turn(game) and house_is_full(game)):
        return False
    return game.trading_house[good] == 0 or works(game, player, OFFICE)


@extension(otherwise=False)
def _all_have_their_turn(game: GameRecord) -> bool:
    """Whether the phase goes on with a full house, because somebody may have a trading post to sell to."""
    return True


@compiled
def may_sell_to_post(game: GameRecord, player: int, good: int) -> bool:
    """Trading post: any barrel may be sold, whatever is in the house."""
    return works(game, player, TRADING_POST) and game.goods[player, good] > 0


@compiled
def proceeds_at_post(game: GameRecord, player: int, good: int) -> int:
    """The good's price and the picker's privilege; markets add nothing here."""
    doubloons = 0 + PRICE[good]
    if has_privilege(game, player):
        doubloons += privilege(game, player)
    return doubloons


@compiled
def proceeds(game: GameRecord, player: int, good: int) -> int:
    """The good's price, 1 more for the picker, 1 with a small market, 2 with a large one."""
    doubloons = proceeds_at_post(game, player, good)
    if works(game, player, SMALL_MARKET):
        doubloons += 1
    if works(game, player, LARGE_MARKET):
        doubloons += 2
    return doubloons


@compiled
def sell(game: GameRecord, good: int) -> None:
    """Move one barrel into the house."""
    game.goods[game.player, good] -= 1
    game.trading_house[good] += 1
    game.doubloons[game.player] += proceeds(game, game.player, good)
    end_turn(game)


@compiled
def sell_to_post(game: GameRecord, good: int) -> None:
    """Trading post: the barrel goes to the supply."""
    game.goods[game.player, good] -= 1
    game.goods_supply[good] += 1
    game.doubloons[game.player] += proceeds_at_post(game, game.player, good)
    end_turn(game)


@compiled
def end_turn(game: GameRecord) -> None:
    """The next player sells. A full house ends the phase at once and is emptied; a part-full one stays."""
    full = house_is_full(game)
    if pass_turn(game) and (not full or _all_have_their_turn(game)):
        return
    if full:
        for good in range(NUM_GOODS):
            game.goods_supply[good] += game.trading_house[good]
            game.trading_house[good] = 0
    end_phase(game)
