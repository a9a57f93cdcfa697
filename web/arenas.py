"""Finished tournaments as tables to browse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.arena.tournament import Tournament
from pr_env.replay import Replay, ReplayError

GAMES_AT_ONCE = 100
MOST_ARENAS = 32


class Arena:
    """Results of the arena, with the replays of the games if available.

    Args:
        name: Name of the tournament.
        results: Contents of a results file.
        replays: Contents of a replay file; empty if there is none.

    Raises:
        ValueError: If the contents are invalid or do not belong together.
    """

    def __init__(self, name: str, results: str, replays: str = "") -> None:
        self.name = name
        self.tournament = Tournament.from_json(results)
        self._lines = [line for line in replays.splitlines() if line.strip()]
        games = sum(len(match) for match in self.tournament.matches)
        if self._lines and len(self._lines) != games:
            raise ValueError(f"replays must be those of the {games} games in the results, got {len(self._lines)}")

    def summary(self, number: int) -> dict[str, Any]:
        """All matches with the win rates of their agents."""
        tournament = self.tournament
        return {
            "number": number,
            "name": self.name,
            "game": tournament.game.name,
            "options": tournament.game.recorded_options(),
            "mode": tournament.configuration.get("mode"),
            "seed": tournament.configuration.get("seed"),
            "unit": tournament.game.length_unit,
            "together": not tournament.game.constant_sum,
            "ratings": {name: list(rating) for name, rating in tournament.ratings.items()},
            "replays": bool(self._lines),
            "matches": [
                {
                    "agents": match.agents,
                    "games": len(match),
                    "length": match.mean_length(),
                    "rows": [
                        {
                            "agent": row["agent"],
                            "copies": row["copies"],
                            "win": row["win_share"],
                            "low": row["win_share_low"],
                            "high": row["win_share_high"],
                            "points": row["points"],
                            "rank": row.get("rank"),
                            "faults": row["faults"],
                        }
                        for row in match.summary()
                    ],
                }
                for match in tournament.matches
            ],
        }

    def games(self, match: int, start: int) -> list[dict[str, Any]]:
        """A slice of the games of a match, in order.

        Raises:
            ValueError: If there is no such match.
        """
        found = self._match(match)
        rows = []
        for game in range(start, min(start + GAMES_AT_ONCE, len(found))):
            rows.append(
                {
                    "game": game,
                    "seed": int(found.seeds[game]),
                    "seats": [found.agents[number] for number in found.seating[game]],
                    "wins": found.win_shares[game].tolist(),
                    "points": found.points[game].sum(axis=1).tolist(),
                    "length": int(found.lengths[game]),
                    "fault": found.faults[game].message if game in found.faults else "",
                }
            )
        return rows

    def replay(self, match: int, game: int) -> Replay:
        """The replay of one game.

        Raises:
            ValueError: If there is no such game, or the tournament has no replays.
        """
        found = self._match(match)
        if not self._lines:
            raise ValueError("this tournament has no replays: run it with --replays FILE, and open both files")
        if not 0 <= game < len(found):
            raise ValueError(f"game must be from 0 to {len(found) - 1}, got {game}")
        before = sum(len(one) for one in self.tournament.matches[:match])
        replay = Replay.from_json(self._lines[before + game], **self.tournament.game.local())
        if replay.game != self.tournament.game or replay.seed != int(found.seeds[game]):
            raise ReplayError("the replays do not belong to these results")
        return replay

    def _match(self, match: int) -> Any:
        matches: Sequence[Any] = self.tournament.matches
        if not 0 <= match < len(matches):
            raise ValueError(f"match must be from 0 to {len(matches) - 1}, got {match}")
        return matches[match]
