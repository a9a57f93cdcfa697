"""Rules of one set within the rules that all games share.

Such a rule is compiled only for records with the set's fields. In all other games it is the constant ``otherwise`` and
costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pr_env.compiling import compiled_for

F = TypeVar("F", bound=Callable[..., Any])


def with_gamblers(otherwise: Any = None) -> Callable[[F], F]:
    """A rule of games with gamblers."""
    return compiled_for("draws_left", otherwise)


def with_merchants(otherwise: Any = None) -> Callable[[F], F]:
    """A rule of games with merchants."""
    return compiled_for("under", otherwise)


def with_gifts(otherwise: Any = None) -> Callable[[F], F]:
    """A rule of games with ships that pay a coin to another player."""
    return compiled_for("gift", otherwise)


def with_contracts(otherwise: Any = None) -> Callable[[F], F]:
    """A rule of games with contracts."""
    return compiled_for("cube", otherwise)


def with_adventure(otherwise: Any = None) -> Callable[[F], F]:
    """A rule of the adventure."""
    return compiled_for("crowns", otherwise)


def with_time_deck(otherwise: Any = None) -> Callable[[F], F]:
    """A rule of cooperative and solo games."""
    return compiled_for("time", otherwise)
