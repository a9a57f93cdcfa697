"""Settler: new plantations and quarries. Hacienda, construction hut and hospice work here."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, a_colonist_is_left, island_is_full, take_a_colonist, works
from pr_env.puerto_rico.state import HACIENDA_PHASE, HOSPICE_PHASE, SETTLER_PHASE
from pr_env.puerto_rico.tables import CONSTRUCTION_HUT, HACIENDA, HOSPICE, NOTHING, NUM_GOODS, QUARRY
from pr_env.puerto_rico.turns import end_phase, pass_turn
from pr_env.randomness import next_state, random_below


@compiled
def begin(game: GameRecord) -> None:
    """The picker settles first."""
    _begin_turn(game)


@compiled
def _begin_turn(game: GameRecord) -> None:
    """The hacienda's tile comes before the normal one."""
    game.phase = HACIENDA_PHASE if may_draw(game, game.player) else SETTLER_PHASE


@compiled
def may_draw(game: GameRecord, player: int) -> bool:
    """Hacienda: while a tile is face down or discarded, and an island space is free."""
    return works(game, player, HACIENDA) and not island_is_full(game, player) and tiles_to_draw(game) > 0


@compiled
def tiles_to_draw(game: GameRecord) -> int:
    """Face-down tiles and those that would be shuffled in when the stacks run out."""
    total = 0
    for plantation in range(NUM_GOODS):
        total += game.face_down[plantation] + game.discards[plantation]
    return total


@compiled
def draw(game: GameRecord) -> None:
    """Hacienda: the top tile of a stack must be placed; then comes the normal tile."""
    game.tiles[game.player, draw_face_down(game)] += 1
    decline_draw(game)


@compiled
def decline_draw(game: GameRecord) -> None:
    """Go on to the normal tile."""
    game.phase = SETTLER_PHASE


@compiled
def may_take_quarry(game: GameRecord, player: int) -> bool:
    """The picker's privilege, or the construction hut; one quarry in all, as it replaces the plantation."""
    return game.quarry_supply > 0 and (player == game.picker or works(game, player, CONSTRUCTION_HUT))


@compiled
def take(game: GameRecord, tile: int) -> None:
    """Take a face-up plantation or a quarry; the hospice may add a colonist."""
    if tile == QUARRY:
        game.quarry_supply -= 1
    else:
        game.face_up[tile] -= 1
    game.tiles[game.player, tile] += 1
    if works(game, game.player, HOSPICE) and a_colonist_is_left(game):
        game.placed = tile
        game.phase = HOSPICE_PHASE
    else:
        end_turn(game)


@compiled
def man_tile(game: GameRecord) -> None:
    """Hospice: a colonist on the tile just taken."""
    take_a_colonist(game)
    game.tile_colonists[game.player, game.placed] += 1
    end_turn(game)


@compiled
def end_turn(game: GameRecord) -> None:
    """The next player settles; after the last one, new tiles are turned up."""
    game.placed = NOTHING
    if pass_turn(game):
        _begin_turn(game)
    else:
        _discard_face_up(game)
        turn_up_tiles(game)
        end_phase(game)


@compiled
def _discard_face_up(game: GameRecord) -> None:
    for plantation in range(NUM_GOODS):
        game.discards[plantation] += game.face_up[plantation]
        game.face_up[plantation] = 0


@compiled
def turn_up_tiles(game: GameRecord) -> None:
    """One tile more than players; fewer when neither stacks nor discards have enough."""
    for _ in range(game.players + 1):
        if tiles_to_draw(game) == 0:
            return
        game.face_up[draw_face_down(game)] += 1


@compiled
def draw_face_down(game: GameRecord) -> int:
    """Draw a tile by chance from what is face down. Empty stacks are first made anew from the discards."""
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
