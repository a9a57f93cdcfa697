"""Lookouts: look at three cards, discard two, and put one back on top, which only the looker knows."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.names import LOOK_AT, LOOKOUT
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.people import count
from pr_env.port_royal.piles import (
    cards_to_draw,
    discard,
    forget_top,
    reshuffle,
    section,
    turn_up,
)
from pr_env.port_royal.stages import ASK, CARD_DONE
from pr_env.port_royal.state import LOOK, NOTHING
from pr_env.randomness import next_state, random_below
from pr_env.rules import Record


@compiled
def may_use(game: Record) -> bool:
    """Whether a lookout may be used: each once per turn, as long as there are cards (R56, R85)."""
    return game.lookouts_used < count(game, int(game.active), LOOKOUT) and cards_to_draw(game) > 0


@with_adventure(ASK)
def use(game: Record) -> int:
    """Look at the top three cards, or as many as there are."""
    game.lookouts_used += 1
    epochs = 0  # bits: cards from the epoch before this one
    for place in range(LOOK_AT):
        if cards_to_draw(game) > 0:
            if game.deck == 0:
                before = int(game.epoch)
                reshuffle(game)
                if game.epoch > before:  # when an epoch is used up, everybody knows its last cards
                    epochs = (1 << place) - 1
            game.look[place] = turn_up(game)
    game.look_old = epochs
    _sort(game)
    game.player = game.active
    game.question = LOOK
    return ASK


@compiled
def _sort(game: Record) -> None:
    """Sort the cards by kind; missing ones come last."""
    for end in range(LOOK_AT - 1, 0, -1):
        for place in range(end):
            first, second = int(game.look[place]), int(game.look[place + 1])
            first_old, second_old = (game.look_old >> place) & 1, (game.look_old >> (place + 1)) & 1
            if second != NOTHING and (first == NOTHING or (first, first_old) > (second, second_old)):
                game.look[place], game.look[place + 1] = second, first
                game.look_old &= ~(3 << place) & 0xFF
                game.look_old |= (second_old << place) | (first_old << (place + 1))


@compiled
def may_keep(game: Record, place: int) -> bool:
    """Whether a card may be kept: each face once, the first of equal ones."""
    if game.look[place] == NOTHING:
        return False
    for before in range(place):
        if game.look[before] == game.look[place]:
            return False
    return True


@compiled
def put_back(game: Record, place: int) -> int:
    """Put one card back on the deck and discard the others without effect. The card belongs to this epoch (R86)."""
    kept = int(game.look[place])
    for other in range(LOOK_AT):
        if other != place and game.look[other] != NOTHING:
            discard(game, int(game.look[other]))
        game.look[other] = NOTHING
    game.look_old = 0
    game.deck += 1
    game.top = kept
    game.top_owner = game.player
    return CARD_DONE


# -- what others do not know -------------------------------------------------------------------------------------------


@with_adventure(False)
def resample(game: Record, viewer: int) -> bool:
    """Redraw what a seat does not know: faces that another player is looking at, or has put back on the deck.

    Returns whether the legal actions may have changed.
    """
    if game.question == LOOK and viewer != game.player:
        _resample_look(game)
        return True
    if game.top != NOTHING and viewer != game.top_owner:
        owner = int(game.top_owner)
        forget_top(game)
        game.top = _draw(game, game.unseen)
        game.top_owner = owner
    return False


@compiled
def _resample_look(game: Record) -> None:
    """Draw faces from the unseen ones until there is a choice, since it is public that there is one."""
    cards = 0
    while cards < LOOK_AT and game.look[cards] != NOTHING:
        cards += 1
    from_old = 0
    for place in range(cards):
        from_old += (game.look_old >> place) & 1
    old = _faces_of_old_epoch(game, from_old)
    while True:
        for place in range(cards):
            if (game.look_old >> place) & 1:
                old[game.look[place]] += 1
            else:
                game.unseen[game.look[place]] += 1
        game.look_old = (1 << from_old) - 1
        for place in range(cards):
            game.look[place] = _draw(game, old) if place < from_old else _draw(game, game.unseen)
        if not _all_equal(game):
            break
    _write_old_epoch(game, old, from_old)
    _sort(game)


@compiled
def _faces_of_old_epoch(game: Record, from_old: int) -> np.ndarray:
    """Unseen faces by kind of the previous epoch, if some cards come from it."""
    faces = np.zeros(game.unseen.shape[0], np.uint8)
    if from_old > 0:
        begin = section(game, int(game.epoch) - 1)
        for place in range(begin, section(game, int(game.epoch))):
            faces[game.closed[place]] += 1
    return faces


@compiled
def _write_old_epoch(game: Record, faces: np.ndarray, from_old: int) -> None:
    if from_old > 0:
        place = section(game, int(game.epoch) - 1)
        for kind in range(faces.shape[0]):
            for _ in range(faces[kind]):
                game.closed[place] = kind
                place += 1


@compiled
def _draw(game: Record, faces: np.ndarray) -> int:
    """Take one of these faces, all equally likely."""
    size = 0
    for kind in range(faces.shape[0]):
        size += int(faces[kind])
    game.rng = next_state(game.rng)
    nth = np.int64(random_below(game.rng, size))
    kind = 0
    while nth >= faces[kind]:
        nth -= int(faces[kind])
        kind += 1
    faces[kind] -= 1
    return kind


@compiled
def _all_equal(game: Record) -> bool:
    for place in range(1, LOOK_AT):
        if game.look[place] != NOTHING and game.look[place] != game.look[0]:
            return False
    return True
