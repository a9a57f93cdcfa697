"""Expeditions: the active player discards persons with the symbols and takes the card and its coins."""

from __future__ import annotations

from pr_env.compiling import compiled
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
    """The expeditions on the table of which the player has the symbols, as bits; a jack stands in for any symbol."""
    found = 0
    jacks = count(game, seat, JACK)
    payers = jacks
    for symbol in range(NUM_SYMBOLS):
        payers += _count_matching(game, seat, symbol)
    if payers < tables.fewest_symbols:  # the usual case; without this line a decision takes 5 % longer
        return 0
    for expedition in range(game.expedition.shape[0]):
        missing = 0
        for symbol in range(NUM_SYMBOLS):
            missing += max(0, tables.requires[expedition, symbol] - _count_matching(game, seat, symbol))
        found |= int((game.expedition[expedition] == ON_TABLE) & (missing <= jacks)) << expedition
    return found


@compiled
def _count_matching(game: Record, seat: int, symbol: int) -> int:
    """Persons with a symbol, jacks apart."""
    return count(game, seat, SYMBOL_ABILITY[symbol])


@compiled
def claim(game: Record, tables: Record, expedition: int) -> int:
    """Begin a claim: the symbols are paid one by one."""
    game.pending = first_kind(game, tables) + expedition
    game.claimed_at = game.question
    game.only_jacks = 0
    for symbol in range(NUM_SYMBOLS):
        game.owed[symbol] = tables.requires[expedition, symbol]
    game.question = PAY
    return ASK


@compiled
def _symbol(game: Record) -> int:
    """The symbol that is to be paid now."""
    symbol = 0
    while game.owed[symbol] == 0:
        symbol += 1
    return symbol


@compiled
def may_pay_match(game: Record) -> bool:
    """With the matching person, unless a jack was paid for the same symbol before: every way is offered once."""
    symbol = _symbol(game)
    seat = game.player
    return game.only_jacks == 0 and count(game, seat, SYMBOL_ABILITY[symbol]) > 0 and _can_pay(game, symbol, 1, 0)


@compiled
def may_pay_jack(game: Record) -> bool:
    """With a jack, if all symbols can still be paid."""
    return count(game, game.player, JACK) > 0 and _can_pay(game, _symbol(game), 0, 1)


@compiled
def _can_pay(game: Record, symbol: int, matching: int, jacks: int) -> bool:
    """Whether the rest can be paid after one of this symbol is paid with a matching person or a jack."""
    seat = game.player
    missing = 0
    for other in range(symbol, NUM_SYMBOLS):
        owed = int(game.owed[other])
        have = count(game, seat, SYMBOL_ABILITY[other])
        if other == symbol:
            owed -= 1
            have -= matching
            if jacks == 1:  # from now on only jacks pay for this symbol
                have = 0
        missing += max(0, owed - have)
    return missing <= count(game, seat, JACK) - jacks


@compiled
def pay(game: Record, tables: Record, with_jack: bool) -> int:
    """A person leaves at each answer (R83); with the last one the expedition is the player's."""
    symbol = _symbol(game)
    _discard_person(game, tables, JACK if with_jack else SYMBOL_ABILITY[symbol])
    game.owed[symbol] -= 1
    game.only_jacks = 1 if with_jack and game.owed[symbol] > 0 else 0
    for other in range(symbol, NUM_SYMBOLS):
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
    return ASK


@compiled
def _discard_person(game: Record, tables: Record, ability: int) -> None:
    kind = 0
    while tables.ability[kind] != ability or game.display[game.player, kind] == 0:
        kind += 1
    leave(game, tables, game.player, kind)
    discard(game, kind)
