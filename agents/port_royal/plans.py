"""The strategies: each is a plan, one record of weights that the shared decision functions read.

All values are in influence: the expected gain until the end of the game. Things with a recurring effect (a trader,
sabres) have this value at the start of the game, and lose value as the game progresses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pr_env.port_royal.adventure.names import ALL_ABILITIES, CHARACTER_ABILITIES

PLAN = np.dtype(
    (
        np.record,
        [
            # money
            ("coin_early", np.float64),  # value of a coin at the start of the game
            ("coin_late", np.float64),  # and towards its end
            ("taxable", np.float64),  # share of its value that a coin has if the next tax could take it
            ("fee", np.float64),  # the perceived cost of paying the fee to the active player, in coins
            # persons
            ("use", np.float64, (len(ALL_ABILITIES),)),  # value of a person's ability over a whole game
            ("sabres", np.float64),  # value of being able to repel every ship
            # expeditions and contracts
            ("expedition", np.float64),  # share of an expedition's gain that counts for hiring its last symbol
            ("symbol_missing", np.float64),  # share of that for each further missing symbol
            ("undiscovered", np.float64),  # share of that while the expedition is not on the table
            ("contract", np.float64),  # value of completing a contract, apart from its coins
            ("team_contract", np.float64),  # likewise in a cooperative game, if nobody has completed it yet
            ("behind", np.float64),  # share of that while a teammate is nearer to completing it
            ("part_of_contract", np.float64),  # share of that for the first of two requirements of a contract
            # drawing
            ("boldness", np.float64),  # value of another draw apart from the card: the option to draw again
            ("risk", np.float64),  # the highest probability of a bust at which it still draws
            ("left_for_others", np.float64),  # weight of a card that is left in the harbour for the others
            ("gambler_ships", np.float64),  # most ships in the harbour at which it uses a gambler
            ("turns_a_contract", np.float64),  # time cards that are kept for each contract still to be completed
            # the others
            # (a team-mate's gain counts as much for an action as a rival's counts against it)
            ("deny", np.float64),  # weight of what a card would be worth to those who take after oneself
            ("envy", np.float64),  # weight of the coins that the others' persons bring them
            # missions of the adventure
            ("own_mission", np.float64),  # what completing one is worth against opponents
            ("trophy_mission", np.float64),  # likewise as long as the trophy is covered
            ("team_mission", np.float64),  # in a team, if nobody has completed it yet; `behind` counts here, too
            ("second_cube", np.float64),  # if somebody has, and the team needs the cube
            ("uncovering", np.float64),  # if it does not: the field under the cube, and crowns
            ("later", np.float64),  # share that a mission counts which may be laid out next month
            ("lack", np.float64),  # share of a mission's worth that each missing thing leaves
            ("saving", np.float64),  # share of a mission's worth that lies in its coins
            ("harbour_missing", np.float64),  # share that each missing card or colour of a harbour leaves
            ("step_to_mission", np.float64),  # what a step must be worth that ends the turn early
            ("item_worth", np.float64),  # worth of an item that an expedition asks for
            ("crown", np.float64),  # influence that a crown brings
            ("team_influence", np.float64),  # worth of an influence to a team that is just in time with it
            ("influence_beyond", np.float64),  # and of one more than the team needs
            ("lookout_at", np.float64),  # fewest ships in the harbour at which it uses a lookout
            ("start", np.float64, (len(CHARACTER_ABILITIES),)),  # what a character is worth beside its coins
            ("finish", np.float64),  # worth of ending the game for each influence of lead, and against it if behind
        ],
    )
)


class Plan(NamedTuple):
    """A strategy by field names; omitted fields have the values of `SENSIBLE`."""

    use: Mapping[str, float] = {}
    start: Mapping[str, float] = {}
    numbers: Mapping[str, float] = {}


# The default plan. Early money is worth most: it buys persons that earn for the rest of the game.
SENSIBLE = Plan(
    use={
        "trader": 0.35,
        "settler": 0.4,
        "captain": 0.25,
        "priest": 0.25,
        "jack_of_all_trades": 0.95,
        "mademoiselle": 1.1,
        "jester": 0.35,
        "admiral": 2.35,
        "governor": 1.9,
        "merchant": 2.0,
        "gambler": 1.0,
        "clerk": 0.8,
        "gunner": 1.2,
        "vice_admiral": 1.2,
    },
    start={
        "bust_with_at_most_4_cards_2_coins": 0.3,
        "expedition_2_crowns": 0.3,
        "as_sailor": 0.9,
        "as_mademoiselle": 1.5,
        "as_trader_1_crown": 0.5,
        "as_admiral_1_coin": 1.0,
        "as_trader": 0.4,
        "part_begins_with_3_ships_1_coin": 0.9,
        "2_coins_once": 0.6,
        "as_lookout": 1.0,
    },
    numbers={
        "coin_early": 0.345,
        "coin_late": 0.2,
        "taxable": 0.4,
        "fee": 1.4,
        "sabres": 3.0,
        "expedition": 0.67,
        "symbol_missing": 0.33,
        "undiscovered": 0.36,
        "contract": 1.0,
        "team_contract": 6.0,
        "behind": 0.3,
        "part_of_contract": 0.35,
        "boldness": 0.055,
        "risk": 0.58,
        "left_for_others": -0.01,
        "gambler_ships": 0.0,
        "turns_a_contract": 8.0,
        "deny": 0.2,
        "envy": 0.3,
        "finish": 0.35,
        "own_mission": 1.5,
        "trophy_mission": 3.0,
        "team_mission": 9.0,
        "second_cube": 4.0,
        "uncovering": 0.6,
        "later": 0.6,
        "lack": 0.45,
        "saving": 0.6,
        "harbour_missing": 0.3,
        "step_to_mission": 1.5,
        "item_worth": 0.8,
        "crown": 0.4,
        "team_influence": 0.4,
        "influence_beyond": 0.05,
        "lookout_at": 1.0,
    },
)

# Sells early and often: stops at a low probability of a bust, and hires persons that raise the income from ships.
PURSER = Plan(use={"trader": 0.6, "clerk": 1.0}, numbers={"risk": 0.28, "boldness": 0.0})

# Captains, priests, settlers and jacks, for expeditions.
EXPLORER = Plan(
    use={"settler": 0.7, "captain": 0.6, "priest": 0.6, "jack_of_all_trades": 1.5},
    numbers={"expedition": 0.85},
)

# An engine of recurring income: mademoiselles, governors, admirals, traders.
PATRON = Plan(
    use={"mademoiselle": 1.8, "governor": 3.2, "admiral": 3.2, "trader": 0.6, "gunner": 1.8, "vice_admiral": 1.8},
)

# Sabres first; then draws long, for two or three cards per turn.
PIRATE = Plan(numbers={"sabres": 5.0, "boldness": 0.08, "risk": 0.75})

# Works towards the face-up contracts.
CONTRACTOR = Plan(numbers={"contract": 2.0, "part_of_contract": 0.5})

# The default plan in a team: only contracts count, and the time deck leaves few turns.
TEAM = Plan(
    use={"trader": 0.47, "admiral": 3.6, "mademoiselle": 1.2, "clerk": 0.65, "gunner": 1.15, "vice_admiral": 1.5},
    numbers={
        "coin_late": 0.165,
        "fee": 1.15,
        "sabres": 4.0,
        "expedition": 0.6,
        "symbol_missing": 0.38,
        "risk": 0.5,
        "left_for_others": 0.017,
        "deny": 0.11,
        "envy": 0.18,
        "team_contract": 9.0,
        "part_of_contract": 0.55,
        "behind": 0.27,
    },
)

# In a chapter of the adventure that is played together only card 9 counts.
CHAPTER = Plan(
    numbers={
        "coin_late": 0.07,
        "risk": 0.59,
        "left_for_others": 0.023,
        "fee": 1.3,
        "envy": 0.25,
        "expedition": 0.75,
        "symbol_missing": 0.165,
        "undiscovered": 0.5,
        "second_cube": 4.4,
        "uncovering": 0.65,
        "lack": 0.63,
        "step_to_mission": 1.75,
        "team_influence": 0.35,
        "influence_beyond": 0.025,
        "lookout_at": 2.0,
    },
)

# Plays for its team: completes what nobody else has completed.
CREW = Plan()

STRATEGIES = ("purser", "explorer", "patron", "pirate", "contractor", "crew")  # in the order of their numbers
_PLANS = (PURSER, EXPLORER, PATRON, PIRATE, CONTRACTOR, CREW)


def plan_record(*plans: Plan) -> np.ndarray:
    """Merge plans into one record for compiled code, shape (1,): later plans override earlier ones."""
    record = np.zeros(1, PLAN)
    for plan in (SENSIBLE, *plans):
        for name, worth in plan.use.items():
            record["use"][0, ALL_ABILITIES.index(name)] = worth
        for name, worth in plan.start.items():
            record["start"][0, CHARACTER_ABILITIES.index(name)] = worth
        for name, number in plan.numbers.items():
            record[name] = number
    return record


PLANS = np.concatenate([plan_record(plan) for plan in _PLANS])
TEAM_PLANS = np.concatenate([plan_record(TEAM, plan) for plan in _PLANS])  # in cooperative games
CHAPTER_PLANS = np.concatenate([plan_record(CHAPTER, plan) for plan in _PLANS])  # in cooperative chapters
