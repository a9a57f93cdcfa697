"""Rules of the extended game (Expansion I, six players, politician and pirate) within the rules of the base game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pr_env.compiling import compiled_for

F = TypeVar("F", bound=Callable[..., Any])


def extension(otherwise: Any = None) -> Callable[[F], F]:
    """Mark a rule of the extended game. In a base game it is ``otherwise`` and costs nothing."""
    return compiled_for("in_game", otherwise)
