"""The scripted strategies as one compiled function: from a game to the acting player's choice."""

from __future__ import annotations

from agents.puerto_rico.building import best_building
from agents.puerto_rico.outlook import PlanRecord
from agents.puerto_rico.placing import choose_placement
from agents.puerto_rico.plans import PLANS, STRATEGIES
from agents.puerto_rico.roles import choose_role
from agents.puerto_rico.settling import best_tile, choose_draw
from agents.puerto_rico.shipping import choose_load, choose_storing
from agents.puerto_rico.trading import choose_extra_barrel, choose_sale
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import TAKE_COLONIST
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    HACIENDA_PHASE,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    MAYOR_PRIVILEGE,
    PICK_ROLE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    UNIVERSITY_PHASE,
)

__all__ = ["STRATEGIES", "follow", "scripted_action"]


@compiled
def scripted_action(game: GameRecord, strategy: int) -> int:
    """The action of the acting player by one of STRATEGIES. Always legal while the game is not over."""
    return follow(game, PLANS[strategy])


@compiled
def follow(game: GameRecord, plan: PlanRecord) -> int:
    """The action of the acting player by a plan; in a situation that plans do not know the first legal action."""
    action = _wish(game, plan)
    if 0 <= action < game.legal.shape[0] and game.legal[action] != 0:
        return action
    for legal in range(game.legal.shape[0]):
        if game.legal[legal] != 0:
            return legal
    return 0


@compiled
def _wish(game: GameRecord, plan: PlanRecord) -> int:
    """What the plan wants in this phase; -1 if it does not know the phase."""
    phase = game.phase
    if phase == PICK_ROLE:
        return choose_role(game, plan)
    if phase == SETTLER_PHASE:
        return best_tile(game, plan, game.player)
    if phase == MAYOR_PHASE:
        return choose_placement(game, plan)
    if phase == BUILDER_PHASE:
        return best_building(game, plan, game.player)
    if phase == CRAFTSMAN_PRIVILEGE:
        return choose_extra_barrel(game, plan)
    if phase == TRADER_PHASE:
        return choose_sale(game, plan)
    if phase == CAPTAIN_PHASE:
        return choose_load(game, plan)
    if phase == STORE_PHASE:
        return choose_storing(game, plan)
    if phase == HACIENDA_PHASE:
        return choose_draw(game, plan)
    if phase in (HOSPICE_PHASE, UNIVERSITY_PHASE, MAYOR_PRIVILEGE):
        return TAKE_COLONIST
    return -1
