"""The harbour: persons by kind and at most one ship of each colour."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.piles import discard
from pr_env.port_royal.state import NOTHING
from pr_env.rules import Record


@compiled
def count_ships(game: Record) -> int:
    """Ships in the harbour; since none has the colour of another, this is the number of colours."""
    ships = 0
    for colour in range(game.harbour_ship.shape[0]):
        if game.harbour_ship[colour] != NOTHING:
            ships += 1
    return ships


@compiled
def count_cards(game: Record) -> int:
    """Cards in the harbour. Taxes and expeditions never count."""
    return int(game.harbour_persons) + count_ships(game)


@compiled
def clear(game: Record) -> None:
    """Put all cards of the harbour on the discard pile."""
    if game.harbour_persons > 0:
        for kind in range(game.harbour.shape[0]):
            game.discard[kind] += game.harbour[kind]
            game.harbour[kind] = 0
        game.discards += game.harbour_persons
        game.harbour_persons = 0
    for colour in range(game.harbour_ship.shape[0]):
        if game.harbour_ship[colour] != NOTHING:
            discard(game, int(game.harbour_ship[colour]))
            game.harbour_ship[colour] = NOTHING
