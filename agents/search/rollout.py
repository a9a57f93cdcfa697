"""From a leaf to the end of the game, and what the end is worth to each seat."""

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

# Who plays from a leaf on, beside the game's own strategies
MIXED, RANDOM = "mixed", "random"
DRAW_STRATEGIES = -3  # in the place of a policy: every seat by a strategy of its own, drawn anew in each playout


def rollouts_of(game: Game) -> tuple[str, ...]:
    """Who can play from a leaf on, the usual one first."""
    strategies = strategies_of(game)
    return (MIXED, *strategies, RANDOM) if strategies else (RANDOM,)


def policy_number(game: Game, rollout: str) -> int:
    """The number of a rollout's policy in compiled code.

    Raises:
        ValueError: If the game has no such rollout.
    """
    known = rollouts_of(game)
    if rollout not in known:
        raise ValueError(f"rollout must be one of {', '.join(known)}, got {shown(rollout)}")
    if rollout == MIXED:
        return DRAW_STRATEGIES
    return BY_CHANCE if rollout == RANDOM else strategies_of(game).index(rollout)


@compiled
def draw_policies(policy: int, strategies: int, policies: np.ndarray, generator: np.ndarray) -> None:
    """Say who plays each seat in one playout.

    Args:
        policy: A number of `policy_number`.
        strategies: How many strategies the game has.
        policies: int64 (seats,): is written.
        generator: uint64 (1,).
    """
    generator[0] = next_state(generator[0])
    if policy == DRAW_STRATEGIES:
        drawn = random_below(generator[0], strategies ** policies.shape[0])  # one for each seat, as digits of a number
        for seat in range(policies.shape[0]):
            policies[seat] = drawn % strategies
            drawn //= strategies
    else:
        policies[:] = policy


@compiled
def favourite(game: Record, tables: Record, policy: int) -> int:
    """What the policy of the seat to move would do; chance has no favourite."""
    return NO_ACTION if policy == BY_CHANCE else scripted_action(game, tables, policy)


@compiled
def roll_out(
    game: Record, tables: Record, policy: int, strategies: int, policies: np.ndarray, generator: np.ndarray
) -> None:
    """Play to the end.

    Args:
        game: The game.
        tables: Its tables.
        policy: A number of `policy_number`.
        strategies: How many strategies the game has.
        policies: int64 (seats,): room for the policy of each seat.
        generator: uint64 (1,).
    """
    draw_policies(policy, strategies, policies, generator)
    play_on(game, tables, policies, generator)


@compiled
def judge(game: Record, tables: Record, final: Record, softness: float, result: np.ndarray) -> None:
    """What the end is worth to each seat. A game that was cut counts as it stands.

    With softness 0 it is the win, shared if several have it. Else a lead of so many points makes a share e times as
    large: by how much a playout is won or lost says more about a position than who won it. That is for games in which
    everybody plays against everybody: the shares are together 1.
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
