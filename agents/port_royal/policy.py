"""The scripted strategies as one compiled function: from a game to the acting player's choice."""

from __future__ import annotations

from agents.port_royal import adventure
from agents.port_royal.claiming import choose_claim, choose_payment
from agents.port_royal.contracts import wants
from agents.port_royal.drawing import choose_draw, choose_repel
from agents.port_royal.outlook import PlanRecord, look
from agents.port_royal.plans import CHAPTER_PLANS, PLANS, STRATEGIES, TEAM_PLANS
from agents.port_royal.taking import choose_take
from agents.port_royal.team import choose_receiver, sets_aside
from pr_env.compiling import compiled
from pr_env.port_royal.actions import COMPLETE, DONE, accept_at, decline_at, num_completions
from pr_env.port_royal.extension import with_adventure, with_contracts, with_time_deck
from pr_env.port_royal.state import DISCOVER, GIVE, IMMEDIATE, PAY, REPEL, SET_ASIDE, TAKE
from pr_env.rules import Record

__all__ = ["STRATEGIES", "follow", "plan_of", "scripted_action"]


@compiled
def scripted_action(game: Record, tables: Record, strategy: int) -> int:
    """The action of the acting player by one of STRATEGIES. Always legal while the game is not over."""
    return follow(game, tables, plan_of(game, tables, strategy))


@with_adventure(lambda game, tables, strategy: PLANS[strategy])
def _plan_in_chapter(game: Record, tables: Record, strategy: int) -> PlanRecord:
    return CHAPTER_PLANS[strategy] if tables.together == 1 else PLANS[strategy]


@with_time_deck(lambda game, tables, strategy: _plan_in_chapter(game, tables, strategy))
def plan_of(game: Record, tables: Record, strategy: int) -> PlanRecord:
    """The plan of a strategy; teams use a different one."""
    return TEAM_PLANS[strategy]


@compiled
def follow(game: Record, tables: Record, plan: PlanRecord) -> int:
    """The action of the acting player by a plan; the first legal action if the plan has no preference."""
    action = _wish(game, tables, plan)
    if 0 <= action < game.legal.shape[0] and game.legal[action] != 0:
        return action
    for legal in range(game.legal.shape[0]):
        if game.legal[legal] != 0:
            return legal
    return 0


@compiled
def _wish(game: Record, tables: Record, plan: PlanRecord) -> int:
    """The preference of the plan in this decision."""
    question = game.question
    if question == PAY:
        return choose_payment(game)
    view = look(game, tables, plan, int(game.player))
    action = adventure.choose(game, tables, plan, view)
    if action >= 0:
        return action
    if question > SET_ASIDE:
        return -1
    if question == REPEL:
        return choose_repel(game, tables, plan, view)
    if question == GIVE:
        return choose_receiver(game)
    if question in (IMMEDIATE, SET_ASIDE):
        return _choose_answer(game, tables, plan)
    # Completions and claims come first: others could be faster, and waiting gains nothing.
    action = _choose_completion(game, tables, plan)
    if action < 0:
        action = choose_claim(game, tables, plan, view)
    if action >= 0:
        return action
    if question == DISCOVER:
        return choose_draw(game, tables, plan, view)
    return choose_take(game, tables, plan, view) if question == TAKE else DONE


@compiled
def _choose_completion(game: Record, tables: Record, plan: PlanRecord) -> int:
    """A contract that the player can and should complete now; -1 if there is none."""
    for contract in range(num_completions(game)):
        if game.legal[COMPLETE + contract] != 0 and wants(game, tables, plan, int(game.player), contract):
            return COMPLETE + contract
    return -1


@with_contracts(-1)
def _choose_answer(game: Record, tables: Record, plan: PlanRecord) -> int:
    """Yes or no: to an immediate contract, or to setting a time card aside."""
    if game.question == SET_ASIDE:
        yes = sets_aside(game, plan)
    else:
        yes = wants(game, tables, plan, int(game.player), int(game.asked_about))
    return accept_at(game) if yes else decline_at(game)
