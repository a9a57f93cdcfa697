"""Many random games of Puerto Rico, with all checks after every step.

``python -m tests.puerto_rico.soak`` plays 100,000 games over all player counts and variants with a progress bar.
"""

from __future__ import annotations

from typing import Any

from pr_env import PuertoRico
from tests.soaking import run

CONFIGURATIONS: dict[str, list[dict[str, Any]]] = {
    "base": [{"players": players} for players in (2, 3, 4, 5)],
    "balanced": [{"players": players, "balanced": True} for players in (2, 3, 4, 5)],
    "draft": [{"players": players, "buildings": "draft"} for players in (2, 3, 4, 5, 6)],
    "random": [{"players": players, "buildings": "random", "balanced": True} for players in (2, 3, 4, 5, 6)],
    "variants": [
        {"players": 6},
        {"players": 6, "six_players": "governor"},
        {"players": 6, "six_players": "governor", "buildings": "random"},
        {"players": 5, "double_cards": True},
        {"players": 5, "double_cards": True, "buildings": "draft"},
        {"players": 2, "buildings": "random", "two_player_library": "round"},
        {"players": 4, "buildings": "random", "small_wharf_harbor": "kind"},
        {"players": 3, "buildings": "random", "hacienda_with_forest_house": "excluded"},
    ],
}

if __name__ == "__main__":
    run(PuertoRico, CONFIGURATIONS, games=100_000)
