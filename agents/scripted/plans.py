"""What the strategies want: each is a plan, one record of numbers that the shared decisions read.

All worths are in victory points: what a thing is expected to bring until the end of the game. What works again and
again (a quarry, a market, a plantation) is worth its number at the start of the game and loses with every round.
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
            ("doubloon_early", np.float64),  # worth of a doubloon at the start of the game
            ("doubloon_late", np.float64),  # and towards its end, while there is still something to build
            ("harvests", np.float64),  # craftsman phases that count, in a whole game
            ("barrel", np.float64, (NUM_GOODS,)),  # worth of a barrel that can only be shipped
            ("first_barrel", np.float64, (NUM_GOODS,)),  # of the first of its kind in a harvest: it can be sold
            ("unprocessed", np.float64),  # share that a plantation is worth while no plant has room for it
            ("spare_circle", np.float64),  # share that a plant's circle is worth while no plantation waits for it
            ("quarry", np.float64),  # worth of the first quarry at the start of the game; later ones less
            ("colonist", np.float64),  # worth of a colonist that only fills a circle
            ("use", np.float64, (NUM_BUILDINGS,)),  # what a working violet building brings in a whole game
            ("points", np.float64),  # weight of points printed on buildings and of large buildings' bonus
            ("space", np.float64),  # what a city space is worth near the end: small buildings block large ones
            ("finish", np.float64),  # worth of ending the game for each point of lead, and against it if behind
            ("held", np.float64),  # captain: share of its worth that a barrel has for later if it is not shipped
            ("haste", np.float64),  # craftsman: how much is lost by waiting for one's next pick, a round of others long
            ("urgency", np.float64),  # captain: weight of barrels for which there would be no room a turn later
            ("eager", np.float64, (NUM_ROLES,)),  # how much of one's own gain speaks for a pick; the rest comes anyway
            ("envy", np.float64, (NUM_ROLES,)),  # how much the others' gain, on average, speaks against it
        ],
    )
)


class Plan(NamedTuple):
    """A strategy in words: what is not named keeps the value of `SENSIBLE`."""

    use: Mapping[str, float]
    barrel: Mapping[str, float]
    first_barrel: Mapping[str, float]
    eager: Mapping[str, float]
    envy: Mapping[str, float]
    numbers: Mapping[str, float]


# What any player knows.
SENSIBLE = Plan(
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
        "guild_hall": 1.0,
        "residence": 1.0,
        "fortress": 1.0,
        "customs_house": 2.0,
        "city_hall": 1.0,
    },
    barrel={"corn": 0.6, "indigo": 0.6, "sugar": 0.6, "tobacco": 0.6, "coffee": 0.6},
    first_barrel={"corn": 0.6, "indigo": 0.8, "sugar": 1.0, "tobacco": 1.5, "coffee": 1.8},
    eager=dict.fromkeys(ROLES, 1.0),
    envy=dict.fromkeys(ROLES, 0.5),
    numbers={
        "doubloon_early": 0.9,
        "doubloon_late": 0.5,
        "harvests": 6.0,
        "unprocessed": 0.5,
        "spare_circle": 0.2,
        "quarry": 4.0,
        "colonist": 0.2,
        "points": 1.0,
        "space": 0.5,
        "finish": 0.2,
        "held": 0.5,
        "haste": 0.2,
        "urgency": 0.5,
    },
)

# Quarries and a construction hut, then a city of violet buildings and large ones; goods only as far as they pay for it.
BUILDER = Plan(
    use={"construction_hut": 3.5, "small_market": 2.5, "university": 2.0, "harbor": 3.0, "wharf": 2.0},
    barrel={},
    first_barrel={},
    eager={},
    envy={},
    numbers={"quarry": 6.0, "doubloon_late": 0.6, "doubloon_early": 1.0, "points": 1.1},
)

# Corn and indigo in masses, harbor and wharf to ship them, warehouses and the customs house.
SHIPPER = Plan(
    use={"harbor": 9.0, "wharf": 10.0, "small_warehouse": 2.5, "large_warehouse": 3.0, "hacienda": 3.0, "office": 1.0},
    barrel={"corn": 0.8, "indigo": 0.75},
    first_barrel={"corn": 0.8},
    eager={},
    envy={},
    numbers={"quarry": 3.0, "harvests": 7.0},
)

# Tobacco and coffee for the trading house, markets and office; the money goes into a factory and large buildings.
TRADER = Plan(
    use={"small_market": 3.0, "large_market": 4.5, "office": 3.0, "factory": 9.0, "harbor": 4.0, "wharf": 4.0},
    barrel={},
    first_barrel={"tobacco": 2.0, "coffee": 2.4, "sugar": 1.2},
    eager={},
    envy={},
    numbers={"quarry": 4.0, "doubloon_early": 1.0},
)

STRATEGIES = ("builder", "shipper", "trader")  # the place in this tuple is the strategy's number


_NAMED_FIELDS = (
    ("use", BUILDING_NAMES),
    ("barrel", GOODS),
    ("first_barrel", GOODS),
    ("eager", ROLES),
    ("envy", ROLES),
)


def _record(plan: Plan) -> np.ndarray:
    """The plan as the record that compiled code reads."""
    record = np.zeros(1, PLAN)
    for field, names in _NAMED_FIELDS:
        wishes = {**getattr(SENSIBLE, field), **getattr(plan, field)}
        for name, worth in wishes.items():
            record[field][0, names.index(name)] = worth
    for name, number in {**SENSIBLE.numbers, **plan.numbers}.items():
        record[name] = number
    return record


SENSIBLE_PLAN = _record(SENSIBLE)  # nobody's strategy: what the greedy agent judges by
PLANS = np.concatenate([_record(plan) for plan in (BUILDER, SHIPPER, TRADER)])
