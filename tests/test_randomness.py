"""The generator inside a record, and sampling with it."""

from __future__ import annotations

import numpy as np
import pytest

from pr_env.randomness import next_state, random_below, start_generator
from pr_env.sampling import sample_actions, start_generators


def draws(seed: int, limit: int, count: int) -> list[int]:
    state = np.uint64(start_generator(np.uint64(seed)))
    numbers = []
    for _ in range(count):
        state = np.uint64(next_state(state))
        numbers.append(int(random_below(state, limit)))
    return numbers


def reference(state: int, limit: int, count: int) -> list[int]:
    """The same generator in plain Python integers."""
    numbers = []
    for _ in range(count):
        state = (state & 0xFFFFFFFF) * 4294883355 + (state >> 32)
        numbers.append((((state & 0xFFFFFFFF) ^ (state >> 32)) * limit) >> 32)
    return numbers


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**64 - 1])
def test_it_is_multiply_with_carry(seed: int) -> None:
    state = int(start_generator(np.uint64(seed)))
    assert 0 < state < 2**64
    assert draws(seed, 50, 200) == reference(state, 50, 200)


@pytest.mark.parametrize("limit", [2, 5, 50])
def test_neighbouring_seeds_draw_evenly(limit: int) -> None:
    """The first draw over many consecutive seeds passes a chi-square test."""
    first = np.array([draws(seed, limit, 1)[0] for seed in range(4000)])
    counts = np.bincount(first, minlength=limit)
    expected = 4000 / limit
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < limit - 1 + 5 * np.sqrt(2 * (limit - 1))


def test_sampling_is_even_and_legal() -> None:
    masks = np.zeros((30_000, 86), np.bool_)
    masks[:, [3, 40, 85]] = True
    generators = np.zeros(len(masks), np.uint64)
    start_generators(np.arange(len(masks), dtype=np.uint64), generators)
    actions = np.zeros(len(masks), np.int64)
    sample_actions(masks, generators, actions)
    counts = np.bincount(actions, minlength=86)
    assert counts[[3, 40, 85]].sum() == len(masks)
    assert abs(counts[[3, 40, 85]] - 10_000).max() < 500
