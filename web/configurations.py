"""Game options as forms for the page, and configurations made from submitted forms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pr_env import registry
from pr_env.commands.configuration import MOST_PLAYERS
from pr_env.commands.options import GameOption, options_of
from pr_env.game import Game
from web.players import Players


@cache
def offered() -> dict[str, type[Game]]:
    """The games on offer: those in the registry when the first page connects."""
    return {name: registry.find_game(name) for name in registry.game_names()}


def form(kind: type[Game], players: Players) -> dict[str, Any]:
    """Everything that a page needs to show the form of a game."""
    return {
        "name": kind.name,
        "title": kind.name.replace("_", " ").title(),
        "options": [_field(option) for option in _open_options(kind)],
        "agents": [
            {"name": name, "words": words, "searches": players.searches(kind, name)}
            for name, words in players.names(kind).items()
        ],
        "opponent": registry.usual_opponent(kind.name),
    }


def _open_options(kind: type[Game]) -> list[GameOption]:
    """The options that a page may set: those that name files on this machine are excluded."""
    return [option for option in options_of(kind) if option.name not in kind.local_options]


def _field(option: GameOption) -> dict[str, Any]:
    default = option.default
    return {
        "name": option.name,
        "kind": option.kind.__name__,
        "choices": list(option.choices),
        "names": list(option.names),
        "several": option.several,
        "default": list(default) if isinstance(default, tuple) else default,
        "help": option.help,
    }


def configuration(name: str, options: Mapping[str, Any]) -> Game:
    """The game with the options that a page requests.

    Raises:
        ValueError: If there is no such game, or the options are invalid.
    """
    kinds = offered()
    if name not in kinds:
        raise ValueError(f"game must be one of {', '.join(kinds)}, got {name!r}")
    kind = kinds[name]
    known = {option.name: option for option in _open_options(kind)}
    for given, value in options.items():
        if given not in known:
            raise ValueError(f"options of {name} must be among {', '.join(known)}, got {given!r}")
        if not _fits(known[given], value):
            raise ValueError(f"{given} must be like {known[given].default!r}, got {value!r}")
    try:
        return kind(**options)
    except TypeError as error:
        raise ValueError(f"invalid options for {name}: {error}") from None


def _fits(option: GameOption, value: Any) -> bool:
    """Whether a value has the type of the option. JSON's true does not count as a number."""
    if option.several and isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    if option.choices or option.kind is str:
        return type(value) in {type(choice) for choice in option.choices} | ({str} if option.kind is str else set())
    if option.kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is option.kind


def player_counts(name: str, options: Mapping[str, Any]) -> list[int]:
    """The possible numbers of players; empty if the game has no such option, or the configuration is invalid."""
    if name not in offered() or not any(option.name == "players" for option in _open_options(offered()[name])):
        return []
    counts = []
    for players in range(1, MOST_PLAYERS + 1):
        try:
            configuration(name, {**options, "players": players})
        except ValueError:
            continue
        counts.append(players)
    return counts
