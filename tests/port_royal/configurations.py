"""Every configuration of Port Royal, at every number of players."""

from __future__ import annotations

from typing import Any

from pr_env.port_royal import Addition

CONTRACTS: tuple[Addition, ...] = ("contract_cards", "contracts")
EVERYTHING: tuple[Addition, ...] = ("gambler", "set_sail_20", *CONTRACTS)
SOLO: dict[str, Any] = {"players": 1, "add": CONTRACTS, "mode": "cooperative"}

CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    *({"players": players} for players in (2, 3, 4, 5)),
    {"players": 3, "add": ("gambler",)},
    {"players": 3, "add": ("set_sail_20",)},
    *({"players": players, "deck": "set_sail"} for players in (2, 3, 4)),
    {"players": 3, "add": ("contract_cards",)},
    *({"players": players, "add": CONTRACTS} for players in (2, 3, 4, 5)),
    *({"players": players, "add": CONTRACTS, "mode": "cooperative"} for players in (1, 2, 3, 4, 5)),
    {"players": 3, "alternative_end": True},
    {"players": 5, "add": EVERYTHING},
    {"players": 1, "add": EVERYTHING, "mode": "cooperative", "score_start": 2},
    {"players": 4, "add": EVERYTHING, "mode": "cooperative"},
)
