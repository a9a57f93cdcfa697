"""Turns: whose turn it is, and when the game is over."""

from __future__ import annotations

from pr_env.compiling import compiled, inlined
from pr_env.port_royal import contracts, gambler
from pr_env.port_royal.adventure import events
from pr_env.port_royal.cooperative import time_is_over
from pr_env.port_royal.sleep import wake_all
from pr_env.port_royal.stages import ASK, TURN_BEGINS
from pr_env.port_royal.state import DECISIONS_OVER, DISCOVER, ENOUGH_INFLUENCE, GAME_OVER, STALEMATE, TURNS_OVER
from pr_env.rules import Record


@compiled
def next_seat(game: Record, seat: int) -> int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < game.players else 0


@inlined
def begin_turn(game: Record) -> int:
    """The active player discovers."""
    game.drawn = 0
    game.takes = 0
    game.acted = 0
    game.player = game.active
    game.question = DISCOVER
    wake_all(game)
    gambler.begin_turn(game)
    contracts.begin_turn(game)
    time_is_over(game)
    return events.begin_turn(game)


@inlined
def end_turn(game: Record, tables: Record) -> int:
    """The game ends after a full round, or is truncated by a standstill (R75) or its limits (R7)."""
    game.dry = game.dry + 1 if game.drawn == 0 else 0
    if game.end_flag == 1 and game.active == game.players - 1:
        return _end(game, ENOUGH_INFLUENCE)
    if game.dry == game.players:
        return _end(game, STALEMATE)
    if game.turn >= tables.max_turns:
        return _end(game, TURNS_OVER)
    game.turn += 1
    game.active = next_seat(game, game.active)
    return TURN_BEGINS


@inlined
def cut_if_too_long(game: Record, tables: Record) -> None:
    """After a decision, truncate a game with too many decisions."""
    if game.decisions >= tables.max_decisions and game.question != GAME_OVER:
        _end(game, DECISIONS_OVER)


@compiled
def _end(game: Record, reason: int) -> int:
    game.ending = reason
    game.question = GAME_OVER
    return ASK
