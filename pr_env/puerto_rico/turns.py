"""The frame of the game: whose turn it is, the end of a phase, of a round and of the game."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.state import GAME_OVER, PICK_ROLE, ROUNDS_OVER
from pr_env.puerto_rico.tables import NO_ONE, NO_ROLE, PICKS_A_ROUND, ROLE_CARDS


@compiled
def left_of(game: GameRecord, player: int) -> int:
    """The next seat clockwise."""
    following = player + 1
    return 0 if following == game.players else following


@compiled
def pass_turn(game: GameRecord) -> bool:
    """Hand the turn to the left. False when it is back at the picker: everyone has had theirs."""
    game.player = left_of(game, game.player)
    return game.player != game.picker


@compiled
def may_pick(game: GameRecord, role: int) -> bool:
    """Whether the role card is in the game and nobody has taken it in this round."""
    return role < ROLE_CARDS[game.players] and game.role_taken_by[role] == NO_ONE


@compiled
def take_role_card(game: GameRecord, role: int) -> None:
    """The player takes the card and the doubloons lying on it."""
    game.picker = game.player
    game.role = role
    game.role_taken_by[role] = game.player
    game.doubloons[game.player] += game.role_doubloons[role]
    game.role_doubloons[role] = 0
    game.picks += 1


@compiled
def end_phase(game: GameRecord) -> None:
    """The role is played: the next player picks one, or the round ends."""
    game.role = NO_ROLE
    if game.picks == PICKS_A_ROUND[game.players]:
        _end_round(game)
    else:
        game.phase = PICK_ROLE
        game.picker = left_of(game, game.picker)
        game.player = game.picker


@compiled
def _end_round(game: GameRecord) -> None:
    """Doubloons on the cards left lying, all cards come back, the governor moves; or the game is over."""
    for role in range(ROLE_CARDS[game.players]):
        if game.role_taken_by[role] == NO_ONE:
            game.role_doubloons[role] += 1
        game.role_taken_by[role] = NO_ONE
    game.picks = 0
    if game.ending == 0 and game.round_number >= game.max_rounds:
        game.ending = ROUNDS_OVER
    if game.ending != 0:
        game.phase = GAME_OVER
        return
    game.round_number += 1
    game.governor = left_of(game, game.governor)
    game.phase = PICK_ROLE
    game.picker = game.governor
    game.player = game.governor
