"""Decisions that benefit the team: gifts, and time cards that become points."""

from __future__ import annotations

from agents.port_royal.contracts import finishers
from agents.port_royal.outlook import PlanRecord
from pr_env.port_royal.actions import give_at
from pr_env.port_royal.extension import with_gifts, with_time_deck
from pr_env.rules import Record


@with_gifts(-1)
def choose_receiver(game: Record) -> int:
    """Who gets the coin of a ship: the opponent with the least influence, or the teammate with the fewest coins."""
    best, choice = 1 << 30, -1
    for place in range(1, game.players):
        seat = (int(game.player) + place) % game.players
        standing = _rank(game, seat)
        if standing < best:
            best, choice = standing, give_at(game) + place - 1
    return choice


@with_time_deck(lambda game, seat: 1000 * int(game.influence[seat]) + int(game.purse[seat]))
def _rank(game: Record, seat: int) -> int:
    return int(game.purse[seat])


@with_time_deck(False)
def sets_aside(game: Record, plan: PlanRecord) -> bool:
    """Whether there is time to spare."""
    missing = 0
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1 and finishers(game, contract) == 0:
            missing += 1
    return bool(game.time > plan.turns_a_contract * missing)
