"""Reward schemes: what each seat is paid after a decision. They read the game and never change it.

| scheme      | paid                | each seat gets                                                             |
|-------------|---------------------|----------------------------------------------------------------------------|
| `win_share` | at the end          | 1 for the winner, 1/k for each of k players who share the win, else 0      |
| `rank`      | at the end          | from 1 for the first to 0 for the last in equal steps; ties share the mean |
| `margin`    | at the end          | own points minus those of the best other player                            |
| `points`    | after each decision | by how much the own score (if the game ended now) has changed              |

A game that is cut because it does not end pays nothing at its end, for nobody has won it. (`points` has paid already.)
"""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.scoring import total_points

SCHEMES = ("win_share", "rank", "margin", "points")
WIN_SHARE, RANK, MARGIN, POINTS = range(len(SCHEMES))


@compiled
def before_decision(game: GameRecord, scheme: int, rewards: np.ndarray) -> None:
    """Start a decision's rewards; `points` remembers the score that it starts from."""
    for player in range(game.players):
        rewards[player] = -total_points(game, player) if scheme == POINTS else 0


@compiled
def after_decision(game: GameRecord, scheme: int, rewards: np.ndarray) -> None:
    """`points`: add the score that the decision has led to."""
    if scheme == POINTS:
        for player in range(game.players):
            rewards[player] += total_points(game, player)


@compiled
def at_the_end(final: GameRecord, players: int, scheme: int, rewards: np.ndarray) -> None:
    """Pay the schemes that pay by the final ranking."""
    for player in range(players):
        if scheme == WIN_SHARE:
            rewards[player] = final.win_share[player]
        elif scheme == RANK:
            equals = 0
            for other in range(players):
                if other != player and final.rank[other] == final.rank[player]:
                    equals += 1
            mean_rank = final.rank[player] + 0.5 * equals
            rewards[player] = (players - mean_rank) / (players - 1)
        elif scheme == MARGIN:
            best_other = -1
            for other in range(players):
                if other != player and final.total[other] > best_other:
                    best_other = 0 + final.total[other]
            rewards[player] = final.total[player] - best_other
