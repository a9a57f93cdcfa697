"""The legal actions in the adventure, question by question, except for those that every game has."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.actions import accept_at, decline_at, keep_at
from pr_env.port_royal.adventure import choosing, lookout, missions, taking
from pr_env.port_royal.adventure.names import LOOK_AT, SALES, SIDES, SOLD
from pr_env.port_royal.adventure.places import (
    character_at,
    give_item_at,
    sell_at,
    side_at,
    top_at,
    use_lookout_at,
)
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.state import CHARACTER, CUBE, IMMEDIATE, ITEM, LOOK, SIDE
from pr_env.rules import Record


@compiled
def _allow(game: Record, action: int, legal: bool) -> int:
    game.legal[action] = legal
    return int(legal)


@with_adventure(0)
def list_lookout(game: Record) -> int:
    """Lookouts may be used while discovering."""
    return _allow(game, use_lookout_at(game), lookout.may_use(game))


@with_adventure(0)
def list_keeps(game: Record, tables: Record, fee: int) -> int:
    """Ships that may be kept as items; these actions can sleep, like takes."""
    listed = 0
    sleepers = keep_at(game) - 5
    for colour in range(game.harbour_ship.shape[0]):
        legal = taking.may_keep(game, tables, colour, fee)
        listed += _offer(game, keep_at(game) + colour, sleepers + colour, legal)
    return listed


@with_adventure(0)
def list_sales(game: Record, tables: Record) -> int:
    """Sales to innkeepers; these actions are the last ones that can sleep."""
    listed = 0
    sleepers = game.asleep.shape[0] - SALES
    for which in range(len(SOLD)):
        listed += _offer(game, sell_at(game) + which, sleepers + which, taking.may_sell(game, tables, which))
    return listed


@compiled
def _offer(game: Record, action: int, sleeper: int, legal: bool) -> int:
    sleeps = game.asleep[sleeper] == 1 and legal
    game.asleep[sleeper] = sleeps
    return _allow(game, action, legal and not sleeps)


@with_adventure(0)
def list_answers(game: Record, tables: Record) -> int:
    """The answers to the adventure's own questions."""
    question, listed = game.question, 0
    if question in (IMMEDIATE, CUBE):
        listed += _allow(game, accept_at(game), True) + _allow(game, decline_at(game), True)
    elif question == LOOK:
        for place in range(LOOK_AT):
            listed += _allow(game, top_at(game) + place, lookout.may_keep(game, place))
    elif question == ITEM:
        for item in range(2):
            listed += _allow(game, give_item_at(game) + item, missions.may_give(game, tables, item))
    elif question == SIDE:
        for side in range(len(SIDES)):
            listed += _allow(game, side_at(game) + side, True)
    elif question == CHARACTER:
        for character in range(tables.character_card.shape[0]):
            legal = choosing.may_choose(game, tables, character)
            listed += _allow(game, character_at(game) + character, legal)
    return listed
