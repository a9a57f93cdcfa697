"""Contracts: who may complete them, when, and what they pay."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.cooperative import all_completed
from pr_env.port_royal.extension import with_contracts
from pr_env.port_royal.harbour import count_ships
from pr_env.port_royal.people import count, gain_influence, has_expedition
from pr_env.port_royal.piles import discard, gain_coins, spend_coins
from pr_env.port_royal.stages import ASK, CARD_DONE, CARD_ENTERED, TAX_LOSSES_PAID
from pr_env.port_royal.state import (
    END_OF_TURN,
    FIRST_COIN_SPACE,
    GAME_OVER,
    IMMEDIATE,
    NO_CUBE,
    NOTHING,
)
from pr_env.port_royal.tables import (
    BUST,
    CHEAP,
    CHEAP_PERSONS,
    CONTRACT_INFLUENCE,
    FIGHTER_SABRES,
    FOUR_CHEAP_PERSONS,
    FOUR_COLOURS,
    LOSE_TO_TAX,
    NUM_COLOURS,
    NUM_CUBES,
    ONE_EXPEDITION,
    PAY_15_COINS,
    RANSOM,
    REFUSE_FRIGATES,
    REPEL_5_COLOURS,
    SMALL_FORTUNE,
    THREE_COLOURS_TWICE,
    THREE_SABRES,
    TWELVE_INFLUENCE,
    TWO_PERSONS,
)
from pr_env.rules import Record

# Bits of the field `asked_turn`
_ASKED_THREE_COLOURS, _ASKED_FOUR_COLOURS = 1, 2


# -- completing --------------------------------------------------------------------------------------------------------


@compiled
def _count_cubes(game: Record, seat: int) -> int:
    """Cubes on contracts, progress spaces included."""
    cubes = 0
    for contract in range(game.cube.shape[1]):
        if game.cube[seat, contract] != NO_CUBE:
            cubes += 1
    return cubes


@compiled
def _count_completed(game: Record, seat: int) -> int:
    completed = 0
    for contract in range(game.cube.shape[1]):
        if game.cube[seat, contract] >= FIRST_COIN_SPACE:
            completed += 1
    return completed


@compiled
def _is_open(game: Record, seat: int, contract: int) -> bool:
    """Face up, not completed by the player, and the player has a free cube or one on its progress spaces (R42)."""
    if game.face_up[contract] == 0 or game.cube[seat, contract] >= FIRST_COIN_SPACE:
        return False
    return game.cube[seat, contract] != NO_CUBE or _count_cubes(game, seat) < NUM_CUBES


@with_contracts(False)
def may_complete(game: Record, tables: Record, seat: int, contract: int) -> bool:
    """Whether a player may complete a contract, of those that can be completed at any moment of one's own."""
    return tables.requirement[contract] < LOSE_TO_TAX and (
        _is_open(game, seat, contract) and _is_met(game, tables, seat, contract)
    )


@compiled
def _is_met(game: Record, tables: Record, seat: int, contract: int) -> bool:
    requirement = tables.requirement[contract]
    if requirement == TWO_PERSONS:
        first, second = tables.person_1[contract], tables.person_2[contract]
        if first == second:
            return count(game, seat, first) >= 2
        return count(game, seat, first) > 0 and count(game, seat, second) > 0
    if requirement == ONE_EXPEDITION:
        return has_expedition(game, seat)
    if requirement == THREE_SABRES:
        return bool(game.sabres[seat] >= FIGHTER_SABRES)
    if requirement == FOUR_CHEAP_PERSONS:  # by the printed cost: discounts do not count
        cheap = 0
        for kind in range(game.display.shape[1]):
            if tables.cost[kind] <= CHEAP:
                cheap += int(game.display[seat, kind])
        return cheap >= CHEAP_PERSONS
    if requirement == TWELVE_INFLUENCE:
        return bool(game.influence[seat] >= SMALL_FORTUNE)
    return bool(game.purse[seat] >= RANSOM)  # PAY_15_COINS


@with_contracts()
def complete(game: Record, tables: Record, seat: int, contract: int) -> None:
    """Put a cube on the leftmost free coin space, which pays; the second and third contract give influence."""
    if tables.requirement[contract] == PAY_15_COINS:
        spend_coins(game, seat, RANSOM)
    space = 0
    for other in range(game.players):
        if game.cube[other, contract] >= FIRST_COIN_SPACE:
            space += 1
    game.cube[seat, contract] = FIRST_COIN_SPACE + space
    gain_coins(game, seat, tables.track[contract, space])
    completed = _count_completed(game, seat)
    gain_influence(game, tables, seat, CONTRACT_INFLUENCE[completed] - CONTRACT_INFLUENCE[completed - 1])
    all_completed(game)


@compiled
def _advance(game: Record, tables: Record, seat: int, contract: int) -> None:
    """Move the cube to the next progress space; from the last one (or if there is none) the contract is completed."""
    if game.cube[seat, contract] < tables.progress_spaces[contract]:
        game.cube[seat, contract] += 1
    else:
        complete(game, tables, seat, contract)


@compiled
def _find(game: Record, tables: Record, requirement: int) -> int:
    """The face-up contract with a requirement, or NOTHING."""
    for contract in range(game.face_up.shape[0]):
        if tables.requirement[contract] == requirement and game.face_up[contract] == 1:
            return contract
    return NOTHING


# -- refusing coins ----------------------------------------------------------------------------------------------------


@with_contracts(False)
def may_refuse(game: Record, tables: Record, seat: int, which: int) -> bool:
    """Coins may only be refused if that advances a contract (R44); ``which`` is an index of REFUSED_COLOURS."""
    contract = _find(game, tables, REFUSE_FRIGATES + which)
    return contract != NOTHING and _is_open(game, seat, contract)


@with_contracts()
def advance_refusal(game: Record, tables: Record, seat: int, which: int) -> None:
    """The coins of one more ship were refused."""
    _advance(game, tables, seat, _find(game, tables, REFUSE_FRIGATES + which))


# -- immediate contracts -----------------------------------------------------------------------------------------------


@compiled
def _ask(game: Record, seat: int, contract: int) -> int:
    game.asked_about = contract
    game.player = seat
    game.question = IMMEDIATE
    return ASK


@with_contracts(CARD_DONE)
def answer(game: Record, tables: Record, accepted: bool) -> int:
    """Complete (or begin) the contract, or decline; play resumes where it was interrupted."""
    contract = int(game.asked_about)
    game.asked_about = NOTHING
    requirement = tables.requirement[contract]
    if requirement == BUST:  # before the contract pays, as a win ends the game
        game.question = END_OF_TURN
    if accepted:
        _advance(game, tables, int(game.player), contract)
    if game.question == GAME_OVER:
        return ASK
    if requirement == LOSE_TO_TAX:
        return TAX_LOSSES_PAID
    if requirement == BUST:
        game.player = game.active
        return ASK
    return CARD_ENTERED


@with_contracts()
def ask_taxed(game: Record, seat: int) -> None:
    """A player has lost coins to a tax."""
    game.ask |= 1 << seat


@with_contracts(False)
def ask_next_taxed(game: Record, tables: Record) -> bool:
    """Ask the players who lost coins to the tax, the active player first (R45). Returns whether somebody is asked."""
    contract = _find(game, tables, LOSE_TO_TAX)
    for place in range(game.players):
        seat = (game.active + place) % game.players
        if game.ask & (1 << seat):
            game.ask &= ~(1 << seat) & 0xFF
            if contract != NOTHING and _is_open(game, seat, contract):
                _ask(game, seat, contract)
                return True
    return False


@with_contracts(False)
def ask_about_colours(game: Record, tables: Record) -> bool:
    """Ask about three or four ship colours in the harbour, once per turn each (R41, R80); returns whether it asks."""
    colours = count_ships(game)
    if colours >= 3 and game.asked_turn & _ASKED_THREE_COLOURS == 0:
        contract = _find(game, tables, THREE_COLOURS_TWICE)
        if contract != NOTHING and _is_open(game, game.active, contract):
            game.asked_turn |= _ASKED_THREE_COLOURS
            if game.cube[game.active, contract] == NO_CUBE:
                _ask(game, game.active, contract)
                return True
            complete(game, tables, game.active, contract)  # the second time needs no question (R40)
            if game.question == GAME_OVER:
                return True
    if colours >= 4 and game.asked_turn & _ASKED_FOUR_COLOURS == 0:
        contract = _find(game, tables, FOUR_COLOURS)
        if contract != NOTHING and _is_open(game, game.active, contract):
            game.asked_turn |= _ASKED_FOUR_COLOURS
            _ask(game, game.active, contract)
            return True
    return False


@with_contracts(False)
def ask_after_bust(game: Record, tables: Record) -> bool:
    """The active player's turn ended by a bust (R46). Returns whether a question is asked."""
    contract = _find(game, tables, BUST)
    if contract == NOTHING or not _is_open(game, game.active, contract):
        return False
    _ask(game, game.active, contract)
    return True


@with_contracts(False)
def keep_repelled(game: Record, tables: Record, kind: int) -> bool:
    """Keep a repelled ship of a new colour; with all colours, they are discarded and the contract is completed (R47).

    Returns whether the ship was kept or discarded here.
    """
    seat, colour = game.active, tables.colour[kind]
    contract = _find(game, tables, REPEL_5_COLOURS)
    if contract == NOTHING or not _is_open(game, seat, contract) or game.kept[seat, colour] != NOTHING:
        return False
    game.kept[seat, colour] = kind
    for other in range(NUM_COLOURS):
        if game.kept[seat, other] == NOTHING:
            return True
    for other in range(NUM_COLOURS):
        discard(game, int(game.kept[seat, other]))
        game.kept[seat, other] = NOTHING
    complete(game, tables, seat, contract)
    return True


@with_contracts()
def begin_turn(game: Record) -> None:
    """Reset what was asked in this turn."""
    game.asked_turn = 0
    game.ask = 0
