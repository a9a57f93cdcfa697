"""The mask of the extended game: its own questions, and its own answers to base-game questions (see legal.py)."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import black_market, captain, draft, guests, pirate, settler, storing, trader, turns
from pr_env.puerto_rico.actions import (
    DRAFT,
    KEEP,
    KIDNAP,
    KIDNAP_PLACES,
    MOVE_GUEST,
    PASS,
    PAY_BARREL,
    PAY_COLONIST,
    PICK_GOVERNOR,
    PICK_PIRATE,
    PICK_PIRATE_AS_PROSPECTOR,
    PICK_POLITICIAN,
    PICK_POLITICIAN_AS_PROSPECTOR,
    PLUNDER,
    REPLAY,
    SELL_TO_POST,
    SETTLE_FOREST,
    SHIP,
    SMALL_WHARF_LOAD,
    STORE_ALL,
    STORE_NONE,
    STORE_ONE,
)
from pr_env.puerto_rico.boards import GameRecord, allow
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.guests import NUM_PLACES
from pr_env.puerto_rico.state import (
    DRAFT_PHASE,
    FOREST_PHASE,
    GUEST_PHASE,
    PAY_BARREL_PHASE,
    PAY_COLONIST_PHASE,
    PIRATE_BARREL_PHASE,
    PIRATE_COLONIST_PHASE,
    POLITICIAN_PHASE,
    SMALL_WHARF_PHASE,
)
from pr_env.puerto_rico.tables import (
    FIRST_VIOLET,
    GOVERNOR,
    LARGE_CHURCH,
    NO_ONE,
    NUM_ACTION_ROLES,
    NUM_GOODS,
    PIRATE,
    POLITICIAN,
)


@extension(otherwise=0)
def list_legal(game: GameRecord) -> int:
    """The questions that the base game does not ask."""
    phase = game.phase
    if phase == GUEST_PHASE:
        return _list_guests_places(game)
    if phase == DRAFT_PHASE:
        return _list_kinds(game)
    if phase == FOREST_PHASE:
        return allow(game, PASS, True) + allow(game, SETTLE_FOREST, True)
    if phase == PAY_COLONIST_PHASE:
        return _list_colonists_to_pay(game)
    if phase == PAY_BARREL_PHASE:
        return _list_barrels_to_pay(game)
    if phase == SMALL_WHARF_PHASE:
        return _list_barrels_to_ship(game)
    if phase == POLITICIAN_PHASE:
        return _list_roles_to_replay(game)
    if phase == PIRATE_BARREL_PHASE:
        return _list_barrels_to_take(game)
    if phase == PIRATE_COLONIST_PHASE:
        return _list_colonists_to_take(game)
    return 0  # the game is over


@extension(otherwise=0)
def list_roles(game: GameRecord) -> int:
    """Cards with two sides, and the governor's."""
    politician = turns.may_pick(game, POLITICIAN)
    count = allow(game, PICK_POLITICIAN_AS_PROSPECTOR, politician)
    count += allow(game, PICK_POLITICIAN, politician and _a_role_was_played(game))
    pirate_ = turns.may_pick(game, PIRATE)
    count += allow(game, PICK_PIRATE_AS_PROSPECTOR, pirate_)
    count += allow(game, PICK_PIRATE, pirate_)
    return count + allow(game, PICK_GOVERNOR, turns.may_pick(game, GOVERNOR))


@compiled
def _a_role_was_played(game: GameRecord) -> bool:
    """Politician: whether there is a role to play again. Taking a doubloon instead is the card's other side."""
    played = 0
    for role in range(NUM_ACTION_ROLES):
        played += game.role_taken_by[role] != NO_ONE
    return played > 0


@extension(otherwise=0)
def list_forest(game: GameRecord) -> int:
    """Forest house."""
    return allow(game, SETTLE_FOREST, settler.may_place_forest(game, game.player))


@extension(otherwise=0)
def list_sales_to_post(game: GameRecord) -> int:
    """Trading post."""
    count = 0
    for good in range(NUM_GOODS):
        count += allow(game, SELL_TO_POST + good, trader.may_sell_to_post(game, game.player, good))
    return count


@extension(otherwise=0)
def list_small_wharf(game: GameRecord) -> int:
    """Small wharf."""
    return allow(game, SMALL_WHARF_LOAD, captain.may_use_small_wharf(game, game.player))


@extension(otherwise=0)
def list_storehouse(game: GameRecord) -> int:
    """Storing with a storehouse: none, one, two, three, four or all."""
    barrels = game.goods[game.player, game.store_good]
    count = allow(game, STORE_NONE, True)
    count += allow(game, STORE_ONE, barrels > 1 and storing.may_keep(game, 1))
    for kept in range(2, storing.LOOSE_BARRELS + 1):
        count += allow(game, KEEP + kept, barrels > kept and storing.may_keep(game, kept))
    return count + allow(game, STORE_ALL, storing.may_keep(game, 0 + barrels))


@compiled
def _list_guests_places(game: GameRecord) -> int:
    count = allow(game, PASS, True)
    for place in range(game.guest_from, NUM_PLACES):
        there = guests.may_go_to(game, game.player, place, int(game.after_guests))
        count += allow(game, MOVE_GUEST + place, there)
    return count


@compiled
def _list_kinds(game: GameRecord) -> int:
    count = 0
    for building in range(FIRST_VIOLET, LARGE_CHURCH):
        count += allow(game, DRAFT + building - FIRST_VIOLET, draft.may_draft(game, building))
    return count


@compiled
def _list_colonists_to_pay(game: GameRecord) -> int:
    count = allow(game, PASS, black_market.may_keep_colonist(game))
    for place in range(black_market.SAN_JUAN, NUM_PLACES):
        count += allow(game, PAY_COLONIST + place, black_market.may_pay_colonist_from(game, place))
    return count


@compiled
def _list_barrels_to_pay(game: GameRecord) -> int:
    count = allow(game, PASS, black_market.may_keep_barrel(game))
    for good in range(NUM_GOODS):
        count += allow(game, PAY_BARREL + good, game.goods[game.player, good] > 0)
    return count


@compiled
def _list_barrels_to_ship(game: GameRecord) -> int:
    count = 0
    for barrels in range(captain.fewest_to_ship(game), game.goods[game.player, game.wharf_good] + 1):
        count += allow(game, SHIP + barrels, True)
    return count


@compiled
def _list_roles_to_replay(game: GameRecord) -> int:
    count = 0
    for role in range(NUM_ACTION_ROLES):
        count += allow(game, REPLAY + role, game.role_taken_by[role] != NO_ONE)
    return count


@compiled
def _list_barrels_to_take(game: GameRecord) -> int:
    count = allow(game, PASS, True)
    for seats in range(1, game.players):
        for good in range(NUM_GOODS):
            there = game.goods[pirate.victim(game, seats), good] > 0
            count += allow(game, PLUNDER + (seats - 1) * NUM_GOODS + good, there)
    return count


@compiled
def _list_colonists_to_take(game: GameRecord) -> int:
    count = allow(game, PASS, True)
    places = len(KIDNAP_PLACES)
    for seats in range(1, game.players):
        for place in range(places):
            there = pirate.may_take_colonist(game, seats, place)
            count += allow(game, KIDNAP + (seats - 1) * places + place, there)
    return count
