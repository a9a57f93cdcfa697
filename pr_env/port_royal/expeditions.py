"""Expeditions: the active player discards persons with the right symbols, and takes the card and its coins."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.characters import pay_for_claim
from pr_env.port_royal.adventure.items import discard_item, has_items_for
from pr_env.port_royal.adventure.names import FIRST_ITEM_SYMBOL, SPECIAL_ABILITY
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.people import count, gain_influence, leave
from pr_env.port_royal.piles import discard, gain_coins
from pr_env.port_royal.stages import ASK
from pr_env.port_royal.state import NOTHING, ON_TABLE, OWNED, PAY
from pr_env.port_royal.tables import JACK, NUM_SYMBOLS, SYMBOL_ABILITY
from pr_env.rules import Record


@compiled
def first_kind(game: Record, tables: Record) -> int:
    """The kind of the first expedition."""
    return game.unseen.shape[0] - tables.tax_from.shape[0] - game.expedition.shape[0]


@compiled
def claimable(game: Record, tables: Record, seat: int) -> int:
    """The expeditions on the table for which the player has the symbols, as bits; a jack stands in for any symbol."""
    found = 0
    jacks = count(game, seat, JACK)
    payers = jacks
    for symbol in range(NUM_SYMBOLS):
        payers += _count_matching(game, seat, symbol)
    if payers < tables.fewest_symbols:  # the usual case; without this check a decision takes 5 % longer
        return 0
    for expedition in range(game.expedition.shape[0]):
        missing = 0
        for symbol in range(NUM_SYMBOLS):
            missing += max(0, tables.requires[expedition, symbol] - _count_matching(game, seat, symbol))
        may = (game.expedition[expedition] == ON_TABLE) & (missing <= jacks)
        found |= int(may & has_items_for(game, tables, seat, expedition)) << expedition
    return found


@with_adventure(0)
def _count_special(game: Record, seat: int, symbol: int) -> int:
    """Persons of the adventure with a symbol."""
    return count(game, seat, SPECIAL_ABILITY[symbol])


@compiled
def _count_matching(game: Record, seat: int, symbol: int) -> int:
    """Persons with a symbol, not counting jacks."""
    return count(game, seat, SYMBOL_ABILITY[symbol]) + _count_special(game, seat, symbol)


@compiled
def claim(game: Record, tables: Record, expedition: int) -> int:
    """Begin a claim; the symbols are paid one by one."""
    game.pending = first_kind(game, tables) + expedition
    game.claimed_at = game.question
    game.only_jacks = 0
    for symbol in range(game.owed.shape[0]):
        game.owed[symbol] = tables.requires[expedition, symbol]
    game.question = PAY
    return ASK


@compiled
def _symbol(game: Record) -> int:
    """The symbol to be paid next."""
    symbol = 0
    while game.owed[symbol] == 0:
        symbol += 1
    return symbol


@compiled
def may_pay_match(game: Record) -> bool:
    """Whether a matching person can pay; not after a jack for the same symbol, so that every way is offered once."""
    symbol = _symbol(game)
    seat = game.player
    if symbol >= NUM_SYMBOLS:  # an item, which the player has
        return True
    if game.only_jacks == 1 or _only_special(game) or count(game, seat, SYMBOL_ABILITY[symbol]) == 0:
        return False
    return _can_pay(game, symbol, 1, 0)


@compiled
def may_pay_jack(game: Record) -> bool:
    """Whether a jack can pay, if all symbols can still be paid."""
    symbol = _symbol(game)
    return symbol < NUM_SYMBOLS and count(game, game.player, JACK) > 0 and _can_pay(game, symbol, 0, 1)


@with_adventure(False)
def may_pay_special(game: Record) -> bool:
    """Whether a person of the adventure can pay; not after a jack paid for the same symbol."""
    symbol = _symbol(game)
    if symbol >= NUM_SYMBOLS or game.only_jacks == 1 or _count_special(game, game.player, symbol) == 0:
        return False
    # From now on, matching persons do not pay for the same symbol.
    return _can_pay(game, symbol, 1 + count(game, game.player, SYMBOL_ABILITY[symbol]), 0)


@with_adventure(False)
def _only_special(game: Record) -> bool:
    return game.only_special == 1


@compiled
def _can_pay(game: Record, symbol: int, matching: int, jacks: int) -> bool:
    """Whether the rest can be paid after one of this symbol is paid with matching persons or jacks."""
    seat = game.player
    missing = 0
    for other in range(symbol, NUM_SYMBOLS):
        owed = int(game.owed[other])
        have = count(game, seat, SYMBOL_ABILITY[other]) + _count_special(game, seat, other)
        if other == symbol:
            owed -= 1
            have -= matching
            if jacks == 1:  # from now on, only jacks pay for this symbol
                have = 0
        missing += max(0, owed - have)
    return missing <= count(game, seat, JACK) - jacks


@compiled
def pay(game: Record, tables: Record, with_jack: bool) -> int:
    """Discard one person per answer (R83); with the last one, the player gets the expedition."""
    symbol = _symbol(game)
    if symbol < NUM_SYMBOLS:
        _discard_person(game, tables, JACK if with_jack else SYMBOL_ABILITY[symbol])
    else:
        discard_item(game, tables, game.player, symbol - FIRST_ITEM_SYMBOL)
    game.owed[symbol] -= 1
    game.only_jacks = 1 if with_jack and game.owed[symbol] > 0 else 0
    _note_special(game, False, symbol)
    return _go_on(game, tables, symbol)


@with_adventure(ASK)
def pay_special(game: Record, tables: Record) -> int:
    """The same with a person of the adventure."""
    symbol = _symbol(game)
    _discard_person(game, tables, SPECIAL_ABILITY[symbol])
    game.owed[symbol] -= 1
    _note_special(game, True, symbol)
    return _go_on(game, tables, symbol)


@with_adventure()
def _note_special(game: Record, paid: bool, symbol: int) -> None:
    """Every way is offered once: matching persons, then those of the adventure, then jacks."""
    game.only_special = 1 if paid and game.owed[symbol] > 0 else 0


@compiled
def _go_on(game: Record, tables: Record, symbol: int) -> int:
    """Go on to the next symbol, or give the expedition."""
    for other in range(symbol, game.owed.shape[0]):
        if game.owed[other] > 0:
            return ASK
    kind = int(game.pending)
    expedition = kind - first_kind(game, tables)
    game.pending = NOTHING
    game.question = game.claimed_at
    game.claimed_at = 0
    game.expedition[expedition] = OWNED + game.player
    gain_influence(game, tables, game.player, tables.influence[kind])
    gain_coins(game, game.player, tables.coins[kind])
    pay_for_claim(game, tables, game.player)
    return ASK


@compiled
def _discard_person(game: Record, tables: Record, ability: int) -> None:
    kind = 0
    while tables.ability[kind] != ability or game.display[game.player, kind] == 0:
        kind += 1
    leave(game, tables, game.player, kind)
    discard(game, kind)
