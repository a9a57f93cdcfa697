"""How the rules are compiled, and where the compiled code is kept.

Numba stores compiled functions on disk. Each kernel has a folder there for each game, named after a fingerprint of what
its machine code is made of (see fingerprint.py): an edit means another folder, for those kernels and games alone that
it concerns. Of several processes that need the same kernel at the same time one compiles, and the others wait for it.
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
except ModuleNotFoundError:  # on Windows several processes compile side by side
    fcntl = None  # type: ignore[assignment]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
T = TypeVar("T")

PACKAGE = Path(__file__).resolve().parent
_FOLDER = "pr_env-compiled-"
_KEEP_SECONDS = 7 * 24 * 3600  # folders that nobody used for a week, most of them of older code, are removed
_SECONDS_A_BYTE = 3.5e-4  # compiling, by the size of Python's code
_KERNEL_SECONDS = 0.4  # and for each kernel, however small
_OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}  # nobody calls rules from C: a third less time to compile


def compiled(function: F) -> F:
    """Compile a rule. It becomes part of the kernels that call it; they are what is stored on disk."""
    return numba.njit(**_OPTIONS)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile a rule into the place that calls it.

    For rules of the hot loop that one place calls: a call takes as long as many a rule, and the compiler does this by
    itself for small ones only. Where several places call a rule, each would get a copy, and compiling takes longer.
    """
    return numba.njit(**_OPTIONS, forceinline=True)(function)  # type: ignore[no-any-return]


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

        def choose(game: Any) -> Callable[..., Any]:
            return function if field in game.fields else substitute

        chosen_by_type(rule, choose)
        setattr(rule, CHOICES, lambda _: (function, substitute))
        return rule  # type: ignore[return-value]

    return decorate


def chosen_by_type(rule: Callable[..., Any], choose: Callable[[Any], Callable[..., Any]]) -> None:
    """Let compiled code that calls ``rule`` call the function that ``choose`` names for the first argument's type."""

    def implementation(game: Any, *_: Any) -> Any:
        chosen = choose(game)
        # The plain function: Numba then compiles it in place, which is faster than a call of a compiled one.
        return getattr(chosen, "py_func", chosen)

    overload(rule, strict=False, jit_options=_OPTIONS)(implementation)


def _constant(value: Any, arguments: int) -> Callable[..., Any]:
    """A function of so many arguments; Numba wants them counted."""
    return (
        lambda _: value,
        lambda _, _1: value,
        lambda _, _1, _2: value,
        lambda _, _1, _2, _3: value,
    )[arguments - 1]


class Kernel(Generic[P, T]):
    """A compiled function that Python calls. Its machine code is kept on disk; other threads run meanwhile.

    Calling it compiles or loads it. A kernel that uses rules found by the record's type is asked for with `of` for the
    rules of a game. Compiled code cannot call it: what several kernels share is a function of its own (`compiled`).
    """

    def __init__(self, function: Callable[P, T], parallel: bool) -> None:
        self.function = function
        self._parallel = parallel
        self._loaded: dict[object, Callable[P, T]] = {}
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> T:
        """Run it; for kernels that use no rules found by the record's type."""
        return self.of(None)(*arguments, **named)

    def of(self, rules: object) -> Callable[P, T]:
        """The kernel for a game's rules."""
        found = self._loaded.get(rules)
        if found is None:
            found = self._loaded[rules] = self._load(rules)
        return found

    def bound(self, rules: object, *arguments: Any) -> Callable[[], T]:
        """The kernel for a game's rules, always with these arguments.

        Numba looks at the types of all arguments at every call, which takes longer than a step of one game. Here it is
        done once: the machine code for these types is called directly.
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
        # The same options as the rules': with others, Numba would compile the rules that it calls once more.
        dispatcher: Any = numba.njit(**_OPTIONS, parallel=self._parallel)(self.function)
        game = getattr(rules, "name", "any")
        folder = _folder(f"{game}-{self.function.__name__}-{self.sources(rules).fingerprint}")
        if folder is not None:
            dispatcher._cache = _PatientCache(_stored_in(folder, self.function), folder, self, rules)
        return dispatcher  # type: ignore[no-any-return]


def kernel(function: Callable[P, T]) -> Kernel[P, T]:
    """Make a function a kernel."""
    return Kernel(function, parallel=False)


def parallel_kernel(function: Callable[P, T]) -> Kernel[P, T]:
    """A kernel whose ``prange`` loops run on several threads. Call it inside `threads.together`."""
    return Kernel(function, parallel=True)


# -- where compiled code is kept -------------------------------------------------------------------------------------


def _stored_in(folder: Path, function: Callable[..., Any]) -> Any:
    """Numba's cache of one kernel in a folder that is named after the fingerprint.

    Numba files machine code under the path and the content of the source file. The fingerprint says more than both, so
    here neither counts: all checkouts and installations of the same code share what one of them compiled.
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
    """Numba's cache of one kernel. What another process is compiling is waited for, and then loaded.

    The file is locked from the moment at which nothing was found to that at which machine code was stored. A process
    that dies gives its locks back.
    """

    def __init__(self, stored: Any, folder: Path, kernel: Kernel[..., Any], rules: object) -> None:
        self._stored = stored
        self._path = folder / "lock"
        self._kernel = kernel
        self._rules = rules
        self._file: TextIOWrapper | None = None

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Machine code that there is, perhaps after a while; None: it is to be compiled."""
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
        """Keep it, and let others load it."""
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
        except OSError:  # a file system without locks: compile side by side
            self._unlock()

    def _unlock(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stored, name)


def _candidate_folders() -> Iterator[Path]:
    """Places for the cache: where the user said, the user's own cache folder, beside the sources.

    Never the shared temporary folder: machine code from there could be somebody else's.
    """
    if numba.config.CACHE_DIR:  # NUMBA_CACHE_DIR
        yield Path(numba.config.CACHE_DIR)
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "pr_env"
    yield PACKAGE / "__pycache__"


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept: the first place that can be written to. None if there is none."""
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
    """One kernel for one game and the types of its arguments: what another process can compile in place of this one.

    Attributes:
        module: Where the kernel is.
        name: What it is called there.
        game: Whose rules it is compiled for; empty for a kernel that uses none.
        signature: The types, pickled.
    """

    module: str
    name: str
    game: str
    signature: bytes

    def compile(self, rules: object) -> None:
        """Compile and store it, or load it."""
        found: Kernel[..., Any] = getattr(importlib.import_module(self.module), self.name)
        dispatcher: Any = found.of(rules)
        dispatcher.compile(pickle.loads(self.signature))


class NotCompiledError(Exception):
    """Something has to be compiled first, in a thread that only loads what is stored (`stored_only`).

    Attributes:
        request: What.
        what: The same in a few words.
        seconds: About how long that takes, with all that belongs to it.
    """

    def __init__(self, kernel: Kernel[..., Any], rules: object, signature: Any) -> None:
        module, name = kernel.function.__module__, kernel.function.__qualname__
        self.request = Request(module, name, getattr(rules, "name", ""), pickle.dumps(signature))
        self.what = ""
        super().__init__(f"{name} is not compiled")
        self.seconds = about_seconds([kernel], rules)

    def say(self, what: str, seconds: float) -> None:
        """Describe it, if nobody has described it more closely."""
        if not self.what:
            self.what, self.seconds = what, max(self.seconds, seconds)


@contextmanager
def stored_only() -> Iterator[None]:
    """Compile nothing in this thread inside the block: `NotCompiledError` says what is missing.

    Numba compiles one thing at a time, and all threads that have to load or compile something else wait for it. A
    server that must not wait leaves compiling to another process (`Request.compile`), and then tries again.
    """
    before = getattr(_thread, "stored_only", False)
    _thread.stored_only = True
    try:
        yield
    finally:
        _thread.stored_only = before


# -- what is said about it ---------------------------------------------------------------------------------------------


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says once that compiling takes a while; loading stored machine code does not compile and stays silent."""

    def __init__(self, what: str, guess: Callable[[], float]) -> None:
        self.what = what
        self.guess = guess
        self.announced = False

    def on_start(self, _: event.Event) -> None:
        if not self.announced:
            self.announced = True
            if cache_folder() is None:
                kept = "every time: no folder can be written to keep it, set NUMBA_CACHE_DIR to one"
            else:
                kept = "once after an install or an edit"
            _say(f"compiling {self.what}, about {max(1, round(self.guess()))} s ({kept})")

    def on_end(self, _: event.Event) -> None:
        """Nothing to do: it was said what will happen."""


@contextmanager
def announce_compiling(what: str, *kernels: Kernel[..., Any], rules: object = None) -> Iterator[None]:
    """Print a line to stderr if something is compiled inside the block: what, and about how long it takes.

    Args:
        what: In a few words.
        kernels: What the block loads or compiles.
        rules: Whose rules they are compiled for.
    """
    with event.install_listener("numba:compile", _Announcer(what, lambda: about_seconds(kernels, rules))):
        try:
            yield
        except NotCompiledError as error:
            error.say(what, about_seconds(kernels, rules))
            raise


def about_seconds(kernels: Iterable[Kernel[..., Any]], rules: object) -> float:
    """A guess of how long it takes to compile these: by the size of the code, on a machine of 2024."""
    reached = [each.sources(rules).functions for each in kernels]
    functions = {id(function): function for functions in reached for function in functions}
    return _KERNEL_SECONDS * len(reached) + _SECONDS_A_BYTE * sum(map(code_size, functions.values()))


def _say(sentence: str) -> None:
    print(f"pr_env: {sentence}", file=sys.stderr, flush=True)
