"""A game for tests that read like examples of a rulebook: cards and actions by name, scripted chance.

The rules run as plain Python (see plain.py), and every position is checked for consistency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from pr_env.port_royal import PortRoyal
from pr_env.port_royal.cards import PERSON, SHIP
from pr_env.port_royal.state import FIRST_COIN_SPACE, NOTHING, ON_TABLE, OWNED, QUESTIONS
from pr_env.port_royal.tables import COLOURS, CONTRACT_INFLUENCE
from tests.port_royal import plain

Name = tuple[str | int, ...]
REST = -1  # coins: all remaining cards, so that nobody can draw any more


class Seat(dict[str, Any]):
    """The cards in front of a player: ``Seat("sailor", "jack", coins=5)``.

    Args:
        persons: Persons in the display. Names may be abbreviated: ``"sailor"`` is the first kind of sailor in the
            files.
        coins: Number of coins, all of the current epoch; or ``REST``.
        expeditions: Claimed expeditions.
        under: Ships under merchants.
        kept: Ships repelled for pack_of_pirates.
        cubes: By contract: a progress space, or ``"done"``.
    """

    def __init__(
        self,
        *persons: str,
        coins: int = 0,
        expeditions: Sequence[str] = (),
        under: Sequence[str] = (),
        kept: Sequence[str] = (),
        cubes: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            persons=persons, coins=coins, expeditions=expeditions, under=under, kept=kept, cubes=dict(cubes or {})
        )


class Table:
    """A described position in phase 1, played by naming actions.

    Args:
        seats: One per player.
        harbour: Cards in the harbour.
        expeditions: Expeditions on the table.
        contracts: Face-up contracts; completed with others that do not affect the test.
        active: The active player.
        drawn: Number of cards turned up in this turn; by default at least one.
        cards: Cards to be turned up first if the draw is forced.
        turn: The number of the turn.
        discard: Cards in the discard pile.
        in_deck: Number of cards left in the deck; all others except coins are in the discard pile.
        time: Cards in the time deck.
        score: Cards in the score deck.
        options: Options of the game.
    """

    def __init__(
        self,
        *seats: Seat,
        harbour: Sequence[str] = (),
        expeditions: Sequence[str] = (),
        contracts: Sequence[str] = (),
        active: int = 0,
        drawn: int | None = None,
        cards: Sequence[str] = (),
        turn: int = 1,
        discard: Sequence[str] = (),
        in_deck: int | None = None,
        time: int = 15,
        score: int = 0,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.game = PortRoyal(players=len(seats), **options)
        self.names = [card.name for card in self.game.cards.kinds]
        self.tables: Any = plain.Light(self.game.tables)
        self.record: Any = plain.Light(np.array(self.game.blank))
        self.next_cards: list[int] = []
        plain.setup.set_up(self.record, self.tables, np.uint64(seed))
        self._write_table(harbour, expeditions, discard, active, turn)
        self.record.drawn = max(1, len(harbour)) if drawn is None else drawn
        if "cube" in self.record.dtype.names:
            self._write_contracts(contracts)
        for number, seat in enumerate(seats):
            self._write_seat(number, seat)
        if "time" in self.record.dtype.names:
            self.record.time, self.record.score = time, score
        self._write_rest(seats)
        self._write_deck(in_deck)
        self.next_cards = [self.kind(card) for card in cards]
        with self._scripted():
            plain.rules.refresh(self.record, self.tables)
        self.check()

    # -- setting up ---------------------------------------------------------------------------------------------------

    def kind(self, name: str) -> int:
        """The number of a kind of card; the first one whose name has this prefix."""
        if name in self.names:
            return self.names.index(name)
        return next(number for number, known in enumerate(self.names) if known.startswith(f"{name}_"))

    def _take(self, name: str) -> int:
        """Take a card out of the deck."""
        kind = self.kind(name)
        assert self.record.unseen[kind] > 0, f"there is no {name} left"
        self.record.unseen[kind] -= 1
        return kind

    def _write_table(
        self, harbour: Sequence[str], expeditions: Sequence[str], discard: Sequence[str], active: int, turn: int
    ) -> None:
        record = self.record
        record.coins[:] = 0
        record.purse[:] = 0
        record.active = record.player = active
        record.turn = turn
        for name in harbour:
            kind = self._take(name)
            if kind < len(record.harbour):
                record.harbour[kind] += 1
                record.harbour_persons += 1
            else:
                colour = self.tables.colour[kind]
                assert record.harbour_ship[colour] == NOTHING
                record.harbour_ship[colour] = kind
        for name in expeditions:
            record.expedition[self._take(name) - self._first_expedition] = ON_TABLE
        for name in discard:
            record.discard[self._take(name)] += 1
        record.discards = len(discard)

    @property
    def _first_expedition(self) -> int:
        return len(self.game.cards.of(PERSON)) + len(self.game.cards.of(SHIP))

    def _write_contracts(self, wanted: Sequence[str]) -> None:
        """The given contracts, completed with those that matter least in other tests."""
        names = self.contract_names
        number = int(self.record.face_up.sum())
        chosen = list(wanted)
        for name in ("galleon_foe", "tax_officer", "frigate_foe", "pack_of_pirates", "jinx", *names):
            if len(chosen) < number and name not in chosen:
                chosen.append(name)
        self.record.face_up[:] = [name in chosen for name in names]

    @property
    def contract_names(self) -> list[str]:
        return [contract.name for contract in self.game.cards.contracts]

    def _write_seat(self, seat: int, owned: Seat) -> None:
        record = self.record
        for name in owned["persons"]:
            kind = self._take(name)
            record.display[seat, kind] += 1
            record.staff[seat, self.tables.ability[kind]] += 1
            record.sabres[seat] += self.tables.sabres[kind]
            record.influence[seat] += self.tables.influence[kind]
        for name in owned["expeditions"]:
            kind = self._take(name)
            record.expedition[kind - self._first_expedition] = OWNED + seat
            record.influence[seat] += self.tables.influence[kind]
        for name in owned["under"]:
            record.under[seat, self._take(name) - len(record.harbour)] += 1
            record.influence[seat] += 1
        for name in owned["kept"]:
            kind = self._take(name)
            record.kept[seat, self.tables.colour[kind]] = kind
        for name, place in owned["cubes"].items():
            contract = self.contract_names.index(name)
            before = sum(int(place) >= FIRST_COIN_SPACE for place in record.cube[:, contract])
            record.cube[seat, contract] = FIRST_COIN_SPACE + before if place == "done" else place
        completed = sum(place == "done" for place in owned["cubes"].values())
        record.influence[seat] += CONTRACT_INFLUENCE[completed]
        record.coins[seat, 0] = record.purse[seat] = max(0, owned["coins"])

    def _write_rest(self, seats: Sequence[Seat]) -> None:
        """Give the whole deck to the player whose coins are REST."""
        record = self.record
        for seat, owned in enumerate(seats):
            if owned["coins"] == REST:
                together = int(record.time) + int(record.score) if "time" in record.dtype.names else 0
                rest = int(record.unseen.sum()) - int(record.purse.sum()) - together
                record.coins[seat, 0] = record.purse[seat] = rest

    def _write_deck(self, in_deck: int | None) -> None:
        """Put the remaining cards into the deck; if it is smaller, some persons and ships are discarded."""
        record = self.record
        held = int(record.purse.sum())
        if "time" in record.dtype.names:
            held += int(record.time) + int(record.score)
        left = int(record.unseen.sum()) - held
        wanted = left if in_deck is None else in_deck
        for kind in range(len(record.unseen)):
            moved = min(int(record.unseen[kind]), left - wanted)
            record.unseen[kind] -= moved
            record.discard[kind] += moved
            record.discards += moved
            left -= moved
        record.deck = left

    # -- playing -------------------------------------------------------------------------------------------------------

    @contextmanager
    def _scripted(self) -> Iterator[None]:
        """Turn up the faces given by the test, as long as there are any."""

        def unseen(game: Any, size: int) -> int:
            assert int(game.unseen.sum()) == size
            kind = self.next_cards.pop(0)
            assert game.unseen[kind] > 0, f"{self.names[kind]} cannot be turned up"
            game.unseen[kind] -= 1
            return kind

        def scripted(turn_up: Any) -> Any:
            def turn_up_next(game: Any) -> int:
                before = plain.piles._draw_unseen
                if self.next_cards:
                    plain.piles._draw_unseen = unseen  # type: ignore[attr-defined]
                try:
                    return int(turn_up(game))
                finally:
                    plain.piles._draw_unseen = before  # type: ignore[attr-defined]

            return turn_up_next

        names = ("turn_up", "turn_up_time_card")
        before = {name: getattr(plain.discover, name) for name in names}
        for name in names:
            setattr(plain.discover, name, scripted(before[name]))
        try:
            yield
        finally:
            for name in names:
                setattr(plain.discover, name, before[name])

    def play(self, *name: str | int, cards: Iterable[str] = ()) -> Table:
        """Play one action of the acting player; exactly ``cards`` are turned up next."""
        number = self.number(*name)
        assert self.record.legal[number], f"{name} is not legal, {sorted(self.legal)} are"
        self.next_cards = [self.kind(card) for card in cards]
        with self._scripted():
            plain.rules.step(self.record, self.tables, number)
        assert not self.next_cards, f"not turned up: {[self.names[kind] for kind in self.next_cards]}"
        self.check()
        return self

    def draw(self, *cards: str) -> Table:
        """Draw these cards one after another."""
        for card in cards:
            self.play("draw", cards=[card])
        return self

    def number(self, *name: str | int) -> int:
        """The number of an action; names of persons may be abbreviated."""
        if name[0] == "hire":
            name = ("hire", self.names[self.kind(str(name[1]))])
        return self.game.action_number(*name)

    def check(self) -> None:
        """Check that every card exists exactly once, and that stored sums match their parts."""
        assert self.game.problems(self.record.flush()) == []

    # -- queries -------------------------------------------------------------------------------------------------------

    @property
    def legal(self) -> set[Name]:
        """Names of the legal actions."""
        return {action.name for action in self.game.actions if self.record.legal[action.number]}

    def may(self, *name: str | int) -> bool:
        """Whether an action is offered."""
        return bool(self.record.legal[self.number(*name)])

    @property
    def question(self) -> str:
        return QUESTIONS[self.record.question]

    @property
    def asked(self) -> tuple[str, int]:
        """The kind of decision, and the seat to decide."""
        return self.question, int(self.record.player)

    @property
    def asked_about(self) -> str:
        """The contract of the question."""
        return self.contract_names[int(self.record.asked_about)]

    @property
    def coins(self) -> list[int]:
        return [int(count) for count in self.record.purse[: self.game.players]]

    @property
    def influence(self) -> list[int]:
        return [int(count) for count in self.record.influence[: self.game.players]]

    @property
    def sabres(self) -> list[int]:
        return [int(count) for count in self.record.sabres[: self.game.players]]

    @property
    def takes(self) -> int:
        return int(self.record.takes)

    def display(self, seat: int) -> list[str]:
        """Persons of a player, sorted by kind."""
        return list(self._counted(self.record.display[seat]).elements())

    @property
    def harbour(self) -> set[str]:
        """Names of the cards in the harbour."""
        ships = {self.names[kind] for kind in self.record.harbour_ship if kind != NOTHING}
        return set(self._counted(self.record.harbour)) | ships

    def discarded(self, name: str) -> int:
        """Copies of a kind in the discard pile."""
        return int(self.record.discard[self.kind(name)])

    def expedition_of(self, name: str) -> int | str:
        """The owner of an expedition, ``"table"`` or ``"away"``."""
        place = int(self.record.expedition[self.kind(name) - self._first_expedition])
        return place - OWNED if place >= OWNED else ("away", "table")[place]

    def cube(self, seat: int, contract: str) -> int | str:
        """The progress space of a player's cube, or ``"done"``."""
        place = int(self.record.cube[seat, self.contract_names.index(contract)])
        return "done" if place >= FIRST_COIN_SPACE else place

    def kept(self, seat: int) -> set[str]:
        """Colours of the ships that a player keeps."""
        return {colour for colour, kind in zip(COLOURS, self.record.kept[seat], strict=True) if kind != NOTHING}

    @property
    def over(self) -> bool:
        return self.question == "game_over"

    @property
    def ending(self) -> str:
        """The reason for the end of the game, or an empty string."""
        reasons = [reason for bit, reason in enumerate(self.game.end_reasons) if self.record.ending >> bit & 1]
        return " ".join(reasons)

    @property
    def final(self) -> Any:
        """The result as if the game ended now."""
        finals = np.zeros(1, self.game.final)
        plain.rules.write_final(self.record, self.tables, finals[0])
        return finals[0]

    def _counted(self, counts: np.ndarray) -> Counter[str]:
        return Counter({self.names[kind]: int(count) for kind, count in enumerate(counts) if count})
