"""Builder: new buildings. Quarries and the university work here; of Expansion I forests, black market and church."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import black_market, guests
from pr_env.puerto_rico.boards import (
    GameRecord,
    a_colonist_is_left,
    add_building,
    award_chips,
    forests_of,
    free_city_spaces,
    has_privilege,
    owns,
    privilege,
    take_a_colonist,
    works,
)
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import BUILDER_PHASE, CITY_FULL, UNIVERSITY_PHASE
from pr_env.puerto_rico.tables import (
    CHURCH,
    COLUMN,
    COST,
    GOVERNOR_ROW,
    LARGE_COLUMN,
    NOTHING,
    QUARRY,
    SPACES,
    STATUE,
    UNIVERSITY,
)
from pr_env.puerto_rico.turns import end_phase, pass_turn

TEN_BUILDINGS = 10  # this many end the game with the governor's card


@compiled
def begin(game: GameRecord) -> None:
    """The picker builds first."""
    game.phase = BUILDER_PHASE


@compiled
def price(game: GameRecord, player: int, building: int) -> int:
    """The cost, less 1 for each working quarry (at most the building's column) and 1 for the picker; never below 0.

    Every two forests reduce it by 1 more, whatever the column.
    """
    reduction = min(game.tile_colonists[player, QUARRY], COLUMN[building]) + forests_of(game, player) // 2
    if has_privilege(game, player):
        reduction += privilege(game, player)
    return max(0, COST[game.balanced, building] - reduction)


@compiled
def may_build(game: GameRecord, player: int, building: int, free_spaces: int) -> bool:
    """Whether it is left, not owned yet, fits into the city, and the player can pay for it."""
    return (
        game.buildings_left[building] > 0
        and not owns(game, player, building)
        and SPACES[building] <= free_spaces
        and can_pay(game, player, price(game, player, building))
    )


@compiled
def can_pay(game: GameRecord, player: int, doubloons: int) -> bool:
    """Whether the player can pay, with doubloons or with what a black market accepts instead."""
    missing = doubloons - game.doubloons[player]
    return missing <= 0 or missing <= black_market.credit(game, player)


@compiled
def build(game: GameRecord, building: int) -> None:
    """Pay for the building and put it into the city."""
    doubloons = price(game, game.player, building)
    if not black_market.begin_payment(game, building, doubloons):
        game.doubloons[game.player] -= doubloons
        put_up(game, building)


@compiled
def put_up(game: GameRecord, building: int) -> None:
    """Put up a building that is paid for. Filling the 12th city space ends the game after this round."""
    player = game.player
    game.buildings_left[building] -= 1
    add_building(game, player, building)
    if free_city_spaces(game, player) == 0 or _owns_ten_buildings(game, player):
        game.ending |= CITY_FULL
    _pay_church(game, player, building)
    if works(game, player, UNIVERSITY) and a_colonist_is_left(game):
        game.placed = building
        game.phase = UNIVERSITY_PHASE
    else:
        end_turn(game, True)


@extension(otherwise=False)
def _owns_ten_buildings(game: GameRecord, player: int) -> bool:
    """Six players with the governor's card: the tenth building also ends the game."""
    return game.row == GOVERNOR_ROW and game.built_count[player] >= TEN_BUILDINGS


@extension()
def _pay_church(game: GameRecord, player: int, building: int) -> None:
    """Church: 1 point for a building of column 2 or 3, 2 for one of column 4; not for the church itself."""
    if works(game, player, CHURCH) and building != CHURCH and COLUMN[building] > 1:
        award_chips(game, player, 2 if COLUMN[building] == LARGE_COLUMN else 1)


@compiled
def man_building(game: GameRecord) -> None:
    """University: one colonist for the building just built; the colonist for a statue goes to San Juan."""
    take_a_colonist(game)
    if game.placed == STATUE:
        game.san_juan[game.player] += 1
    else:
        game.city[game.player, game.placed] += 1
    end_turn(game, True)


@compiled
def end_turn(game: GameRecord, built: bool) -> None:
    """The next player builds. Guests may still go to buildings put up in the last phase of the game."""
    game.placed = NOTHING
    if pass_turn(game):
        game.phase = BUILDER_PHASE
    elif not guests.ask_at_end_of_game(game, not built):
        end_phase(game)
