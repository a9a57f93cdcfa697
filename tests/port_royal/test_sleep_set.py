"""The sleep set loses no outcome: parts of a turn, enumerated with it and without it, reach the same positions.

First in the engine, then in the reference.
"""

import json
import random
from typing import Any

import pytest

from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.parts import CONFIGURATIONS, compare_many
from tests.port_royal.table import Seat, Table

from .reference import Kind, ReferenceGame

EVERYTHING = {"add": ["gambler", "set_sail_20", "contract_cards", "contracts"]}
CONFIGS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, **EVERYTHING},
    {"players": 1, "mode": "cooperative", **EVERYTHING},
    {"players": 3, "mode": "cooperative", **EVERYTHING},
]


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_the_engine_loses_no_outcome_and_seldom_offers_one_twice(options: dict[str, Any]) -> None:
    parts, found = compare_many(options, 24)
    assert parts >= 20
    assert found.lost == set()
    assert found.offered < found.possible
    assert found.offered - found.outcomes <= 0.12 * found.offered


def test_a_take_wakes_when_it_could_not_have_come_first() -> None:
    rich = Seat("governor", "governor", coins=20)
    harbour = ["trader_blue_3_1", "clerk_blue", "blue_1_1", "sailor"]
    table = Table(rich, Seat(), harbour=harbour, add=("contract_cards",)).play("stop")
    table.play("hire", "clerk_blue")
    assert not table.may("hire", "trader_blue_3_1")  # it was skipped
    assert table.may("trade", "blue")  # the clerk gives one more take for it
    table.play("trade", "blue")
    assert table.may("hire", "trader_blue_3_1")  # before the trade it would have brought a coin
    assert not table.may("hire", "sailor")


def test_a_claim_wakes_when_a_person_is_hired_that_could_pay_for_it() -> None:
    for person, wakes in (("jack_of_all_trades", True), ("priest", True), ("captain", False), ("sailor", False)):
        seat = Seat("priest", "priest", coins=9)
        table = Table(seat, Seat(), harbour=[person, "governor"], expeditions=["two_priests"]).play("stop")
        assert not table.may("claim", "two_priests")
        table.play("hire", person)
        assert (table.question == "take" and table.may("claim", "two_priests")) is wakes


def test_a_winning_completion_is_not_offered_again_after_a_claim() -> None:
    """A claim first and then the win would be the same result: a team's points do not count influence or coins."""
    seat = Seat("priest", "priest", "sailor", "pirate", cubes={"jinx": "done", "galleon_foe": "done"})
    options: dict[str, Any] = {"add": CONTRACTS, "mode": "cooperative", "contracts": ["fighter", "jinx", "galleon_foe"]}
    table = Table(seat, expeditions=["two_priests"], score=4, **options)
    assert table.may("complete", "fighter")
    table.play("claim", "two_priests")
    assert not table.may("complete", "fighter")
    won = Table(seat, expeditions=["two_priests"], score=4, **options).play("complete", "fighter").final
    later = table.draw("captain").play("complete", "fighter").final
    for name in ("won", "title", "total", "win_share"):
        assert (won[name] == later[name]).all()


class Part(ReferenceGame):
    """A game that stops at the end of a player's part."""

    def _begin_part(self, player: int) -> None:
        if player == self.active:
            super()._begin_part(player)
        else:
            self.over = True

    def _clear_harbour(self) -> None:
        self.over = True


def take_from_deck(game: ReferenceGame, chooser: random.Random, wanted: str) -> Kind | None:
    """Take a random card of a category out of the deck."""
    cards = [card for card in game.deck if card.face is not None and card.face.category == wanted]
    if not cards:
        return None
    card = chooser.choice(cards)
    game.deck.remove(card)
    assert card.face is not None
    game.unseen[card.epoch][card.face] -= 1
    return card.face


def rich_part(config: dict[str, Any], seed: int) -> Part:
    """The end of phase 1 of a player with many persons and coins, and a full harbour."""
    chooser = random.Random(seed)
    game = Part(config, seed=seed)
    seat = game.seats[game.active]
    for _ in range(chooser.randint(3, 9)):
        person = take_from_deck(game, chooser, "person")
        if person:
            seat.display.append(person)
    for _ in range(chooser.randint(1, 3)):
        person = take_from_deck(game, chooser, "person")
        if person:
            game.harbour.append(person)
    for _ in range(chooser.randint(1, 4)):
        ship = take_from_deck(game, chooser, "ship")
        if ship and ship.colour not in [card.colour for card in game.harbour if card.category == "ship"]:
            game.harbour.append(ship)
        elif ship:
            game.discard.append(ship)
    for _ in range(chooser.randint(0, 2)):
        expedition = take_from_deck(game, chooser, "expedition")
        if expedition:
            game.table.append(expedition)
    game._gain(game.active, chooser.randint(0, 15))
    game.drawn = 4
    game.agenda = []
    game._then(("_discover",))
    game._run()
    game.check()
    return game


def outcome(game: ReferenceGame) -> str:
    """A position without the faces of spent coins; all wins of a team are equal, since the first ends the game."""
    if game.won:
        return "won"
    position = game.position()
    position["deck"] += sum(position.pop("discard").values())
    for key in ("question", "player", "legal", "asleep", "takes"):
        del position[key]
    return json.dumps(position, sort_keys=True)


class TooManySequencesError(Exception):
    """A part has too many sequences for the test."""


def explore(part: Part, reached: list[str], most: int) -> None:
    """Collect the outcomes of all sequences of actions to the end of the part."""
    if part.over:
        if len(reached) == most:
            raise TooManySequencesError
        reached.append(outcome(part))
        return
    for action in part.legal:
        if action not in (("draw",), ("use_gambler",)):
            twin = part.clone()
            twin.step(action)
            assert isinstance(twin, Part)
            explore(twin, reached, most)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_no_outcome_is_lost(config: dict[str, Any]) -> None:
    compared = fewer = 0
    for seed in range(40):
        part = rich_part(config, seed)
        awake = part.clone()
        assert isinstance(awake, Part)
        awake.use_sleep = False
        everything: list[str] = []
        offered: list[str] = []
        try:
            explore(awake, everything, most=300)
        except TooManySequencesError:
            continue
        explore(part, offered, most=300)
        assert set(offered) == set(everything), seed
        compared += 1
        fewer += len(offered) < len(everything)
    assert compared >= 10
    assert fewer >= 3
