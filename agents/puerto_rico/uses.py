"""The value of a violet building to its owner: the plan's value, scaled by the board for some of Expansion I."""

from __future__ import annotations

from agents.puerto_rico.outlook import PlanRecord
from agents.puerto_rico.settling import plant_circles
from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, owns
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.tables import (
    AQUEDUCT,
    CORN,
    INDIGO,
    INDIGO_PLANT,
    NUM_GOODS,
    SPECIALTY_FACTORY,
    SUGAR,
    SUGAR_MILL,
    UNION_HALL,
)

SPECIALITY = 2  # doubloons per harvest assumed by a plan's value of the specialty factory
UNITED = 2  # points per captain phase assumed by its value of the union hall


@compiled
def _as_planned(game: GameRecord, plan: PlanRecord, player: int, building: int) -> float:
    return float(plan.use[building])


@extension(otherwise=_as_planned)
def use_of(game: GameRecord, plan: PlanRecord, player: int, building: int) -> float:
    """The value of a working violet building to the player over a whole game."""
    use = float(plan.use[building])
    if building == AQUEDUCT:  # one more barrel for each large production building that is in use
        plants = int(owns(game, player, INDIGO_PLANT) and game.tiles[player, INDIGO] > 0)
        return use * (plants + int(owns(game, player, SUGAR_MILL) and game.tiles[player, SUGAR] > 0))
    if building == SPECIALTY_FACTORY:
        most = 0
        for good in range(CORN + 1, NUM_GOODS):
            most = max(most, _harvest(game, player, good))
        return use * max(0, most - 1) / SPECIALITY
    if building == UNION_HALL:
        pairs = 0
        for good in range(NUM_GOODS):
            pairs += _harvest(game, player, good) // 2
        return use * pairs / UNITED
    return use


@compiled
def _harvest(game: GameRecord, player: int, good: int) -> int:
    """The barrels of a good in each harvest if all circles are manned."""
    tiles = 0 + game.tiles[player, good]
    return int(tiles if good == CORN else min(tiles, plant_circles(game, player, good)))
