"""One-line messages for errors in a command's input."""

from __future__ import annotations

import errno
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
        if error.errno == errno.EPIPE:  # the reader of the output has closed it: Click exits quietly
            raise
        what = "its files" if error.filename is None else error.filename
        message = f"cannot {doing} {what}: {error.strerror or error}"
    else:
        return
    typer.echo(f"pr-env: {message}", err=True)
    raise typer.Exit(1)
