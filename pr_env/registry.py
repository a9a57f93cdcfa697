"""The registry of games: the only place outside a game's folder that mentions it.

``find_game("puerto_rico")`` returns the class, and ``find_game("module:Class")`` that of a game outside the package.
Other packages offer games in the entry-point group ``pr_env.games``: the name of the game, and ``module:Class``.

Modules are imported only on explicit request. The name of a game in a file (a replay, weights) is looked up with
`known_game`, which imports nothing from outside this package.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from pr_env.checks import shown
from pr_env.game import Game
from pr_env.opponents import RANDOM

GROUP = "pr_env.games"


@dataclass(frozen=True)
class Entry:
    """Where a game of this package is defined, and the names of its environments.

    Attributes:
        place: Module and class.
        gymnasium_id: Its name in ``gymnasium.make`` and ``make_vec``.
        pettingzoo_id: Its name in PettingZoo's registry.
        pettingzoo_module: The module with ``env`` and ``raw_env``.
        opponent: Who plays against a person that names nobody, see `pr_env.opponents`.
        campaign_id: What ``gymnasium.make`` calls its campaign; empty if it has none.
    """

    place: str
    gymnasium_id: str
    pettingzoo_id: str
    pettingzoo_module: str
    opponent: str = RANDOM
    campaign_id: str = ""


GAMES: dict[str, Entry] = {
    "puerto_rico": Entry(
        place="pr_env.puerto_rico:PuertoRico",
        gymnasium_id="pr_env/PuertoRico-v0",
        pettingzoo_id="pr_env/puerto_rico-v0",
        pettingzoo_module="pr_env.puerto_rico_v0",
        opponent="builder",
    ),
    "port_royal": Entry(
        place="pr_env.port_royal:PortRoyal",
        gymnasium_id="pr_env/PortRoyal-v0",
        pettingzoo_id="pr_env/port_royal-v0",
        pettingzoo_module="pr_env.port_royal_v0",
        opponent="crew",
        campaign_id="pr_env/PortRoyalCampaign-v0",
    ),
}
DEFAULT = "puerto_rico"  # the default game of commands

_from_outside: dict[str, type[Game]] = {}  # games from other modules that were found or added, by name


def game_names() -> tuple[str, ...]:
    """All names that `find_game` knows without a module."""
    offered = (entry.name for entry in entry_points(group=GROUP))
    return tuple(dict.fromkeys([*GAMES, *offered, *_from_outside]))


def find_game(spec: str) -> type[Game]:
    """The class of a game, imported if necessary.

    Args:
        spec: A name in `game_names`, or ``"module:Class"``; the module may be in the current folder.

    Raises:
        ValueError: If there is no such game; the message says why.
    """
    if not isinstance(spec, str):
        raise ValueError(f"spec must be the name of a game, or module:Class, got {shown(spec)}")
    if ":" in spec:
        return add_game(_import(spec))
    known = GAMES.get(spec)
    if known is not None:
        return _import(known.place)
    if spec in _from_outside:
        return _from_outside[spec]
    for entry in entry_points(group=GROUP):
        if entry.name == spec:
            return add_game(_import(entry.value))
    raise ValueError(f"game must be one of {', '.join(game_names())}, or module:Class, got {shown(spec)}")


def usual_opponent(name: str) -> str:
    """The default opponent of a person in a game."""
    return GAMES[name].opponent if name in GAMES else RANDOM


def known_names() -> tuple[str, ...]:
    """All names that `known_game` knows."""
    return (*GAMES, *_from_outside)


def known_game(name: str) -> type[Game]:
    """The class of a game of this package, or of one that was found or added before.

    Raises:
        ValueError: If it is neither. Nothing is imported to find out.
    """
    if not isinstance(name, str):
        raise ValueError(f"name must be the name of a game, got {shown(name)}")
    if name in GAMES:
        return _import(GAMES[name].place)
    if name in _from_outside:
        return _from_outside[name]
    known = ", ".join(known_names())
    raise ValueError(f"unknown game {shown(name)}; known are {known} (for a game from elsewhere: --game module:Class)")


def add_game(game: type[Game]) -> type[Game]:
    """Register a game from outside the package by name, so that its replays and weights can be read.

    Raises:
        ValueError: If a game of this package has the same name.
    """
    if not (isinstance(game, type) and issubclass(game, Game)):
        raise ValueError(f"a game must be a class derived from pr_env.Game, got {game!r}")
    if game.name in GAMES:
        if _import(GAMES[game.name].place) is not game:
            raise ValueError(f"the name {game.name!r} belongs to a game of this package")
        return game
    _from_outside[game.name] = game
    return game


def _import(place: str) -> type[Game]:
    module_name, _, class_name = place.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise  # the module exists, but one of its imports is missing
        module = _import_from_here(module_name)
    except ValueError:  # an empty name
        raise ValueError(f"a game must be given as module:Class, got {place!r}") from None
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise ValueError(f"module {module_name} has no game {class_name!r}")
    return found


def _import_from_here(module_name: str) -> ModuleType:
    """Import a module from the current folder, where installed programs do not look by default."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError:
        raise ValueError(f"there is no module {module_name!r}, either installed or in this folder") from None
    finally:
        sys.path.remove(here)
