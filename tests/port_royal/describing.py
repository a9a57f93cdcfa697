"""Described positions of random games: round trips, and descriptions with one damaged value.

``NUMBA_DISABLE_JIT=1 python -m tests.port_royal.describing there_and_back`` (or ``damage``).
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from pr_env import Batch, PositionError
from pr_env.port_royal import PortRoyal
from tests.port_royal.configurations import CONFIGURATIONS, EVERYTHING, SOLO


def there_and_back(options: dict[str, Any], steps: int) -> set[str]:
    """Describe and restore random games at every decision; returns the kinds of decisions met."""
    game = PortRoyal(**options)
    batch = Batch(game, 2, seed=5, observations=False, autoreset=False, threads=1)
    met: set[str] = set()
    for _ in range(steps):
        for index in range(len(batch)):
            described = batch.to_dict(index)
            met.add(described["question"])
            again = game.from_dict(json.loads(json.dumps(described)))
            assert again.tobytes() == batch.games[index].tobytes(), described
        if batch.is_over().all():
            break
        batch.step(batch.sample_actions())
    return met


WRONG: tuple[Any, ...] = (None, -1, 1, 7, 255, 10**6, 1.5, "x", [], {}, [1], {"x": 1}, True, float("nan"))


def damage(options: dict[str, Any]) -> int:
    """Damage many descriptions; returns how many are rejected."""
    game = PortRoyal(**options)
    batch = Batch(game, 1, seed=3, observations=False, threads=1)
    for _ in range(60):
        batch.step(batch.sample_actions())
    described = batch.to_dict(0)
    chance = np.random.default_rng(0)
    refused = 0
    for path in _paths(described):
        for wrong in chance.choice(np.array(WRONG, object), 3, replace=False):
            damaged = json.loads(json.dumps(described))
            place = damaged
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = wrong
            try:
                games = game.from_dict(damaged)
            except PositionError:
                refused += 1
            else:
                assert not game.problems(games)
    return refused


def _paths(value: Any) -> list[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, inner in entries for path in [(key,), *((key, *rest) for rest in _paths(inner))]]


def main() -> None:
    """Run the command line."""
    if sys.argv[1] == "damage":
        for options in ({"add": EVERYTHING}, SOLO):
            print(damage(options))
        return
    met = set()
    for options in CONFIGURATIONS:
        met |= there_and_back(options | {"max_decisions": 45}, 46)  # cut in the middle of a decision, too
    assert met >= {"discover", "repel", "take", "give", "immediate", "set_aside", "game_over"}, met
    print(f"{len(CONFIGURATIONS)} configurations: the same bytes")


if __name__ == "__main__":
    main()
