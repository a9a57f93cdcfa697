"""Many random games of Port Royal, with all checks after every step.

``python -m tests.port_royal.soak`` plays 50,000 games over all sets, player counts and options with a progress bar,
then compares statistics of random play with those of another implementation; ``--figures`` prints only these.
"""

from __future__ import annotations

import sys
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pr_env import Batch, PortRoyal
from pr_env.port_royal.actions import STOP
from pr_env.port_royal.state import FIRST_COIN_SPACE
from tests.soaking import check, run

CARDS = ("contract_cards",)
CONTRACTS = (*CARDS, "contracts")
ADDITIONS = [
    (*gambler, *set_sail, *contract)
    for gambler, set_sail, contract in product(((), ("gambler",)), ((), ("set_sail_20",)), ((), CARDS, CONTRACTS))
]
CONFIGURATIONS: dict[str, list[dict[str, Any]]] = {
    "base": [{"players": players} for players in range(2, 6)],
    "set_sail": [{"players": players, "deck": "set_sail"} for players in range(2, 5)],
    "sets": [{"players": 2 + place % 4, "add": add} for place, add in enumerate(ADDITIONS) if add],
    "contracts": [{"players": players, "add": CONTRACTS} for players in range(2, 6)],
    "cooperative": [
        {"players": players, "add": CONTRACTS, "mode": "cooperative", "score_start": players % 3}
        for players in range(1, 6)
    ],
    "cooperative_sets": [
        {"players": 1 + place, "add": (*add, *CONTRACTS), "mode": "cooperative"}
        for place, add in enumerate((("gambler",), ("set_sail_20",), ("gambler", "set_sail_20")))
    ],
    "adventure": [
        *({"players": 2 + chapter % 3, "deck": "adventure", "chapter": chapter} for chapter in range(1, 6)),
        *(
            {"players": 1 + chapter % 4, "deck": "adventure", "chapter": chapter, "mode": "cooperative"}
            for chapter in range(1, 6)
        ),
        *({"players": players, "deck": "adventure", "mode": "post_adventure"} for players in (2, 3, 4)),
        {"players": 3, "deck": "adventure", "chapter": 5, "character_choice": "draft", "month_end_ends_turn": True},
    ],
    "options": [
        {"players": 4, "alternative_end": True},
        {"players": 3, "alternative_end": True, "add": CONTRACTS},
        {"players": 2, "must_repel_duplicate": True},
        {"players": 4, "add": CARDS, "vice_admiral_passive": 2},
        {"players": 3, "max_turns": 20},
        {"players": 3, "max_decisions": 50},
    ],
}


def check_epochs(batch: Batch) -> None:
    """The model of unseen cards was never approximate."""
    check(batch.games["merged"].max() == 0, "two epochs had to be merged")


# -- figures of random play --------------------------------------------------------------------------------------------


class Figures(NamedTuple):
    """Averages per game, as found by the other implementation in 300 games each."""

    options: dict[str, Any]
    turns: float
    decisions: float
    busts: float
    contracts: float = 0


KNOWN = (
    Figures({"players": 2}, 59.3, 199, 2.6),
    Figures({"players": 3}, 65.6, 242, 3.1),
    Figures({"players": 4}, 73.3, 287, 3.7),
    Figures({"players": 5}, 77.9, 315, 4.2),
    Figures({"players": 3, "deck": "set_sail"}, 38.7, 138, 1.7),
    Figures({"players": 3, "add": CONTRACTS}, 64.9, 239, 3.2, 2.0),
    Figures({"players": 1, "add": CONTRACTS, "mode": "cooperative"}, 16.6, 45, 0.8, 0.14),
    Figures({"players": 3, "add": CONTRACTS, "mode": "cooperative"}, 21.2, 74, 1.0, 0.40),
    Figures({"players": 3, "deck": "adventure"}, 58.7, 239, 3.2),
)
# Of the known figures, from 300 games: 1 % (turns, decisions), 3-6 % (busts), 4-15 % (contracts). Three times that, and
# half a unit of the last digit printed.
TOLERANCE = {"turns": 0.03, "decisions": 0.035, "busts": 0.18, "contracts": 0.45}


def measure(options: dict[str, Any], games: int, seed: int = 0) -> Figures:
    """Play uniformly at random and count."""
    game = PortRoyal(**options)
    batch = Batch(game, games, seed=seed, autoreset=False, observations=False)
    decisions = np.zeros(games, np.int64)
    stops = np.zeros(games, np.int64)
    while not batch.is_over().all():
        going_on = ~batch.is_over()
        actions = batch.sample_actions()
        decisions += going_on
        stops += going_on & (actions == STOP)
        batch.step(actions)
    turns = batch.final["turns"]
    completed = (batch.games["cube"] >= FIRST_COIN_SPACE).sum() if "contracts" in game.add else 0
    # Without gamblers a turn ends by a bust unless its player stops; one in which a team wins does neither.
    busts = turns - stops - (batch.final["won"] if game.shape.cooperative else 0)
    return Figures(options, turns.mean(), decisions.mean(), busts.mean(), completed / games)


def differences(known: Figures, found: Figures) -> list[str]:
    """Statistics that differ more than chance explains, in words."""
    return [
        f"{name} of {known.options}: {getattr(found, name):.2f}, known {getattr(known, name)}"
        for name, share in TOLERANCE.items()
        if abs(getattr(found, name) - getattr(known, name)) > share * getattr(known, name) + 0.005
    ]


def print_figures(games: int = 2000) -> None:
    """A table of all statistics, with those that are too far apart."""
    told = ", ".join(f"{name} {share:.1%}" for name, share in TOLERANCE.items())
    print(f"Random play, {games} games each; in brackets another implementation, 300 games each (tolerance: {told})")
    for known in KNOWN:
        found = measure(known.options, games)
        cells = [f"{name} {getattr(found, name):.2f} ({getattr(known, name)})" for name in TOLERANCE]
        print(f"  {known.options}: {', '.join(cells)}")
        for sentence in differences(known, found):
            print(f"    too far apart: {sentence}")


if __name__ == "__main__":
    if "--figures" not in sys.argv:
        run(PortRoyal, CONFIGURATIONS, games=50_000, also=check_epochs)
    print_figures()
