"""Write the pages and pictures that are generated from the code: ``make docs`` (a test fails if they are out of date).

Each registered game defines them in its module ``documentation``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pr_env.registry import GAMES

FOLDER = Path(__file__).parent


def pages() -> dict[Path, str]:
    """All generated files with their contents."""
    found = {}
    for entry in GAMES.values():
        module = import_module(f"{entry.place.partition(':')[0]}.documentation")
        found.update({FOLDER / name: make() for name, make in module.PAGES.items()})
    return found


if __name__ == "__main__":
    for file, content in pages().items():
        file.write_text(content)
        print(f"wrote {file.name}")
