"""Fingerprints of kernels: every function that a kernel reaches, and every constant that they use.

Numba freezes both into the code that it stores, but looks only at the file of the kernel itself when it comes to load
it again. So stored code is filed under a fingerprint of all of it: an edit in any rule, table or card file that the
kernel is made of gives another fingerprint, an edit anywhere else does not.
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

# What these hold is covered by their version.
_LIBRARIES = ("numba", "numpy", "math", "builtins")
_VERSIONS = f"{sys.version_info[:3]} {numba.__version__} {np.__version__}"

# From a function that stands for several to those that it can become: see `compiling.compiled_for` and `rules`.
Choices = Callable[[Any], tuple[Callable[..., Any], ...]]
CHOICES = "_pr_env_choices"


class Sources:
    """What the machine code of a function is made of.

    Args:
        function: A kernel's function.
        rules: Whose rules it is compiled for; None if it calls none that are found by the record's type.

    Attributes:
        functions: Everything that is compiled, in the order in which it is met.
        fingerprint: A hash of that, of the constants in it, and of the versions of what compiles it.
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
    """A hash of a function's own code and constants, and the functions that it calls. Kernels share most of them."""
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
    """What a function consists of, as bytes, and the functions that it calls."""

    def __init__(self, rules: object) -> None:
        self._rules = rules

    def of(self, function: FunctionType) -> Iterator[bytes | FunctionType]:
        """Its code, its constants, and what it calls."""
        yield f"{function.__qualname__} {function.__defaults__!r}".encode()
        yield from self._of_code(function.__code__, function.__globals__)
        for cell in function.__closure__ or ():
            yield from self._of_value(cell.cell_contents, ())

    def _of_code(self, code: CodeType, global_names: dict[str, Any]) -> Iterator[bytes | FunctionType]:
        yield code.co_code
        yield repr((code.co_names, code.co_varnames, code.co_argcount)).encode()
        for constant in code.co_consts:
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
        else:  # a class, a built-in function: what it is called says what it is
            name = getattr(value, "__qualname__", type(value).__qualname__)
            yield f"{module}.{name} {getattr(value, '_fields', '')}".encode()


def _plain(function: Any) -> FunctionType:
    """The Python function inside a compiled one."""
    return getattr(function, "py_func", function)  # type: ignore[no-any-return]


@cache
def code_size(function: FunctionType) -> int:
    """Bytes of a function's code: about in proportion to the time that compiling takes."""
    return len(function.__code__.co_code)
