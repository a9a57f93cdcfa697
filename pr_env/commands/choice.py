"""The game that a command line asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer

from pr_env.commands.options import GameOption
from pr_env.game import Game

CHOSEN = "pr_env.chosen"  # where the context of a command keeps it


@dataclass(frozen=True)
class Choice:
    """The game that a command line asks for.

    Attributes:
        spec: What was said of it: a name, or ``module:Class``.
        named: Whether the command line names it; otherwise it is the usual one.
        kind: Its class.
        options: All options that it has.
        given: Those that were given, by name, with their values.
    """

    spec: str
    named: bool
    kind: type[Game]
    options: tuple[GameOption, ...]
    given: dict[str, Any]

    def has(self, option: str) -> bool:
        """Whether the game has an option of this name."""
        return any(known.name == option for known in self.options)

    def game(self, **unless_given: Any) -> Game:
        """The game with what was given.

        Args:
            **unless_given: Options that are used if the command line does not say them.

        Raises:
            ValueError: If there is no such game.
        """
        options = unless_given | self.given
        for option in self.options:
            if option.required and option.name not in options:
                raise ValueError(f"{self.kind.name} needs {option.flag}")
        return self.kind(**options)


def chosen(context: typer.Context) -> Choice:
    """What the command line of a `GameCommand` asks for."""
    choice: Choice = context.meta[CHOSEN]
    return choice
