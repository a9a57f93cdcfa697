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
    """One table compared with the best one.

    Attributes:
        match: Its index in the matches of the tournament.
        wins: Its share of games won.
        points: The mean points of a seat.
        wins_behind: The difference of the best table's share of wins to its own, on the same starts.
        points_behind: The difference of the best table's points to its own, on the same starts, over games that both
            completed; None if there are none.
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
    """All tables, the best first: by wins, then by points."""
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
    """The values of the starts that both have in common, and those starts."""
    both = [start for start in ones if start in others]
    return np.array([ones[start] for start in both]), np.array([others[start] for start in both]), np.array(both)
