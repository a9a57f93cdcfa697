"""The record: one game of Puerto Rico in a fixed number of bytes.

A game is counts, not objects: three corn tiles are the number 3. Every pile of pieces on the table is a field, so that
a piece that moves leaves one field and enters another; that nothing is created or lost can then be tested. Arrays are
laid out for ``MAX_PLAYERS`` seats; the seats that nobody sits on stay zero.
"""

from __future__ import annotations

import numpy as np

from pr_env.puerto_rico.actions import ACTIONS
from pr_env.puerto_rico.tables import (
    CITY_SPACES,
    MAX_PLAYERS,
    NUM_BUILDINGS,
    NUM_GOODS,
    NUM_ROLES,
    NUM_SHIPS,
    NUM_TILES,
)

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
) = range(len(PHASES))

# -- why a game ends: bits of the field `ending` -----------------------------------------------------------------------

END_REASONS = ("colonists", "city", "chips", "rounds")
COLONISTS_SHORT, CITY_FULL, CHIPS_GONE, ROUNDS_OVER = 1, 2, 4, 8

NUM_ACTIONS = len(ACTIONS)

# Numbers that name a seat, a tile or a building are 64 bits wide, as the numbers of loops are: every rule is then
# compiled for one kind of number only.
RECORD = np.dtype(
    (
        np.record,
        [
            # the game itself
            ("seed", np.uint64),  # what it was set up with
            ("rng", np.uint64),  # state of its random generator
            ("players", np.int64),  # 2 to 5
            ("max_rounds", np.int16),  # a game still running after so many rounds is cut
            # whose turn it is
            ("round_number", np.int16),  # from 1 ("round" itself is a method of NumPy records)
            ("governor", np.int64),  # seat
            ("picks", np.int8),  # roles picked so far in this round
            ("picker", np.int64),  # seat that picks, or picked the role being played
            ("role", np.int8),  # the role card being played, or NO_ROLE
            ("phase", np.int8),  # which question is asked, see PHASES
            ("player", np.int64),  # seat that answers it
            ("ending", np.uint8),  # end conditions met so far: bits
            ("role_taken_by", np.int8, (NUM_ROLES,)),  # seat, or NO_ONE
            ("role_doubloons", np.int16, (NUM_ROLES,)),
            # the table
            ("goods_supply", np.int8, (NUM_GOODS,)),
            ("colonist_supply", np.int8),
            ("colonist_ship", np.int8),
            ("chips_supply", np.int16),
            ("quarry_supply", np.int8),
            ("face_up", np.int8, (NUM_GOODS,)),  # plantations to choose from
            ("face_down", np.int8, (NUM_GOODS,)),  # in the stacks; their order does not exist before a tile is drawn
            ("discards", np.int8, (NUM_GOODS,)),
            ("buildings_left", np.int8, (NUM_BUILDINGS,)),
            ("ship_good", np.int8, (NUM_SHIPS,)),  # NOTHING on an empty ship
            ("ship_barrels", np.int8, (NUM_SHIPS,)),
            ("trading_house", np.int8, (NUM_GOODS,)),  # barrels of each good in it
            # the players' boards
            ("doubloons", np.int16, (MAX_PLAYERS,)),
            ("chips", np.int16, (MAX_PLAYERS,)),  # victory points from chips, and those counted on without chips
            ("goods", np.int8, (MAX_PLAYERS, NUM_GOODS)),
            ("tiles", np.int8, (MAX_PLAYERS, NUM_TILES)),
            ("tile_colonists", np.int8, (MAX_PLAYERS, NUM_TILES)),  # how many of these tiles are manned
            ("city", np.int8, (MAX_PLAYERS, NUM_BUILDINGS)),  # colonists in the building, or NOT_BUILT
            # Which buildings stand follows from `city`. It is kept as a list, too, because most loops are over the
            # few that stand: going through all 23 instead costs a third of the speed.
            ("built", np.int8, (MAX_PLAYERS, CITY_SPACES)),  # in the order of the table; zero after the last one
            ("built_count", np.int8, (MAX_PLAYERS,)),
            ("san_juan", np.int8, (MAX_PLAYERS,)),  # colonists without a circle
            # half-made decisions; zero (or NOTHING) outside the phase that they belong to
            ("placed", np.int64),  # hospice: the tile just taken; university: the building just built; else NOTHING
            ("circle_kind", np.int64),  # mayor: which kind is asked about: a tile, or NUM_TILES + place in `built`
            (
                "circles_ahead",
                np.int8,
            ),  # mayor: circles of that kind and all later ones; kept to ask without recounting
            ("produced", np.int8, (NUM_GOODS,)),  # craftsman: barrels that the picker produced
            ("captain_bonus", np.int8),  # captain: 1 until the picker has loaded for the first time
            ("wharf_used", np.int8, (MAX_PLAYERS,)),  # captain: in this phase
            ("idle_turns", np.int8),  # captain: turns in a row without loading
            ("store_good", np.int64),  # store: the good being asked about
            ("store_kinds", np.int8),  # store: warehouse places left, each for all barrels of a kind
            ("store_single", np.int8),  # store: 1 while the single barrel is not chosen
            ("store_places", np.int8),  # store: places left in all, warehouses and single barrel together
            # The legal actions follow from the rest. They are kept because finding out whether a decision is a real
            # one, checking an action and handing out the mask all need them, and computing them is half of a step.
            ("legal", np.uint8, (NUM_ACTIONS,)),
        ],
    )
)
