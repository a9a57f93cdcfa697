"""The strategies: each is a plan, one record of weights that the shared decision functions read.

All values are in victory points: the expected gain until the end of the game. Things with a recurring effect (a quarry,
a market, a plantation) have this value at the start of the game, and lose value with every round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pr_env.puerto_rico.tables import BUILDING_NAMES, GOODS, NUM_BUILDINGS, NUM_GOODS, NUM_ROLES, ROLES

PLAN = np.dtype(
    (
        np.record,
        [
            ("doubloon_early", np.float64),  # value of a doubloon at the start of the game
            ("doubloon_late", np.float64),  # and towards its end, while there is still something to build
            ("harvests", np.float64),  # number of craftsman phases that count in a game
            ("barrel", np.float64, (NUM_GOODS,)),  # value of a barrel that can only be shipped
            ("first_barrel", np.float64, (NUM_GOODS,)),  # value of the first of its kind in a harvest: it can be sold
            ("unprocessed", np.float64),  # share of its value that a plantation has without a production circle
            ("spare_circle", np.float64),  # share of its value that a production circle has without a plantation
            ("quarry", np.float64),  # value of the first quarry at the start of the game; later ones less
            ("colonist", np.float64),  # value of a colonist that only fills a circle
            ("use", np.float64, (NUM_BUILDINGS,)),  # value of a working violet building over a whole game
            ("points", np.float64),  # weight of the points printed on buildings, and of the bonus of large buildings
            ("space", np.float64),  # value of a city space near the end: small buildings block large ones
            ("finish", np.float64),  # value of ending the game per point of lead; negative if behind
            ("held", np.float64),  # captain: share of its value that an unshipped barrel keeps
            ("haste", np.float64),  # craftsman: loss from waiting a full round for one's next pick
            ("urgency", np.float64),  # captain: weight of barrels that would not fit a turn later
            ("eager", np.float64, (NUM_ROLES,)),  # share of one's own gain that counts; the rest comes anyway
            ("envy", np.float64, (NUM_ROLES,)),  # weight of the others' mean gain against it
        ],
    )
)


class Plan(NamedTuple):
    """A strategy by field names; omitted fields have the values of `SENSIBLE`."""

    use: Mapping[str, float]
    barrel: Mapping[str, float]
    first_barrel: Mapping[str, float]
    eager: Mapping[str, float]
    envy: Mapping[str, float]
    numbers: Mapping[str, float]


# The default plan. Early money is worth most: it buys things that earn for the rest of the game.
SENSIBLE = Plan(
    use={
        "small_market": 1.0,
        "hacienda": 1.3,
        "construction_hut": 1.0,
        "small_warehouse": 0.8,
        "hospice": 1.0,
        "office": 1.0,
        "large_market": 1.5,
        "large_warehouse": 0.8,
        "factory": 2.2,
        "university": 0.5,
        "harbor": 3.0,
        "wharf": 3.0,
        # Large buildings: the future growth of their bonus. Its current value is counted from the board.
        "guild_hall": 0.5,
        "residence": 0.5,
        "fortress": 0.7,
        "customs_house": 1.0,
        "city_hall": 0.5,
        # Expansion I. The values of aqueduct, specialty factory and union hall are for a board that suits them.
        "aqueduct": 2.0,
        "black_market": 1.2,
        "forest_house": 1.0,
        "storehouse": 1.0,
        "guesthouse": 1.2,
        "church": 2.5,
        "trading_post": 1.5,
        "small_wharf": 1.5,
        "lighthouse": 2.0,
        "library": 3.0,
        "specialty_factory": 3.0,
        "union_hall": 3.0,
        "cloister": 0.7,
        "large_church": 0.5,
    },
    barrel=dict.fromkeys(GOODS, 0.6),
    first_barrel={"corn": 0.8, "indigo": 0.8, "sugar": 1.0, "tobacco": 1.1, "coffee": 1.8},
    # The mayor's colonists help their owner most; a harvest helps whoever ships and sells next.
    eager={**dict.fromkeys(ROLES, 1.0), "mayor": 1.4, "craftsman": 0.7},
    envy={**dict.fromkeys(ROLES, 0.5), "craftsman": 0.7},
    numbers={
        "doubloon_early": 2.0,
        "doubloon_late": 0.43,
        "harvests": 6.0,
        "unprocessed": 0.36,
        "spare_circle": 0.14,
        "quarry": 6.0,
        "colonist": 0.2,
        "points": 1.1,
        "space": 0.5,
        "finish": 0.2,
        "held": 0.5,
        "haste": 0.28,
        "urgency": 0.5,
    },
)

# How the greedy agent evaluates a position: things on the board are worth more relative to money than in the decisions
# about spending, because nothing else makes the greedy agent spend.
JUDGEMENT = Plan(
    use={
        "small_market": 2.0,
        "hacienda": 2.5,
        "construction_hut": 2.0,
        "small_warehouse": 1.5,
        "hospice": 2.0,
        "office": 2.0,
        "large_market": 3.0,
        "large_warehouse": 1.5,
        "factory": 6.0,
        "university": 1.0,
        "harbor": 6.0,
        "wharf": 6.0,
    },
    barrel={},
    first_barrel={"corn": 0.43, "indigo": 0.57, "sugar": 0.7, "tobacco": 1.1, "coffee": 1.3},
    eager={},
    envy={},
    numbers={
        "doubloon_early": 1.45,
        "doubloon_late": 0.5,
        "unprocessed": 0.5,
        "spare_circle": 0.2,
        "quarry": 2.9,
        "points": 1.0,
    },
)

# Quarries and a construction hut, then a city of violet and large buildings; goods only as far as they pay for it.
BUILDER = Plan(
    use={
        "construction_hut": 1.8,
        "small_market": 1.3,
        "university": 1.0,
        "harbor": 1.5,
        "wharf": 1.0,
        "black_market": 2.0,
        "forest_house": 2.0,
        "church": 4.0,
        "library": 7.0,
    },
    barrel={},
    first_barrel={},
    eager={},
    envy={},
    numbers={"quarry": 6.5},
)

# Large amounts of corn and indigo, harbor and wharf to ship them, warehouses and the customs house.
SHIPPER = Plan(
    use={
        "hacienda": 2.1,
        "hospice": 1.4,
        "small_warehouse": 1.8,
        "large_warehouse": 2.1,
        "factory": 4.3,
        "harbor": 6.4,
        "wharf": 7.1,
        "customs_house": 1.4,
        "aqueduct": 2.5,
        "storehouse": 3.5,
        "small_wharf": 6.0,
        "lighthouse": 4.0,
        "union_hall": 7.0,
    },
    barrel={"corn": 0.56, "indigo": 0.53, "sugar": 0.42, "tobacco": 0.42, "coffee": 0.42},
    first_barrel={"tobacco": 1.5},
    eager={},
    envy={},
    numbers={"quarry": 3.0, "harvests": 5.0, "unprocessed": 0.25, "doubloon_late": 0.31},
)

# Tobacco and coffee for the trading house, markets and office; the money goes into a factory and large buildings.
TRADER = Plan(
    use={
        "small_market": 1.5,
        "hacienda": 0.9,
        "large_market": 2.2,
        "office": 1.5,
        "factory": 5.0,
        "harbor": 1.5,
        "wharf": 1.0,
        "guesthouse": 1.5,
        "trading_post": 4.5,
        "specialty_factory": 9.0,
    },
    barrel={},
    first_barrel={"sugar": 1.2, "tobacco": 2.0, "coffee": 1.5},
    eager={},
    envy={},
    numbers={"harvests": 4.2},
)

STRATEGIES = ("builder", "shipper", "trader")  # in the order of their numbers


_NAMED_FIELDS = (
    ("use", BUILDING_NAMES),
    ("barrel", GOODS),
    ("first_barrel", GOODS),
    ("eager", ROLES),
    ("envy", ROLES),
)


def _record(plan: Plan) -> np.ndarray:
    """Convert a plan to the record that compiled code reads."""
    record = np.zeros(1, PLAN)
    for field, names in _NAMED_FIELDS:
        wishes = {**getattr(SENSIBLE, field), **getattr(plan, field)}
        for name, worth in wishes.items():
            record[field][0, names.index(name)] = worth
    for name, number in {**SENSIBLE.numbers, **plan.numbers}.items():
        record[name] = number
    return record


SENSIBLE_PLAN = _record(SENSIBLE)  # not a strategy: the policy of all players in simulations of the greedy agent
JUDGEMENT_PLAN = _record(JUDGEMENT)
PLANS = np.concatenate([_record(plan) for plan in (BUILDER, SHIPPER, TRADER)])
