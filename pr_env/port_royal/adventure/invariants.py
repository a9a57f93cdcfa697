"""What must be true of every record of an adventure, in addition to what is true of all games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pr_env.port_royal.adventure.names import (
    AS_LOOKOUT,
    AS_MADEMOISELLE,
    AS_SAILOR,
    BOOK,
    CUBES,
    DISCARD_ARES,
    FIRST_ITEM_SYMBOL,
    FREE,
    HERBS,
    INNKEEPER,
    LOOK_AT,
    LOOKOUT,
    NUM_CHARACTERS,
    PAY_TAX,
    REPEL_LESS,
    REPEL_MORE,
    SAILOR_SABRES,
    SLOTS,
    SPECIAL_ABILITY,
    TROPHY,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER, NO_CUBE
from pr_env.port_royal.state import (
    CHARACTER,
    CUBE,
    DISCOVER,
    END_OF_TURN,
    GAME_OVER,
    IMMEDIATE,
    ITEM,
    LOOK,
    NOTHING,
    PAY,
    SIDE,
    TAKE,
)
from pr_env.port_royal.tables import MADEMOISELLE

if TYPE_CHECKING:
    from pr_env.port_royal.invariants import Check


def ranges(check: Check) -> None:
    """Check that no number leads a rule to index outside its arrays."""
    if not check.has("crowns"):
        return
    shape, tables, players = check.shape, check.tables, check.players
    check.within("dealt", 0, NUM_CHARACTERS)
    check.within("character", NOTHING, shape.characters - 1)
    check.within("uncovered", 0, CUBES)
    check.within("crowns", 0, int(tables.last_crown))
    check.within("items", 0, shape.cards)
    check.within("mission", NOTHING, shape.missions - 1)
    check.within("mission_place", NO_CUBE, FIRST_FINISHER + players - 1)
    check.within("ask", 0, (1 << players) - 1)
    check.within("asked_about", NOTHING, SLOTS - 1)
    check.within("asked_turn", 0, (1 << SLOTS) - 1)
    check.within("take_less", 0, 100)
    check.within("completing", NOTHING, SLOTS - 1)
    check.within("completed_at", 0, IMMEDIATE)
    check.within("owed_ares", 0, 30)
    check.within("only_herbs", 0, 1)
    check.within("only_special", 0, 1)
    check.within("event", NOTHING, shape.events - 1)
    check.within("event_deck", NOTHING, shape.events - 1)
    check.within("event_count", 1, check["event_deck"].shape[1])
    check.within("event_place", 0, check["event_deck"].shape[1])
    check.within("cube_price", 0, 99)
    check.within("look", NOTHING, shape.kinds - 1)
    check.within("look_old", 0, (1 << LOOK_AT) - 1)
    check.within("top", NOTHING, shape.kinds - 1)
    check.within("top_owner", 0, players - 1)
    check.within("lookouts_used", 0, 100)
    check.within("inn_used", 0, shape.cards)


def seats(check: Check) -> None:
    """Check that characters are from different cards, and that unused seats are empty."""
    if not check.has("crowns"):
        return
    players, question = check.players, check["question"]
    for name in ("dealt", "uncovered", "crowns", "items", "mission_place"):
        check.holds(check[name][:, players:] == 0, f"{name} must be 0 for seats that do not play")
    check.holds(check["character"][:, players:] == NOTHING, "character must be empty for seats that do not play")
    dealt, character = check["dealt"][:, :players], check["character"][:, :players]
    for card in range(1, NUM_CHARACTERS + 1):
        check.holds((dealt == card).sum(axis=1) <= 1, f"card {card} must not be there twice")
    own = check.tables.character_card[np.maximum(character, 0)] == dealt
    check.holds((character == NOTHING) | own, "a character must be a side of the card that was dealt")
    if check.tables.draft:
        check.holds((dealt == 0) == (character == NOTHING), "a drafted card must be chosen with its side")
    else:
        check.holds(dealt > 0, "every player must have a character card")
    choosing = np.isin(question, (SIDE, CHARACTER))
    over = question == GAME_OVER  # a game may be truncated in the middle of a decision
    check.holds(
        question != (SIDE if check.tables.draft else CHARACTER), "characters must be chosen in the configured way"
    )
    check.holds(
        over | (choosing == (character == NOTHING).any(axis=1)), "characters must be chosen before the first turn"
    )
    player = check["player"]
    waiting = character[check.rows, np.minimum(player, players - 1)] == NOTHING
    check.holds(~choosing | waiting, "a player who is asked for a character must have none")
    places = np.arange(players)
    done = places > player[:, None] if check.tables.draft else places < player[:, None]
    check.holds(
        ~choosing[:, None] | (done == (character != NOTHING)), "characters must be chosen in the order of seats"
    )
    none = check["purse"][:, :players] == 0
    check.holds(~choosing[:, None] | none, "there must be no coins before the first turn")
    check.holds(~choosing | (check["turn"] == 1), "characters must be chosen in turn 1")


def missions(check: Check) -> None:
    """Check that cubes are on missions, and that each of them has uncovered a field."""
    if not check.has("crowns"):
        return
    mission, places, players = check["mission"], check["mission_place"], check.players
    there = mission != NOTHING
    check.holds(
        there[:, 0] & (there[:, :-1] | ~there[:, 1:]).all(axis=1), "missions must fill the slots from the first on"
    )
    for slot in range(1, SLOTS):
        again = (mission[:, :slot] == mission[:, slot : slot + 1]).any(axis=1)
        check.holds(~there[:, slot] | ~again, "a mission must not be laid out twice")
    check.holds(there[:, None] | (places == NO_CUBE), "cubes must be on missions that are laid out")
    progress = (places > NO_CUBE) & (places < FIRST_FINISHER)
    times = check.tables.times[np.maximum(mission, 0)]
    check.holds(~progress | (places < times[:, None]), "a cube must be on one of the mission's progress spaces")
    done = places >= FIRST_FINISHER
    finishers = done.sum(axis=1)
    for place in range(players):
        check.holds(
            (places == FIRST_FINISHER + place).sum(axis=1) == (finishers > place), "finishers must be numbered in order"
        )
    completed, uncovered = done.sum(axis=2), check["uncovered"]
    check.holds(completed <= uncovered, "each completed mission must uncover a field")
    check.holds(uncovered + progress.sum(axis=2) <= CUBES, f"a character must not use more than {CUBES} cubes")
    if check.tables.together:
        check.holds(check["end_flag"] == 0, "end_flag must be 0, as influence does not end a cooperative chapter")


def events(check: Check) -> None:
    """Check that the event deck holds each card once, and that only revealed cards are known."""
    if not check.has("crowns"):
        return
    deck, count_, place = check["event_deck"], check["event_count"], check["event_place"]
    tables, slots = check.tables, np.arange(deck.shape[1])
    check.holds((slots < count_[:, None]) | (deck == NOTHING), "event_deck must be empty after its cards")
    check.holds(place <= count_, "event_place must not exceed the number of events")
    check.holds((slots >= place[:, None]) | (deck != NOTHING), "revealed events must be known")
    check.holds(count_ >= tables.month_events, "a month must not get shorter")
    hidden = (deck == NOTHING) & (slots < count_[:, None])
    later = count_ > tables.month_events
    check.holds(~later | (hidden[:, 1:].sum(axis=1) == 0), "after the first month only the newest event can be unknown")
    number = np.where(deck == NOTHING, 0, tables.event_number[np.maximum(deck, 0)])
    check.holds(number <= (1 if tables.adds_card_1 else 0), "events in event_deck must belong to this deck")
    for one in range(check.shape.events):
        check.holds((deck == one).sum(axis=1) <= 1, "an event must not be there twice")
    if tables.adds_card_1:
        ones = (number == 1).sum(axis=1)
        check.holds((ones == 1) | (~later & hidden.any(axis=1)), "card 1 must be among the events of the first month")
    event, question = check["event"], check["question"]
    over = question == GAME_OVER
    choosing = np.isin(question, (SIDE, CHARACTER))
    check.holds(over | (choosing == (event == NOTHING)), "each turn must have an event")
    last = np.where(place > 0, deck[check.rows, np.maximum(place - 1, 0)], tables.month_end)
    at_end = event == tables.month_end
    check.holds(over | choosing | at_end | (event == last), "the event must be the last one revealed")
    check.holds(
        over | (question != CUBE) | (at_end & (place == count_)), "cubes can be paid for only at the end of a month"
    )


def half_made(check: Check) -> None:
    """Check that unfinished decisions belong to the current question and can be finished."""
    if not check.has("crowns"):
        return
    question, rows, tables = check["question"], check.rows, check.tables
    over = question == GAME_OVER
    player, active = check["player"], check["active"]
    mission, places = check["mission"], check["mission_place"]
    about = check["asked_about"]
    check.holds(
        over | ((question == IMMEDIATE) == (about != NOTHING)),
        "asked_about must be set at the question 'immediate' and nowhere else",
    )
    slot = np.maximum(about, 0)
    asked = mission[rows, slot]
    check.holds((about == NOTHING) | (asked != NOTHING), "a mission that is asked about must be laid out")
    trigger = tables.trigger[np.maximum(asked, 0)]
    check.holds((about == NOTHING) | (trigger != FREE), "a free mission must not be asked about")
    place = places[rows, player, slot]
    progress = ((places > NO_CUBE) & (places < FIRST_FINISHER)).sum(axis=2)
    free = (check["uncovered"] + progress)[rows, player] < CUBES
    open_ = (place < FIRST_FINISHER) & ((place != NO_CUBE) | free)
    check.holds(over | (about == NOTHING) | open_, "it must be possible to complete a mission that is asked about")
    by_tax = (about != NOTHING) & (trigger == PAY_TAX)
    taxed = check["pending"] >= check.shape.kinds - check.shape.taxes
    paying_tax = (question == ITEM) & (check["completed_at"] == IMMEDIATE)
    check.holds(over | paying_tax | (by_tax == taxed), "pending must be the tax that the question is about")
    check.holds(
        over | by_tax | (about == NOTHING) | (player == active), "only the active player can be asked about the harbour"
    )
    check.holds(
        over | taxed | (question == CUBE) | (check["ask"] == 0),
        "ask must be 0 except for taxes and the end of the month",
    )
    price = check["cube_price"]
    check.holds(
        over | ((question == CUBE) == (price > 0)), "cube_price must be set at the question 'cube' and nowhere else"
    )
    check.holds(
        (question != CUBE) | (free & (check["purse"][rows, player] >= price)), "it must be possible to pay for a cube"
    )
    _items(check, over, question, player, mission)
    _looks(check, over, question)
    inn_used = check["inn_used"]
    inns = np.where(tables.ability == INNKEEPER, check["display"][rows, player], 0)
    selling = np.isin(question, (TAKE, PAY, ITEM))
    check.holds(~selling[:, None] | (inn_used <= inns), "an innkeeper must not buy more than once per part")


def _items(check: Check, over: np.ndarray, question: np.ndarray, player: np.ndarray, mission: np.ndarray) -> None:
    rows, tables = check.rows, check.tables
    slot = check["completing"]
    check.holds(
        over | ((question == ITEM) == (slot != NOTHING)),
        "completing must be set at the question 'item' and nowhere else",
    )
    kind = np.maximum(mission[rows, np.maximum(slot, 0)], 0)
    there = mission[rows, np.maximum(slot, 0)] != NOTHING
    check.holds((slot == NOTHING) | there, "a mission that is paid for must be laid out")
    owed = check["owed_ares"]
    pays = question == ITEM
    check.holds(over | (pays == (owed > 0)), "owed_ares must be set at the question 'item' and nowhere else")
    check.holds(
        ~pays | (owed <= tables.spend[kind, DISCARD_ARES]), "owed_ares must not exceed what the mission asks for"
    )
    first = check.shape.persons + check.shape.ships - check.shape.item_ships
    item = tables.ship_item[first : first + check.shape.item_ships]
    own = check["items"][rows, player]
    books, herbs = own[:, item == BOOK].sum(axis=1), own[:, item == HERBS].sum(axis=1)
    spend = tables.spend[kind]
    books, herbs = books - spend[:, DISCARD_ARES + 1], herbs - spend[:, DISCARD_ARES + 2]
    enough = np.where(check["only_herbs"] == 1, herbs >= owed, (books >= 0) & (herbs >= 0) & (books + herbs >= owed))
    check.holds(~pays | enough, "what a mission asks for must be there")
    rest = np.ones(len(rows), bool)
    for name in range(2, 4):
        rest &= own[:, item == name].sum(axis=1) >= spend[:, DISCARD_ARES + 1 + name]
    rest &= check["purse"][rows, player] >= spend[:, 0]
    rest &= check["crowns"][rows, player] >= spend[:, -1]
    check.holds(~pays | rest, "what a mission costs must be there")
    places = check["mission_place"]
    progress = ((places > NO_CUBE) & (places < FIRST_FINISHER)).sum(axis=2)
    place = places[rows, player, np.maximum(slot, 0)]
    free = (check["uncovered"] + progress)[rows, player] < CUBES
    open_ = (place < FIRST_FINISHER) & ((place != NO_CUBE) | free)
    check.holds(~pays | open_, "it must be possible to complete a mission that is paid for")
    at = check["completed_at"]
    check.holds(
        ~pays | np.isin(at, (DISCOVER, TAKE, END_OF_TURN, IMMEDIATE)),
        "completed_at must be a question at which missions can be completed",
    )


def _looks(check: Check, over: np.ndarray, question: np.ndarray) -> None:
    look, old = check["look"], check["look_old"]
    there = look != NOTHING
    check.holds(
        over | ((question == LOOK) == there.any(axis=1)), "look must be set at the question 'look' and nowhere else"
    )
    different = (look.max(axis=1) != look[:, 0]) | (np.where(there, look, look[:, :1]).min(axis=1) != look[:, 0])
    check.holds((question != LOOK) | (there[:, 0] & different), "there must be a choice at the question 'look'")
    ordered = ~there[:, 1:] | (there[:, :-1] & (look[:, :-1] <= look[:, 1:]))
    check.holds(ordered, "look must be in the order of kinds")
    bits = (old[:, None] >> np.arange(LOOK_AT)) & 1
    check.holds((bits == 0) | there, "look_old must only mark cards in look")
    check.holds((old == 0) | (check["epoch"] > 0), "look_old must be 0 without an earlier epoch")
    top = check["top"] != NOTHING
    check.holds(~top | (check["deck"] > 0), "a known top card needs a deck")
    check.holds(top | (check["top_owner"] == 0), "top_owner must be 0 without a known top card")
    check.holds(~top | (question != LOOK), "the known top card must be among those looked at")
    used, active = check["lookouts_used"], check["active"]
    counting = np.isin(question, (DISCOVER, LOOK))
    own = check["staff"][check.rows, active, LOOKOUT]
    check.holds(~counting | (used <= own), "lookouts_used must not be more than the active player has")


def cards(check: Check) -> list[np.ndarray]:
    """Cards at places of the adventure: kinds, or NOTHING, and ships by kind and seat."""
    if not check.has("crowns"):
        return []
    return [check["look"], check["top"]]


def seen_on_top(check: Check) -> np.ndarray | int:
    """1 where the top card of the deck is not among the unseen faces."""
    return (check["top"] != NOTHING).astype(np.int64) if check.has("crowns") else 0


def character_sabres(check: Check) -> np.ndarray | int:
    """Sabres of characters."""
    return SAILOR_SABRES * _can(check, AS_SAILOR) if check.has("crowns") else 0


def character_staff(check: Check, staff: np.ndarray) -> None:
    """Characters who work like persons."""
    if check.has("crowns"):
        staff[:, :, MADEMOISELLE] += _can(check, AS_MADEMOISELLE)
        staff[:, :, LOOKOUT] += _can(check, AS_LOOKOUT)


def _can(check: Check, ability: int) -> np.ndarray:
    character = check["character"]
    there = (character != NOTHING) & (check["uncovered"] > 0)
    return there & (check.tables.character_ability[np.maximum(character, 0)] == ability)


def crown_influence(check: Check) -> np.ndarray | int:
    """Influence of crowns."""
    return check.tables.crown_influence[check["crowns"]] if check.has("crowns") else 0


def end_flag(check: Check) -> None:
    """Check that influence and a trophy end a competitive chapter."""
    if not check.has("crowns") or check.tables.together:
        return
    enough = (check["influence"] >= check.tables.goal) & (check["uncovered"] >= TROPHY)
    check.holds(~enough.any(axis=1) | (check["end_flag"] == 1), "end_flag must be 1 with enough influence and a trophy")


def sabres_needed(check: Check, kind: np.ndarray) -> np.ndarray:
    """Sabres that repel a ship in this turn."""
    sabres: np.ndarray = check.tables.sabres[kind].astype(np.int64)
    if not check.has("crowns"):
        return sabres
    event, tables = check["event"], check.tables
    effect = np.where(event == NOTHING, NOTHING, tables.effect[np.maximum(event, 0)])
    amount = tables.amount[np.maximum(event, 0)]
    more = np.where(effect == REPEL_MORE, amount, 0) - np.where(effect == REPEL_LESS, amount, 0)
    return np.where(more == 0, sabres, np.maximum(1, sabres + more))


def special_persons(check: Check) -> np.ndarray | int:
    """Persons of the adventure with symbols, by symbol."""
    if not check.has("crowns"):
        return 0
    return check["staff"][check.rows, check["player"]][:, list(SPECIAL_ABILITY)]


def only_special(check: Check) -> np.ndarray:
    """Where matching persons no longer pay for the symbol."""
    return check["only_special"] == 1 if check.has("crowns") else np.zeros(len(check.games), bool)


def owed_items(check: Check, pays: np.ndarray, owed: np.ndarray) -> None:
    """Check that the player has the items that a claim asks for."""
    if not check.has("crowns"):
        return
    first = check.shape.persons + check.shape.ships - check.shape.item_ships
    item = check.tables.ship_item[first : first + check.shape.item_ships]
    own = check["items"][check.rows, check["player"]]
    for place in range(FIRST_ITEM_SYMBOL, check.shape.symbols):
        have = own[:, item == place - FIRST_ITEM_SYMBOL].sum(axis=1)
        check.holds(~pays | (owed[:, place] <= have), "the player must have the items that a claim owes")
