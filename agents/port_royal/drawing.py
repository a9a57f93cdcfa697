"""Phase 1: whether to draw, and which ships to repel, by the exact probabilities of the next card."""

from __future__ import annotations

from typing import NamedTuple

from agents.port_royal.claiming import claim_gain, missing_symbols
from agents.port_royal.contracts import bust_for_contract, colours_for_contracts, repel_for_contract
from agents.port_royal.missions import harbour_for_missions
from agents.port_royal.outlook import Outlook, PlanRecord, rivalry
from agents.port_royal.persons import hire_gain
from agents.port_royal.trading import income, ship_gain
from pr_env.compiling import compiled
from pr_env.port_royal.actions import DRAW, LET_IN, REPEL_SHIP, STOP, use_gambler_at
from pr_env.port_royal.adventure import events
from pr_env.port_royal.adventure.events import sabres_needed
from pr_env.port_royal.discover import doubles_colour
from pr_env.port_royal.expeditions import first_kind
from pr_env.port_royal.extension import with_adventure, with_gamblers
from pr_env.port_royal.gambler import extra_takes
from pr_env.port_royal.harbour import count_cards, count_ships
from pr_env.port_royal.people import count
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import (
    GOVERNOR,
    HALF_ROUNDED_DOWN,
    JESTER,
    TAKES_BY_COLOURS,
)
from pr_env.rules import Record


class Best(NamedTuple):
    """The three largest gains among the cards in the harbour; more are rarely taken."""

    first: float
    second: float
    third: float


@compiled
def _with(best: Best, gain: float) -> Best:
    """Add a card."""
    if gain > best.first:
        return Best(gain, best.first, best.second)
    if gain > best.second:
        return Best(best.first, gain, best.second)
    return Best(best.first, best.second, max(best.third, gain))


@compiled
def _sum(best: Best, takes: int) -> float:
    """The gain of a number of takes."""
    if takes <= 1:
        return best.first if takes == 1 else 0.0
    return best.first + best.second + (best.third if takes > 2 else 0.0)


class Chances(NamedTuple):
    """Expected gains of the active player.

    Attributes:
        stop: The gain of stopping now.
        draw: The mean gain of drawing one more card and then stopping.
    """

    stop: float
    draw: float


@compiled
def _copies_face_down(game: Record, kind: int) -> int:
    return int(game.unseen[kind]) if game.deck > 0 else int(game.discard[kind])


@with_adventure(_copies_face_down)
def copies_next(game: Record, kind: int) -> int:
    """Of how many cards that may come next as many as this are of a kind; a lookout may have shown which one it is."""
    if game.top != NOTHING and game.top_owner == game.active:
        return int(game.top == kind)
    return _copies_face_down(game, kind)


@compiled
def bust_chance(game: Record, tables: Record) -> float:
    """The exact probability that the next card is a bust: a ship of a colour in the harbour that cannot be repelled."""
    sabres = game.sabres[game.active]
    busts, total = 0, 0
    for kind in range(game.unseen.shape[0]):
        copies = copies_next(game, kind)
        total += copies
        if game.harbour.shape[0] <= kind < first_kind(game, tables) and doubles_colour(game, tables, kind):
            if tables.repellable[kind] == 0 or sabres < sabres_needed(game, tables, kind):
                busts += copies
    return busts / max(1, total)


@compiled
def _harbour_worth(
    game: Record, tables: Record, plan: PlanRecord, view: Outlook, cards: int, ships: int, takes: int
) -> float:
    """The value of a harbour of this size apart from the takes: own income, less that of the others."""
    me = game.active
    mine = float(income(game, tables, me, cards, ships))
    theirs = 0.0
    for place in range(1, game.players):
        seat = (me + place) % game.players
        theirs += income(game, tables, seat, max(0, cards - takes), max(0, ships - 1))
    left = max(0, cards - takes)
    others = rivalry(game, tables) * plan.envy * theirs / max(1, game.players - 1)
    return float(view.coin * (mine - others) + plan.left_for_others * left)


@compiled
def weigh(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> Chances:
    """The values of stopping and drawing to the active player."""
    me = game.active
    cards, ships = count_cards(game), count_ships(game)
    more_takes = count(game, me, GOVERNOR) + extra_takes(game) + events.extra_takes(game, tables)
    takes = max(0, TAKES_BY_COLOURS[ships] + more_takes)
    purse = float(game.purse[me]) + income(game, tables, me, cards, ships)
    best = Best(0.0, 0.0, 0.0)
    richest = 0.0
    for colour in range(game.harbour_ship.shape[0]):
        kind = int(game.harbour_ship[colour])
        if kind != NOTHING:
            best = _with(best, ship_gain(game, tables, plan, view, me, kind, purse))
            richest = max(richest, float(tables.coins[kind]))
    if takes > 1:  # a ship can pay for a person
        purse += richest
    for kind in range(game.harbour.shape[0]):
        if game.harbour[kind] > 0:
            gain = hire_gain(game, tables, plan, view, me, kind, purse)
            best = _with(best, gain)
            if game.harbour[kind] > 1:
                best = _with(best, gain)
    stop = _sum(best, takes) + _harbour_worth(game, tables, plan, view, cards, ships, takes)

    # Then each possible next card.
    takes_with_ship = TAKES_BY_COLOURS[min(ships + 1, game.harbour_ship.shape[0])]
    takes_with_ship = max(0, takes_with_ship + more_takes)
    with_person = _harbour_worth(game, tables, plan, view, cards + 1, ships, takes)
    with_person += harbour_for_missions(game, tables, plan, view.wanted, 0, cards + 1)
    with_ship = _harbour_worth(game, tables, plan, view, cards + 1, ships + 1, takes_with_ship)
    with_ship += colours_for_contracts(game, tables, plan, ships + 1)
    with_ship += harbour_for_missions(game, tables, plan, view.wanted, ships + 1, cards + 1)
    after_bust = _bust_worth(game, tables, plan, view)
    expeditions = first_kind(game, tables)
    taxes = game.unseen.shape[0] - tables.tax_from.shape[0]
    sabres = game.sabres[me]
    total, worth = 0, 0.0
    for kind in range(game.unseen.shape[0]):
        copies = copies_next(game, kind)
        if copies == 0:
            continue
        total += copies
        value = stop
        if kind < game.harbour.shape[0]:
            value = with_person + _sum(_with(best, hire_gain(game, tables, plan, view, me, kind, purse)), takes)
        elif kind < expeditions:
            can_repel = tables.repellable[kind] == 1 and sabres >= sabres_needed(game, tables, kind)
            if game.harbour_ship[tables.colour[kind]] == NOTHING:
                gain = ship_gain(game, tables, plan, view, me, kind, purse)
                value = with_ship + _sum(_with(best, gain), takes_with_ship)
                if can_repel:
                    value = max(value, stop)
            elif not can_repel:
                value = after_bust
        elif kind < taxes:
            expedition = kind - expeditions
            if missing_symbols(game, tables, me, expedition, NOTHING) == 0:
                value = stop + max(0.0, claim_gain(game, tables, plan, view, me, expedition))
        else:
            value = stop + _tax_worth(game, tables, view, kind - taxes)
        worth += copies * value
    return Chances(stop, worth / total if total > 0 else stop)


@compiled
def _bust_worth(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> float:
    """The value of a bust: coins for jesters, and possibly a contract."""
    me = game.active
    coins = float(count(game, me, JESTER))
    for seat in range(game.players):
        if seat != me:
            coins -= rivalry(game, tables) * plan.envy * count(game, seat, JESTER) / max(1, game.players - 1)
    return float(view.coin * coins + bust_for_contract(game, tables, plan))


@compiled
def _tax_worth(game: Record, tables: Record, view: Outlook, tax: int) -> float:
    """The value of a tax to the active player: lost coins, or the contract for losing them."""
    purse = int(game.purse[game.active])
    if purse < tables.tax_from[tax]:
        return 0.0
    after = purse - purse // 2 if tables.tax_rule[tax] == HALF_ROUNDED_DOWN else int(view.limit)
    return 2.5 * view.hoard + view.coin * (after - purse)


@compiled
def _must_gain(game: Record, tables: Record, view: Outlook) -> bool:
    """Whether this is the player's last turn and nothing in the harbour is enough to catch up."""
    if game.end_flag == 0 or view.mine > view.rival:
        return False
    gain = 0
    for kind in range(game.harbour.shape[0]):
        if game.harbour[kind] > 0 and tables.cost[kind] <= game.purse[game.active]:
            gain = max(gain, tables.influence[kind])
    return bool(view.mine + gain < view.rival)


@compiled
def choose_draw(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> int:
    """Draw or stop; a gambler is used while there are few ships."""
    gambler = choose_gambler(game, plan)
    if gambler >= 0:
        return gambler
    if game.legal[STOP] == 0:
        return DRAW
    if game.legal[DRAW] == 0:
        return STOP
    if count_ships(game) == 0:  # no colour can be repeated
        return DRAW
    bust = bust_chance(game, tables)
    if bust > plan.risk:
        return DRAW if bust < 1.0 and _must_gain(game, tables, view) else STOP
    chances = weigh(game, tables, plan, view)
    if chances.draw > chances.stop or _must_gain(game, tables, view):
        return DRAW
    return DRAW if bust > 0.0 and chances.draw + plan.boldness > chances.stop else STOP


@with_gamblers(-1)
def choose_gambler(game: Record, plan: PlanRecord) -> int:
    """Whether to use a gambler; -1 if not."""
    action = use_gambler_at(game)
    return action if game.legal[action] != 0 and count_ships(game) <= plan.gambler_ships else -1


@compiled
def choose_repel(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> int:
    """Let a ship in if the harbour is better with it; a repeated colour only if a bust is wanted."""
    kind = int(game.pending)
    colour = tables.colour[kind]
    if doubles_colour(game, tables, kind) and bust_for_contract(game, tables, plan) == 0.0:
        return REPEL_SHIP
    without = _prospect(game, tables, plan, view) + repel_for_contract(game, tables, plan, colour)
    if doubles_colour(game, tables, kind):
        wanted = _bust_worth(game, tables, plan, view) > without
        return LET_IN if wanted and game.legal[LET_IN] != 0 else REPEL_SHIP
    game.harbour_ship[colour] = kind
    inside = _prospect(game, tables, plan, view) + colours_for_contracts(game, tables, plan, count_ships(game))
    inside += harbour_for_missions(game, tables, plan, view.wanted, count_ships(game), count_cards(game))
    game.harbour_ship[colour] = NOTHING
    return LET_IN if inside > without else REPEL_SHIP


@compiled
def _prospect(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> float:
    """The value of the harbour to the active player, who can stop or keep drawing."""
    chances = weigh(game, tables, plan, view)
    if bust_chance(game, tables) > plan.risk:
        return chances.stop
    return float(max(chances.stop, chances.draw + plan.boldness))
