"""Ships and coins: the gain of trading a ship, and the income of a player's persons from the harbour."""

from __future__ import annotations

from agents.port_royal.missions import crowns_for_missions, item_for_missions
from agents.port_royal.outlook import Outlook, PlanRecord, end_worth, purse_worth
from pr_env.compiling import compiled
from pr_env.port_royal.adventure.events import is_without_fee
from pr_env.port_royal.adventure.taking import coins_beside, more_coins
from pr_env.port_royal.extension import with_adventure, with_merchants
from pr_env.port_royal.people import count, count_of_colour
from pr_env.port_royal.tables import (
    ADMIRAL,
    ADMIRAL_CARDS,
    ADMIRAL_COINS,
    CLERK,
    FEE,
    GUNNER,
    JESTER,
    JESTER_COINS,
    MERCHANT,
    TRADER,
    VICE_ADMIRAL,
    VICE_ADMIRAL_CARDS,
)
from pr_env.rules import Record

EXTRA_TAKE = 0.5  # value of one more take


@compiled
def income(game: Record, tables: Record, seat: int, cards: int, ships: int) -> int:
    """The coins from a player's persons at the start of its part, for a number of cards and ships in the harbour."""
    coins = 0
    if cards >= ADMIRAL_CARDS:
        coins += ADMIRAL_COINS * count(game, seat, ADMIRAL)
    if cards == 0:
        coins += JESTER_COINS * count(game, seat, JESTER)
    if ships > 1:
        coins += (ships - 1) * count(game, seat, GUNNER)
    if cards in VICE_ADMIRAL_CARDS:
        coins += (1 if seat == game.active else tables.vice_admiral_passive) * count(game, seat, VICE_ADMIRAL)
    return coins


@compiled
def ship_coins(game: Record, tables: Record, seat: int, kind: int) -> int:
    """The coins of a ship, including those of the player's traders."""
    colour = int(tables.colour[kind])
    coins = int(tables.coins[kind]) + count_of_colour(game, tables, seat, TRADER, colour)
    return coins + more_coins(game, tables, seat, colour)


@compiled
def fee_of(game: Record, tables: Record, seat: int) -> int:
    """The fee that a player pays to the active one for each card."""
    return 0 if seat == game.active or is_without_fee(game, tables) else FEE


@compiled
def trade_gain(
    game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, kind: int, purse: float
) -> float:
    """The gain of trading a ship."""
    fee = fee_of(game, tables, seat) * plan.fee
    coins = ship_coins(game, tables, seat, kind) - fee
    gain = purse_worth(view, purse + coins) - purse_worth(view, purse)
    gain += EXTRA_TAKE * count_of_colour(game, tables, seat, CLERK, tables.colour[kind])
    gain += crowns_for_missions(game, tables, plan, view, kind)
    return float(gain + _under_merchant(game, tables, view, seat, kind))


@with_adventure(lambda game, tables, plan, view, seat, kind: -1e9)
def keep_gain(game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, kind: int) -> float:
    """The gain of keeping a ship as an item."""
    coins = coins_beside(game, tables, seat, int(tables.colour[kind])) - fee_of(game, tables, seat) * plan.fee
    return float(view.coin * coins + item_for_missions(game, tables, plan, view.wanted, kind))


@compiled
def ship_gain(
    game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, kind: int, purse: float
) -> float:
    """The gain of trading a ship, or of keeping it if that is better."""
    gain = trade_gain(game, tables, plan, view, seat, kind, purse)
    return max(gain, keep_gain(game, tables, plan, view, seat, kind))


@with_merchants(lambda game, tables, view, seat, kind: 0.0)
def _under_merchant(game: Record, tables: Record, view: Outlook, seat: int, kind: int) -> float:
    """The value of a ship kept under a merchant, which is one influence."""
    if count_of_colour(game, tables, seat, MERCHANT, tables.colour[kind]) == 0:
        return 0.0
    return view.influence + end_worth(view, 1.0)
