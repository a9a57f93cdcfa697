"""The action table: every action has a number, a name for programs and a sentence for people.

The numbers are the same in all games: a base game has the first ones, the extended game has all. Only this module, the
mask (legal.py) and the step (step.py) use them.
"""

from __future__ import annotations

from pr_env.game import Action
from pr_env.puerto_rico.tables import (
    BASE_ROLES,
    BUILDINGS,
    FIRST_VIOLET,
    GOODS,
    ISLAND_SPACES,
    LARGE_CHURCH,
    MAX_PLAYERS,
    NUM_ACTION_ROLES,
    NUM_BASE_BUILDINGS,
    NUM_SHIPS,
    TILES,
)

ACTIONS: list[Action] = []


def _add(name: tuple[str | int, ...], sentence: str) -> int:
    ACTIONS.append(Action(len(ACTIONS), name, sentence))
    return len(ACTIONS) - 1


def _words(name: str) -> str:
    return name.replace("_", " ")


def _tile_words(tile: str) -> str:
    return f"{'an' if tile == 'indigo' else 'a'} {tile}{' plantation' if tile in GOODS else ''}"


def _place_words(place: str) -> str:
    return _tile_words(place) if place in TILES else f"the {_words(place)}"


PASS = _add(("pass",), "Pass: take, draw, build, sell or load nothing.")

PICK = len(ACTIONS)  # + role
for _role in BASE_ROLES:
    _add(("pick", _role), f"Pick the {'second prospector' if _role == 'prospector_2' else _role}.")

DRAW_TILE = _add(("draw_tile",), "Hacienda: draw a face-down plantation and place it.")

SETTLE = len(ACTIONS)  # + tile
for _tile in TILES:
    _add(("settle", _tile), f"Take {_tile_words(_tile)}.")

TAKE_COLONIST = _add(("take_colonist",), "Take the colonist (hospice, university or the mayor's privilege).")

PLACE = len(ACTIONS)  # + number of colonists
MOST_CIRCLES_OF_A_KIND = ISLAND_SPACES  # an island full of one kind of tile
for _count in range(MOST_CIRCLES_OF_A_KIND + 1):
    _add(("place", _count), f"Place {_count} colonist{'' if _count == 1 else 's'} on this kind of circle.")

TAKE_GOOD = len(ACTIONS)  # + good
for _good in GOODS:
    _add(("take_good", _good), f"Craftsman's privilege: take one more barrel of {_good}.")

SELL = len(ACTIONS)  # + good
for _good in GOODS:
    _add(("sell", _good), f"Sell a barrel of {_good} to the trading house.")

LOAD = len(ACTIONS)  # + good * NUM_SHIPS + ship
for _good in GOODS:
    for _ship in range(NUM_SHIPS):
        _add(("load", _good, _ship), f"Load {_good} on the {('smallest', 'second', 'third')[_ship]} ship.")

WHARF_LOAD = len(ACTIONS)  # + good
for _good in GOODS:
    _add(("wharf", _good), f"Wharf: ship all {_good} to the supply.")

STORE_NONE = _add(("store", "none"), "Keep no barrel of this good.")
STORE_ONE = _add(("store", "one"), "Keep a single barrel of this good.")
STORE_ALL = _add(("store", "all"), "Keep all barrels of this good.")

BUILD = len(ACTIONS)  # + building
for _building in BUILDINGS[:NUM_BASE_BUILDINGS]:
    _add(("build", _building.name), f"Build the {_words(_building.name)}.")

NUM_BASE_ACTIONS = len(ACTIONS)

# -- the extended game: the other buildings, then everything else ------------------------------------------------------

for _building in BUILDINGS[NUM_BASE_BUILDINGS:]:
    _add(("build", _building.name), f"Build the {_words(_building.name)}.")

DRAFT = len(ACTIONS)  # + violet building - FIRST_VIOLET
for _building in BUILDINGS[FIRST_VIOLET:LARGE_CHURCH]:
    _add(("draft", _building.name), f"Put the {_words(_building.name)} on the board.")

PICK_POLITICIAN = _add(("pick", "politician"), "Pick the politician.")
PICK_POLITICIAN_AS_PROSPECTOR = _add(
    ("pick", "politician_as_prospector"), "Pick the politician's card as a prospector."
)
PICK_PIRATE = _add(("pick", "pirate"), "Pick the pirate.")
PICK_PIRATE_AS_PROSPECTOR = _add(("pick", "pirate_as_prospector"), "Pick the pirate's card as a prospector.")
PICK_GOVERNOR = _add(("pick", "governor"), "Pick the governor's card: be the first in the next round.")

REPLAY = len(ACTIONS)  # + role
for _role in BASE_ROLES[:NUM_ACTION_ROLES]:
    _add(("replay", _role), f"Politician: play the {_role} again, without the privilege.")

_LEFT = ("", "next player to the left", *(f"player {_seats} seats to the left" for _seats in range(2, MAX_PLAYERS)))
PLUNDER = len(ACTIONS)  # + (seats to the left - 1) * goods + good
for _seats in range(1, MAX_PLAYERS):
    for _good in GOODS:
        _add(("plunder", _seats, _good), f"Pirate: take a barrel of {_good} from the {_LEFT[_seats]}.")

KIDNAP_PLACES = ("san_juan", *GOODS)
KIDNAP = len(ACTIONS)  # + (seats to the left - 1) * places + place
for _seats in range(1, MAX_PLAYERS):
    for _place in KIDNAP_PLACES:
        _where = "San Juan" if _place == "san_juan" else _tile_words(_place)
        _add(("kidnap", _seats, _place), f"Pirate: take a colonist from {_where} of the {_LEFT[_seats]}.")

SETTLE_FOREST = _add(("settle", "forest"), "Place a forest.")

# Places of colonists: the tiles, then the buildings
PLACES = (*TILES, *(_building.name for _building in BUILDINGS))
MOVE_GUEST = len(ACTIONS)  # + place
for _place in PLACES:
    _add(("guest", _place), f"Guesthouse: a guest goes to {_place_words(_place)}.")

_add(("pay_colonist", "san_juan"), "Black market: pay with a colonist from San Juan.")
PAY_COLONIST = len(ACTIONS)  # + place; San Juan is place -1
for _place in PLACES:
    _add(("pay_colonist", _place), f"Black market: pay with a colonist from {_place_words(_place)}.")

PAY_BARREL = len(ACTIONS)  # + good
for _good in GOODS:
    _add(("pay_barrel", _good), f"Black market: pay with a barrel of {_good}.")

SELL_TO_POST = len(ACTIONS)  # + good
for _good in GOODS:
    _add(("sell_to_post", _good), f"Trading post: sell a barrel of {_good} to the supply.")

SMALL_WHARF_LOAD = _add(("small_wharf",), "Small wharf: ship any barrels to the supply, two for a point.")

SHIP = len(ACTIONS)  # + barrels
MOST_BARRELS_OF_A_KIND = 14
for _count in range(MOST_BARRELS_OF_A_KIND + 1):
    _add(("ship", _count), f"Small wharf: ship {_count} barrel{'' if _count == 1 else 's'} of this good.")

KEEP = len(ACTIONS) - 2  # + barrels; none, one and all are actions of every game
for _count in (2, 3, 4):
    _add(("keep", _count), f"Storehouse: keep {_count} barrels of this good.")
