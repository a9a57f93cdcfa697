"""Guesthouse (Expansion I): its colonists, the guests, may go to work between two mayors.

They are asked about at the start of every phase but the mayor's, before each of their owner's decisions in it, and
before their owner stores (ruling 10). Several guests go in the order of the places, tiles before buildings, so that
every outcome is reached in one way. What the player was about to do is remembered in ``after_guests``.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    GUEST_PHASE,
    HACIENDA_PHASE,
    NOTHING_TO_RESUME,
    PIRATE_BARREL_PHASE,
    PIRATE_COLONIST_PHASE,
    SETTLER_PHASE,
    START_OF_ROLE,
    STORE_PHASE,
    TRADER_PHASE,
)
from pr_env.puerto_rico.tables import CIRCLES, GUESTHOUSE, NUM_BUILDINGS, NUM_TILES
from pr_env.puerto_rico.turns import left_of

NUM_PLACES = NUM_TILES + NUM_BUILDINGS


@compiled
def may_go_to(game: GameRecord, player: int, place: int) -> bool:
    """An empty circle on a tile, or in a building other than the guesthouse. Places: tiles, then buildings."""
    if place < NUM_TILES:
        return game.tile_colonists[player, place] < game.tiles[player, place]
    building = place - NUM_TILES
    # A building that does not stand has fewer than 0 colonists.
    return building != GUESTHOUSE and 0 <= game.city[player, building] < CIRCLES[building]


@compiled
def can_move(game: GameRecord, player: int, first_place: int) -> bool:
    """Whether there is a guest, and somewhere to go from the first place on."""
    if not works(game, player, GUESTHOUSE):
        return False
    place = first_place
    while place < NUM_PLACES and not may_go_to(game, player, place):
        place += 1
    return place < NUM_PLACES


@compiled
def _ask(game: GameRecord, player: int, afterwards: int) -> None:
    game.player = player
    game.phase = GUEST_PHASE
    game.after_guests = afterwards
    game.guest_from = 0


@extension(otherwise=False)
def ask_before_role(game: GameRecord) -> bool:
    """At the start of a phase: every player who can move a guest is asked, the picker first."""
    return _ask_next(game, game.picker, game.players)


@compiled
def _ask_next(game: GameRecord, first: int, players: int) -> bool:
    """Ask the first of these players, clockwise, who can move a guest."""
    player = first
    for _ in range(players):
        if can_move(game, player, 0):
            _ask(game, player, START_OF_ROLE)
            return True
        player = left_of(game, player)
    return False


@extension()
def ask_before_decision(game: GameRecord) -> None:
    """Before a player's own decision, unless they were asked just now."""
    phase = game.phase
    if game.guests_asked == 0 and phase in (
        HACIENDA_PHASE,
        SETTLER_PHASE,
        BUILDER_PHASE,
        CRAFTSMAN_PRIVILEGE,
        TRADER_PHASE,
        CAPTAIN_PHASE,
        PIRATE_BARREL_PHASE,
        PIRATE_COLONIST_PHASE,
    ):
        if can_move(game, game.player, 0):
            _ask(game, game.player, phase)


@extension(otherwise=False)
def ask_before_storing(game: GameRecord) -> bool:
    """Before the player stores."""
    if not can_move(game, game.player, 0):
        return False
    _ask(game, game.player, STORE_PHASE)
    return True


@compiled
def move(game: GameRecord, place: int) -> bool:
    """A guest goes to work at once. Returns whether another one may."""
    player = game.player
    game.city[player, GUESTHOUSE] -= 1
    if place < NUM_TILES:
        game.tile_colonists[player, place] += 1
    else:
        game.city[player, place - NUM_TILES] += 1
    game.guest_from = place
    return can_move(game, player, place)


@compiled
def go_on(game: GameRecord) -> int:
    """The player has moved their guests. Returns the phase to go on with, or START_OF_ROLE, or that others are asked.

    At the start of a role the others are asked in turn; the picker is not asked once more before their first decision.
    """
    afterwards = game.after_guests
    game.after_guests = NOTHING_TO_RESUME
    game.guest_from = 0
    if afterwards == START_OF_ROLE:
        following = left_of(game, game.player)
        others = (game.picker - following + game.players) % game.players
        if _ask_next(game, following, others):
            return NOTHING_TO_RESUME
        game.player = game.picker
    game.guests_asked = 1
    return afterwards
