"""All players of Port Royal in every configuration: legal choices, even if other decisions are random.

``NUMBA_DISABLE_JIT=1 python -m tests.agents.port_royal.every_configuration 3`` plays three games of each, uncompiled.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from agents import make_agent
from agents.port_royal import STRATEGIES
from pr_env.batch import Batch
from pr_env.port_royal import PortRoyal

CONTRACTS = ("contract_cards", "contracts")
CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    {"players": 2},
    {"players": 5},
    {"players": 4, "must_repel_duplicate": True},
    {"players": 3, "alternative_end": True},
    {"players": 2, "deck": "set_sail"},
    {"players": 4, "deck": "set_sail"},
    {"players": 3, "add": ("gambler",)},
    {"players": 4, "add": ("set_sail_20",)},
    {"players": 3, "add": ("contract_cards",), "vice_admiral_passive": 2},
    {"players": 3, "add": CONTRACTS},
    {"players": 5, "add": ("gambler", "set_sail_20", *CONTRACTS)},
    {"players": 1, "add": CONTRACTS, "mode": "cooperative"},
    {"players": 1, "add": ("gambler", *CONTRACTS), "mode": "cooperative", "score_start": 2},
    {"players": 3, "add": CONTRACTS, "mode": "cooperative"},
    {"players": 5, "add": CONTRACTS, "mode": "cooperative"},
    {"players": 1, "deck": "adventure", "mode": "cooperative", "chapter": 3},
    {"players": 2, "deck": "adventure", "mode": "cooperative", "chapter": 5},
    {"players": 3, "deck": "adventure", "chapter": 4, "character_choice": "draft"},
    {"players": 4, "deck": "adventure", "mode": "post_adventure"},
)


def play(game: PortRoyal, names: tuple[str, ...], seed: int, by_chance: float) -> int:
    """Play one game in which the named agents take turns; returns the number of decisions.

    Args:
        game: The configuration.
        names: The agents; each decision is made by the next one.
        seed: The seed of the game.
        by_chance: The share of random decisions.
    """
    batch = Batch(game, 1, seed=seed, observations=False, autoreset=False, threads=1)
    agents = [make_agent(name, game) for name in names]
    chance = np.random.default_rng(seed)
    decisions = 0
    while not batch.is_over()[0]:
        games = np.array(batch.games)
        action = agents[decisions % len(agents)].choose(batch.observation, batch.mask, games)
        assert games.tobytes() == batch.games.tobytes(), "the agent changed the game"
        assert batch.mask[0, action[0]], f"{names[decisions % len(agents)]}: {game.actions[action[0]]}"
        batch.step(batch.sample_actions() if chance.random() < by_chance else action)
        decisions += 1
    return decisions


def main(count: int) -> None:
    """Play a number of games of each configuration."""
    decisions = 0
    for options in CONFIGURATIONS:
        game = PortRoyal(**options)
        for seed in range(count):
            decisions += play(game, STRATEGIES, seed, by_chance=0.5 * (seed % 2))
    print(f"{count * len(CONFIGURATIONS)} games, {decisions} decisions: all legal")


if __name__ == "__main__":
    main(int(sys.argv[1]))
