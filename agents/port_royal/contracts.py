"""The value of contracts to a player, and of progress towards them."""

from __future__ import annotations

from typing import Any

from pr_env.compiling import compiled
from pr_env.port_royal.extension import with_contracts, with_time_deck
from pr_env.port_royal.people import count
from pr_env.port_royal.state import FIRST_COIN_SPACE, NO_CUBE, NOTHING
from pr_env.port_royal.tables import (
    BUST,
    CAPTAIN,
    CHEAP,
    CHEAP_PERSONS,
    FIGHTER_SABRES,
    FOUR_CHEAP_PERSONS,
    FOUR_COLOURS,
    JACK,
    LOSE_TO_TAX,
    NUM_COLOURS,
    NUM_CUBES,
    ONE_EXPEDITION,
    PAY_15_COINS,
    PRIEST,
    REFUSE_FRIGATES,
    REPEL_5_COLOURS,
    SETTLER,
    SMALL_FORTUNE,
    THREE_COLOURS_TWICE,
    THREE_SABRES,
    TWELVE_INFLUENCE,
    TWO_PERSONS,
)
from pr_env.rules import Record

PlanRecord = Any

# Values of a player's first, second and third contract, as shares: the first mainly enables the others.
BY_NUMBER = (0.7, 1.1, 1.6)
REPEL_SHARE = 0.1  # share of a contract's value for each sabre that helps to repel ships for it


# -- value of a contract -----------------------------------------------------------------------------------------------


@compiled
def cubes_used(game: Record, seat: int) -> int:
    """The number of a player's cubes on contracts, including progress spaces."""
    cubes = 0
    for contract in range(game.cube.shape[1]):
        cubes += int(game.cube[seat, contract] != NO_CUBE)
    return cubes


@compiled
def is_open(game: Record, seat: int, contract: int) -> bool:
    """Whether a player can still complete a contract."""
    cube = game.cube[seat, contract]
    if game.face_up[contract] == 0 or cube >= FIRST_COIN_SPACE:
        return False
    return bool(cube != NO_CUBE or cubes_used(game, seat) < NUM_CUBES)


@compiled
def finishers(game: Record, contract: int) -> int:
    """The number of players who have completed a contract."""
    done = 0
    for seat in range(game.players):
        done += int(game.cube[seat, contract] >= FIRST_COIN_SPACE)
    return done


@compiled
def contract_worth(game: Record, tables: Record, plan: PlanRecord, seat: int, contract: int) -> float:
    """The value of completing a contract, including its coins; 0 if the player cannot or should not complete it."""
    if not is_open(game, seat, contract):
        return 0.0
    worth = _open_worth(game, tables, plan, seat, contract)
    if worth == 0.0:
        return 0.0
    return worth + float(plan.coin_late * tables.track[contract, finishers(game, contract)])


@compiled
def _own_worth(game: Record, tables: Record, plan: PlanRecord, seat: int, contract: int) -> float:
    completed = 0
    for other in range(game.cube.shape[1]):
        completed += int(game.cube[seat, other] >= FIRST_COIN_SPACE)
    return float(plan.contract * BY_NUMBER[min(completed, NUM_CUBES - 1)])


@with_time_deck(_own_worth)
def _open_worth(game: Record, tables: Record, plan: PlanRecord, seat: int, contract: int) -> float:
    """The value in a cooperative game: only the first completion counts, and the nearest player should make it."""
    if finishers(game, contract) > 0:
        return 0.0
    own = progress(game, tables, seat, contract)
    for other in range(game.players):
        if other != seat and is_open(game, other, contract) and progress(game, tables, other, contract) > own:
            return float(plan.behind * plan.team_contract)
    return float(plan.team_contract)


@compiled
def progress(game: Record, tables: Record, seat: int, contract: int) -> int:
    """A player's progress on a contract, for comparing players."""
    requirement = tables.requirement[contract]
    if requirement == TWO_PERSONS:
        first, second = tables.person_1[contract], tables.person_2[contract]
        if first == second:
            return count(game, seat, first)
        return min(1, count(game, seat, first)) + min(1, count(game, seat, second))
    if requirement == THREE_SABRES:
        return int(game.sabres[seat])
    if requirement == FOUR_CHEAP_PERSONS:
        return _count_cheap(game, tables, seat)
    if requirement == ONE_EXPEDITION:
        return count(game, seat, CAPTAIN) + count(game, seat, PRIEST) + count(game, seat, SETTLER)
    if requirement == TWELVE_INFLUENCE:
        return int(game.influence[seat])
    if requirement in (PAY_15_COINS, LOSE_TO_TAX):
        return int(game.purse[seat])
    if requirement == REPEL_5_COLOURS:
        return count_kept(game, seat)
    return int(game.cube[seat, contract])


@compiled
def count_kept(game: Record, seat: int) -> int:
    """The number of repelled ships that a player keeps for a contract."""
    kept = 0
    for colour in range(NUM_COLOURS):
        kept += int(game.kept[seat, colour] != NOTHING)
    return kept


@with_contracts(lambda game, tables, plan, seat, requirement: 0.0)
def requirement_worth(game: Record, tables: Record, plan: PlanRecord, seat: int, requirement: int) -> float:
    """The value of the open contract with a requirement; 0 if there is none."""
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1 and tables.requirement[contract] == requirement:
            return contract_worth(game, tables, plan, seat, contract)
    return 0.0


@with_contracts(lambda game, tables, plan, seat, contract: False)
def wants(game: Record, tables: Record, plan: PlanRecord, seat: int, contract: int) -> bool:
    """Whether a player should complete (or start) a contract that it can complete (or start) now."""
    return contract_worth(game, tables, plan, seat, contract) > 0.0 or _has_cube_to_spare(game, seat, contract)


@with_contracts(False)
def _has_cube_to_spare(game: Record, seat: int, contract: int) -> bool:
    """Whether there are cubes left for all contracts that nobody has completed: then coins justify completing one."""
    free, missing = NUM_CUBES * game.players, 0
    for each in range(game.face_up.shape[0]):
        if game.face_up[each] == 1 and finishers(game, each) == 0:
            missing += 1
    for each in range(game.players):
        free -= cubes_used(game, each)
    own = NUM_CUBES - cubes_used(game, seat)
    return free - 1 >= missing and (own >= 2 or missing == 0)


# -- requirements of contracts -----------------------------------------------------------------------------------------


@compiled
def seeks_coins(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of paying an open ransom."""
    return requirement_worth(game, tables, plan, seat, PAY_15_COINS)


@compiled
def seeks_tax(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of losing coins to a tax."""
    return requirement_worth(game, tables, plan, seat, LOSE_TO_TAX)


@compiled
def seeks_influence(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of one influence for a contract, to the player with the most influence."""
    if game.influence[seat] >= SMALL_FORTUNE:
        return 0.0
    for other in range(game.players):
        if game.influence[other] > game.influence[seat]:
            return 0.0
    return requirement_worth(game, tables, plan, seat, TWELVE_INFLUENCE) / SMALL_FORTUNE


@with_contracts(lambda game, tables, plan, seat, kind: 0.0)
def person_for_contracts(game: Record, tables: Record, plan: PlanRecord, seat: int, kind: int) -> float:
    """The value of one more person of a kind for the contracts that a player can still complete."""
    worth = 0.0
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1:
            share = _share(game, tables, plan, seat, kind, contract)
            if share > 0.0:
                worth += share * contract_worth(game, tables, plan, seat, contract)
    return worth


@compiled
def _share(game: Record, tables: Record, plan: PlanRecord, seat: int, kind: int, contract: int) -> float:
    """The share of a contract that one more person of a kind contributes."""
    requirement = tables.requirement[contract]
    ability = tables.ability[kind]
    part = float(plan.part_of_contract)
    if requirement == TWO_PERSONS:
        first, second = tables.person_1[contract], tables.person_2[contract]
        if ability != first and ability != second:
            return 0.0
        if first == second:
            have = count(game, seat, first)
            return 1.0 if have == 1 else part if have == 0 else 0.0
        other = second if ability == first else first
        if count(game, seat, ability) > 0:
            return 0.0
        return 1.0 if count(game, seat, other) > 0 else part
    if requirement == THREE_SABRES:
        missing = FIGHTER_SABRES - int(game.sabres[seat])
        helps = min(missing, tables.sabres[kind])
        if helps <= 0:
            return 0.0
        return 1.0 if helps == missing else part * helps
    if requirement == FOUR_CHEAP_PERSONS:
        missing = CHEAP_PERSONS - _count_cheap(game, tables, seat)
        return 1.0 / missing if tables.cost[kind] <= CHEAP and missing > 0 else 0.0
    if requirement == ONE_EXPEDITION:
        return 0.5 * part if ability in (CAPTAIN, PRIEST, SETTLER, JACK) else 0.0
    if requirement == REPEL_5_COLOURS:
        return float(REPEL_SHARE * tables.sabres[kind])
    return 0.0


@compiled
def progress_share(game: Record, tables: Record, plan: PlanRecord, seat: int, contract: int) -> float:
    """A player's progress on a contract, from 0 to 1."""
    requirement = tables.requirement[contract]
    done = progress(game, tables, seat, contract)
    if requirement in (TWO_PERSONS, ONE_EXPEDITION):
        return float(plan.part_of_contract * min(done, 1))
    if requirement == THREE_SABRES:
        return float(plan.part_of_contract * min(done, FIGHTER_SABRES - 1))
    if requirement == FOUR_CHEAP_PERSONS:
        return min(1.0, done / CHEAP_PERSONS)
    if requirement == REPEL_5_COLOURS:
        return done / NUM_COLOURS + REPEL_SHARE * int(game.sabres[seat])
    if requirement in (TWELVE_INFLUENCE, PAY_15_COINS, LOSE_TO_TAX):
        return 0.0  # counted with influence and coins
    return float(done / (1.0 + tables.progress_spaces[contract]))


@compiled
def _count_cheap(game: Record, tables: Record, seat: int) -> int:
    cheap = 0
    for kind in range(game.display.shape[1]):
        if tables.cost[kind] <= CHEAP:
            cheap += int(game.display[seat, kind])
    return cheap


@compiled
def claim_for_contract(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The additional value of an expedition as the requirement of a contract."""
    return requirement_worth(game, tables, plan, seat, ONE_EXPEDITION)


@compiled
def bust_for_contract(game: Record, tables: Record, plan: PlanRecord) -> float:
    """The value of a bust to the active player."""
    return requirement_worth(game, tables, plan, game.active, BUST)


@with_contracts(lambda game, tables, plan, colours: 0.0)
def colours_for_contracts(game: Record, tables: Record, plan: PlanRecord, colours: int) -> float:
    """The value to the active player of reaching this number of colours in the harbour."""
    if colours == 4:
        return requirement_worth(game, tables, plan, game.active, FOUR_COLOURS)
    if colours == 3:
        for contract in range(game.face_up.shape[0]):
            if tables.requirement[contract] == THREE_COLOURS_TWICE:
                worth = contract_worth(game, tables, plan, game.active, contract)
                return worth if game.cube[game.active, contract] != NO_CUBE else plan.part_of_contract * worth
    return 0.0


@with_contracts(lambda game, tables, plan, colour: 0.0)
def repel_for_contract(game: Record, tables: Record, plan: PlanRecord, colour: int) -> float:
    """The value to the active player of repelling and keeping a ship of a colour."""
    seat = game.active
    if game.kept[seat, colour] != NOTHING:
        return 0.0
    return requirement_worth(game, tables, plan, seat, REPEL_5_COLOURS) / (NUM_COLOURS - count_kept(game, seat))


@with_contracts(lambda game, tables, plan, seat, which: 0.0)
def refusal_for_contract(game: Record, tables: Record, plan: PlanRecord, seat: int, which: int) -> float:
    """The value of refusing a ship's coins: a share of the contract, growing with each step."""
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1 and tables.requirement[contract] == REFUSE_FRIGATES + which:
            steps = 1 + int(tables.progress_spaces[contract]) - int(game.cube[seat, contract])
            worth = contract_worth(game, tables, plan, seat, contract)
            return worth / steps if steps > 0 else 0.0
    return 0.0
