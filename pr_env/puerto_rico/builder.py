"""Builder: new buildings. Quarries and the university work here."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import (
    GameRecord,
    a_colonist_is_left,
    add_building,
    free_city_spaces,
    owns,
    take_a_colonist,
    works,
)
from pr_env.puerto_rico.state import BUILDER_PHASE, CITY_FULL, UNIVERSITY_PHASE
from pr_env.puerto_rico.tables import COLUMN, COST, NOTHING, QUARRY, SPACES, UNIVERSITY
from pr_env.puerto_rico.turns import end_phase, pass_turn


@compiled
def begin(game: GameRecord) -> None:
    """The picker builds first."""
    game.phase = BUILDER_PHASE


@compiled
def price(game: GameRecord, player: int, building: int) -> int:
    """The cost, less 1 for each working quarry (at most the building's column) and 1 for the picker; never below 0."""
    reduction = min(game.tile_colonists[player, QUARRY], COLUMN[building])
    if player == game.picker:
        reduction += 1
    return max(0, COST[building] - reduction)


@compiled
def may_build(game: GameRecord, player: int, building: int, free_spaces: int) -> bool:
    """One that is left, not owned yet, that fits into the city and that the player can pay."""
    return (
        game.buildings_left[building] > 0
        and not owns(game, player, building)
        and SPACES[building] <= free_spaces
        and price(game, player, building) <= game.doubloons[player]
    )


@compiled
def build(game: GameRecord, building: int) -> None:
    """Pay and put it into the city. The 12th city space ends the game after this round."""
    player = game.player
    game.doubloons[player] -= price(game, player, building)
    game.buildings_left[building] -= 1
    add_building(game, player, building)
    if free_city_spaces(game, player) == 0:
        game.ending |= CITY_FULL
    if works(game, player, UNIVERSITY) and a_colonist_is_left(game):
        game.placed = building
        game.phase = UNIVERSITY_PHASE
    else:
        end_turn(game)


@compiled
def man_building(game: GameRecord) -> None:
    """University: one colonist for the building just built."""
    take_a_colonist(game)
    game.city[game.player, game.placed] += 1
    end_turn(game)


@compiled
def end_turn(game: GameRecord) -> None:
    """The next player builds."""
    game.placed = NOTHING
    if pass_turn(game):
        game.phase = BUILDER_PHASE
    else:
        end_phase(game)
