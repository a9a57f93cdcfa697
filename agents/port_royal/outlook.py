"""The progress of the game, and the current value of influence and coins to a player."""

from __future__ import annotations

from typing import Any, NamedTuple

from agents.port_royal.contracts import seeks_coins, seeks_influence, seeks_tax
from pr_env.compiling import compiled
from pr_env.port_royal.extension import with_time_deck
from pr_env.port_royal.tables import RANSOM
from pr_env.rules import Record

PlanRecord = Any  # one record of dtype plans.PLAN

TIE_BREAK = 0.01  # value of a coin at the end
USUAL_TIME_DECK = 20.0  # cards, in a cooperative game
MOST_LEAD = 4.0  # larger leads count as this one for the wish to end the game
SAVED = 0.6  # share of a ransom's value that coins have while they are saved for it
NEVER = 1000.0


class Outlook(NamedTuple):
    """The values that a player uses in every decision.

    Attributes:
        left: The remaining share of the game: 1 at the start, 0 in the last round.
        coin: Value of a coin.
        influence: Value of one influence: 1, but close to 0 in a cooperative game.
        limit: The largest number of coins that is safe from taxes.
        taxable: Share of their value that coins above the limit have.
        saved: Additional value of each coin, for a ransom.
        hoard: Value of exceeding the limit, for the contract about paying a tax.
        mine: The player's influence.
        rival: The highest influence of another player.
        goal: Influence that ends the game.
        finish: Value of ending the game, per influence of lead.
    """

    left: float
    coin: float
    influence: float
    limit: float
    taxable: float
    saved: float
    hoard: float
    mine: float
    rival: float
    goal: float
    finish: float


@compiled
def look(game: Record, tables: Record, plan: PlanRecord, seat: int) -> Outlook:
    """The outlook of a player."""
    left = time_left(game, tables)
    coin = coin_worth(game, plan, left)
    saved = seeks_coins(game, tables, plan, seat) * SAVED / RANSOM
    hoard = seeks_tax(game, tables, plan, seat)
    return Outlook(
        left,
        coin,
        influence_worth(game, tables, plan, seat),
        float(tables.tax_from[0] - 1),
        1.0 if hoard > 0 or saved > 0 else float(plan.taxable),
        saved,
        0.4 * hoard,
        float(game.influence[seat]),
        float(best_other(game, seat)),
        _goal(game, tables),
        float(plan.finish),
    )


@compiled
def best_other(game: Record, seat: int) -> int:
    """The highest influence of another player."""
    best = 0
    for other in range(game.players):
        if other != seat:
            best = max(best, int(game.influence[other]))
    return best


@compiled
def time_left(game: Record, tables: Record) -> float:
    """The remaining share of the game: by the highest influence of any player, or by the time deck."""
    if game.end_flag == 1:
        return 0.0
    most = 0
    for seat in range(game.players):
        most = max(most, int(game.influence[seat]))
    return _by_time_deck(game, max(0.0, 1.0 - most / tables.goal))


@with_time_deck(lambda game, left: left)
def _by_time_deck(game: Record, left: float) -> float:
    return float(min(1.0, game.time / USUAL_TIME_DECK))


@with_time_deck(lambda game, tables: float(tables.goal))
def _goal(game: Record, tables: Record) -> float:
    """The influence that ends the game; unreachable in cooperative games, which influence does not end."""
    return NEVER


@with_time_deck(lambda game, tables, plan, seat: 1.0)
def influence_worth(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of one influence. In a cooperative game it only matters for one contract."""
    return seeks_influence(game, tables, plan, seat)


@with_time_deck(1.0)
def rivalry(game: Record) -> float:
    """The sign of another player's gain: 1 if it counts against an action, -1 in a team."""
    return -1.0


@compiled
def coin_worth(game: Record, plan: PlanRecord, left: float) -> float:
    """The value of one more coin. Coins that can no longer be spent only break ties."""
    if game.end_flag == 1:
        return TIE_BREAK if game.active == game.players - 1 else float(0.5 * plan.coin_late)
    return float(plan.coin_late + (plan.coin_early - plan.coin_late) * left)


@compiled
def purse_worth(view: Outlook, purse: float) -> float:
    """The value of a number of coins: coins that the next tax could take count less."""
    safe = min(purse, view.limit)
    worth = view.coin * (safe + view.taxable * (purse - safe)) + view.saved * min(purse, float(RANSOM))
    return worth + view.hoard if purse > view.limit else worth


@compiled
def end_worth(view: Outlook, gained: float) -> float:
    """The value of ending the game by the influence gained: positive for a leading player."""
    if view.left == 0.0 or view.mine >= view.goal or view.mine + gained < view.goal:
        return 0.0
    return view.finish * max(-MOST_LEAD, min(MOST_LEAD, view.mine + gained - view.rival))
