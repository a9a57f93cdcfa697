"""The rules of Puerto Rico, as called by the rest of the package."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.puerto_rico import setup
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.guests import ask_before_decision
from pr_env.puerto_rico.legal import list_legal
from pr_env.puerto_rico.observation import new_counts, observe
from pr_env.puerto_rico.scoring import total_points, write_final
from pr_env.puerto_rico.state import GAME_OVER, NAME, ROUNDS_OVER
from pr_env.puerto_rico.step import only_legal, step
from pr_env.rules import Rules


@compiled
def set_up(game: GameRecord, seed: np.uint64) -> None:
    """Set up a game; its first decision has several answers."""
    setup.set_up(game, seed)
    list_legal(game)


@compiled
def refresh(game: GameRecord) -> None:
    """Play forced decisions and write the legal actions."""
    ask_before_decision(game)
    if list_legal(game) == 1:
        step(game, only_legal(game))


@compiled
def is_over(game: GameRecord) -> bool:
    """Whether the game is over."""
    return game.phase == GAME_OVER


@compiled
def was_cut(game: GameRecord) -> bool:
    """Whether the game ended only because of the maximum number of rounds."""
    return game.ending == ROUNDS_OVER


RULES = Rules(
    NAME,
    set_up=set_up,
    step=step,
    refresh=refresh,
    observe=observe,
    is_over=is_over,
    write_final=write_final,
    truncated=was_cut,
    points=total_points,
    new_scratch=new_counts,
)
