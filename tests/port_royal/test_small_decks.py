"""The model of unseen cards is exact: enumerated tiny decks turn up the same faces with the same probabilities.

Compares every order of concrete cards (small_decks.py) with the engine's piles under every random number.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from pr_env.port_royal import PortRoyal
from tests.port_royal import plain
from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.small_decks import Faces, Operation, distribution

GAME = PortRoyal(players=2, add=CONTRACTS, mode="cooperative")  # the record of a team has a time deck, too
FACES = "abcdef"  # the first kinds of the record


class Branches:
    """Random numbers that take every value: an operation is repeated until all branches have been visited."""

    def __init__(self) -> None:
        self.chosen: list[int] = []
        self.limits: list[int] = []
        self.place = 0

    def below(self, state: object, limit: int) -> int:
        if self.place == len(self.chosen):
            self.chosen.append(0)
            self.limits.append(limit)
        self.place += 1
        return self.chosen[self.place - 1]

    def next(self) -> bool:
        """Go to the next branch; returns whether there is one."""
        while self.chosen and self.chosen[-1] == self.limits[-1] - 1:
            self.chosen.pop()
            self.limits.pop()
        if self.chosen:
            self.chosen[-1] += 1
        self.place = 0
        return bool(self.chosen)

    @property
    def chance(self) -> Fraction:
        chance = Fraction(1)
        for limit in self.limits:
            chance /= limit
        return chance


def small_table(cards: Sequence[str]) -> plain.Light:
    """A record whose deck has these cards and no others."""
    record = plain.Light(GAME.blank.copy())
    for face, count in Counter(cards).items():
        record.unseen[FACES.index(face)] = count
    record.deck = len(cards)
    return record


def operate(record: Any, operation: Operation) -> Faces:
    """Perform an operation; returns the faces that it turns up."""
    name, *players = operation
    seats = [int(player) for player in players]
    before = record.discard.copy()
    if name == "draw" and plain.piles.cards_to_draw(record):
        kind = plain.piles.turn_up(record)
        plain.piles.discard(record, kind)
        return (FACES[kind],)
    if name == "gain":
        plain.piles.gain_coins(record, seats[0], 1)
    elif name == "spend" and record.purse[seats[0]]:
        plain.piles.spend_coins(record, seats[0], 1)
        return tuple(FACES[kind] for kind in range(len(FACES)) if record.discard[kind] > before[kind])
    elif name == "hand" and record.purse[seats[0]]:
        plain.piles.hand_coins(record, seats[0], seats[1], 1)
    elif name == "lay" and record.deck:
        record.deck -= 1
        record.time += 1
    elif name == "time" and record.time:
        kind = plain.piles.turn_up_time_card(record)
        plain.piles.discard(record, kind)
        return (FACES[kind],)
    return ()


def engine_distribution(
    monkeypatch: pytest.MonkeyPatch, cards: Sequence[str], script: Sequence[Operation]
) -> dict[Faces, Fraction]:
    """The probability of every sequence of faces in the engine."""
    monkeypatch.setattr(plain.piles, "next_state", lambda state: state)
    chances: dict[tuple[bytes, Faces], Fraction] = {(small_table(cards).flush().tobytes(), ()): Fraction(1)}
    for operation in script:
        after: dict[tuple[bytes, Faces], Fraction] = defaultdict(Fraction)
        for (known, seen), chance in chances.items():
            branches, more = Branches(), True
            while more:
                games = GAME.blank.copy()
                games.view("u1")[:] = list(known)
                record = plain.Light(games)
                monkeypatch.setattr(plain.piles, "random_below", branches.below)
                faces = operate(record, operation)
                after[record.flush().tobytes(), seen + faces] += chance * branches.chance
                more = branches.next()
        chances = after
    total: dict[Faces, Fraction] = defaultdict(Fraction)
    for (_, seen), chance in chances.items():
        total[seen] += chance
    return dict(total)


SCRIPTS: dict[str, tuple[str, list[Operation]]] = {
    "coins are part of the pool": ("aabc", [("gain", 0), ("draw",), ("spend", 0), ("draw",)]),
    "an old coin is no card of the new deck": (
        "aabcd",
        [("gain", 0), ("draw",), ("draw",), ("draw",), ("draw",), ("draw",), ("spend", 0), ("draw",)],
    ),
    "a fee keeps its epoch": (
        "aabbc",
        [
            ("gain", 0),
            ("draw",),
            ("draw",),
            ("draw",),
            ("gain", 1),
            ("gain", 0),
            ("hand", 0, 1),
            ("spend", 1),
            ("draw",),
        ],
    ),
    "three epochs": (
        "abcd",
        [
            *(("gain", 0), ("draw",), ("draw",), ("draw",), ("gain", 1), ("draw",), ("draw",), ("draw",)),
            *(("spend", 0), ("spend", 1), ("draw",), ("draw",)),
        ],
    ),
    "a time card is of the first epoch": (
        "aabcd",
        [("lay",), ("gain", 0), ("draw",), ("draw",), ("draw",), ("draw",), ("time",), ("spend", 0), ("draw",)],
    ),
    "no cards are left": ("ab", [("gain", 0), ("gain", 1), ("draw",), ("gain", 0), ("spend", 1), ("draw",)]),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_small_deck_turns_up_the_same_faces_with_the_same_chances(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    cards, script = SCRIPTS[name]
    found = engine_distribution(monkeypatch, cards, script)
    assert sum(found.values()) == 1
    assert found == distribution(cards, script)


def random_script(chance: random.Random) -> list[Operation]:
    """Operations of all kinds."""
    script: list[Operation] = [("lay",)] * chance.randint(0, 2)
    for _ in range(chance.randint(6, 9)):
        seat = chance.randrange(2)
        choices: list[Operation] = [
            ("draw",),
            ("draw",),
            ("gain", seat),
            ("spend", seat),
            ("hand", seat, 1 - seat),
            ("time",),
        ]
        script.append(chance.choice(choices))
    return script


@pytest.mark.parametrize("seed", range(12))
def test_random_scripts_on_small_decks(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    cards = chance.choice(("aabc", "abc", "aabb", "aaabc", "abcd"))
    script = random_script(chance)
    assert engine_distribution(monkeypatch, cards, script) == distribution(cards, script)


def test_one_pool_for_all_epochs_would_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: if coins of an earlier epoch came from the current pool, the probabilities would differ."""

    def from_the_current_pool(record: Any, epoch: int) -> int:
        return int(plain.piles._draw_unseen(record, int(record.unseen.sum())))

    cards = "aabcd"
    script: list[Operation] = [("gain", 0), *[("draw",)] * 5, ("spend", 0)]
    monkeypatch.setattr(plain.piles, "_draw_face", from_the_current_pool)
    assert engine_distribution(monkeypatch, cards, script) != distribution(cards, script)
