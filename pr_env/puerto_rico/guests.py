"""Guesthouse (Expansion I): its colonists, the guests, may go to work between two mayors.

The owner is asked at the start of every phase except the mayor's, before each of their own decisions in it, before
storing, and at the end of the last phase of the game (ruling 10). MOMENTS lists these times. The start of a role also
serves as the end of the phase before it, but the last phase of a game has no role after it. An owner who was asked
before their last decision in it, or before storing, already knew everything that matters, with three exceptions: the
builder's phase (a large building put up later, or a later player who ends the game), the pirate's phase (the owner may
lose a colonist) and a governor's card (which has no phase). At the end of these, guests may still go to large
buildings; nothing else matters then.

Several guests go in the order of the places, tiles before buildings, so that there is only one way to each outcome.
"""

from __future__ import annotations

from typing import NamedTuple

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    GAME_OVER,
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
from pr_env.puerto_rico.tables import (
    CIRCLES,
    COLUMN,
    GUESTHOUSE,
    LARGE_COLUMN,
    NUM_BUILDINGS,
    NUM_TILES,
    PIRATE,
)
from pr_env.puerto_rico.turns import is_last_phase, left_of

NUM_PLACES = NUM_TILES + NUM_BUILDINGS

# Who is asked
EVERYBODY = "everybody"  # clockwise, each owner in turn
WHO_DECIDES = "who decides"  # the player whose decision follows, unless they were just asked
WHO_STORES = "who stores"  # including a player who can keep everything


class Moment(NamedTuple):
    """A time at which guests may move.

    Attributes:
        then: What follows: a phase, or START_OF_ROLE. The record stores it in ``after_guests``; see
            `extended_step.go_on_after_guests`.
        asked: The players who are asked, if they have a guest and somewhere to send it.
    """

    then: int
    asked: str


MOMENTS = (
    Moment(START_OF_ROLE, EVERYBODY),  # the picker first; the card is taken, but the role has not begun
    Moment(HACIENDA_PHASE, WHO_DECIDES),
    Moment(SETTLER_PHASE, WHO_DECIDES),
    Moment(BUILDER_PHASE, WHO_DECIDES),
    Moment(CRAFTSMAN_PRIVILEGE, WHO_DECIDES),
    Moment(TRADER_PHASE, WHO_DECIDES),
    Moment(CAPTAIN_PHASE, WHO_DECIDES),
    Moment(STORE_PHASE, WHO_STORES),
    Moment(PIRATE_BARREL_PHASE, WHO_DECIDES),
    Moment(PIRATE_COLONIST_PHASE, WHO_DECIDES),
    # Before the final scoring; except the last player to decide, unless they put up a building
    Moment(GAME_OVER, EVERYBODY),
)
_BEFORE_DECISIONS = tuple(moment.then for moment in MOMENTS if moment.asked == WHO_DECIDES)
_TO_EVERYBODY = tuple(moment.then for moment in MOMENTS if moment.asked == EVERYBODY)


# -- where guests go ---------------------------------------------------------------------------------------------------


@compiled
def may_go_to(game: GameRecord, player: int, place: int, moment: int) -> bool:
    """Whether a place has an empty circle, and is not the guesthouse. Places: tiles, then buildings.

    Before the final scoring, only large buildings matter.
    """
    if place < NUM_TILES:
        return moment != GAME_OVER and game.tile_colonists[player, place] < game.tiles[player, place]
    building = place - NUM_TILES
    if building == GUESTHOUSE or (moment == GAME_OVER and COLUMN[building] != LARGE_COLUMN):
        return False
    # A building that does not stand has fewer than 0 colonists.
    return 0 <= game.city[player, building] < CIRCLES[building]


@compiled
def can_move(game: GameRecord, player: int, first_place: int, moment: int) -> bool:
    """Whether there is a guest, and somewhere to go, starting at ``guest_from``."""
    if not works(game, player, GUESTHOUSE):
        return False
    place = first_place
    while place < NUM_PLACES and not may_go_to(game, player, place, moment):
        place += 1
    return place < NUM_PLACES


@compiled
def move(game: GameRecord, place: int) -> bool:
    """Move a guest, who starts to work at once. Returns whether another one may move."""
    player = game.player
    game.city[player, GUESTHOUSE] -= 1
    if place < NUM_TILES:
        game.tile_colonists[player, place] += 1
    else:
        game.city[player, place - NUM_TILES] += 1
    game.guest_from = place
    return can_move(game, player, place, int(game.after_guests))


# -- who is asked, and when --------------------------------------------------------------------------------------------


@extension(otherwise=False)
def ask_at_start_of_role(game: GameRecord) -> bool:
    """Ask every player who can move a guest, the picker first. Returns whether there is one."""
    return _ask_first_of(game, game.picker, game.players, START_OF_ROLE)


@extension()
def ask_before_decision(game: GameRecord) -> None:
    """Ask before a player's own decision, unless they were just asked."""
    if game.guests_asked == 0 and game.phase in _BEFORE_DECISIONS:
        _ask_first_of(game, game.player, 1, int(game.phase))


@extension(otherwise=False)
def ask_before_storing(game: GameRecord) -> bool:
    """Ask before the player stores."""
    return _ask_first_of(game, game.player, 1, STORE_PHASE)


@extension(otherwise=False)
def ask_at_end_of_game(game: GameRecord, all_but_last: bool) -> bool:
    """If this was the last decision of the game, ask every player, or all but the one who made it."""
    if not is_last_phase(game):
        return False
    seats = game.players - 1 if all_but_last else game.players
    if not _ask_first_of(game, _first_asked(game), seats, GAME_OVER):
        return False
    game.guests_asked = all_but_last
    return True


@compiled
def _first_asked(game: GameRecord) -> int:
    """The picker; but at the end of the pirate's phase, in which nobody else decides, the picker comes last."""
    if game.after_guests != START_OF_ROLE and game.role == PIRATE:
        return left_of(game, game.picker)
    return game.picker


@compiled
def ask_next(game: GameRecord) -> bool:
    """If everybody is asked: ask the next player who can move a guest. Returns whether there is one."""
    if game.after_guests not in _TO_EVERYBODY:
        return False
    following = left_of(game, game.player)
    seats = (_first_asked(game) - following) % game.players
    if game.after_guests == GAME_OVER:
        seats -= game.guests_asked  # the last one is left out
    return _ask_first_of(game, following, seats, int(game.after_guests))


@compiled
def _ask_first_of(game: GameRecord, first: int, seats: int, moment: int) -> bool:
    """Ask the first of these players, clockwise, who can move a guest."""
    player = first
    for _ in range(seats):
        if can_move(game, player, 0, moment):
            game.player = player
            game.phase = GUEST_PHASE
            game.after_guests = moment
            game.guest_from = 0
            return True
        player = left_of(game, player)
    return False


@compiled
def close(game: GameRecord) -> None:
    """Everybody who must be asked has been asked. The picker is not asked again before their first decision."""
    if game.after_guests == START_OF_ROLE:
        game.player = game.picker
    game.after_guests = NOTHING_TO_RESUME
    game.guest_from = 0
    game.guests_asked = 1
