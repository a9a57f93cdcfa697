"""The sleep set of the adventure loses no outcome.

Parts of a turn, enumerated with it and without it, reach the same positions. The quick test covers small parts;
``python -m tests.port_royal.test_reference_adventure_sleep 20000`` covers this many.
"""

import json
import random
import sys
from typing import Any, TypeVar

import pytest

from .reference import Card, Kind
from .reference_adventure import AdventureGame

CONFIGS: list[dict[str, Any]] = [
    {"players": 2, "chapter": 5},
    {"players": 3, "chapter": 5, "jean_counts_for_missions": True},
    {"players": 1, "chapter": 5, "mode": "cooperative"},
    {"players": 2, "mode": "post_adventure"},
]


class RichGame(AdventureGame):
    """A game in which one player, the owner, has many cards."""

    owner = 0


class Part(RichGame):
    """A game that stops at the end of the owner's part."""

    def _begin_part(self, player: int) -> None:
        if player == self.owner:
            super()._begin_part(player)
        else:
            self.over = True

    def _clear_harbour(self) -> None:
        self.over = True


Rich = TypeVar("Rich", bound=RichGame)


def take_from_deck(game: AdventureGame, chooser: random.Random, *wanted: str) -> Kind | None:
    """Take a random card with a given category, type or item out of the deck."""
    faces = [card.face for card in game.deck if card.face is not None]
    cards = [face for face in faces if {face.category, face.type, face.item} & {*wanted}]
    if not cards:
        return None
    face = chooser.choice(cards)
    game.deck.remove(Card(game.epoch, face))
    game.unseen[game.epoch][face] -= 1
    return face


def rich_game(kind: type[Rich], config: dict[str, Any], seed: int) -> Rich:
    """A player with persons, items and coins before a full harbour: the end of its phase 1, or its part of phase 2."""
    chooser = random.Random(seed)
    game = kind(config, seed=seed)
    while game.question == "SIDE":
        game.step(chooser.choice(game.legal))
    game.owner = chooser.randrange(game.players)
    seat = game.seats[game.owner]

    def deal(pile: list[Kind], number: int, *wanted: str) -> None:
        pile += [card for _ in range(number) if (card := take_from_deck(game, chooser, *wanted))]

    kinds = game.mission_kinds.values()
    game.slots = chooser.sample([one for one in kinds if one.level < 4], chooser.randint(1, 3))
    game.slots.append(chooser.choice([one for one in kinds if one.level == 4]))
    game.finishers = {mission.id: [] for mission in game.slots}
    if game.players > 1:
        other = (game.owner + 1) % game.players
        for mission in game.slots:
            if chooser.random() < 1 / 3:
                game.finishers[mission.id].append(other)
                game.seats[other].completed.append(mission.id)
    seat.returned = chooser.choice([0, 0, 1, 2])
    seat.crowns = chooser.choice([0, 1, 2, 3, 5, 8, 14])
    deal(seat.display, chooser.randint(0, 4), "person")
    deal(seat.display, chooser.randint(0, 3), "captain", "priest", "settler", "ares_captain", "ares_priest", "sailor")
    deal(seat.display, chooser.choice([0, 0, 1, 2]), "innkeeper")
    deal(seat.display, chooser.choice([0, 0, 1, 2]), "governor")
    deal(seat.items, chooser.randint(0, 4), "book", "herbs", "bread", "rum")
    deal(game.harbour, chooser.randint(0, 2), "person")
    deal(game.harbour, chooser.randint(0, 1), "ares_captain", "innkeeper", "mademoiselle", "sailor", "trader")
    for wanted in chooser.choices(["ship", "book", "herbs", "bread", "rum"], k=chooser.randint(1, 4)):
        ship = take_from_deck(game, chooser, wanted)
        if ship:
            double = ship.colour in [card.colour for card in game.harbour if card.category == "ship"]
            (game.discard if double else game.harbour).append(ship)
    deal(game.table, chooser.randint(0, 2), "expedition")
    game._gain(game.owner, chooser.randint(0, 9))
    game.event = chooser.choice([event for event in game.event_kinds.values() if event.when == "phase_2"])
    game.drawn = 4
    game.agenda = []
    if game.owner == game.active:
        game._then(("_discover",))
    else:
        game._then(("_begin_part", game.owner), ("_clear_harbour",))
    game._run()
    game.check()
    return game


def outcome(game: AdventureGame) -> dict[str, Any]:
    """A position without the faces of spent coins and without data that is obsolete at the end of a part."""
    position = game.position()
    position["deck"] += sum(position.pop("discard").values())
    for name in ("question", "player", "legal", "asleep", "takes", "inns_used"):
        del position[name]
    return position


class TooManyPositionsError(Exception):
    """A part has too many positions for the test."""


def outcomes(part: Part, most: int) -> tuple[set[str], int]:
    """The outcomes of all sequences of actions to the end of the part, and the number of positions on the way."""
    reached: set[str] = set()
    met: set[str] = set()
    waiting = [part]
    while waiting:
        game = waiting.pop()
        if game.over:
            reached.add(json.dumps(outcome(game), sort_keys=True))
            continue
        position = game.position()
        del position["discard"], position["deck"]
        owed = (game.owed, game.ares_left) if game.question in ("PAY", "ITEM") else None
        key = json.dumps([position, owed, [task[0] for task in game.agenda]])
        if key in met:
            continue
        met.add(key)
        if len(met) > most:
            raise TooManyPositionsError
        for action in game.legal:
            if action not in (("draw",), ("use_lookout",)):
                twin = game.clone()
                twin.step(action)
                assert isinstance(twin, Part)
                waiting.append(twin)
    return reached, len(met)


def compare(part: Part, most: int = 4000) -> tuple[set[str], int, int]:
    """The outcomes that the sleep set loses, and the positions met without and with it."""
    awake = part.clone()
    awake.use_sleep = False
    assert isinstance(awake, Part)
    everything, all_met = outcomes(awake, most)
    offered, met = outcomes(part, most)
    assert offered <= everything
    return everything - offered, all_met, met


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_no_outcome_is_lost(config: dict[str, Any]) -> None:
    compared = fewer = 0
    for seed in range(20):
        try:
            lost, awake, offered = compare(rich_game(Part, config, seed), most=150)
        except TooManyPositionsError:
            continue
        assert not lost, seed
        compared += 1
        fewer += offered < awake
    assert compared >= 10
    assert fewer >= 3


def main() -> None:
    """Compare a number of parts and print lost outcomes."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    compared = losing = 0
    for seed in range(number):
        part = rich_game(Part, CONFIGS[seed % len(CONFIGS)], seed)
        try:
            lost, _, _ = compare(part)
        except TooManyPositionsError:
            continue
        compared += 1
        if lost:
            losing += 1
            print(f"{CONFIGS[seed % len(CONFIGS)]}, seed {seed}: {len(lost)} outcomes lost")
    print(f"{compared} of {number} parts compared; {losing} lose an outcome")


if __name__ == "__main__":
    main()
