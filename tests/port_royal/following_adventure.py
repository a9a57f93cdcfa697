"""The engine with the scripted chance of an adventure: given faces, events, characters and missions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pr_env.game import Action
from pr_env.port_royal.adventure.cards import AdventureCards
from pr_env.port_royal.adventure.state import FIRST_FINISHER
from pr_env.port_royal.state import CUBE, GAME_OVER, IMMEDIATE, ITEM, NOTHING, QUESTIONS
from tests.port_royal.following import Follower
from tests.port_royal.plain import choosing, events
from tests.port_royal.reference_adventure import AdventureGame


class AdventureFollower(Follower):
    """A chapter that follows a game of the reference."""

    def __init__(self, config: dict[str, Any], reference: AdventureGame) -> None:
        self.slots = list(range(4))  # slots of the reference, by slots of the engine
        super().__init__({"game": "adventure", **config}, [])
        self.cards: AdventureCards = self.game.cards  # type: ignore[assignment]
        self.mission_names = [mission.name for mission in self.cards.missions]
        self.event_names = [event.name for event in self.cards.events]
        self.reference = reference
        self.coming: list[str] = []

    def start(self) -> None:
        """Set up the table as in the reference."""
        if self.game.mode == "post_adventure":
            places = [self.mission_names.index(mission.id) for mission in self.reference.slots]
            self.slots = sorted(range(4), key=places.__getitem__)
            self.numbers = {tuple(self._name(one)): one.number for one in self.game.actions}
        self.coming = list(self.reference.revealed_events)
        self.begin(list(self.reference.revealed))
        assert not self.coming

    def follow(self, action: list[Any]) -> None:
        """Play an action that the reference has played."""
        self.coming = list(self.reference.revealed_events)
        self.step(action, list(self.reference.revealed))
        assert not self.coming, f"events that were not revealed: {self.coming}"

    @contextmanager
    def _scripted(self) -> Iterator[None]:
        def draw_event(game: Any, tables: Any) -> int:
            return self.event_names.index(self.coming.pop(0))

        def deal(game: Any) -> None:
            game.dealt[: self.game.players] = self.reference.characters

        def lay_out(game: Any, tables: Any) -> None:
            missions = [self.mission_names.index(mission.id) for mission in self.reference.slots]
            for slot, place in enumerate(sorted(missions)):
                game.mission[slot] = place

        replaced = [(events, "_draw_event", draw_event), (choosing, "deal_cards", deal)]
        replaced += [(choosing, "lay_out_missions", lay_out)]
        before = [getattr(module, name) for module, name, _ in replaced]
        for module, name, function in replaced:
            setattr(module, name, function)
        try:
            with super()._scripted():
                yield
        finally:
            for (module, name, _), function in zip(replaced, before, strict=True):
                setattr(module, name, function)

    def _name(self, action: Action) -> list[Any]:
        if action.name[0] == "complete":
            return ["complete", self.slots[int(action.name[1]) - 1] + 1]
        return super()._name(action)

    def asleep(self) -> list[list[Any]]:
        names = [self.game.actions[number].name for number in self.game.sleepers]
        return [
            self._name(self.game.actions[number])
            for number, sleeps, _ in zip(self.game.sleepers, self.record.asleep, names, strict=True)
            if sleeps
        ]

    def state(self) -> dict[str, Any]:
        record, players = self.record, self.game.players
        told = super().state()
        for name in ("time", "score"):
            del told[name]
        first_ship = len(self.names) - len(record.expedition) - len(self.tables.tax_from) - record.items.shape[1]
        slots = [slot for slot in range(4) if record.mission[slot] != NOTHING]
        slots.sort(key=lambda slot: self.slots[slot])
        asked = record.asked_about if record.question == IMMEDIATE else NOTHING
        asked = record.completing if record.question == ITEM else asked
        persons = len(record.harbour)
        told |= {
            "question": "" if record.question == GAME_OVER else QUESTIONS[record.question].upper(),
            "missions": [
                {
                    "id": self.mission_names[record.mission[slot]],
                    "finishers": [
                        seat
                        for _, seat in sorted(
                            (int(record.mission_place[seat, slot]), seat)
                            for seat in range(players)
                            if record.mission_place[seat, slot] >= FIRST_FINISHER
                        )
                    ],
                    "progress": [
                        int(place) if place < FIRST_FINISHER else 0 for place in record.mission_place[:players, slot]
                    ],
                }
                for slot in slots
            ],
            "asked_mission": None if asked == NOTHING else self.mission_names[record.mission[asked]],
            "cards": [int(card) for card in record.dealt[:players]],
            "characters": [
                None if side == NOTHING else self.cards.characters[side].name for side in record.character[:players]
            ],
            "fields": [int(n) for n in record.uncovered[:players]],
            "crowns": [int(n) for n in record.crowns[:players]],
            "items": [
                {self.names[first_ship + ship]: int(n) for ship, n in enumerate(record.items[seat]) if n}
                for seat in range(players)
            ],
            "event": None if record.event == NOTHING else self.event_names[record.event],
            "lookouts_used": int(record.lookouts_used),
            "looker": None if record.top == NOTHING else int(record.top_owner),
            "top": None if record.top == NOTHING else self.names[record.top],
            "look": [self.names[kind] for kind in record.look if kind != NOTHING],
        }
        told["cubes"] = [
            4 - told["fields"][seat] - sum(m["progress"][seat] > 0 for m in told["missions"]) for seat in range(players)
        ]
        if record.question != GAME_OVER:
            coming = [None if event == NOTHING else self.event_names[event] for event in record.event_deck]
            end = self.event_names[self.tables.month_end]
            left = [*coming[record.event_place : record.event_count], end]
            told["event_deck"] = [] if record.question == CUBE else left  # the end of the month is turned up
        told["inns_used"] = {self.names[kind]: int(n) for kind, n in enumerate(record.inn_used[:persons]) if n}
        return told
