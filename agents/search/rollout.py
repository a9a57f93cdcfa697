"""Rollouts from a leaf to the end of the game, and their value for each seat."""

from __future__ import annotations

import math

import numpy as np

from agents.policies import play_on, scripted_action, strategies_of
from agents.search.tree import NO_ACTION
from pr_env.checks import shown
from pr_env.compiling import compiled
from pr_env.game import Game
from pr_env.playing import BY_CHANCE
from pr_env.randomness import next_state, random_below
from pr_env.rules import Record, write_final

# Rollout policies in addition to the game's strategies
MIXED, RANDOM = "mixed", "random"
DRAW_STRATEGIES = -3  # instead of a policy: a strategy for each seat, drawn anew in each playout


def rollouts_of(game: Game) -> tuple[str, ...]:
    """The names of the rollout policies, the default first."""
    strategies = strategies_of(game)
    return (MIXED, *strategies, RANDOM) if strategies else (RANDOM,)


def policy_number(game: Game, rollout: str) -> int:
    """The number of a rollout policy in compiled code.

    Raises:
        ValueError: If the game has no such policy.
    """
    known = rollouts_of(game)
    if rollout not in known:
        raise ValueError(f"rollout must be one of {', '.join(known)}, got {shown(rollout)}")
    if rollout == MIXED:
        return DRAW_STRATEGIES
    return BY_CHANCE if rollout == RANDOM else strategies_of(game).index(rollout)


@compiled
def draw_policies(policy: int, strategies: int, policies: np.ndarray, generator: np.ndarray) -> None:
    """Choose the policy of each seat in one playout.

    Args:
        policy: A number returned by `policy_number`.
        strategies: The number of strategies of the game.
        policies: int64 (seats,): output.
        generator: uint64 (1,).
    """
    generator[0] = next_state(generator[0])
    if policy == DRAW_STRATEGIES:
        drawn = random_below(generator[0], strategies ** policies.shape[0])  # one per seat, as digits of a number
        for seat in range(policies.shape[0]):
            policies[seat] = drawn % strategies
            drawn //= strategies
    else:
        policies[:] = policy


@compiled
def favourite(game: Record, tables: Record, policy: int) -> int:
    """The choice of the policy of the seat to move; NO_ACTION for the random policy."""
    return NO_ACTION if policy == BY_CHANCE else scripted_action(game, tables, policy)


@compiled
def roll_out(
    game: Record, tables: Record, policy: int, strategies: int, policies: np.ndarray, generator: np.ndarray
) -> None:
    """Play to the end of the game.

    Args:
        game: The game.
        tables: Its tables.
        policy: A number returned by `policy_number`.
        strategies: The number of strategies of the game.
        policies: int64 (seats,): scratch space for the policy of each seat.
        generator: uint64 (1,).
    """
    draw_policies(policy, strategies, policies, generator)
    play_on(game, tables, policies, generator)


@compiled
def judge(game: Record, tables: Record, final: Record, softness: float, result: np.ndarray) -> None:
    """The value of the end of a game for each seat. A truncated game counts as it stands.

    With softness 0 the value is the share of the win. Otherwise a lead of this many points makes a share e times as
    large: the margin of a playout says more about a position than its winner. This is for games in which all seats
    compete with each other: the shares add up to 1.
    """
    write_final(game, tables, final)
    if softness == 0.0:
        for seat in range(result.shape[0]):
            result[seat] = final.win_share[seat]
        return
    most = 0
    for seat in range(result.shape[0]):
        most = max(most, 0 + final.total[seat])
    total = 0.0
    for seat in range(result.shape[0]):
        result[seat] = math.exp((final.total[seat] - most) / softness)
        total += result[seat]
    for seat in range(result.shape[0]):
        result[seat] /= total
