"""Parsing and checking of hyperparameters: a wrong type or value gets a one-sentence error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, get_args, get_origin, get_type_hints

from agents import make_agent
from agents.policies import suited_strategies
from agents.registry import agent_names
from agents.torch_brain import check_device
from pr_env.game import Game
from pr_env.registry import find_game
from pr_env.threads import most_threads

# Set by options of the command line, not by --set.
OPTIONS = ("game", "options", "seed", "threads", "device", "bfloat16")
MOST_SEEDS = 2**62  # leaves room for offsets
USUAL: Any = None  # a default that depends on the game

_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a word",
    tuple[int, ...]: "whole numbers, such as (256, 256)",
    tuple[float, float]: "two numbers (first, last)",
    tuple[str, ...]: "words, such as ('builder', 'trader')",
    dict[str, Any]: "a dictionary, such as {'players': 4}",
}


def game_of(settings: Any) -> Game:
    """The game that settings name, with their options.

    Raises:
        ValueError: If there is no such game, or it has no such options.
    """
    for name, wanted in (("game", str), ("options", dict)):
        if not isinstance(value := getattr(settings, name), wanted):
            raise ValueError(f"{name} must be {_WORDS[get_type_hints(type(settings))[name]]}, got {value!r}")
    kind = find_game(settings.game)
    try:
        return kind(**settings.options)
    except TypeError as error:
        raise ValueError(f"{kind.name} does not have these options: {error}") from None


def variants_of(settings: Any) -> tuple[Game, ...]:
    """The games that are trained on at the same time: the one that settings name, or one for each value of ``vary``.

    Raises:
        ValueError: If ``vary`` is not the name of an option with its values, or changes the records or observations.
    """
    game = game_of(settings)
    if not settings.vary:
        return (game,)
    if len(settings.vary) != 1:
        raise ValueError(f"vary must name one option, such as {{'chapter': [1, 2, 3]}}, got {settings.vary!r}")
    ((name, values),) = settings.vary.items()
    if not isinstance(values, list | tuple) or not values:
        raise ValueError(f"vary must list the values of {name}, got {values!r}")
    try:
        games = tuple(type(game)(**{**settings.options, name: value}) for value in values)
    except TypeError as error:
        raise ValueError(f"vary: {game.name} does not have this option: {error}") from None
    for other in games:
        same = (other.record, other.final, other.actions, other.fields, other.teams)
        if same != (game.record, game.final, game.actions, game.fields, game.teams):
            raise ValueError(f"vary must keep records, actions and observations as they are, but {name} changes them")
        if other.options_for_agents() != game.options_for_agents():
            raise ValueError(f"vary must name an option that agents need not be trained for, got {name}")
    return games


def usual_agents(game: Game) -> tuple[str, ...]:
    """The scripted strategies that play the configuration well: teachers, and in competitive games opponents."""
    known = agent_names(game.name)
    return tuple(name for name in suited_strategies(game) if name in known)


def check_settings(settings: Any, *, counts: Iterable[str], shares: Iterable[str]) -> None:
    """Check the types and ranges of hyperparameters.

    Lists, as in JSON, become tuples; the game is replaced by its name, and its options are completed.

    Args:
        settings: A frozen dataclass with ``game``, ``options``, ``seed``, ``threads``, ``device``, ``hidden_sizes``,
            ``learning_rate``, ``agents`` and other fields.
        counts: Fields that must be at least 1.
        shares: Fields that must be from 0 to 1.

    Raises:
        ValueError: If a setting has the wrong type or is out of range.
    """
    for name, kind in get_type_hints(type(settings)).items():
        value = getattr(settings, name)
        if isinstance(value, list):
            value = tuple(value)
            object.__setattr__(settings, name, value)
        if not _is(value, kind):
            raise ValueError(f"{name} must be {_WORDS[kind]}, got {value!r}")
    game = game_of(settings)
    object.__setattr__(settings, "game", game.name)
    object.__setattr__(settings, "options", game.options())
    for name in counts:
        if getattr(settings, name) < 1:
            raise ValueError(f"{name} must be at least 1, got {getattr(settings, name)!r}")
    for name in shares:
        if not 0 <= getattr(settings, name) <= 1:
            raise ValueError(f"{name} must be from 0 to 1, got {getattr(settings, name)!r}")
    if not 0 <= settings.seed < MOST_SEEDS:
        raise ValueError(f"seed must be from 0 to {MOST_SEEDS - 1}, got {settings.seed!r}")
    if settings.threads > most_threads():
        raise ValueError(f"threads must be at most {most_threads()} here, got {settings.threads!r}")
    if not settings.hidden_sizes or min(settings.hidden_sizes) < 1:
        raise ValueError(f"hidden_sizes must be the widths of one or more layers, got {settings.hidden_sizes!r}")
    if min(settings.learning_rate) < 0:
        raise ValueError(f"learning_rate must be at least 0, got {settings.learning_rate!r}")
    check_device(settings.device)
    for name in settings.agents:
        if make_agent(name, game).starts_program:  # also raises if the name is invalid
            raise ValueError(f"agents must not start programs, because checkpoints name them, got {name!r}")


def _is(value: object, kind: Any) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind in (str, bool):
        return isinstance(value, kind)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(isinstance(name, str) for name in value)
    first, second = get_args(kind)  # of a tuple type
    if not isinstance(value, tuple) or (second is not Ellipsis and len(value) != 2):
        return False
    return all(_is(part, first) for part in value)
