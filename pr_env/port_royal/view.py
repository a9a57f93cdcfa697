"""A game as people see it: cards by name with their values, and nothing that is face down.

Texts and pictures are made from it. Prices and payments come from the rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pr_env.game import Action
from pr_env.interpreting import interpreted
from pr_env.port_royal import cooperative, discover, people, piles, scoring, takes
from pr_env.port_royal.adventure import events, taking
from pr_env.port_royal.adventure.names import ALL_COLOURS, ALL_SYMBOLS
from pr_env.port_royal.adventure.view import AdventureView
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP, Card, Contract
from pr_env.port_royal.state import FIRST_COIN_SPACE, GAME_OVER, NO_CUBE, NOTHING, ON_TABLE, OWNED, QUESTIONS
from pr_env.port_royal.tables import (
    CLERK,
    CONTRACT_INFLUENCE,
    GAMBLER,
    JESTER,
    MERCHANT,
    NUM_CUBES,
    TRADER,
)

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal


@dataclass(frozen=True)
class Stack:
    """Equal cards.

    Attributes:
        card: The kind of card.
        count: The number of copies.
    """

    card: Card
    count: int


@dataclass(frozen=True)
class Display:
    """What is in front of a player.

    Attributes:
        seat: The player's seat.
        coins: The number of coins; their faces are unknown.
        influence: Total influence.
        sabres: Total sabres of all persons.
        persons: Grouped by kind, in the order of the card files.
        expeditions: Claimed expeditions.
        under: Ships under merchants.
        kept: Repelled ships kept for a contract.
        cubes: Cubes that are not on a contract.
        completed: The number of completed contracts.
    """

    seat: int
    coins: int
    influence: int
    sabres: int
    persons: tuple[Stack, ...]
    expeditions: tuple[Card, ...]
    under: tuple[Stack, ...]
    kept: tuple[Card, ...]
    cubes: int
    completed: int


@dataclass(frozen=True)
class Offer:
    """A face-up contract.

    Attributes:
        contract: The contract.
        progress: The progress space, starting at 1, of each player who has begun it.
        finished: The players who have completed it, by coin spaces.
    """

    contract: Contract
    progress: dict[int, int]
    finished: tuple[int, ...]

    @property
    def next_coins(self) -> int:
        """The coins for the next player who completes it."""
        return self.contract.coins[len(self.finished)] if len(self.finished) < len(self.contract.coins) else 0


class View:
    """The state of one game between two moves.

    Args:
        game: The game and its configuration.
        record: One record of it; it is copied.
    """

    def __init__(self, game: PortRoyal, record: Any) -> None:
        self.game = game
        self.cards = game.cards
        self.record: Any = np.array([record], game.record)[0]
        self.tables: Any = game.tables[0]
        self.players = game.players
        self.question = QUESTIONS[self.record.question]
        self.is_over = bool(self.record.question == GAME_OVER)
        self.turn = int(self.record.turn)
        self.active = int(self.record.active)
        self.player = int(self.record.player)
        self.last_round = bool(self.record.end_flag)
        self.deck = int(self.record.deck)
        self.discards = int(self.record.discards)
        self.takes = int(self.record.takes)
        self.drawn = int(self.record.drawn)
        self.adventure = AdventureView(game, self.record) if game.shape.adventure else None

    def _has(self, field: str) -> bool:
        return field in (self.game.record.names or ())

    # -- the table --------------------------------------------------------------------------------------------------

    @property
    def is_cooperative(self) -> bool:
        """Whether all players play against the time deck."""
        return self.game.shape.cooperative

    @property
    def has_contracts(self) -> bool:
        """Whether the game has contracts."""
        return self.game.shape.contracts > 0

    @property
    def is_active(self) -> bool:
        """Whether the player who is asked is the active one."""
        return self.player == self.active

    @property
    def goal(self) -> int:
        """Influence that ends a competitive game."""
        return int(self.tables.goal)

    @cached_property
    def time(self) -> int:
        """Cards in the time deck of a cooperative game."""
        return int(self.record.time) if self.is_cooperative else 0

    @cached_property
    def score(self) -> int:
        """Cards in the score deck of a cooperative game."""
        return int(self.record.score) if self.is_cooperative else 0

    @cached_property
    def persons(self) -> tuple[Stack, ...]:
        """Persons in the harbour."""
        return self._stacks(self.record.harbour, self.cards.of(PERSON))

    @cached_property
    def ships(self) -> tuple[Card, ...]:
        """Ships in the harbour, by colour."""
        return self._known(self.record.harbour_ship)

    @cached_property
    def doubles(self) -> tuple[Card, ...]:
        """Ships of a gambler's unfinished draws that double a colour."""
        return self._known(self.record.double_ship) if self._has("double_ship") else ()

    @property
    def harbour_size(self) -> int:
        """Cards in the harbour."""
        return sum(stack.count for stack in self.persons) + len(self.ships) + len(self.doubles)

    @cached_property
    def expeditions(self) -> tuple[Card, ...]:
        """Expeditions on the table."""
        return self._expeditions_at(ON_TABLE)

    @cached_property
    def pending(self) -> Card | None:
        """The ship, tax or expedition that the question is about."""
        return None if self.record.pending == NOTHING else self.cards.kinds[self.record.pending]

    @cached_property
    def owed(self) -> str:
        """The symbol to be paid next for an expedition."""
        return next(symbol for symbol, owed in zip(ALL_SYMBOLS, self.record.owed, strict=False) if owed)

    @cached_property
    def gamblers_used(self) -> int:
        """The number of gamblers used in this turn."""
        return int(self.record.gamblers_used) if self._has("gamblers_used") else 0

    @cached_property
    def gamblers_left(self) -> int:
        """Gamblers of the active player that can be used in this turn."""
        return self.count(self.active, GAMBLER) - self.gamblers_used if self._has("gamblers_used") else 0

    @cached_property
    def displays(self) -> tuple[Display, ...]:
        """Each player's display."""
        return tuple(self._display(seat) for seat in range(self.players))

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """The face-up contracts."""
        if not self.has_contracts:
            return ()
        return tuple(self._offer(int(place)) for place in np.flatnonzero(self.record.face_up))

    @cached_property
    def asked_about(self) -> Offer | None:
        """The contract that the question is about."""
        if not self.has_contracts or self.record.asked_about == NOTHING:
            return None
        return self._offer(int(self.record.asked_about))

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the player who is asked."""
        return tuple(self.game.actions[number] for number in np.flatnonzero(self.record.legal))

    def offer(self, name: str) -> Offer:
        """A face-up contract by its name."""
        return next(offer for offer in self.offers if offer.contract.name == name)

    def person(self, name: str) -> Card:
        """A kind of person by its name."""
        return next(card for card in self.cards.of(PERSON) if card.name == name)

    def expedition(self, name: str) -> Card:
        """An expedition by its name."""
        return next(card for card in self.cards.of(EXPEDITION) if card.name == name)

    def ship(self, colour: str) -> Card:
        """The ship of a colour in the harbour."""
        return next(card for card in self.ships if card.colour == colour)

    def _known(self, kinds: Sequence[int]) -> tuple[Card, ...]:
        return tuple(self.cards.kinds[kind] for kind in kinds if kind != NOTHING)

    def _stacks(self, counts: Sequence[int], cards: Sequence[Card]) -> tuple[Stack, ...]:
        return tuple(Stack(card, int(count)) for card, count in zip(cards, counts, strict=True) if count)

    def _expeditions_at(self, place: int) -> tuple[Card, ...]:
        pairs = zip(self.cards.of(EXPEDITION), self.record.expedition, strict=True)
        return tuple(card for card, where in pairs if where == place)

    def _display(self, seat: int) -> Display:
        game = self.record
        cubes = [int(cube) for cube in game.cube[seat]] if self.has_contracts else []
        return Display(
            seat=seat,
            coins=int(game.purse[seat]),
            influence=int(game.influence[seat]),
            sabres=int(game.sabres[seat]),
            persons=self._stacks(game.display[seat], self.cards.of(PERSON)),
            expeditions=self._expeditions_at(OWNED + seat),
            under=self._stacks(game.under[seat], self.cards.of(SHIP)) if self._has("under") else (),
            kept=self._known(game.kept[seat]) if self.has_contracts else (),
            cubes=NUM_CUBES - sum(cube != NO_CUBE for cube in cubes) if cubes else 0,
            completed=sum(cube >= FIRST_COIN_SPACE for cube in cubes),
        )

    def _offer(self, place: int) -> Offer:
        cubes = {seat: int(self.record.cube[seat, place]) for seat in range(self.players)}
        finished = sorted((cube, seat) for seat, cube in cubes.items() if cube >= FIRST_COIN_SPACE)
        return Offer(
            contract=self.cards.contracts[place],
            progress={seat: cube for seat, cube in cubes.items() if NO_CUBE < cube < FIRST_COIN_SPACE},
            finished=tuple(seat for _, seat in finished),
        )

    # -- costs and income, from the rules ------------------------------------------------------------------------------

    def kind(self, card: Card) -> int:
        """The index of a card among all kinds."""
        return self.cards.kinds.index(card)

    def count(self, seat: int, ability: int) -> int:
        """The number of a player's persons with an ability."""
        return int(_rule(people.count)(self.record, seat, ability))

    def jesters(self, seat: int) -> int:
        """The number of a player's jesters."""
        return self.count(seat, JESTER)

    @property
    def fee(self) -> int:
        """Coins for the active player, for each card that the player who is asked takes."""
        return int(_rule(takes.fee)(self.record, self.tables))

    def price(self, person: Card) -> int:
        """The price of a person for the player who is asked, without the fee."""
        return int(_rule(takes.price)(self.record, self.tables, self.kind(person)))

    def income(self, ship: Card) -> int:
        """Coins of a ship plus those of the player's traders, before the fee."""
        coins = ship.coins + self._of_colour(TRADER, ship)
        if self.adventure:
            colour = ALL_COLOURS.index(ship.colour)
            coins += int(_rule(taking.more_coins)(self.record, self.tables, self.player, colour))
        return coins

    def clerks(self, ship: Card) -> int:
        """Additional takes that the player's clerks give for a ship."""
        return self._of_colour(CLERK, ship)

    def goes_under_merchant(self, ship: Card) -> bool:
        """Whether the ship will go under a merchant."""
        return self._of_colour(MERCHANT, ship) > 0

    def _of_colour(self, ability: int, ship: Card) -> int:
        colour = ALL_COLOURS.index(ship.colour)
        return int(_rule(people.count_of_colour)(self.record, self.tables, self.player, ability, colour))

    def doubles_colour(self, ship: Card) -> bool:
        """Whether there is a ship of this colour in the harbour."""
        return bool(_rule(discover.doubles_colour)(self.record, self.tables, self.kind(ship)))

    def sabres_needed(self, ship: Card) -> int:
        """Sabres that repel a ship in this turn."""
        return int(_rule(events.sabres_needed)(self.record, self.tables, self.kind(ship)))

    def after_stop(self) -> tuple[int, int]:
        """Coins and takes of the active player if phase 2 began now."""
        game: Any = np.array([self.record], self.game.record)[0]
        _rule(discover.stop)(game)
        before = int(game.purse[self.active])
        _rule(takes.begin_part)(game, self.tables)
        return int(game.purse[self.active]) - before, int(game.takes)

    def influence_of_next_contract(self, seat: int) -> int:
        """The influence that a player's next completed contract adds."""
        completed = self.displays[seat].completed
        return CONTRACT_INFLUENCE[completed + 1] - CONTRACT_INFLUENCE[completed]

    @cached_property
    def final(self) -> Any:
        """The final record as if the game ended now."""
        final: Any = np.zeros(1, self.game.final)[0]
        _rule(scoring.write_final)(self.record, self.tables, final)
        return final

    # -- the next card, from what everybody can know ------------------------------------------------------------------

    @cached_property
    def next_faces(self) -> list[int]:
        """The number of cards of each kind that may come next."""
        game = self.record
        if _rule(cooperative.first_card_is_time_card)(game):
            if game.epoch > 0:
                oldest = game.closed[: _rule(piles.cards_of_epoch)(game, 0)]
                return np.bincount(oldest, minlength=len(self.cards.kinds)).tolist()
        elif self.deck == 0:
            return game.discard.tolist()
        faces = game.unseen.tolist()
        if self.adventure:  # as seen by players who have not used a lookout
            for kind in (int(game.top), *map(int, game.look)):
                faces[kind] += int(kind != NOTHING)
        return list(faces)

    def chance(self, kinds: Sequence[Card]) -> float:
        """The chance that the next card is one of these."""
        counts = dict(zip(self.cards.kinds, self.next_faces, strict=True))
        total = sum(counts.values())
        return sum(counts[card] for card in kinds) / total if total else 0.0

    @property
    def chance_of_bust(self) -> float:
        """The chance that the next card is a ship of a colour in the harbour that the active player cannot repel."""
        sabres = self.displays[self.active].sabres
        return self.chance(
            [
                ship
                for ship in self.cards.of(SHIP)
                if self.doubles_colour(ship) and not (ship.repellable and sabres >= self.sabres_needed(ship))
            ]
        )


@cache
def _rule(rule: Any) -> Any:
    return interpreted(rule)
