"""Commands that play a game: the options of the game named by ``--game`` are options of the command.

@app.command(cls=GameCommand)
def look(context: typer.Context) -> None:
game = chosen(context).game()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

from pr_env import registry
from pr_env.commands import completion
from pr_env.commands.choice import CHOSEN, Choice, chosen
from pr_env.commands.errors import errors_in_one_line
from pr_env.commands.options import options_of, parameter_name, parameters_of

FLAG = "--game"
_PARAMETERS = "pr_env.parameters"  # key of the game's parameters in a context

# For commands that take the name of a game, but not its options
GameName = Annotated[
    str,
    typer.Option(
        FLAG,
        metavar="NAME",
        help="Name of the game, see 'pr-env info', or module:Class.",
        autocompletion=completion.games,
    ),
]


class GameCommand(TyperCommand):
    """A command with ``--game`` and the options of that game.

    The game is looked up in the arguments before they are parsed, since its options decide how to parse them.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; the game's options go to `chosen`, the others to the command's function."""
        with errors_in_one_line("use"):
            try:
                self._choose(ctx, _game_in(args))
            except Exception:
                if not ctx.resilient_parsing:  # shell completion, on incomplete input
                    raise
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            with errors_in_one_line("use"):
                _take_values(ctx)
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        """The command's own parameters, ``--game``, and the game's parameters."""
        *own, help_option = super().get_params(ctx)
        return [*own, *ctx.meta.get(_PARAMETERS, ()), help_option]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Give the game's options their own section in the help."""
        game, *of_game = ctx.meta[_PARAMETERS]
        *own, help_option = super().get_params(ctx)
        own = [*own, game, help_option]
        for title, parameters in (
            ("Arguments", [parameter for parameter in own if parameter.param_type_name == "argument"]),
            ("Options", [parameter for parameter in own if parameter.param_type_name == "option"]),
            (f"Options of {chosen(ctx).kind.name}", of_game),
        ):
            rows = [row for row in (parameter.get_help_record(ctx) for parameter in parameters) if row is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _choose(self, ctx: Any, asked_for: str | None) -> None:
        ctx.meta[_PARAMETERS] = [_game_parameter()]
        spec = registry.DEFAULT if asked_for is None else asked_for
        kind = registry.find_game(spec)
        options = options_of(kind)
        taken = (name for parameter in self.params for name in parameter.opts)
        ctx.meta[CHOSEN] = Choice(spec, asked_for is not None, kind, options, {})
        ctx.meta[_PARAMETERS] += parameters_of(options, (FLAG, *taken))


def _take_values(ctx: Any) -> None:
    """Move the game's options from the parameters of the command's function to `Choice`."""
    choice = chosen(ctx)
    del ctx.params["game"]
    for option in choice.options:
        name = parameter_name(option)
        value = ctx.params.pop(name)
        if ctx.get_parameter_source(name).name == "COMMANDLINE":
            choice.given[option.name] = option.read(value)


def _game_in(arguments: Sequence[str]) -> str | None:
    """The game that the arguments name; the last one if there are several, as with every option."""
    spec = None
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == FLAG:
            spec = arguments[place + 1] if place + 1 < len(arguments) else spec
        elif argument.startswith(f"{FLAG}="):
            spec = argument.partition("=")[2]
    return spec


def _game_parameter() -> Any:
    """``--game`` as a parameter of a command."""

    def command(game: GameName = registry.DEFAULT) -> None:
        """Only its parameter is used."""

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(add_help_option=False)(command)
    return get_command(app).params[0]
