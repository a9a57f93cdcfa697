"""The toy games of examples/: a competitive one, a solo one, and a cooperative one with hidden information."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pr_env import Game, registry

EXAMPLES = Path(__file__).parent.parent / "examples"


def toy(place: str) -> type[Game]:
    """The class of a toy game, for example ``toy("nim:Nim")``. Afterwards its replays can be read."""
    return registry.find_game(f"examples.{place}")


Nim: Any = toy("nim:Nim")
SevenDice: Any = toy("seven_dice:SevenDice")
InOrder: Any = toy("in_order:InOrder")

TOYS: tuple[Game, ...] = (Nim(players=2), Nim(players=4), SevenDice(), InOrder(players=2), InOrder(players=4))
