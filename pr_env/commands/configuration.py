"""From the options of a command to a game and its seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import typer

from pr_env.commands.table import YOU
from pr_env.puerto_rico import PuertoRico

WITH_RESUME = ("resume", "save", "tips")
_OWN_OPTIONS = ("players", "buildings", "balanced")
_FOR_LEARNERS = ("points",)  # what observations show; people see the board
RULES = {field.name: field.default for field in fields(PuertoRico) if field.name not in (*_OWN_OPTIONS, *_FOR_LEARNERS)}


def game(players: int, buildings: str, balanced: bool, rules: Sequence[str] | None) -> PuertoRico:
    """The game of these options.

    Raises:
        ValueError: If there is no such game.
    """
    options: dict[str, Any] = dict(map(_rule, rules or ()))
    kinds = buildings.split(",") if "," in buildings else buildings
    return PuertoRico(players=players, buildings=kinds, balanced=balanced, **options)


def _rule(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    if name not in RULES or not value:
        raise ValueError(f"a rule is NAME=VALUE with the name {', '.join(RULES)}, not {text!r}")
    if isinstance(RULES[name], bool):
        return name, {"true": True, "false": False}.get(value.lower(), value)
    return name, int(value) if isinstance(RULES[name], int) and value.isdecimal() else value


def seats(players: int, seat: int, opponents: Sequence[str]) -> tuple[str, ...]:
    """Who sits where: the person, and clockwise from there the opponents.

    Raises:
        ValueError: If there is not one opponent for all or one for each.
    """
    others = list(opponents) * (players - 1) if len(opponents) == 1 else list(opponents)
    if len(others) != players - 1:
        raise ValueError(
            f"{players} players have {players - 1} opponents, or one name for all of them: not {len(others)}"
        )
    around = [YOU, *others]
    return tuple(around[(place - seat) % players] for place in range(players))


def refuse_with_resume(context: typer.Context) -> None:
    """A saved game has its configuration and players.

    Raises:
        ValueError: If an option says something else about them.
    """
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in WITH_RESUME:
            raise ValueError(f"{parameter.opts[0]} does not go with --resume: the saved game has its own")
