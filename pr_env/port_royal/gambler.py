"""The gambler: draw four cards in a row, repel none of them, and get one more take."""

from __future__ import annotations

from pr_env.port_royal.extension import with_gamblers
from pr_env.port_royal.people import count
from pr_env.port_royal.piles import cards_to_draw, discard
from pr_env.port_royal.stages import ASK, BUSTED, CARD_DONE, CARD_ENTERED, DRAW_CARD
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import GAMBLER, GAMBLER_DRAWS
from pr_env.rules import Record


@with_gamblers(False)
def is_drawing(game: Record) -> bool:
    """Whether a gambler's draws are unfinished."""
    return game.draws_left > 0


@with_gamblers(False)
def was_used(game: Record) -> bool:
    """Whether a gambler was used in this turn; normal draws are then no longer possible (R37)."""
    return game.gamblers_used > 0


@with_gamblers(0)
def extra_takes(game: Record) -> int:
    """One more take for each gambler used (R34)."""
    return int(game.gamblers_used)


@with_gamblers(False)
def may_use(game: Record, can_draw: bool) -> bool:
    """Whether a gambler may be used: each once per turn, as long as there are cards (R85)."""
    return can_draw and game.gamblers_used < count(game, game.active, GAMBLER)


@with_gamblers(DRAW_CARD)
def use(game: Record) -> int:
    """Begin the four draws."""
    game.gamblers_used += 1
    game.draws_left = GAMBLER_DRAWS
    return DRAW_CARD


@with_gamblers(CARD_DONE)
def moor(game: Record, tables: Record, kind: int) -> int:
    """A ship enters the harbour; doubled colours are only checked after the last draw (R35)."""
    colour = tables.colour[kind]
    if game.harbour_ship[colour] == NOTHING:
        game.harbour_ship[colour] = kind
        return CARD_DONE
    place = 0
    while game.double_ship[place] != NOTHING:
        place += 1
    game.double_ship[place] = kind
    return CARD_DONE


@with_gamblers(ASK)
def go_on(game: Record) -> int:
    """Go on to the next of the four draws, as long as there are cards; then check for doubled colours."""
    game.draws_left -= 1
    if game.draws_left > 0 and cards_to_draw(game) > 0:
        return DRAW_CARD
    game.draws_left = 0
    if game.double_ship[0] != NOTHING:
        return BUSTED
    return CARD_ENTERED


@with_gamblers()
def discard_doubles(game: Record) -> None:
    """The doubling ships are discarded with the rest of the harbour."""
    for place in range(game.double_ship.shape[0]):
        if game.double_ship[place] != NOTHING:
            discard(game, int(game.double_ship[place]))
            game.double_ship[place] = NOTHING


@with_gamblers()
def begin_turn(game: Record) -> None:
    """All gamblers can be used again."""
    game.gamblers_used = 0
    game.draws_left = 0
