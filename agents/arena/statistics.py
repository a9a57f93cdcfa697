"""Confidence intervals and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

Z = 1.959964  # 95 % of a normal distribution lies within this many standard deviations


class Estimate(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


def share(values: np.ndarray, seeds: np.ndarray) -> Estimate:
    """The mean of shares between 0 and 1, with a Wilson interval.

    Games with the same seed are not independent, so the interval uses an effective number of games: the number of
    independent games whose mean would vary as much as the means per seed suggest, but at most ``len(values)``.
    """
    mean, games = float(values.mean()), float(len(values))
    variance = _variance_of_mean(values, seeds)
    if variance > 0:
        games = min(games, mean * (1 - mean) / variance)
    centre = (mean + Z**2 / (2 * games)) / (1 + Z**2 / games)
    half = Z * sqrt(max(0.0, mean * (1 - mean)) / games + Z**2 / (4 * games**2)) / (1 + Z**2 / games)
    return Estimate(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))  # despite rounding


def average(values: np.ndarray, seeds: np.ndarray) -> Estimate:
    """The mean of any numbers, with a normal interval from the variance of the means per seed."""
    mean = float(values.mean())
    half = Z * sqrt(_variance_of_mean(values, seeds))
    return Estimate(mean, mean - half, mean + half)


def paired_difference(ones: np.ndarray, others: np.ndarray) -> Estimate:
    """The mean difference of paired shares between 0 and 1, with the interval of Agresti and Min.

    It adds two pseudo-pairs, one in favour of each side, so that the interval stays honest with few pairs, or if all
    are equal.
    """
    differences = ones - others
    mean, pairs = float(differences.mean()), len(differences) + 2
    centre = float(differences.sum()) / pairs
    half = Z * sqrt((float((differences**2).sum()) + 1) / pairs - centre**2) / sqrt(pairs)
    return Estimate(mean, max(-1.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def means_of(values: np.ndarray, starts: np.ndarray) -> dict[int, float]:
    """The mean over the games of each start."""
    found, place, games = np.unique(starts, return_inverse=True, return_counts=True)
    return dict(zip(found.tolist(), (np.bincount(place, values) / games).tolist(), strict=True))


def _variance_of_mean(values: np.ndarray, seeds: np.ndarray) -> float:
    """The variance of the overall mean, from the games of each seed; 0 if there is only one seed."""
    _, place, games = np.unique(seeds, return_inverse=True, return_counts=True)
    if len(games) < 2:
        return 0.0
    off = np.bincount(place, values - values.mean())  # per seed, summed over its games
    return float((off**2).sum() / len(values) ** 2 * len(games) / (len(games) - 1))


class Rating(NamedTuple):
    """A rating by openskill's Plackett-Luce model: everyone starts at 25, and higher is better."""

    mu: float
    sigma: float


def rate(results: Sequence[tuple[Sequence[str], Sequence[int]]], names: Iterable[str]) -> Mapping[str, Rating]:
    """Ratings of agents from the results of games: the agent of each team, and its rank.

    The model processes games sequentially and weights recent ones most, so they are shuffled (always in the same way).
    Copies of an agent at a table get the mean of their updates.
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "ratings need the extra 'arena': pip install -e '.[arena]' in the checkout of pr-env"
        ) from None
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in names}
    for i in np.random.default_rng(0).permutation(len(results)):
        seated, ranks = results[i]
        rated = model.rate([[ratings[name]] for name in seated], ranks=[float(rank) for rank in ranks])
        for name in set(seated):
            own = [team[0] for team, other in zip(rated, seated, strict=True) if other == name]
            ratings[name].mu = sum(rating.mu for rating in own) / len(own)
            ratings[name].sigma = sum(rating.sigma for rating in own) / len(own)
    return {name: Rating(rating.mu, rating.sigma) for name, rating in ratings.items()}
