"""The command ``pr-env train``, found by the entry-point group ``pr_env.commands``."""

from __future__ import annotations

import typer

from pr_env.commands.errors import errors_in_one_line

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def add(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(context_settings=PASSED_ON)(train)


def train(context: typer.Context) -> None:
    """Train an agent, rate it against the others, and write it down.

    All options are those of ``python -m training``; 'pr-env train --help' lists them.

    Example: pr-env train --players 4 --minutes 30
    """
    with errors_in_one_line("use"):
        from training.__main__ import main

        main(context.args, command="pr-env train")
