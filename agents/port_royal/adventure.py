"""What scripted players do in the adventure beside the usual: missions, lookouts, innkeepers and characters."""

from __future__ import annotations

from agents.port_royal.missions import gives_book, wants_mission, wants_now
from agents.port_royal.outlook import Outlook, PlanRecord
from agents.port_royal.persons import hire_gain
from agents.port_royal.trading import ship_gain
from pr_env.compiling import compiled
from pr_env.port_royal.actions import COMPLETE, accept_at, decline_at
from pr_env.port_royal.adventure.names import FIRST_DISCARDED_ITEM, LOOK_AT, SALES, SIDES, SLOTS, SOLD
from pr_env.port_royal.adventure.places import character_at, give_item_at, sell_at, side_at, top_at, use_lookout_at
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.harbour import count_ships
from pr_env.port_royal.state import CHARACTER, CUBE, DISCOVER, IMMEDIATE, ITEM, LOOK, NOTHING, SIDE, TAKE
from pr_env.rules import Record

BUST = -1.0  # worth of a card that ends the turn
NEXT_TIME = 0.2  # of one that may be repelled or is of no use: it is not in the way


@with_adventure(-1)
def choose(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> int:
    """The answer to what only the adventure asks or offers; -1 for what is left to the usual plan."""
    question = game.question
    for slot in range(SLOTS):  # waiting brings nothing: each mission uncovers a field
        if game.legal[COMPLETE + slot] != 0 and wants_mission(game, tables, plan, view.wanted, slot):
            return COMPLETE + slot
    if question == CUBE:
        return accept_at(game)
    if question == IMMEDIATE:
        return accept_at(game) if wants_now(game, tables, plan, view.wanted) else decline_at(game)
    if question == ITEM:
        return give_item_at(game) + (0 if gives_book(game, tables, plan, view.wanted) else 1)
    if question == LOOK:
        return _choose_face(game, tables, plan, view)
    if question in (SIDE, CHARACTER):
        return _choose_character(game, tables, plan)
    if question == DISCOVER and game.legal[use_lookout_at(game)] != 0 and count_ships(game) >= plan.lookout_at:
        return use_lookout_at(game)
    return _choose_sale(game, tables, view) if question == TAKE else -1


@compiled
def _choose_face(game: Record, tables: Record, plan: PlanRecord, view: Outlook) -> int:
    """The card that gains most; nothing that busts."""
    best, choice = BUST - 1.0, top_at(game)
    me = int(game.player)
    purse = float(game.purse[me])
    for place in range(LOOK_AT):
        kind = int(game.look[place])
        if kind == NOTHING or game.legal[top_at(game) + place] == 0:
            continue
        worth = NEXT_TIME
        if kind < game.harbour.shape[0]:
            worth += hire_gain(game, tables, plan, view, me, kind, purse)
        elif tables.colour[kind] >= 0:
            if game.harbour_ship[tables.colour[kind]] == NOTHING:
                worth += ship_gain(game, tables, plan, view, me, kind, purse)
            else:
                worth = BUST
        if worth > best:
            best, choice = worth, top_at(game) + place
    return choice


@compiled
def _choose_sale(game: Record, tables: Record, view: Outlook) -> int:
    """An innkeeper buys what no mission asks for."""
    for which in range(SALES):
        if game.legal[sell_at(game) + which] != 0 and not _is_wanted(tables, view, SOLD[which]):
            return sell_at(game) + which
    return -1


@compiled
def _is_wanted(tables: Record, view: Outlook, item: int) -> bool:
    for mission in range(view.wanted.worths.shape[0]):
        if view.wanted.worths[mission] > 0 and tables.spend[mission, FIRST_DISCARDED_ITEM + item] > 0:
            return True
    return False


@compiled
def _choose_character(game: Record, tables: Record, plan: PlanRecord) -> int:
    """The side with the best ability and the most coins."""
    best, choice = -1.0, -1
    side = 0
    for character in range(tables.character_card.shape[0]):
        action = character_at(game) + character
        if game.question == SIDE:
            if tables.character_card[character] != game.dealt[game.player]:
                continue
            action = side_at(game) + side
            side += 1
        elif game.legal[action] == 0:
            continue
        worth = plan.coin_early * tables.start_coins[character] + plan.start[tables.character_ability[character]]
        if worth > best:
            best, choice = worth, action
    return choice


assert len(SIDES) == 2
