"""Golden games: recorded games that must not change unintentionally.

``make golden`` records them again. Each line of the file is one game: its configuration, a description in words, and a
short hash of the bytes of all positions and observations so far after every move, so that a difference can be located.
``python -m tests.puerto_rico.golden --compare`` plays all of them, or those with the given indices, and names the first
move that differs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.state import END_REASONS
from tests.golden_games import first_difference, meaning_of

FILE = Path(__file__).with_name("golden_games.json")
GAMES: list[tuple[dict[str, Any], int]] = [({"players": players}, seed) for players in (2, 3, 4, 5) for seed in (1, 2)]
GAMES += [({"players": players, "buildings": "draft"}, players) for players in (2, 3, 4, 5, 6)]
GAMES += [
    ({"players": 3, "buildings": "random", "balanced": True}, 1),
    ({"players": 6}, 1),
    ({"players": 6, "six_players": "governor"}, 1),
    ({"players": 5, "double_cards": True}, 1),
    ({"players": 3, "buildings": "random"}, 249),  # a guest moves before the points are counted
]


def record_game(options: dict[str, Any], seed: int) -> dict[str, Any]:
    """Play one random game and describe it."""
    game = PuertoRico(**options)
    batch = Batch(game, 1, seed=seed, autoreset=False, threads=1)
    digest = hashlib.sha256()
    actions: list[int] = []
    moves: list[str] = []
    while not batch.is_over()[0]:
        chosen = batch.sample_actions()
        actions.append(int(chosen[0]))
        batch.step(chosen)
        digest.update(meaning_of(batch.games).tobytes())
        digest.update(batch.observation.tobytes())
        moves.append(digest.hexdigest()[:4])
    final = batch.final[0]
    return {
        "options": options,
        "seed": seed,
        "rounds": int(final["rounds"]),
        "ending": [reason for bit, reason in enumerate(END_REASONS) if final["ending"] >> bit & 1],
        "points": final["points"][: game.players].tolist(),
        "win_share": [round(float(share), 4) for share in final["win_share"][: game.players]],
        "actions": actions,
        "moves": " ".join(moves),
        "positions": digest.hexdigest(),
        "last_record": meaning_of(batch.games).tobytes().hex(),
    }


def compare(places: Sequence[int]) -> list[str]:
    """Play these games and return the differences."""
    recorded = json.loads(FILE.read_text())
    found = [
        first_difference(PuertoRico(**GAMES[place][0]), recorded[place], record_game(*GAMES[place])) for place in places
    ]
    return [sentence for sentence in found if sentence]


def main() -> None:
    """Record the file, or compare with it."""
    if "--compare" in sys.argv:
        places = [int(place) for place in sys.argv[sys.argv.index("--compare") + 1 :]] or range(len(GAMES))
        differences = compare(places)
        print("\n".join(differences) or f"{len(places)} games: no difference")
        sys.exit(bool(differences))
    lines = ",\n".join(json.dumps(record_game(options, seed)) for options, seed in GAMES)
    FILE.write_text(f"[\n{lines}\n]\n")
    print(f"wrote {len(GAMES)} games to {FILE.name}")


if __name__ == "__main__":
    main()
