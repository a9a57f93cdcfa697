"""A game for tests that read like examples of a rulebook."""

from __future__ import annotations

from typing import Any

from pr_env import Batch, PuertoRico
from pr_env.puerto_rico.kinds import VIOLET_COST
from pr_env.puerto_rico.tables import BUILDINGS, FIRST_VIOLET, LARGE_CHURCH, VIOLET_SPACES

Name = tuple[str | int, ...]


class Table:
    """A described position, played by naming actions."""

    def __init__(
        self,
        players: int,
        position: dict[str, Any] | None,
        *,
        seed: int = 0,
        reward: str = "win_share",
        **options: Any,
    ):
        """Without a position: a new game with the seed, before its first decision."""
        self.game = PuertoRico(players=players, **options)
        self.batch = Batch(self.game, 1, seed=seed, autoreset=False, reward=reward, threads=1)
        if position is not None:
            self.batch.set_games(self.game.from_dict(position))

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
        """The barrels of a player, without missing kinds."""
        return {good: count for good, count in self.board(player)["goods"].items() if count}


def kinds_with(*wanted: str) -> list[str]:
    """A list of 17 violet kinds that includes the given ones and fits on the board, preferring the base game's."""
    chosen = list(wanted)
    for building in BUILDINGS[FIRST_VIOLET:LARGE_CHURCH]:
        same_cost = [kind for kind in chosen if VIOLET_COST[kind] == building.cost]
        if building.name not in chosen and len(same_cost) < VIOLET_SPACES[building.cost]:
            chosen.append(building.name)
    return chosen


def new_game(players: int, seed: int = 0, **options: Any) -> Table:
    """A game before its first decision."""
    return Table(players, None, seed=seed, **options)


def tiles(**counts: int) -> dict[str, dict[str, int]]:
    """Island tiles, all manned: ``tiles(corn=2)``."""
    return {name: {"tiles": count, "colonists": count} for name, count in counts.items()}
