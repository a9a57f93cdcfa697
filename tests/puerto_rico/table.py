"""One game at a table, for tests that read like a rulebook's example."""

from __future__ import annotations

from typing import Any

from pr_env import Batch, PuertoRico

Name = tuple[str | int, ...]


class Table:
    """A described position that is played on by naming actions."""

    def __init__(self, players: int, position: dict[str, Any], *, max_rounds: int = 100, reward: str = "win_share"):
        self.game = PuertoRico(players=players, max_rounds=max_rounds)
        self.batch = Batch.from_dicts(self.game, [position], autoreset=False, reward=reward, threads=1)

    def play(self, *name: str | int) -> Table:
        """Play one action of the acting player."""
        self.batch.step([self.game.action_number(*name)])
        return self

    @property
    def legal(self) -> set[Name]:
        """Names of the legal actions."""
        return {action.name for action in self.batch.legal_actions(0)}

    @property
    def now(self) -> dict[str, Any]:
        """The whole position."""
        return self.batch.to_dict(0)

    @property
    def phase(self) -> str:
        return str(self.now["phase"])

    @property
    def player(self) -> int:
        return int(self.now["player"])

    def board(self, player: int) -> dict[str, Any]:
        board: dict[str, Any] = self.now["boards"][player]
        return board

    def doubloons(self, player: int) -> int:
        return int(self.board(player)["doubloons"])

    def chips(self, player: int) -> int:
        return int(self.board(player)["chips"])

    def goods(self, player: int) -> dict[str, int]:
        """The barrels that a player has, without the kinds that they do not have."""
        return {good: count for good, count in self.board(player)["goods"].items() if count}


def new_game(players: int, seed: int = 0) -> Table:
    """A game before its first decision."""
    table = Table(players, {})
    table.batch.reset(seed)
    return table


def tiles(**counts: int) -> dict[str, dict[str, int]]:
    """Island tiles, all manned: ``tiles(corn=2)``."""
    return {name: {"tiles": count, "colonists": count} for name, count in counts.items()}
