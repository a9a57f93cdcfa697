"""Cooperative and solo games: paired comparison of tables on the same starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.arena.results import MatchResult
from agents.arena.statistics import Estimate, average, means_of, paired_difference


@dataclass(frozen=True)
class Comparison:
    """One table beside the best one.

    Attributes:
        match: Its place in the matches of the tournament.
        wins: Its share of games won.
        points: The mean points of a seat.
        wins_behind: How much larger the best table's share is on the same starts.
        points_behind: How many more points the best table has on the same starts, of games played to their end by both;
            None if there are none.
    """

    match: int
    wins: Estimate
    points: Estimate
    wins_behind: Estimate
    points_behind: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe; estimates are lists: mean, low, high."""
        return asdict(self)


def compare_teams(matches: Sequence[MatchResult]) -> list[Comparison]:
    """All tables, the best first: who won most, or has more points."""
    best = max(matches, key=_strength)
    found = [
        Comparison(
            place, match.team_wins(), match.team_points(), _wins_behind(best, match), _points_behind(best, match)
        )
        for place, match in enumerate(matches)
    ]
    return sorted(found, key=lambda one: (one.wins.mean, one.points.mean), reverse=True)


def _strength(match: MatchResult) -> tuple[float, float]:
    return match.team_wins().mean, match.team_points().mean


def _wins_behind(best: MatchResult, other: MatchResult) -> Estimate:
    ours, theirs, _ = _paired(
        means_of(best.win_shares.mean(axis=1), best.starts), means_of(other.win_shares.mean(axis=1), other.starts)
    )
    return paired_difference(ours, theirs)


def _points_behind(best: MatchResult, other: MatchResult) -> Estimate | None:
    means = [
        means_of(match.points[match.played].sum(axis=-1).mean(axis=1), match.starts[match.played])
        for match in (best, other)
    ]
    ours, theirs, starts = _paired(*means)
    return average(ours - theirs, starts) if len(starts) else None


def _paired(ones: dict[int, float], others: dict[int, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The values of the starts that both have, and those starts."""
    both = [start for start in ones if start in others]
    return np.array([ones[start] for start in both]), np.array([others[start] for start in both]), np.array(both)
