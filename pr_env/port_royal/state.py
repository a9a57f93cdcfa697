"""The record: one game of Port Royal in a fixed number of bytes.

A game consists of counts by kind of card, not card objects. Unseen cards have no face (see piles.py). The record of a
configuration has room for its kinds of cards, and only the fields of its sets. The same rules are compiled for every
such record, and a base game does not pay for the other sets (see extension.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pr_env.port_royal.adventure.names import SALES, SLOTS
from pr_env.port_royal.adventure.state import record_fields, table_fields
from pr_env.port_royal.tables import MAX_PLAYERS, MOST_COIN_SPACES, NUM_COLOURS, NUM_SYMBOLS, REFUSED_COLOURS
from pr_env.rules import game_record

NAME = "port_royal"

ADVENTURE_ACTIONS = 10  # accept, decline, use_lookout and the others, except those that can sleep and the draft

# -- questions: what the acting player answers -------------------------------------------------------------------------

QUESTIONS = (
    "discover",  # draw another card, or stop
    "repel",  # repel the ship just drawn, or let it in
    "pay",  # for a claim: pay with the matching person, or with a jack of all trades
    "take",  # trade a ship, hire a person, or stop
    "end_of_turn",  # a last chance to claim or complete
    "game_over",
    "give",  # with contract cards: the player who gets the coin
    "immediate",  # with contracts: complete (or begin) one now, or not
    "set_aside",  # cooperative: move a time card to the score deck, or not
    # in the adventure
    "look",  # which card seen by a lookout goes back on the deck
    "item",  # which pirates of the Ares to give for a mission
    "cube",  # end of the month: pay for returning a cube, or not
    "side",  # of the character card
    "character",  # which side of which card
)
(
    DISCOVER,
    REPEL,
    PAY,
    TAKE,
    END_OF_TURN,
    GAME_OVER,
    GIVE,
    IMMEDIATE,
    SET_ASIDE,
    LOOK,
    ITEM,
    CUBE,
    SIDE,
    CHARACTER,
) = range(len(QUESTIONS))

# -- why a game ends: bits of the field `ending` -----------------------------------------------------------------------

END_REASONS = ("influence", "contracts", "time", "stalemate", "turns", "decisions")
ENOUGH_INFLUENCE, CONTRACTS_DONE, TIME_OVER, STALEMATE, TURNS_OVER, DECISIONS_OVER = (1 << bit for bit in range(6))
ADVENTURE_END_REASONS = (*END_REASONS, "chapter")
CHAPTER_OVER = 1 << 6  # a month end leads to card 9

NOTHING = -1  # no kind of card, no contract
NUM_EPOCHS = 24  # slots; never full in practice, see piles.py

# Where an expedition is: the field `expedition`
AWAY, ON_TABLE, OWNED = range(3)  # OWNED + seat: in that player's display

# Where a player's cube is: the field `cube`. Up to two progress spaces, then the coin spaces
NO_CUBE, FIRST_COIN_SPACE = 0, 3


@dataclass(frozen=True)
class Shape:
    """The sizes that the record's type depends on.

    Attributes:
        persons: The number of kinds of persons; likewise ``ships``, ``expeditions`` and ``taxes``.
        abilities: The number of ``ABILITIES`` that are counted.
        cards: The number of cards.
        contracts: The number of contracts to draw from.
        merchants: Whether there can be ships under merchants.
        gamblers: Whether there are gamblers.
        gifts: Whether there are ships with a coin for another player.
        cooperative: Whether there is a time deck.
        colours: The number of ship colours.
        symbols: The number of symbols that expeditions can ask for, items included.
        item_ships: The number of kinds of ships with an item.
        missions: The number of missions; likewise ``characters`` (sides of their cards) and ``events``.
        draft: Whether characters are drafted.
    """

    persons: int
    ships: int
    expeditions: int
    taxes: int
    abilities: int
    cards: int
    contracts: int
    merchants: bool
    gamblers: bool
    gifts: bool
    cooperative: bool
    colours: int = NUM_COLOURS
    symbols: int = NUM_SYMBOLS
    item_ships: int = 0
    missions: int = 0
    characters: int = 0
    events: int = 0
    draft: bool = False

    @property
    def adventure(self) -> bool:
        """Whether it is a chapter of the adventure."""
        return self.missions > 0

    @property
    def completions(self) -> int:
        """Actions that complete a contract or a mission."""
        return self.contracts + (SLOTS if self.adventure else 0)

    @property
    def kinds(self) -> int:
        """All kinds of cards."""
        return self.persons + self.ships + self.expeditions + self.taxes

    @property
    def refusals(self) -> int:
        """Colours whose coins may be refused."""
        return len(REFUSED_COLOURS) if self.contracts else 0

    @property
    def can_sleep(self) -> int:
        """Actions from the first ``complete`` to the last ``hire``; in the adventure also the two that sell."""
        keep_and_sell = self.colours + SALES if self.adventure else 0
        return self.completions + self.expeditions + self.colours + self.refusals + self.persons + keep_and_sell

    @property
    def actions(self) -> int:
        """The length of the action table."""
        pay = 2 if self.expeditions else 0
        give = MAX_PLAYERS - 1 if self.gifts else 0
        answer = 2 if self.contracts else 0
        if self.adventure:
            pay, answer = 3, ADVENTURE_ACTIONS + (self.characters if self.draft else 0)
        return 5 + self.can_sleep + pay + give + answer + self.gamblers


@cache
def record_for(shape: Shape) -> np.dtype[Any]:
    """The type of a game's record."""
    # Fields that nearly every decision reads come first, in as few cache lines as possible.
    fields: list[Any] = [
        # the game itself
        ("seed", np.uint64),  # the seed of the game
        ("rng", np.uint64),  # state of its random generator
        ("players", np.int64),
        ("ending", np.uint8),  # why the game is over: bits
        # whose turn it is
        ("turn", np.int16),  # from 1
        ("decisions", np.int16),  # so far
        ("active", np.int64),  # seat
        ("player", np.int64),  # seat that is asked
        ("question", np.int8),  # see QUESTIONS
        ("end_flag", np.int8),  # 1: the game ends after this round
        ("dry", np.int8),  # turns in a row in which no card was turned up
        ("drawn", np.int16),  # cards turned up in this turn
        ("takes", np.int8),  # takes left in this part of phase 2
        ("acted", np.int8),  # 1: another player did something in its part
        # unfinished decisions
        ("pending", np.int16),  # kind of the ship, tax or expedition that the question is about, or NOTHING
        ("owed", np.int8, (shape.symbols,)),  # pay: symbols still to be paid
        ("only_jacks", np.int8),  # pay: 1 if a jack was paid for the symbol asked about
        ("claimed_at", np.int8),  # pay: the question that the claim was made at
        # face-down cards: see piles.py, and below
        ("deck", np.int16),
        ("epoch", np.int8),  # the current one's slot
        ("merged", np.uint8),  # how many times two epochs had to be merged
        # face-up cards
        ("discards", np.int16),  # cards on the discard pile
        ("harbour_ship", np.int16, (shape.colours,)),  # kind of the ship of each colour, or NOTHING
        ("harbour", np.int8, (shape.persons,)),  # persons
        ("expedition", np.int8, (shape.expeditions,)),  # AWAY, ON_TABLE, or OWNED + seat
        # These are sums of other fields, stored because nearly every decision needs them.
        ("harbour_persons", np.int16),
        ("purse", np.int16, (MAX_PLAYERS,)),  # coins of all epochs
        ("staff", np.int8, (MAX_PLAYERS, shape.abilities)),  # persons in the display by ability
        ("sabres", np.int16, (MAX_PLAYERS,)),
        ("influence", np.int16, (MAX_PLAYERS,)),
        ("asleep", np.uint8, (shape.can_sleep,)),  # 1: legal, but not offered again; see sleep.py
        # Follows from the rest; stored because checking an action, the mask and finding forced answers all need it.
        ("legal", np.uint8, (shape.actions,)),
    ]
    if shape.gamblers:
        fields += [
            ("draws_left", np.int8),  # of a gambler's four
            ("gamblers_used", np.int8),  # in this turn
            ("double_ship", np.int16, (4,)),  # ships among the current four that double a colour, or NOTHING
        ]
    if shape.merchants:
        fields += [("under", np.uint8, (MAX_PLAYERS, shape.ships))]  # ships under merchants
    if shape.gifts:
        fields += [("gift", np.int8)]  # give: coins for another player
    if shape.contracts:
        fields += [
            ("face_up", np.int8, (shape.contracts,)),  # 1: the contract is in the game
            ("cube", np.int8, (MAX_PLAYERS, shape.contracts)),  # NO_CUBE, progress space, or coin space
            ("kept", np.int16, (MAX_PLAYERS, NUM_COLOURS)),  # repelled ships kept for a contract, or NOTHING
            ("ask", np.uint8),  # immediate: seats still to be asked, as bits
            ("asked_about", np.int8),  # immediate: the contract, or NOTHING
            ("asked_turn", np.uint8),  # what was already asked in this turn: bits, see contracts.py
        ]
    if shape.adventure:
        fields += record_fields(shape.persons, shape.item_ships)
    if shape.cooperative:
        fields += [("time", np.int16), ("score", np.int16)]  # cards in the time deck and in the score deck
    # Faces, coins and displays by kind and epoch
    fields += [
        ("unseen", np.uint8, (shape.kinds,)),  # unseen faces of the current epoch
        ("discard", np.uint8, (shape.kinds,)),  # faces on the discard pile
        ("coins", np.uint8, (MAX_PLAYERS, NUM_EPOCHS)),  # by epoch
        ("display", np.int8, (MAX_PLAYERS, shape.persons)),
        ("closed", np.uint8, (shape.cards,)),  # kinds of the unseen cards of all earlier epochs, oldest epoch first
    ]
    return game_record(NAME, fields)


@cache
def tables_for(shape: Shape, places: int) -> np.dtype[Any]:
    """The type of a configuration's tables: the values on its cards, and the options of its rules.

    ``places`` is the length of an observation with the most players, so that the type does not depend on their number.
    """
    kinds = (shape.kinds,)
    return np.dtype(
        (
            np.record,
            [
                # cards by kind
                ("copies", np.int64, kinds),
                # int8: vectorised loops over them process 16 or more cards at a time
                ("colour", np.int8, kinds),  # or NO_COLOUR
                ("cost", np.int8, kinds),
                ("influence", np.int64, kinds),
                ("coins", np.int64, kinds),
                ("coins_other", np.int64, kinds),
                ("sabres", np.int8, kinds),
                ("repellable", np.int8, kinds),
                ("min_players", np.int64, kinds),
                ("ability", np.int64, (shape.persons,)),
                ("requires", np.int64, (shape.expeditions, shape.symbols)),
                ("fewest_symbols", np.int64),  # the fewest persons that any expedition asks for
                ("tax_from", np.int64, (shape.taxes,)),
                ("tax_rule", np.int64, (shape.taxes,)),
                ("tax_bonus", np.int64, (shape.taxes,)),
                ("bonus_coins", np.int64, (shape.taxes,)),
                # contracts
                ("requirement", np.int64, (shape.contracts,)),
                ("person_1", np.int64, (shape.contracts,)),
                ("person_2", np.int64, (shape.contracts,)),
                ("progress_spaces", np.int64, (shape.contracts,)),
                ("track", np.int64, (shape.contracts, MOST_COIN_SPACES)),
                ("seal_number", np.int64, (shape.contracts,)),
                ("seal_letter", np.int64, (shape.contracts,)),
                # options
                ("goal", np.int64),  # influence that ends the game
                ("needs_expedition", np.int64),  # 1: the alternative end
                ("must_repel_duplicate", np.int64),
                ("vice_admiral_passive", np.int64),  # coins of a vice admiral whose owner is not active
                ("score_start", np.int64),
                ("max_turns", np.int64),
                ("max_decisions", np.int64),
                ("scales", np.float64, (places,)),  # of the observation
                *(
                    table_fields(shape.kinds, shape.persons, shape.missions, shape.characters, shape.events)
                    if shape.adventure
                    else []
                ),
            ],
        )
    )
