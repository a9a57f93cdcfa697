"""Phase 2, trade and hire: each player has a part, the active player first."""

from __future__ import annotations

from pr_env.compiling import compiled, inlined
from pr_env.port_royal import contracts, gambler
from pr_env.port_royal.adventure import events, missions, taking
from pr_env.port_royal.extension import with_adventure, with_contracts, with_gifts, with_merchants
from pr_env.port_royal.harbour import clear, count_cards, count_ships
from pr_env.port_royal.people import count, count_of_colour, gain_influence, join
from pr_env.port_royal.piles import cards_to_draw, discard, gain_coins, hand_coins, spend_coins
from pr_env.port_royal.sleep import wake_all
from pr_env.port_royal.stages import ASK, PART_BEGINS, TURN_ENDS
from pr_env.port_royal.state import END_OF_TURN, GAME_OVER, GIVE, NOTHING, TAKE
from pr_env.port_royal.tables import (
    ADMIRAL,
    ADMIRAL_CARDS,
    ADMIRAL_COINS,
    CLERK,
    FEE,
    GOVERNOR,
    GUNNER,
    JESTER,
    JESTER_COINS,
    MADEMOISELLE,
    MERCHANT,
    REFUSED_COLOURS,
    TAKES_BY_COLOURS,
    TRADER,
    VICE_ADMIRAL,
    VICE_ADMIRAL_CARDS,
)
from pr_env.port_royal.turns import next_seat
from pr_env.rules import Record


@inlined
def begin_part(game: Record, tables: Record) -> int:
    """Pay what the player's persons earn from the harbour, and set the number of takes."""
    seat = game.player
    is_active = seat == game.active
    cards, ships = count_cards(game), count_ships(game)
    coins = 0
    if cards >= ADMIRAL_CARDS:
        coins += ADMIRAL_COINS * count(game, seat, ADMIRAL)
    if cards == 0:
        coins += JESTER_COINS * count(game, seat, JESTER)
    if ships > 1:
        coins += (ships - 1) * count(game, seat, GUNNER)
    if cards in VICE_ADMIRAL_CARDS:
        coins += (1 if is_active else tables.vice_admiral_passive) * count(game, seat, VICE_ADMIRAL)
    gain_coins(game, seat, coins + taking.coins_of_part(game, tables, cards, ships))
    taking.begin_part(game, tables, cards)
    takes = 1 + count(game, seat, GOVERNOR)
    if is_active:
        takes += TAKES_BY_COLOURS[ships] - 1 + gambler.extra_takes(game) + events.extra_takes(game, tables)
    game.takes = max(0, takes)
    game.question = TAKE
    return ASK


@compiled
def fee(game: Record, tables: Record) -> int:
    """The cost of a card on top of its price: coins for the active player from all others."""
    return 0 if game.player == game.active or events.is_without_fee(game, tables) else FEE


# -- ships -------------------------------------------------------------------------------------------------------------


@inlined
def may_trade(game: Record, tables: Record, colour: int) -> bool:
    """A ship may be taken if the fee can be paid, if necessary from the coins that it actually brings (R4, R22)."""
    return (game.harbour_ship[colour] != NOTHING) & (game.takes > 0) & _can_pay_fee(game, tables, colour)


@with_merchants(lambda game, tables, colour: taking.can_pay_fee(game, tables, colour, fee(game, tables)))
def _can_pay_fee(game: Record, tables: Record, colour: int) -> bool:
    """Every ship pays at least one coin: there is a card for it, if only the ship itself, unless that goes under."""
    if game.purse[game.player] >= fee(game, tables) or cards_to_draw(game) > 0:
        return True
    return not _goes_under(game, tables, colour)


@compiled
def may_refuse(game: Record, tables: Record, which: int) -> bool:
    """Whether a ship may be taken without its coins: the fee is paid from the player's coins (R82)."""
    if game.harbour_ship[REFUSED_COLOURS[which]] == NOTHING or game.takes == 0:
        return False
    return game.purse[game.player] >= fee(game, tables) and contracts.may_refuse(game, tables, game.player, which)


@inlined
def trade(game: Record, tables: Record, colour: int) -> int:
    """The ship is discarded, its coins are drawn, and the fee is paid (R77)."""
    seat = game.player
    kind = _leave_harbour(game, tables, colour)
    if _goes_under(game, tables, colour):
        _lay_under(game, tables, kind)
    else:
        discard(game, kind)
    traders = count_of_colour(game, tables, seat, TRADER, colour)
    gain_coins(game, seat, tables.coins[kind] + traders + taking.more_coins(game, tables, seat, colour))
    taking.crowns_of_trade(game, tables, seat, kind)
    _pay_fee(game, tables)
    return _ask_to_give(game, tables, kind)


@compiled
def refuse(game: Record, tables: Record, which: int) -> int:
    """The ship is discarded without its coins, including those of traders, for a contract."""
    kind = _leave_harbour(game, tables, REFUSED_COLOURS[which])
    discard(game, kind)
    _pay_fee(game, tables)
    contracts.advance_refusal(game, tables, game.player, which)
    return _ask_to_give(game, tables, kind)


@compiled
def _leave_harbour(game: Record, tables: Record, colour: int) -> int:
    """Take a ship out of the harbour; a clerk of its colour gives one more take (R23)."""
    kind = int(game.harbour_ship[colour])
    game.harbour_ship[colour] = NOTHING
    game.takes += count_of_colour(game, tables, game.player, CLERK, colour) - 1
    _note_action(game)
    return kind


@compiled
def _pay_fee(game: Record, tables: Record) -> None:
    if game.player != game.active:
        hand_coins(game, game.player, game.active, fee(game, tables))


@compiled
def _note_action(game: Record) -> None:
    if game.player != game.active:
        game.acted = 1


@with_merchants(False)
def _goes_under(game: Record, tables: Record, colour: int) -> bool:
    """With a merchant of its colour, a traded ship is put under it; this is not optional (R25)."""
    return count_of_colour(game, tables, game.player, MERCHANT, colour) > 0


@with_merchants()
def _lay_under(game: Record, tables: Record, kind: int) -> None:
    game.under[game.player, kind - game.harbour.shape[0]] += 1
    gain_influence(game, tables, game.player, 1)


@with_gifts(ASK)
def _ask_to_give(game: Record, tables: Record, kind: int) -> int:
    """Ask which other player gets a coin of this ship; nobody in a solo game (R26)."""
    if tables.coins_other[kind] > 0 and game.players > 1 and game.question != GAME_OVER:
        game.gift = tables.coins_other[kind]
        game.question = GIVE
    return ASK


@with_gifts(ASK)
def give(game: Record, places: int) -> int:
    """The player this many places to the left gets the coin."""
    gain_coins(game, (game.player + places) % game.players, int(game.gift))
    game.gift = 0
    game.question = TAKE
    return ASK


# -- persons -----------------------------------------------------------------------------------------------------------


@compiled
def price(game: Record, tables: Record, kind: int) -> int:
    """The price of a person: each mademoiselle reduces it by one, but not below 0."""
    return max(0, tables.cost[kind] - _discount(game, tables))


@compiled
def _discount(game: Record, tables: Record) -> int:
    return count(game, game.player, MADEMOISELLE) + events.discount(game, tables)


@inlined
def highest_cost(game: Record, tables: Record) -> int:
    """The highest cost of a person that the player can hire, including the fee; NOTHING if none can be hired."""
    left = int(game.purse[game.player]) - fee(game, tables)
    if left < 0 or game.takes == 0:
        return NOTHING
    return left + _discount(game, tables)


@inlined
def may_hire(game: Record, tables: Record, kind: int, most: int) -> bool:
    """Whether a person is in the harbour and costs at most `highest_cost`."""
    return (game.harbour[kind] > 0) & (tables.cost[kind] <= most)


@inlined
def hire(game: Record, tables: Record, kind: int) -> int:
    """Pay the price, then the fee; then the person goes to the display (R76)."""
    spend_coins(game, game.player, price(game, tables, kind))
    _pay_fee(game, tables)
    game.harbour[kind] -= 1
    game.harbour_persons -= 1
    join(game, tables, game.player, kind)
    game.takes -= 1
    _note_action(game)
    return ASK


# -- items -------------------------------------------------------------------------------------------------------------


@with_adventure(ASK)
def keep(game: Record, tables: Record, colour: int) -> int:
    """The ship goes to the display as an item; the coins of traders are drawn, and the fee is paid (R77)."""
    taking.keep(game, tables, _leave_harbour(game, tables, colour))
    _pay_fee(game, tables)
    return ASK


@with_adventure(ASK)
def sell(game: Record, tables: Record, which: int) -> int:
    """An innkeeper buys an item."""
    taking.sell(game, tables, which)
    _note_action(game)
    return ASK


# -- the end of a part -------------------------------------------------------------------------------------------------


@with_adventure(ASK)
def _complete_mission(game: Record, tables: Record, slot: int) -> int:
    _note_action(game)
    return missions.begin_completing(game, tables, slot)


@with_contracts(lambda game, tables, place: _complete_mission(game, tables, place))
def complete(game: Record, tables: Record, place: int) -> int:
    """Complete a contract or a mission in one's own part or turn."""
    _note_action(game)
    contracts.complete(game, tables, game.player, place)
    return ASK


@inlined
def end_part(game: Record) -> int:
    """Begin the next player's part; after the last part, the rest of the harbour is discarded (R78)."""
    wake_all(game)
    game.takes = 0
    game.player = next_seat(game, game.player)
    if game.player != game.active:
        return PART_BEGINS
    clear(game)
    if game.acted == 0:
        return TURN_ENDS
    game.question = END_OF_TURN
    return ASK
