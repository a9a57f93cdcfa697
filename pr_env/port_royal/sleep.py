"""The sleep set: actions that are legal but not offered, because playing them earlier gives the same outcome.

Claims, completions and takes can often be made in any order. To let a search or a learner reach every outcome in only
one way, an action that was passed over for one with a higher rank sleeps until something happens that it depends on.
The rank is complete, claim, trade or refuse, hire, stop; within a class, the action's number. Only these actions can
sleep; their numbers are consecutive, so the set is an array over them.

A completion that wins a cooperative game ends it at once. It ranks below a claim, so a claim just before the win is not
offered separately: won games with the same score deck have the same result, whoever has which expedition.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.actions import COMPLETE, STOP, claim_at, hire_at, pay_match_at, refuse_at, trade_at
from pr_env.port_royal.adventure import sleeping
from pr_env.port_royal.extension import with_adventure, with_contracts
from pr_env.port_royal.tables import (
    CLERK,
    JACK,
    MADEMOISELLE,
    MERCHANT,
    NUM_SYMBOLS,
    PAY_15_COINS,
    REFUSED_COLOURS,
    SYMBOL_ABILITY,
    TRADER,
    TWO_PERSONS,
)
from pr_env.rules import Record


@compiled
def wake_all(game: Record) -> None:
    """Wake all actions, as there is new information."""
    for place in range(game.asleep.shape[0]):
        game.asleep[place] = 0


@with_adventure(lambda game, tables, chosen: _fall_asleep(game, tables, chosen))
def fall_asleep(game: Record, tables: Record, chosen: int) -> None:
    """The same after a choice in the adventure."""
    sleeping.fall_asleep(game, tables, chosen)


@compiled
def _fall_asleep(game: Record, tables: Record, chosen: int) -> None:
    """After a choice, offered actions with a lower rank fall asleep, and actions that depend on the choice wake."""
    trades, end = trade_at(game), pay_match_at(game)
    rank = end if chosen == STOP else chosen
    if chosen == STOP or (chosen >= trades and game.takes < 2):
        # Takes do not stay asleep: a clerk's extra take decides what is possible after the last one.
        for action in range(trades, end):
            game.asleep[action - COMPLETE] = 0
        end = trades
    for action in range(COMPLETE, end):
        place = action - COMPLETE
        passed_over = action < rank and game.legal[action] == 1
        if game.asleep[place] == 1 or passed_over:
            game.asleep[place] = _independent(game, tables, action, chosen)


@compiled
def _independent(game: Record, tables: Record, sleeper: int, chosen: int) -> bool:
    """Whether the sleeper has the same effect after the choice as before it; not for two takes if only one is left."""
    if sleeper == chosen:
        return False
    claims, trades, hires = claim_at(game), trade_at(game), hire_at(game)
    if sleeper < claims or COMPLETE <= chosen < claims:
        return _independent_of_contract(game, tables, sleeper, chosen)
    if sleeper < trades:  # a claim
        return chosen < hires or not _has_symbol_of(tables, chosen - hires, sleeper - claims)
    if chosen < trades:  # a claim, with a take asleep
        return sleeper < hires or not _has_symbol_of(tables, sleeper - hires, chosen - claims)
    if sleeper < hires and chosen < hires:
        return True
    if sleeper < hires:
        return not _works_for(tables, chosen - hires, _colour(game, sleeper))
    if chosen < hires:
        return not _works_for(tables, sleeper - hires, _colour(game, chosen))
    return tables.ability[sleeper - hires] != MADEMOISELLE and tables.ability[chosen - hires] != MADEMOISELLE


@with_contracts(True)
def _independent_of_contract(game: Record, tables: Record, sleeper: int, chosen: int) -> bool:
    """Completions are independent of everything except the coins of a ransom, and persons that a claim would use."""
    claims = claim_at(game)
    if sleeper < claims and tables.requirement[sleeper - COMPLETE] == PAY_15_COINS:
        return COMPLETE <= chosen < claims
    if COMPLETE <= chosen < claims:
        contract = chosen - COMPLETE
        if tables.requirement[contract] == PAY_15_COINS:
            return sleeper < claims
        if claims <= sleeper < trade_at(game) and tables.requirement[contract] == TWO_PERSONS:
            # The claim could not have come first, as it discards what the contract asks for.
            for symbol in range(NUM_SYMBOLS):
                ability = SYMBOL_ABILITY[symbol]
                if tables.person_1[contract] == ability or tables.person_2[contract] == ability:
                    if tables.requires[sleeper - claims, symbol] > 0:
                        return False
    return True


@compiled
def _has_symbol_of(tables: Record, person: int, expedition: int) -> bool:
    """Whether a person can pay for an expedition; a jack can pay for any."""
    ability = tables.ability[person]
    if ability == JACK:
        return True
    for symbol in range(NUM_SYMBOLS):
        if SYMBOL_ABILITY[symbol] == ability and tables.requires[expedition, symbol] > 0:
            return True
    return False


@compiled
def _works_for(tables: Record, person: int, colour: int) -> bool:
    """Whether a person changes what trading a ship of a colour brings."""
    ability = tables.ability[person]
    return ability in (TRADER, MERCHANT, CLERK) and tables.colour[person] == colour


@compiled
def _colour(game: Record, action: int) -> int:
    """The colour of the ship that an action trades or refuses."""
    if action < refuse_at(game):
        return action - trade_at(game)
    return REFUSED_COLOURS[action - refuse_at(game)]
