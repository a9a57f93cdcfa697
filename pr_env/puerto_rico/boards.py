"""Queries about the players' boards, and pieces that several roles hand out."""

from __future__ import annotations

from typing import Any

from pr_env.compiling import compiled
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import CHIPS_GONE
from pr_env.puerto_rico.tables import (
    CITY_SPACES,
    ISLAND_SPACES,
    LIBRARY,
    NOT_BUILT,
    NUM_GOODS,
    NUM_TILES,
    SPACES,
)

GameRecord = Any  # one record of state.py; compiled code and NumPy have no common static type for it


@compiled
def num_buildings(game: GameRecord) -> int:
    """Kinds of buildings in the record: a base game has the first 23."""
    return game.city.shape[1]


@compiled
def num_roles(game: GameRecord) -> int:
    """Role cards in the record."""
    return game.role_taken_by.shape[0]


@compiled
def num_seats(game: GameRecord) -> int:
    """Seats in the record."""
    return game.doubloons.shape[0]


@compiled
def _number_of_players(game: GameRecord) -> int:
    return game.players


@extension(otherwise=_number_of_players)
def table_row(game: GameRecord) -> int:
    """The row of the tables for the set-up: the number of players, or the row of a variant."""
    return game.row


@compiled
def _is_picker(game: GameRecord, player: int) -> bool:
    return player == game.picker


@extension(otherwise=_is_picker)
def has_privilege(game: GameRecord, player: int) -> bool:
    """Whether the player has the privilege: the picker of the role; nobody when a politician plays it again."""
    return player == game.picker and game.without_privilege == 0


@extension(otherwise=1)
def privilege(game: GameRecord, player: int) -> int:
    """What the privilege is worth: 1, or 2 with a library (where it is limited, once per round)."""
    return 2 if works(game, player, LIBRARY) and game.library_used[player] == 0 else 1


@extension(otherwise=0)
def forests_of(game: GameRecord, player: int) -> int:
    """Island spaces with a forest."""
    return 0 + game.forests[player]


@compiled
def owns(game: GameRecord, player: int, building: int) -> bool:
    """Whether the building stands in the player's city, manned or not."""
    return game.city[player, building] != NOT_BUILT


@compiled
def works(game: GameRecord, player: int, building: int) -> bool:
    """Whether at least one colonist is in the player's building; otherwise it does nothing."""
    return game.city[player, building] > 0


@compiled
def island_is_full(game: GameRecord, player: int) -> bool:
    """Whether all 12 island spaces have a tile."""
    return island_tiles(game, player) >= ISLAND_SPACES


@compiled
def island_tiles(game: GameRecord, player: int) -> int:
    """The number of island spaces with a tile."""
    total = forests_of(game, player)
    for tile in range(NUM_TILES):
        total += game.tiles[player, tile]
    return total


@compiled
def free_city_spaces(game: GameRecord, player: int) -> int:
    """City spaces without a building. Buildings may be shifted, so only their number counts."""
    free = CITY_SPACES
    for place in range(game.built_count[player]):
        free -= SPACES[game.built[player, place]]
    return free


@compiled
def add_building(game: GameRecord, player: int, building: int) -> None:
    """Put an empty building into the city, and into the list of its buildings, in table order."""
    game.city[player, building] = 0
    place = 0 + game.built_count[player]
    while place > 0 and game.built[player, place - 1] > building:
        game.built[player, place] = game.built[player, place - 1]
        place -= 1
    game.built[player, place] = building
    game.built_count[player] += 1


@compiled
def colonists_of(game: GameRecord, player: int) -> int:
    """All colonists on the player's board: tiles, buildings and San Juan."""
    total = 0 + game.san_juan[player]
    for tile in range(NUM_TILES):
        total += game.tile_colonists[player, tile]
    for place in range(game.built_count[player]):
        total += game.city[player, game.built[player, place]]
    return total


@compiled
def barrels_of(game: GameRecord, player: int) -> int:
    """All barrels that the player holds."""
    total = 0
    for good in range(NUM_GOODS):
        total += game.goods[player, good]
    return total


@compiled
def a_colonist_is_left(game: GameRecord) -> bool:
    """Whether there is still a colonist for hospice and university: in the supply, else on the ship."""
    return game.colonist_supply > 0 or game.colonist_ship > 0


@compiled
def take_a_colonist(game: GameRecord) -> None:
    """Hospice and university: take a colonist from the supply or, if it is empty, from the ship."""
    if game.colonist_supply > 0:
        game.colonist_supply -= 1
    else:
        game.colonist_ship -= 1


@compiled
def award_chips(game: GameRecord, player: int, points: int) -> None:
    """Award victory points. Taking the last chip ends the game after this round; points beyond it still count."""
    game.chips[player] += points
    game.chips_supply = max(0, game.chips_supply - points)
    if game.chips_supply == 0:
        game.ending |= CHIPS_GONE


@compiled
def allow(game: GameRecord, action: int, allowed: bool) -> int:
    """Mark an action as legal if it is allowed; returns 1 if so, else 0."""
    game.legal[action] = allowed
    return 1 if allowed else 0
