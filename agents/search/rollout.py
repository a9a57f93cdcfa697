"""From a leaf to the end of the game, and what the end is worth to each seat."""

from __future__ import annotations

import math

import numpy as np

from agents.scripted.policy import STRATEGIES, scripted_action
from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.scoring import write_final
from pr_env.puerto_rico.state import GAME_OVER
from pr_env.puerto_rico.step import step
from pr_env.randomness import next_state, random_below
from pr_env.sampling import count_legal, nth_legal

# Who plays from a leaf on. The place in this tuple is the policy's number.
ROLLOUTS = (*STRATEGIES, "mixed", "random")
_NUM_STRATEGIES = len(STRATEGIES)
_MIXED = ROLLOUTS.index("mixed")  # every seat by a strategy of its own, drawn anew in each playout
_RANDOM = ROLLOUTS.index("random")


@compiled
def roll_out(game: GameRecord, policy: int, generator: np.ndarray) -> None:
    """Play to the end by a policy of ROLLOUTS."""
    state = next_state(generator[0])
    drawn = random_below(state, _NUM_STRATEGIES**game.players)  # a strategy for each seat, as digits of one number
    while game.phase != GAME_OVER:
        if policy == _RANDOM:
            state = next_state(state)
            action = nth_legal(game.legal, random_below(state, count_legal(game.legal)))
        elif policy == _MIXED:
            action = scripted_action(game, drawn // _NUM_STRATEGIES**game.player % _NUM_STRATEGIES)
        else:
            action = scripted_action(game, policy)
        step(game, action)
    generator[0] = state


@compiled
def judge(game: GameRecord, final: GameRecord, softness: float, result: np.ndarray) -> None:
    """What the end is worth to each seat; all together 1. A game that was cut counts as it stands.

    With softness 0 it is the win, shared if several have it. Else a lead of so many points makes a share e times as
    large: by how much a playout is won or lost says more about a position than who won it.
    """
    write_final(game, final)
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
