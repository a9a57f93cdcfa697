"""The observation: everything that a player may know, as one vector, seen from that player's seat.

First the table, then one block for each player: oneself, then clockwise. The fields below say what stands where; the
kernel writes plain counts in their order and the last line multiplies with the scales, so that most numbers lie between
0 and 1. Nothing hidden is in it: the face-down tiles have no order, and with hidden points the chips of the others
read 0.
"""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.game import Field
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.captain import room
from pr_env.puerto_rico.mayor import circles_of
from pr_env.puerto_rico.scoring import bonus_points
from pr_env.puerto_rico.state import (
    END_REASONS,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    PHASES,
    STORE_PHASE,
    UNIVERSITY_PHASE,
)
from pr_env.puerto_rico.tables import (
    BUILDING_NAMES,
    CIRCLES,
    CITY_SPACES,
    COLUMN,
    GOODS,
    ISLAND_SPACES,
    MAX_PLAYERS,
    NO_ONE,
    NO_ROLE,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_TILES,
    ROLE_CARDS,
    ROLES,
    SPACES,
    TILES,
)

CIRCLE_KINDS = (*TILES, *BUILDING_NAMES)
_QUESTIONS = PHASES[:-1]  # when the game is over nobody is asked
_SHIPS = tuple(f"ship_{ship}" for ship in range(NUM_SHIPS))

TABLE_FIELDS: list[Field] = []
PLAYER_FIELDS: list[Field] = []


def _add(fields: list[Field], name: str, axes: tuple[tuple[str, ...], ...], scale: float, meaning: str) -> int:
    start = fields[-1].stop if fields else 0
    fields.append(Field(name, start, axes, scale, meaning))
    return start


def _table(name: str, axes: tuple[tuple[str, ...], ...], scale: float, meaning: str) -> int:
    return _add(TABLE_FIELDS, name, axes, scale, meaning)


def _player(name: str, axes: tuple[tuple[str, ...], ...], scale: float, meaning: str) -> int:
    return _add(PLAYER_FIELDS, name, axes, scale, meaning)


_PHASE = _table("phase", (_QUESTIONS,), 1, "the question being asked")
_ROLE = _table("role", (ROLES,), 1, "the role card being played")
_ROLE_FREE = _table("role_available", (ROLES,), 1, "cards that can still be picked in this round")
_ROLE_DOUBLOONS = _table("role_doubloons", (ROLES,), 1 / 4, "doubloons on the cards")
_ROUND = _table("round", (), 1 / 20, "the round, from 1")
_PICKS = _table("picks", (), 1 / 6, "roles picked so far in this round")
_ENDING = _table("ending", (END_REASONS[:3],), 1, "end conditions that have been met: the game ends after this round")
_GOODS_SUPPLY = _table("goods_supply", (GOODS,), 1 / 11, "barrels in the supply")
_COLONIST_SUPPLY = _table("colonist_supply", (), 1 / 95, "colonists in the supply")
_COLONIST_SHIP = _table("colonist_ship", (), 1 / 10, "colonists on the ship")
_CHIPS_SUPPLY = _table("chips_supply", (), 1 / 122, "victory points in chips that are left")
_QUARRY_SUPPLY = _table("quarry_supply", (), 1 / 8, "quarries that are left")
_FACE_UP = _table("face_up", (GOODS,), 1 / 6, "plantations to choose from")
_FACE_DOWN = _table("face_down", (GOODS,), 1 / 12, "plantations in the stacks by kind (follows from what was seen)")
_DISCARDS = _table("discards", (GOODS,), 1 / 12, "discarded plantations")
_BUILDINGS_LEFT = _table("buildings_left", (BUILDING_NAMES,), 1 / 4, "copies on the board")
_SHIP_GOOD = _table("ship_good", (_SHIPS, GOODS), 1, "what each ship carries")
_SHIP_BARRELS = _table("ship_barrels", (_SHIPS,), 1 / 8, "barrels on each ship")
_SHIP_ROOM = _table("ship_room", (_SHIPS,), 1 / 8, "free spaces on each ship")
_TRADING_HOUSE = _table("trading_house", (GOODS,), 1 / 4, "barrels in the trading house")
_PLACED = _table("placed", (CIRCLE_KINDS,), 1, "hospice, university: the tile or building just placed")
_CIRCLE_KIND = _table("circle_kind", (CIRCLE_KINDS,), 1, "mayor: the kind of circle being asked about")
_CIRCLES_HERE = _table("circles_here", (), 1 / 12, "mayor: circles of that kind")
_CIRCLES_AHEAD = _table("circles_ahead", (), 1 / 12, "mayor: circles of that kind and of all kinds still to come")
_PRODUCED = _table("produced", (GOODS,), 1 / 4, "craftsman: barrels that the picker produced")
_CAPTAIN_BONUS = _table("captain_bonus", (), 1, "captain: the picker's extra point is still to come")
_IDLE_TURNS = _table("idle_turns", (), 1 / 5, "captain: turns in a row without loading")
_STORE_GOOD = _table("store_good", (GOODS,), 1, "store: the good being asked about")
_STORE_KINDS = _table("store_kinds", (), 1 / 3, "store: warehouse places left")
_STORE_SINGLE = _table("store_single", (), 1, "store: the single barrel is not chosen yet")
_STORE_PLACES = _table("store_places", (), 1 / 4, "store: places left in all")
TABLE_SIZE = TABLE_FIELDS[-1].stop

_TO_MOVE = _player("to_move", (), 1, "is asked (always oneself, unless an observation is made for somebody else)")
_GOVERNOR = _player("governor", (), 1, "is governor")
_PICKER = _player("picker", (), 1, "picked the role being played")
_CARDS = _player("cards", (ROLES,), 1, "role cards taken in this round")
_DOUBLOONS = _player("doubloons", (), 1 / 12, "doubloons")
_CHIPS = _player("chips", (), 1 / 40, "victory points in chips; with hidden points only one's own")
_POINTS = _player("points", (), 1 / 60, "score if the game ended now; with hidden points only one's own")
_GOODS = _player("goods", (GOODS,), 1 / 6, "barrels")
_TILES = _player("tiles", (TILES,), 1 / 6, "island tiles")
_TILE_COLONISTS = _player("tile_colonists", (TILES,), 1 / 6, "manned island tiles")
_ISLAND_FREE = _player("island_free", (), 1 / 12, "free island spaces")
_BUILT = _player("built", (BUILDING_NAMES,), 1, "buildings in the city")
_BUILDING_COLONISTS = _player("building_colonists", (BUILDING_NAMES,), 1, "colonists in each building")
_EMPTY_CIRCLES = _player("empty_building_circles", (), 1 / 12, "circles in buildings without a colonist")
_CITY_FREE = _player("city_free", (), 1 / 12, "free city spaces")
_SAN_JUAN = _player("san_juan", (), 1 / 12, "colonists in San Juan; mayor: those still to be placed")
_WHARF_USED = _player("wharf_used", (), 1, "captain: has used the wharf in this phase")
PLAYER_SIZE = PLAYER_FIELDS[-1].stop


def fields_for(players: int) -> tuple[Field, ...]:
    """The observation table for a number of players."""
    blocks = [
        Field(
            f"{'self' if seat == 0 else f'left_{seat}'}.{field.name}",
            TABLE_SIZE + seat * PLAYER_SIZE + field.start,
            field.axes,
            field.scale,
            field.meaning,
        )
        for seat in range(players)
        for field in PLAYER_FIELDS
    ]
    return (*TABLE_FIELDS, *blocks)


def size_for(players: int) -> int:
    """Length of the observation."""
    return TABLE_SIZE + players * PLAYER_SIZE


def _scales() -> np.ndarray:
    scales = np.zeros(size_for(MAX_PLAYERS), np.float32)
    for field in fields_for(MAX_PLAYERS):
        scales[field.start : field.stop] = field.scale
    return scales


SCALES = _scales()


@compiled
def observe(game: GameRecord, viewer: int, hidden_points: bool, counts: np.ndarray, out: np.ndarray) -> None:
    """Write what the player ``viewer`` sees. ``counts`` (see new_counts) is room to work in.

    The counts are written as whole numbers first and turned into floats in one loop at the end, which the compiler can
    do eight at a time: half of the time it takes to write floats one by one.
    """
    size = out.shape[0]
    for place in range(size):
        counts[place] = 0
    _write_table(game, counts)
    _write_half_made(game, counts)
    player = viewer
    start = TABLE_SIZE
    for seat in range(game.players):
        _write_player(game, player, hidden_points and seat > 0, counts[start : start + PLAYER_SIZE])
        player = player + 1 if player + 1 < game.players else 0
        start += PLAYER_SIZE
    for place in range(size):
        out[place] = np.float32(counts[place]) * SCALES[place]


@compiled
def new_counts() -> np.ndarray:
    """Room for the counts of one observation."""
    return np.empty(SCALES.shape[0], np.int16)


@compiled
def _write_table(game: GameRecord, out: np.ndarray) -> None:
    # int(): a small NumPy integer plus a place in the vector would overflow where nothing is compiled.
    if game.phase < len(_QUESTIONS):
        out[_PHASE + int(game.phase)] = 1
    if game.role != NO_ROLE:
        out[_ROLE + int(game.role)] = 1
    for role in range(ROLE_CARDS[game.players]):
        out[_ROLE_FREE + role] = game.role_taken_by[role] == NO_ONE
        out[_ROLE_DOUBLOONS + role] = game.role_doubloons[role]
    out[_ROUND] = game.round_number
    out[_PICKS] = game.picks
    for reason in range(3):
        out[_ENDING + reason] = (game.ending >> reason) & 1
    out[_COLONIST_SUPPLY] = game.colonist_supply
    out[_COLONIST_SHIP] = game.colonist_ship
    out[_CHIPS_SUPPLY] = game.chips_supply
    out[_QUARRY_SUPPLY] = game.quarry_supply
    for good in range(NUM_GOODS):
        out[_GOODS_SUPPLY + good] = game.goods_supply[good]
        out[_FACE_UP + good] = game.face_up[good]
        out[_FACE_DOWN + good] = game.face_down[good]
        out[_DISCARDS + good] = game.discards[good]
        out[_TRADING_HOUSE + good] = game.trading_house[good]
    for building in range(NUM_BUILDINGS):
        out[_BUILDINGS_LEFT + building] = game.buildings_left[building]
    for ship in range(NUM_SHIPS):
        if game.ship_barrels[ship] > 0:
            out[_SHIP_GOOD + ship * NUM_GOODS + int(game.ship_good[ship])] = 1
        out[_SHIP_BARRELS + ship] = game.ship_barrels[ship]
        out[_SHIP_ROOM + ship] = room(game, ship)


@compiled
def _write_half_made(game: GameRecord, out: np.ndarray) -> None:
    if game.phase == HOSPICE_PHASE:
        out[_PLACED + game.placed] = 1
    elif game.phase == UNIVERSITY_PHASE:
        out[_PLACED + NUM_TILES + game.placed] = 1
    elif game.phase == MAYOR_PHASE:
        kind = 0 + game.circle_kind
        if kind >= NUM_TILES:
            kind = NUM_TILES + int(game.built[game.player, kind - NUM_TILES])
        out[_CIRCLE_KIND + kind] = 1
        out[_CIRCLES_HERE] = circles_of(game, game.player, game.circle_kind)
        out[_CIRCLES_AHEAD] = game.circles_ahead
    elif game.phase == STORE_PHASE:
        out[_STORE_GOOD + game.store_good] = 1
        out[_STORE_KINDS] = game.store_kinds
        out[_STORE_SINGLE] = game.store_single
        out[_STORE_PLACES] = game.store_places
    for good in range(NUM_GOODS):
        out[_PRODUCED + good] = game.produced[good]
    out[_CAPTAIN_BONUS] = game.captain_bonus
    out[_IDLE_TURNS] = game.idle_turns


@compiled
def _write_player(game: GameRecord, player: int, hidden: bool, out: np.ndarray) -> None:
    out[_TO_MOVE] = player == game.player
    out[_GOVERNOR] = player == game.governor
    if game.role != NO_ROLE:
        out[_PICKER] = player == game.picker
    for role in range(NUM_ROLES):
        out[_CARDS + role] = game.role_taken_by[role] == player
    out[_DOUBLOONS] = game.doubloons[player]
    for good in range(NUM_GOODS):
        out[_GOODS + good] = game.goods[player, good]
    island_free = ISLAND_SPACES
    for tile in range(NUM_TILES):
        out[_TILES + tile] = game.tiles[player, tile]
        out[_TILE_COLONISTS + tile] = game.tile_colonists[player, tile]
        island_free -= game.tiles[player, tile]
    out[_ISLAND_FREE] = island_free
    # One pass over the city in place of one for each number: 60 ns less for three players.
    city_free = CITY_SPACES
    empty_circles = 0
    printed = 0
    for place in range(game.built_count[player]):
        building = int(game.built[player, place])
        colonists = game.city[player, building]
        out[_BUILT + building] = 1
        out[_BUILDING_COLONISTS + building] = colonists
        city_free -= SPACES[building]
        empty_circles += CIRCLES[building] - colonists
        printed += COLUMN[building]
    out[_CITY_FREE] = city_free
    out[_EMPTY_CIRCLES] = empty_circles
    if not hidden:
        out[_CHIPS] = game.chips[player]
        out[_POINTS] = game.chips[player] + printed + bonus_points(game, player)
    out[_SAN_JUAN] = game.san_juan[player]
    out[_WHARF_USED] = game.wharf_used[player]
