"""Points by source, the tie-break and the ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import (
    GameRecord,
    barrels_of,
    colonists_of,
    island_tiles,
    owns,
    works,
)
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.tables import (
    CITY_HALL,
    CLOISTER,
    CUSTOMS_HOUSE,
    FORTRESS,
    GUILD_HALL,
    LARGE_CHURCH,
    MAX_BASE_PLAYERS,
    MAX_PLAYERS,
    NUM_PRODUCTION_BUILDINGS,
    NUM_TILES,
    PRINTED_POINTS,
    RESIDENCE,
    SMALL_INDIGO_PLANT,
    SMALL_SUGAR_MILL,
)

BASE_SOURCES = ("chips", "buildings", "guild_hall", "residence", "fortress", "customs_house", "city_hall")
SOURCES = (*BASE_SOURCES, "cloister", "large_church")
NUM_BASE_SOURCES = len(BASE_SOURCES)
NUM_SOURCES = len(SOURCES)
(
    FROM_CHIPS,
    FROM_BUILDINGS,
    FROM_GUILD_HALL,
    FROM_RESIDENCE,
    FROM_FORTRESS,
    FROM_CUSTOMS_HOUSE,
    FROM_CITY_HALL,
    FROM_CLOISTER,
    FROM_LARGE_CHURCH,
) = range(NUM_SOURCES)


def _final(players: int, sources: int) -> np.dtype[Any]:
    """The fields of the final record."""
    return np.dtype(
        (
            np.record,
            [
                ("seed", np.uint64),  # of the finished game
                ("rounds", np.int16),  # rounds played
                ("ending", np.uint8),  # why it ended, see state.END_REASONS
                ("points", np.int16, (players, sources)),
                ("total", np.int16, (players,)),
                ("tie_break", np.int16, (players,)),  # doubloons + barrels
                ("rank", np.int8, (players,)),  # 1 is the winner; tied players share a rank
                ("win_share", np.float32, (players,)),  # 1 for a sole winner, 1/k for each of k who share the win
            ],
        )
    )


FINAL = _final(MAX_BASE_PLAYERS, NUM_BASE_SOURCES)
EXTENDED_FINAL = _final(MAX_PLAYERS, NUM_SOURCES)

CLOISTER_POINTS = np.array([0, 1, 3, 6, 10], np.int8)  # for 0 to 4 groups of three equal tiles


@compiled
def printed_points(game: GameRecord, player: int) -> int:
    """The points printed on all buildings, manned or not."""
    total = 0
    for place in range(game.built_count[player]):
        total += PRINTED_POINTS[game.built[player, place]]
    return total


@compiled
def guild_hall_points(game: GameRecord, player: int) -> int:
    """1 for each small production building, 2 for each other one, manned or not."""
    total = 0
    for building in range(NUM_PRODUCTION_BUILDINGS):
        if owns(game, player, building):
            total += 1 if building in (SMALL_INDIGO_PLANT, SMALL_SUGAR_MILL) else 2
    return total


@compiled
def residence_points(game: GameRecord, player: int) -> int:
    """4 for up to 9 island tiles, 5, 6, 7 for 10, 11, 12."""
    return max(4, island_tiles(game, player) - 5)


@compiled
def fortress_points(game: GameRecord, player: int) -> int:
    """1 for every 3 colonists on the board."""
    return colonists_of(game, player) // 3


@compiled
def customs_house_points(game: GameRecord, player: int) -> int:
    """1 for every 4 points in chips."""
    return game.chips[player] // 4


@compiled
def city_hall_points(game: GameRecord, player: int) -> int:
    """1 for each violet building, manned or not, itself included."""
    total = 0
    for place in range(game.built_count[player]):
        if game.built[player, place] >= NUM_PRODUCTION_BUILDINGS:
            total += 1
    return total


@compiled
def cloister_points(game: GameRecord, player: int) -> int:
    """1, 3, 6, 10 for one to four groups of three equal island tiles; forests are tiles."""
    groups = game.forests[player] // 3
    for tile in range(NUM_TILES):
        groups += game.tiles[player, tile] // 3
    return 0 + CLOISTER_POINTS[groups]


@compiled
def large_church_points(game: GameRecord, player: int) -> int:
    """1 for every 2 doubloons."""
    return game.doubloons[player] // 2


@compiled
def points_from(game: GameRecord, player: int, source: int) -> int:
    """The player's points from one of SOURCES if the game ended now; large buildings must be manned for their bonus."""
    if source == FROM_CHIPS:
        return 0 + game.chips[player]
    if source == FROM_BUILDINGS:
        return printed_points(game, player)
    if source == FROM_GUILD_HALL:
        return guild_hall_points(game, player) if works(game, player, GUILD_HALL) else 0
    if source == FROM_RESIDENCE:
        return residence_points(game, player) if works(game, player, RESIDENCE) else 0
    if source == FROM_FORTRESS:
        return fortress_points(game, player) if works(game, player, FORTRESS) else 0
    if source == FROM_CUSTOMS_HOUSE:
        return customs_house_points(game, player) if works(game, player, CUSTOMS_HOUSE) else 0
    if source == FROM_CITY_HALL:
        return city_hall_points(game, player) if works(game, player, CITY_HALL) else 0
    return _points_from_extension(game, player, source)


@extension(otherwise=0)
def _points_from_extension(game: GameRecord, player: int, source: int) -> int:
    if source == FROM_CLOISTER:
        return cloister_points(game, player) if works(game, player, CLOISTER) else 0
    return large_church_points(game, player) if works(game, player, LARGE_CHURCH) else 0


@extension(otherwise=NUM_BASE_SOURCES)
def _num_sources(game: GameRecord) -> int:
    return NUM_SOURCES


@compiled
def bonus_points(game: GameRecord, player: int) -> int:
    """The player's points from all manned large buildings if the game ended now."""
    total = 0
    for source in range(FROM_GUILD_HALL, _num_sources(game)):
        total += points_from(game, player, source)
    return total


@compiled
def total_points(game: GameRecord, player: int) -> int:
    """The player's points from all sources if the game ended now."""
    return game.chips[player] + printed_points(game, player) + bonus_points(game, player)


@compiled
def write_final(game: GameRecord, final: GameRecord) -> None:
    """Write points, tie-break and ranks as if the game ended now."""
    final.seed = game.seed
    final.rounds = game.round_number
    final.ending = game.ending
    for player in range(final.total.shape[0]):
        final.total[player] = 0
        final.tie_break[player] = 0
        final.rank[player] = 0
        final.win_share[player] = 0.0
        for source in range(final.points.shape[1]):
            final.points[player, source] = 0
    for player in range(game.players):
        for source in range(final.points.shape[1]):
            final.points[player, source] = points_from(game, player, source)
            final.total[player] += final.points[player, source]
        final.tie_break[player] = game.doubloons[player] + barrels_of(game, player)
    winners = 0
    for player in range(game.players):
        final.rank[player] = 1
        for other in range(game.players):
            if _is_ahead(final, other, player):
                final.rank[player] += 1
        if final.rank[player] == 1:
            winners += 1
    for player in range(game.players):
        if final.rank[player] == 1:
            final.win_share[player] = 1.0 / winners


@compiled
def _is_ahead(final: GameRecord, one: int, other: int) -> bool:
    """Whether a player is ahead of another: more points or, with equal points, more doubloons and barrels."""
    if final.total[one] != final.total[other]:
        return final.total[one] > final.total[other]
    return final.tie_break[one] > final.tie_break[other]
