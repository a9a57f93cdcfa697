"""Parts of a turn in the engine, enumerated with and without the sleep set.

``python -m tests.port_royal.parts 1500`` compares this many and prints how many outcomes are offered more than once.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP
from pr_env.port_royal.state import CONTRACTS_DONE, GAME_OVER
from tests.port_royal import plain
from tests.port_royal.configurations import EVERYTHING
from tests.port_royal.table import Seat, Table

CONFIGURATIONS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 2, "deck": "set_sail"},
    {"players": 3, "add": ("contract_cards",)},
    {"players": 3, "add": EVERYTHING},
    {"players": 1, "add": EVERYTHING, "mode": "cooperative"},
    {"players": 3, "add": EVERYTHING, "mode": "cooperative"},
]
MOST_SEQUENCES = 400  # parts with more are skipped


def rich_part(options: dict[str, Any], seed: int) -> Table:
    """A player with many persons and coins, and a full harbour: the end of its phase 1, or its part in another turn."""
    chance = random.Random(seed)
    game = PortRoyal(**options)

    def cards(kind: int) -> list[str]:
        names = [card.name for card in game.cards.of(kind) for _ in range(card.copies) if card.min_players == 0]
        chance.shuffle(names)
        return names

    persons, ships, expeditions = cards(PERSON), cards(SHIP), cards(EXPEDITION)
    of_colours = list({name.split("_")[0]: name for name in ships}.values())
    owned, lying = chance.randint(3, 9), chance.randint(1, 3)
    harbour = persons[owned : owned + lying] + of_colours[: chance.randint(1, 4)]
    seats = [Seat() for _ in range(game.players)]
    rich = chance.randrange(min(2, game.players))
    seats[rich] = Seat(*persons[:owned], coins=chance.randint(0, 15))
    contracts = chance.sample([contract.name for contract in game.cards.contracts], k=min(3, len(game.cards.contracts)))
    options = {name: value for name, value in options.items() if name != "players"}
    table = Table(
        *seats, harbour=harbour, expeditions=expeditions[: chance.randint(0, 2)], contracts=contracts, **options
    )
    if rich:
        table.play("stop").play("done")
    return table


@contextmanager
def stopping_after_the_part(asleep: bool) -> Iterator[None]:
    """End the game at the end of a player's part, and optionally disable the sleep set."""
    end_part, offer = plain.takes.end_part, plain.legal._offer

    def stop(record: Any) -> int:
        record.question = GAME_OVER
        return int(plain.stages.ASK)

    setattr(plain.takes, "end_part", stop)  # noqa: B010 (mypy does not let modules be assigned to)
    if not asleep:
        setattr(plain.legal, "_offer", plain.legal._allow)  # noqa: B010
    try:
        yield
    finally:
        setattr(plain.takes, "end_part", end_part)  # noqa: B010
        setattr(plain.legal, "_offer", offer)  # noqa: B010


def outcome(record: Any) -> object:
    """A position without the faces of spent coins; all wins of a team are equal, since the first ends the game."""
    if record.ending == CONTRACTS_DONE:
        return "won"
    told = [int(record.deck) + int(record.discards), int(record.end_flag)]
    for name in ("purse", "display", "expedition", "harbour", "harbour_ship", "under", "cube", "kept"):
        if name in record.dtype.names:
            told += getattr(record, name).ravel().tolist()
    return tuple(told)


def explore(record: Any, tables: Any, unwanted: set[int], reached: list[object]) -> bool:
    """Collect the outcomes of all sequences of actions; returns whether there were not too many."""
    if record.question == GAME_OVER:
        reached.append(outcome(record))
        return len(reached) <= MOST_SEQUENCES
    for action in np.flatnonzero(record.legal):
        if int(action) not in unwanted:
            twin = record.copy()
            plain.rules.step(twin, tables, int(action))
            if not explore(twin, tables, unwanted, reached):
                return False
    return True


class Compared(NamedTuple):
    """The result of enumerating a part."""

    outcomes: int
    offered: int  # sequences with the sleep set
    possible: int  # without it
    lost: set[object]


def compare(table: Table) -> Compared | None:
    """Enumerate a part with and without the sleep set; None if it is too large."""
    unwanted = {table.number("draw")}
    if table.record.dtype.names and "draws_left" in table.record.dtype.names:
        unwanted.add(table.number("use_gambler"))
    found: dict[bool, list[object]] = {}
    for asleep in (False, True):
        found[asleep] = []
        with stopping_after_the_part(asleep):
            if not explore(table.record.copy(), table.tables, unwanted, found[asleep]):
                return None
    assert set(found[True]) <= set(found[False])
    lost = set(found[False]) - set(found[True])
    return Compared(len(set(found[True])), len(found[True]), len(found[False]), lost)


def compare_many(options: dict[str, Any], parts: int) -> tuple[int, Compared]:
    """The sums over a number of parts, and the number of parts that were small enough."""
    done = [found for seed in range(parts) if (found := compare(rich_part(options, seed))) is not None]
    lost: set[object] = set().union(*(found.lost for found in done))
    outcomes = sum(found.outcomes for found in done)
    return len(done), Compared(
        outcomes, sum(found.offered for found in done), sum(found.possible for found in done), lost
    )


def main() -> None:
    """Run the command line."""
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for options in CONFIGURATIONS:
        done, found = compare_many(options, parts // len(CONFIGURATIONS))
        again = found.offered - found.outcomes
        print(
            f"{options}: {done} parts, {found.outcomes} outcomes, {len(found.lost)} lost; {found.offered} sequences "
            f"offered ({again} repeat an outcome, {again / found.offered:.1%}), {found.possible} without the sleep set"
        )


if __name__ == "__main__":
    main()
