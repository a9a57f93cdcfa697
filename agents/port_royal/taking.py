"""Phase 2: which ships to trade and which persons to hire, as the best set of takes.

The same takes are legal in one order only (see the sleep set in the rules), so ships come before persons, each in the
order of the action table; a mademoiselle comes before the others because she makes them cheaper.
"""

from __future__ import annotations

import numpy as np

from agents.port_royal.contracts import refusal_for_contract
from agents.port_royal.outlook import Outlook, PlanRecord, end_worth, look, purse_worth, rivalry
from agents.port_royal.persons import hire_gain, person_worth, price_for
from agents.port_royal.trading import fee_of, keep_gain, ship_coins, ship_gain, trade_gain
from pr_env.compiling import compiled
from pr_env.port_royal.actions import COMPLETE, DONE, NUM_REFUSALS, hire_at, keep_at, refuse_at, trade_at
from pr_env.port_royal.adventure.taking import coins_beside
from pr_env.port_royal.extension import with_adventure, with_contracts
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import MADEMOISELLE, REFUSED_COLOURS
from pr_env.rules import Record

NOT_OFFERED = -1e9


@compiled
def _list_denied(game: Record, tables: Record, plan: PlanRecord, ships: np.ndarray, persons: np.ndarray) -> None:
    """The value of denying each card to the players who take later in this turn."""
    weight = rivalry(game, tables) * plan.deny / max(1, game.players - 1)
    seat = (int(game.player) + 1) % game.players
    while seat != game.active and weight != 0.0:
        view = look(game, tables, plan, seat)
        purse = float(game.purse[seat])
        for colour in range(ships.shape[0]):
            kind = int(game.harbour_ship[colour])
            if kind != NOTHING:
                gain = weight * ship_gain(game, tables, plan, view, seat, kind, purse)
                ships[colour] = gain if abs(gain) > abs(ships[colour]) else ships[colour]
        for kind in range(game.harbour.shape[0]):
            if game.harbour[kind] > 0:
                gain = weight * hire_gain(game, tables, plan, view, seat, kind, purse)
                persons[kind] = gain if abs(gain) > abs(persons[kind]) else persons[kind]
        seat = (seat + 1) % game.players


@compiled
def choose_take(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> int:
    """The first take of the best set; DONE if nothing is worth taking."""
    me = int(game.player)
    purse = float(game.purse[me])
    takes = int(game.takes)
    colours = game.harbour_ship.shape[0]
    ships = np.zeros(colours)  # gain of each ship
    worths = np.zeros(game.harbour.shape[0])  # of each person, without the price
    coins = np.zeros(colours)  # coins from each ship
    actions = np.zeros(colours, np.int64)
    _list_denied(game, tables, plan, ships, worths)
    _list_ships(game, tables, plan, view, ships, coins, actions)
    for kind in range(worths.shape[0]):
        if game.harbour[kind] > 0 and takes > 0 and game.asleep[hire_at(game) + kind - COMPLETE] == 0:
            worths[kind] += person_worth(game, tables, plan, view, me, kind)
            worths[kind] += end_worth(view, float(tables.influence[kind]))
        else:
            worths[kind] = NOT_OFFERED

    # Try each number of ships, always the best ones, and the best persons for the remaining takes.
    best, choice = 0.0, DONE
    total, first_ship = 0.0, -1
    for used in range(takes + 1):
        value, person = _best_hires(game, tables, plan, view, worths, purse, takes - used)
        if total + value > best:
            best = total + value
            choice = first_ship if first_ship >= 0 else hire_at(game) + person
        if used == takes:
            break
        colour = int(np.argmax(ships))
        if ships[colour] == NOT_OFFERED:
            break
        total += ships[colour]
        purse += coins[colour]
        ships[colour] = NOT_OFFERED
        if first_ship < 0 or actions[colour] < first_ship:
            first_ship = int(actions[colour])
    return choice


@compiled
def _list_ships(
    game: Record,
    tables: Record,
    plan: PlanRecord,
    view: Outlook,
    gains: np.ndarray,
    coins: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Add the gain of trading each ship."""
    me = int(game.player)
    fee = fee_of(game, tables, me)
    for colour in range(gains.shape[0]):
        kind = int(game.harbour_ship[colour])
        if kind != NOTHING and game.legal[trade_at(game) + colour] != 0:
            gains[colour] += trade_gain(game, tables, plan, view, me, kind, float(game.purse[me]))
            coins[colour] = ship_coins(game, tables, me, kind) - fee
            actions[colour] = trade_at(game) + colour
        else:
            gains[colour] = NOT_OFFERED
    _list_refusals(game, tables, plan, view, gains, coins, actions)
    _list_items(game, tables, plan, view, gains, coins, actions)


@with_contracts(lambda game, tables, plan, view, gains, coins, actions: None)
def _list_refusals(
    game: Record,
    tables: Record,
    plan: PlanRecord,
    view: Outlook,
    gains: np.ndarray,
    coins: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Add the gain of refusing a ship's coins for a contract."""
    me = int(game.player)
    fee = fee_of(game, tables, me)
    for which in range(NUM_REFUSALS):
        colour = REFUSED_COLOURS[which]
        if game.legal[refuse_at(game) + which] != 0:
            gain = refusal_for_contract(game, tables, plan, me, which) - fee * plan.fee * view.coin
            if gain > gains[colour]:
                gains[colour] = gain
                coins[colour] = -fee
                actions[colour] = refuse_at(game) + which


@with_adventure(lambda game, tables, plan, view, gains, coins, actions: None)
def _list_items(
    game: Record,
    tables: Record,
    plan: PlanRecord,
    view: Outlook,
    gains: np.ndarray,
    coins: np.ndarray,
    actions: np.ndarray,
) -> None:
    """A ship may be kept as an item."""
    me = int(game.player)
    for colour in range(gains.shape[0]):
        kind = int(game.harbour_ship[colour])
        if kind != NOTHING and game.legal[keep_at(game) + colour] != 0:
            gain = keep_gain(game, tables, plan, view, me, kind)
            if gain > gains[colour] or gains[colour] == NOT_OFFERED:
                gains[colour] = gain
                coins[colour] = coins_beside(game, tables, me, colour) - fee_of(game, tables, me)
                actions[colour] = keep_at(game) + colour


@compiled
def _best_hires(
    game: Record, tables: Record, plan: PlanRecord, view: Outlook, worths: np.ndarray, purse: float, takes: int
) -> tuple[float, int]:
    """The gain of the best one or two hires, and the kind to hire first; a third is chosen later."""
    best, choice = 0.0, 0
    if takes == 0:
        return best, choice
    me = int(game.player)
    fee = fee_of(game, tables, me)
    felt = fee * (plan.fee - 1.0)
    have = purse_worth(view, purse)
    for kind in range(worths.shape[0]):
        if worths[kind] == NOT_OFFERED:
            continue
        price = price_for(game, tables, me, kind) + fee
        if price > purse:
            continue
        gain = worths[kind] - have + purse_worth(view, purse - price - felt)
        if gain > best:
            best, choice = gain, kind
        if takes == 1:
            continue
        lady = tables.ability[kind] == MADEMOISELLE
        for other in range(worths.shape[0]):
            if worths[other] == NOT_OFFERED or (other == kind and game.harbour[kind] < 2):
                continue
            if other < kind and not lady and tables.ability[other] != MADEMOISELLE:
                continue  # this pair has been considered in the other order
            both = price + max(0, price_for(game, tables, me, other) - int(lady)) + fee
            if both > purse:
                continue
            gain = worths[kind] + worths[other] - have + purse_worth(view, purse - both - 2 * felt)
            if gain > best:
                best, choice = gain, kind
    return best, choice
