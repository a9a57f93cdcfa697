"""Taxes: the rich lose coins, then some get a bonus."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal import contracts
from pr_env.port_royal.adventure import missions
from pr_env.port_royal.cooperative import ask_to_set_aside
from pr_env.port_royal.piles import discard, gain_coins, spend_coins
from pr_env.port_royal.stages import TAX_LOSSES_PAID
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import DOWN_TO, HALF_ROUNDED_DOWN, MAX_SABRES
from pr_env.rules import Record


@compiled
def _place(game: Record, tables: Record, kind: int) -> int:
    """The index of the tax."""
    return kind - (game.unseen.shape[0] - tables.tax_from.shape[0])


@compiled
def levy(game: Record, tables: Record, kind: int) -> int:
    """Everybody with too many coins loses some, the active player first, then clockwise (R6)."""
    game.pending = kind
    tax = _place(game, tables, kind)
    for place in range(game.players):
        seat = (game.active + place) % game.players
        coins = int(game.purse[seat])
        if coins >= tables.tax_from[tax]:
            lost = coins // 2 if tables.tax_rule[tax] == HALF_ROUNDED_DOWN else coins - DOWN_TO
            spend_coins(game, seat, lost)
            if lost > 0:
                contracts.ask_taxed(game, seat)
                missions.ask_taxed(game, seat)
    return TAX_LOSSES_PAID


@compiled
def pay_bonus(game: Record, tables: Record) -> int:
    """Pay the bonus last, so that it is never taxed (R12). The tax is discarded once it is resolved (R5)."""
    kind = int(game.pending)
    tax = _place(game, tables, kind)
    for place in range(game.players):
        seat = (game.active + place) % game.players
        if _gets_bonus(game, tables, tax, seat):
            gain_coins(game, seat, tables.bonus_coins[tax])
    game.pending = NOTHING
    discard(game, kind)
    return ask_to_set_aside(game)


@compiled
def _gets_bonus(game: Record, tables: Record, tax: int, seat: int) -> bool:
    """Everyone tied for most sabres, or for least influence; zero counts."""
    for other in range(game.players):
        if tables.tax_bonus[tax] == MAX_SABRES:
            if game.sabres[other] > game.sabres[seat]:
                return False
        elif game.influence[other] < game.influence[seat]:
            return False
    return True
