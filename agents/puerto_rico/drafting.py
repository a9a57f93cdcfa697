"""Which kinds of violet buildings to put on the board."""

from __future__ import annotations

from agents.puerto_rico.outlook import PlanRecord
from pr_env.puerto_rico.actions import DRAFT
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.draft import may_draft
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.tables import COST, FIRST_VIOLET, LARGE_CHURCH, PRINTED_POINTS


@extension(otherwise=-1)
def choose_draft(game: GameRecord, plan: PlanRecord) -> int:
    """The kind with the highest value beyond its price for this plan, so that the board suits the plan."""
    best, choice = -1e9, -1
    for building in range(FIRST_VIOLET, LARGE_CHURCH):
        if may_draft(game, building):
            gain = plan.use[building] + plan.points * PRINTED_POINTS[building] - COST[0, building]
            if gain > best:
                best, choice = gain, DRAFT + building - FIRST_VIOLET
    return choice
