"""What players do for their team, and for nobody else: gifts, and time cards that become points."""

from __future__ import annotations

from agents.port_royal.contracts import finishers
from pr_env.port_royal.actions import give_at
from pr_env.port_royal.extension import with_gifts, with_time_deck
from pr_env.rules import Record

TURNS_A_CONTRACT = 6  # time cards that the team keeps for each contract that is still to be completed


@with_gifts(-1)
def choose_receiver(game: Record) -> int:
    """Who gets the coin of a ship: the one with the least influence; of equals the one with fewer coins."""
    best, choice = 1 << 30, -1
    for place in range(1, game.players):
        seat = (int(game.player) + place) % game.players
        standing = 1000 * int(game.influence[seat]) + int(game.purse[seat])
        if standing < best:
            best, choice = standing, give_at(game) + place - 1
    return choice


@with_time_deck(False)
def sets_aside(game: Record) -> bool:
    """Whether time is left over."""
    missing = 0
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1 and finishers(game, contract) == 0:
            missing += 1
    return bool(game.time > TURNS_A_CONTRACT * missing)
