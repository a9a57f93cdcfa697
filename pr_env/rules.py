"""The rules of a game as functions on one record, and how game-independent code finds them.

A game registers its functions once (`Rules`). Kernels, searches and learners call the functions below, for example
``step(game, tables, action)``. The type of the record decides which game's function is called; this happens when the
kernel is compiled, or at every call if compiling is disabled.

Records are told apart by a field of size 0 that `game_record` adds. Without it, two games with equal fields would have
the same type in Numba.

``tables`` is a record of data that options can change (card files, what observations show). Constants of a module are
frozen into machine code; tables are not. A rule that does not need them leaves the argument out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import signature
from typing import Any, TypeVar

import numpy as np

from pr_env.compiling import chosen_by_type, compiled
from pr_env.fingerprint import CHOICES, Sources

F = TypeVar("F", bound=Callable[..., Any])

# A record of a game, of its tables or of its result. Records have no static type.
Record = Any

# Viewers of a game that are not seats
ACTING = -1  # the acting player's
EVERYTHING = -2  # in seat order, with nothing hidden
NO_TITLE = -1  # in the field `title` of a final record

_MARK = "is_"
_TABLES = "tables"
NO_TABLES = np.zeros(1, np.dtype((np.record, [("none", np.int8)])))  # for games whose options do not change any data

_known: dict[str, Rules] = {}  # by the name of their mark field


class Rules:
    """A game's functions on one record. Creating an object registers them.

    Args:
        name: The name of the game; its records are made by `game_record` with the same name.
        functions: The functions by the names of the rules in this module: ``set_up``, ``step``, ``refresh``,
            ``observe``, ``is_over`` and ``write_final`` are required.

    Raises:
        TypeError: If one is missing or unknown, or its arguments differ from those of its rule.
        RuntimeError: If other rules already have this name: code compiled with those would stay in use.
    """

    def __init__(self, name: str, **functions: Callable[..., Any]) -> None:
        self.name = name
        self._first = functions
        self._functions: dict[str, Callable[..., Any]] = {}
        self._looked_up: set[str] = set()
        missing = [required for required in _REQUIRED if required not in functions]
        if missing:
            raise TypeError(f"rules of {name} lack {', '.join(missing)}")
        self.add(**functions)
        known = _known.setdefault(_MARK + name, self)
        if known != self:
            raise RuntimeError(
                f"there are other rules with the name {name!r} in this process; restart it after an edit"
            )

    def __eq__(self, other: object) -> bool:
        """Whether both have the same code, since a module may be imported under two names."""
        if not isinstance(other, Rules) or other.name != self.name:
            return False
        return self is other or self._fingerprints == other._fingerprints

    def __hash__(self) -> int:
        return hash(self.name)

    @cached_property
    def _fingerprints(self) -> dict[str, str]:
        return {rule: Sources(function, None).fingerprint for rule, function in self._first.items()}

    def __repr__(self) -> str:
        return f"Rules({self.name!r})"

    def add(self, **functions: Callable[..., Any]) -> None:
        """Add functions for rules of other modules, for example the choice of a scripted player.

        Raises:
            TypeError: If there is no such rule, or its arguments differ.
            RuntimeError: If something was already compiled without it.
        """
        for rule, function in functions.items():
            if rule not in _arguments:
                raise TypeError(f"there is no rule {rule!r}; rules are {', '.join(_arguments)}")
            if rule in self._looked_up:
                raise RuntimeError(f"the rule {rule!r} of {self.name} is in use: add it before anything is compiled")
            self._functions[rule] = _with_tables(function, rule)

    def find(self, rule: str) -> Callable[..., Any]:
        """The function for a rule.

        Raises:
            TypeError: If the game has none, and there is no default.
        """
        self._looked_up.add(rule)
        found = self._functions.get(rule) or _defaults.get(rule)
        if found is None:
            raise TypeError(f"{self.name} has no rule {rule!r}")
        return found


def game_record(name: str, fields: Sequence[Any]) -> np.dtype[Any]:
    """The type of a game's records: its fields, and the mark field by which its rules are found.

    Args:
        name: The name of the game.
        fields: As for `numpy.dtype`. `pr_env.game.Game` lists the fields that every record has.
    """
    return np.dtype((np.record, [*fields, (_MARK + name, np.int8, (0,))]))


def final_record(seats: int, sources: int, length_unit: str, more: Sequence[Any] = ()) -> np.dtype[Any]:
    """The type of a game's final records: the fields of every final record (see `pr_env.game.Game`), then others.

    Args:
        seats: The highest number of seats in any configuration that shares this type.
        sources: The number of sources of points.
        length_unit: The unit of a game's length, which is the name of its field.
        more: Other fields, as for `numpy.dtype`; for example ``[("title", np.int8)]`` in a game with titles.
    """
    return np.dtype(
        (
            np.record,
            [
                ("seed", np.uint64),
                (length_unit, np.int32),
                ("ending", np.uint8),
                ("points", np.int32, (seats, sources)),
                ("total", np.int32, (seats,)),
                ("rank", np.int8, (seats,)),
                ("win_share", np.float32, (seats,)),
                *more,
            ],
        )
    )


def rules_of(record: np.dtype[Any]) -> Rules:
    """The rules for records of a type.

    Raises:
        TypeError: If there are none.
    """
    return _by_fields(record.names or ())


def _by_fields(names: Sequence[str]) -> Rules:
    for name in names:
        if name in _known:
            return _known[name]
    raise TypeError(f"no rules are registered for records with the fields {', '.join(names)}")


# -- how rules are found -----------------------------------------------------------------------------------------------

_arguments: dict[str, tuple[str, ...]] = {}
_defaults: dict[str, Callable[..., Any]] = {}
_REQUIRED = ("set_up", "step", "refresh", "observe", "is_over", "write_final")


def rule(default: bool = False) -> Callable[[F], F]:
    """Turn a function into a rule that is found by the type of its first argument, a record or an array of records.

    Args:
        default: Whether the function itself is used for games that have no such rule.
    """

    def decorate(stub: F) -> F:
        name = stub.__name__
        _arguments[name] = tuple(signature(stub).parameters)
        if default:
            _defaults[name] = compiled(stub)

        def found(game: Any, *arguments: Any) -> Any:
            return rules_of(game.dtype).find(name)(game, *arguments)

        def choose(game: Any) -> Callable[..., Any]:
            fields = game.fields if hasattr(game, "fields") else game.dtype.fields
            return _by_fields(tuple(fields)).find(name)

        def choices(rules: Rules | None) -> tuple[Callable[..., Any], ...]:
            if rules is None:
                raise TypeError(f"a kernel that uses the rule {name!r} needs the rules of a game: kernel.of(rules)")
            return (rules.find(name),)

        found.__name__, found.__doc__ = name, stub.__doc__
        chosen_by_type(found, choose)
        setattr(found, CHOICES, choices)
        return found  # type: ignore[return-value]

    return decorate


def _with_tables(function: Callable[..., Any], rule: str) -> Callable[..., Any]:
    """The function with the rule's arguments; it may leave out ``tables``."""
    wanted, given = _arguments[rule], tuple(signature(function).parameters)
    if len(given) == len(wanted) and (_TABLES not in wanted or given[wanted.index(_TABLES)] == _TABLES):
        return function
    if _TABLES not in wanted or len(given) != len(wanted) - 1:
        raise TypeError(f"the rule {rule!r} must have the arguments {', '.join(wanted)}, got {', '.join(given)}")
    return _WITHOUT_TABLES[len(given) - 1](function)


_WITHOUT_TABLES: tuple[Callable[[Any], Callable[..., Any]], ...] = (
    lambda function: compiled(lambda game, tables: function(game)),
    lambda function: compiled(lambda game, tables, a: function(game, a)),
    lambda function: compiled(lambda game, tables, a, b: function(game, a, b)),
    lambda function: compiled(lambda game, tables, a, b, c: function(game, a, b, c)),
)


# -- the rules ---------------------------------------------------------------------------------------------------------


@rule()
def set_up(game: Record, tables: Record, seed: np.uint64) -> None:
    """Set up a game with its seed. The record already contains the configuration (`Game.blank`)."""


@rule()
def step(game: Record, tables: Record, action: int) -> None:
    """Play a legal action, go on to the next decision with several answers, and write its legal actions."""


@rule()
def refresh(game: Record, tables: Record) -> None:
    """Advance an externally written record to its next decision, and write its legal actions."""


@rule()
def observe(game: Record, tables: Record, viewer: int, scratch: np.ndarray, out: np.ndarray) -> None:
    """Write a seat's observation to ``out``, float32 (size,); EVERYTHING is the first seat's with nothing hidden."""


@rule()
def is_over(game: Record) -> bool:  # type: ignore[empty-body] # replaced by the game's own function
    """Whether the game has ended."""


@rule()
def write_final(game: Record, tables: Record, final: Record) -> None:
    """Write all of the final record as if the game ended now."""


@rule(default=True)
def truncated(game: Record) -> bool:
    """Whether a game that is over was truncated, so that nobody has won it."""
    return False


@rule(default=True)
def points(game: Record, tables: Record, seat: int) -> int:
    """A seat's points if the game ended now."""
    return 0


@rule(default=True)
def progress(game: Record, tables: Record, seat: int) -> float:
    """A seat's progress towards a win, from 0 to 1, if the game measures it; for the reward scheme of that name."""
    return 0.0


@rule(default=True)
def resample(game: Record, tables: Record, viewer: int, chance: np.uint64) -> None:
    """Redraw what a seat cannot know from everything that it considers possible; ``chance`` seeds a generator.

    The result depends only on ``chance``, on what the seat knows, and on the ``seed`` of the record.
    """
    game.rng = chance


@rule(default=True)
def new_scratch(games: np.ndarray) -> np.ndarray:
    """Work space for `observe`, allocated once for a whole batch."""
    return np.zeros(0, np.int64)
