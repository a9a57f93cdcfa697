"""Fingerprints of kernels: they cover every function that a kernel reaches and every constant used there.

Numba freezes both into the code that it stores, but checks only the kernel's own file when loading it again. So stored
code is filed under a fingerprint of everything: an edit in any rule, table or card file that the kernel is made of
changes the fingerprint, an edit anywhere else does not.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

# The contents of these are covered by their versions.
_LIBRARIES = ("numba", "numpy", "math", "builtins")
_VERSIONS = f"{sys.version_info[:3]} {numba.__version__} {np.__version__}"

# Maps a function that stands for several to those it can stand for: see `compiling.compiled_for` and `rules`.
Choices = Callable[[Any], tuple[Callable[..., Any], ...]]
CHOICES = "_pr_env_choices"


class Sources:
    """Everything that the machine code of a function is made of.

    Args:
        function: A kernel's function.
        rules: The rules it is compiled for; None if it calls no rules that are found by the record's type.

    Attributes:
        functions: All functions that are compiled, in the order in which they are found.
        fingerprint: A hash of these functions, their constants, and the versions of Python, Numba and NumPy.
    """

    def __init__(self, function: Callable[..., Any], rules: object) -> None:
        self.functions: list[FunctionType] = []
        met: set[FunctionType] = set()
        digest = hashlib.sha256(_VERSIONS.encode())
        waiting = [_plain(function)]
        while waiting:
            found = waiting.pop()
            if found not in met:
                met.add(found)
                self.functions.append(found)
                own, calls = _read(found, rules)
                digest.update(own)
                waiting += calls
        self.fingerprint = digest.hexdigest()[:16]


@cache
def _read(function: FunctionType, rules: object) -> tuple[bytes, tuple[FunctionType, ...]]:
    """A hash of a function's own code and constants, and the functions it calls. Kernels share most of them."""
    digest = hashlib.sha256()
    calls = []
    for part in _Parts(rules).of(function):
        if isinstance(part, FunctionType):
            calls.append(part)
            digest.update(f"-> {part.__qualname__}".encode())
        else:
            digest.update(part)
    return digest.digest(), tuple(calls)


class _Parts:
    """The parts of a function, as bytes, and the functions it calls."""

    def __init__(self, rules: object) -> None:
        self._rules = rules

    def of(self, function: FunctionType) -> Iterator[bytes | FunctionType]:
        """The function's code, its constants and the functions it calls."""
        yield f"{function.__qualname__} {function.__defaults__!r}".encode()
        yield from self._of_code(function.__code__, function.__globals__, function.__doc__)
        for cell in function.__closure__ or ():
            yield from self._of_value(cell.cell_contents, ())

    def _of_code(
        self, code: CodeType, global_names: dict[str, Any], docstring: str | None = None
    ) -> Iterator[bytes | FunctionType]:
        yield code.co_code
        yield repr((code.co_names, code.co_varnames, code.co_argcount)).encode()
        # The first constant is the docstring, which is not part of the machine code.
        constants = code.co_consts[1:] if docstring and code.co_consts[0] == docstring else code.co_consts
        for constant in constants:
            if isinstance(constant, CodeType):
                yield from self._of_code(constant, global_names)
            else:
                yield from self._of_value(constant, ())
        for name in code.co_names:
            if name in global_names:
                yield from self._of_value(global_names[name], code.co_names)

    def _of_value(self, value: Any, attributes: tuple[str, ...]) -> Iterator[bytes | FunctionType]:
        choices: Choices | None = getattr(value, CHOICES, None)
        module = getattr(value, "__module__", None) or ""
        if choices is not None:
            yield from map(_plain, choices(self._rules))
        elif hasattr(value, "py_func"):
            if value.targetoptions.get("forceinline"):  # see `compiling.inlined`
                yield b"inlined"
            yield value.py_func
        elif isinstance(value, ModuleType):
            yield value.__name__.encode()
            if not value.__name__.startswith(_LIBRARIES):
                for name in attributes:
                    if name in vars(value):
                        yield from self._of_value(vars(value)[name], ())
        elif isinstance(value, np.ndarray):
            yield f"{value.dtype} {value.shape}".encode() + value.tobytes()
        elif isinstance(value, (tuple, list)):
            for item in value:
                yield from self._of_value(item, ())
        elif isinstance(value, (frozenset, set)):
            yield repr(sorted(map(repr, value))).encode()
        elif isinstance(value, FunctionType) and not module.startswith(_LIBRARIES):
            yield value
        elif isinstance(value, (int, float, complex, str, bytes, np.generic)) or value in (None, Ellipsis):
            yield repr(value).encode()
        else:  # a class or built-in function: identified by its name
            name = getattr(value, "__qualname__", type(value).__qualname__)
            yield f"{module}.{name} {getattr(value, '_fields', '')}".encode()


def _plain(function: Any) -> FunctionType:
    """The Python function of a compiled one."""
    return getattr(function, "py_func", function)  # type: ignore[no-any-return]


@cache
def code_size(function: FunctionType) -> int:
    """The size of a function's byte code, roughly proportional to its compile time."""
    return len(function.__code__.co_code)
