"""The commands that other packages add to the program ``pr-env``.

They declare a function ``add(app: typer.Typer)`` in the entry-point group ``pr_env.commands``. It is called for
commands that this package does not have, and for the list of all commands, so its module should not import anything
heavy. If a package cannot be loaded, its commands are replaced by one with the name of its entry point, which says why.
"""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from pr_env.commands import extras

GROUP = "pr_env.commands"


class Program(TyperGroup):
    """The commands of this package, followed by those that other packages add."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All command names."""
        return list(dict.fromkeys([*super().list_commands(ctx), *self._added]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command with this name; other packages are loaded only if this one does not have it."""
        return super().get_command(ctx, cmd_name) or self._added.get(cmd_name)

    @cached_property
    def _added(self) -> dict[str, Any]:
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.callback()(_several_commands)
        for entry in entry_points(group=GROUP):
            try:
                add = entry.load()
            except Exception as error:  # whatever it is, the other commands must keep working
                _add_excuse(app, entry, error)
            else:
                add(app)
        program = get_command(app)
        return dict(program.commands) if isinstance(program, TyperGroup) else {}


def _several_commands() -> None:
    """Makes typer build a program with commands even if there is only one."""


def _add_excuse(app: typer.Typer, entry: EntryPoint, error: Exception) -> None:
    """Replace a package's commands by one that says what is missing."""
    if isinstance(error, ModuleNotFoundError):
        message = extras.what_is_missing(error)
    else:
        message = f"{entry.value} cannot be loaded: {error}"

    def say_why() -> None:
        typer.echo(f"pr-env: {message}", err=True)
        raise typer.Exit(1)

    settings = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(entry.name, help=f"Not available: {message}", context_settings=settings)(say_why)
