"""Agents by name: ``make_agent("random")``, ``make_agent("mcts:playouts=2000,seconds=1.5")``.

A name stands for a class; what follows the colon are arguments of its constructor. Classes are imported when they are
asked for, so that a scripted agent does not wait for PyTorch.
"""

from __future__ import annotations

import importlib
import inspect
from ast import literal_eval
from typing import Any

from agents.agent import Agent
from pr_env.game import Game

# name: (module, class, what it is in a few words)
AGENTS: dict[str, tuple[str, str, str]] = {
    "random": ("agents.random_agent", "RandomAgent", "each legal action with the same chance"),
    "builder": ("agents.scripted", "BuilderAgent", "quarries and money, then a full city with large buildings"),
    "shipper": ("agents.scripted", "ShipperAgent", "corn and indigo in masses, shipped with harbor and wharf"),
    "greedy": ("agents.greedy", "GreedyAgent", "judges the position after each legal action"),
    "trader": ("agents.scripted", "TraderAgent", "tobacco and coffee for the trading house, factory, large buildings"),
    "ppo": ("agents.neural", "NeuralAgent", "a network trained by self-play"),
    "mcts": ("agents.mcts", "MctsAgent", "looks ahead by Monte Carlo tree search"),
    "ppo+mcts": ("agents.neural_mcts", "NeuralMctsAgent", "tree search guided by the network of ppo"),
}
_FOR_ANY_GAME = ("random",)
_GAME_OF_THE_OTHERS = "puerto_rico"


def names_for(kind: type[Game]) -> dict[str, str]:
    """The agents that play a class of games: names with what each is in a few words."""
    return {
        name: words
        for name, (_, _, words) in AGENTS.items()
        if name in _FOR_ANY_GAME or kind.name == _GAME_OF_THE_OTHERS
    }


def agent_names() -> tuple[str, ...]:
    """All names that `make_agent` knows."""
    return tuple(AGENTS)


def make_agent(spec: str, *, game: Game | None = None, seed: int = 0) -> Agent:
    """The agent of a name with its options.

    Args:
        spec: A name, or a name, a colon and options: ``"mcts:playouts=2000,rollout=builder"``.
        game: What it is to play; an agent that has to know it beforehand is told.
        seed: What an agent that uses chance starts from.

    Raises:
        ValueError: If there is no such agent or option, with what there is; or if the agent does not play the game.
    """
    name, _, given = spec.partition(":")
    if name not in AGENTS:
        raise ValueError(f"there is no agent {name!r}; there are {', '.join(AGENTS)}")
    if game is not None and name not in names_for(type(game)):
        raise ValueError(f"agent {name!r} does not play {game.name}")
    module, class_name, _ = AGENTS[name]
    made: type[Agent] = getattr(importlib.import_module(module), class_name)
    parameters = inspect.signature(made).parameters
    told = {"game": game, "seed": seed}
    known = [option for option in parameters if option not in told]
    options: dict[str, Any] = {}
    for item in given.split(",") if given else []:
        option, equals, value = item.partition("=")
        if not equals or option not in known:
            raise ValueError(
                f"agent {name!r} has no option {item!r}; "
                + (f"options are {', '.join(known)}" if known else "it has none")
            )
        options[option] = _read(value)
    options |= {name: value for name, value in told.items() if name in parameters}
    try:
        return made(**options)
    except (TypeError, ValueError) as error:
        raise ValueError(f"agent {spec!r}: {error}") from error


def _read(value: str) -> Any:
    """A number or truth value if it looks like one, else the text itself."""
    try:
        return literal_eval(value)
    except (SyntaxError, ValueError):
        return value
