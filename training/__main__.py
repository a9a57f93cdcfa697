"""``python -m training``: the command ``pr-env train``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

try:
    import typer
except ModuleNotFoundError as missing:
    sys.exit(f"training needs {missing.name}: pip install 'pr-env[train]'")

from training.cli import add


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with these options, or with those of the command line."""
    program = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    add(program)
    try:
        program(args=arguments, prog_name="python -m training")
    except SystemExit as end:
        if end.code:
            raise


if __name__ == "__main__":
    main()
