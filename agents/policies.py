"""Scripted strategies callable from compiled code, by number.

The folder of a game in `agents` registers its strategies (`register_strategies`); searches and learners use them for
any game that has some.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points

from pr_env.game import Game
from pr_env.playing import play_on_with
from pr_env.rules import Record, Rules, rule
from pr_env.sampling import nth_legal

# The module with the players of a game, by the game's name: importing it registers the strategies.
PLAYERS_OF = {"puerto_rico": "agents.puerto_rico", "port_royal": "agents.port_royal"}
# Entry points of other packages: the name of a game, and the module that registers its strategies.
GROUP = "pr_env.strategies"

Suited = Callable[[Game], tuple[str, ...]]  # the strategies that play a configuration well

_strategies: dict[str, tuple[str, ...]] = {}
_suited: dict[str, Suited] = {}


@rule(default=True)
def scripted_action(game: Record, tables: Record, strategy: int) -> int:
    """The acting player's choice by one of the game's strategies; always legal while the game is not over."""
    return nth_legal(game.legal, 0)


play_on = play_on_with(scripted_action)  # policies have the numbers of the strategies


def register_strategies(
    rules: Rules, names: tuple[str, ...], action: Callable[..., int], suited: Suited | None = None
) -> None:
    """Register the strategies of a game.

    Args:
        rules: The rules of the game.
        names: Names of the strategies, in the order of their numbers.
        action: A compiled function like `scripted_action`.
        suited: The strategies that play a configuration well; None if all of them play all configurations well.
    """
    rules.add(scripted_action=action)
    _strategies[rules.name] = names
    if suited is not None:
        _suited[rules.name] = suited


def strategies_of(game: Game) -> tuple[str, ...]:
    """The names of a game's strategies, in the order of their numbers. Empty if it has none."""
    load_players(game.name)
    return _strategies.get(game.name, ())


def suited_strategies(game: Game) -> tuple[str, ...]:
    """The strategies that play this configuration well, used as teachers and opponents of a learner."""
    names = strategies_of(game)
    return _suited[game.name](game) if game.name in _suited else names


def load_players(game: str) -> None:
    """Import the players of a game, so that its strategies are registered before anything is compiled."""
    places = [PLAYERS_OF[game]] if game in PLAYERS_OF else []
    places += [entry.value for entry in entry_points(group=GROUP) if entry.name == game]
    for place in places:
        importlib.import_module(place)
