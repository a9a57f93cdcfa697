"""Expeditions: the gain of claiming one, and the value of a symbol towards it."""

from __future__ import annotations

from agents.port_royal.contracts import claim_for_contract
from agents.port_royal.outlook import Outlook, PlanRecord, end_worth
from pr_env.compiling import compiled
from pr_env.port_royal.actions import claim_at, pay_jack_at, pay_match_at
from pr_env.port_royal.expeditions import first_kind
from pr_env.port_royal.people import count, has_expedition
from pr_env.port_royal.state import ON_TABLE, OWNED
from pr_env.port_royal.tables import CAPTAIN, JACK, NUM_SYMBOLS, PRIEST, SETTLER, SYMBOL_ABILITY
from pr_env.rules import Record

KEY_TO_THE_WIN = 3.0  # value of the first expedition if only players with an expedition can win


@compiled
def missing_symbols(game: Record, tables: Record, seat: int, expedition: int, one_more: int) -> int:
    """The number of symbols that a player would still need for an expedition, with one more person of an ability."""
    missing = 0
    for symbol in range(NUM_SYMBOLS):
        ability = SYMBOL_ABILITY[symbol]
        have = count(game, seat, ability) + int(ability == one_more)
        missing += max(0, tables.requires[expedition, symbol] - have)
    return max(0, missing - count(game, seat, JACK) - int(one_more == JACK))


@compiled
def claim_gain(game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, expedition: int) -> float:
    """The gain of an expedition: its influence and coins, less the influence of the persons paid for it."""
    kind = first_kind(game, tables) + expedition
    persons = 0
    for symbol in range(NUM_SYMBOLS):
        persons += tables.requires[expedition, symbol]
    gained = float(tables.influence[kind] - persons)
    gain = view.influence * gained + view.coin * tables.coins[kind] + end_worth(view, gained)
    if tables.needs_expedition == 1 and not has_expedition(game, seat):
        gain += KEY_TO_THE_WIN
    return float(gain + claim_for_contract(game, tables, plan, seat))


@compiled
def symbol_worth(game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, ability: int) -> float:
    """The value of one more person of an ability for the expedition that it helps most."""
    if ability != CAPTAIN and ability != PRIEST and ability != SETTLER and ability != JACK:
        return 0.0
    best = 0.0
    for expedition in range(game.expedition.shape[0]):
        place = game.expedition[expedition]
        if place >= OWNED or (place != ON_TABLE and not _is_unseen(game, tables, expedition)):
            continue
        after = missing_symbols(game, tables, seat, expedition, ability)
        if after == missing_symbols(game, tables, seat, expedition, -1):
            continue
        worth = plan.expedition * claim_gain(game, tables, plan, view, seat, expedition) * plan.symbol_missing**after
        if place != ON_TABLE:
            worth *= plan.undiscovered * view.left
        elif after > 0 and view.left == 0.0:
            worth = 0.0
        best = max(best, worth)
    return best


@compiled
def _is_unseen(game: Record, tables: Record, expedition: int) -> bool:
    """Whether an expedition can still be drawn; that for five players is on the table from the start, or removed."""
    kind = first_kind(game, tables) + expedition
    return bool(tables.min_players[kind] == 0)


@compiled
def choose_claim(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> int:
    """The legal claim with the highest gain; -1 if no gain is positive."""
    best, choice = 0.0, -1
    for expedition in range(game.expedition.shape[0]):
        if game.legal[claim_at(game) + expedition] != 0:
            gain = claim_gain(game, tables, plan, view, int(game.player), expedition)
            if gain > best:
                best, choice = gain, claim_at(game) + expedition
    return choice


@compiled
def choose_payment(game: Record) -> int:
    """Pay with the matching person, since a jack can still replace any other."""
    match = pay_match_at(game)
    return match if game.legal[match] != 0 else pay_jack_at(game)
