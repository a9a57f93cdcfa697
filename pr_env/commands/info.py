"""``pr-env info``: installed libraries, the available games, and the options and sizes of one game."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from importlib.util import find_spec

import gymnasium
from rich import box
from rich.table import Table as Grid

from pr_env import __version__, registry
from pr_env.commands import extras, screen
from pr_env.commands.choice import Choice
from pr_env.commands.options import GameOption
from pr_env.compiling import PACKAGE, cache_folder
from pr_env.game import Game
from pr_env.threads import most_threads


def info(choice: Choice) -> None:
    """Print everything for the game that was asked for."""
    console = screen.console()
    game = choice.game()
    for title, rows in (
        ("Installation", _installation()),
        ("Extras", _extras()),
        ("Games", _games()),
        (f"Options of {game.name}", [_option(option) for option in choice.options]),
        (f"A game of {game.name}", _sizes(game)),
        (f"Data of {game.name}", game.data_notes()),
    ):
        if not rows:
            continue
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
        ("compiled code", str(cache_folder() or "not kept: no folder is writable (see NUMBA_CACHE_DIR)")),
    ]


def _games() -> list[tuple[str, str]]:
    return [(name, _environments(registry.GAMES.get(name))) for name in registry.game_names()]


def _environments(entry: registry.Entry | None) -> str:
    """The names of a game's environments."""
    if entry is None:
        return "of another package"
    known = "registered" if entry.gymnasium_id in gymnasium.registry else "not registered"
    listed = "registered" if find_spec("pettingzoo.env_registry") else "not registered: needs pettingzoo 1.27"
    return (
        f"Gymnasium: {entry.gymnasium_id} ({known})\n"
        f"PettingZoo: {entry.pettingzoo_module}, {entry.pettingzoo_id} ({listed})"
    )


def _option(option: GameOption) -> tuple[str, str]:
    values = option.metavar or ("on" if option.default else "off")
    usual = ",".join(map(str, option.default)) if isinstance(option.default, (list, tuple)) else option.default
    default = "" if usual is None or usual == "" or option.kind is bool else f", default: {usual}"
    return option.flag, f"{option.help} [{values}{default}]"


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


def _sizes(game: Game) -> list[tuple[str, str]]:
    return [
        ("options", ", ".join(f"{name}={value}" for name, value in game.options().items())),
        ("actions", f"{len(game.actions)}"),
        ("observation", f"{game.observation_size} numbers, {4 * game.observation_size:,} bytes"),
        ("record of a game", f"{game.record.itemsize:,} bytes"),
    ]
