"""Cooperative and solo games: the time deck and the score deck."""

from __future__ import annotations

from pr_env.port_royal.extension import with_time_deck
from pr_env.port_royal.stages import ASK, CARD_DONE
from pr_env.port_royal.state import CONTRACTS_DONE, FIRST_COIN_SPACE, GAME_OVER, SET_ASIDE, TIME_OVER
from pr_env.rules import Record


@with_time_deck(False)
def first_card_is_time_card(game: Record) -> bool:
    """Whether the next card comes from the time deck, as the first card of every turn does."""
    return game.drawn == 0


@with_time_deck(False)
def time_is_over(game: Record) -> bool:
    """Whether the game is lost: at the start of a turn for which the time deck has no first card (R79)."""
    if game.time > 0:
        return False
    game.ending = TIME_OVER
    game.question = GAME_OVER
    return True


@with_time_deck(CARD_DONE)
def ask_to_set_aside(game: Record) -> int:
    """After a tax, the active player may move the top card of the time deck to the score deck."""
    if game.time == 0:
        return CARD_DONE
    game.question = SET_ASIDE
    game.player = game.active
    return ASK


@with_time_deck(CARD_DONE)
def set_aside(game: Record, accepted: bool) -> int:
    """The card stays unseen and never returns (R50)."""
    if accepted:
        game.time -= 1
        game.score += 1
    return CARD_DONE


@with_time_deck(False)
def all_completed(game: Record) -> bool:
    """Whether every face-up contract has been completed by at least one player, which wins the game at once."""
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1:
            completed = False
            for seat in range(game.players):
                completed = completed or game.cube[seat, contract] >= FIRST_COIN_SPACE
            if not completed:
                return False
    game.ending = CONTRACTS_DONE
    game.question = GAME_OVER
    return True
