"""One decision of the extended game: from the action's number to the rule for it (see step.py)."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import (
    black_market,
    builder,
    captain,
    draft,
    guests,
    pirate,
    roles,
    settler,
    storing,
    trader,
    turns,
)
from pr_env.puerto_rico.actions import (
    DRAFT,
    KEEP,
    KIDNAP,
    KIDNAP_PLACES,
    MOVE_GUEST,
    NUM_BASE_ACTIONS,
    PASS,
    PAY_BARREL,
    PAY_COLONIST,
    PICK_GOVERNOR,
    PICK_PIRATE,
    PICK_PIRATE_AS_PROSPECTOR,
    PICK_POLITICIAN,
    PLUNDER,
    REPLAY,
    SELL_TO_POST,
    SHIP,
    STORE_ALL,
    STORE_NONE,
    STORE_ONE,
)
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    DRAFT_PHASE,
    FOREST_PHASE,
    GAME_OVER,
    GUEST_PHASE,
    PAY_BARREL_PHASE,
    PAY_COLONIST_PHASE,
    PICK_ROLE,
    PIRATE_BARREL_PHASE,
    PIRATE_COLONIST_PHASE,
    POLITICIAN_PHASE,
    SETTLER_PHASE,
    SMALL_WHARF_PHASE,
    START_OF_ROLE,
    STORE_PHASE,
    TRADER_PHASE,
)
from pr_env.puerto_rico.tables import FIRST_VIOLET, GOVERNOR, MAYOR, NOTHING, NUM_GOODS, PIRATE, POLITICIAN, PROSPECTOR


@extension(otherwise=False)
def apply(game: GameRecord, action: int) -> bool:
    """Play one legal action, if it is not an action of the base game."""
    phase = game.phase
    if phase == GUEST_PHASE:
        if action == PASS or not guests.move(game, action - MOVE_GUEST):
            go_on_after_guests(game)
        return True
    game.guests_asked = 0  # the decision before which guests were asked is made
    if phase > GAME_OVER:
        _answer(game, phase, action)
        return True
    if phase == STORE_PHASE and storing.has_storehouse(game, game.player):
        _store(game, action)
        return True
    if action < NUM_BASE_ACTIONS or phase == BUILDER_PHASE:
        return False
    if phase == PICK_ROLE:
        _pick(game, action)
    elif phase == SETTLER_PHASE:
        settler.place_forest(game)
    elif phase == TRADER_PHASE:
        trader.sell_to_post(game, action - SELL_TO_POST)
    elif phase == CAPTAIN_PHASE:
        captain.begin_small_wharf(game)
    return True


@compiled
def go_on_after_guests(game: GameRecord) -> None:
    """The player has moved their guests: ask the next player, or continue with what follows this moment."""
    moment = int(game.after_guests)
    if guests.ask_next(game):
        return
    guests.close(game)
    if moment == START_OF_ROLE:
        roles.begin(game, game.role)
    elif moment == SETTLER_PHASE:  # a guest may have gone to the hacienda
        settler.begin_turn(game)
    elif moment == STORE_PHASE:
        storing.begin_turn(game)
    elif moment == GAME_OVER:
        turns.end_phase(game)
    else:
        game.phase = moment


@compiled
def _answer(game: GameRecord, phase: int, action: int) -> None:
    """Answer a question that the base game does not have."""
    if phase == DRAFT_PHASE:
        draft.put(game, action - DRAFT + FIRST_VIOLET)
    elif phase == FOREST_PHASE:
        if action == PASS:
            settler.keep_drawn_tile(game)
        else:
            settler.replace_drawn_tile(game)
    elif phase in (PAY_COLONIST_PHASE, PAY_BARREL_PHASE):
        _pay(game, phase, action)
    elif phase == SMALL_WHARF_PHASE:
        captain.ship(game, action - SHIP)
    elif phase == POLITICIAN_PHASE:
        game.without_privilege = 1
        roles.play(game, action - REPLAY)
    elif phase == PIRATE_BARREL_PHASE:
        if action == PASS:
            pirate.go_on_to_colonist(game)
        else:
            pirate.take_barrel(game, 1 + (action - PLUNDER) // NUM_GOODS, (action - PLUNDER) % NUM_GOODS)
    elif phase == PIRATE_COLONIST_PHASE:
        places = len(KIDNAP_PLACES)
        if action == PASS:
            pirate.end(game)
        else:
            pirate.take_colonist(game, 1 + (action - KIDNAP) // places, (action - KIDNAP) % places)


@compiled
def _pay(game: GameRecord, phase: int, action: int) -> None:
    """Black market."""
    if action != PASS:
        if phase == PAY_COLONIST_PHASE:
            black_market.pay_colonist_from(game, action - PAY_COLONIST)
        else:
            black_market.pay_barrel(game, action - PAY_BARREL)
    building = black_market.go_on(game)
    if building != NOTHING:
        builder.put_up(game, building)


@compiled
def _store(game: GameRecord, action: int) -> None:
    """Storehouse."""
    if action == STORE_NONE:
        storing.keep(game, 0)
    elif action == STORE_ONE:
        storing.keep(game, 1)
    elif action == STORE_ALL:
        storing.keep(game, 0 + game.goods[game.player, game.store_good])
    else:
        storing.keep(game, action - KEEP)


@compiled
def _pick(game: GameRecord, action: int) -> None:
    """Cards with two sides, and the governor's."""
    if action == PICK_GOVERNOR:
        turns.take_role_card(game, GOVERNOR)
        _end_governor_card(game)
    elif action == PICK_POLITICIAN:
        turns.take_role_card(game, POLITICIAN)
        game.phase = POLITICIAN_PHASE
    elif action == PICK_PIRATE:
        turns.take_role_card(game, PIRATE)
        roles.play(game, PIRATE)
    else:
        turns.take_role_card(game, PIRATE if action == PICK_PIRATE_AS_PROSPECTOR else POLITICIAN)
        roles.play(game, PROSPECTOR)


@compiled
def _end_governor_card(game: GameRecord) -> None:
    """The card has no phase: after the last pick of the game, guests may move as at the end of the phase before it."""
    after_mayor = game.role_taken_by[MAYOR] == (game.picker - 1) % game.players
    if after_mayor or not guests.ask_at_end_of_game(game, False):
        turns.end_phase(game)
