"""``python -m training``: the command ``pr-env train``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from training.waits import wait_passively


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with these options, or with those of the command line."""
    wait_passively()  # before NumPy is imported
    try:
        import typer

        from training.cli import add
    except ModuleNotFoundError as missing:
        sys.exit(f"training needs {missing.name}: pip install -e '.[train]' in the checkout of pr-env")
    program = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    add(program)
    try:
        program(args=arguments, prog_name="python -m training")
    except SystemExit as end:
        if end.code:
            raise


if __name__ == "__main__":
    main()
