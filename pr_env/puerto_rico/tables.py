"""The numbers of the rulebook as data: goods, tiles, roles, buildings and the set-up for each number of players.

This module has no rules. The named rows come first; the arrays at the end are the same rows in the form that the
compiled rules use.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# A base game is for two to five players. The extended game adds Expansion I, the six-player variants and their cards;
# the tables begin with what both share.
MAX_BASE_PLAYERS = 5
MAX_PLAYERS = 6
PLAYER_COUNTS = (2, 3, 4, 5, 6)

# -- goods and island tiles -------------------------------------------------------------------------------------------

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
CORN, INDIGO, SUGAR, TOBACCO, COFFEE = range(5)
NUM_GOODS = len(GOODS)
NOTHING = -1  # "no good": an empty ship, no tile waiting for its colonist

TILES = (*GOODS, "quarry")  # the first five tiles are the plantations of the five goods
QUARRY = 5
NUM_TILES = len(TILES)
FOREST = 6  # Expansion I: takes an island space and has no circle

PRICE = np.array([0, 1, 2, 3, 4], np.int8)  # what the trading house pays for each good

ISLAND_SPACES = 12
CITY_SPACES = 12
TRADING_HOUSE_SPACES = 4
NUM_SHIPS = 3
NO_ONE = -1  # a role card that nobody has taken

# -- role cards -------------------------------------------------------------------------------------------------------

BASE_ROLES = ("settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector", "prospector_2")
ROLES = (*BASE_ROLES, "politician", "pirate", "governor")  # politician and pirate also have a prospector's side
SETTLER, MAYOR, BUILDER, CRAFTSMAN, TRADER, CAPTAIN, PROSPECTOR, PROSPECTOR_2, POLITICIAN, PIRATE, GOVERNOR = range(11)
NUM_BASE_ROLES = len(BASE_ROLES)
NUM_ROLES = len(ROLES)
NUM_ACTION_ROLES = 6  # settler to captain: everybody acts in them
NO_ROLE = -1  # between two roles

# -- buildings --------------------------------------------------------------------------------------------------------


class Building(NamedTuple):
    """One building of the board.

    Attributes:
        name: Its English name.
        cost: Doubloons before any reduction.
        column: 1 to 4: the printed victory points (except for the statue), and the most quarries that may reduce its
            cost.
        circles: The number of colonists that can work in it.
        copies: The number of copies with three to five players.
        makes: The good that it produces, or None for a violet building.
        points: The printed victory points if they differ from the column.
    """

    name: str
    cost: int
    column: int
    circles: int
    copies: int
    makes: int | None = None
    points: int | None = None


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
    # Expansion I
    Building("aqueduct", 1, 1, 1, 2),
    Building("black_market", 2, 1, 1, 2),
    Building("forest_house", 2, 1, 1, 2),
    Building("storehouse", 3, 1, 1, 2),
    Building("guesthouse", 4, 2, 2, 2),
    Building("church", 5, 2, 1, 2),
    Building("trading_post", 5, 2, 1, 2),
    Building("small_wharf", 6, 2, 1, 2),
    Building("lighthouse", 7, 3, 1, 2),
    Building("library", 8, 3, 1, 2),
    Building("specialty_factory", 8, 3, 1, 2),
    Building("union_hall", 9, 3, 1, 2),
    Building("cloister", 10, 4, 1, 1),
    Building("statue", 10, 4, 0, 1, points=8),
    # Johns' game for six players
    Building("large_church", 10, 4, 1, 1),
)
NUM_BASE_BUILDINGS = 23
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
    AQUEDUCT,
    BLACK_MARKET,
    FOREST_HOUSE,
    STOREHOUSE,
    GUESTHOUSE,
    CHURCH,
    TRADING_POST,
    SMALL_WHARF,
    LIGHTHOUSE,
    LIBRARY,
    SPECIALTY_FACTORY,
    UNION_HALL,
    CLOISTER,
    STATUE,
    LARGE_CHURCH,
) = range(NUM_BUILDINGS)

NUM_PRODUCTION_BUILDINGS = 6  # they come first in the table
LARGE_COLUMN = 4  # the buildings of this column take two city spaces
NOT_BUILT = -1  # instead of a number of colonists

FACTORY_PAY = np.array([0, 0, 1, 2, 3, 5], np.int8)  # doubloons for 0 to 5 kinds of goods

BALANCED_COST = {"university": 7, "factory": 8}  # what tournament players pay
COST = np.array(
    [[b.cost for b in BUILDINGS], [BALANCED_COST.get(b.name, b.cost) for b in BUILDINGS]], np.int8
)  # printed, and by the balanced rules
COLUMN = np.array([b.column for b in BUILDINGS], np.int8)
PRINTED_POINTS = np.array([b.column if b.points is None else b.points for b in BUILDINGS], np.int8)
CIRCLES = np.array([b.circles for b in BUILDINGS], np.int8)
SPACES = np.array([2 if b.column == LARGE_COLUMN else 1 for b in BUILDINGS], np.int8)

# -- Expansion I: 31 violet kinds compete for the 17 violet spaces of the board ----------------------------------------

FIRST_VIOLET = NUM_PRODUCTION_BUILDINGS
NUM_VIOLET_SPACES = 17
MAX_COST = 10
VIOLET_SPACES = np.array([0, 1, 2, 1, 1, 2, 1, 1, 2, 1, 5], np.int8)  # spaces for each printed cost

# -- the set-up for each number of players ----------------------------------------------------------------------------
#    Rows are numbers of players: rows 0 and 1 are empty, so that the number itself is the index. Row 6 is Johns' game
#    for six players. Two more games have their own rows, with the material of five players: the other game for six,
#    with a governor's card, and the game for five with politician and pirate instead of the prospectors.

GOVERNOR_ROW = 7
DOUBLE_CARDS_ROW = 8


def _by_players(two: object, three: object, four: object, five: object, johns: object) -> np.ndarray:
    empty = np.zeros_like(np.array(two))
    return np.array([empty, empty, two, three, four, five, johns, five, five], np.int16)


def _copies(building: Building) -> tuple[int, int, int]:
    """The numbers of copies with two players, with three to five, and with Johns' six."""
    if building.name == "large_church":
        return 0, 0, 1
    if building.column == LARGE_COLUMN:
        return 1, 1, 1
    return 2 if building.makes is not None else 1, building.copies, building.copies + 1


_COPIES = list(zip(*[_copies(b) for b in BUILDINGS], strict=True))

START_DOUBLOONS = _by_players(3, 2, 3, 4, 5)
VP_CHIPS = _by_players(65, 75, 100, 122, 150)
COLONIST_SUPPLY = _by_players(40, 55, 75, 95, 115)  # not counting those on the ship, one for each player
COLONIST_SUPPLY[GOVERNOR_ROW] = 94  # with those on the ship, the 100 of five players
SHIP_CAPACITY = _by_players((4, 6, 0), (4, 5, 6), (5, 6, 7), (6, 7, 8), (7, 8, 9))  # two players have two ships
QUARRIES = _by_players(5, 8, 8, 8, 10)
_TILES, _GOODS = (10, 12, 11, 9, 8), (10, 11, 11, 9, 9)  # with three to five players
PLANTATIONS = _by_players((7, 9, 8, 6, 5), _TILES, _TILES, _TILES, (12, 15, 14, 11, 10))  # start tiles included
BARRELS = _by_players((8, 9, 9, 7, 7), _GOODS, _GOODS, _GOODS, (12, 14, 14, 11, 11))
PICKS_A_ROUND = _by_players(6, 3, 4, 5, 6)
PICKS_A_ROUND[GOVERNOR_ROW] = 6
INDIGO_SEATS = _by_players(1, 2, 2, 3, 3)  # the first seats start with indigo, the others with corn
COPIES = _by_players(_COPIES[0], _COPIES[1], _COPIES[1], _COPIES[1], _COPIES[2])


def _cards(*more: int) -> list[bool]:
    return [role < NUM_ACTION_ROLES or role in more for role in range(NUM_ROLES)]


CARDS = np.array(  # which role cards are in the game
    [
        _cards(),
        _cards(),
        _cards(PROSPECTOR),
        _cards(),
        _cards(PROSPECTOR),
        _cards(PROSPECTOR, PROSPECTOR_2),
        _cards(PROSPECTOR, POLITICIAN, PIRATE),
        _cards(PROSPECTOR, PROSPECTOR_2, GOVERNOR),
        _cards(POLITICIAN, PIRATE),
    ]
)
