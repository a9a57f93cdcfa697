"""Reward schemes: each seat's reward after a decision. They read the game and never change it.

| scheme      | paid                | each seat gets                                                             |
|-------------|---------------------|----------------------------------------------------------------------------|
| `win_share` | at the end          | its share of the win: 1 for the winner, 1/k for each of k winners, else 0  |
| `rank`      | at the end          | from 1 for the first to 0 for the last in equal steps; ties share the mean |
| `margin`    | at the end          | its points minus those of the best other player                            |
| `points`    | after each decision | the change of its score (as if the game ended now)                         |
| `score`     | at the end          | how well the game went, from 0 for a loss to 1: the final record's `score` |
| `progress`  | after each decision | the change of its progress towards a win; 1 in total for a win             |

In a cooperative game `win_share` is 1 for everybody, or 0. `rank` and `margin` are for games in which everybody plays
against everybody else; `score` and `progress` are for cooperative and solo games that measure success.
`Game.reward_schemes` lists the schemes of a configuration. A truncated game has no winner and pays nothing at its end.
(`points` and `progress` have paid along the way.)
"""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled, compiled_for
from pr_env.rules import Record, points, progress

SCHEMES = ("win_share", "rank", "margin", "points", "score", "progress")
WIN_SHARE, RANK, MARGIN, POINTS, SCORE, PROGRESS = range(len(SCHEMES))
FOR_COMPETITORS = ("win_share", "rank", "margin", "points")  # for games in which everybody plays for themselves
FOR_ANY_TEAMS = ("win_share", "points")  # for games of one seat, or of seats that win together


@compiled
def before_decisions(
    games: np.ndarray, tables: np.ndarray, scheme: int, start: int, stop: int, rewards: np.ndarray
) -> None:
    """Start the rewards of a decision in each game; `points` and `progress` store their starting values."""
    for i in range(start, stop):
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0
    if scheme == POINTS:
        for i in range(start, stop):
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = -points(games[i], tables[0], seat)
    elif scheme == PROGRESS:
        for i in range(start, stop):
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = -progress(games[i], tables[0], seat)


@compiled
def after_decisions(
    games: np.ndarray, tables: np.ndarray, scheme: int, start: int, stop: int, rewards: np.ndarray
) -> None:
    """Add the changes due to the decisions, for `points` and `progress`; nothing in games without one."""
    if scheme == POINTS:
        for i in range(start, stop):
            for seat in range(rewards.shape[1]):
                rewards[i, seat] += points(games[i], tables[0], seat)
    elif scheme == PROGRESS:
        for i in range(start, stop):
            for seat in range(rewards.shape[1]):
                rewards[i, seat] += progress(games[i], tables[0], seat)


@compiled
def at_the_end(final: Record, scheme: int, rewards: np.ndarray) -> None:
    """Pay the schemes that depend on the result."""
    seats = rewards.shape[0]
    for seat in range(seats):
        if scheme == WIN_SHARE:
            rewards[seat] = final.win_share[seat]
        elif scheme == RANK:
            equals = 0
            for other in range(seats):
                if other != seat and final.rank[other] == final.rank[seat]:
                    equals += 1
            mean_rank = final.rank[seat] + 0.5 * equals
            rewards[seat] = (seats - mean_rank) / (seats - 1)
        elif scheme == MARGIN:
            best_other = -1
            for other in range(seats):
                if other != seat and final.total[other] > best_other:
                    best_other = 0 + final.total[other]
            rewards[seat] = final.total[seat] - best_other
        elif scheme == SCORE:
            rewards[seat] = _score(final, seat)


@compiled_for("score", 0.0)
def _score(final: Record, seat: int) -> float:
    return float(final.score[seat])
