"""The sleep set of the adventure (see ``sleep.py``): missions, sales, items and characters have more dependencies.

The rank is complete, claim, sell, trade or keep, hire, stop.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.actions import COMPLETE, STOP, claim_at, hire_at, keep_at, pay_match_at, trade_at
from pr_env.port_royal.adventure.items import item_of
from pr_env.port_royal.adventure.names import (
    ARES,
    ARES_PERSONS,
    AS_ADMIRAL,
    AS_CROWN_TRADER,
    AS_MADEMOISELLE,
    AS_TRADER,
    BOOK,
    DISCARD_ARES,
    DISCARD_CROWNS,
    EXPEDITION_CROWNS,
    FIRST_DISCARDED_ITEM,
    FIRST_ITEM_SYMBOL,
    HAVE_CAPTAIN,
    HERBS,
    INNKEEPER,
    NO_ITEM,
    PAID_FOR_SHIPS,
    SALES,
    SOLD,
    SPECIAL_ABILITY,
)
from pr_env.port_royal.adventure.places import sell_at
from pr_env.port_royal.people import count
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import JACK, MADEMOISELLE, NUM_SYMBOLS, SYMBOL_ABILITY, TRADER
from pr_env.rules import Record


@compiled
def fall_asleep(game: Record, tables: Record, chosen: int) -> None:
    """After a choice, offered actions with a lower rank fall asleep, and actions that depend on the choice wake."""
    trades, end = trade_at(game), pay_match_at(game)
    no_takes = chosen == STOP or (trades <= chosen < end and game.takes < 2)
    for place in range(game.asleep.shape[0]):
        action = _action(game, place)
        if no_takes and trades <= action < end:
            game.asleep[place] = 0
            continue
        passed_over = game.legal[action] == 1 and _rank(game, action) < _rank(game, chosen)
        if game.asleep[place] == 1 or passed_over:
            game.asleep[place] = _independent(game, tables, action, chosen)


@compiled
def _action(game: Record, place: int) -> int:
    sales = game.asleep.shape[0] - SALES
    return COMPLETE + place if place < sales else sell_at(game) + place - sales


@compiled
def _rank(game: Record, action: int) -> int:
    sells = sell_at(game)
    if sells <= action < sells + SALES:  # between claims and trades
        return 4 * trade_at(game) - SALES + action - sells
    return 4 * (pay_match_at(game) if action == STOP else action)


@compiled
def _independent(game: Record, tables: Record, sleeper: int, chosen: int) -> bool:
    """Whether the sleeper has the same effect after the choice as before it."""
    if sleeper == chosen:
        return False
    claims = claim_at(game)
    if COMPLETE <= sleeper < claims:
        return _independent_of_mission(game, tables, sleeper - COMPLETE, chosen, True)
    if COMPLETE <= chosen < claims:
        return _independent_of_mission(game, tables, chosen - COMPLETE, sleeper, False)
    sells = sell_at(game)
    if sells <= sleeper < sells + SALES:
        return _independent_of_sale(game, tables, sleeper - sells, chosen)
    if sells <= chosen < sells + SALES:
        return _independent_of_sale(game, tables, chosen - sells, sleeper)
    if chosen == STOP:
        return True
    if sleeper < trade_at(game):
        return _independent_of_claim(game, tables, sleeper - claims, chosen)
    if chosen < trade_at(game):
        return _independent_of_claim(game, tables, chosen - claims, sleeper)
    return _independent_takes(game, tables, sleeper, chosen)


@compiled
def _independent_of_mission(game: Record, tables: Record, slot: int, other: int, mission_sleeps: bool) -> bool:
    """A completion depends on its costs and, if it uncovers the character's ability, on what that affects."""
    mission = int(game.mission[slot])
    sells = sell_at(game)
    if sells <= other < sells + SALES:
        return True
    claims, trades, hires = claim_at(game), trade_at(game), hire_at(game)
    if tables.spend[mission, DISCARD_CROWNS] > 0:  # influence falls: having enough before must be possible
        return False
    if COMPLETE <= other < claims:
        return tables.spend[game.mission[other - COMPLETE], DISCARD_CROWNS] == 0
    uncovers = NOTHING
    if game.uncovered[game.player] == 0:
        uncovers = int(tables.character_ability[game.character[game.player]])
    if other == STOP:
        return uncovers != AS_ADMIRAL and uncovers != PAID_FOR_SHIPS
    if other < trades:
        return uncovers != EXPEDITION_CROWNS and (mission_sleeps or not _share_symbol(tables, mission, other - claims))
    if other >= hires:
        return uncovers != AS_MADEMOISELLE
    colour = _colour(game, other)
    if uncovers in (AS_TRADER, AS_CROWN_TRADER) and (tables.character_colour[game.character[game.player]] == colour):
        return False
    item = _kept_item(game, tables, other)
    return item == NO_ITEM or not _spends(tables, mission, item)


@compiled
def _share_symbol(tables: Record, mission: int, expedition: int) -> bool:
    """Whether a claim discards what a mission asks for, so that it could not have come first."""
    for symbol in range(NUM_SYMBOLS):
        if tables.have[mission, HAVE_CAPTAIN + symbol] > 0 and tables.requires[expedition, symbol] > 0:
            return True
    return False


@compiled
def _spends(tables: Record, mission: int, item: int) -> bool:
    """Whether a mission discards an item: a ship kept before it may be a different one than after it."""
    if (item in (BOOK, HERBS)) and tables.spend[mission, DISCARD_ARES] > 0:
        return True
    return bool(tables.spend[mission, FIRST_DISCARDED_ITEM + item] > 0)


@compiled
def _independent_of_sale(game: Record, tables: Record, which: int, other: int) -> bool:
    """A sale depends on the buyer and on the ship that is sold."""
    if hire_at(game) <= other < pay_match_at(game):
        return tables.ability[other - hire_at(game)] != INNKEEPER
    return _kept_item(game, tables, other) != SOLD[which]


@compiled
def _independent_of_claim(game: Record, tables: Record, expedition: int, other: int) -> bool:
    trades, hires = trade_at(game), hire_at(game)
    if other < trades:
        return True
    if other >= hires:
        return not _has_symbol_of(tables, other - hires, expedition)
    if _colour(game, other) == ARES:
        for symbol in range(NUM_SYMBOLS):
            if tables.requires[expedition, symbol] > 0 and count(game, game.player, SPECIAL_ABILITY[symbol]) > 0:
                return False
    item = _kept_item(game, tables, other)
    return item == NO_ITEM or tables.requires[expedition, FIRST_ITEM_SYMBOL + item] == 0


@compiled
def _has_symbol_of(tables: Record, person: int, expedition: int) -> bool:
    ability = tables.ability[person]
    if ability == JACK:
        return True
    for symbol in range(NUM_SYMBOLS):
        if tables.requires[expedition, symbol] > 0 and (
            ability == SYMBOL_ABILITY[symbol] or ability == SPECIAL_ABILITY[symbol]
        ):
            return True
    return False


@compiled
def _independent_takes(game: Record, tables: Record, sleeper: int, chosen: int) -> bool:
    hires = hire_at(game)
    if sleeper < hires and chosen < hires:
        return True
    if sleeper < hires:
        return not _works_for(tables, chosen - hires, _colour(game, sleeper))
    if chosen < hires:
        return not _works_for(tables, sleeper - hires, _colour(game, chosen))
    return tables.ability[sleeper - hires] != MADEMOISELLE and tables.ability[chosen - hires] != MADEMOISELLE


@compiled
def _works_for(tables: Record, person: int, colour: int) -> bool:
    """Whether a person changes what a ship of a colour brings."""
    ability = tables.ability[person]
    if ability == TRADER:
        return bool(tables.colour[person] == colour)
    return colour == ARES and ability in ARES_PERSONS


@compiled
def _colour(game: Record, action: int) -> int:
    """The colour of the ship that an action trades or keeps."""
    return action - keep_at(game) if action >= keep_at(game) else action - trade_at(game)


@compiled
def _kept_item(game: Record, tables: Record, action: int) -> int:
    """The item that an action keeps, or NO_ITEM for other actions."""
    if keep_at(game) <= action < hire_at(game):
        return item_of(tables, int(game.harbour_ship[action - keep_at(game)]))
    return NO_ITEM
