"""Evaluation of a position for a player: its influence, and the expected value of everything in its display."""

from __future__ import annotations

from agents.port_royal.claiming import claim_gain, missing_symbols
from agents.port_royal.contracts import contract_worth, finishers, progress_share
from agents.port_royal.outlook import TIE_BREAK, PlanRecord, look, purse_worth
from agents.port_royal.persons import repelled
from pr_env.compiling import compiled
from pr_env.port_royal.extension import with_contracts, with_time_deck
from pr_env.port_royal.people import count
from pr_env.port_royal.state import CONTRACTS_DONE, GAME_OVER, ON_TABLE, OWNED
from pr_env.port_royal.tables import NUM_SYMBOLS, SYMBOL_ABILITY
from pr_env.rules import Record

RIVALRY = 0.6  # weight of the best and the average opponent against one's own standing
VICTORY = 4.0  # value of being ahead when the game is over
TEAM_VICTORY = 100.0


@compiled
def judge(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The evaluation of a position for a player; in a cooperative game for the team."""
    return _judge_team(game, tables, plan, seat)


@compiled
def _judge_alone(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The player's standing relative to the others."""
    mine = standing(game, tables, plan, seat)
    best, total = -1e9, 0.0
    for other in range(game.players):
        if other != seat:
            theirs = standing(game, tables, plan, other)
            best = max(best, theirs)
            total += theirs
    worth = mine - RIVALRY * 0.5 * (best + total / (game.players - 1))
    if game.question == GAME_OVER:
        worth += VICTORY if mine > best else -VICTORY
    return float(worth)


@with_time_deck(_judge_alone)
def _judge_team(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The total for the team. Of an open contract only the progress of the nearest player counts."""
    if game.question == GAME_OVER:
        return TEAM_VICTORY if game.ending == CONTRACTS_DONE else -TEAM_VICTORY
    worth = 0.0
    for member in range(game.players):
        worth += standing(game, tables, plan, member)
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1 and finishers(game, contract) > 0:
            worth += plan.team_contract
    return float(worth)


@compiled
def standing(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The influence that a player can expect at the end of the game."""
    if game.question == GAME_OVER:
        return float(game.influence[seat]) + TIE_BREAK * float(game.purse[seat])
    view = look(game, tables, plan, seat)
    worth = view.influence * float(game.influence[seat]) + purse_worth(view, float(game.purse[seat]))
    works = float(plan.sabres) * repelled(int(game.sabres[seat]))
    for ability in range(game.staff.shape[1]):
        works += plan.use[ability] * int(game.staff[seat, ability])
    worth += view.left * works
    worth += _towards_expeditions(game, tables, plan, seat)
    return float(worth + _towards_contracts(game, tables, plan, seat))


@compiled
def _towards_expeditions(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of the player's symbols for the best matching expedition."""
    symbols = 0
    for symbol in range(NUM_SYMBOLS):
        symbols += count(game, seat, SYMBOL_ABILITY[symbol])
    if symbols == 0:
        return 0.0
    view = look(game, tables, plan, seat)
    best = 0.0
    for expedition in range(game.expedition.shape[0]):
        place = game.expedition[expedition]
        if place >= OWNED:
            continue
        missing = missing_symbols(game, tables, seat, expedition, -1)
        gain = claim_gain(game, tables, plan, view, seat, expedition)
        worth = plan.expedition * gain * plan.symbol_missing**missing
        if place != ON_TABLE:
            worth *= plan.undiscovered * view.left
        best = max(best, worth)
    return best


@with_contracts(lambda game, tables, plan, seat: 0.0)
def _towards_contracts(game: Record, tables: Record, plan: PlanRecord, seat: int) -> float:
    """The value of the player's progress on contracts that it can still complete."""
    worth = 0.0
    for contract in range(game.face_up.shape[0]):
        if game.face_up[contract] == 1:
            share = progress_share(game, tables, plan, seat, contract)
            if share > 0.0:
                worth += share * contract_worth(game, tables, plan, seat, contract)
    return worth
