"""The rules of Port Royal as plain Python, alongside the compiled ones in the same process.

Tests of single rules need no machine code, and scripted chance needs functions that can be replaced. So the modules of
the rules are imported a second time, with compilation disabled. Records, tables and actions are shared with the
compiled rules; only the functions differ.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

import pr_env

# All modules with compiled functions, and the registry of rules, which has one entry per game.
_AGAIN = ("compiling", "rules", "randomness", "port_royal")
_PARTS = ("discover", "legal", "piles", "rules", "setup", "sleep", "stages", "takes", "taxes")
_ADVENTURE = ("choosing", "events", "lookout")


def _import_parts() -> dict[str, ModuleType]:
    parts = {part: f"pr_env.port_royal.{part}" for part in _PARTS}
    parts |= {part: f"pr_env.port_royal.adventure.{part}" for part in _ADVENTURE}
    return {part: importlib.import_module(name) for part, name in parts.items()}


def _import_again() -> dict[str, ModuleType]:
    """Import the modules of the rules without compilation, and restore the original ones."""
    if numba.config.DISABLE_JIT:
        return _import_parts()
    ours = [name for name in sys.modules if name.startswith(tuple(f"pr_env.{part}" for part in _AGAIN))]
    modules = {name: sys.modules.pop(name) for name in ours}
    attributes = {name: getattr(pr_env, name) for name in _AGAIN if hasattr(pr_env, name)}
    numba.config.DISABLE_JIT = True
    try:
        return _import_parts()
    finally:
        numba.config.DISABLE_JIT = False
        for name in [name for name in sys.modules if name.startswith(tuple(f"pr_env.{part}" for part in _AGAIN))]:
            del sys.modules[name]
        sys.modules.update(modules)
        for name, module in attributes.items():
            setattr(pr_env, name, module)


_modules = _import_again()
choosing = _modules["choosing"]
discover = _modules["discover"]
events = _modules["events"]
legal = _modules["legal"]
lookout = _modules["lookout"]
piles = _modules["piles"]
rules = _modules["rules"]
setup = _modules["setup"]
sleep = _modules["sleep"]
stages = _modules["stages"]
takes = _modules["takes"]
taxes = _modules["taxes"]


class Light:
    """A record with fast attributes: views of its arrays, and its numbers as plain integers.

    Plain rules are about five times as fast on it as on a NumPy record. Writes to arrays change the record at once;
    `flush` writes the numbers.
    """

    games: np.ndarray
    dtype: Any

    def __init__(self, games: np.ndarray) -> None:
        self.games, self.dtype = games, games.dtype
        self._numbers: list[str] = []
        for name in games.dtype.names or ():
            if games.dtype[name].shape:
                setattr(self, name, games[name][0])
            else:
                value = games[name][0]
                setattr(self, name, value if value.dtype == np.uint64 else int(value))
                self._numbers.append(name)

    def flush(self) -> np.ndarray:
        """Write the numbers into the record; returns its array, shape (1,)."""
        for name in self._numbers:
            self.games[name][0] = getattr(self, name)
        return self.games

    def copy(self) -> Light:
        """An independent copy of the game."""
        return Light(self.flush().copy())

    if TYPE_CHECKING:  # the fields depend on the record

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...
