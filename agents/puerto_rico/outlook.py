"""The progress of the game, and the current value of money and barrels."""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, free_city_spaces, table_row, works
from pr_env.puerto_rico.scoring import FROM_CUSTOMS_HOUSE, bonus_points, points_from, printed_points
from pr_env.puerto_rico.tables import (
    BUILDER,
    BUILDINGS,
    CITY_SPACES,
    COLONIST_SUPPLY,
    CUSTOMS_HOUSE,
    ISLAND_SPACES,
    MAYOR,
    NO_ONE,
    NOTHING,
    PICKS_A_ROUND,
    VP_CHIPS,
)

TIE_BREAK = 0.01  # value of a doubloon or a barrel at the end
LAST_CHANCE = 0.5  # the probability that another player picks the needed role in the last round

PlanRecord = Any  # one record of dtype plans.PLAN

MAKES = np.array([NOTHING if b.makes is None else b.makes for b in BUILDINGS], np.int64)  # good of each building
# The value of each further quarry, as a share of the first: a building's column limits how many reduce its cost.
QUARRY_SHARES = np.zeros(ISLAND_SPACES + 1)
QUARRY_SHARES[:8] = (1.0, 0.75, 0.5, 0.25, 0.25, 0.1, 0.1, 0.1)


@compiled
def time_left(game: GameRecord) -> float:
    """The remaining share of the game: 1 at the start, 0 in the last round. The nearest of the three ends counts."""
    if game.ending != 0:
        return 0.0
    left = min(
        game.colonist_supply / COLONIST_SUPPLY[table_row(game)],
        game.chips_supply / VP_CHIPS[table_row(game)],
    )
    for player in range(game.players):
        left = min(left, free_city_spaces(game, player) / CITY_SPACES)
    return float(left)


@compiled
def comes_again(game: GameRecord, role: int) -> bool:
    """Whether a role can still be picked: not if it was taken and this is the last round."""
    return bool(game.ending == 0 or game.role_taken_by[role] == NO_ONE)


@compiled
def doubloon_worth(game: GameRecord, plan: PlanRecord, left: float) -> float:
    """The value of one more doubloon. Money that can no longer be spent only breaks ties."""
    if not comes_again(game, BUILDER):
        return TIE_BREAK
    worth = float(plan.doubloon_late + (plan.doubloon_early - plan.doubloon_late) * left)
    return worth if game.ending == 0 else LAST_CHANCE * worth


@compiled
def price_worth(game: GameRecord, plan: PlanRecord, left: float) -> float:
    """The value of a doubloon spent on a building: in the last round there is nothing left to save for."""
    return doubloon_worth(game, plan, left) if game.ending == 0 else TIE_BREAK


@compiled
def picks_to_wait(game: GameRecord) -> int:
    """The number of other picks between the acting player's current pick and the next one."""
    picks_left = PICKS_A_ROUND[table_row(game)] - game.picks - 1
    others = game.players - 1
    if picks_left > others:  # with two players, each picks several times in a round
        return int(others)
    # In the next round the governor is the seat to the left of the current one.
    place = (game.player - game.governor) % game.players
    return int(picks_left + (place + others) % game.players)


@compiled
def chips_of(game: GameRecord, player: int) -> float:
    """Points in chips as the acting player knows them: exact for their own, the mean for the others."""
    mine = float(game.chips[game.player])
    if player == game.player:
        return mine
    return float((VP_CHIPS[table_row(game)] - game.chips_supply - mine) / (game.players - 1))


@compiled
def points_of(game: GameRecord, player: int) -> float:
    """The points if the game ended now, as the acting player knows them."""
    bonus = bonus_points(game, player) - points_from(game, player, FROM_CUSTOMS_HOUSE)
    chips = chips_of(game, player)
    if works(game, player, CUSTOMS_HOUSE):
        bonus += int(chips) // 4
    return chips + printed_points(game, player) + bonus


@compiled
def lead(game: GameRecord) -> float:
    """The acting player's lead over the best opponent in points, limited to 10 either way."""
    best = 0.0
    for other in range(game.players):
        if other != game.player:
            best = max(best, points_of(game, other))
    return min(10.0, max(-10.0, points_of(game, game.player) - best))


@compiled
def can_be_manned(game: GameRecord) -> bool:
    """Whether a mayor can still man an empty building."""
    return comes_again(game, MAYOR)
