"""Advancing a game to the next decision of a seat that is not played automatically."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pr_env.compiling import compiled
from pr_env.randomness import next_state, random_below
from pr_env.rules import Record, is_over, step
from pr_env.sampling import count_legal, nth_legal

# Who plays a seat, if not a numbered policy
ASKED = -1  # the caller: the game waits
BY_CHANCE = -2

# Maps a game, its tables and the number of a policy to an action
Choose = Callable[[Record, Record, int], int]
# Maps a game, its tables, policies, int64 (seats,), and a generator, uint64 (1,), to the number of decisions made
PlayOn = Callable[[Record, Record, np.ndarray, np.ndarray], int]


@compiled
def random_action(game: Record, generator: np.ndarray) -> int:
    """A uniformly random legal action; advances the generator, uint64 (1,)."""
    generator[0] = next_state(generator[0])
    return nth_legal(game.legal, random_below(generator[0], count_legal(game.legal)))


def play_on_with(choose: Choose) -> PlayOn:
    """A compiled function that plays for all seats that are not asked.

    It plays until it is the turn of a seat that must be asked, or the game is over. ``policies`` has for each seat
    ASKED, BY_CHANCE or the number of a policy. The generator is for seats that play by chance; the game has its own in
    its record.

    Args:
        choose: A compiled function that implements the numbered policies.
    """

    @compiled
    def play_on(game: Record, tables: Record, policies: np.ndarray, generator: np.ndarray) -> int:
        decisions = 0
        while not is_over(game):
            policy = policies[game.player]
            if policy == ASKED:
                break
            if policy == BY_CHANCE:
                action = random_action(game, generator)
            else:
                action = choose(game, tables, policy)
            step(game, tables, action)
            decisions += 1
        return decisions

    return play_on


@compiled
def _first_legal(game: Record, tables: Record, policy: int) -> int:
    return nth_legal(game.legal, 0)


play_on = play_on_with(_first_legal)  # for seats that are asked or play by chance, without numbered policies
