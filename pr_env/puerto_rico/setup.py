"""The table before the first pick."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.puerto_rico import draft
from pr_env.puerto_rico.boards import GameRecord, num_buildings, num_roles, num_seats, table_row
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.settler import turn_up_tiles
from pr_env.puerto_rico.state import NOTHING_TO_RESUME, PICK_ROLE
from pr_env.puerto_rico.tables import (
    BARRELS,
    CITY_SPACES,
    COLONIST_SUPPLY,
    COPIES,
    CORN,
    INDIGO,
    INDIGO_SEATS,
    NO_ONE,
    NO_ROLE,
    NOT_BUILT,
    NOTHING,
    NUM_GOODS,
    NUM_SHIPS,
    NUM_TILES,
    PLANTATIONS,
    QUARRIES,
    START_DOUBLOONS,
    VP_CHIPS,
)
from pr_env.randomness import start_generator


@compiled
def set_up(game: GameRecord, seed: np.uint64) -> None:
    """Lay out a new game for ``game.players`` players; the first seat is governor."""
    game.seed = seed
    game.rng = start_generator(seed)
    _lay_out_table(game)
    for player in range(num_seats(game)):
        _lay_out_board(game, player)
    _give_start_tiles(game)
    turn_up_tiles(game)

    game.round_number = 1
    game.governor = 0
    game.picks = 0
    game.picker = 0
    game.player = 0
    game.role = NO_ROLE
    game.phase = PICK_ROLE
    game.ending = 0
    _nothing_half_made(game)
    _lay_out_extension(game)


@compiled
def _lay_out_table(game: GameRecord) -> None:
    row = table_row(game)
    for role in range(num_roles(game)):
        game.role_taken_by[role] = NO_ONE
        game.role_doubloons[role] = 0
    for good in range(NUM_GOODS):
        game.goods_supply[good] = BARRELS[row, good]
        game.face_down[good] = PLANTATIONS[row, good]
        game.face_up[good] = 0
        game.discards[good] = 0
        game.trading_house[good] = 0
    for building in range(num_buildings(game)):
        game.buildings_left[building] = COPIES[row, building]
    for ship in range(NUM_SHIPS):
        game.ship_good[ship] = NOTHING
        game.ship_barrels[ship] = 0
    game.colonist_supply = COLONIST_SUPPLY[row]
    game.colonist_ship = game.players
    game.chips_supply = VP_CHIPS[row]
    game.quarry_supply = QUARRIES[row]


@compiled
def _lay_out_board(game: GameRecord, player: int) -> None:
    game.doubloons[player] = START_DOUBLOONS[table_row(game)] if player < game.players else 0
    game.chips[player] = 0
    game.san_juan[player] = 0
    for good in range(NUM_GOODS):
        game.goods[player, good] = 0
    for tile in range(NUM_TILES):
        game.tiles[player, tile] = 0
        game.tile_colonists[player, tile] = 0
    for building in range(num_buildings(game)):
        game.city[player, building] = NOT_BUILT
    for place in range(CITY_SPACES):
        game.built[player, place] = 0
    game.built_count[player] = 0


@compiled
def _give_start_tiles(game: GameRecord) -> None:
    """Indigo for the first seats, corn for the others, taken from the plantations. Balanced: corn costs a doubloon."""
    for player in range(game.players):
        plantation = INDIGO if player < INDIGO_SEATS[table_row(game)] else CORN
        game.face_down[plantation] -= 1
        game.tiles[player, plantation] = 1
        if plantation == CORN:
            game.doubloons[player] -= game.balanced


@compiled
def _nothing_half_made(game: GameRecord) -> None:
    game.placed = NOTHING
    game.circle_kind = 0
    game.circles_ahead = 0
    game.captain_bonus = 0
    game.idle_turns = 0
    game.store_good = 0
    game.store_kinds = 0
    game.store_single = 0
    game.store_places = 0
    for good in range(NUM_GOODS):
        game.produced[good] = 0
    for player in range(num_seats(game)):
        game.wharf_used[player] = 0


@extension()
def _lay_out_extension(game: GameRecord) -> None:
    for good in range(NUM_GOODS):
        game.removed[good] = 0
        game.shipped[good] = 0
        game.kept_whole[good] = 0
    for player in range(num_seats(game)):
        game.forests[player] = 0
        game.library_used[player] = 0
        game.has_loaded[player] = 0
        game.small_wharf_used[player] = 0
    game.without_privilege = 0
    game.after_guests = NOTHING_TO_RESUME
    game.guest_from = 0
    game.guests_asked = 0
    game.hacienda_asked = 0
    game.second_turn = 0
    game.drawn = NOTHING
    game.privileges_used = 0
    game.privilege_from = 0
    game.buying = NOTHING
    game.missing = 0
    game.wharf_good = 0
    draft.begin(game)
