"""The record: one game of Puerto Rico in a fixed number of bytes.

A game consists of counts, not objects: three corn tiles are the number 3. Every pile of pieces on the table is a field,
so a piece that moves leaves one field and enters another; this makes it possible to test that no pieces are created or
lost. Arrays have room for the maximum number of players; unused seats stay zero.

There are two records: RECORD for the base game, and EXTENDED_RECORD with room for more players, cards and buildings,
and with the fields of Expansion I and the variants. The same rules are compiled for both; base games do not pay for the
extensions (see extension.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env.puerto_rico.actions import ACTIONS, NUM_BASE_ACTIONS
from pr_env.puerto_rico.tables import (
    CITY_SPACES,
    MAX_BASE_PLAYERS,
    MAX_PLAYERS,
    NUM_BASE_BUILDINGS,
    NUM_BASE_ROLES,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_TILES,
)
from pr_env.rules import game_record

# -- phases: which question the acting player answers ------------------------------------------------------------------

PHASES = (
    "pick_role",
    "hacienda",  # draw a face-down tile, or not
    "settler",  # take a face-up plantation or a quarry, or nothing
    "hospice",  # a colonist for the tile just taken, or not
    "mayor_privilege",  # one more colonist from the supply, or not
    "mayor",  # how many colonists on this kind of circle
    "builder",  # build something, or nothing
    "university",  # a colonist for the building just built, or not
    "craftsman_privilege",  # one more barrel, or not
    "trader",  # sell a barrel, or nothing
    "captain",  # load a ship or the wharf
    "store",  # how many barrels of this good to keep
    "game_over",
    # the extended game
    "draft",  # which kind of violet building to put on the board
    "guest",  # move a colonist out of the guesthouse, or not
    "forest",  # a forest instead of the tile drawn by the hacienda, or not
    "pay_colonist",  # black market: pay with a colonist, or not
    "pay_barrel",  # black market: pay with a barrel, or not
    "small_wharf",  # how many barrels of this good to ship
    "politician",  # which role to play again
    "pirate_barrel",  # whose barrel to take, if any
    "pirate_colonist",  # whose colonist to take, if any
)
(
    PICK_ROLE,
    HACIENDA_PHASE,
    SETTLER_PHASE,
    HOSPICE_PHASE,
    MAYOR_PRIVILEGE,
    MAYOR_PHASE,
    BUILDER_PHASE,
    UNIVERSITY_PHASE,
    CRAFTSMAN_PRIVILEGE,
    TRADER_PHASE,
    CAPTAIN_PHASE,
    STORE_PHASE,
    GAME_OVER,
    DRAFT_PHASE,
    GUEST_PHASE,
    FOREST_PHASE,
    PAY_COLONIST_PHASE,
    PAY_BARREL_PHASE,
    SMALL_WHARF_PHASE,
    POLITICIAN_PHASE,
    PIRATE_BARREL_PHASE,
    PIRATE_COLONIST_PHASE,
) = range(len(PHASES))

# -- why a game ends: bits of the field `ending` -----------------------------------------------------------------------

END_REASONS = ("colonists", "city", "chips", "rounds")
COLONISTS_SHORT, CITY_FULL, CHIPS_GONE, ROUNDS_OVER = 1, 2, 4, 8

# -- how the violet buildings of an extended game are chosen: the field `board` ----------------------------------------

BOARDS = ("base", "draft", "random", "list")
BASE_BOARD, DRAFT_BOARD, RANDOM_BOARD, LIST_BOARD = range(len(BOARDS))

NOTHING_TO_RESUME = -1  # in `after_guests`: no question about guests is open
START_OF_ROLE = -2  # in `after_guests`: guests move at the start of a role, player by player


def _fields(players: int, roles: int, buildings: int) -> list[Any]:
    """The fields of every game.

    Numbers of seats, tiles and buildings have 64 bits, like loop variables, so that every rule is compiled for only one
    integer type.
    """
    return [
        # the game itself
        ("seed", np.uint64),  # the seed of the game
        ("rng", np.uint64),  # state of its random generator
        ("players", np.int64),  # 2 to 6
        ("max_rounds", np.int16),  # a game that is still running after this many rounds is truncated
        ("balanced", np.int8),  # 1: corn seats start with a doubloon less, university 7, factory 8
        # whose turn it is
        ("round_number", np.int16),  # from 1 ("round" itself is a method of NumPy records)
        ("governor", np.int64),  # seat
        ("picks", np.int8),  # roles picked so far in this round
        ("picker", np.int64),  # seat that picks, or that picked the role being played
        ("role", np.int8),  # the role being played, or NO_ROLE
        ("phase", np.int8),  # which question is asked, see PHASES
        ("player", np.int64),  # seat that answers it
        ("ending", np.uint8),  # end conditions met so far: bits
        ("role_taken_by", np.int8, (roles,)),  # seat, or NO_ONE
        ("role_doubloons", np.int16, (roles,)),
        # the table
        ("goods_supply", np.int8, (NUM_GOODS,)),
        ("colonist_supply", np.int8),
        ("colonist_ship", np.int8),
        ("chips_supply", np.int16),
        ("quarry_supply", np.int8),
        ("face_up", np.int8, (NUM_GOODS,)),  # plantations to choose from
        ("face_down", np.int8, (NUM_GOODS,)),  # in the stacks; their order is only decided when a tile is drawn
        ("discards", np.int8, (NUM_GOODS,)),
        ("buildings_left", np.int8, (buildings,)),
        ("ship_good", np.int8, (NUM_SHIPS,)),  # NOTHING on an empty ship
        ("ship_barrels", np.int8, (NUM_SHIPS,)),
        ("trading_house", np.int8, (NUM_GOODS,)),  # barrels of each good in it
        # the players' boards
        ("doubloons", np.int16, (players,)),
        ("chips", np.int16, (players,)),  # victory points from chips, and those awarded without chips
        ("goods", np.int8, (players, NUM_GOODS)),
        ("tiles", np.int8, (players, NUM_TILES)),
        ("tile_colonists", np.int8, (players, NUM_TILES)),  # how many of these tiles are manned
        ("city", np.int8, (players, buildings)),  # colonists in the building, or NOT_BUILT
        # The buildings in the city follow from `city`. They are also kept as a list, because most loops are over these
        # few: going through all 23 instead would cost a third of the speed.
        ("built", np.int8, (players, CITY_SPACES)),  # in the order of the table; zero after the last one
        ("built_count", np.int8, (players,)),
        ("san_juan", np.int8, (players,)),  # colonists without a circle
        # unfinished decisions; zero (or NOTHING) outside of their phase
        ("placed", np.int64),  # hospice: the tile just taken; university: the building just built; else NOTHING
        ("circle_kind", np.int64),  # mayor: the kind asked about: a tile, or NUM_TILES + index in `built`
        ("circles_ahead", np.int8),  # mayor: circles of that kind and all later ones; stored to avoid recounting
        ("produced", np.int8, (NUM_GOODS,)),  # craftsman: barrels that the picker took
        ("captain_bonus", np.int8),  # captain: 1 until the picker has loaded for the first time
        ("wharf_used", np.int8, (players,)),  # captain: in this phase
        ("idle_turns", np.int8),  # captain: turns in a row without loading
        ("store_good", np.int64),  # store: the good being asked about
        ("store_kinds", np.int8),  # store: warehouse places left, each for all barrels of a kind
        ("store_single", np.int8),  # store: 1 while the single barrel is not chosen
        ("store_places", np.int8),  # store: places left in total, for warehouses and the single barrel
    ]


_EXTENDED_FIELDS: list[Any] = [
    # the game itself
    ("row", np.int64),  # the row of the tables for the set-up
    ("board", np.int8),  # how its violet buildings are chosen, see BOARDS
    ("exclude_forest_house", np.int8),  # 1: hacienda and forest house are never in the same game
    ("harbor_by_kind", np.int8),  # 1: with the small wharf the harbor pays for each kind of goods
    ("library_once", np.int8),  # 1: the library doubles one privilege a round
    ("in_game", np.int8, (NUM_BUILDINGS,)),  # 1: this kind of building is on the board
    ("removed", np.int8, (NUM_GOODS,)),  # plantations that left the game for forests
    ("forests", np.int8, (MAX_PLAYERS,)),
    ("library_used", np.int8, (MAX_PLAYERS,)),  # in this round, where it doubles one privilege only
    # unfinished decisions
    ("without_privilege", np.int8),  # 1: the role is played again by the politician
    ("after_guests", np.int8),  # guest: what follows, see guests.MOMENTS; else NOTHING_TO_RESUME
    ("guest_from", np.int64),  # guest: the first place that the next guest may go to
    ("guests_asked", np.int8),  # 1: the player who decides was just asked; at the end of the game: the last to decide
    ("hacienda_asked", np.int8),  # settler: 1 if the hacienda's tile was drawn or declined in this turn
    ("second_turn", np.int8),  # settler: 1 in the turn that the library adds
    ("drawn", np.int64),  # forest: the tile that the hacienda drew; else NOTHING
    ("privileges_used", np.int8),  # mayor, craftsman: colonists or barrels already taken for the privilege
    ("privilege_from", np.int64),  # craftsman: the first good that the next barrel of the privilege may be
    ("buying", np.int64),  # black market: the building being paid for; else NOTHING
    ("missing", np.int8),  # black market: doubloons still missing
    ("has_loaded", np.int8, (MAX_PLAYERS,)),  # captain: in this phase
    ("small_wharf_used", np.int8, (MAX_PLAYERS,)),  # captain: in this phase
    ("wharf_good", np.int64),  # small wharf: the good being asked about
    ("shipped", np.int8, (NUM_GOODS,)),  # small wharf: barrels chosen so far; shipped when all are chosen
    ("kept_whole", np.int8, (NUM_GOODS,)),  # store, with a storehouse: 1 where all barrels of a good were kept
]


def _legal(actions: int) -> tuple[Any, ...]:
    """The field of the legal actions, which follow from the rest.

    They are stored because three things need them: finding out whether a decision is a real choice, checking an action,
    and returning the mask. Computing them takes half of a step.
    """
    return "legal", np.uint8, (actions,)


NAME = "puerto_rico"
RECORD = game_record(NAME, [*_fields(MAX_BASE_PLAYERS, NUM_BASE_ROLES, NUM_BASE_BUILDINGS), _legal(NUM_BASE_ACTIONS)])
EXTENDED_RECORD = game_record(
    NAME, [*_fields(MAX_PLAYERS, NUM_ROLES, NUM_BUILDINGS), *_EXTENDED_FIELDS, _legal(len(ACTIONS))]
)

UNKNOWN_CHIPS = -1  # in a copy for a seat that does not see them (`Game.seen_by`); never in a game

# What observations show is not part of a game: two players may view the same game differently.
TABLES = np.dtype((np.record, [("hidden_points", np.int8)]))  # 1: chips and points of others are shown as 0
