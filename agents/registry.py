"""Agents by name: ``make_agent("random", game)``, ``make_agent("mcts:playouts=2000,seconds=1.5", game)``.

A name stands for a class; the arguments of its constructor follow the colon. Classes are imported on demand, so that a
scripted agent does not wait for PyTorch. Agents that play only one game are listed in the folder of that game, in
`agents.<game>.AGENTS`.
"""

from __future__ import annotations

import importlib
import inspect
from ast import literal_eval
from typing import Any, NamedTuple

from agents.agent import Agent
from agents.policies import PLAYERS_OF
from pr_env.checks import check_whole, shown
from pr_env.game import Game


class Entry(NamedTuple):
    """Location of an agent.

    Attributes:
        module: Its module.
        class_name: Its class.
        words: A short description.
    """

    module: str
    class_name: str
    words: str


# Agents for any game; the agents of a single game are inserted after the first one.
AGENTS: dict[str, Entry] = {
    "random": Entry("agents.random_agent", "RandomAgent", "uniformly random legal actions"),
    "ppo": Entry("agents.neural", "NeuralAgent", "a network trained by self-play"),
    "mcts": Entry("agents.mcts", "MctsAgent", "Monte Carlo tree search with rollouts"),
    "ppo+mcts": Entry("agents.neural_mcts", "NeuralMctsAgent", "tree search guided by the network of ppo"),
    "program": Entry("agents.program", "ProgramAgent", "a program in any language: command=..."),
}


def agents_of(game: str) -> dict[str, Entry]:
    """The agents that can play a game, by name."""
    if game not in PLAYERS_OF:
        return AGENTS
    own: dict[str, Entry] = importlib.import_module(f"{PLAYERS_OF[game]}.names").AGENTS
    return {"random": AGENTS["random"], **own, **AGENTS}


def names_for(kind: type[Game]) -> dict[str, str]:
    """The agents that can play a class of games: names with short descriptions."""
    return {name: entry.words for name, entry in agents_of(kind.name).items()}


def agent_names(game: str) -> tuple[str, ...]:
    """All names that `make_agent` knows for a game."""
    return tuple(agents_of(game))


def make_agent(spec: str, game: Game, *, seed: int = 0) -> Agent:
    """Create an agent by name.

    Args:
        spec: A name, optionally with options: ``"mcts:playouts=2000,rollout=builder"``.
        game: The game to play.
        seed: Seed of an agent that uses chance.

    Raises:
        ValueError: If there is no such agent or option, or the agent cannot play the game. The message lists the
            alternatives.
    """
    if not isinstance(game, Game):
        raise ValueError(f"game must be a game, for example PuertoRico(players=3), got {shown(game)}")
    if not isinstance(spec, str):
        raise ValueError(f"spec must be the name of an agent, for example 'random', got {shown(spec)}")
    check_whole("seed", seed, least=0)
    name, _, given = spec.partition(":")
    known = agents_of(game.name)
    if name not in known:
        raise ValueError(f"there is no agent {shown(name)} for {game.name}; available: {', '.join(known)}")
    made = agent_class(known[name])
    options: dict[str, Any] = {}
    for item in given.split(",") if given else []:
        option, equals, value = item.partition("=")
        if not equals or option not in options_of(made):
            raise ValueError(
                f"agent {name!r} has no option {shown(item)}; "
                + (f"options are {', '.join(options_of(made))}" if options_of(made) else "it has none")
            )
        options[option] = _read(value)
    if "seed" in inspect.signature(made).parameters:
        options["seed"] = seed
    try:
        return made(game, **options)
    except (TypeError, ValueError) as error:
        raise ValueError(f"agent {shown(spec)}: {error}") from error


def agent_class(entry: Entry) -> type[Agent]:
    """The class of an agent, imported."""
    return getattr(importlib.import_module(entry.module), entry.class_name)  # type: ignore[no-any-return]


def options_of(made: type[Agent]) -> list[str]:
    """The names of an agent's options."""
    return [option for option in inspect.signature(made).parameters if option not in ("game", "seed")]


def _read(value: str) -> Any:
    """A number or boolean if it looks like one, else the text itself."""
    try:
        return literal_eval(value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return value
