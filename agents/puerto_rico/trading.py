"""What to produce on top and what to sell."""

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
from pr_env.puerto_rico.actions import PASS, SELL, TAKE_GOOD
from pr_env.puerto_rico.boards import GameRecord, works
from pr_env.puerto_rico.craftsman import capacity, may_take
from pr_env.puerto_rico.tables import CAPTAIN, FACTORY, FACTORY_PAY, NUM_GOODS, OFFICE, TRADER, TRADING_HOUSE_SPACES
from pr_env.puerto_rico.trader import may_sell, proceeds


@compiled
def barrel_in_hand(game: GameRecord, plan: PlanRecord, player: int, good: int, already: int) -> float:
    """What one more barrel in hand is worth: to be shipped, or to be sold, one of each kind, if the house takes it."""
    worth = float(plan.barrel[good]) if comes_again(game, CAPTAIN) else 0.0
    if already < 2 and comes_again(game, TRADER):
        if game.trading_house[good] == 0 or works(game, player, OFFICE):
            sold = float(plan.first_barrel[good])
            worth = max(worth, sold if already == 0 else 0.5 * (worth + sold))
    return max(TIE_BREAK, worth if game.ending == 0 else LAST_CHANCE * worth)


@compiled
def choose_extra_barrel(game: GameRecord, plan: PlanRecord) -> int:
    """Craftsman's privilege: the barrel that is worth most."""
    best, choice = 0.0, PASS
    for good in range(NUM_GOODS):
        if may_take(game, good):
            worth = barrel_in_hand(game, plan, game.player, good, int(game.goods[game.player, good]))
            if worth > best:
                best, choice = worth, TAKE_GOOD + good
    return choice


@compiled
def best_sale(game: GameRecord, plan: PlanRecord, player: int) -> int:
    """The good that the player would sell now, or -1: money against the point of a shipped barrel."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    best, choice = 0.0, -1
    for good in range(NUM_GOODS):
        if may_sell(game, player, good):
            gain = doubloon * proceeds(game, player, good) - plan.held * plan.barrel[good]
            if gain > best:
                best, choice = gain, good
    return choice


@compiled
def choose_sale(game: GameRecord, plan: PlanRecord) -> int:
    """Sell a barrel, or nothing."""
    good = best_sale(game, plan, game.player)
    return PASS if good < 0 else SELL + good


@compiled
def trader_gain(game: GameRecord, plan: PlanRecord, player: int, turn: int, barrels_in_house: int) -> float:
    """What the trader would bring to a player who is so many turns after the picker."""
    if barrels_in_house + turn >= TRADING_HOUSE_SPACES:
        return 0.0
    good = best_sale(game, plan, player)
    if good < 0:
        return 0.0
    doubloon = doubloon_worth(game, plan, time_left(game))
    return float(doubloon * proceeds(game, player, good) - plan.held * plan.barrel[good])


@compiled
def craftsman_gain(game: GameRecord, plan: PlanRecord, player: int) -> float:
    """What the craftsman would bring to the player, with game.picker as the craftsman."""
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
        # Who waits long for the next pick sees the others ship and sell first.
        worth = (worth + privilege) * max(0.0, 1.0 - plan.haste * picks_to_wait(game) / game.players)
    if works(game, player, FACTORY):
        worth += FACTORY_PAY[kinds] * doubloon_worth(game, plan, time_left(game))
    return worth
