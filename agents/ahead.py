"""Ahead-of-time compilation of the agents: ``pr-env compile``."""

from __future__ import annotations

import numpy as np

from agents.registry import make_agent, names_for
from pr_env.batch import Batch
from pr_env.commands.compile import Say
from pr_env.game import Game


def compile_ahead(game: Game, say: Say) -> None:
    """Ask every agent that can play the game for one action."""
    batch = Batch(game, 1, seed=0, threads=1)
    games = np.array(batch.games)  # a copy: the kernels are compiled for writable arrays
    for name in names_for(type(game)):
        try:
            agent = make_agent(name, game=game)
            with say(f"agent {name}"):
                agent.choose(batch.observation, batch.mask, games)
        except (ModuleNotFoundError, ValueError) as error:  # its library, or weights for this game, are missing
            with say(f"agent {name} skipped: {error}"):
                continue
