"""The numbers of the rulebook as data: goods, tiles, roles, buildings and what each player count starts with.

Nothing here acts. The named rows come first; the arrays at the end are the same rows in the form that the compiled
rules read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MAX_PLAYERS = 5
PLAYER_COUNTS = (2, 3, 4, 5)

# -- goods and island tiles -------------------------------------------------------------------------------------------

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
CORN, INDIGO, SUGAR, TOBACCO, COFFEE = range(5)
NUM_GOODS = len(GOODS)
NOTHING = -1  # "no good": an empty ship, no tile waiting for its colonist

TILES = (*GOODS, "quarry")  # the first five tiles are the plantations of the five goods
QUARRY = 5
NUM_TILES = len(TILES)

PRICE = np.array([0, 1, 2, 3, 4], np.int8)  # what the trading house pays for each good

ISLAND_SPACES = 12
CITY_SPACES = 12
TRADING_HOUSE_SPACES = 4
NUM_SHIPS = 3
NO_ONE = -1  # a role card that nobody has taken

# -- role cards -------------------------------------------------------------------------------------------------------

ROLES = ("settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector", "prospector_2")
SETTLER, MAYOR, BUILDER, CRAFTSMAN, TRADER, CAPTAIN, PROSPECTOR, PROSPECTOR_2 = range(8)
NUM_ROLES = len(ROLES)
NO_ROLE = -1  # between two roles

# -- buildings --------------------------------------------------------------------------------------------------------


class Building(NamedTuple):
    """One building of the board.

    Attributes:
        name: Its English name.
        cost: Doubloons before any reduction.
        column: 1 to 4: the printed victory points, and the most quarries that may reduce its cost.
        circles: How many colonists can work in it.
        copies: How many there are with three to five players.
        makes: The good that it produces, or None for a violet building.
    """

    name: str
    cost: int
    column: int
    circles: int
    copies: int
    makes: int | None = None


BUILDINGS = (
    Building("small_indigo_plant", 1, 1, 1, 4, INDIGO),
    Building("small_sugar_mill", 2, 1, 1, 4, SUGAR),
    Building("indigo_plant", 3, 2, 3, 3, INDIGO),
    Building("sugar_mill", 4, 2, 3, 3, SUGAR),
    Building("tobacco_storage", 5, 3, 3, 3, TOBACCO),
    Building("coffee_roaster", 6, 3, 2, 3, COFFEE),
    Building("small_market", 1, 1, 1, 2),
    Building("hacienda", 2, 1, 1, 2),
    Building("construction_hut", 2, 1, 1, 2),
    Building("small_warehouse", 3, 1, 1, 2),
    Building("hospice", 4, 2, 1, 2),
    Building("office", 5, 2, 1, 2),
    Building("large_market", 5, 2, 1, 2),
    Building("large_warehouse", 6, 2, 1, 2),
    Building("factory", 7, 3, 1, 2),
    Building("university", 8, 3, 1, 2),
    Building("harbor", 8, 3, 1, 2),
    Building("wharf", 9, 3, 1, 2),
    Building("guild_hall", 10, 4, 1, 1),
    Building("residence", 10, 4, 1, 1),
    Building("fortress", 10, 4, 1, 1),
    Building("customs_house", 10, 4, 1, 1),
    Building("city_hall", 10, 4, 1, 1),
)
NUM_BUILDINGS = len(BUILDINGS)
BUILDING_NAMES = tuple(building.name for building in BUILDINGS)

(
    SMALL_INDIGO_PLANT,
    SMALL_SUGAR_MILL,
    INDIGO_PLANT,
    SUGAR_MILL,
    TOBACCO_STORAGE,
    COFFEE_ROASTER,
    SMALL_MARKET,
    HACIENDA,
    CONSTRUCTION_HUT,
    SMALL_WAREHOUSE,
    HOSPICE,
    OFFICE,
    LARGE_MARKET,
    LARGE_WAREHOUSE,
    FACTORY,
    UNIVERSITY,
    HARBOR,
    WHARF,
    GUILD_HALL,
    RESIDENCE,
    FORTRESS,
    CUSTOMS_HOUSE,
    CITY_HALL,
) = range(NUM_BUILDINGS)

NUM_PRODUCTION_BUILDINGS = 6  # they come first in the table
LARGE_COLUMN = 4  # the buildings of this column take two city spaces
NOT_BUILT = -1  # in place of a number of colonists

FACTORY_PAY = np.array([0, 0, 1, 2, 3, 5], np.int8)  # doubloons for 0 to 5 kinds of goods

COST = np.array([b.cost for b in BUILDINGS], np.int8)
COLUMN = np.array([b.column for b in BUILDINGS], np.int8)
CIRCLES = np.array([b.circles for b in BUILDINGS], np.int8)
SPACES = np.array([2 if b.column == LARGE_COLUMN else 1 for b in BUILDINGS], np.int8)

# -- what each number of players starts with --------------------------------------------------------------------------
#    Rows are player counts: row 0 and row 1 are empty, so that the count itself is the index.


def _by_players(two: object, three: object, four: object, five: object) -> np.ndarray:
    empty = np.zeros_like(np.array(two))
    return np.array([empty, empty, two, three, four, five], np.int16)


START_DOUBLOONS = _by_players(3, 2, 3, 4)
VP_CHIPS = _by_players(65, 75, 100, 122)
COLONIST_SUPPLY = _by_players(40, 55, 75, 95)  # besides those on the ship, one for each player
SHIP_CAPACITY = _by_players((4, 6, 0), (4, 5, 6), (5, 6, 7), (6, 7, 8))  # two players have two ships
QUARRIES = _by_players(5, 8, 8, 8)
PLANTATIONS = _by_players((7, 9, 8, 6, 5), *[(10, 12, 11, 9, 8)] * 3)  # start tiles included
BARRELS = _by_players((8, 9, 9, 7, 7), *[(10, 11, 11, 9, 9)] * 3)
ROLE_CARDS = _by_players(7, 6, 7, 8)  # settler to captain, then none, one or two prospectors
PICKS_A_ROUND = _by_players(6, 3, 4, 5)
INDIGO_SEATS = _by_players(1, 2, 2, 3)  # the first seats start with indigo, the others with corn
COPIES = _by_players(
    tuple(2 if b.makes is not None else 1 for b in BUILDINGS), *[tuple(b.copies for b in BUILDINGS)] * 3
)
