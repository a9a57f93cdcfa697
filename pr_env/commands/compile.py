"""``pr-env compile``: compile ahead of time what is otherwise compiled on first use.

This package compiles its batches. Other packages add their own parts: they declare functions ``compile_ahead(game,
say)`` in the entry-point group ``pr_env.compile``, which compile each part inside ``with say("name of the part"):``.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr
from importlib.metadata import entry_points

from rich.console import Console

from pr_env import registry
from pr_env.batch import load_all
from pr_env.commands import extras, screen
from pr_env.commands.choice import Choice
from pr_env.commands.configuration import one_of_each_record
from pr_env.compiling import cache_folder
from pr_env.game import Game
from pr_env.threads import most_threads

GROUP = "pr_env.compile"

Say = Callable[[str], AbstractContextManager[None]]
Part = Callable[[Game, Say], None]


def configurations_for(choice: Choice) -> list[Game]:
    """The configurations that a command line asks for: one game with its options, all of one game, or all games."""
    if choice.given:
        return [choice.game()]
    asked = [choice.kind] if choice.named else [registry.find_game(name) for name in registry.game_names()]
    return [game for kind in asked for game in one_of_each_record(kind)]


def compile_ahead(games: Iterable[Game]) -> None:
    """Compile all parts for these games, and print the time each took."""
    console = screen.console()
    parts = list(_parts(console))
    start = time.perf_counter()
    for game in games:
        options = ", ".join(f"{name}={value}" for name, value in game.options().items())
        console.print(f"{game.name}: {options}", highlight=False, markup=False)
        for part in parts:
            part(game, lambda what: _timed(console, what))
    where = cache_folder() or "no folder: none is writable (see NUMBA_CACHE_DIR), so this is lost at exit"
    seconds = time.perf_counter() - start
    console.print(f"{seconds:8.1f} s  in total, kept in {where}", highlight=False, markup=False, soft_wrap=True)


def compile_batches(game: Game, say: Say) -> None:
    """Batches on one thread and on two, and random opponents."""
    for threads in sorted({1, min(2, most_threads())}):
        with say(f"batch, {threads} thread{'s' if threads > 1 else ''}"):
            load_all(game, threads)


def _parts(console: Console) -> Iterator[Part]:
    """Compile the parts of this package and of others."""
    yield compile_batches
    for entry in entry_points(group=GROUP):
        try:
            yield entry.load()
        except ModuleNotFoundError as error:
            console.print(
                f"{entry.name}: {extras.what_is_missing(error)}", highlight=False, markup=False, soft_wrap=True
            )


@contextmanager
def _timed(console: Console, what: str) -> Iterator[None]:
    """Show progress on a terminal, and print how long it took."""
    start = time.perf_counter()
    said = io.StringIO()
    with console.status(f"compiling: {what}"), redirect_stderr(said):  # batches and players announce it as well
        yield
    for line in said.getvalue().splitlines():
        if not line.startswith("pr_env: compil"):
            console.print(line, highlight=False, markup=False)
    seconds = time.perf_counter() - start
    console.print(f"{seconds:8.1f} s  {what}", highlight=False, markup=False, soft_wrap=True)
