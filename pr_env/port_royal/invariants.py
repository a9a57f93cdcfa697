"""What must be true of every record: no cards are created or lost, and no rule indexes outside its arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pr_env.port_royal.adventure import invariants as adventure
from pr_env.port_royal.state import (
    AWAY,
    DISCOVER,
    END_OF_TURN,
    FIRST_COIN_SPACE,
    GAME_OVER,
    GIVE,
    IMMEDIATE,
    ITEM,
    NO_CUBE,
    NOTHING,
    NUM_EPOCHS,
    ON_TABLE,
    OWNED,
    PAY,
    QUESTIONS,
    REPEL,
    SET_ASIDE,
    TAKE,
)
from pr_env.port_royal.tables import (
    CONTRACT_INFLUENCE,
    CONTRACTS_COMPETITIVE,
    CONTRACTS_COOPERATIVE,
    GAMBLER,
    GAMBLER_DRAWS,
    JACK,
    LOSE_TO_TAX,
    NUM_CUBES,
    NUM_SYMBOLS,
    SYMBOL_ABILITY,
)

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal


def find_problems(games: np.ndarray, game: PortRoyal) -> list[str]:
    """Sentences about what is impossible in these records; empty if they are all possible."""
    if games.dtype != game.record:
        return ["records must be of this configuration"]
    if not len(games):
        return []
    if not game.fits(games):
        return [f"games must be for {game.players} players"]
    check = Check(games, game)
    for group in _GROUPS:  # later groups rely on the earlier ones
        group(check)
        if check.found:
            break
    return check.found


class Check:
    """Records of one configuration, and the problems found in them."""

    def __init__(self, games: np.ndarray, game: PortRoyal) -> None:
        self.games, self.game, self.shape = games, game, game.shape
        self.tables: Any = game.tables[0]
        self.found: list[str] = []
        self.rows = np.arange(len(games))

    def __getitem__(self, name: str) -> np.ndarray:
        """A field in a type with room for sums."""
        return self.games[name].astype(np.int64)

    def has(self, name: str) -> bool:
        """Whether the records have a field."""
        return name in (self.games.dtype.names or ())

    def holds(self, truth: np.ndarray, sentence: str) -> None:
        """Note a problem if something is not true of every record."""
        wrong = ~np.asarray(truth)
        if wrong.any():
            self.found.append(
                f"{sentence} (game {int(np.flatnonzero(wrong.reshape(len(self.games), -1).any(axis=1))[0])})"
            )

    def within(self, name: str, least: int, most: int) -> None:
        """Note a problem if a number is too small or too large."""
        values = self[name]
        self.holds((values >= least) & (values <= most), f"{name} must be from {least} to {most}")

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.game.players


def _ranges(check: Check) -> None:
    shape, players = check.shape, check.players
    first_expedition = shape.persons + shape.ships
    check.within("active", 0, players - 1)
    check.within("player", 0, players - 1)
    check.within("question", 0, len(QUESTIONS) - 1)
    own = ((GIVE, "gift"), (IMMEDIATE, "ask"), (SET_ASIDE, "time"))
    for question, field in (*own, *((question, "crowns") for question in range(SET_ASIDE + 1, len(QUESTIONS)))):
        if not check.has(field):
            check.holds(check["question"] != question, f"question must not be {QUESTIONS[question]!r} in this game")
    if not shape.expeditions:
        check.holds(check["question"] != PAY, "question must not be 'pay' in this game")
    check.holds(
        (check["ending"] != 0) == (check["question"] == GAME_OVER), "ending must be set if and only if the game is over"
    )
    check.within("ending", 0, (1 << len(check.game.end_reasons)) - 1)
    check.within("turn", 1, max(1, int(check.tables.max_turns)))
    check.within("decisions", 0, int(check.tables.max_decisions))
    for name in ("end_flag", "acted", "only_jacks"):
        check.within(name, 0, 1)
    check.within("dry", 0, players)
    check.holds((check["dry"] < players) | (check["question"] == GAME_OVER), "a round without a card must end the game")
    check.within("drawn", 0, 30000)
    check.within("takes", 0, 100)
    check.within("deck", 0, shape.cards)
    check.within("discards", 0, shape.cards)
    check.within("epoch", 0, NUM_EPOCHS - 1)
    check.within("closed", 0, shape.kinds - 1)
    check.within("pending", NOTHING, shape.kinds - 1)
    check.within("owed", 0, 9)
    check.within("asleep", 0, 1)
    check.within("claimed_at", 0, END_OF_TURN)
    for name in ("harbour", "display", "staff"):
        check.within(name, 0, shape.cards)
    for name in ("harbour_persons", "purse"):
        check.within(name, 0, shape.cards)
    check.within("expedition", AWAY, OWNED + players - 1)
    check.within("harbour_ship", NOTHING, first_expedition - 1)
    if check.has("draws_left"):
        check.within("draws_left", 0, 4)
        check.within("gamblers_used", 0, 100)
        check.within("double_ship", NOTHING, first_expedition - 1)
    if check.has("gift"):
        check.within("gift", 0, 99)
    if check.has("cube"):
        check.within("face_up", 0, 1)
        check.within("cube", NO_CUBE, FIRST_COIN_SPACE + players - 1)
        check.within("kept", NOTHING, first_expedition - 1)
        check.within("asked_about", NOTHING, shape.contracts - 1)
        check.within("ask", 0, (1 << players) - 1)
        check.within("asked_turn", 0, 3)
    if check.has("time"):
        check.within("time", 0, shape.cards)
        check.within("score", 0, shape.cards)
    adventure.ranges(check)


def _seats(check: Check) -> None:
    """Check that unused seats are empty."""
    for name in ("coins", "display", "staff", "purse", "sabres", "influence", "under", "cube"):
        if check.has(name):
            check.holds(check[name][:, check.players :] == 0, f"{name} must be 0 for seats that do not play")
    if check.has("kept"):
        check.holds(check["kept"][:, check.players :] == NOTHING, "kept must be empty for seats that do not play")


def _ships(check: Check) -> None:
    """Check that ships are in the slot of their colour."""
    colours = check.tables.colour
    for name in ("harbour_ship", "kept"):
        if check.has(name):
            ships = check[name]
            there = ships != NOTHING
            right = (ships >= check.shape.persons) & (colours[np.maximum(ships, 0)] == np.arange(ships.shape[-1]))
            check.holds(~there | right, f"{name} must hold ships of its own colours")
    if check.has("double_ship"):
        ships = check["double_ship"]
        check.holds((ships == NOTHING) | (ships >= check.shape.persons), "double_ship must hold ships")
        check.holds((ships[:, 1:] == NOTHING) | (ships[:, :-1] != NOTHING), "double_ship must be filled from its start")
        drawing = (check["draws_left"] > 0)[:, None]
        check.holds((ships == NOTHING) | drawing, "double_ship must be empty except for the draws of a gambler")
        doubles = (ships != NOTHING).sum(axis=1)
        check.holds(doubles + check["draws_left"] <= GAMBLER_DRAWS, "a gambler must not draw this many cards")
        own = check["staff"][check.rows, check["active"], GAMBLER]
        check.holds(check["gamblers_used"] <= own, "gamblers_used must not be more than the active player has")


def _half_made(check: Check) -> None:
    """Check that unfinished decisions belong to the current question."""
    shape, question, pending = check.shape, check["question"], check["pending"]
    first_expedition, first_tax = shape.persons + shape.ships, shape.kinds - shape.taxes
    over = question == GAME_OVER  # a game may be truncated in the middle of a decision
    ship = (pending >= shape.persons) & (pending < first_expedition)
    expedition = (pending >= first_expedition) & (pending < first_tax)
    check.holds(over | ((question == REPEL) == ship), "pending must be a ship at the question 'repel' and nowhere else")
    check.holds(
        over | ((question == PAY) == expedition), "pending must be an expedition at the question 'pay' and nowhere else"
    )
    taxed = pending >= first_tax
    taxing = np.isin(question, (IMMEDIATE, ITEM))
    check.holds(~taxed | over | taxing, "pending may be a tax only at the question 'immediate'")
    check.holds((pending < 0) | (pending >= shape.persons), "pending must not be a person")
    owed = check["owed"]
    check.holds(
        over | ((question == PAY) == owed.any(axis=1)), "owed must be set at the question 'pay' and nowhere else"
    )
    own_turn = np.isin(question, (DISCOVER, REPEL, PAY, END_OF_TURN, SET_ASIDE))
    check.holds(~own_turn | (check["player"] == check["active"]), "this question must be for the active player")
    takes = np.isin(question, (TAKE, GIVE, PAY, ITEM)) | over
    check.holds(takes | (check["takes"] == 0), "takes must be 0 except in phase 2")
    repels = question == REPEL
    kind = np.maximum(pending, 0)
    strong = check["sabres"][check.rows, check["active"]] >= adventure.sabres_needed(check, kind)
    check.holds(~repels | (strong & (check.tables.repellable[kind] == 1)), "the ship must be one that can be repelled")
    if shape.expeditions:
        pays = question == PAY
        place = np.clip(pending - first_expedition, 0, shape.expeditions - 1)
        check.holds(
            ~pays | (check["expedition"][check.rows, place] == ON_TABLE), "a claimed expedition must be on the table"
        )
        staff = check["staff"][check.rows, check["player"]]
        first = np.argmax(owed > 0, axis=1)
        able = staff[:, list(SYMBOL_ABILITY)]
        special = adventure.special_persons(check)
        symbols = np.arange(NUM_SYMBOLS) == first[:, None]
        only, no_match = check["only_jacks"] == 1, adventure.only_special(check)
        able = np.where(symbols & (only | no_match)[:, None], 0, able)
        able = able + np.where(symbols & only[:, None], 0, special)
        missing = np.maximum(owed[:, :NUM_SYMBOLS] - able, 0).sum(axis=1)
        check.holds(~pays | (missing <= staff[:, JACK]), "what a claim owes must be payable")
        adventure.owed_items(check, pays, owed)
        check.holds(
            ~pays | np.isin(check["claimed_at"], (DISCOVER, TAKE, END_OF_TURN)),
            "claimed_at must be a question at which claims are possible",
        )
    if check.has("gift"):
        check.holds(
            over | ((question == GIVE) == (check["gift"] > 0)),
            "gift must be set at the question 'give' and nowhere else",
        )
        check.holds((question != GIVE) | (check.players > 1), "a coin cannot be given in a solo game")
    if check.has("cube"):
        about = check["asked_about"]
        check.holds(
            over | ((question == IMMEDIATE) == (about != NOTHING)),
            "asked_about must be set at the question 'immediate' and nowhere else",
        )
        requirement = check.tables.requirement[np.maximum(about, 0)]
        check.holds((about == NOTHING) | (requirement >= LOSE_TO_TAX), "a free contract must not be asked about")
        by_tax = (about != NOTHING) & (requirement == LOSE_TO_TAX)
        check.holds(over | (by_tax == taxed), "pending must be the tax that the question is about")
        face_up = check["face_up"][check.rows, np.maximum(about, 0)] == 1
        check.holds((about == NOTHING) | face_up, "a contract that is asked about must be face up")
        cube = check["cube"][check.rows, check["player"], np.maximum(about, 0)]
        free = (check["cube"][check.rows, check["player"]] != NO_CUBE).sum(axis=1) < NUM_CUBES
        open_ = (cube < FIRST_COIN_SPACE) & ((cube != NO_CUBE) | free)
        check.holds((about == NOTHING) | over | open_, "it must be possible to complete a contract that is asked about")
        check.holds(over | taxed | (check["ask"] == 0), "ask must be 0 except for taxes")
    if check.has("time"):
        check.holds((question != SET_ASIDE) | (check["time"] > 0), "there must be a time card to set aside")
        begun = over | (check["drawn"] > 0)
        check.holds(begun | (check["time"] > 0), "there must be a time card for the first card of the turn")
    adventure.half_made(check)
    if check.has("draws_left"):
        drawing = np.isin(question, (IMMEDIATE, SET_ASIDE)) | over
        check.holds(drawing | (check["draws_left"] == 0), "this question must not interrupt a gambler's draws")


def _contracts(check: Check) -> None:
    if not check.has("cube"):
        return
    cubes = check["cube"][:, : check.players]
    wanted = CONTRACTS_COOPERATIVE[check.players] if check.has("time") else CONTRACTS_COMPETITIVE
    check.holds(check["face_up"].sum(axis=1) == wanted, f"{wanted} contracts must be face up")
    check.holds((cubes == NO_CUBE) | (check["face_up"][:, None] == 1), "cubes must be on face-up contracts")
    check.holds((cubes != NO_CUBE).sum(axis=2) <= NUM_CUBES, f"a player must not use more than {NUM_CUBES} cubes")
    progress = cubes < FIRST_COIN_SPACE
    check.holds(
        ~progress | (cubes <= check.tables.progress_spaces), "a cube must be on one of the contract's progress spaces"
    )
    finishers = (~progress).sum(axis=1)
    for space in range(check.players):
        there = (cubes == FIRST_COIN_SPACE + space).sum(axis=1)
        check.holds(there == (finishers > space), "coin spaces must be filled from the left, with one cube each")


def _epochs(check: Check) -> None:
    """Check that every unseen card of an epoch is in the deck, a coin, or in the time or score deck."""
    coins, epoch = check["coins"], check["epoch"]
    slots = np.arange(NUM_EPOCHS)
    sizes = coins.sum(axis=1)
    sizes[check.rows, epoch] += check["deck"] - adventure.seen_on_top(check)
    if check.has("time"):
        sizes[:, 0] += check["time"] + check["score"]
    later = slots > epoch[:, None]
    check.holds(~later | (coins.sum(axis=1) == 0), "coins must be of epochs up to the current one")
    check.holds((slots >= epoch[:, None]) | (sizes > 0), "an earlier epoch must have at least one card")
    check.holds(
        check["unseen"].sum(axis=1) == sizes[check.rows, epoch], "unseen must match the number of face-down cards"
    )
    earlier = np.where(slots < epoch[:, None], sizes, 0)
    length = earlier.sum(axis=1)
    check.holds(length <= check.shape.cards, "there must not be more cards than the game has")
    closed, places = check["closed"], np.arange(check.shape.cards)
    check.holds((places < length[:, None]) | (closed == 0), "closed must be 0 after its cards")
    ends = earlier.cumsum(axis=1)
    begins = np.zeros((len(check.games), check.shape.cards + 1), bool)
    np.put_along_axis(begins, np.minimum(ends, check.shape.cards), True, axis=1)
    ordered = (closed[:, 1:] >= closed[:, :-1]) | begins[:, 1:-1] | (places[1:] >= length[:, None])
    check.holds(ordered, "closed must be sorted by kind within an epoch")
    check.holds(coins.sum(axis=2) == check["purse"], "purse must be the number of coins")


def _cards(check: Check) -> None:
    """Check that every card of the game is somewhere, exactly once."""
    shape, tables, games = check.shape, check.tables, check.games
    first_expedition, first_tax = shape.persons + shape.ships, shape.kinds - shape.taxes
    counts = check["unseen"] + check["discard"]
    counts[:, : shape.persons] += check["harbour"] + check["display"].sum(axis=1)

    def add(kinds: np.ndarray) -> None:
        flat = kinds.reshape(len(games), -1)
        for column in flat.T:
            np.add.at(counts, (check.rows[column >= 0], column[column >= 0]), 1)

    length = np.zeros(len(games), np.int64)
    slots = np.arange(NUM_EPOCHS) < check["epoch"][:, None]
    length += np.where(slots, check["coins"].sum(axis=1), 0).sum(axis=1)
    if check.has("time"):
        length += np.where(check["epoch"] > 0, check["time"] + check["score"], 0)
    add(np.where(np.arange(shape.cards) < length[:, None], check["closed"], NOTHING))
    add(check["harbour_ship"])
    for name in ("kept", "double_ship"):
        if check.has(name):
            add(check[name])
    for kinds in adventure.cards(check):
        add(kinds)
    if check.has("items"):
        counts[:, first_expedition - shape.item_ships : first_expedition] += check["items"].sum(axis=1)
    if check.has("under"):
        counts[:, shape.persons : first_expedition] += check["under"].sum(axis=1)
    counts[:, first_expedition:first_tax] += check["expedition"] != AWAY
    pending = check["pending"]
    add(
        np.where((pending >= shape.persons) & ((pending < first_expedition) | (pending >= first_tax)), pending, NOTHING)
    )
    wanted = np.where(tables.min_players <= check.players, tables.copies, 0)
    for kind in np.flatnonzero((counts != wanted).any(axis=0)):
        wrong = int(np.flatnonzero(counts[:, kind] != wanted[kind])[0])
        name = check.game.cards.kinds[kind].name
        check.found.append(f"there must be {wanted[kind]} cards {name}, got {counts[wrong, kind]} (game {wrong})")
    never_shuffled = tables.min_players > 0
    check.holds(
        ~never_shuffled | (check["unseen"] + check["discard"] == 0),
        "an expedition that is never shuffled must not be face down or discarded",
    )


def _sums(check: Check) -> None:
    """Check that stored sums match their parts."""
    shape, tables = check.shape, check.tables
    display = check["display"]
    staff = np.zeros_like(check["staff"])
    for kind, ability in enumerate(tables.ability):
        staff[:, :, ability] += display[:, :, kind]
    adventure.character_staff(check, staff)
    check.holds(check["staff"] == staff, "staff must match the persons in the display by ability")
    sabres = display @ tables.sabres[: shape.persons] + adventure.character_sabres(check)
    check.holds(check["sabres"] == sabres, "sabres must match the display")
    influence = display @ tables.influence[: shape.persons]
    first = shape.persons + shape.ships
    for expedition in range(shape.expeditions):
        owner = check["expedition"][:, expedition] - OWNED
        influence[check.rows[owner >= 0], owner[owner >= 0]] += tables.influence[first + expedition]
    if check.has("under"):
        influence += check["under"].sum(axis=2)
    if check.has("cube"):
        completed = (check["cube"] >= FIRST_COIN_SPACE).sum(axis=2)
        influence += np.array(CONTRACT_INFLUENCE)[np.minimum(completed, NUM_CUBES)]
    influence += adventure.crown_influence(check)
    check.holds(check["influence"] == influence, "influence must match the display")
    adventure.end_flag(check)
    check.holds(check["discards"] == check["discard"].sum(axis=1), "discards must be the number of discarded cards")
    check.holds(
        check["harbour_persons"] == check["harbour"].sum(axis=1),
        "harbour_persons must be the number of persons in the harbour",
    )


_GROUPS: tuple[Callable[[Check], None], ...] = (
    _ranges,
    _seats,
    _ships,
    _half_made,
    _contracts,
    adventure.seats,
    adventure.missions,
    adventure.events,
    _epochs,
    _cards,
    _sums,
)
