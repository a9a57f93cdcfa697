"""The engine with scripted chance: it turns up given faces instead of random ones.

The rules run as plain Python (see plain.py), because functions in compiled rules cannot be replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pr_env.game import Action
from pr_env.port_royal import PortRoyal
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP, TAX, Card
from pr_env.port_royal.state import FIRST_COIN_SPACE, NOTHING, ON_TABLE, OWNED, PAY, QUESTIONS, TAKE
from pr_env.port_royal.tables import COLOURS
from tests.port_royal import plain
from tests.port_royal.plain import piles, setup


def recorded_name(card: Card) -> str:
    """The name of a kind of card in the recorded games."""
    if card.kind == PERSON:
        return ":".join(str(part) for part in (card.type, card.colour, card.cost, card.influence) if part != "")
    if card.kind == SHIP:
        sabres = card.sabres if card.repellable else "skull"
        crowns, item = getattr(card, "crowns", 0), getattr(card, "item", "")  # of ships of the adventure
        more = [f"crowns{crowns}"] if crowns else []
        more += [item] if item else []
        return ":".join([card.colour, str(card.coins), str(sabres), *(["+1"] if card.coins_other else []), *more])
    return card.type


def _replace(unseen: Any, face: Any, contracts: Any) -> None:
    """Replace the functions of chance."""
    setattr(piles, "_draw_unseen", unseen)  # noqa: B010 (mypy does not let modules be assigned to)
    setattr(piles, "_draw_face", face)  # noqa: B010
    setattr(setup, "_turn_up_contracts", contracts)  # noqa: B010


class Follower:
    """A game that follows given faces."""

    def __init__(self, config: dict[str, Any], contracts: list[str]) -> None:
        options = dict(config)
        options["deck"] = options.pop("game", "base")
        self.game = PortRoyal(**options)
        self.names = [recorded_name(card) for card in self.game.cards.kinds]
        self.contracts = contracts
        self.faces: list[str] = []
        self.record: Any = plain.Light(np.array(self.game.blank))
        self.tables: Any = plain.Light(self.game.tables)
        self.numbers = {tuple(self._name(one)): one.number for one in self.game.actions}

    def begin(self, faces: list[str]) -> None:
        """Set up the table with the given contracts, up to the first decision."""
        self.faces = list(faces)
        with self._scripted():
            plain.rules.set_up(self.record, self.tables, np.uint64(0))
        assert not self.faces, f"faces that were not turned up: {self.faces}"

    def step(self, action: list[Any], faces: list[str]) -> None:
        """Play an action that turns up these faces."""
        self.faces = list(faces)
        number = self.numbers[tuple(action)]
        assert self.record.legal[number] == 1, f"{action} is not legal"
        with self._scripted():
            plain.rules.step(self.record, self.tables, number)
        assert not self.faces, f"faces that were not turned up: {self.faces}"

    @contextmanager
    def _scripted(self) -> Iterator[None]:
        def unseen(game: Any, size: int) -> int:
            kind = self._next()
            assert int(game.unseen.sum()) == size
            assert game.unseen[kind] > 0, f"{self.names[kind]} cannot be turned up"
            game.unseen[kind] -= 1
            return kind

        def face(game: Any, epoch: int) -> int:
            if epoch == game.epoch:
                return unseen(game, piles.cards_of_epoch(game, epoch))
            kind, begin = self._next(), piles.section(game, epoch)
            places = [p for p in range(begin, begin + piles.cards_of_epoch(game, epoch)) if game.closed[p] == kind]
            assert places, f"{self.names[kind]} cannot be a coin of that epoch"
            end = piles.section(game, int(game.epoch))
            game.closed[places[0] : end - 1] = game.closed[places[0] + 1 : end].copy()
            game.closed[end - 1] = 0
            return kind

        def turn_up_contracts(game: Any, wanted: int) -> None:
            if "face_up" in game.dtype.names:
                assert len(self.contracts) == wanted
                for number, contract in enumerate(self.game.cards.contracts):
                    game.face_up[number] = contract.name in self.contracts

        before = piles._draw_unseen, piles._draw_face, setup._turn_up_contracts
        _replace(unseen, face, turn_up_contracts)
        try:
            yield
        finally:
            _replace(*before)

    def _next(self) -> int:
        assert self.faces, "one more face is turned up than expected"
        return self.names.index(self.faces.pop(0))

    def final(self) -> Any:
        """The result."""
        finals = np.zeros(1, self.game.final)
        plain.rules.write_final(self.record, self.tables, finals[0])
        return finals[0]

    # -- the format of the recorded games -----------------------------------------------------------------------------

    def legal(self) -> list[list[Any]]:
        """Names of the offered actions."""
        return [self._name(one) for one in self.game.actions if self.record.legal[one.number]]

    def asleep(self) -> list[list[Any]]:
        """Names of actions that are legal but not offered."""
        actions = self.game.actions[5:]
        return [self._name(one) for one, sleeps in zip(actions, self.record.asleep, strict=False) if sleeps]

    def _name(self, action: Action) -> list[Any]:
        """The name of an action in the recorded games."""
        if action.name[0] == "hire":
            card = next(card for card in self.game.cards.kinds if card.name == action.name[1])
            return ["hire", *(part for part in (card.type, card.colour, card.cost, card.influence) if part != "")]
        if action.name[0] == "give":
            return [f"give_{action.name[1]}"]
        return list(action.name)

    def state(self) -> dict[str, Any]:
        """The position in the format of the recorded games."""
        record, players = self.record, self.game.players
        first = len(self.game.cards.kinds) - len(self.game.cards.of(TAX)) - len(self.game.cards.of(EXPEDITION))
        harbour = Counter({self.names[kind]: int(n) for kind, n in enumerate(record.harbour) if n})
        harbour.update(self.names[kind] for kind in record.harbour_ship if kind != NOTHING)
        if "double_ship" in record.dtype.names:
            harbour.update(self.names[kind] for kind in record.double_ship if kind != NOTHING)
        told: dict[str, Any] = {
            "question": QUESTIONS[record.question].upper(),
            "player": int(record.player),
            "turn": int(record.turn),
            "active": int(record.active),
            "end_flag": bool(record.end_flag),
            "drawn": int(record.drawn),
            "deck": int(record.deck),
            "harbour": dict(harbour),
            "table": {self.names[first + x]: 1 for x, p in enumerate(record.expedition) if p == ON_TABLE},
            "coins": [int(n) for n in record.purse[:players]],
            "influence": [int(n) for n in record.influence[:players]],
            "sabres": [int(n) for n in record.sabres[:players]],
            "display": [
                {self.names[kind]: int(n) for kind, n in enumerate(record.display[seat]) if n}
                for seat in range(players)
            ],
            "discard": {self.names[kind]: int(n) for kind, n in enumerate(record.discard) if n},
            "expeditions": [
                {self.names[first + x]: 1 for x, place in enumerate(record.expedition) if place == OWNED + seat}
                for seat in range(players)
            ],
        }
        if record.question != PAY:  # for PAY the recorded games store the expedition elsewhere
            told["pending"] = None if record.pending == NOTHING else self.names[record.pending]
        if record.question == TAKE:
            told["takes"] = int(record.takes)
        has = record.dtype.names
        persons = len(self.game.cards.of(PERSON))
        if "under" in has:
            told["under"] = [
                {self.names[persons + ship]: int(n) for ship, n in enumerate(record.under[seat]) if n}
                for seat in range(players)
            ]
        if "draws_left" in has:
            told["gamblers_used"] = int(record.gamblers_used)
        together = "time" in has
        told |= {name: int(getattr(record, name)) if together else 0 for name in ("time", "score")}
        if "cube" in has:
            told["kept"] = [
                {self.names[record.kept[seat, c]]: 1 for c in range(len(COLOURS)) if record.kept[seat, c] != NOTHING}
                for seat in range(players)
            ]
            about = record.asked_about
            told["asked_contract"] = None if about == NOTHING else self.game.cards.contracts[about].name
            told["contracts"] = {
                contract.name: {
                    "finishers": [
                        seat
                        for _, seat in sorted(
                            (int(record.cube[seat, number]), seat)
                            for seat in range(players)
                            if record.cube[seat, number] >= FIRST_COIN_SPACE
                        )
                    ],
                    "progress": [int(place) % FIRST_COIN_SPACE for place in record.cube[:players, number]],
                }
                for number, contract in enumerate(self.game.cards.contracts)
                if record.face_up[number]
            }
        return told
