"""Logs of whole games, one per kind of configuration: changes of texts or rules show as a readable diff.

``NUMBA_DISABLE_JIT=1 python -m tests.port_royal.golden_logs`` prints them, ``... write`` records them again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pr_env.port_royal import PortRoyal
from pr_env.replay import Replay
from tests.port_royal.configurations import CONTRACTS
from tests.port_royal.plain_games import moves, sensibly

FOLDER = Path(__file__).with_name("logs")
GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "base": ({"players": 2}, 1),
    "set_sail": ({"players": 2, "deck": "set_sail"}, 1),
    "gambler": ({"players": 2, "add": ("gambler", "set_sail_20")}, 11),
    "contracts": ({"players": 3, "add": CONTRACTS}, 1),
    "cooperative": ({"players": 2, "add": CONTRACTS, "mode": "cooperative"}, 1),
    "solo": ({"players": 1, "add": CONTRACTS, "mode": "cooperative"}, 16),  # is won
}


def log(options: dict[str, Any], seed: int) -> str:
    """One game played to its end, in words."""
    game = PortRoyal(**options)
    actions = [action.number for _, action, _ in moves(game, seed, sensibly) if action is not None]
    return "\n".join(Replay(game, seed, tuple(actions)).log()) + "\n"


if __name__ == "__main__":
    logs = {name: log(*game) for name, game in GAMES.items()}
    if sys.argv[1:] == ["write"]:
        FOLDER.mkdir(exist_ok=True)
        for name, text in logs.items():
            (FOLDER / f"{name}.txt").write_text(text)
    else:
        sys.stdout.write("\f".join(logs.values()))
