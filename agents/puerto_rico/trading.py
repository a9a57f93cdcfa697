"""Which extra barrel to produce, and what to sell."""

from __future__ import annotations

from agents.puerto_rico.outlook import (
    LAST_CHANCE,
    TIE_BREAK,
    PlanRecord,
    comes_again,
    doubloon_worth,
    picks_to_wait,
    time_left,
)
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import PASS, SELL, SELL_TO_POST, TAKE_GOOD
from pr_env.puerto_rico.boards import GameRecord, works
from pr_env.puerto_rico.craftsman import capacity, may_take
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.tables import (
    CAPTAIN,
    CORN,
    FACTORY,
    FACTORY_PAY,
    NUM_GOODS,
    OFFICE,
    SPECIALTY_FACTORY,
    TRADER,
    TRADING_HOUSE_SPACES,
    TRADING_POST,
)
from pr_env.puerto_rico.trader import may_sell, may_sell_to_post, proceeds, proceeds_at_post


@compiled
def barrel_in_hand(game: GameRecord, plan: PlanRecord, player: int, good: int, already: int) -> float:
    """The value of one more barrel in hand: to ship, or to sell (one of each kind) if the house takes it."""
    worth = float(plan.barrel[good]) if comes_again(game, CAPTAIN) else 0.0
    if already < 2 and comes_again(game, TRADER):
        if game.trading_house[good] == 0 or works(game, player, OFFICE) or _has_post(game, player):
            sold = float(plan.first_barrel[good])
            worth = max(worth, sold if already == 0 else 0.5 * (worth + sold))
    return max(TIE_BREAK, worth if game.ending == 0 else LAST_CHANCE * worth)


@compiled
def choose_extra_barrel(game: GameRecord, plan: PlanRecord) -> int:
    """Craftsman's privilege: the most valuable barrel."""
    best, choice = 0.0, PASS
    for good in range(NUM_GOODS):
        if may_take(game, good):
            worth = barrel_in_hand(game, plan, game.player, good, int(game.goods[game.player, good]))
            if worth > best:
                best, choice = worth, TAKE_GOOD + good
    return choice


@compiled
def best_sale(game: GameRecord, plan: PlanRecord, player: int) -> int:
    """The good that the player would sell now, or -1: money is weighed against the point of a shipped barrel."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    best, choice = 0.0, -1
    for good in range(NUM_GOODS):
        if may_sell(game, player, good):
            gain = _sale_gain(plan, good, doubloon, proceeds(game, player, good))
            if gain > best:
                best, choice = gain, good
    return choice


@compiled
def choose_sale(game: GameRecord, plan: PlanRecord) -> int:
    """Sell a barrel, or nothing."""
    good, post = best_sale(game, plan, game.player), best_sale_to_post(game, plan, game.player)
    if good < 0:
        return PASS if post < 0 else SELL_TO_POST + post
    if post < 0:
        return SELL + good
    doubloon = doubloon_worth(game, plan, time_left(game))
    house = _sale_gain(plan, good, doubloon, proceeds(game, game.player, good))
    there = _sale_gain(plan, post, doubloon, proceeds_at_post(game, game.player, post))
    return SELL_TO_POST + post if there > house else SELL + good


@compiled
def _sale_gain(plan: PlanRecord, good: int, doubloon: float, doubloons: int) -> float:
    """The value of the money, less the point of a shipped barrel."""
    return float(doubloon * doubloons - plan.held * plan.barrel[good])


@extension(otherwise=False)
def _has_post(game: GameRecord, player: int) -> bool:
    return works(game, player, TRADING_POST)


@extension(otherwise=-1)
def best_sale_to_post(game: GameRecord, plan: PlanRecord, player: int) -> int:
    """The good that the player would sell to their trading post now, or -1."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    best, choice = 0.0, -1
    for good in range(NUM_GOODS):
        if may_sell_to_post(game, player, good):
            gain = _sale_gain(plan, good, doubloon, proceeds_at_post(game, player, good))
            if gain > best:
                best, choice = gain, good
    return choice


@compiled
def trader_gain(game: GameRecord, plan: PlanRecord, player: int, turn: int, barrels_in_house: int) -> float:
    """The gain from the trader phase of a player who is ``turn`` turns after the picker."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    gain = 0.0
    post = best_sale_to_post(game, plan, player)
    if post >= 0:
        gain = _sale_gain(plan, post, doubloon, proceeds_at_post(game, player, post))
    if barrels_in_house + turn >= TRADING_HOUSE_SPACES:
        return gain
    good = best_sale(game, plan, player)
    if good < 0:
        return gain
    return max(gain, _sale_gain(plan, good, doubloon, proceeds(game, player, good)))


@compiled
def craftsman_gain(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """The gain of the player from the craftsman phase, with game.picker as the craftsman."""
    worth, kinds, privilege = 0.0, 0, 0.0
    for good in range(NUM_GOODS):
        barrels = min(capacity(game, player, good), game.goods_supply[good])
        if barrels == 0:
            continue
        kinds += 1
        held = int(game.goods[player, good])
        for more in range(barrels):
            worth += barrel_in_hand(game, plan, player, good, held + more)
        if game.goods_supply[good] > barrels:
            privilege = max(privilege, barrel_in_hand(game, plan, player, good, held + barrels))
    if player == game.picker:
        # A player who waits long for the next pick ships and sells after the others.
        worth = (worth + privilege) * max(0.0, 1.0 - plan.haste * picks_to_wait(game) / game.players)
    if works(game, player, FACTORY):
        worth += FACTORY_PAY[kinds] * doubloon_worth(game, plan, time_left(game))
    return worth + _from_specialty_factory(game, plan, player)


@extension(otherwise=0.0)
def _from_specialty_factory(game: GameRecord, plan: PlanRecord, player: int) -> float:
    if not works(game, player, SPECIALTY_FACTORY):
        return 0.0
    most = 1
    for good in range(CORN + 1, NUM_GOODS):
        most = max(most, int(min(capacity(game, player, good), game.goods_supply[good])))
    return (most - 1) * doubloon_worth(game, plan, time_left(game))
