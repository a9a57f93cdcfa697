"""Described positions of an adventure, played by naming actions, with scripted cards and events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.adventure.cards import AdventureCards
from pr_env.port_royal.read_position import read_position
from pr_env.port_royal.state import NOTHING, QUESTIONS
from tests.port_royal import plain


class AdventureTable:
    """A position of a chapter.

    Args:
        position: As for `PortRoyal.from_dict`; by default it is seat 0's turn, in phase 1.
        cards: Cards to be turned up first if the draw is forced.
        options: Options of the game.
    """

    def __init__(self, position: dict[str, Any], cards: Sequence[str] = (), **options: Any) -> None:
        self.game = PortRoyal(**{"deck": "adventure", "players": len(position.get("seats", "ab")), **options})
        assert isinstance(self.game.cards, AdventureCards)
        self.cards = self.game.cards
        self.names = [card.name for card in self.cards.kinds]
        self.tables: Any = plain.Light(self.game.tables)
        self.record: Any = plain.Light(read_position({"drawn": 1, **position}, self.game))
        self._coming: list[str] = []
        self._events: list[str] = []
        with self._scripted(cards, ()):
            plain.rules.refresh(self.record, self.tables)
        self._check()

    @contextmanager
    def _scripted(self, cards: Sequence[str], events: Sequence[str]) -> Iterator[None]:
        coming = [next(kind for kind, name in enumerate(self.names) if name.startswith(card)) for card in cards]
        names = [event.name for event in self.cards.events]
        waiting = list(events)
        draw, event = plain.piles._draw_unseen, plain.events._draw_event

        def draw_unseen(game: Any, size: int) -> int:
            if not coming:
                return int(draw(game, size))
            kind = coming.pop(0)
            assert game.unseen[kind] > 0, f"{self.names[kind]} cannot be turned up"
            game.unseen[kind] -= 1
            return kind

        def draw_event(game: Any, tables: Any) -> int:
            return names.index(waiting.pop(0)) if waiting else int(event(game, tables))

        plain.piles._draw_unseen, plain.events._draw_event = draw_unseen, draw_event  # type: ignore[attr-defined]
        try:
            yield
        finally:
            plain.piles._draw_unseen, plain.events._draw_event = draw, event  # type: ignore[attr-defined]
        assert not coming, f"not turned up: {[self.names[kind] for kind in coming]}"

    def play(self, *name: str | int, cards: Sequence[str] = (), events: Sequence[str] = ()) -> AdventureTable:
        """Play one action; these cards are turned up next, and these events revealed."""
        action = self.number(*name)
        assert self.record.legal[action], f"{name} is not legal, {sorted(self.legal, key=str)} are"
        with self._scripted(cards, events):
            plain.rules.step(self.record, self.tables, action)
        self._check()
        return self

    def number(self, *name: str | int) -> int:
        """The number of an action; a mission's is that of its slot."""
        if name[0] == "complete":
            name = ("complete", self.missions.index(str(name[1])) + 1)
        return self.game.action_number(*name)

    def _check(self) -> None:
        problems = self.game.problems(self.record.flush())
        assert problems == [], problems

    @property
    def missions(self) -> list[str]:
        """Names of the missions laid out."""
        return [self.cards.missions[mission].name for mission in self.record.mission if mission != NOTHING]

    @property
    def legal(self) -> set[tuple[str | int, ...]]:
        """Names of the legal actions."""
        return {action.name for action in self.game.actions if self.record.legal[action.number]}

    def may(self, *name: str | int) -> bool:
        """Whether an action is offered."""
        return bool(self.record.legal[self.number(*name)])

    @property
    def asked(self) -> tuple[str, int]:
        """The kind of decision, and the seat to decide."""
        return QUESTIONS[self.record.question], int(self.record.player)

    def seat(self, seat: int) -> dict[str, Any]:
        """A seat as in a description."""
        seats: list[dict[str, Any]] = self.game.to_dict(self.record.flush()[0])["seats"]
        return seats[seat]

    def coins(self, seat: int = 0) -> int:
        """Coins of a player."""
        return int(self.record.purse[seat])

    def uncovered(self, seat: int = 0) -> int:
        """Fields that a player's character has uncovered."""
        return int(self.record.uncovered[seat])

    def discarded(self, name: str) -> int:
        """Copies of a kind in the discard pile."""
        return int(self.record.discard[self.names.index(name)])

    @property
    def event(self) -> str | None:
        """The event of the turn."""
        return None if self.record.event == NOTHING else self.cards.events[self.record.event].name

    @property
    def final(self) -> Any:
        """The result as if the game ended now."""
        finals = np.zeros(1, self.game.final)
        plain.rules.write_final(self.record, self.tables, finals[0])
        return finals[0]
