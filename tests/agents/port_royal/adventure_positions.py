"""What the scripted team player does in positions of the adventure, uncompiled.

``NUMBA_DISABLE_JIT=1 python -m tests.agents.port_royal.adventure_positions`` checks them.
"""

from __future__ import annotations

from typing import Any

from agents.port_royal.plans import STRATEGIES
from agents.port_royal.policy import scripted_action
from pr_env import PortRoyal

CREW = STRATEGIES.index("crew")
Name = tuple[str | int, ...]


def take(own: dict[str, Any], missions: list[Any], persons: tuple[str, ...], ships: list[str], chapter: int) -> Name:
    """The first take of the active player of a team of two."""
    game = PortRoyal(players=2, deck="adventure", mode="cooperative", chapter=chapter)  # type: ignore[arg-type] # 1 to 5
    games = game.from_dict(
        {
            "question": "take",
            "drawn": 5,
            "harbour": {"persons": dict.fromkeys(persons, 1), "ships": ships},
            "seats": [{"character": "samuel_blackguard", **own}, {"character": "peter_landman"}],
            "missions": [one if isinstance(one, dict) else {"mission": one} for one in missions],
        }
    )
    return game.actions[scripted_action(games[0], game.tables[0], CREW)].name


def main() -> None:
    """Check all positions."""
    ships = ["yellow_3_4", "ares_1_2_book"]
    # a mission asks for pirates of the Ares: the ship is kept
    assert take({}, ["10"], (), ships, 1) == ("keep_item", "ares")
    # no mission that may come asks for a book: the dearer ship is traded
    assert take({}, ["40"], (), ships, 5) == ("trade", "yellow")
    # a captain is wanted more than a dearer person, and completes the mission at once
    persons = ("captain_4_1", "sailor_5_2")
    assert take({"coins": 6}, ["10", "11"], persons, [], 1) == ("hire", "captain_4_1")
    own = {"coins": 6, "display": {"captain_4_1": 1}}
    assert take(own, ["10", "11"], persons, [], 1) == ("complete", 2)
    # coins are saved for a mission that lacks nothing else
    own = {"coins": 3, "display": {"priest_4_1": 1}}
    assert take(own, ["10", "11", "13"], ("trader_green_3_1",), [], 1) == ("done",)
    print("all as expected")


if __name__ == "__main__":
    main()
