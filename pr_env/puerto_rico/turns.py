"""The course of the game: whose turn it is, and the end of a phase, a round and the game."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, num_roles, privilege, table_row
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import GAME_OVER, PICK_ROLE, ROUNDS_OVER
from pr_env.puerto_rico.tables import CARDS, GOVERNOR, GOVERNOR_ROW, NO_ONE, NO_ROLE, PICKS_A_ROUND


@compiled
def left_of(game: GameRecord, player: int) -> int:
    """The next seat clockwise."""
    following = player + 1
    return 0 if following == game.players else following


@compiled
def pass_turn(game: GameRecord) -> bool:
    """Pass the turn to the left. False when it is back at the picker, so everyone has had a turn."""
    game.player = left_of(game, game.player)
    return game.player != game.picker


@compiled
def may_pick(game: GameRecord, role: int) -> bool:
    """Whether the role card is in the game and nobody has taken it in this round."""
    return CARDS[table_row(game), role] and game.role_taken_by[role] == NO_ONE


@compiled
def take_role_card(game: GameRecord, card: int) -> None:
    """The player takes the card and the doubloons lying on it."""
    game.picker = game.player
    game.role = card
    game.role_taken_by[card] = game.player
    game.doubloons[game.player] += game.role_doubloons[card]
    game.role_doubloons[card] = 0
    game.picks += 1


@compiled
def game_ends(game: GameRecord) -> bool:
    """Whether this round is the last one: an end condition was met, or no more rounds are allowed."""
    return game.ending != 0 or game.round_number >= game.max_rounds


@compiled
def is_last_phase(game: GameRecord) -> bool:
    """Whether the role being played is the last one of the game."""
    return game.picks == PICKS_A_ROUND[table_row(game)] and game_ends(game)


@compiled
def end_phase(game: GameRecord) -> None:
    """The role is finished: the next player picks one, or the round ends."""
    _forget_privilege(game)
    game.role = NO_ROLE
    if game.picks == PICKS_A_ROUND[table_row(game)]:
        _end_round(game)
    else:
        game.phase = PICK_ROLE
        game.picker = left_of(game, game.picker)
        game.player = game.picker


@extension()
def _forget_privilege(game: GameRecord) -> None:
    """Clear the state of the privilege; a library that doubles one privilege per round has now done so."""
    if game.library_once and privilege(game, game.picker) == 2 and game.without_privilege == 0:
        game.library_used[game.picker] = 1
    game.without_privilege = 0
    game.privileges_used = 0
    game.privilege_from = 0


@compiled
def _end_round(game: GameRecord) -> None:
    """Put doubloons on the cards left, return all cards and move the governor, or end the game."""
    governor = _next_governor(game)
    for role in range(num_roles(game)):
        if may_pick(game, role):
            game.role_doubloons[role] += 1
        game.role_taken_by[role] = NO_ONE
    game.picks = 0
    if game_ends(game):
        if game.ending == 0:
            game.ending = ROUNDS_OVER
        game.phase = GAME_OVER
        return
    game.round_number += 1
    game.governor = governor
    game.phase = PICK_ROLE
    game.picker = governor
    game.player = governor
    _allow_libraries(game)


@compiled
def _left_of_governor(game: GameRecord) -> int:
    return left_of(game, game.governor)


@extension(otherwise=_left_of_governor)
def _next_governor(game: GameRecord) -> int:
    """The governor moves to the left; with a governor's card, only to the player who took it."""
    if game.row != GOVERNOR_ROW:
        return left_of(game, game.governor)
    if game.role_taken_by[GOVERNOR] == NO_ONE:
        return game.governor
    return 0 + game.role_taken_by[GOVERNOR]


@extension()
def _allow_libraries(game: GameRecord) -> None:
    for player in range(game.players):
        game.library_used[player] = 0
