"""The pages and pictures of the documentation that are made from Port Royal's own tables."""

from __future__ import annotations

from collections.abc import Callable

from pr_env.documentation import picture
from pr_env.port_royal import PortRoyal


def board() -> str:
    """A picture of a random game: many cards to take, one of them a ship that nobody can repel."""
    return picture(PortRoyal(players=3), seed=17, moves=228)


PAGES: dict[str, Callable[[], str]] = {
    "port_royal.svg": board,
}
