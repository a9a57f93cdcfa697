"""The scripted strategies as one compiled function: from a game to the acting player's choice."""

from __future__ import annotations

from agents.puerto_rico.building import best_building
from agents.puerto_rico.drafting import choose_draft
from agents.puerto_rico.moving import choose_barrel_to_pay, choose_colonist_to_pay, choose_guest
from agents.puerto_rico.outlook import PlanRecord
from agents.puerto_rico.placing import choose_placement
from agents.puerto_rico.plans import PLANS, STRATEGIES
from agents.puerto_rico.roles import choose_kidnap, choose_plunder, choose_replay, choose_role
from agents.puerto_rico.settling import best_tile, choose_draw, choose_forest
from agents.puerto_rico.shipping import choose_load, choose_shipment, choose_storing
from agents.puerto_rico.trading import choose_extra_barrel, choose_sale
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import TAKE_COLONIST
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    DRAFT_PHASE,
    FOREST_PHASE,
    GUEST_PHASE,
    HACIENDA_PHASE,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    MAYOR_PRIVILEGE,
    PAY_BARREL_PHASE,
    PAY_COLONIST_PHASE,
    PICK_ROLE,
    PIRATE_BARREL_PHASE,
    PIRATE_COLONIST_PHASE,
    POLITICIAN_PHASE,
    SETTLER_PHASE,
    SMALL_WHARF_PHASE,
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
    """The action of the acting player by a plan; the first legal action if the plan has no preference."""
    action = _wish(game, plan)
    if 0 <= action < game.legal.shape[0] and game.legal[action] != 0:
        return action
    for legal in range(game.legal.shape[0]):
        if game.legal[legal] != 0:
            return legal
    return 0


@compiled
def _wish(game: GameRecord, plan: PlanRecord) -> int:
    """The preference of the plan in this phase; -1 if the phase is unknown."""
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
    return _wish_of_extension(game, plan)


@extension(otherwise=-1)
def _wish_of_extension(game: GameRecord, plan: PlanRecord) -> int:
    phase = game.phase
    if phase == DRAFT_PHASE:
        return choose_draft(game, plan)
    if phase == GUEST_PHASE:
        return choose_guest(game, plan)
    if phase == FOREST_PHASE:
        return choose_forest(game, plan)
    if phase == PAY_COLONIST_PHASE:
        return choose_colonist_to_pay(game, plan)
    if phase == PAY_BARREL_PHASE:
        return choose_barrel_to_pay(game, plan)
    if phase == SMALL_WHARF_PHASE:
        return choose_shipment(game, plan)
    if phase == POLITICIAN_PHASE:
        return choose_replay(game, plan)
    if phase == PIRATE_BARREL_PHASE:
        return choose_plunder(game, plan)
    if phase == PIRATE_COLONIST_PHASE:
        return choose_kidnap(game, plan)
    return -1
