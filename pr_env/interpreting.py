"""Running rules as plain Python, even though they are compiled elsewhere.

Texts use rules to find out what something costs, and stories record what the rules do during a move. For a single
position this is faster than compiling: a rule that Python calls directly is not part of any cached kernel.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

# Called instead of a rule, with a copy of that rule and its arguments. It returns the rule's result.
Listener = Callable[..., Any]

_LIBRARIES = ("numba", "numpy")


def interpreted(rule: Callable[..., Any], listeners: Mapping[Callable[..., Any], Listener] | None = None) -> Any:
    """A copy of a rule in plain Python. The rules that it calls are copied, too; the originals do not change.

    Args:
        rule: A compiled function, or one that is chosen by the type of the record.
        listeners: For rules that are called along the way: functions to call instead, as ``listener(rule,
            *arguments)``.
    """
    return _Copies(listeners or {}).of(rule)


class _Copies:
    """Copies of functions that refer to copies in turn. Each function is copied once."""

    def __init__(self, listeners: Mapping[Callable[..., Any], Listener]) -> None:
        self._listeners = {_plain(rule): listener for rule, listener in listeners.items()}
        self._made: dict[FunctionType, Callable[..., Any]] = {}

    def of(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """The copy of a function, or the listener that gets this copy."""
        original = _plain(rule)
        if original not in self._made:
            names: dict[str, Any] = {"__builtins__": builtins}
            cells = tuple(CellType() for _ in original.__closure__ or ())
            copied = FunctionType(original.__code__, names, original.__name__, original.__defaults__, cells)
            listener = self._listeners.get(original)
            self._made[original] = copied if listener is None else partial(listener, copied)  # rules may be recursive
            for name in _names(original.__code__):
                if name in original.__globals__:
                    names[name] = self.of_value(original.__globals__[name])
            for cell, known in zip(cells, original.__closure__ or (), strict=True):
                cell.cell_contents = self.of_value(known.cell_contents)
        return self._made[original]

    def of_value(self, value: Any) -> Any:
        """The value that a name has in a copy."""
        if isinstance(value, ModuleType):
            return value if value.__name__.startswith(_LIBRARIES) else _Module(self, value)
        plain = _plain(value)
        if isinstance(plain, FunctionType) and not plain.__module__.startswith(_LIBRARIES):
            return self.of(plain)
        return value


class _Module:
    """A module whose functions are copies."""

    def __init__(self, copies: _Copies, module: ModuleType) -> None:
        self._copies = copies
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return self._copies.of_value(getattr(self._module, name))


def _plain(function: Any) -> Any:
    """The Python function of a compiled one."""
    return getattr(function, "py_func", function)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
