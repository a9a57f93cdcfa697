"""The observation: everything that a player may know, as one vector, from that player's perspective.

First the table, then a block for each player: oneself, then clockwise; then the fields of the sets in the game. It
contains nothing hidden: unseen faces are shown as the total over all piles, which everybody knows. The fields below
define the layout; `observe` writes them in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pr_env.compiling import compiled
from pr_env.game import Field
from pr_env.observing import MOST, at_most, is_compact
from pr_env.port_royal.adventure import observation as adventure
from pr_env.port_royal.adventure.events import sabres_needed
from pr_env.port_royal.adventure.names import ALL_COLOURS, ALL_SYMBOLS
from pr_env.port_royal.cards import EXPEDITION, PERSON, Cards
from pr_env.port_royal.cooperative import first_card_is_time_card
from pr_env.port_royal.expeditions import first_kind
from pr_env.port_royal.extension import (
    with_adventure,
    with_contracts,
    with_gamblers,
    with_gifts,
    with_merchants,
    with_time_deck,
)
from pr_env.port_royal.harbour import count_cards, count_ships
from pr_env.port_royal.piles import cards_of_epoch, seen_on_top
from pr_env.port_royal.state import (
    FIRST_COIN_SPACE,
    GIVE,
    LOOK,
    NOTHING,
    ON_TABLE,
    OWNED,
    QUESTIONS,
    Shape,
)
from pr_env.port_royal.tables import COLOURS, MOST_COIN_SPACES, NO_COLOUR, NUM_COLOURS, NUM_CUBES
from pr_env.port_royal.turns import next_seat
from pr_env.rules import Record

_BASE_QUESTIONS = QUESTIONS[:GIVE]
_SHIP_PARTS = ("present", "coins", "sabres", "skull")
CHANCES = "next_card"
_CHANCES = ("person", "tax", "bust")  # after the colours
_MOST_KINDS = 256  # more than any configuration has
_BITS = 9  # for a number of unseen cards

_COINS, _SABRES, _INFLUENCE, _CARDS, _PILE = 1 / 10, 1 / 7, 1 / 12, 1 / 5, 1 / 100


def fields_for(cards: Cards, shape: Shape, players: int) -> tuple[Field, ...]:
    """The observation table of a configuration."""
    colours, symbols = ALL_COLOURS[: shape.colours], ALL_SYMBOLS[: shape.symbols]
    seats = ("self", *(f"{place}_to_the_left" for place in range(1, players)))
    persons = tuple(card.name for card in cards.of(PERSON))
    expeditions = tuple(card.name for card in cards.of(EXPEDITION))
    kinds = tuple(card.name for card in cards.kinds)
    contracts = tuple(contract.name for contract in cards.contracts)
    rows: list[tuple[str, tuple[tuple[str, ...], ...], float, str]] = [
        ("question", (_BASE_QUESTIONS,), 1, "the question being asked"),
        ("am_active", (), 1, "whether it is one's own turn"),
        ("active", (seats,), 1, "whose turn it is"),
        ("start_player", (seats,), 1, "the player who began the game"),
        ("end_flag", (), 1, "the game ends after this round"),
        ("turn", (), 1 / 50, "the turn, from 1"),
        ("deck", (), _PILE, "cards in the deck"),
        ("discards", (), _PILE, "cards in the discard pile"),
        ("pool", (), _PILE, "unseen cards of the current epoch, coins included"),
        ("harbour_persons", (persons,), 1, "persons in the harbour"),
        ("harbour_ships", (colours, _SHIP_PARTS), 1 / 7, "ships in the harbour"),
        ("harbour_cards", (), _CARDS, "cards in the harbour"),
        ("harbour_colours", (), _CARDS, "ship colours in the harbour"),
        ("takes", (), 1 / 3, "takes left"),
        ("drawn", (), 1 / 10, "cards turned up in this turn"),
        ("pending_ship", (("ship", *colours, "coins", "sabres", "doubles"),), 1 / 7, "the ship just drawn"),
        ("table", (expeditions,), 1, "expeditions on the table"),
        ("pending_claim", (expeditions,), 1, "the expedition being paid for"),
        ("owed", (symbols,), 1 / 2, "symbols still to be paid"),
        ("coins", (seats,), _COINS, "coins of each player"),
        ("old_coins", (seats,), _COINS, "coins from earlier epochs"),
        ("influence", (seats,), _INFLUENCE, "influence of each player"),
        ("sabres", (seats,), _SABRES, "sabres of each player"),
        ("display", (seats, persons), 1 / 2, "persons in each display"),
        ("expeditions", (seats, expeditions), 1, "expeditions of each player"),
        ("unseen", (kinds,), 1 / 3, "unseen faces of the current epoch"),
        ("discard", (kinds,), 1 / 3, "faces in the discard pile"),
        (CHANCES, ((*colours, *_CHANCES),), 1 / 1000, "chances for the next card in thousandths"),
    ]
    if shape.gamblers:
        rows += [
            ("gamblers_used", (), 1 / 4, "gamblers used in this turn"),
        ]
    if shape.merchants:
        rows += [("under", (seats,), 1 / 4, "ships under the merchants of each player")]
    if shape.gifts:
        rows += [
            ("giving", (), 1, "a coin for another player is to be given"),
            ("harbour_gifts", (colours,), 1, "ships in the harbour with a coin for another player"),
        ]
    if shape.contracts:
        rows += [
            ("immediate", (), 1, "an immediate contract is asked about"),
            ("asked_about", (contracts,), 1, "the contract that is asked about"),
            ("face_up", (contracts,), 1, "contracts in the game"),
            ("next_coins", (contracts,), 1 / 8, "coins on their next free coin space"),
            ("progress", (contracts, seats), 1 / 2, "progress of each player"),
            ("completed", (contracts, seats), 1, "who has completed it"),
            ("cubes", (seats,), 1 / 3, "free cubes of each player"),
            ("kept", (seats, COLOURS), 1, "repelled ships kept for a contract"),
        ]
    if shape.cooperative:
        rows += [
            ("setting_aside", (), 1, "a time card may be moved to the score deck"),
            ("time", (), 1 / 20, "cards in the time deck"),
            ("score", (), 1 / 8, "cards in the score deck"),
        ]
    if shape.adventure:
        rows += adventure.rows_for(cards, players)  # type: ignore[arg-type] # they are AdventureCards here
    fields: list[Field] = []
    for name, axes, scale, meaning in rows:
        fields.append(Field(name, fields[-1].stop if fields else 0, axes, scale, meaning))
    return tuple(fields)


def scales_of(fields: Sequence[Field]) -> np.ndarray:
    """What each number is multiplied by; chances are written as they are."""
    return np.concatenate([np.full(f.stop - f.start, 1 if f.name == CHANCES else f.scale) for f in fields])


@compiled
def observe(game: Record, tables: Record, viewer: int, scratch: np.ndarray, out: np.ndarray) -> None:
    """Write the observation of a seat; EVERYTHING is the first seat's, as only lookouts hide something.

    The functions below write plain counts, and chances; the last line multiplies them by the scales.
    """
    first = max(0, viewer)
    at = _write_table(game, tables, first, out)
    at = _write_seats(game, first, at, out)
    at = _write_unseen(game, viewer, scratch, at, out)
    at = _write_row(game.discard, at, out)
    at = _write_known_chances(game, tables, viewer, scratch, at, out)
    at = _write_gamblers(game, at, out)
    at = _write_under(game, first, at, out)
    at = _write_gifts(game, tables, at, out)
    at = _write_contracts(game, tables, first, at, out)
    at = adventure.write(game, tables, viewer, at, out)
    _write_time(game, at, out)
    if not is_compact(out):  # compact observations are plain counts
        _scale(tables, out)


@compiled
def _scale(tables: Record, out: np.ndarray) -> None:
    """In one vectorised loop: to scale each number where it is written takes longer."""
    for place in range(out.shape[0]):
        out[place] = out[place] * tables.scales[place]


@compiled
def _write_row(counts: np.ndarray, at: int, out: np.ndarray) -> int:
    """Write a row of numbers; as a slice, so that the compiler can vectorise it."""
    row = out[at : at + counts.shape[0]]
    for place in range(counts.shape[0]):
        row[place] = int(counts[place])
    return at + counts.shape[0]


@compiled
def _write_table(game: Record, tables: Record, viewer: int, out: np.ndarray) -> int:
    players = game.players
    at = len(_BASE_QUESTIONS)
    for question in range(at):
        out[question] = game.question == question
    out[at] = viewer == game.active
    at += 1
    seat = viewer
    for place in range(players):
        out[at + place] = seat == game.active
        out[at + players + place] = seat == 0
        seat = next_seat(game, seat)
    at += 2 * players
    out[at] = game.end_flag
    out[at + 1] = at_most(int(game.turn), out)
    out[at + 2] = int(game.deck)
    out[at + 3] = int(game.discards)
    out[at + 4] = cards_of_epoch(game, int(game.epoch)) + seen_on_top(game)
    at += 5
    at = _write_row(game.harbour, at, out)
    for colour in range(game.harbour_ship.shape[0]):
        kind = int(game.harbour_ship[colour])
        there = kind != NOTHING
        out[at] = there
        out[at + 1] = tables.coins[kind] if there else 0
        out[at + 2] = tables.sabres[kind] if there else 0
        out[at + 3] = (1 - tables.repellable[kind]) if there else 0
        at += 4
    out[at] = count_cards(game)
    out[at + 1] = count_ships(game)
    out[at + 2] = int(game.takes)
    out[at + 3] = int(game.drawn)
    at += 4
    at = _write_pending_ship(game, tables, at, out)
    pending = int(game.pending) - first_kind(game, tables)
    for expedition in range(game.expedition.shape[0]):
        out[at + expedition] = game.expedition[expedition] == ON_TABLE
        out[at + game.expedition.shape[0] + expedition] = pending == expedition
    at += 2 * game.expedition.shape[0]
    for symbol in range(game.owed.shape[0]):
        out[at + symbol] = int(game.owed[symbol])
    return at + game.owed.shape[0]


@compiled
def _write_pending_ship(game: Record, tables: Record, at: int, out: np.ndarray) -> int:
    colours = game.harbour_ship.shape[0]
    kind = int(game.pending)
    there = game.harbour.shape[0] <= kind < first_kind(game, tables)
    its = int(tables.colour[kind]) if there else NO_COLOUR
    out[at] = there
    for colour in range(colours):
        out[at + 1 + colour] = its == colour
    out[at + 1 + colours] = tables.coins[kind] if there else 0
    out[at + 2 + colours] = tables.sabres[kind] if there else 0
    out[at + 3 + colours] = there and game.harbour_ship[its] != NOTHING
    return at + 4 + colours


@compiled
def _write_seats(game: Record, viewer: int, at: int, out: np.ndarray) -> int:
    players, persons, expeditions = game.players, game.display.shape[1], game.expedition.shape[0]
    seat = viewer
    for place in range(players):
        purse = int(game.purse[seat])
        out[at + place] = at_most(purse, out)
        out[at + players + place] = at_most(purse - int(game.coins[seat, game.epoch]), out)
        out[at + 2 * players + place] = int(game.influence[seat])
        out[at + 3 * players + place] = int(game.sabres[seat])
        _write_row(game.display[seat], at + 4 * players + place * persons, out)
        own = at + players * (4 + persons) + place * expeditions
        for expedition in range(expeditions):
            out[own + expedition] = game.expedition[expedition] == OWNED + seat
        seat = next_seat(game, seat)
    return at + players * (4 + persons + expeditions)


@with_adventure(lambda game, viewer, scratch, at, out: _write_row(game.unseen, at, out))
def _write_unseen(game: Record, viewer: int, scratch: np.ndarray, at: int, out: np.ndarray) -> int:
    adventure.count_unseen(game, viewer, scratch)
    return _write_row(scratch[: game.unseen.shape[0]], at, out)


@with_adventure(lambda game, tables, viewer, scratch, at, out: _write_chances(game, tables, scratch, at, out))
def _write_known_chances(
    game: Record, tables: Record, viewer: int, scratch: np.ndarray, at: int, out: np.ndarray
) -> int:
    """The same for a viewer who may know the next card."""
    if game.deck == 0 and game.question != LOOK:
        return _write_chances(game, tables, scratch, at, out)
    size = adventure.count_unseen(game, viewer, scratch)
    if adventure.knows_top(game, viewer):
        for kind in range(game.unseen.shape[0]):
            scratch[kind] = game.top == kind
        size = 1
    return _write_chances_of(game, tables, scratch, size, at, out)


@compiled
def _write_chances(game: Record, tables: Record, scratch: np.ndarray, at: int, out: np.ndarray) -> int:
    """The chances for the next card: from the unseen pool, the discard pile if the deck is empty, or the time deck."""
    faces, size = game.unseen, cards_of_epoch(game, int(game.epoch))
    if first_card_is_time_card(game):
        if game.epoch > 0:
            return _write_time_chances(game, tables, scratch, at, out)
    elif game.deck == 0:
        faces, size = game.discard, int(game.discards)
    return _write_chances_of(game, tables, faces, size, at, out)


@compiled
def _write_chances_of(game: Record, tables: Record, faces: np.ndarray, size: int, at: int, out: np.ndarray) -> int:
    """The chances for a card that has one of these faces.

    The ships of all colours are summed in one number, each colour in bits of its own, and without branches, so that
    the compiler can vectorise the loop: this takes a third of the time of a loop for each colour.
    """
    first_ship, first_expedition = game.harbour.shape[0], first_kind(game, tables)
    first_tax = game.unseen.shape[0] - tables.tax_from.shape[0]
    sabres = game.sabres[game.active]
    size = max(1, size)  # without cards, all sums are 0
    colours = game.harbour_ship.shape[0]
    in_harbour = 0  # colours, a bit each
    for colour in range(colours):
        in_harbour |= (game.harbour_ship[colour] != NOTHING) << colour
    ships = bust = persons = taxes = 0
    for kind in range(first_ship, first_expedition):
        count, colour = int(faces[kind]), int(tables.colour[kind])
        ships += count << (_BITS * colour)
        strong = (tables.repellable[kind] == 0) | (sabres_needed(game, tables, kind) > sabres)
        bust += count * (strong & (in_harbour >> colour))
    for colour in range(colours):
        out[at + colour] = _chance((ships >> (_BITS * colour)) % (1 << _BITS), size, out)
    for kind in range(first_ship):
        persons += int(faces[kind])
    for kind in range(first_tax, game.unseen.shape[0]):
        taxes += int(faces[kind])
    out[at + colours] = _chance(persons, size, out)
    out[at + colours + 1] = _chance(taxes, size, out)
    out[at + colours + 2] = _chance(bust, size, out)
    return at + colours + len(_CHANCES)


@compiled
def _chance(cards: int, size: int, out: np.ndarray) -> float:
    """In compact observations in 255ths: who wants to know more exactly counts the unseen faces."""
    return (MOST * cards + size // 2) // size if is_compact(out) else cards / size


@with_time_deck(lambda game, tables, scratch, at, out: at)
def _write_time_chances(game: Record, tables: Record, scratch: np.ndarray, at: int, out: np.ndarray) -> int:
    """The chances for a time card when the first epoch is closed; its faces are counted in ``scratch``.

    In Numba, one variable cannot be a field of the record or another array, so this is a separate function.
    """
    size = cards_of_epoch(game, 0)
    for kind in range(game.unseen.shape[0]):
        scratch[kind] = 0
    for place in range(size):
        scratch[game.closed[place]] += 1
    return _write_chances_of(game, tables, scratch, size, at, out)


@compiled
def new_scratch(games: np.ndarray) -> np.ndarray:
    """Work space for the faces of one epoch by kind."""
    return np.zeros(_MOST_KINDS, np.uint8)


@with_gamblers(lambda game, at, out: at)
def _write_gamblers(game: Record, at: int, out: np.ndarray) -> int:
    out[at] = int(game.gamblers_used)
    return at + 1


@with_merchants(lambda game, viewer, at, out: at)
def _write_under(game: Record, viewer: int, at: int, out: np.ndarray) -> int:
    for place in range(game.players):
        ships = 0
        for ship in range(game.under.shape[1]):
            ships += int(game.under[(viewer + place) % game.players, ship])
        out[at + place] = ships
    return at + game.players


@with_gifts(lambda game, tables, at, out: at)
def _write_gifts(game: Record, tables: Record, at: int, out: np.ndarray) -> int:
    out[at] = game.gift > 0
    for colour in range(NUM_COLOURS):
        kind = int(game.harbour_ship[colour])
        out[at + 1 + colour] = kind != NOTHING and tables.coins_other[kind] > 0
    return at + 1 + NUM_COLOURS


@with_contracts(lambda game, tables, viewer, at, out: at)
def _write_contracts(game: Record, tables: Record, viewer: int, at: int, out: np.ndarray) -> int:
    players, contracts = game.players, game.cube.shape[1]
    out[at] = game.asked_about != NOTHING
    at += 1
    for contract in range(contracts):
        finishers = 0
        for seat in range(players):
            finishers += int(game.cube[seat, contract] >= FIRST_COIN_SPACE)
        out[at + contract] = game.asked_about == contract
        out[at + contracts + contract] = game.face_up[contract]
        free = game.face_up[contract] == 1 and finishers < MOST_COIN_SPACES
        out[at + 2 * contracts + contract] = tables.track[contract, finishers] if free else 0
        for place in range(players):
            cube = int(game.cube[(viewer + place) % players, contract])
            done = cube >= FIRST_COIN_SPACE
            own = contract * players + place
            out[at + 3 * contracts + own] = 0 if done else cube
            out[at + (3 + players) * contracts + own] = done
    at += (3 + 2 * players) * contracts
    for place in range(players):
        seat = (viewer + place) % players
        cubes = 0
        for contract in range(contracts):
            cubes += int(game.cube[seat, contract] != 0)
        out[at + place] = NUM_CUBES - cubes
        for colour in range(NUM_COLOURS):
            out[at + players + place * NUM_COLOURS + colour] = game.kept[seat, colour] != NOTHING
    return at + players * (1 + NUM_COLOURS)


@with_time_deck()
def _write_time(game: Record, at: int, out: np.ndarray) -> None:
    out[at] = game.question == _SET_ASIDE
    out[at + 1] = int(game.time)
    out[at + 2] = int(game.score)


_SET_ASIDE = QUESTIONS.index("set_aside")
