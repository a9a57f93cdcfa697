"""Golden games: recorded games that must not change unintentionally.

``make golden`` records them again. Each line of the file is one game: its configuration, a description in words, and a
short hash of the bytes of position and observation after every move, so that a difference can be located.
``python -m tests.port_royal.golden --compare`` plays all of them and names the first move that differs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pr_env import Batch, PortRoyal
from tests import golden_games
from tests.golden_games import meaning_of

FILE = Path(__file__).with_name("golden_games.json")
CONTRACTS = ["contract_cards", "contracts"]
EVERYTHING = ["gambler", "set_sail_20", *CONTRACTS]
GAMES: list[tuple[dict[str, Any], int]] = [
    *(({"players": players}, 1) for players in (2, 3, 4, 5)),
    ({"players": 3, "alternative_end": True, "must_repel_duplicate": True}, 3),
    ({"players": 3, "max_decisions": 40}, 1),
    *(({"players": players, "deck": "set_sail"}, players) for players in (2, 3, 4)),
    ({"players": 4, "add": ["gambler"]}, 1),
    ({"players": 2, "add": ["set_sail_20"]}, 1),
    ({"players": 3, "add": ["contract_cards"], "vice_admiral_passive": 2}, 1),
    *(({"players": players, "add": CONTRACTS}, 1) for players in (2, 5)),
    *(({"players": players, "add": EVERYTHING}, players) for players in (3, 4)),
    *(({"players": players, "add": CONTRACTS, "mode": "cooperative"}, 1) for players in (1, 3)),
    ({"players": 1, "add": EVERYTHING, "mode": "cooperative", "score_start": 3}, 2),
    *(({"players": players, "add": EVERYTHING, "mode": "cooperative"}, players) for players in (2, 5)),
    ({"players": 3, "deck": "adventure", "chapter": 5}, 1),
    ({"players": 2, "deck": "adventure", "chapter": 3, "mode": "cooperative", "character_choice": "draft"}, 2),
    ({"players": 1, "deck": "adventure", "chapter": 4, "mode": "cooperative", "bonus_coins": [3]}, 3),
    ({"players": 4, "deck": "adventure", "mode": "post_adventure"}, 4),
]
# Every record type has to be compiled, so the tests compare only these compiled, and all of them uncompiled.
COMPILED = [
    place
    for place, (options, _) in enumerate(GAMES)
    if "add" not in options or (options["add"] == EVERYTHING and options.get("mode") == "cooperative")
    if options.get("deck") not in ("set_sail", "adventure")
]


def record_game(options: dict[str, Any], seed: int) -> dict[str, Any]:
    """Play one random game and describe it."""
    game = PortRoyal(**options)
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
    described = {
        "options": options,
        "seed": seed,
        "turns": int(final["turns"]),
        "ending": [reason for bit, reason in enumerate(game.end_reasons) if final["ending"] >> bit & 1],
        "points": final["points"][: game.players].tolist(),
        "coins": final["coins"][: game.players].tolist(),
        "win_share": [round(float(share), 4) for share in final["win_share"][: game.players]],
        "actions": actions,
        "moves": " ".join(moves),
        "positions": digest.hexdigest(),
        "last_record": meaning_of(batch.games).tobytes().hex(),
    }
    if game.shape.cooperative:
        described |= {"won": int(final["won"]), "title": int(final["title"])}
    return described


def first_difference(recorded: dict[str, Any], played: dict[str, Any]) -> str:
    """The first difference of a game to its recording, in words; empty if there is none."""
    return golden_games.first_difference(PortRoyal(**recorded["options"]), recorded, played)


def compare(places: Sequence[int]) -> list[str]:
    """Play these games and return the differences."""
    recorded = json.loads(FILE.read_text())
    found = [first_difference(recorded[place], record_game(*GAMES[place])) for place in places]
    return [sentence for sentence in found if sentence]


def main() -> None:
    """Record the file, or compare with it."""
    if "--compare" in sys.argv:
        differences = compare(range(len(GAMES)))
        print("\n".join(differences) or f"{len(GAMES)} games: no difference")
        sys.exit(bool(differences))
    lines = ",\n".join(json.dumps(record_game(options, seed)) for options, seed in GAMES)
    FILE.write_text(f"[\n{lines}\n]\n")
    print(f"wrote {len(GAMES)} games to {FILE.name}")


if __name__ == "__main__":
    main()
