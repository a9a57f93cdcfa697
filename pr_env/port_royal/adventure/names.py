"""The names and numbers of the adventure's rules that are not on cards."""

from __future__ import annotations

from pr_env.port_royal.tables import ABILITIES, CAPTAIN, COLOURS, PRIEST, SETTLER, SHIP_NAMES, SYMBOLS

MODES = ("competitive", "cooperative", "post_adventure")
MAX_PLAYERS = 4
NUM_CHAPTERS = 5
GOAL = 12  # influence that ends a competitive game, together with a trophy

# -- play cards --------------------------------------------------------------------------------------------------------

ALL_COLOURS = (*COLOURS, "ares")  # the sixth colour
ARES = COLOURS.index(COLOURS[-1]) + 1
ALL_SHIP_NAMES = (*SHIP_NAMES, "ares_pirates")

NEW_ABILITIES = ("ares_captain", "ares_priest", "ares_settler", "lookout", "tybuk_brother", "innkeeper")
ALL_ABILITIES = (*ABILITIES, *NEW_ABILITIES)
ARES_CAPTAIN, ARES_PRIEST, ARES_SETTLER, LOOKOUT, TYBUK_BROTHER, INNKEEPER = range(len(ABILITIES), len(ALL_ABILITIES))
ARES_PERSONS = (ARES_CAPTAIN, ARES_PRIEST, ARES_SETTLER)
SPECIAL_ABILITY = ARES_PERSONS  # persons with a symbol, besides captain, priest and settler

ITEMS = ("book", "herbs", "bread", "rum")
BOOK, HERBS, BREAD, RUM = range(len(ITEMS))
NO_ITEM = -1
ALL_SYMBOLS = (*SYMBOLS, *ITEMS)  # the symbols that expeditions ask for
FIRST_ITEM_SYMBOL = len(SYMBOLS)

INNKEEPER_CARDS = 4  # in the harbour, for a crown
LOOK_AT = 3  # cards, with a lookout
SOLD = (BREAD, RUM)  # by innkeepers
SALES = len(SOLD)

MOST_CROWNS = 63  # spaces of the track

# -- characters --------------------------------------------------------------------------------------------------------

SIDES = ("a", "b")
NUM_CHARACTERS = 5  # cards, of two sides each
CUBES = 4  # on a character
TROPHY = 2  # uncovered with this many cubes
FIELD_CROWNS = (0, 0, 0, 1, 3)  # for uncovering the field
CHARACTER_ABILITIES = (
    "bust_with_at_most_4_cards_2_coins",
    "expedition_2_crowns",
    "as_sailor",
    "as_mademoiselle",
    "as_trader_1_crown",
    "as_admiral_1_coin",
    "as_trader",
    "part_begins_with_3_ships_1_coin",
    "2_coins_once",
    "as_lookout",
)
(
    PAID_FOR_BUST,
    EXPEDITION_CROWNS,
    AS_SAILOR,
    AS_MADEMOISELLE,
    AS_CROWN_TRADER,
    AS_ADMIRAL,
    AS_TRADER,
    PAID_FOR_SHIPS,
    COINS_ONCE,
    AS_LOOKOUT,
) = range(len(CHARACTER_ABILITIES))
COLOURED_ABILITIES = ("as_trader", "as_trader_1_crown")
BUST_CARDS, BUST_COINS = 4, 2
CROWNS_FOR_EXPEDITION = 2
SAILOR_SABRES = 1
SCOTT_COINS = 1
SHIPS_PAID_FOR, COINS_FOR_SHIPS = 3, 1
COINS_GIVEN_ONCE = 2

# -- events ------------------------------------------------------------------------------------------------------------

EFFECTS = (
    "all_gain_coins",
    "active_gains_coins",
    "active_gains_crowns",
    "fewest_influence_gain_crowns",
    "eight_or_more_coins_lose",
    "repel_needs_sabres_less",
    "repel_needs_sabres_more",
    "minimum_draws",
    "ship_pays_more",
    "hire_costs_more",
    "hire_costs_less",
    "no_fee",
    "active_takes_more",
    "month_end",
    "month_end_pay_to_remove_cube",
)
(
    ALL_GAIN_COINS,
    ACTIVE_GAINS_COINS,
    ACTIVE_GAINS_CROWNS,
    FEWEST_GAIN_CROWNS,
    RICH_LOSE,
    REPEL_LESS,
    REPEL_MORE,
    MINIMUM_DRAWS,
    SHIP_PAYS_MORE,
    HIRE_COSTS_MORE,
    HIRE_COSTS_LESS,
    NO_FEE,
    ACTIVE_TAKES_MORE,
    MONTH_END,
    MONTH_END_PAY,
) = range(len(EFFECTS))
WHEN = ("immediate", "phase_1", "phase_2")
_PHASE_1 = (REPEL_LESS, REPEL_MORE, MINIMUM_DRAWS)
_PHASE_2 = (SHIP_PAYS_MORE, HIRE_COSTS_MORE, HIRE_COSTS_LESS, NO_FEE, ACTIVE_TAKES_MORE)
WHEN_OF = tuple(
    WHEN[1] if effect in _PHASE_1 else WHEN[2] if effect in _PHASE_2 else WHEN[0] for effect in range(len(EFFECTS))
)
RICH = 8  # coins from which an event takes some
COMMON_EVENTS = 13  # with the number 0
MOST_EVENTS = 1 + COMMON_EVENTS  # in a month, its end not counted
EVENTS_OF_NUMBER = (COMMON_EVENTS, 1, 1, 1)

# -- missions ----------------------------------------------------------------------------------------------------------

SLOTS = 4  # missions that can be laid out in a game
STARRED = 15  # missions for the time after the adventure
HAVE = ("captain", "priest", "settler", "sabres", "expedition", "persons_cost_3", "tybuk", "innkeeper")
HAVE_CAPTAIN, HAVE_PRIEST, HAVE_SETTLER, HAVE_SABRES, HAVE_EXPEDITION, HAVE_CHEAP, HAVE_TYBUK, HAVE_INNKEEPER = range(
    len(HAVE)
)
CHEAP = 3  # printed cost
DISCARD = ("coins", "ares", *ITEMS, "crowns")
DISCARD_COINS, DISCARD_ARES, DISCARD_BOOK, DISCARD_HERBS, DISCARD_BREAD, DISCARD_RUM, DISCARD_CROWNS = range(
    len(DISCARD)
)
FIRST_DISCARDED_ITEM = DISCARD_BOOK
TRIGGERS = ("", "harbour_colours", "pay_tax", "stop_after_cards")
FREE, HARBOUR_COLOURS, PAY_TAX, STOP_AFTER_CARDS = range(len(TRIGGERS))
MOST_TIMES = 3  # of a trigger; the places before the last are progress spaces
CARD_9 = "card_9"  # where a cooperative chapter ends
CONDITIONS = ("missions", "cubes", "influence")  # of card 9

assert SPECIAL_ABILITY == ARES_PERSONS
assert tuple(map(ABILITIES.index, SYMBOLS)) == (CAPTAIN, PRIEST, SETTLER)
