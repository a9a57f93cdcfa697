"""``pr-env info``: what is installed, and the sizes of a game."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from importlib.util import find_spec

import gymnasium
from rich import box
from rich.table import Table as Grid

from pr_env import __version__
from pr_env.commands import extras, screen
from pr_env.compiling import PACKAGE, cache_folder
from pr_env.puerto_rico import PuertoRico
from pr_env.registration import GYMNASIUM_ID, PETTINGZOO_ID
from pr_env.threads import most_threads


def info(game: PuertoRico) -> None:
    """Print everything."""
    console = screen.console()
    for title, rows in (
        ("Installation", _installation()),
        ("Environments", _environments()),
        ("Extras", _extras()),
        ("A game", _sizes(game)),
    ):
        grid = Grid(title=title, title_justify="left", title_style="bold", box=box.SIMPLE, show_header=False)
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for row in rows:
            grid.add_row(*row)
        console.print(grid, highlight=False, markup=False)


def _installation() -> list[tuple[str, str]]:
    return [
        ("pr-env", f"{__version__}, in {PACKAGE}"),
        ("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *((name, version(name)) for name in ("numpy", "numba", "gymnasium", "pettingzoo")),
        ("cores", f"{os.cpu_count()}, used by at most {most_threads()} threads (NUMBA_NUM_THREADS)"),
        ("compiled code", str(cache_folder(PACKAGE) or "is not kept: no folder can be written (NUMBA_CACHE_DIR)")),
    ]


def _environments() -> list[tuple[str, str]]:
    known = "registered" if GYMNASIUM_ID in gymnasium.registry else "not registered"
    registry = "registered" if find_spec("pettingzoo.env_registry") else "not registered: that needs pettingzoo 1.27"
    return [
        ("Gymnasium", f"{GYMNASIUM_ID} ({known})"),
        ("PettingZoo", f"pr_env.puerto_rico_v0, {PETTINGZOO_ID} ({registry})"),
    ]


def _extras() -> list[tuple[str, str]]:
    rows = []
    for extra, (what_for, libraries) in extras.EXTRAS.items():
        gone = extras.missing(extra)
        if gone:
            state = f"{', '.join(gone)} missing: {extras.command(extra)}"
        else:
            state = f"installed ({', '.join(libraries)})"
        rows.append((f"{extra}: {what_for}", state))
    return rows


def _sizes(game: PuertoRico) -> list[tuple[str, str]]:
    return [
        ("options", ", ".join(f"{name}={value}" for name, value in game.options().items())),
        ("actions", f"{len(game.actions)}"),
        ("observation", f"{game.observation_size} numbers, {4 * game.observation_size:,} bytes"),
        ("record of a game", f"{game.record.itemsize:,} bytes"),
    ]
