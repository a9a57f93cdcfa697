"""Exact probabilities for tiny decks: every order of concrete cards, with draws, coins, fees and reshuffles.

A script is a list of operations:

- ``("draw",)``: the top card is turned up and goes to the discard pile.
- ``("gain", p)``: the top card becomes a coin of player p, face down.
- ``("spend", p)``: a coin of player p is turned up and goes to the discard pile.
- ``("hand", p, q)``: player p hands a coin to player q, face down.
- ``("lay",)``: the top card goes to the time deck, face down; before the first reshuffle only.
- ``("time",)``: the top card of the time deck is turned up and goes to the discard pile.

When a card is needed and the deck is empty, the discard pile is shuffled into a new deck. Coins of the oldest shuffle
are spent and handed over first; within one shuffle the earliest goes first, which makes no difference because nobody
knows them. An operation without a card does nothing.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import NamedTuple

Operation = tuple[str | int, ...]
Faces = tuple[str, ...]
Coin = tuple[int, str]  # the shuffle it comes from, and its face


class Table(NamedTuple):
    """The location of every card."""

    deck: Faces  # the top first
    discard: Faces
    coins: tuple[tuple[Coin, ...], ...]  # by player, in the order of arrival
    shuffles: int
    time: Faces = ()


def orders(cards: Sequence[str]) -> Iterator[tuple[Faces, Fraction]]:
    """Every order of concrete cards with its probability; equal cards count as different."""
    chance = Fraction(1, factorial(len(cards)))
    counts: dict[Faces, int] = defaultdict(int)
    for order in permutations(cards):
        counts[order] += 1
    for order, count in counts.items():
        yield order, count * chance


def with_a_deck(table: Table) -> Iterator[tuple[Table, Fraction]]:
    """The table after the shuffle that an empty deck requires."""
    if table.deck or not table.discard:
        yield table, Fraction(1)
        return
    for order, chance in orders(table.discard):
        yield table._replace(deck=order, discard=(), shuffles=table.shuffles + 1), chance


def with_coins(table: Table, player: int, coins: tuple[Coin, ...]) -> Table:
    """The table with other coins in front of a player."""
    return table._replace(coins=(*table.coins[:player], coins, *table.coins[player + 1 :]))


def without_oldest_coin(table: Table, player: int) -> tuple[Table, Coin]:
    """Take the oldest coin from a player."""
    coins = table.coins[player]
    oldest = coins.index(min(coins, key=lambda coin: coin[0]))
    return with_coins(table, player, coins[:oldest] + coins[oldest + 1 :]), coins[oldest]


def outcomes(table: Table, operation: Operation) -> Iterator[tuple[Table, Faces, Fraction]]:
    """The possible results of an operation: the table, the faces turned up, the probability."""
    name, *players = operation
    seats = [int(player) for player in players]
    if name in ("draw", "gain", "lay"):
        for ready, chance in with_a_deck(table):
            if not ready.deck:
                yield ready, (), chance
                continue
            face, rest = ready.deck[0], ready._replace(deck=ready.deck[1:])
            if name == "draw":
                yield rest._replace(discard=(*rest.discard, face)), (face,), chance
            elif name == "lay":
                yield rest._replace(time=(*rest.time, face)), (), chance
            else:
                yield with_coins(rest, seats[0], (*rest.coins[seats[0]], (rest.shuffles, face))), (), chance
    elif name in ("spend", "hand"):
        if not table.coins[seats[0]]:
            yield table, (), Fraction(1)
            return
        rest, coin = without_oldest_coin(table, seats[0])
        if name == "spend":
            yield rest._replace(discard=(*rest.discard, coin[1])), (coin[1],), Fraction(1)
        else:
            yield with_coins(rest, seats[1], (*rest.coins[seats[1]], coin)), (), Fraction(1)
    elif name == "time":
        if table.time:
            face, left = table.time[0], table.time[1:]
            yield table._replace(time=left, discard=(*table.discard, face)), (face,), Fraction(1)
        else:
            yield table, (), Fraction(1)
    else:
        raise ValueError(f"An operation must be draw, gain, spend, hand, lay or time, got {name!r}.")


def distribution(cards: Sequence[str], script: Sequence[Operation], players: int = 2) -> dict[Faces, Fraction]:
    """The probability of every sequence of faces that a script can turn up.

    Args:
        cards: The faces of the cards of the first deck.
        script: The operations.
        players: The number of players with coins.
    """
    start = Table(deck=(), discard=tuple(cards), coins=((),) * players, shuffles=0)
    chances: dict[tuple[Table, Faces], Fraction] = {(table, ()): chance for table, chance in with_a_deck(start)}
    for operation in script:
        after: dict[tuple[Table, Faces], Fraction] = defaultdict(Fraction)
        for (table, seen), chance in chances.items():
            for next_table, faces, share in outcomes(table, operation):
                after[next_table, seen + faces] += chance * share
        chances = after
    total: dict[Faces, Fraction] = defaultdict(Fraction)
    for (_, seen), chance in chances.items():
        total[seen] += chance
    return dict(total)
