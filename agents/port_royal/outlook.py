"""The progress of the game, and the current value of influence and coins to a player."""

from __future__ import annotations

from typing import Any, NamedTuple

from agents.port_royal.contracts import seeks_coins, seeks_influence, seeks_tax
from agents.port_royal.missions import look_at_missions
from pr_env.compiling import compiled
from pr_env.port_royal.adventure.names import SLOTS
from pr_env.port_royal.adventure.scoring import team_influence
from pr_env.port_royal.extension import with_adventure, with_time_deck
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
        left: The share of the game that is left: 1 at the start, 0 in the last round.
        coin: Worth of a coin.
        influence: Worth of one influence: 1, but in a cooperative game hardly anything.
        limit: Most coins that no tax takes.
        taxable: Share that coins above are worth.
        saved: What each coin is worth besides, for a ransom or a mission.
        save_up_to: So many coins are saved.
        hoard: What it is worth to have more than the limit, for the contract of those who pay a tax.
        mine: The player's influence.
        rival: The highest influence of another player.
        goal: Influence that ends the game.
        finish: Worth of ending the game for each influence of lead.
        wanted: What the player wants for missions; 0 in games without.
    """

    left: float
    coin: float
    influence: float
    limit: float
    taxable: float
    saved: float
    save_up_to: float
    hoard: float
    mine: float
    rival: float
    goal: float
    finish: float
    wanted: Any


@compiled
def look(game: Record, tables: Record, plan: PlanRecord, seat: int) -> Outlook:
    """The outlook of a player."""
    left = time_left(game, tables)
    coin = coin_worth(game, plan, left)
    wanted = look_at_missions(game, tables, plan, seat)
    saved, save_up_to = _savings(game, tables, plan, seat, wanted)
    hoard = _tax_worth(game, tables, plan, seat, wanted)
    return Outlook(
        left,
        coin,
        influence_worth(game, tables, plan, seat),
        float(tables.tax_from[0] - 1),
        1.0 if hoard > 0 or saved > 0 else float(plan.taxable),
        saved,
        save_up_to,
        0.4 * hoard,
        float(game.influence[seat]),
        float(best_other(game, seat)),
        _goal(game, tables),
        float(plan.finish),
        wanted,
    )


@with_adventure(
    lambda game, tables, plan, seat, wanted: (
        seeks_coins(game, tables, plan, seat) * SAVED / RANSOM,
        float(RANSOM),
    )
)
def _savings(game: Record, tables: Record, plan: PlanRecord, seat: int, wanted: Any) -> tuple[float, float]:
    """What each coin is worth besides, and how many are saved."""
    return wanted.saved, wanted.save_up_to


@with_adventure(lambda game, tables, plan, seat, wanted: seeks_tax(game, tables, plan, seat))
def _tax_worth(game: Record, tables: Record, plan: PlanRecord, seat: int, wanted: Any) -> float:
    """The worth of losing coins to a tax."""
    return float(wanted.tax)


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
    return _by_time_deck(game, tables, max(0.0, 1.0 - most / tables.goal))


@with_adventure(lambda game, tables, left: left)
def _by_month(game: Record, tables: Record, left: float) -> float:
    """A chapter that is played together ends with its last month; each month is a turn longer than the one before."""
    if tables.together == 0:
        return left
    turns = SLOTS * (tables.month_events + 1) + SLOTS * (SLOTS - 1) // 2
    return float(max(0.0, 1.0 - game.turn / turns))


@with_time_deck(lambda game, tables, left: _by_month(game, tables, left))
def _by_time_deck(game: Record, tables: Record, left: float) -> float:
    return float(min(1.0, game.time / USUAL_TIME_DECK))


@with_adventure(lambda game, tables: float(tables.goal))
def _goal_in_chapter(game: Record, tables: Record) -> float:
    return NEVER if tables.together == 1 else float(tables.goal)


@with_time_deck(lambda game, tables: _goal_in_chapter(game, tables))
def _goal(game: Record, tables: Record) -> float:
    """The influence that ends the game; unreachable in cooperative games, which influence does not end."""
    return NEVER


@with_adventure(lambda game, tables, plan, seat: 1.0)
def _influence_in_chapter(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """A team needs so much; what it has more is of no use."""
    if tables.together == 0:
        return 1.0
    missing = tables.victory_influence - team_influence(game)
    if missing <= 0:
        return float(plan.influence_beyond)
    pace = missing / (tables.victory_influence * max(0.05, _by_month(game, tables, 0.0)))
    return float(min(1.0, plan.team_influence * pace))


@with_time_deck(lambda game, tables, plan, seat: _influence_in_chapter(game, tables, plan, seat))
def influence_worth(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of one influence. In a cooperative game it only matters for one contract."""
    return seeks_influence(game, tables, plan, seat)


@with_adventure(1.0)
def _rivalry_in_chapter(game: Record, tables: Record) -> float:
    return -1.0 if tables.together == 1 else 1.0


@with_time_deck(lambda game, tables: _rivalry_in_chapter(game, tables))
def rivalry(game: Record, tables: Record) -> float:
    """What the gain of another player means: 1 if it speaks against an action, -1 in a team."""
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
    worth = view.coin * (safe + view.taxable * (purse - safe)) + view.saved * min(purse, view.save_up_to)
    return worth + view.hoard if purse > view.limit else worth


@compiled
def end_worth(view: Outlook, gained: float) -> float:
    """The value of ending the game by the influence gained: positive for a leading player."""
    if view.left == 0.0 or view.mine >= view.goal or view.mine + gained < view.goal:
        return 0.0
    return view.finish * max(-MOST_LEAD, min(MOST_LEAD, view.mine + gained - view.rival))
