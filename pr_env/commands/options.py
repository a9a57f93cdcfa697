"""The options of a game as options of a command: one for each field of the game's dataclass.

A field's annotation decides what can be given: ``bool`` is a flag, ``Literal`` a choice, ``int``, ``float`` and ``str``
a value, ``Sequence[str]`` (or of a ``Literal``) a comma-separated list, or the option repeated. Fields of other types
have no option. The help text is taken from the section ``Attributes:`` of the class's docstring.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, fields
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.main import get_command

from pr_env.game import Game

_METAVARS = {int: "N", float: "X", str: "TEXT"}
_ATTRIBUTE = re.compile(r"^(\w+)(?: \(.*?\))?: (.*)$")


@dataclass(frozen=True)
class GameOption:
    """One option of a game.

    Attributes:
        name: Name of the field.
        kind: The type of its value: bool, int, float or str.
        choices: The allowed values; empty if they are not listed.
        several: Whether it takes a comma-separated list, or can be repeated.
        names: The names allowed in such a list; empty if they are not listed.
        default: The field's default; None if it has none.
        required: Whether the field has no default.
        help: Its meaning in words.
    """

    name: str
    kind: type
    choices: tuple[Any, ...]
    several: bool
    default: Any
    required: bool
    help: str
    names: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def metavar(self) -> str | None:
        """The placeholder for its value in the help; None for a flag."""
        if self.kind is bool:
            return None
        names = f"{'|'.join(self.names)},..." if self.names else "A,B,..."
        values = [*map(str, self.choices), *([names] if self.several else [])]
        return "|".join(values) or _METAVARS[self.kind]

    @property
    def values(self) -> tuple[Any, ...]:
        """All allowed values; empty if any value is allowed."""
        return (False, True) if self.kind is bool else self.choices

    def read(self, given: Any) -> Any:
        """The field's value for the given text, or for a list if the option was repeated.

        Raises:
            ValueError: If it is not one of the choices.
        """
        if self.several and isinstance(given, (list, tuple)):
            given = ",".join(given)
        if not isinstance(given, str) or not (self.choices or self.several):
            return given
        for choice in self.choices:
            if given == str(choice):
                return choice
        if self.several and ("," in given or not self.choices):
            return [name for name in given.split(",") if name]
        if self.several:
            return given  # the game checks it
        raise ValueError(f"{self.flag} must be one of {', '.join(map(str, self.choices))}, got {given!r}")


def options_of(kind: type[Game]) -> tuple[GameOption, ...]:
    """The options of a game, in the order of its fields."""
    try:
        hints = get_type_hints(kind)
    except NameError:  # a type imported only for type checkers
        hints = {}
    meanings = attributes_in(*(inspect.getdoc(base) or "" for base in reversed(kind.__mro__) if base is not object))
    found = []
    for field in fields(kind):  # type: ignore[arg-type] # games are dataclasses
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        required = default is MISSING
        parts = list(_parts(hints.get(field.name, type(default))))
        choices = tuple(value for part in parts if get_origin(part) is Literal for value in get_args(part))
        several = any(_are_names(part) for part in parts)
        names = tuple(name for part in parts if _are_names(part) for name in _listed(part))
        scalar = str if choices or several else next((part for part in (bool, int, float, str) if part in parts), None)
        if field.init and scalar is not None:
            meaning = meanings.get(field.name, "")
            value = None if required else default
            found.append(GameOption(field.name, scalar, choices, several, value, required, meaning, names))
    return tuple(found)


def attributes_in(*docstrings: str) -> dict[str, str]:
    """The descriptions in the sections ``Attributes:`` by name, as plain text."""
    found: dict[str, str] = {}
    for docstring in docstrings:
        _, _, section = docstring.partition("Attributes:\n")
        name = ""
        for line in section.splitlines():
            if not line.startswith("    "):
                break
            start = _ATTRIBUTE.match(line[4:])
            if start:
                name, text = start.groups()
                found[name] = _plain(text)
            elif name:
                found[name] += f" {_plain(line.strip())}"
    return found


def parameters_of(options: Iterable[GameOption], taken: Iterable[str]) -> list[Any]:
    """Options of a game as parameters of a command, named by `parameter_name`.

    Args:
        options: The game's options.
        taken: Names of the command's own options; a game's option with such a name becomes ``--game-NAME``.
    """
    names = set(taken)
    signature = [
        inspect.Parameter(
            parameter_name(option),
            inspect.Parameter.KEYWORD_ONLY,
            default=_shown(option),
            annotation=Annotated[_optional(option), _typer_option(option, names)],
        )
        for option in options
    ]

    def command() -> None:
        """Only its parameters are used."""

    command.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(add_help_option=False)(command)
    return list(get_command(app).params)


def parameter_name(option: GameOption) -> str:
    """The name of an option's parameter in a command's context; no other parameter has this name."""
    return f"option_{option.name}"


def _typer_option(option: GameOption, taken: set[str]) -> Any:
    flag = option.flag if option.flag not in taken else f"--game-{option.flag[2:]}"
    if option.kind is bool and option.default:
        flag = f"{flag}/--no-{flag[2:]}"
    return typer.Option(flag, metavar=option.metavar, help=option.help, autocompletion=_completer(option))


def _completer(option: GameOption) -> Callable[[str], list[str]] | None:
    known = [*map(str, option.choices), *option.names]

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if option.several else ("", "", incomplete)
        names = [name for name in option.names if name not in before.split(",")] if comma else known
        return [f"{before}{comma}{name}" for name in names if name.startswith(last)]

    return complete if known else None


def _optional(option: GameOption) -> Any:
    if option.several:
        return list[str] | None
    return option.kind if option.kind is bool else option.kind | None


def _shown(option: GameOption) -> Any:
    """A default value as it would be typed."""
    if not option.several or option.default is None:
        return option.default
    return [option.default] if isinstance(option.default, str) else [*map(str, option.default)] or None


def _parts(hint: Any) -> Iterable[Any]:
    """The members of a union type; for any other type, the type itself."""
    if get_origin(hint) in (Union, UnionType):
        for part in get_args(hint):
            yield from _parts(part)
    else:
        yield hint


def _are_names(part: Any) -> bool:
    origin, inner = get_origin(part), get_args(part)[:1]
    if not (isinstance(origin, type) and issubclass(origin, Sequence)):
        return False
    return inner == (str,) or bool(_listed(part))


def _listed(part: Any) -> tuple[str, ...]:
    """The names allowed in a sequence of a ``Literal``."""
    inner = get_args(part)[0]
    names = get_args(inner) if get_origin(inner) is Literal else ()
    return names if all(isinstance(name, str) for name in names) else ()


def _plain(text: str) -> str:
    """Text without docstring markup."""
    return re.sub(r"`{1,2}\"?(.*?)\"?`{1,2}", r"\1", text)
