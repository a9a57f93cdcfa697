"""Uniformly random legal actions for a batch of masks."""

from __future__ import annotations

import numpy as np
from numba import prange

from pr_env.compiling import kernel, parallel_kernel
from pr_env.randomness import next_state, random_below, start_generator


@kernel
def start_generators(seeds: np.ndarray, generators: np.ndarray) -> None:
    """One generator for each seed."""
    for i in range(seeds.shape[0]):
        generators[i] = start_generator(seeds[i])


@kernel
def sample_actions(masks: np.ndarray, generators: np.ndarray, out: np.ndarray) -> None:
    """For each row of the mask one of its legal actions, each with the same chance."""
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[i, action]
        generators[i] = next_state(generators[i])
        ticket = random_below(generators[i], legal)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if ticket == 0:
                    out[i] = action
                    break
                ticket -= 1


@parallel_kernel
def sample_actions_together(threads: int, masks: np.ndarray, generators: np.ndarray, out: np.ndarray) -> None:
    """The same, each thread on its part of the batch."""
    count = masks.shape[0]
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        sample_actions(masks[start:stop], generators[start:stop], out[start:stop])
