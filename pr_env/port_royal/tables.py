"""The names and numbers of the rulebook that are not on cards. The values on the cards are in ``data/*.csv``."""

from __future__ import annotations

MAX_PLAYERS = 5

COLOURS = ("yellow", "blue", "green", "red", "black")
YELLOW, BLUE, GREEN, RED, BLACK = range(len(COLOURS))
NUM_COLOURS = len(COLOURS)
SHIP_NAMES = ("pinnace", "flute", "skiff", "frigate", "galleon")  # by colour
NO_COLOUR = -1

# The abilities of persons. Those of the base game come first, so that its record counts no others.
ABILITIES = (
    "trader",
    "settler",
    "captain",
    "priest",
    "jack_of_all_trades",
    "sailor",
    "pirate",
    "mademoiselle",
    "jester",
    "admiral",
    "governor",
    "merchant",
    "passenger",
    "gambler",
    "clerk",
    "gunner",
    "vice_admiral",
)
(
    TRADER,
    SETTLER,
    CAPTAIN,
    PRIEST,
    JACK,
    SAILOR,
    PIRATE,
    MADEMOISELLE,
    JESTER,
    ADMIRAL,
    GOVERNOR,
    MERCHANT,
    PASSENGER,
    GAMBLER,
    CLERK,
    GUNNER,
    VICE_ADMIRAL,
) = range(len(ABILITIES))

# The symbols that expeditions ask for, in the order in which they are paid.
SYMBOLS = ("captain", "priest", "settler")
SYMBOL_ABILITY = (CAPTAIN, PRIEST, SETTLER)
NUM_SYMBOLS = len(SYMBOLS)

# -- the sets ----------------------------------------------------------------------------------------------------------

SETS = ("base", "set_sail", "gambler", "contract")
# Persons, ships, expeditions and taxes in each set. Files with other sums are refused.
SET_SIZES = {
    "base": (60, 50, 6, 4),
    "set_sail": (32, 25, 0, 3),
    "gambler": (4, 0, 0, 0),
    "contract": (14, 10, 0, 0),
}
SET_SAIL_IN_BASE = (10, 10, 0, 0)  # the cards of set_sail that may join the base game

# -- the turn ----------------------------------------------------------------------------------------------------------

START_COINS = 3
GOAL = {"base": 12, "set_sail": 8, "adventure": 12}  # influence that ends the game
TAKES_BY_COLOURS = (1, 1, 1, 1, 2, 3, 4)  # of the active player, by the ship colours in the harbour
FEE = 1  # coins for the active player, for each card that another player takes
ADMIRAL_CARDS = 5  # in the harbour
ADMIRAL_COINS = 2
VICE_ADMIRAL_CARDS = (3, 4)
JESTER_COINS = 1
GAMBLER_DRAWS = 4

TAX_RULES = ("half_rounded_down", "down_to_8")
HALF_ROUNDED_DOWN, DOWN_TO_8 = range(len(TAX_RULES))
TAX_BONUSES = ("max_sabres", "min_influence")
MAX_SABRES, MIN_INFLUENCE = range(len(TAX_BONUSES))
DOWN_TO = 8  # coins that the tax of set_sail leaves

# -- contracts ---------------------------------------------------------------------------------------------------------

REQUIREMENTS = (
    "two_persons",
    "expedition_1",
    "sabres_3",
    "persons_cost_3_4",
    "influence_12",
    "pay_15_coins",
    "pay_tax",
    "refuse_frigate_coins_3",
    "refuse_galleon_coins_2",
    "bust_as_active",
    "repel_5_colours",
    "harbour_4_colours",
    "harbour_3_colours_2",
)
(
    TWO_PERSONS,
    ONE_EXPEDITION,
    THREE_SABRES,
    FOUR_CHEAP_PERSONS,
    TWELVE_INFLUENCE,
    PAY_15_COINS,
    LOSE_TO_TAX,
    REFUSE_FRIGATES,
    REFUSE_GALLEONS,
    BUST,
    REPEL_5_COLOURS,
    FOUR_COLOURS,
    THREE_COLOURS_TWICE,
) = range(len(REQUIREMENTS))
FREE_REQUIREMENTS = range(TWO_PERSONS, LOSE_TO_TAX)  # completed at any moment of one's own
REFUSED_COLOURS = (RED, BLACK)  # the coins of these ships may be refused for a contract

NUM_CUBES = 3
CONTRACT_INFLUENCE = (0, 0, 1, 3)  # in total, by contracts completed
CONTRACTS_COMPETITIVE = 4  # face up
CONTRACTS_COOPERATIVE = (0, 3, 5, 7, 9, 11)  # face up, by players
MOST_COIN_SPACES = 5
CHEAP, CHEAP_PERSONS = 3, 4
FIGHTER_SABRES = 3
SMALL_FORTUNE = 12
RANSOM = 15
TIME_CARDS = 13  # before the seals are counted

TITLES = ("landlubber", "sailor", "pirate", "captain", "lord_of_the_seas")  # one for every two points
BEST_POINTS = 8  # more points bring no better title
