"""Uniformly random legal actions for a batch of masks."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import kernel
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
