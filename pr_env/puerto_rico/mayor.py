"""Mayor: colonists arrive and are placed.

A player goes through their kinds of circles in a fixed order (tiles, then buildings, each in table order) and answers
"how many here?". No circle may stay empty while a colonist is without one, so the answer is at least what the later
circles cannot take, and at most what is available. Every arrangement of the colonists has exactly one sequence of
answers. Where only one answer is possible, nobody is asked.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, colonists_of, has_privilege, privilege
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import COLONISTS_SHORT, MAYOR_PHASE, MAYOR_PRIVILEGE
from pr_env.puerto_rico.tables import CIRCLES, NUM_TILES
from pr_env.puerto_rico.turns import end_phase, left_of, pass_turn


@compiled
def begin(game: GameRecord) -> None:
    """The picker may first take a colonist from the supply (not from the ship)."""
    if game.colonist_supply > 0 and has_privilege(game, game.picker):
        game.phase = MAYOR_PRIVILEGE
    else:
        unload_ship(game)


@compiled
def take_privilege(game: GameRecord) -> None:
    """One more colonist for the picker."""
    game.colonist_supply -= 1
    game.san_juan[game.player] += 1
    if not _has_another_privilege(game):
        unload_ship(game)


@extension(otherwise=False)
def _has_another_privilege(game: GameRecord) -> bool:
    """Library: whether there is a second colonist."""
    game.privileges_used += 1
    return game.privileges_used < privilege(game, game.player) and game.colonist_supply > 0


@compiled
def unload_ship(game: GameRecord) -> None:
    """The ship's colonists are dealt one at a time, picker first, clockwise; then the picker arranges theirs."""
    player = game.picker
    while game.colonist_ship > 0:
        game.colonist_ship -= 1
        game.san_juan[player] += 1
        player = left_of(game, player)
    _begin_turn(game)
    _next_question(game)


@compiled
def _begin_turn(game: GameRecord) -> None:
    """The player takes all colonists off the board to rearrange them."""
    player = game.player
    game.san_juan[player] = colonists_of(game, player)
    for tile in range(NUM_TILES):
        game.tile_colonists[player, tile] = 0
    for place in range(game.built_count[player]):
        game.city[player, game.built[player, place]] = 0
    game.circle_kind = 0
    game.circles_ahead = circles_from(game, player, 0)


@compiled
def circles_of(game: GameRecord, player: int, kind: int) -> int:
    """The number of circles of this kind: one on each tile, or those of a building."""
    if kind < NUM_TILES:
        return 0 + game.tiles[player, kind]
    return 0 + CIRCLES[game.built[player, kind - NUM_TILES]]


@compiled
def kinds_of(game: GameRecord, player: int) -> int:
    """The number of kinds of circles the player goes through: every tile, and every building in the city."""
    return NUM_TILES + game.built_count[player]


@compiled
def circles_from(game: GameRecord, player: int, kind: int) -> int:
    """Circles of this kind and all later kinds."""
    total = 0
    for later in range(kind, kinds_of(game, player)):
        total += circles_of(game, player, later)
    return total


@compiled
def fewest_here(game: GameRecord, circles: int) -> int:
    """Colonists that the later circles cannot take must go here, as long as there is room."""
    later_circles = game.circles_ahead - circles
    return min(circles, max(0, game.san_juan[game.player] - later_circles))


@compiled
def most_here(game: GameRecord, circles: int) -> int:
    """At most the number of circles, and of colonists."""
    return min(circles, game.san_juan[game.player])


@compiled
def place(game: GameRecord, colonists: int) -> None:
    """Answer the question for this kind of circle."""
    _put(game, colonists, circles_of(game, game.player, game.circle_kind))
    _next_question(game)


@compiled
def _put(game: GameRecord, colonists: int, circles: int) -> None:
    player, kind = game.player, game.circle_kind
    game.san_juan[player] -= colonists
    if kind < NUM_TILES:
        game.tile_colonists[player, kind] = colonists
    else:
        game.city[player, game.built[player, kind - NUM_TILES]] = colonists
    game.circle_kind += 1
    game.circles_ahead -= circles


@compiled
def _next_question(game: GameRecord) -> None:
    """Go on to the next kind of circle with a choice, player by player; after the last player, refill the ship."""
    while True:
        while game.circle_kind < kinds_of(game, game.player):
            circles = circles_of(game, game.player, game.circle_kind)
            fewest = fewest_here(game, circles)
            if fewest < most_here(game, circles):
                game.phase = MAYOR_PHASE
                return
            _put(game, fewest, circles)
        if not pass_turn(game):
            break
        _begin_turn(game)
    game.circle_kind = 0
    _refill_ship(game)
    end_phase(game)


@compiled
def empty_building_circles(game: GameRecord, player: int) -> int:
    """Circles in the player's buildings without a colonist."""
    empty = 0
    for place in range(game.built_count[player]):
        building = game.built[player, place]
        empty += CIRCLES[building] - game.city[player, building]
    return empty


@compiled
def _refill_ship(game: GameRecord) -> None:
    """One colonist per empty circle in buildings, but at least one per player; a shortage ends the game."""
    wanted = 0
    for player in range(game.players):
        wanted += empty_building_circles(game, player)
    wanted = max(wanted, game.players)
    if wanted > game.colonist_supply:
        game.ending |= COLONISTS_SHORT
        wanted = game.colonist_supply
    game.colonist_supply -= wanted
    game.colonist_ship = wanted
