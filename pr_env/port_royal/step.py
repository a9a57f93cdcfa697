"""One decision: from the action's number to the rule for it, and on to the next real decision."""

from __future__ import annotations

from pr_env.compiling import compiled, inlined
from pr_env.port_royal import contracts, cooperative, discover, expeditions, gambler, takes, taxes, turns
from pr_env.port_royal.actions import (
    COMPLETE,
    DONE,
    DRAW,
    REPEL_SHIP,
    STOP,
    accept_at,
    claim_at,
    give_at,
    hire_at,
    pay_jack_at,
    refuse_at,
    trade_at,
)
from pr_env.port_royal.adventure import lookout, missions
from pr_env.port_royal.adventure import step as adventure
from pr_env.port_royal.adventure.places import pay_special_at, sell_at
from pr_env.port_royal.extension import with_adventure, with_contracts, with_gamblers
from pr_env.port_royal.forced import without_asking
from pr_env.port_royal.legal import list_legal
from pr_env.port_royal.sleep import fall_asleep, wake_all
from pr_env.port_royal.stages import (
    ASK,
    BUSTED,
    CARD_DONE,
    CARD_ENTERED,
    DRAW_CARD,
    PART_BEGINS,
    PART_ENDS,
    TAX_LOSSES_PAID,
    TURN_BEGINS,
    TURN_ENDS,
)
from pr_env.port_royal.state import DISCOVER, GAME_OVER, GIVE, IMMEDIATE, PAY, REPEL, SET_ASIDE, TAKE
from pr_env.rules import Record


@compiled
def step(game: Record, tables: Record, action: int) -> None:
    """Play a legal action and all following decisions with one legal answer, up to the next real decision."""
    game.decisions += 1
    play(game, tables, action)
    turns.cut_if_too_long(game, tables)
    if game.question == GAME_OVER:
        list_legal(game, tables)  # nothing


@compiled
def play(game: Record, tables: Record, action: int) -> None:
    """Play a legal action and the forced decisions after it."""
    while True:
        go_on(game, tables, answer(game, tables, action))
        if list_legal(game, tables) != 1:
            return
        action = only_legal(game)


@inlined
def only_legal(game: Record) -> int:
    """The action of a decision with one legal answer."""
    action = 0
    while game.legal[action] == 0:
        action += 1
    return action


@inlined
def go_on(game: Record, tables: Record, stage: int) -> None:
    """Run everything that happens without an answer, up to the next question."""
    while game.question != GAME_OVER:
        if stage == ASK:
            stage = without_asking(game, tables)
            if stage == ASK:
                return
        if stage == DRAW_CARD:
            stage = discover.draw_card(game, tables)
        elif stage == CARD_ENTERED:
            stage = discover.card_entered(game, tables)
        elif stage == CARD_DONE:
            stage = discover.go_on(game)
        elif stage == PART_BEGINS:
            stage = takes.begin_part(game, tables)
        elif stage == PART_ENDS:
            stage = takes.end_part(game)
        elif stage == TURN_ENDS:
            stage = turns.end_turn(game, tables)
        elif stage == TURN_BEGINS:
            stage = turns.begin_turn(game)
        elif stage == BUSTED:
            stage = discover.bust(game, tables)
        elif stage == TAX_LOSSES_PAID:
            asked = contracts.ask_next_taxed(game, tables) or missions.ask_next_taxed(game, tables)
            stage = ASK if asked else taxes.pay_bonus(game, tables)
        else:
            stage = adventure.go_on(game, tables, stage)


@inlined
def answer(game: Record, tables: Record, action: int) -> int:
    """Play one legal action; returns the stage that follows."""
    question = game.question
    if question == DISCOVER:
        if action == DRAW:
            wake_all(game)
            return DRAW_CARD
        if action == STOP:
            fall_asleep(game, tables, action)
            return discover.stop(game)
        if action < trade_at(game):
            return _complete_or_claim(game, tables, action)
        wake_all(game)
        return _use(game)
    if question == TAKE:
        if action == DONE:
            return PART_ENDS
        if action < trade_at(game):
            return _complete_or_claim(game, tables, action)
        fall_asleep(game, tables, action)
        if action < refuse_at(game):
            return takes.trade(game, tables, action - trade_at(game))
        if action < hire_at(game):
            return _refuse_or_keep(game, tables, action - refuse_at(game))
        return _hire_or_sell(game, tables, action)
    if question == REPEL:
        return discover.repel(game, tables) if action == REPEL_SHIP else discover.let_in(game, tables)
    if question == PAY:
        return _pay(game, tables, action)
    if question == GIVE:
        return takes.give(game, action - give_at(game) + 1)
    if question == IMMEDIATE:
        return _answer_immediate(game, tables, action == accept_at(game))
    if question > SET_ASIDE:
        return adventure.answer(game, tables, action)
    if action == DONE:  # at the end of the turn
        return TURN_ENDS
    if action >= accept_at(game):  # set aside
        return cooperative.set_aside(game, action == accept_at(game))
    return _complete_or_claim(game, tables, action)


@compiled
def _complete_or_claim(game: Record, tables: Record, action: int) -> int:
    fall_asleep(game, tables, action)
    if action < claim_at(game):
        return takes.complete(game, tables, action - COMPLETE)
    return expeditions.claim(game, tables, action - claim_at(game))


@with_gamblers(lambda game: lookout.use(game))
def _use(game: Record) -> int:
    return gambler.use(game)


@with_contracts(lambda game, tables, colour: takes.keep(game, tables, colour))
def _refuse_or_keep(game: Record, tables: Record, which: int) -> int:
    return takes.refuse(game, tables, which)


@with_adventure(lambda game, tables, action: takes.hire(game, tables, action - hire_at(game)))
def _hire_or_sell(game: Record, tables: Record, action: int) -> int:
    if action >= sell_at(game):
        return takes.sell(game, tables, action - sell_at(game))
    return takes.hire(game, tables, action - hire_at(game))


@with_adventure(lambda game, tables, action: expeditions.pay(game, tables, action == pay_jack_at(game)))
def _pay(game: Record, tables: Record, action: int) -> int:
    if action == pay_special_at(game):
        return expeditions.pay_special(game, tables)
    return expeditions.pay(game, tables, action == pay_jack_at(game))


@with_contracts(lambda game, tables, accepted: missions.answer(game, tables, accepted))
def _answer_immediate(game: Record, tables: Record, accepted: bool) -> int:
    return contracts.answer(game, tables, accepted)
