"""How the rules are compiled, and where the compiled code is kept.

Numba stores compiled functions on disk, but looks only at the file of the function itself: after an edit in a helper
file it would go on using the old machine code. So the folder that it stores into carries a fingerprint of every source
file that compiled code can be made of (and of the versions of Python, Numba and NumPy): an edit means another folder.
Kernels of a package that builds on this one have a folder of their own, with the fingerprint of both.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import event
from numba.extending import overload

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
LAYERS = (PACKAGE, PACKAGE.parent / "agents", PACKAGE.parent / "training")  # each builds on those before it
_FOLDER = "pr_env-compiled-"
# Parts of the package that no compiled code is made of: an edit there compiles nothing anew.
NOT_COMPILED = (
    "aec.py",
    "batch.py",
    "cli.py",
    "commands/",
    "documentation.py",
    "moment.py",
    "opponents.py",
    "puerto_rico/__init__.py",
    "puerto_rico/checking.py",
    "puerto_rico/documentation.py",
    "puerto_rico/explanations.py",
    "puerto_rico/extended_invariants.py",
    "puerto_rico/extended_position.py",
    "puerto_rico/invariants.py",
    "puerto_rico/kinds.py",
    "puerto_rico/phrases.py",
    "puerto_rico/pictures/",
    "puerto_rico/position.py",
    "puerto_rico/reading.py",
    "puerto_rico/story.py",
    "puerto_rico/words.py",
    "puerto_rico_v0.py",
    "registration.py",
    "render/",
    "replay.py",
    "sb3.py",
    "seats.py",
    "single.py",
    "spaces.py",
    "vector.py",
    "words.py",
)
_KEEP_SECONDS = 24 * 3600  # folders of older source versions that nobody used for a day are removed


def fingerprint(*packages: Path) -> str:
    """A hash of all Python sources of the packages and of what compiles them."""
    digest = hashlib.sha256()
    digest.update(f"{sys.version_info[:3]} {numba.__version__} {np.__version__}".encode())
    for package in packages:
        for source in sorted(package.rglob("*.py")):
            path = source.relative_to(package).as_posix()
            if package == PACKAGE and path.startswith(NOT_COMPILED):
                continue
            digest.update(path.encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _layers_of(function: Callable[..., Any]) -> tuple[Path, ...]:
    """The packages whose compiled code a function may contain. From elsewhere, that is all of them."""
    source = Path(function.__code__.co_filename).resolve()
    for place, layer in enumerate(LAYERS):
        if source.is_relative_to(layer):
            return LAYERS[: place + 1]
    return LAYERS


def _candidate_folders() -> Iterator[Path]:
    """Places for the cache: where the user said, beside the sources, the user's own cache folder.

    Never the shared temporary folder: machine code from there could be somebody else's.
    """
    if numba.config.CACHE_DIR:  # NUMBA_CACHE_DIR
        yield Path(numba.config.CACHE_DIR)
    yield PACKAGE / "__pycache__"
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "pr_env"


@cache
def cache_folder(*packages: Path) -> Path | None:
    """The folder for this version of the sources, the first place that can be written to. None if there is none."""
    name = _FOLDER + fingerprint(*packages)
    for parent in _candidate_folders():
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
            os.utime(folder)  # marks it as used
        except OSError:
            continue
        _remove_old_folders(parent, keep=name)
        return folder
    return None


def _remove_old_folders(parent: Path, keep: str) -> None:
    for old in parent.glob(_FOLDER + "*"):
        try:
            unused = time.time() - old.stat().st_mtime > _KEEP_SECONDS
        except OSError:  # another process was quicker
            continue
        if old.name != keep and unused:
            shutil.rmtree(old, ignore_errors=True)


def compiled(function: F) -> F:
    """Compile a rule. It becomes part of the kernels that call it; they are what is stored on disk."""
    # Nobody calls it from C; without that wrapper compiling takes a third less time.
    return numba.njit(nogil=True, no_cfunc_wrapper=True)(function)  # type: ignore[no-any-return]


def compiled_for(field: str, otherwise: Any) -> Callable[[F], F]:
    """Compile a rule for records that have a field; for all other records it is ``otherwise``.

    What is compiled for the other records is as small and fast as if the rule did not exist.

    Args:
        field: What the first argument of the rule, a record, must have.
        otherwise: A constant, or a function of the same arguments.
    """

    def decorate(function: F) -> F:
        substitute = otherwise if callable(otherwise) else _constant(otherwise, function.__code__.co_argcount)

        def rule(game: Any, *arguments: Any) -> Any:
            return (function if field in game.dtype.names else substitute)(game, *arguments)

        # Compiled code does not run `rule` but what this chooses for the type of the record.
        def choose(game: Any, *arguments: Any) -> Any:
            return function if field in game.fields else getattr(substitute, "py_func", substitute)

        overload(rule, strict=False, jit_options={"nogil": True, "no_cfunc_wrapper": True})(choose)
        return rule  # type: ignore[return-value]

    return decorate


def _constant(value: Any, arguments: int) -> Callable[..., Any]:
    """A function of so many arguments; Numba wants them counted."""
    return (
        lambda _: value,
        lambda _, _1: value,
        lambda _, _1, _2: value,
        lambda _, _1, _2, _3: value,
    )[arguments - 1]


def kernel(function: F) -> F:
    """Compile a function that Python calls, keep its machine code on disk, and let other threads run meanwhile."""
    return _stored(function, parallel=False)


def parallel_kernel(function: F) -> F:
    """A kernel whose ``prange`` loops run on several threads. Call it inside `threads.together`."""
    return _stored(function, parallel=True)


def _stored(function: F, parallel: bool) -> F:
    folder = cache_folder(*_layers_of(function))
    previous = numba.config.CACHE_DIR
    try:
        # Numba reads the folder when a function is decorated; other packages keep their own.
        numba.config.CACHE_DIR = str(folder or "")
        compiler = numba.njit(nogil=True, parallel=parallel, cache=folder is not None)
        return compiler(function)  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_DIR = previous


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says once that compiling takes a while; loading stored machine code does not compile and stays silent."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.started: float | None = None

    def on_start(self, _: event.Event) -> None:
        if self.started is None:
            self.started = time.perf_counter()
            print(f"pr_env: compiling {self.what} (once after an install or an edit) ...", file=sys.stderr, flush=True)

    def on_end(self, _: event.Event) -> None:
        """Nothing to do: the announcement closes with the block."""


@contextmanager
def announce_compiling(what: str) -> Iterator[None]:
    """Print a line to stderr if something is compiled inside the block, and how long it took."""
    announcer = _Announcer(what)
    with event.install_listener("numba:compile", announcer):
        yield
    if announcer.started is not None:
        seconds = time.perf_counter() - announcer.started
        print(f"pr_env: compiled in {seconds:.1f} s", file=sys.stderr, flush=True)
