"""The value of a person to a player: influence, its ability, and its use for contracts and expeditions."""

from __future__ import annotations

import numpy as np

from agents.port_royal.claiming import symbol_worth
from agents.port_royal.contracts import person_for_contracts
from agents.port_royal.missions import person_for_missions
from agents.port_royal.outlook import Outlook, PlanRecord, end_worth, purse_worth
from agents.port_royal.trading import fee_of
from pr_env.compiling import compiled
from pr_env.port_royal.adventure.events import discount
from pr_env.port_royal.people import count
from pr_env.port_royal.tables import MADEMOISELLE
from pr_env.rules import Record

# The share of the base game's ships that can be repelled, by number of sabres.
REPELLED = np.array([0.0, 0.30, 0.48, 0.60, 0.72, 0.84, 0.88, 0.92])


@compiled
def repelled(sabres: int) -> float:
    """The share of ships that can be repelled with a number of sabres."""
    return float(REPELLED[min(sabres, len(REPELLED) - 1)])


@compiled
def person_worth(game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, kind: int) -> float:
    """The value of one more person of a kind to a player."""
    ability = tables.ability[kind]
    worth = view.influence * tables.influence[kind] + plan.use[ability] * view.left
    sabres = int(game.sabres[seat])
    if tables.sabres[kind] > 0:
        worth += plan.sabres * view.left * (repelled(sabres + tables.sabres[kind]) - repelled(sabres))
    worth += symbol_worth(game, tables, plan, view, seat, ability)
    worth += person_for_missions(game, tables, view.wanted, kind)
    return float(worth + person_for_contracts(game, tables, plan, seat, kind))


@compiled
def price_for(game: Record, tables: Record, seat: int, kind: int) -> int:
    """The price of a person for a player, without the fee."""
    return int(max(0, tables.cost[kind] - count(game, seat, MADEMOISELLE) - discount(game, tables)))


@compiled
def hire_gain(
    game: Record, tables: Record, plan: PlanRecord, view: Outlook, seat: int, kind: int, purse: float
) -> float:
    """The gain of hiring a person with the given coins; 0 if the player cannot or should not."""
    price = float(price_for(game, tables, seat, kind))
    fee = float(fee_of(game, tables, seat))
    if purse < price + fee:
        return 0.0
    worth = person_worth(game, tables, plan, view, seat, kind) + end_worth(view, float(tables.influence[kind]))
    felt = price + fee * plan.fee
    return max(0.0, worth - purse_worth(view, purse) + purse_worth(view, purse - felt))
