"""Play random games with the reference and follow each with the uncompiled engine, decision by decision.

``NUMBA_DISABLE_JIT=1 python -m tests.port_royal.follow_reference 10`` plays ten games of each configuration.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from tests.port_royal.follow_recorded import follow
from tests.port_royal.reference import ReferenceGame

_CONTRACTS = {"add": ["contract_cards", "contracts"]}
_EVERYTHING = {"add": ["gambler", "set_sail_20", "contract_cards", "contracts"]}
CONFIGURATIONS: list[dict[str, Any]] = [
    *({"players": players} for players in range(2, 6)),
    {"players": 3, "alternative_end": True, "must_repel_duplicate": True},
    {"players": 4, "add": ["gambler"]},
    {"players": 3, "add": ["set_sail_20"]},
    {"players": 3, "add": ["contract_cards"], "vice_admiral_passive": 2},
    *({"players": players, "game": "set_sail"} for players in range(2, 5)),
    *({"players": players, **_CONTRACTS} for players in (2, 5)),
    {"players": 3, **_EVERYTHING},
    {"players": 1, "mode": "cooperative", "score_start": 3, **_CONTRACTS},
    *({"players": players, "mode": "cooperative", **_EVERYTHING} for players in (1, 3, 5)),
    {"players": 3, "max_turns": 7},
    {"players": 3, "max_decisions": 20},
]


def play(config: dict[str, Any], seed: int) -> dict[str, Any]:
    """A random game of the reference, in the form of the recorded games."""
    chooser = random.Random(seed)
    game = ReferenceGame(config, seed=seed)
    steps = []
    while not game.over:
        action = list(chooser.choice(game.legal))
        steps.append({"revealed": list(game.revealed), **game.position(), "action": action})
        steps[-1]["legal"] = [list(name) for name in steps[-1]["legal"]]
        game.step(action)
    contracts = list(game.contracts)
    return {
        "config": config,
        "contracts": contracts,
        "steps": steps,
        "last_revealed": list(game.revealed),
        "result": game.result(),
    }


def main() -> None:
    """Compare so many games of each configuration."""
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    decisions = sum(follow(play(config, seed)) for config in CONFIGURATIONS for seed in range(each))
    print(f"{each * len(CONFIGURATIONS)} games, {decisions} decisions: no difference")


if __name__ == "__main__":
    main()
