"""Compiling ahead what agents compile at their first use: ``pr-env compile``."""

from __future__ import annotations

import numpy as np

from agents.registry import make_agent, names_for
from pr_env.batch import Batch
from pr_env.commands.compile import Say
from pr_env.game import Game


def compile_ahead(game: Game, say: Say) -> None:
    """Ask every agent that plays the game once."""
    batch = Batch(game, 1, seed=0, threads=1)
    games = np.array(batch.games)  # a copy: agents' kernels are compiled for arrays that may be written
    for name in names_for(type(game)):
        try:
            agent = make_agent(name, game=game)
            with say(f"agent {name}"):
                agent.choose(batch.observation, batch.mask, games)
        except (ModuleNotFoundError, ValueError) as error:  # its library, or weights for this game, are not there
            with say(f"agent {name} is left out: {error}"):
                continue
