"""A game's observation and action spaces."""

from __future__ import annotations

import gymnasium
import numpy as np

from pr_env.game import Game
from pr_env.observing import MOST

# An upper bound for observations: counts are limited (see invariants), and most are scaled to about 1.
HIGHEST = 1000.0


def observation_space(game: Game, compact: bool = False) -> gymnasium.spaces.Box:
    """The space of observation vectors."""
    if compact:
        return gymnasium.spaces.Box(0, MOST, (game.observation_size,), np.uint8)
    return gymnasium.spaces.Box(0.0, HIGHEST, (game.observation_size,), np.float32)


def mask_space(game: Game) -> gymnasium.spaces.Box:
    """The space of masks, which have a 1 for each legal action."""
    return gymnasium.spaces.Box(0, 1, (len(game.actions),), np.int8)


def masked_observation_space(game: Game, compact: bool = False) -> gymnasium.spaces.Dict:
    """The space of observation vectors with masks."""
    return gymnasium.spaces.Dict({"observation": observation_space(game, compact), "action_mask": mask_space(game)})


def action_space(game: Game) -> gymnasium.spaces.Discrete:
    """The space of action numbers."""
    return gymnasium.spaces.Discrete(len(game.actions))
