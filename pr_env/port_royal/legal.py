"""The mask: which actions the acting player may choose from, question by question."""

from __future__ import annotations

from pr_env.compiling import compiled, inlined
from pr_env.port_royal import contracts, discover, expeditions, gambler, takes
from pr_env.port_royal.actions import (
    COMPLETE,
    DONE,
    DRAW,
    LET_IN,
    NUM_REFUSALS,
    REPEL_SHIP,
    STOP,
    accept_at,
    claim_at,
    decline_at,
    give_at,
    hire_at,
    num_completions,
    pay_jack_at,
    pay_match_at,
    refuse_at,
    trade_at,
    use_gambler_at,
)
from pr_env.port_royal.adventure import missions
from pr_env.port_royal.adventure.events import minimum_draws
from pr_env.port_royal.adventure.legal import list_answers, list_keeps, list_lookout, list_sales
from pr_env.port_royal.adventure.places import pay_special_at
from pr_env.port_royal.cooperative import first_card_is_time_card
from pr_env.port_royal.extension import with_adventure, with_contracts, with_gamblers, with_gifts
from pr_env.port_royal.piles import cards_to_draw
from pr_env.port_royal.state import (
    DISCOVER,
    END_OF_TURN,
    GAME_OVER,
    GIVE,
    IMMEDIATE,
    PAY,
    REPEL,
    SET_ASIDE,
    TAKE,
)
from pr_env.rules import Record


@compiled
def list_legal(game: Record, tables: Record) -> int:
    """Write ``game.legal`` for the question; returns the number of legal actions."""
    for action in range(game.legal.shape[0]):
        game.legal[action] = 0
    question = game.question
    if question == DISCOVER:
        return _list_discover(game, tables)
    if question == TAKE:
        return _list_take(game, tables)
    if question == REPEL:
        doubles = discover.doubles_colour(game, tables, int(game.pending))
        must = tables.must_repel_duplicate == 1 and doubles
        return _allow(game, REPEL_SHIP, True) + _allow(game, LET_IN, not must)
    if question == PAY:
        return _list_pay(game)
    if question == END_OF_TURN:
        return _list_free(game, tables) + _allow(game, DONE, True)
    if question == GAME_OVER:
        return 0
    return _list_give(game) + _list_answers(game) + list_answers(game, tables)


@compiled
def _allow(game: Record, action: int, legal: bool) -> int:
    game.legal[action] = legal
    return int(legal)


@compiled
def _offer(game: Record, action: int, legal: int) -> int:
    """Allow an action that can sleep, unless it is asleep. An action that is no longer legal stops sleeping.

    This has no branch, as the processor could not predict it, and the compiler can vectorise it.
    """
    sleeps = game.asleep[action - COMPLETE] & legal
    game.asleep[action - COMPLETE] = sleeps
    offered = legal ^ sleeps
    game.legal[action] = offered
    return int(offered)


@inlined
def _list_discover(game: Record, tables: Record) -> int:
    """One draw is compulsory if possible (R4, R9); there is no normal draw after a gambler (R37)."""
    can_draw = first_card_is_time_card(game) or cards_to_draw(game) > 0
    draw = can_draw and not gambler.was_used(game)
    listed = _list_free(game, tables)
    may_stop = game.drawn >= minimum_draws(game, tables) or not can_draw
    listed += _allow(game, DRAW, draw) + _allow(game, STOP, may_stop)
    return listed + _list_gambler(game, can_draw) + list_lookout(game)


@with_gamblers(0)
def _list_gambler(game: Record, can_draw: bool) -> int:
    return _allow(game, use_gambler_at(game), gambler.may_use(game, can_draw))


@compiled
def _list_free(game: Record, tables: Record) -> int:
    """What a player may do at any moment of their own: completions and, for the active player, claims."""
    listed = 0
    for place in range(num_completions(game)):
        listed += _offer(game, COMPLETE + place, _may_complete(game, tables, place))
    claimable = expeditions.claimable(game, tables, game.player) if game.player == game.active else 0
    for expedition in range(game.expedition.shape[0]):
        listed += _offer(game, claim_at(game) + expedition, (claimable >> expedition) & 1)
    return listed


@with_contracts(lambda game, tables, place: missions.may_complete(game, tables, game.player, place))
def _may_complete(game: Record, tables: Record, place: int) -> bool:
    return contracts.may_complete(game, tables, game.player, place)


@inlined
def _list_take(game: Record, tables: Record) -> int:
    listed = _list_free(game, tables)
    for colour in range(game.harbour_ship.shape[0]):
        listed += _offer(game, trade_at(game) + colour, takes.may_trade(game, tables, colour))
    listed += _list_refusals(game, tables) + list_keeps(game, tables, takes.fee(game, tables))
    listed += list_sales(game, tables)
    most = takes.highest_cost(game, tables)
    for kind in range(game.harbour.shape[0]):
        listed += _offer(game, hire_at(game) + kind, takes.may_hire(game, tables, kind, most))
    return listed + _allow(game, DONE, True)


@with_contracts(0)
def _list_refusals(game: Record, tables: Record) -> int:
    listed = 0
    for which in range(NUM_REFUSALS):
        listed += _offer(game, refuse_at(game) + which, takes.may_refuse(game, tables, which))
    return listed


@compiled
def _list_pay(game: Record) -> int:
    if game.expedition.shape[0] == 0:
        return 0
    match = _allow(game, pay_match_at(game), expeditions.may_pay_match(game))
    match += _list_special(game)
    return match + _allow(game, pay_jack_at(game), expeditions.may_pay_jack(game))


@with_adventure(0)
def _list_special(game: Record) -> int:
    return _allow(game, pay_special_at(game), expeditions.may_pay_special(game))


@with_gifts(0)
def _list_give(game: Record) -> int:
    listed = 0
    if game.question == GIVE:
        for places in range(1, game.players):
            listed += _allow(game, give_at(game) + places - 1, True)
    return listed


@with_contracts(0)
def _list_answers(game: Record) -> int:
    if game.question == IMMEDIATE or game.question == SET_ASIDE:
        return _allow(game, accept_at(game), True) + _allow(game, decline_at(game), True)
    return 0
