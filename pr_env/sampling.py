"""Uniformly random legal actions for a batch of masks."""

from __future__ import annotations

import numpy as np
from numba import prange

from pr_env.compiling import compiled, kernel, parallel_kernel
from pr_env.randomness import next_state, random_below, start_generator


@kernel
def start_generators(seeds: np.ndarray, generators: np.ndarray) -> None:
    """Start one generator per seed."""
    for i in range(seeds.shape[0]):
        generators[i] = start_generator(seeds[i])


@compiled
def count_legal(mask: np.ndarray) -> int:
    """The number of legal actions in a mask."""
    legal = 0
    for action in range(mask.shape[0]):
        legal += mask[action]
    return legal


@compiled
def nth_legal(mask: np.ndarray, n: int) -> int:
    """The legal action with ``n`` legal actions before it; 0 if there is none."""
    for action in range(mask.shape[0]):
        if mask[action]:
            if n == 0:
                return action
            n -= 1
    return 0


@kernel
def sample_actions(masks: np.ndarray, generators: np.ndarray, out: np.ndarray) -> None:
    """Draw a uniformly random legal action for each row of the masks."""
    _sample(masks, generators, out)


@compiled
def _sample(masks: np.ndarray, generators: np.ndarray, out: np.ndarray) -> None:
    for i in range(masks.shape[0]):
        generators[i] = next_state(generators[i])
        out[i] = nth_legal(masks[i], random_below(generators[i], count_legal(masks[i])))


@parallel_kernel
def sample_actions_together(threads: int, masks: np.ndarray, generators: np.ndarray, out: np.ndarray) -> None:
    """The same with each thread on its part of the batch."""
    count = masks.shape[0]
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        _sample(masks[start:stop], generators[start:stop], out[start:stop])
