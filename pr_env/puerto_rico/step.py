"""One decision: from the action's number to the rule for it, and on to the next real decision."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import (
    builder,
    captain,
    craftsman,
    extended_step,
    mayor,
    roles,
    settler,
    storing,
    trader,
    turns,
)
from pr_env.puerto_rico.actions import (
    BUILD,
    LOAD,
    PASS,
    PICK,
    PLACE,
    SELL,
    SETTLE,
    STORE_ALL,
    STORE_NONE,
    TAKE_GOOD,
    WHARF_LOAD,
)
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.guests import ask_before_decision
from pr_env.puerto_rico.legal import list_legal
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    HACIENDA_PHASE,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    MAYOR_PRIVILEGE,
    PICK_ROLE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    UNIVERSITY_PHASE,
)
from pr_env.puerto_rico.tables import NUM_SHIPS


@compiled
def step(game: GameRecord, action: int) -> None:
    """Play a legal action and all following decisions with one legal answer, up to the next real decision.

    Writes ``game.legal`` for that decision; nothing is legal when the game is over.
    """
    while True:
        apply(game, action)
        ask_before_decision(game)
        if list_legal(game) != 1:
            return
        action = only_legal(game)


@compiled
def only_legal(game: GameRecord) -> int:
    """The action of a decision with one legal answer."""
    action = 0
    while game.legal[action] == 0:
        action += 1
    return action


@compiled
def apply(game: GameRecord, action: int) -> None:
    """Play one legal action."""
    phase = game.phase
    if extended_step.apply(game, action):
        return
    if phase == PICK_ROLE:
        turns.take_role_card(game, action - PICK)
        roles.play(game, action - PICK)
    elif phase == HACIENDA_PHASE:
        if action == PASS:
            settler.decline_draw(game)
        else:
            settler.draw(game)
    elif phase == SETTLER_PHASE:
        if action == PASS:
            settler.end_turn(game)
        else:
            settler.take(game, action - SETTLE)
    elif phase == HOSPICE_PHASE:
        if action == PASS:
            settler.end_turn(game)
        else:
            settler.man_tile(game)
    elif phase == MAYOR_PRIVILEGE:
        if action == PASS:
            mayor.unload_ship(game)
        else:
            mayor.take_privilege(game)
    elif phase == MAYOR_PHASE:
        mayor.place(game, action - PLACE)
    elif phase == BUILDER_PHASE:
        if action == PASS:
            builder.end_turn(game, False)
        else:
            builder.build(game, action - BUILD)
    elif phase == UNIVERSITY_PHASE:
        if action == PASS:
            builder.end_turn(game, True)
        else:
            builder.man_building(game)
    elif phase == CRAFTSMAN_PRIVILEGE:
        if action == PASS:
            craftsman.end(game)
        else:
            craftsman.take(game, action - TAKE_GOOD)
    elif phase == TRADER_PHASE:
        if action == PASS:
            trader.end_turn(game)
        else:
            trader.sell(game, action - SELL)
    elif phase == CAPTAIN_PHASE:
        if action == PASS:
            captain.do_not_load(game)
        elif action >= WHARF_LOAD:
            captain.load_wharf(game, action - WHARF_LOAD)
        else:
            captain.load(game, (action - LOAD) // NUM_SHIPS, (action - LOAD) % NUM_SHIPS)
    elif phase == STORE_PHASE:
        if action == STORE_NONE:
            storing.keep_none(game)
        elif action == STORE_ALL:
            storing.keep_all(game)
        else:
            storing.keep_one(game)
