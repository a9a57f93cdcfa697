"""How the rules are compiled, and where the compiled code is kept.

Numba stores compiled functions on disk. Each kernel has one folder per game, named after a fingerprint of everything
its machine code is made of (see fingerprint.py). An edit leads to a new folder, but only for the kernels and games that
it affects. If several processes need the same kernel at once, one compiles it and the others wait.
"""

from __future__ import annotations

import importlib
import os
import pickle
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

import numba
from numba.core import caching, event
from numba.extending import overload

from pr_env.fingerprint import CHOICES, Sources, code_size

try:
    import fcntl
except ModuleNotFoundError:  # on Windows, several processes compile at the same time
    fcntl = None  # type: ignore[assignment]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
T = TypeVar("T")

PACKAGE = Path(__file__).resolve().parent
_FOLDER = "pr_env-compiled-"
_KEEP_SECONDS = 7 * 24 * 3600  # folders unused for a week, mostly of older code, are removed
_SECONDS_A_BYTE = 3.5e-4  # compile time by the size of the byte code
_KERNEL_SECONDS = 0.4  # plus this for each kernel, however small
_OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}  # rules are not called from C: saves a third of the compile time


def compiled(function: F) -> F:
    """Compile a rule. It becomes part of the kernels that call it; only kernels are stored on disk."""
    return numba.njit(**_OPTIONS)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile a rule and inline it where it is called.

    For rules of the hot loop that are called in one place: a call can take as long as the rule itself, and the compiler
    inlines only small functions automatically. If several places called the rule, each would get a copy, and compiling
    would take longer.
    """
    return numba.njit(**_OPTIONS, forceinline=True)(function)  # type: ignore[no-any-return]


def compiled_for(field: str, otherwise: Any) -> Callable[[F], F]:
    """Compile a rule for records that have a field; for all other records it is ``otherwise``.

    The code for other records is as small and fast as if the rule did not exist.

    Args:
        field: The field that the rule's first argument, a record, must have.
        otherwise: A constant, or a function with the same arguments.
    """

    def decorate(function: F) -> F:
        substitute = otherwise if callable(otherwise) else _constant(otherwise, function.__code__.co_argcount)

        def rule(game: Any, *arguments: Any) -> Any:
            return (function if field in game.dtype.names else substitute)(game, *arguments)

        def choose(game: Any) -> Callable[..., Any]:
            return function if field in game.fields else substitute

        chosen_by_type(rule, choose)
        setattr(rule, CHOICES, lambda _: (function, substitute))
        return rule  # type: ignore[return-value]

    return decorate


def chosen_by_type(rule: Callable[..., Any], choose: Callable[[Any], Callable[..., Any]]) -> None:
    """Make compiled code call, instead of ``rule``, the function that ``choose`` returns for the first argument."""

    def implementation(game: Any, *_: Any) -> Any:
        chosen = choose(game)
        # The Python function: Numba compiles it in place, which is faster than calling a compiled one.
        return getattr(chosen, "py_func", chosen)

    overload(rule, strict=False, jit_options=_OPTIONS)(implementation)


def _constant(value: Any, arguments: int) -> Callable[..., Any]:
    """A constant function with this number of arguments; Numba needs the exact number."""
    return (
        lambda _: value,
        lambda _, _1: value,
        lambda _, _1, _2: value,
        lambda _, _1, _2, _3: value,
    )[arguments - 1]


class Kernel(Generic[P, T]):
    """A compiled function that Python calls. Its machine code is cached on disk; it releases the GIL.

    Calling it compiles or loads it. If it uses rules that are found by the record's type, `of` returns the kernel for
    the rules of a game. Compiled code cannot call it: code that several kernels share must be a separate `compiled`
    function.
    """

    def __init__(self, function: Callable[P, T], parallel: bool) -> None:
        self.function = function
        self._parallel = parallel
        self._loaded: dict[object, Callable[P, T]] = {}
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> T:
        """Run it; for kernels without rules that are found by the record's type."""
        return self.of(None)(*arguments, **named)

    def of(self, rules: object) -> Callable[P, T]:
        """The kernel for a game's rules."""
        found = self._loaded.get(rules)
        if found is None:
            found = self._loaded[rules] = self._load(rules)
        return found

    def bound(self, rules: object, *arguments: Any) -> Callable[[], T]:
        """The kernel for a game's rules, bound to these arguments.

        Numba inspects the types of all arguments at every call, which takes longer than a step of one game. Here this
        is done once: the machine code for these types is called directly.
        """
        loaded: Any = self.of(rules)
        if numba.config.DISABLE_JIT:
            return partial(loaded, *arguments)
        types = tuple(numba.typeof(argument) for argument in arguments)
        if types not in loaded.overloads:
            loaded.compile(types)  # or loads it from disk
        return partial(loaded.get_overload(types), *arguments)

    def sources(self, rules: object) -> Sources:
        """What its machine code is made of."""
        return Sources(self.function, rules)

    def _load(self, rules: object) -> Callable[P, T]:
        if numba.config.DISABLE_JIT:
            return self.function
        # The same options as for the rules; otherwise Numba would compile the rules a second time.
        dispatcher: Any = numba.njit(**_OPTIONS, parallel=self._parallel)(self.function)
        game = getattr(rules, "name", "any")
        folder = _folder(f"{game}-{self.function.__name__}-{self.sources(rules).fingerprint}")
        if folder is not None:
            dispatcher._cache = _PatientCache(_stored_in(folder, self.function), folder, self, rules)
        return dispatcher  # type: ignore[no-any-return]


def kernel(function: Callable[P, T]) -> Kernel[P, T]:
    """Turn a function into a kernel."""
    return Kernel(function, parallel=False)


def parallel_kernel(function: Callable[P, T]) -> Kernel[P, T]:
    """A kernel whose ``prange`` loops run on several threads. Call it inside `threads.together`."""
    return Kernel(function, parallel=True)


# -- where compiled code is kept -------------------------------------------------------------------------------------


def _stored_in(folder: Path, function: Callable[..., Any]) -> Any:
    """Numba's cache for one kernel, in the folder named after the fingerprint.

    Numba keys machine code by the path and contents of the source file. The fingerprint covers more than both, so
    neither is used here: all checkouts and installations of the same code share what one of them compiled.
    """

    class Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
        def __init__(self, function: Callable[..., Any], file: str) -> None:
            self._py_file = file  # named in Numba's warnings

        from_function = classmethod(lambda cls, function, file: cls(function, file))

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return ""

        def get_disambiguator(self) -> str:
            return ""

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class Cache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Implementation

    return Cache(function)


class _PatientCache:
    """Numba's cache for one kernel. It waits for code that another process is compiling, and then loads it.

    A lock file is held from a failed lookup until the machine code is stored. The lock of a process that dies is
    released.
    """

    def __init__(self, stored: Any, folder: Path, kernel: Kernel[..., Any], rules: object) -> None:
        self._stored = stored
        self._path = folder / "lock"
        self._kernel = kernel
        self._rules = rules
        self._file: TextIOWrapper | None = None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load machine code, perhaps after waiting for another process; None means that it must be compiled."""
        found = self._stored.load_overload(signature, context)
        if found is not None or self._file is not None:
            return found
        if getattr(_thread, "stored_only", False):
            raise NotCompiledError(self._kernel, self._rules, signature)
        self._lock()
        found = self._stored.load_overload(signature, context)
        if found is not None:
            self._unlock()
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        """Store machine code and let other processes load it."""
        try:
            self._stored.save_overload(signature, data)
        finally:
            self._unlock()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            self._file = self._path.open("a")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _say("waiting for another process that is compiling the same")
                fcntl.flock(self._file, fcntl.LOCK_EX)
        except OSError:  # a file system without locks: compile at the same time
            self._unlock()

    def _unlock(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stored, name)


def _candidate_folders() -> Iterator[Path]:
    """Places for the cache: the user's setting, the user's cache folder, next to the sources.

    Never the shared temporary folder: it could hold machine code of another user.
    """
    if numba.config.CACHE_DIR:  # NUMBA_CACHE_DIR
        yield Path(numba.config.CACHE_DIR)
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "pr_env"
    yield PACKAGE / "__pycache__"


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept: the first writable place; None if there is none."""
    for folder in _candidate_folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        _remove_old_folders(folder)
        return folder
    return None


def _folder(name: str) -> Path | None:
    """The folder of one kernel for one game."""
    parent = cache_folder()
    if parent is None:
        return None
    folder = parent / (_FOLDER + name)
    folder.mkdir(exist_ok=True)
    os.utime(folder)  # marks it as used
    return folder


def _remove_old_folders(parent: Path) -> None:
    for old in parent.glob(_FOLDER + "*"):
        try:
            unused = time.time() - old.stat().st_mtime > _KEEP_SECONDS
        except OSError:  # another process was quicker
            continue
        if unused:
            shutil.rmtree(old, ignore_errors=True)


# -- compiling elsewhere -----------------------------------------------------------------------------------------------

_thread = threading.local()


@dataclass(frozen=True)
class Request:
    """A kernel, a game and argument types: can be sent to another process and compiled there.

    Attributes:
        module: Module of the kernel.
        name: Name of the kernel in that module.
        game: The game whose rules it is compiled for; empty if it uses none.
        signature: The pickled argument types.
    """

    module: str
    name: str
    game: str
    signature: bytes

    def compile(self, rules: object) -> None:
        """Compile and store the kernel, or load it."""
        found: Kernel[..., Any] = getattr(importlib.import_module(self.module), self.name)
        dispatcher: Any = found.of(rules)
        dispatcher.compile(pickle.loads(self.signature))


class NotCompiledError(Exception):
    """A kernel is not compiled yet, in a thread that only loads stored code (`stored_only`).

    Attributes:
        request: The kernel.
        what: A short description of the kernels that are loaded together with it.
        seconds: Estimated time to compile all of these.
    """

    def __init__(self, kernel: Kernel[..., Any], rules: object, signature: Any) -> None:
        module, name = kernel.function.__module__, kernel.function.__qualname__
        self.request = Request(module, name, getattr(rules, "name", ""), pickle.dumps(signature))
        self.what = ""
        super().__init__(f"{name} is not compiled")
        self.seconds = about_seconds([kernel], rules)

    def say(self, what: str, seconds: float) -> None:
        """Set the description, unless an inner block has set it."""
        if not self.what:
            self.what, self.seconds = what, max(self.seconds, seconds)


@contextmanager
def stored_only() -> Iterator[None]:
    """Do not compile in this thread inside the block: raise `NotCompiledError` if code is missing.

    Numba compiles under a global lock, which loading stored code needs as well. A server that must stay responsive
    compiles in another process (`Request.compile`), and then tries again.
    """
    before = getattr(_thread, "stored_only", False)
    _thread.stored_only = True
    try:
        yield
    finally:
        _thread.stored_only = before


# -- what is said about it ---------------------------------------------------------------------------------------------


class _Announcer(event.Listener):  # type: ignore[misc]
    """Announces once that compiling takes a while. Loading stored machine code announces nothing."""

    def __init__(self, what: str, guess: Callable[[], float]) -> None:
        self.what = what
        self.guess = guess
        self.announced = False

    def on_start(self, _: event.Event) -> None:
        if not self.announced:
            self.announced = True
            if cache_folder() is None:
                kept = "every time: no cache folder is writable, set NUMBA_CACHE_DIR to one that is"
            else:
                kept = "once after an install or an edit"
            _say(f"compiling {self.what}, about {max(1, round(self.guess()))} s ({kept})")

    def on_end(self, _: event.Event) -> None:
        """Nothing to do; the start was announced."""


@contextmanager
def announce_compiling(what: str, *kernels: Kernel[..., Any], rules: object = None) -> Iterator[None]:
    """Print a line to stderr if something is compiled inside the block: what, and roughly how long it takes.

    Args:
        what: A short description.
        kernels: The kernels that the block loads or compiles.
        rules: The rules they are compiled for.
    """
    with event.install_listener("numba:compile", _Announcer(what, lambda: about_seconds(kernels, rules))):
        try:
            yield
        except NotCompiledError as error:
            error.say(what, about_seconds(kernels, rules))
            raise


def about_seconds(kernels: Iterable[Kernel[..., Any]], rules: object) -> float:
    """Estimated time to compile these kernels, from the size of their code, on a machine of 2024."""
    reached = [each.sources(rules).functions for each in kernels]
    functions = {id(function): function for functions in reached for function in functions}
    return _KERNEL_SECONDS * len(reached) + _SECONDS_A_BYTE * sum(map(code_size, functions.values()))


def _say(sentence: str) -> None:
    print(f"pr_env: {sentence}", file=sys.stderr, flush=True)
