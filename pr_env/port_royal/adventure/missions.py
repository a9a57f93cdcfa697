"""Missions: who may complete them and when, what they cost and what they bring."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.characters import ability, cubes_left, uncover
from pr_env.port_royal.adventure.crowns import gain_crowns, pay_crowns
from pr_env.port_royal.adventure.events import minimum_draws
from pr_env.port_royal.adventure.items import count_item, discard_item
from pr_env.port_royal.adventure.names import (
    AS_SAILOR,
    BOOK,
    BREAD,
    CHEAP,
    DISCARD_ARES,
    DISCARD_BOOK,
    DISCARD_COINS,
    DISCARD_CROWNS,
    DISCARD_HERBS,
    FIRST_DISCARDED_ITEM,
    FREE,
    HARBOUR_COLOURS,
    HAVE_CAPTAIN,
    HAVE_CHEAP,
    HAVE_EXPEDITION,
    HAVE_INNKEEPER,
    HAVE_SABRES,
    HAVE_TYBUK,
    HERBS,
    INNKEEPER,
    ITEMS,
    PAY_TAX,
    SAILOR_SABRES,
    SPECIAL_ABILITY,
    STOP_AFTER_CARDS,
    TYBUK_BROTHER,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER, NO_CUBE
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.harbour import count_cards, count_ships
from pr_env.port_royal.people import count
from pr_env.port_royal.piles import gain_coins, spend_coins
from pr_env.port_royal.stages import ASK, CARD_ENTERED, COMPLETING, PART_BEGINS, TAX_LOSSES_PAID
from pr_env.port_royal.state import IMMEDIATE, ITEM, NOTHING, OWNED
from pr_env.port_royal.tables import NUM_SYMBOLS, SYMBOL_ABILITY
from pr_env.rules import Record

# -- who may -----------------------------------------------------------------------------------------------------------


@with_adventure(False)
def may_complete(game: Record, tables: Record, seat: int, slot: int) -> bool:
    """Whether a player may complete a mission, of those that can be completed at any moment of one's own."""
    mission = int(game.mission[slot])
    if mission == NOTHING or tables.trigger[mission] != FREE or not _is_open(game, seat, slot):
        return False
    if tables.active_only[mission] == 1 and seat != game.active:
        return False
    return _is_met(game, tables, seat, mission)


@compiled
def _is_open(game: Record, seat: int, slot: int) -> bool:
    """Not completed by the player, and a cube is left on the character or is on a progress space."""
    place = game.mission_place[seat, slot]
    return place < FIRST_FINISHER and (place != NO_CUBE or cubes_left(game, seat) > 0)


@compiled
def _is_met(game: Record, tables: Record, seat: int, mission: int) -> bool:
    """Whether the player has what must be in the display, and what must be discarded."""
    have, spend = tables.have[mission], tables.spend[mission]
    for symbol in range(NUM_SYMBOLS):
        if have[HAVE_CAPTAIN + symbol] > 0:  # a jack does not stand in (R69)
            own = count(game, seat, SYMBOL_ABILITY[symbol]) + count(game, seat, SPECIAL_ABILITY[symbol])
            if own < have[HAVE_CAPTAIN + symbol]:
                return False
    if have[HAVE_SABRES] > _sabres(game, tables, seat):
        return False
    if have[HAVE_EXPEDITION] > 0 and _expeditions(game, seat) < have[HAVE_EXPEDITION]:
        return False
    if have[HAVE_CHEAP] > 0 and _cheap_persons(game, tables, seat) < have[HAVE_CHEAP]:
        return False
    if count(game, seat, TYBUK_BROTHER) < have[HAVE_TYBUK] or count(game, seat, INNKEEPER) < have[HAVE_INNKEEPER]:
        return False
    if game.purse[seat] < spend[DISCARD_COINS] or game.crowns[seat] < spend[DISCARD_CROWNS]:
        return False
    for item in range(len(ITEMS)):
        wanted = spend[FIRST_DISCARDED_ITEM + item]
        if wanted > 0 and count_item(game, tables, seat, item) < wanted:
            return False
    ares = spend[DISCARD_ARES] + spend[DISCARD_BOOK] + spend[DISCARD_HERBS]
    return ares == 0 or count_item(game, tables, seat, BOOK) + count_item(game, tables, seat, HERBS) >= ares


@compiled
def _sabres(game: Record, tables: Record, seat: int) -> int:
    """Sabres of persons; a character does not count for missions, unless the option says so (R59)."""
    sabres = int(game.sabres[seat])
    if tables.jean_counts_for_missions == 0 and ability(game, tables, seat) == AS_SAILOR:
        sabres -= SAILOR_SABRES
    return sabres


@compiled
def _expeditions(game: Record, seat: int) -> int:
    owned = 0
    for expedition in range(game.expedition.shape[0]):
        owned += game.expedition[expedition] == OWNED + seat
    return owned


@compiled
def _cheap_persons(game: Record, tables: Record, seat: int) -> int:
    """Persons that are cheap by their printed cost; discounts do not count."""
    cheap = 0
    for kind in range(game.display.shape[1]):
        if tables.cost[kind] == CHEAP:
            cheap += int(game.display[seat, kind])
    return cheap


# -- completing --------------------------------------------------------------------------------------------------------


@compiled
def begin_completing(game: Record, tables: Record, slot: int) -> int:
    """First give the pirates of the Ares, one by one; then everything else happens."""
    game.completing = slot
    game.completed_at = game.question
    game.owed_ares = tables.spend[game.mission[slot], DISCARD_ARES]
    game.only_herbs = 0
    return COMPLETING


@compiled
def go_on_completing(game: Record, tables: Record) -> int:
    """Ask for the next pirates, or pay the rest and get the reward."""
    if game.owed_ares > 0:
        game.question = ITEM
        return ASK
    slot = int(game.completing)
    game.question = game.completed_at
    game.completing = NOTHING
    game.completed_at = 0
    game.only_herbs = 0
    complete(game, tables, int(game.player), slot)
    return _after_trigger(game, tables, slot) if game.question == IMMEDIATE else ASK


@compiled
def may_give(game: Record, tables: Record, item: int) -> bool:
    """Books before herbs, so that there is only one order. Items that the mission asks for by name are kept."""
    spend = tables.spend[game.mission[game.completing]]
    seat = int(game.player)
    if item == BOOK:
        return game.only_herbs == 0 and count_item(game, tables, seat, BOOK) > spend[DISCARD_BOOK]
    return bool(count_item(game, tables, seat, HERBS) - spend[DISCARD_HERBS] >= game.owed_ares)


@compiled
def give(game: Record, tables: Record, item: int) -> int:
    """Discard a kept ship of the Ares."""
    discard_item(game, tables, int(game.player), item)
    game.owed_ares -= 1
    game.only_herbs = 1 if item == HERBS else 0
    return COMPLETING


@compiled
def complete(game: Record, tables: Record, seat: int, slot: int) -> None:
    """Pay the costs, move the cube, and give the first finisher's reward, crowns, and the uncovered field (R64)."""
    mission = int(game.mission[slot])
    spend = tables.spend[mission]
    spend_coins(game, seat, int(spend[DISCARD_COINS]))
    for item in range(len(ITEMS)):
        for _ in range(spend[FIRST_DISCARDED_ITEM + item]):
            discard_item(game, tables, seat, item)
    pay_crowns(game, tables, seat, int(spend[DISCARD_CROWNS]))
    finishers = 0
    for other in range(game.players):
        finishers += game.mission_place[other, slot] >= FIRST_FINISHER
    game.mission_place[seat, slot] = FIRST_FINISHER + finishers
    if finishers == 0:
        gain_coins(game, seat, int(tables.first_coins[mission]))
        gain_crowns(game, tables, seat, int(tables.first_crowns[mission]))
    gain_crowns(game, tables, seat, int(tables.mission_crowns[mission]))
    uncover(game, tables, seat)


# -- immediate missions ------------------------------------------------------------------------------------------------


@compiled
def _may_be_asked(game: Record, tables: Record, seat: int, slot: int, trigger: int) -> bool:
    mission = int(game.mission[slot])
    if mission == NOTHING or tables.trigger[mission] != trigger or not _is_open(game, seat, slot):
        return False
    if tables.active_only[mission] == 1 and seat != game.active:
        return False
    return game.mission_place[seat, slot] + 1 < tables.times[mission] or _is_met(game, tables, seat, mission)


@compiled
def _ask(game: Record, seat: int, slot: int) -> None:
    game.asked_about = slot
    game.player = seat
    game.question = IMMEDIATE


@with_adventure(False)
def ask_about_harbour(game: Record, tables: Record) -> bool:
    """Ask about missions for colours, then for stopping, once per turn each (R80); returns whether one is asked."""
    colours, cards, active = count_ships(game), count_cards(game), int(game.active)
    for trigger in (HARBOUR_COLOURS, STOP_AFTER_CARDS):
        for slot in range(game.mission.shape[0]):
            mission = int(game.mission[slot])
            if mission == NOTHING or game.asked_turn & (1 << slot):
                continue
            wanted = tables.trigger_n[mission]
            if trigger == HARBOUR_COLOURS:
                happens = colours >= wanted
            else:
                happens = cards == wanted and game.drawn >= minimum_draws(game, tables)
            if happens and _may_be_asked(game, tables, active, slot, trigger):
                game.asked_turn |= 1 << slot
                _ask(game, active, slot)
                return True
    return False


@with_adventure()
def ask_taxed(game: Record, seat: int) -> None:
    """A player has lost coins to a tax."""
    game.ask |= 1 << seat


@with_adventure(False)
def ask_next_taxed(game: Record, tables: Record) -> bool:
    """Ask the players who lost coins to the tax, the active player first; returns whether somebody is asked."""
    for place in range(game.players):
        seat = (game.active + place) % game.players
        if game.ask & (1 << seat):
            game.ask &= ~(1 << seat) & 0xFF
            for slot in range(game.mission.shape[0]):
                if _may_be_asked(game, tables, seat, slot, PAY_TAX):
                    _ask(game, seat, slot)
                    return True
    return False


@with_adventure(ASK)
def answer(game: Record, tables: Record, accepted: bool) -> int:
    """Complete the mission, take a step towards it, or decline; play resumes where it was interrupted."""
    slot = int(game.asked_about)
    mission = int(game.mission[slot])
    game.asked_about = NOTHING
    if not accepted:
        return TAX_LOSSES_PAID if tables.trigger[mission] == PAY_TAX else CARD_ENTERED
    if game.mission_place[game.player, slot] + 1 < tables.times[mission]:
        game.mission_place[game.player, slot] += 1
        return _after_trigger(game, tables, slot)
    return begin_completing(game, tables, slot)


@compiled
def _after_trigger(game: Record, tables: Record, slot: int) -> int:
    mission = int(game.mission[slot])
    trigger = tables.trigger[mission]
    if trigger == PAY_TAX:
        return TAX_LOSSES_PAID
    if trigger == HARBOUR_COLOURS:
        return CARD_ENTERED
    game.take_less += tables.take_less[mission]
    game.player = game.active
    return PART_BEGINS


assert BREAD == HERBS + 1
