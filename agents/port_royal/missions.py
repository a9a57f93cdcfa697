"""What missions of the adventure are worth to a player, and what brings it nearer to them.

A player's *stock* is what it has of everything that missions ask for. Each mission that is still wanted is worth a
number, and less the more the stock lacks. So one more captain, book or coin is worth what the stock is worth more with
it; the same comparison says whether to claim an expedition, or to complete a mission for a second cube.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.events import completed_by_somebody
from pr_env.port_royal.adventure.items import count_item
from pr_env.port_royal.adventure.names import (
    AS_SAILOR,
    BOOK,
    CHEAP,
    CUBES,
    DISCARD,
    DISCARD_ARES,
    DISCARD_COINS,
    DISCARD_CROWNS,
    FIRST_DISCARDED_ITEM,
    FIRST_ITEM_SYMBOL,
    FREE,
    HARBOUR_COLOURS,
    HAVE,
    HAVE_CAPTAIN,
    HAVE_CHEAP,
    HAVE_EXPEDITION,
    HAVE_INNKEEPER,
    HAVE_SABRES,
    HAVE_TYBUK,
    HERBS,
    INNKEEPER,
    ITEMS,
    NO_ITEM,
    PAY_TAX,
    SAILOR_SABRES,
    SLOTS,
    SPECIAL_ABILITY,
    STOP_AFTER_CARDS,
    TROPHY,
    TYBUK_BROTHER,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.people import count
from pr_env.port_royal.state import NOTHING, OWNED
from pr_env.port_royal.tables import NUM_SYMBOLS, SYMBOL_ABILITY
from pr_env.rules import Record

PlanRecord = Any

# A stock: an array with what HAVE names, then what DISCARD names. Pirates of the Ares are counted as books and herbs.
NUM_HAVE = len(HAVE)
COINS, CROWNS = NUM_HAVE + DISCARD_COINS, NUM_HAVE + DISCARD_CROWNS
FIRST_ITEM = NUM_HAVE + FIRST_DISCARDED_ITEM
STOCK = NUM_HAVE + len(DISCARD)
SECOND_SABRE = STOCK  # in what one more of each thing brings: two sabres at once
NEEDS = STOCK + 1

# How much a mission lacks for each missing thing: 1 for a card that must come and be taken.
EFFORT = np.ones(STOCK)
EFFORT[HAVE_SABRES] = 0.6
EFFORT[HAVE_EXPEDITION] = 1.5
EFFORT[HAVE_CHEAP] = 0.6
EFFORT[COINS] = 0.2
EFFORT[CROWNS] = 0.5
LUCK = 1.0  # what a mission lacks that waits for a tax, or for ships
BRANCH = 0.5  # the chance that a mission which the next one depends on will be completed


class Wanted(NamedTuple):
    """What a player wants for missions.

    Attributes:
        worths: What completing each mission is worth, in the order of the file; 0 for those that are not wanted.
        stock: What the player has.
        needs: What one more of each thing is worth; and two sabres.
        saved: What each coin is worth besides, up to ``save_up_to``.
        save_up_to: So many coins are saved for a mission.
        tax: The worth of losing coins to a tax.
    """

    worths: np.ndarray
    stock: np.ndarray
    needs: np.ndarray
    saved: float
    save_up_to: float
    tax: float


# -- which missions are wanted -----------------------------------------------------------------------------------------


@with_adventure(0)
def look_at_missions(game: Record, tables: Record, plan: PlanRecord, seat: int) -> Wanted:
    """What a player wants now; of no use in games without missions."""
    stocks = np.zeros((int(game.players), STOCK))
    for member in range(game.players):
        _take_stock(game, tables, member, stocks[member])
    worths = np.zeros(tables.star.shape[0])
    _list_worths(game, tables, plan, seat, stocks, worths)
    stock, scratch = stocks[seat], np.zeros(STOCK)
    needs = np.zeros(NEEDS)
    before = worth_of_stock(tables, plan, worths, stock, scratch)
    for thing in range(STOCK):
        if _is_asked_for(tables, worths, thing):
            stock[thing] += 1
            needs[thing] = worth_of_stock(tables, plan, worths, stock, scratch) - before
            if thing == HAVE_SABRES:
                stock[thing] += 1
                needs[SECOND_SABRE] = worth_of_stock(tables, plan, worths, stock, scratch) - before
                stock[thing] -= 1
            stock[thing] -= 1
    saved, save_up_to, tax = 0.0, 0.0, 0.0
    for mission in range(worths.shape[0]):
        wanted = float(tables.spend[mission, DISCARD_COINS])
        lack = _lack(tables, mission, stock) - EFFORT[COINS] * max(0.0, wanted - stock[COINS])
        if tables.trigger[mission] == PAY_TAX and worths[mission] > 0:
            wanted, lack, tax = float(tables.tax_from[0]), 0.0, worths[mission]
        if wanted > 0 and worths[mission] > 0:
            each = plan.saving * worths[mission] * plan.lack**lack / wanted
            if each > saved:
                saved, save_up_to = each, wanted
    return Wanted(worths, stock, needs, saved, save_up_to, tax)


@compiled
def _take_stock(game: Record, tables: Record, seat: int, stock: np.ndarray) -> None:
    """Write what a player has."""
    for symbol in range(NUM_SYMBOLS):
        own = count(game, seat, SYMBOL_ABILITY[symbol]) + count(game, seat, SPECIAL_ABILITY[symbol])
        stock[HAVE_CAPTAIN + symbol] = own
    stock[HAVE_SABRES] = game.sabres[seat]
    if game.uncovered[seat] > 0 and tables.jean_counts_for_missions == 0:
        if tables.character_ability[game.character[seat]] == AS_SAILOR:
            stock[HAVE_SABRES] -= SAILOR_SABRES
    for expedition in range(game.expedition.shape[0]):
        stock[HAVE_EXPEDITION] += game.expedition[expedition] == OWNED + seat
    for kind in range(game.display.shape[1]):
        if tables.cost[kind] == CHEAP:
            stock[HAVE_CHEAP] += game.display[seat, kind]
    stock[HAVE_TYBUK] = count(game, seat, TYBUK_BROTHER)
    stock[HAVE_INNKEEPER] = count(game, seat, INNKEEPER)
    stock[COINS] = game.purse[seat]
    stock[CROWNS] = game.crowns[seat]
    for item in range(len(ITEMS)):
        stock[FIRST_ITEM + item] = count_item(game, tables, seat, item)


@compiled
def _list_worths(
    game: Record, tables: Record, plan: PlanRecord, seat: int, stocks: np.ndarray, worths: np.ndarray
) -> None:
    """Write what completing each mission is worth to a player, or to its team."""
    if game.uncovered[seat] >= CUBES:
        return
    chances = np.zeros(worths.shape[0])
    if tables.together == 1:
        _list_later(game, tables, plan, chances)
    out = _missions_out(game)
    spare = tables.victory_cubes - _missions_wanted(game, tables, out) - _second_cubes(game)
    for slot in range(out):
        mission = int(game.mission[slot])
        if game.mission_place[seat, slot] >= FIRST_FINISHER:
            continue
        if tables.together == 0:
            worths[mission] = plan.own_mission if game.uncovered[seat] >= TROPHY else plan.trophy_mission
        elif not completed_by_somebody(game, slot):
            chances[mission] = 1.0
        else:
            worths[mission] = plan.second_cube if spare > 0 else plan.uncovering
    for mission in range(worths.shape[0]):
        if chances[mission] > 0:
            worths[mission] = plan.team_mission * chances[mission]
            own = _lack(tables, mission, stocks[seat])
            for member in range(stocks.shape[0]):
                if member != seat and game.uncovered[member] < CUBES and _lack(tables, mission, stocks[member]) < own:
                    worths[mission] = plan.team_mission * chances[mission] * plan.behind
                    break


@compiled
def _list_later(game: Record, tables: Record, plan: PlanRecord, chances: np.ndarray) -> None:
    """Write how much the missions count that may be laid out later in the chapter."""
    newest = _missions_out(game) - 1
    here = np.zeros(chances.shape[0])
    here[game.mission[newest]] = 1.0
    for _ in range(SLOTS - 1 - newest):
        after = np.zeros(chances.shape[0])
        for mission in range(chances.shape[0]):
            if here[mission] > 0 and tables.next_yes[mission] != NOTHING:
                yes = _chance_of_yes(game, int(tables.check[mission]))
                after[tables.next_yes[mission]] += plan.later * here[mission] * yes
                if tables.next_no[mission] != NOTHING:
                    after[tables.next_no[mission]] += plan.later * here[mission] * (1 - yes)
        here = after
        chances += after


@compiled
def _chance_of_yes(game: Record, asked: int) -> float:
    if asked == NOTHING:
        return 1.0
    for slot in range(SLOTS):
        if game.mission[slot] == asked and completed_by_somebody(game, slot):
            return 1.0
    return BRANCH


@compiled
def _missions_out(game: Record) -> int:
    out = 0
    while out < SLOTS and game.mission[out] != NOTHING:
        out += 1
    return out


@compiled
def _missions_wanted(game: Record, tables: Record, out: int) -> int:
    """Missions of the whole chapter: those laid out, and one for each month that follows."""
    mission, wanted = int(game.mission[out - 1]), out
    while wanted < SLOTS and tables.next_yes[mission] != NOTHING:
        mission = int(tables.next_yes[mission])
        wanted += 1
    return wanted


@compiled
def _second_cubes(game: Record) -> int:
    """Cubes on missions, but for the first one on each."""
    cubes = 0
    for slot in range(SLOTS):
        here = 0
        for seat in range(game.players):
            here += game.mission_place[seat, slot] >= FIRST_FINISHER
        cubes += max(0, here - 1)
    return cubes


# -- what a stock is worth ---------------------------------------------------------------------------------------------


@compiled
def _asked(tables: Record, mission: int, thing: int) -> int:
    """How many of a thing a mission asks for."""
    if thing < NUM_HAVE:
        return int(tables.have[mission, thing])
    return int(tables.spend[mission, thing - NUM_HAVE])


@compiled
def _is_asked_for(tables: Record, worths: np.ndarray, thing: int) -> bool:
    for mission in range(worths.shape[0]):
        if worths[mission] > 0:
            if _asked(tables, mission, thing) > 0:
                return True
            if thing - FIRST_ITEM in (BOOK, HERBS) and tables.spend[mission, DISCARD_ARES] > 0:
                return True
    return False


@compiled
def _lack(tables: Record, mission: int, stock: np.ndarray) -> float:
    """How much is missing for a mission."""
    lack = 0.0 if tables.trigger[mission] == FREE else LUCK
    for thing in range(STOCK):
        asked = _asked(tables, mission, thing)
        if asked > 0 and thing != NUM_HAVE + DISCARD_ARES:
            lack += EFFORT[thing] * max(0.0, asked - stock[thing])
    ares = tables.spend[mission, DISCARD_ARES]
    if ares > 0:
        lack += max(0.0, ares - _spare_ares(tables, mission, stock))
    return lack


@compiled
def _spare_ares(tables: Record, mission: int, stock: np.ndarray) -> float:
    """Kept pirates of the Ares beside the books and herbs that the mission asks for by name."""
    books = stock[FIRST_ITEM + BOOK] - tables.spend[mission, FIRST_DISCARDED_ITEM + BOOK]
    herbs = stock[FIRST_ITEM + HERBS] - tables.spend[mission, FIRST_DISCARDED_ITEM + HERBS]
    return float(max(0.0, books) + max(0.0, herbs))


@compiled
def _spend(tables: Record, mission: int, stock: np.ndarray) -> None:
    """Take out of a stock what a mission discards, as far as it is there; coins come again."""
    for thing in range(FIRST_ITEM, STOCK):
        stock[thing] = max(0.0, stock[thing] - tables.spend[mission, thing - NUM_HAVE])
    for _ in range(tables.spend[mission, DISCARD_ARES]):
        most = BOOK if stock[FIRST_ITEM + BOOK] >= stock[FIRST_ITEM + HERBS] else HERBS
        stock[FIRST_ITEM + most] = max(0.0, stock[FIRST_ITEM + most] - 1)


@compiled
def worth_of_stock(
    tables: Record, plan: PlanRecord, worths: np.ndarray, stock: np.ndarray, scratch: np.ndarray
) -> float:
    """What a stock is worth for all missions that are wanted: each has what the ones before it leave."""
    scratch[:] = stock
    worth = 0.0
    for mission in range(worths.shape[0]):
        if worths[mission] > 0:
            worth += worths[mission] * plan.lack ** _lack(tables, mission, scratch)
            _spend(tables, mission, scratch)
    return float(worth)


# -- what things bring -------------------------------------------------------------------------------------------------


@with_adventure(lambda game, tables, wanted, kind: 0.0)
def person_for_missions(game: Record, tables: Record, wanted: Wanted, kind: int) -> float:
    """What one more person of a kind is worth for missions."""
    worth, ability = 0.0, tables.ability[kind]
    for symbol in range(NUM_SYMBOLS):
        if ability in (SYMBOL_ABILITY[symbol], SPECIAL_ABILITY[symbol]):
            worth += wanted.needs[HAVE_CAPTAIN + symbol]
    if tables.sabres[kind] > 0:
        worth += wanted.needs[HAVE_SABRES if tables.sabres[kind] == 1 else SECOND_SABRE]
    if tables.cost[kind] == CHEAP:
        worth += wanted.needs[HAVE_CHEAP]
    if ability == TYBUK_BROTHER:
        worth += wanted.needs[HAVE_TYBUK]
    if ability == INNKEEPER:
        worth += wanted.needs[HAVE_INNKEEPER]
    return float(worth)


@with_adventure(lambda game, tables, plan, wanted, kind: 0.0)
def item_for_missions(game: Record, tables: Record, plan: PlanRecord, wanted: Wanted, kind: int) -> float:
    """What keeping a ship is worth for missions and expeditions; 0 for a ship without an item."""
    item = tables.ship_item[kind]
    if item == NO_ITEM:
        return 0.0
    worth = wanted.needs[FIRST_ITEM + item]
    for expedition in range(game.expedition.shape[0]):
        if tables.requires[expedition, FIRST_ITEM_SYMBOL + item] > wanted.stock[FIRST_ITEM + item]:
            if game.expedition[expedition] < OWNED:
                worth = max(worth, plan.item_worth)
    return float(worth)


@with_adventure(lambda game, tables, plan, view, kind: 0.0)
def crowns_for_missions(game: Record, tables: Record, plan: PlanRecord, view: Any, kind: int) -> float:
    """What the crowns of a traded ship are worth."""
    return float(tables.ship_crowns[kind] * (plan.crown * view.influence + view.wanted.needs[CROWNS]))


@with_adventure(lambda game, tables, plan, wanted, expedition: 0.0)
def claim_for_missions(game: Record, tables: Record, plan: PlanRecord, wanted: Wanted, expedition: int) -> float:
    """What claiming an expedition does for missions: it may be asked for, and so may what is discarded for it."""
    scratch = np.zeros(STOCK)
    stock = wanted.stock.copy()
    before = worth_of_stock(tables, plan, wanted.worths, stock, scratch)
    for symbol in range(NUM_SYMBOLS):
        stock[HAVE_CAPTAIN + symbol] = max(0.0, stock[HAVE_CAPTAIN + symbol] - tables.requires[expedition, symbol])
    for item in range(len(ITEMS)):
        asked = tables.requires[expedition, FIRST_ITEM_SYMBOL + item]
        stock[FIRST_ITEM + item] = max(0.0, stock[FIRST_ITEM + item] - asked)
    stock[HAVE_EXPEDITION] += 1
    return worth_of_stock(tables, plan, wanted.worths, stock, scratch) - before


@with_adventure(lambda game, tables, plan, wanted, ships, cards: 0.0)
def harbour_for_missions(
    game: Record, tables: Record, plan: PlanRecord, wanted: Wanted, ships: int, cards: int
) -> float:
    """What it is worth to the active player that so many ships, and cards, lie in the harbour when a card comes."""
    worth = 0.0
    for slot in range(SLOTS):
        mission = int(game.mission[slot])
        if mission == NOTHING or wanted.worths[mission] == 0.0:
            continue
        if game.asked_turn & (1 << slot) or game.purse[game.active] < tables.spend[mission, DISCARD_COINS]:
            continue
        missing = 9
        if tables.trigger[mission] == HARBOUR_COLOURS:
            missing = tables.trigger_n[mission] - ships
        elif tables.trigger[mission] == STOP_AFTER_CARDS and tables.times[mission] == 1:
            missing = tables.trigger_n[mission] - cards
        if missing >= 0:
            worth += wanted.worths[mission] * plan.harbour_missing**missing
    return float(worth)


# -- answers -----------------------------------------------------------------------------------------------------------


@compiled
def wants_mission(game: Record, tables: Record, plan: PlanRecord, wanted: Wanted, slot: int) -> bool:
    """Whether a player completes a mission that it can complete now: what it costs may be missing for another one."""
    mission = int(game.mission[slot])
    if tables.together == 0 or not completed_by_somebody(game, slot):
        return True
    worths, stock, scratch = wanted.worths.copy(), wanted.stock.copy(), np.zeros(STOCK)
    gain = worths[mission]
    worths[mission] = 0.0
    before = worth_of_stock(tables, plan, worths, stock, scratch)
    stock[COINS] = max(0.0, stock[COINS] - tables.spend[mission, DISCARD_COINS])
    _spend(tables, mission, stock)
    return bool(gain + worth_of_stock(tables, plan, worths, stock, scratch) > before)


@compiled
def wants_now(game: Record, tables: Record, plan: PlanRecord, wanted: Wanted) -> bool:
    """Whether a player accepts the mission that it is asked about, or a step to it."""
    slot = int(game.asked_about)
    mission = int(game.mission[slot])
    if tables.together == 0:
        return True
    if not wants_mission(game, tables, plan, wanted, slot):
        return False
    steps = tables.times[mission] - game.mission_place[game.player, slot]
    if tables.times[mission] > 1:  # one of the team should take all steps
        for seat in range(game.players):
            if seat != game.player and NOTHING < game.mission_place[game.player, slot] < game.mission_place[seat, slot]:
                return False
    return bool(wanted.worths[mission] / max(1, steps) >= plan.step_to_mission)


@compiled
def gives_book(game: Record, tables: Record, plan: PlanRecord, wanted: Wanted) -> bool:
    """Whether a book rather than herbs is given for a mission."""
    worths, stock, scratch = wanted.worths.copy(), wanted.stock.copy(), np.zeros(STOCK)
    worths[game.mission[game.completing]] = 0.0
    stock[FIRST_ITEM + BOOK] -= 1
    without_book = worth_of_stock(tables, plan, worths, stock, scratch)
    stock[FIRST_ITEM + BOOK] += 1
    stock[FIRST_ITEM + HERBS] -= 1
    return bool(without_book >= worth_of_stock(tables, plan, worths, stock, scratch))
