"""The rules of Port Royal, as called by the rest of the package."""

from __future__ import annotations

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal import setup
from pr_env.port_royal.adventure import lookout
from pr_env.port_royal.legal import list_legal
from pr_env.port_royal.observation import new_scratch, observe
from pr_env.port_royal.scoring import points, progress, write_final
from pr_env.port_royal.state import DECISIONS_OVER, GAME_OVER, NAME, STALEMATE, TURNS_OVER
from pr_env.port_royal.step import only_legal, play, step
from pr_env.rules import Record, Rules


@compiled
def set_up(game: Record, tables: Record, seed: np.uint64) -> None:
    """Set up a game and advance to its first decision with several answers."""
    setup.set_up(game, tables, seed)
    if list_legal(game, tables) == 1:  # as in `refresh`, which would be compiled a second time for this call
        play(game, tables, only_legal(game))


@compiled
def refresh(game: Record, tables: Record) -> None:
    """Play forced decisions and write the legal actions."""
    if list_legal(game, tables) == 1:
        play(game, tables, only_legal(game))


@compiled
def is_over(game: Record) -> bool:
    """Whether the game has ended."""
    return game.question == GAME_OVER


@compiled
def was_cut(game: Record) -> bool:
    """Whether the game ended by its limits or because no more cards could be turned up."""
    return game.ending & (STALEMATE | TURNS_OVER | DECISIONS_OVER) != 0


@compiled
def resample(game: Record, tables: Record, viewer: int, chance: np.uint64) -> None:
    """Redraw what a seat cannot know: all future chance, and what others have seen with a lookout."""
    game.rng = chance
    if lookout.resample(game, viewer):
        list_legal(game, tables)


RULES = Rules(
    NAME,
    set_up=set_up,
    step=step,
    refresh=refresh,
    observe=observe,
    is_over=is_over,
    write_final=write_final,
    truncated=was_cut,
    points=points,
    progress=progress,
    new_scratch=new_scratch,
    resample=resample,
)
