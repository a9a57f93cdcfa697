"""What the shell completes: names that only the program knows."""

from __future__ import annotations

from typing import Literal, get_args, get_origin, get_type_hints

from pr_env.commands.configuration import RULES
from pr_env.puerto_rico import PuertoRico
from pr_env.puerto_rico.state import BOARDS


def agents(incomplete: str) -> list[tuple[str, str]]:
    """Names of agents, each with what it is."""
    try:
        from agents.registry import AGENTS
    except ModuleNotFoundError:
        return []
    return [(name, words) for name, (_, _, words) in AGENTS.items() if name.startswith(incomplete)]


def buildings(incomplete: str) -> list[str]:
    """Ways to choose the buildings."""
    return [kind for kind in BOARDS[:-1] if kind.startswith(incomplete)]


def rules(incomplete: str) -> list[str]:
    """The game's other options with their values."""
    return [rule for name in RULES for rule in _with_values(name) if rule.startswith(incomplete)]


def _with_values(name: str) -> list[str]:
    hint = get_type_hints(PuertoRico)[name]
    if hint is bool:
        return [f"{name}=true", f"{name}=false"]
    return [f"{name}={value}" for value in get_args(hint)] if get_origin(hint) is Literal else [f"{name}="]
