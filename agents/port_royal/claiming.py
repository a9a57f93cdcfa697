"""Expeditions: the gain of claiming one, and the value of a symbol towards it."""

from __future__ import annotations

from agents.port_royal.contracts import claim_for_contract
from agents.port_royal.missions import claim_for_missions
from agents.port_royal.outlook import Outlook, PlanRecord, end_worth
from pr_env.compiling import compiled
from pr_env.port_royal.actions import claim_at, pay_jack_at, pay_match_at
from pr_env.port_royal.adventure.items import count_item
from pr_env.port_royal.adventure.names import FIRST_ITEM_SYMBOL, SPECIAL_ABILITY
from pr_env.port_royal.adventure.places import pay_special_at
from pr_env.port_royal.expeditions import first_kind
from pr_env.port_royal.extension import with_adventure
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
        have = count(game, seat, ability) + int(ability == one_more) + _count_special(game, seat, symbol)
        missing += max(0, tables.requires[expedition, symbol] - have)
    missing = max(0, missing - count(game, seat, JACK) - int(one_more == JACK))
    return missing + _missing_items(game, tables, seat, expedition)


@with_adventure(0)
def _count_special(game: Record, seat: int, symbol: int) -> int:
    """Persons of the adventure with a symbol."""
    return count(game, seat, SPECIAL_ABILITY[symbol])


@with_adventure(0)
def _missing_items(game: Record, tables: Record, seat: int, expedition: int) -> int:
    missing = 0
    for symbol in range(FIRST_ITEM_SYMBOL, tables.requires.shape[1]):
        wanted = tables.requires[expedition, symbol]
        if wanted > 0:
            missing += max(0, wanted - count_item(game, tables, seat, symbol - FIRST_ITEM_SYMBOL))
    return missing


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
    gain += claim_for_missions(game, tables, plan, view.wanted, expedition)
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
    """The matching person, or that of the adventure; a jack can still be used for any other symbol."""
    match = pay_match_at(game)
    if game.legal[match] != 0:
        return match
    special = _special_payment(game)
    return special if special >= 0 else pay_jack_at(game)


@with_adventure(-1)
def _special_payment(game: Record) -> int:
    return pay_special_at(game) if game.legal[pay_special_at(game)] != 0 else -1
