"""The table before the first pick."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.settler import turn_up_tiles
from pr_env.puerto_rico.state import PICK_ROLE
from pr_env.puerto_rico.tables import (
    BARRELS,
    CITY_SPACES,
    COLONIST_SUPPLY,
    COPIES,
    CORN,
    INDIGO,
    INDIGO_SEATS,
    MAX_PLAYERS,
    NO_ONE,
    NO_ROLE,
    NOT_BUILT,
    NOTHING,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_ROLES,
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
    for player in range(MAX_PLAYERS):
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


@compiled
def _lay_out_table(game: GameRecord) -> None:
    players = game.players
    for role in range(NUM_ROLES):
        game.role_taken_by[role] = NO_ONE
        game.role_doubloons[role] = 0
    for good in range(NUM_GOODS):
        game.goods_supply[good] = BARRELS[players, good]
        game.face_down[good] = PLANTATIONS[players, good]
        game.face_up[good] = 0
        game.discards[good] = 0
        game.trading_house[good] = 0
    for building in range(NUM_BUILDINGS):
        game.buildings_left[building] = COPIES[players, building]
    for ship in range(NUM_SHIPS):
        game.ship_good[ship] = NOTHING
        game.ship_barrels[ship] = 0
    game.colonist_supply = COLONIST_SUPPLY[players]
    game.colonist_ship = players
    game.chips_supply = VP_CHIPS[players]
    game.quarry_supply = QUARRIES[players]


@compiled
def _lay_out_board(game: GameRecord, player: int) -> None:
    game.doubloons[player] = START_DOUBLOONS[game.players] if player < game.players else 0
    game.chips[player] = 0
    game.san_juan[player] = 0
    for good in range(NUM_GOODS):
        game.goods[player, good] = 0
    for tile in range(NUM_TILES):
        game.tiles[player, tile] = 0
        game.tile_colonists[player, tile] = 0
    for building in range(NUM_BUILDINGS):
        game.city[player, building] = NOT_BUILT
    for place in range(CITY_SPACES):
        game.built[player, place] = 0
    game.built_count[player] = 0


@compiled
def _give_start_tiles(game: GameRecord) -> None:
    """Indigo for the first seats, corn for the others, out of the plantations."""
    for player in range(game.players):
        plantation = INDIGO if player < INDIGO_SEATS[game.players] else CORN
        game.face_down[plantation] -= 1
        game.tiles[player, plantation] = 1


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
    for player in range(MAX_PLAYERS):
        game.wharf_used[player] = 0
