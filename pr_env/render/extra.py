"""The error of a missing library says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs_the_extra() -> Iterator[None]:
    """Around imports of the libraries that only pictures need."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = "pictures need the extra 'render': pip install -e '.[render]' in the checkout of pr-env"
        raise ModuleNotFoundError(message, name=error.name) from error
