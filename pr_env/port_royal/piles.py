"""Deck, coins and discard pile: unseen cards have no face until they are turned up.

Cards that were shuffled together form an *epoch*: the first deck is one, and every reshuffle of the discard pile begins
the next. All that anybody can know about the unseen cards of an epoch (in the deck, in coin piles, in the time and
score deck) is which faces they have in total; each card is equally likely to have each of these faces. So the record
holds

- ``unseen``: the faces of the current epoch by kind, and ``deck``: how many of its cards are still in the deck;
- ``closed``: the faces of the cards of earlier epochs, sorted by epoch and within an epoch by kind: these cards are
  coins (or, in the oldest epoch of a cooperative game, in the time and score deck);
- ``coins[seat, epoch]``: the number of a player's coins from each epoch.

A face is drawn only when a card is turned up. A copy of a record with a new generator state is therefore a fair sample
of the future for every player.
"""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled, inlined
from pr_env.port_royal.extension import with_adventure, with_time_deck
from pr_env.port_royal.state import NOTHING, NUM_EPOCHS
from pr_env.port_royal.tables import MAX_PLAYERS
from pr_env.randomness import next_state, random_below
from pr_env.rules import Record

_BLOCK = 8  # kinds that are summed together


@compiled
def cards_to_draw(game: Record) -> int:
    """Cards in the deck, and in the discard pile, which would become the next deck."""
    return int(game.deck) + int(game.discards)


@with_time_deck(0)
def _time_and_score(game: Record) -> int:
    return int(game.time) + int(game.score)


@compiled
def cards_of_epoch(game: Record, epoch: int) -> int:
    """Unseen cards of an epoch, wherever they are."""
    count = 0
    for seat in range(MAX_PLAYERS):  # unused seats have none
        count += int(game.coins[seat, epoch])
    if epoch == game.epoch:
        count += int(game.deck) - seen_on_top(game)
    if epoch == 0:
        count += _time_and_score(game)
    return count


# -- cards that leave the deck -------------------------------------------------------------------------------------


@inlined
def turn_up(game: Record) -> int:
    """Turn up the top card of the deck (there is one, or a discard pile) and return its kind."""
    if game.deck == 0:
        reshuffle(game)
    if seen_on_top(game) == 1:
        return _take_top(game)
    size = cards_of_epoch(game, int(game.epoch))
    game.deck -= 1
    return _draw_unseen(game, size)


@with_time_deck(0)
def turn_up_time_card(game: Record) -> int:
    """Turn up the top card of the time deck (there is one) and return its kind."""
    kind = _draw_face(game, 0)
    game.time -= 1
    _forget_if_empty(game, 0)
    return kind


@compiled
def gain_coins(game: Record, seat: int, count: int) -> int:
    """A player draws coins; if the cards run out, the rest is lost (R4). Returns the number of coins drawn."""
    gained = 0
    while gained < count and cards_to_draw(game) > 0:
        if game.deck == 0:
            reshuffle(game)
        forget_top(game)
        drawn = min(count - gained, int(game.deck))
        game.deck -= drawn
        game.coins[seat, game.epoch] += drawn
        gained += drawn
    game.purse[seat] += gained
    return gained


# -- a card that a lookout put back: it is in the deck, but its face is not among the unseen ones ----------------------


@with_adventure(0)
def seen_on_top(game: Record) -> int:
    """1 if somebody has seen the top card of the deck."""
    return int(game.top != NOTHING)


@with_adventure(NOTHING)
def _take_top(game: Record) -> int:
    kind = int(game.top)
    game.deck -= 1
    game.top = NOTHING
    game.top_owner = 0
    return kind


@with_adventure()
def forget_top(game: Record) -> None:
    """The seen top card becomes a coin, and so an ordinary unseen card."""
    if game.top != NOTHING:
        game.unseen[game.top] += 1
        game.top = NOTHING
        game.top_owner = 0


@compiled
def reshuffle(game: Record) -> None:
    """The discard pile becomes the deck and a new epoch; the faces left from the old epoch are those of its coins."""
    if cards_of_epoch(game, int(game.epoch)) > 0:
        _close_epoch(game)
    for kind in range(game.unseen.shape[0]):
        game.unseen[kind] = game.discard[kind]
        game.discard[kind] = 0
    game.deck = game.discards
    game.discards = 0


@compiled
def _close_epoch(game: Record) -> None:
    if game.epoch == NUM_EPOCHS - 1:
        _merge_oldest(game)
    place = section(game, int(game.epoch))
    for kind in range(game.unseen.shape[0]):
        for _ in range(game.unseen[kind]):
            game.closed[place] = kind
            place += 1
    game.epoch += 1


@compiled
def _merge_oldest(game: Record) -> None:
    """No slot is left: merge the two oldest epochs. From here on, the model is an approximation."""
    end = section(game, 2)
    for place in range(1, end):  # sort their faces together
        kind = game.closed[place]
        before = place - 1
        while before >= 0 and game.closed[before] > kind:
            game.closed[before + 1] = game.closed[before]
            before -= 1
        game.closed[before + 1] = kind
    for seat in range(game.players):
        game.coins[seat, 1] += game.coins[seat, 0]
    _remove_slot(game, 0)
    game.merged += 1


# -- coins that are spent or handed over ---------------------------------------------------------------------------


@compiled
def spend_coins(game: Record, seat: int, count: int) -> None:
    """A player puts coins face up on the discard pile, oldest first (R3)."""
    for _ in range(count):
        epoch = _oldest(game, seat)
        kind = _draw_face(game, epoch)
        game.coins[seat, epoch] -= 1
        _forget_if_empty(game, epoch)
        game.discard[kind] += 1
        game.discards += 1
    game.purse[seat] -= count


@compiled
def hand_coins(game: Record, giver: int, taker: int, count: int) -> None:
    """A player hands coins to another player, unseen, oldest first."""
    for _ in range(count):
        epoch = _oldest(game, giver)
        game.coins[giver, epoch] -= 1
        game.coins[taker, epoch] += 1
    game.purse[giver] -= count
    game.purse[taker] += count


@compiled
def discard(game: Record, kind: int) -> None:
    """Put a card face up on the discard pile."""
    game.discard[kind] += 1
    game.discards += 1


@compiled
def _oldest(game: Record, seat: int) -> int:
    epoch = 0
    while game.coins[seat, epoch] == 0:
        epoch += 1
    return epoch


# -- faces -----------------------------------------------------------------------------------------------------------


@compiled
def _draw_face(game: Record, epoch: int) -> int:
    """Draw the face of an unseen card of an epoch from the faces that are left."""
    size = cards_of_epoch(game, epoch)
    if epoch == game.epoch:
        return _draw_unseen(game, size)
    game.rng = next_state(game.rng)
    place = section(game, epoch) + random_below(game.rng, size)
    kind = int(game.closed[place])
    rest = game.closed[place : section(game, int(game.epoch))]  # a slice, so that the compiler moves it as a whole
    for later in range(rest.shape[0] - 1):
        rest[later] = rest[later + 1]
    rest[rest.shape[0] - 1] = 0
    return kind


@compiled
def _draw_unseen(game: Record, size: int) -> int:
    game.rng = next_state(game.rng)
    nth = np.int64(random_below(game.rng, size))  # signed, as it is compared with signed sums
    # First find the block of eight kinds, then the kind. Both loops always run to the end: where they could stop is
    # random, and a branch misprediction costs more than the rest of the loop.
    kinds = game.unseen.shape[0]
    first = before = up_to = 0
    for block in range(kinds // _BLOCK):
        for place in range(_BLOCK):
            up_to += int(game.unseen[_BLOCK * block + place])
        if up_to <= nth:
            first += _BLOCK
            before = up_to
    kind = first
    for place in range(_BLOCK):
        before += int(game.unseen[min(first + place, kinds - 1)])
        if before <= nth:
            kind += 1
    game.unseen[kind] -= 1
    return kind


@compiled
def section(game: Record, epoch: int) -> int:
    """The index at which the faces of an epoch begin in ``closed``."""
    begin = 0
    for earlier in range(epoch):
        begin += cards_of_epoch(game, earlier)
    return begin


@compiled
def _forget_if_empty(game: Record, epoch: int) -> None:
    """Remove an earlier epoch without cards, and free its slot."""
    if epoch < game.epoch and cards_of_epoch(game, epoch) == 0:
        _remove_slot(game, epoch)


@compiled
def _remove_slot(game: Record, epoch: int) -> None:
    for later in range(epoch, int(game.epoch)):
        for seat in range(game.players):
            game.coins[seat, later] = game.coins[seat, later + 1]
    for seat in range(game.players):
        game.coins[seat, game.epoch] = 0
    game.epoch -= 1
