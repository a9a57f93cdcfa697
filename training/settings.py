"""Hyperparameters as people write them: each of the right kind and in its range, or refused with a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, get_args, get_type_hints

from agents import make_agent
from pr_env import PuertoRico
from pr_env.threads import most_threads

# What the options of the command line say; --set does not change them.
OPTIONS = ("players", "seed", "threads")
PLAYERS = (2, 3, 4, 5)  # of the base game
MOST_SEEDS = 2**62  # with room for what is added to a seed

_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a word",
    tuple[int, ...]: "whole numbers, such as (256, 256)",
    tuple[float, float]: "two numbers (first, last)",
    tuple[str, ...]: "words, such as ('builder', 'trader')",
}


def check_settings(settings: Any, *, counts: Iterable[str], shares: Iterable[str]) -> None:
    """Refuse hyperparameters of a wrong kind or out of range. Lists, as JSON has them, become tuples.

    Args:
        settings: A frozen dataclass. ``players``, ``seed``, ``threads``, ``layers`` and ``agents`` are among them.
        counts: The fields that are whole numbers from 1 on.
        shares: The fields that are numbers from 0 to 1.

    Raises:
        ValueError: Then.
    """
    for name, kind in get_type_hints(type(settings)).items():
        value = getattr(settings, name)
        if isinstance(value, list):
            value = tuple(value)
            object.__setattr__(settings, name, value)
        if not _is(value, kind):
            raise ValueError(f"{name} is {_WORDS[kind]}, not {value!r}")
    for name in counts:
        if getattr(settings, name) < 1:
            raise ValueError(f"{name} is at least 1, not {getattr(settings, name)!r}")
    for name in shares:
        if not 0 <= getattr(settings, name) <= 1:
            raise ValueError(f"{name} is from 0 to 1, not {getattr(settings, name)!r}")
    if settings.players not in PLAYERS:
        raise ValueError(f"players are {', '.join(map(str, PLAYERS))}, not {settings.players!r}")
    if not 0 <= settings.seed < MOST_SEEDS:
        raise ValueError(f"seed is from 0 to {MOST_SEEDS - 1}, not {settings.seed!r}")
    if settings.threads > most_threads():
        raise ValueError(f"threads are at most {most_threads()} here, not {settings.threads!r}")
    if not settings.layers or min(settings.layers) < 1:
        raise ValueError(f"layers are the widths of one or more hidden layers, not {settings.layers!r}")
    if min(settings.learning_rate) < 0:
        raise ValueError(f"learning_rate is at least 0, not {settings.learning_rate!r}")
    for name in settings.agents:
        make_agent(name, PuertoRico(players=settings.players))  # says what is wrong with it


def _is(value: object, kind: Any) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind in (str, bool):
        return isinstance(value, kind)
    first, second = get_args(kind)  # of a tuple
    if not isinstance(value, tuple) or (second is not Ellipsis and len(value) != 2):
        return False
    return all(_is(part, first) for part in value)
