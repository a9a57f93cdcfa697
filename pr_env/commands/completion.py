"""Shell completion of names of games and agents."""

from __future__ import annotations

import typer

from pr_env import registry
from pr_env.commands.choice import CHOSEN
from pr_env.opponents import opponent_names


def agents(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of agents for the game on the command line, with descriptions."""
    choice = ctx.meta.get(CHOSEN)
    names = opponent_names(registry.find_game(registry.DEFAULT) if choice is None else choice.kind)
    return [(name, words) for name, words in names.items() if name.startswith(incomplete)]


def games(incomplete: str) -> list[str]:
    """Names of games."""
    return [name for name in registry.game_names() if name.startswith(incomplete)]
