"""The game that a command line asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer

from pr_env.commands.options import GameOption
from pr_env.game import Game

CHOSEN = "pr_env.chosen"  # key in the context of a command


@dataclass(frozen=True)
class Choice:
    """The game that a command line asks for.

    Attributes:
        spec: How it was given: a name, or ``module:Class``.
        named: Whether the command line names it; otherwise it is the default game.
        kind: Its class.
        options: All its options.
        given: The options that were given, by name, with their values.
    """

    spec: str
    named: bool
    kind: type[Game]
    options: tuple[GameOption, ...]
    given: dict[str, Any]

    def has(self, option: str) -> bool:
        """Whether the game has an option with this name."""
        return any(known.name == option for known in self.options)

    def game(self, **unless_given: Any) -> Game:
        """The game with the options that were given.

        Args:
            **unless_given: Options that are used if the command line does not give them.

        Raises:
            ValueError: If there is no such game.
        """
        options = unless_given | self.given
        for option in self.options:
            if option.required and option.name not in options:
                raise ValueError(f"{self.kind.name} needs {option.flag}")
        return self.kind(**options)


def chosen(context: typer.Context) -> Choice:
    """The game that the command line of a `GameCommand` asks for."""
    choice: Choice = context.meta[CHOSEN]
    return choice
