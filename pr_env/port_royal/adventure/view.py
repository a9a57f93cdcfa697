"""An adventure as people see it: missions, events and characters by name, without what lookouts have seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pr_env.port_royal.adventure.cards import AdventureCards, Character, Event, Mission
from pr_env.port_royal.adventure.names import CUBES, ITEMS, TROPHY
from pr_env.port_royal.adventure.state import FIRST_FINISHER, NO_CUBE
from pr_env.port_royal.cards import Card
from pr_env.port_royal.state import NOTHING

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal


@dataclass(frozen=True)
class Task:
    """A mission that is laid out.

    Attributes:
        slot: Its slot, starting at 0.
        mission: The mission.
        progress: The progress space, starting at 1, of each player who has begun it.
        finished: The players who have completed it, in order.
    """

    slot: int
    mission: Mission
    progress: dict[int, int]
    finished: tuple[int, ...]


class AdventureView:
    """The adventure's part of the state of one game between two moves.

    Args:
        game: The game and its configuration.
        record: One record of it.
    """

    def __init__(self, game: PortRoyal, record: Any) -> None:
        assert isinstance(game.cards, AdventureCards)
        self.game, self.record = game, record
        self.cards: AdventureCards = game.cards
        self.tables: Any = game.tables[0]

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """Missions that are laid out."""
        return tuple(self._task(slot) for slot, mission in enumerate(self.record.mission) if mission != NOTHING)

    def _task(self, slot: int) -> Task:
        places = {seat: int(self.record.mission_place[seat, slot]) for seat in range(self.game.players)}
        done = sorted((place, seat) for seat, place in places.items() if place >= FIRST_FINISHER)
        return Task(
            slot,
            self.cards.missions[self.record.mission[slot]],
            {seat: place for seat, place in places.items() if NO_CUBE < place < FIRST_FINISHER},
            tuple(seat for _, seat in done),
        )

    @cached_property
    def asked_about(self) -> Task | None:
        """The mission being asked about or paid for."""
        for slot in (int(self.record.asked_about), int(self.record.completing)):
            if slot != NOTHING:
                return self.tasks[slot]
        return None

    @cached_property
    def event(self) -> Event | None:
        """The event of the turn."""
        return None if self.record.event == NOTHING else self.cards.events[self.record.event]

    def character(self, seat: int) -> Character | None:
        """The character that a player plays."""
        character = int(self.record.character[seat])
        return None if character == NOTHING else self.cards.characters[character]

    def sides(self, seat: int) -> tuple[Character, ...]:
        """The sides of the card dealt to a player."""
        return tuple(one for one in self.cards.characters if one.card == self.record.dealt[seat])

    def ability_works(self, seat: int) -> bool:
        """Whether a player's character has uncovered its ability."""
        return bool(self.record.uncovered[seat] > 0)

    def has_trophy(self, seat: int) -> bool:
        """Whether a player can win a competitive game."""
        return bool(self.record.uncovered[seat] >= TROPHY)

    def cubes_left(self, seat: int) -> int:
        """Cubes on a player's character."""
        begun = sum(seat in task.progress for task in self.tasks)
        return CUBES - int(self.record.uncovered[seat]) - begun

    def crowns(self, seat: int) -> int:
        """A player's crowns."""
        return int(self.record.crowns[seat])

    def items(self, seat: int) -> dict[Card, int]:
        """A player's kept ships."""
        ships = [card for card in self.cards.kinds if getattr(card, "item", "") in ITEMS]
        return {ship: int(count) for ship, count in zip(ships, self.record.items[seat], strict=True) if count}

    @cached_property
    def look(self) -> tuple[Card, ...]:
        """The cards that the player who is asked sees with a lookout."""
        return tuple(self.cards.kinds[kind] for kind in self.record.look if kind != NOTHING)

    @property
    def price(self) -> int:
        """Coins for returning a cube at the end of this month."""
        return int(self.record.cube_price)

    def sale(self, seat: int) -> int:
        """Coins that the next innkeeper pays."""
        prices = [
            int(price)
            for price, have, used in zip(
                self.tables.sell_price, self.record.display[seat], self.record.inn_used, strict=True
            )
            if price and have > used
        ]
        return max(prices, default=0)

    @property
    def team_cubes(self) -> int:
        """Cubes of all players on missions."""
        return sum(len(task.finished) for task in self.tasks)

    @property
    def team_influence(self) -> int:
        """Influence of all players."""
        return int(self.record.influence[: self.game.players].sum())
