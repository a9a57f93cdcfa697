"""Expansion I: which 17 of the 31 kinds of violet buildings are in the game.

The players, in seat order, put kinds one by one on free spaces of their cost; or the kinds are random or given. Kinds
that no longer fit are out of the game.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.state import BASE_BOARD, DRAFT_BOARD, DRAFT_PHASE, LIST_BOARD, PICK_ROLE, RANDOM_BOARD
from pr_env.puerto_rico.tables import (
    COPIES,
    COST,
    FIRST_VIOLET,
    FOREST_HOUSE,
    HACIENDA,
    LARGE_CHURCH,
    MAX_COST,
    NUM_BASE_BUILDINGS,
    NUM_BUILDINGS,
    NUM_VIOLET_SPACES,
    VIOLET_SPACES,
)
from pr_env.puerto_rico.turns import left_of
from pr_env.randomness import next_state, random_below


@compiled
def begin(game: GameRecord) -> None:
    """Put the buildings on the board that need no draft; the players draft the rest."""
    if game.board != LIST_BOARD:  # a list of kinds is already in the record
        for building in range(NUM_BUILDINGS):
            game.in_game[building] = building < (NUM_BASE_BUILDINGS if game.board == BASE_BOARD else FIRST_VIOLET)
    game.in_game[LARGE_CHURCH] = COPIES[game.row, LARGE_CHURCH] > 0
    if game.board == RANDOM_BOARD:
        _draw_kinds(game)
    elif game.board == DRAFT_BOARD:
        game.phase = DRAFT_PHASE
    for building in range(NUM_BUILDINGS):
        if game.in_game[building] == 0:
            game.buildings_left[building] = 0


@compiled
def free_spaces(game: GameRecord, cost: int) -> int:
    """Spaces of the board for violet buildings of this printed cost."""
    free = 0 + VIOLET_SPACES[cost]
    for building in range(FIRST_VIOLET, LARGE_CHURCH):
        if game.in_game[building] and COST[0, building] == cost:
            free -= 1
    return free


@compiled
def may_draft(game: GameRecord, building: int) -> bool:
    """Whether the kind is not on the board yet and a space of its cost is free."""
    if game.in_game[building] or free_spaces(game, COST[0, building]) == 0:
        return False
    if game.exclude_forest_house:
        if building == HACIENDA and game.in_game[FOREST_HOUSE]:
            return False
        if building == FOREST_HOUSE and game.in_game[HACIENDA]:
            return False
    return True


@compiled
def put(game: GameRecord, building: int) -> None:
    """Put all copies of the kind on the board; the next player continues until all spaces are taken."""
    game.in_game[building] = 1
    game.buildings_left[building] = COPIES[game.row, building]
    taken = 0
    for violet in range(FIRST_VIOLET, LARGE_CHURCH):
        taken += game.in_game[violet]
    if taken == NUM_VIOLET_SPACES:
        game.phase = PICK_ROLE
        game.player = game.governor
    else:
        game.player = left_of(game, game.player)


@compiled
def _draw_kinds(game: GameRecord) -> None:
    """Draw random kinds, space by space, cheapest first."""
    for cost in range(1, MAX_COST + 1):
        while free_spaces(game, cost) > 0:
            fitting = 0
            for building in range(FIRST_VIOLET, LARGE_CHURCH):
                if COST[0, building] == cost and may_draft(game, building):
                    fitting += 1
            game.rng = next_state(game.rng)
            ticket = random_below(game.rng, fitting)
            for building in range(FIRST_VIOLET, LARGE_CHURCH):
                if COST[0, building] == cost and may_draft(game, building):
                    if ticket == 0:
                        game.in_game[building] = 1
                        break
                    ticket -= 1
