"""The toy games of examples/: one against one another, one alone, one together with something hidden."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from pr_env import Game, registry

EXAMPLES = Path(__file__).parent.parent / "examples"


def toy(place: str) -> type[Game]:
    """The class of a toy game, for example ``toy("nim:Nim")``; its replays can be read from then on."""
    module, _, name = place.partition(":")
    sys.path.insert(0, str(EXAMPLES))
    try:
        found: type[Game] = getattr(importlib.import_module(module), name)
    finally:
        sys.path.remove(str(EXAMPLES))
    return registry.add_game(found)


Nim = toy("nim:Nim")
SevenDice = toy("seven_dice:SevenDice")
InOrder = toy("in_order:InOrder")

TOYS: tuple[Game, ...] = (Nim(players=2), Nim(players=4), SevenDice(), InOrder(players=2), InOrder(players=4))  # type: ignore[call-arg]
