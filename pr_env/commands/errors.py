"""One-line messages for errors in a command's input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from pr_env.commands import extras


@contextmanager
def errors_in_one_line(doing: str) -> Iterator[None]:
    """Errors in the input end the command with one sentence and exit code 1 instead of a traceback.

    Args:
        doing: What the command does with files, as a verb: "open", "write".
    """
    try:
        yield
    except ValueError as error:
        message = str(error)
    except ModuleNotFoundError as error:
        message = extras.what_is_missing(error)
    except OSError as error:
        if error.filename is None:  # not about a user's file, for example a closed pipe
            raise
        message = f"cannot {doing} {error.filename}: {error.strerror}"
    else:
        return
    typer.echo(f"pr-env: {message}", err=True)
    raise typer.Exit(1)
