"""The action table: every action has a number, a name for programs and a sentence for people.

The numbers are the same for two to five players. Only this module, the mask (legal.py) and the step (step.py) know
them. The build actions come last, so that more buildings can follow them.
"""

from __future__ import annotations

from pr_env.game import Action
from pr_env.puerto_rico.tables import BUILDINGS, GOODS, ISLAND_SPACES, NUM_SHIPS, ROLES, TILES

ACTIONS: list[Action] = []


def _add(name: tuple[str | int, ...], sentence: str) -> int:
    ACTIONS.append(Action(len(ACTIONS), name, sentence))
    return len(ACTIONS) - 1


def _words(name: str) -> str:
    return name.replace("_", " ")


PASS = _add(("pass",), "Pass: take, draw, build, sell or load nothing.")

PICK = len(ACTIONS)  # + role
for _role in ROLES:
    _add(("pick", _role), f"Pick the {'second prospector' if _role == 'prospector_2' else _role}.")

DRAW_TILE = _add(("draw_tile",), "Hacienda: draw a face-down plantation and place it.")

SETTLE = len(ACTIONS)  # + tile
for _tile in TILES:
    _article = "an" if _tile == "indigo" else "a"
    _add(("settle", _tile), f"Take {_article} {_tile}{' plantation' if _tile in GOODS else ''}.")

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
for _building in BUILDINGS:
    _add(("build", _building.name), f"Build the {_words(_building.name)}.")
