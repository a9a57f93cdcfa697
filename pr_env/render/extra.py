"""An error for missing libraries that says how to install them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs_the_extra() -> Iterator[None]:
    """Context for imports of libraries that only pictures need."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = "pictures need the extra 'render': pip install -e '.[render]' in the checkout of pr-env"
        raise ModuleNotFoundError(message, name=error.name) from error
