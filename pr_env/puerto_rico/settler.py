"""Settler: new plantations and quarries.

Hacienda, construction hut and hospice work here; of Expansion I the forest house and the library.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import (
    GameRecord,
    a_colonist_is_left,
    has_privilege,
    island_is_full,
    privilege,
    take_a_colonist,
    works,
)
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import FOREST_PHASE, HACIENDA_PHASE, HOSPICE_PHASE, SETTLER_PHASE
from pr_env.puerto_rico.tables import (
    CONSTRUCTION_HUT,
    FOREST,
    FOREST_HOUSE,
    HACIENDA,
    HOSPICE,
    NOTHING,
    NUM_GOODS,
    QUARRY,
)
from pr_env.puerto_rico.turns import end_phase, pass_turn
from pr_env.randomness import next_state, random_below


@compiled
def begin(game: GameRecord) -> None:
    """The picker settles first."""
    begin_turn(game)


@compiled
def begin_turn(game: GameRecord) -> None:
    """The tile of the hacienda comes before the normal one."""
    may = may_draw(game, game.player) and not _has_drawn(game)
    game.phase = HACIENDA_PHASE if may else SETTLER_PHASE


@extension(otherwise=False)
def _has_drawn(game: GameRecord) -> bool:
    """Whether the hacienda's question was answered in this turn; a guest who moves there does not reopen it."""
    return game.hacienda_asked == 1 or game.second_turn == 1


@compiled
def may_draw(game: GameRecord, player: int) -> bool:
    """Hacienda: possible while a tile is face down or discarded, and an island space is free."""
    return works(game, player, HACIENDA) and not island_is_full(game, player) and tiles_to_draw(game) > 0


@compiled
def tiles_to_draw(game: GameRecord) -> int:
    """Face-down tiles, and those that are shuffled in when the stacks run out."""
    total = 0
    for plantation in range(NUM_GOODS):
        total += game.face_down[plantation] + game.discards[plantation]
    return total


@compiled
def draw(game: GameRecord) -> None:
    """Hacienda: the top tile of a stack must be placed; then comes the normal tile."""
    drawn = draw_face_down(game)
    if not _a_forest_may_replace(game, drawn):
        game.tiles[game.player, drawn] += 1
        decline_draw(game)


@compiled
def decline_draw(game: GameRecord) -> None:
    """Go on to the normal tile."""
    _remember_draw(game)
    game.phase = SETTLER_PHASE


@extension()
def _remember_draw(game: GameRecord) -> None:
    game.hacienda_asked = 1
    game.drawn = NOTHING


@extension(otherwise=False)
def _a_forest_may_replace(game: GameRecord, drawn: int) -> bool:
    """Forest house: after looking at the hacienda's tile, the player may place a forest instead."""
    if not works(game, game.player, FOREST_HOUSE):
        return False
    game.drawn = drawn
    game.phase = FOREST_PHASE
    return True


@compiled
def keep_drawn_tile(game: GameRecord) -> None:
    """Keep the hacienda's tile."""
    game.tiles[game.player, game.drawn] += 1
    decline_draw(game)


@compiled
def replace_drawn_tile(game: GameRecord) -> None:
    """Place a forest instead of the hacienda's tile, which leaves the game."""
    game.removed[game.drawn] += 1
    game.forests[game.player] += 1
    decline_draw(game)


@compiled
def may_take_quarry(game: GameRecord, player: int) -> bool:
    """By the picker's privilege or the construction hut; at most one quarry, as it replaces the plantation."""
    privileged = has_privilege(game, player) and not _is_second_turn(game)
    return game.quarry_supply > 0 and (privileged or works(game, player, CONSTRUCTION_HUT))


@compiled
def take(game: GameRecord, tile: int) -> None:
    """Take a face-up plantation or a quarry; the hospice may add a colonist."""
    if tile == QUARRY:
        game.quarry_supply -= 1
    else:
        game.face_up[tile] -= 1
    game.tiles[game.player, tile] += 1
    _ask_hospice(game, tile)


@compiled
def may_place_forest(game: GameRecord, player: int) -> bool:
    """Forest house: whether a forest can replace the normal tile; a face-down plantation must leave the game for it."""
    return works(game, player, FOREST_HOUSE) and not island_is_full(game, player) and tiles_to_draw(game) > 0


@compiled
def place_forest(game: GameRecord) -> None:
    """Place a forest, for which a face-down plantation leaves the game. The hospice's colonist goes to San Juan."""
    game.removed[draw_face_down(game)] += 1
    game.forests[game.player] += 1
    _ask_hospice(game, FOREST)


@compiled
def _ask_hospice(game: GameRecord, tile: int) -> None:
    """Hospice: the tile just taken may come with a colonist; with a library, only the first tile."""
    if works(game, game.player, HOSPICE) and a_colonist_is_left(game) and not _is_second_turn(game):
        game.placed = tile
        game.phase = HOSPICE_PHASE
    else:
        end_turn(game)


@compiled
def man_tile(game: GameRecord) -> None:
    """Hospice: a colonist on the tile just taken; a forest has no circle."""
    take_a_colonist(game)
    if game.placed == FOREST:
        game.san_juan[game.player] += 1
    else:
        game.tile_colonists[game.player, game.placed] += 1
    end_turn(game)


@compiled
def end_turn(game: GameRecord) -> None:
    """The next player settles; after the last player, new tiles are turned up."""
    game.placed = NOTHING
    _forget_draw(game)
    if not _is_second_turn(game) and pass_turn(game):
        begin_turn(game)
    elif not _begin_second_turn(game):
        _discard_face_up(game)
        turn_up_tiles(game)
        end_phase(game)


@extension()
def _forget_draw(game: GameRecord) -> None:
    game.hacienda_asked = 0


@extension(otherwise=False)
def _is_second_turn(game: GameRecord) -> bool:
    return game.second_turn == 1


@extension(otherwise=False)
def _begin_second_turn(game: GameRecord) -> bool:
    """Library: after all others have taken their tiles, the picker may take one more plantation."""
    if game.second_turn == 1:
        game.second_turn = 0
        return False
    if not (has_privilege(game, game.picker) and privilege(game, game.picker) == 2):
        return False
    game.second_turn = 1
    game.phase = SETTLER_PHASE
    return True


@compiled
def _discard_face_up(game: GameRecord) -> None:
    for plantation in range(NUM_GOODS):
        game.discards[plantation] += game.face_up[plantation]
        game.face_up[plantation] = 0


@compiled
def turn_up_tiles(game: GameRecord) -> None:
    """Turn up one tile more than there are players, or fewer if stacks and discards run out."""
    for _ in range(game.players + 1):
        if tiles_to_draw(game) == 0:
            return
        game.face_up[draw_face_down(game)] += 1


@compiled
def draw_face_down(game: GameRecord) -> int:
    """Draw a random face-down tile. If the stacks are empty, the discards become the new stacks first."""
    face_down = 0
    for plantation in range(NUM_GOODS):
        face_down += game.face_down[plantation]
    if face_down == 0:
        for plantation in range(NUM_GOODS):
            game.face_down[plantation] = game.discards[plantation]
            face_down += game.discards[plantation]
            game.discards[plantation] = 0
    game.rng = next_state(game.rng)
    ticket = random_below(game.rng, face_down)
    drawn = 0
    while ticket >= game.face_down[drawn]:
        ticket -= game.face_down[drawn]
        drawn += 1
    game.face_down[drawn] -= 1
    return drawn
