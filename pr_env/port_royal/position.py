"""A game as plain Python values and back: `to_dict` describes everything, `from_dict` sets up a description.

This module describes, read_position.py sets up. Cards have the names of the action table: persons by type, colour, cost
and influence (``trader_yellow_3_1``, ``sailor_5_2``), ships by colour, coins and sabres (``red_2_3``,
``black_4_skull``, ``green_3_3_gift``), expeditions and taxes by type (``two_priests``, ``tax_max_sabres``). A position
of three players:

    PortRoyal(players=3).from_dict({
        "game": "port_royal",
        "players": 3,
        "seed": 7,
        "generator": 7191089600892374487,  # state of the random generator, which decides all future chance
        "turn": 5,                         # from 1; turn 1 is seat 0's
        "decisions": 41,                   # so far
        "active": 1,                       # seat whose turn it is
        "player": 2,                       # seat that is asked
        "question": "take",                # discover, repel, pay, take, end_of_turn, give, immediate, set_aside
        "last_round": False,               # True: the game ends after this round
        "ending": [],                      # why the game is over; the question is then "game_over"
        "dry_turns": 0,                    # turns in a row without a card turned up
        "drawn": 3,                        # cards turned up in this turn
        "takes": 1,                        # cards that the player may still take in its part
        "others_acted": False,             # whether another player took a card or completed a contract in this turn
        "seats": [
            {"coins": 3, "display": {"sailor_3_1": 2, "captain_4_1": 1}, "expeditions": []},
            {"coins": 7, "display": {}, "expeditions": ["two_settlers"]},
            {"coins": 4, "display": {"trader_red_3_1": 1}, "expeditions": []},
        ],
        "harbour": {"persons": {"priest_4_1": 1}, "ships": ["blue_1_1", "red_2_3"]},
        "table": ["two_captains"],         # expeditions that can be claimed
        "discard": {"yellow_1_1": 2},
        "deck": 94,                        # number of cards in the deck
        # "face_down": {card: count}: faces of the deck and of the coins drawn since the last shuffle
        "older": [{"coins": [1, 0, 0], "faces": {"jester_5_1": 1}}],  # coins of earlier shuffles, oldest first
        "asleep": ["trade blue"],          # legal, but not offered again: the same outcome was offered before
        "decision": {},                    # what the question is about
    })

What a set adds:

- merchants: ``"under_merchants": {"red_2_3": 1}`` of a seat.
- contracts: ``"contracts"``, the face-up ones, each with the seats that have completed it in that order and, if it has
  progress spaces, each seat's place on them: ``{"fighter": {"completed": [2, 0]}, "frigate_foe": {"completed": [],
  "progress": [0, 2, 0]}}``; ``"kept_ships": ["red_2_3"]`` of a seat; ``"asked": ["three_colours"]``, what was already
  asked in this turn.
- cooperative and solo games: ``"time_deck"`` and ``"score_deck"``, numbers of cards. They belong to the first
  shuffle.
- gamblers: ``"gamblers_used"`` in this turn.
- the adventure: of a seat ``"character"`` (None before it is chosen), ``"character_card"``, ``"returned_cubes"``,
  ``"crowns"`` and ``"items"``, its kept ships; ``"missions"``, a list of those laid out as
  ``{"mission": "52", "completed": [1], "progress": [2, 0]}``; ``"events": {"now": "e04", "deck": ["e04", None, None],
  "revealed": 1}``, the order of this month without its end, None where unknown; ``"asked"``, missions already asked
  about in this turn; ``"take_less"``, ``"lookouts_used"``, ``"innkeepers_used"``; ``"seen_on_top": {"card":
  "pirate_5_1", "seat": 0}``.

``"decision"`` holds ``"ship"`` (repel); ``"expedition"``, ``"owed"``, ``"only_jacks"`` and ``"claimed_at"`` (pay);
``"coins"`` (give); ``"contract"``, and after a tax ``"tax"`` and ``"to_ask"`` (immediate); and while a gambler's cards
are drawn ``"draws_left"`` and ``"double_ships"``. In the adventure it holds ``"mission"`` (immediate, item),
``"completed_at"``, ``"owed_pirates"`` and ``"only_herbs"`` (item), ``"cards"`` and ``"older"``, which marks cards from
the previous shuffle (look), ``"price"`` and ``"to_ask"`` (cube), ``"only_special"`` (pay).

A description may leave out nearly everything. By default, seats are empty and seat 0 discovers in the first turn. Cards
that are not mentioned are face down, and those that are not coins are in the deck. All coins are from the last shuffle,
takes are those at the beginning of a part, and the first contracts of the card file are face up. Influence and sabres
follow from the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pr_env.port_royal.adventure import position as adventure
from pr_env.port_royal.adventure.names import ALL_COLOURS, ALL_SYMBOLS
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP, TAX
from pr_env.port_royal.state import (
    FIRST_COIN_SPACE,
    NAME,
    NOTHING,
    ON_TABLE,
    OWNED,
    QUESTIONS,
)

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal

ASKED = ("three_colours", "four_colours")  # bits of the field `asked_turn`


class Names:
    """The names of a configuration's cards and actions, by their numbers."""

    def __init__(self, game: PortRoyal) -> None:
        kinds = game.cards.kinds
        self.kinds = [card.name for card in kinds]
        self.persons, self.ships, self.expeditions, self.taxes = (
            [card.name for card in kinds if card.kind == kind] for kind in (PERSON, SHIP, EXPEDITION, TAX)
        )
        self.first_ship = len(self.persons)
        self.first_expedition = self.first_ship + len(self.ships)
        self.first_tax = self.first_expedition + len(self.expeditions)
        self.contracts = [contract.name for contract in game.cards.contracts]
        self.sleepers = [" ".join(map(str, game.actions[number].name)) for number in game.sleepers]
        self.symbols = ALL_SYMBOLS[: game.shape.symbols]
        self.colours = ALL_COLOURS[: game.shape.colours]


# -- telling -----------------------------------------------------------------------------------------------------------


def tell_position(record: Any, game: PortRoyal) -> dict[str, Any]:
    """Everything in the record, in JSON-safe words and numbers."""
    # Plain lists and numbers: reading a NumPy record number by number takes ten times as long.
    told = SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names})
    names = Names(game)
    position = {
        "game": NAME,
        "players": told.players,
        "seed": told.seed,
        "generator": told.rng,
        "turn": told.turn,
        "decisions": told.decisions,
        "active": told.active,
        "player": told.player,
        "question": QUESTIONS[told.question],
        "last_round": bool(told.end_flag),
        "ending": [reason for bit, reason in enumerate(game.end_reasons) if told.ending >> bit & 1],
        "dry_turns": told.dry,
        "drawn": told.drawn,
        "takes": told.takes,
        "others_acted": bool(told.acted),
        "seats": [_tell_seat(told, game, names, seat) for seat in range(told.players)],
        "harbour": {
            "persons": _tell_counts(names.persons, told.harbour),
            "ships": _tell_kinds(names, told.harbour_ship),
        },
        "table": [name for name, place in zip(names.expeditions, told.expedition, strict=True) if place == ON_TABLE],
        "discard": _tell_counts(names.kinds, told.discard),
        "deck": told.deck,
        "face_down": _tell_counts(names.kinds, told.unseen),
        "older": _tell_older(told, names),
    }
    if told.merged:
        position["merged"] = told.merged
    if game.shape.contracts:
        position["contracts"] = _tell_contracts(told, game)
        position["asked"] = [what for bit, what in enumerate(ASKED) if told.asked_turn >> bit & 1]
    if game.shape.cooperative:
        position["time_deck"], position["score_deck"] = told.time, told.score
    if game.shape.gamblers:
        position["gamblers_used"] = told.gamblers_used
    if game.shape.adventure:
        position |= adventure.tell(told, game, names)
    position["asleep"] = [name for name, asleep in zip(names.sleepers, told.asleep, strict=True) if asleep]
    position["decision"] = _tell_decision(told, names)
    if game.shape.adventure:
        position["decision"] |= adventure.tell_decision(told, game, names)
    return position


def _tell_counts(names: Sequence[str], counts: Iterable[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def _tell_kinds(names: Names, kinds: Iterable[int]) -> list[str]:
    return [names.kinds[kind] for kind in kinds if kind != NOTHING]


def _tell_seat(told: Any, game: PortRoyal, names: Names, seat: int) -> dict[str, Any]:
    told_seat: dict[str, Any] = {
        "coins": told.purse[seat],
        "display": _tell_counts(names.persons, told.display[seat]),
        "expeditions": [
            name for name, place in zip(names.expeditions, told.expedition, strict=True) if place == OWNED + seat
        ],
    }
    if hasattr(told, "under"):
        told_seat["under_merchants"] = _tell_counts(names.ships, told.under[seat])
    if hasattr(told, "kept"):
        told_seat["kept_ships"] = _tell_kinds(names, told.kept[seat])
    if game.shape.adventure:
        told_seat |= adventure.tell_seat(told, game, names, seat)
    return told_seat


def _tell_older(told: Any, names: Names) -> list[dict[str, Any]]:
    """The earlier shuffles: who has coins from them, and the faces of these cards in total."""
    older = []
    start = 0
    for epoch in range(told.epoch):
        coins = [told.coins[seat][epoch] for seat in range(told.players)]
        size = sum(coins) + (told.time + told.score if epoch == 0 and hasattr(told, "time") else 0)
        faces = told.closed[start : start + size]
        start += size
        older.append({"coins": coins, "faces": {names.kinds[kind]: faces.count(kind) for kind in dict.fromkeys(faces)}})
    return older


def _tell_contracts(told: Any, game: PortRoyal) -> dict[str, Any]:
    contracts = {}
    for number, contract in enumerate(game.cards.contracts):
        if not told.face_up[number]:
            continue
        cubes = [told.cube[seat][number] for seat in range(told.players)]
        finishers = [seat for seat in range(told.players) if cubes[seat] >= FIRST_COIN_SPACE]
        entry: dict[str, Any] = {"completed": sorted(finishers, key=cubes.__getitem__)}
        if contract.progress_spaces:
            entry["progress"] = [cube if cube < FIRST_COIN_SPACE else 0 for cube in cubes]
        contracts[contract.name] = entry
    return contracts


def _tell_decision(told: Any, names: Names) -> dict[str, Any]:
    """What the question is about; also kept in a game that was truncated in the middle of a decision."""
    decision: dict[str, Any] = {}
    if told.pending >= names.first_tax:
        decision["tax"] = names.kinds[told.pending]
    elif told.pending >= names.first_expedition:
        decision |= {
            "expedition": names.kinds[told.pending],
            "owed": _tell_counts(names.symbols, told.owed),
            "only_jacks": bool(told.only_jacks),
            "claimed_at": QUESTIONS[told.claimed_at],
        }
    elif told.pending != NOTHING:
        decision["ship"] = names.kinds[told.pending]
    if getattr(told, "gift", 0):
        decision["coins"] = told.gift
    if hasattr(told, "cube") and told.asked_about != NOTHING:
        decision["contract"] = names.contracts[told.asked_about]
    if getattr(told, "ask", 0):
        decision["to_ask"] = [seat for seat in range(told.players) if told.ask >> seat & 1]
    if getattr(told, "draws_left", 0):
        decision["draws_left"] = told.draws_left
        decision["double_ships"] = _tell_kinds(names, told.double_ship)
    return decision
