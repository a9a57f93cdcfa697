"""Phase 1, discover: draw cards one by one and stop in time."""

from __future__ import annotations

from pr_env.compiling import compiled, inlined
from pr_env.port_royal import contracts, gambler, taxes
from pr_env.port_royal.adventure import missions
from pr_env.port_royal.adventure.characters import coins_for_bust
from pr_env.port_royal.adventure.events import sabres_needed
from pr_env.port_royal.cooperative import first_card_is_time_card
from pr_env.port_royal.harbour import clear, count_cards
from pr_env.port_royal.people import count
from pr_env.port_royal.piles import discard, gain_coins, turn_up, turn_up_time_card
from pr_env.port_royal.sleep import wake_all
from pr_env.port_royal.stages import ASK, BUSTED, CARD_DONE, CARD_ENTERED, PART_BEGINS
from pr_env.port_royal.state import DISCOVER, END_OF_TURN, NOTHING, ON_TABLE, REPEL
from pr_env.port_royal.tables import JESTER, JESTER_COINS
from pr_env.rules import Record


@inlined
def draw_card(game: Record, tables: Record) -> int:
    """Draw a card."""
    return meet_card(game, tables, turn_up_time_card(game) if first_card_is_time_card(game) else turn_up(game))


@inlined
def meet_card(game: Record, tables: Record, kind: int) -> int:
    """Handle the card turned up: a person, a ship, an expedition or a tax."""
    game.drawn += 1
    ship = game.harbour.shape[0]
    expedition = kind - (game.unseen.shape[0] - tables.tax_from.shape[0] - game.expedition.shape[0])
    if kind < ship:
        game.harbour[kind] += 1
        game.harbour_persons += 1
        return CARD_ENTERED
    if expedition < 0:
        return _meet_ship(game, tables, kind)
    if expedition < game.expedition.shape[0]:
        game.expedition[expedition] = ON_TABLE
        return CARD_DONE
    return taxes.levy(game, tables, kind)


@inlined
def _meet_ship(game: Record, tables: Record, kind: int) -> int:
    """With enough sabres, the active player may repel the ship, but not during a gambler's four draws."""
    if gambler.is_drawing(game):
        return gambler.moor(game, tables, kind)
    if tables.repellable[kind] == 1 and game.sabres[game.active] >= sabres_needed(game, tables, kind):
        game.pending = kind
        game.question = REPEL
        game.player = game.active
        return ASK
    return _moor(game, tables, kind)


@compiled
def doubles_colour(game: Record, tables: Record, kind: int) -> bool:
    """Whether there is a ship of this colour in the harbour."""
    return game.harbour_ship[tables.colour[kind]] != NOTHING


@compiled
def _moor(game: Record, tables: Record, kind: int) -> int:
    """A ship enters the harbour; a second one of its colour is a bust."""
    if doubles_colour(game, tables, kind):
        discard(game, kind)
        return BUSTED
    game.harbour_ship[tables.colour[kind]] = kind
    return CARD_ENTERED


@compiled
def repel(game: Record, tables: Record) -> int:
    """The ship goes to the discard pile. Sabres are not used up."""
    kind = int(game.pending)
    game.pending = NOTHING
    if not contracts.keep_repelled(game, tables, kind):
        discard(game, kind)
    return CARD_DONE


@compiled
def let_in(game: Record, tables: Record) -> int:
    """The ship enters the harbour although it could have been repelled."""
    kind = int(game.pending)
    game.pending = NOTHING
    return _moor(game, tables, kind)


@inlined
def card_entered(game: Record, tables: Record) -> int:
    """A person or a ship entered the harbour. A gambler's draws are checked together, after the last one."""
    if not gambler.is_drawing(game) and contracts.ask_about_colours(game, tables):
        return ASK
    return ASK if missions.ask_about_harbour(game, tables) else CARD_DONE


@inlined
def go_on(game: Record) -> int:
    """After a card without a bust: draw another, or stop."""
    if gambler.is_drawing(game):
        return gambler.go_on(game)
    game.question = DISCOVER
    game.player = game.active
    return ASK


@inlined
def bust(game: Record, tables: Record) -> int:
    """The harbour is discarded and everybody is paid for jesters; there is no phase 2."""
    gambler.discard_doubles(game)
    more = coins_for_bust(game, tables, count_cards(game) + 1)  # the doubling ship is already discarded
    clear(game)
    for place in range(game.players):
        seat = (game.active + place) % game.players
        gain_coins(game, seat, JESTER_COINS * count(game, seat, JESTER) + (more if place == 0 else 0))
    return ASK if contracts.ask_after_bust(game, tables) else end_of_turn(game)


@compiled
def end_of_turn(game: Record) -> int:
    """Give the active player a last chance to claim and complete."""
    wake_all(game)
    game.question = END_OF_TURN
    game.player = game.active
    return ASK


@inlined
def stop(game: Record) -> int:
    """Begin phase 2 with the active player."""
    game.player = game.active
    return PART_BEGINS
