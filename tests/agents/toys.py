"""Small games and players for the tests of the arena."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from agents import Agent
from pr_env import Game
from pr_env.compiling import compiled
from pr_env.rules import Record, Rules, game_record

nim: Any = import_module("examples.nim")
Nim: Any = nim.Nim
SevenDice: Any = import_module("examples.seven_dice").SevenDice
InOrder: Any = import_module("examples.in_order").InOrder
is_over = nim.is_over
PLAYERS = nim.MAX_PLAYERS


@compiled
def write_team_final(game: Record, final: Record) -> None:
    """The team that took the last counter wins; the ranks do not show it."""
    final.seed = game.seed
    final.turns = game.turns
    final.ending = is_over(game)
    for seat in range(PLAYERS):
        won = is_over(game) and seat % 2 == game.player % 2
        final.points[seat, 0] = is_over(game) and seat == game.player
        final.total[seat] = final.points[seat, 0]
        final.rank[seat] = 1
        final.win_share[seat] = won


RECORD = game_record("team_nim", [field for field in nim.RECORD.descr if field[0] != "is_nim"])
RULES = Rules(
    "team_nim",
    set_up=nim.set_up,
    step=nim.step,
    refresh=nim.refresh,
    is_over=nim.is_over,
    observe=nim.observe,
    write_final=write_team_final,
    points=nim.points,
)


@dataclass(frozen=True)
class TeamNim(Nim):  # type: ignore[misc]
    """Nim for two teams of two, seated crosswise."""

    players: int = PLAYERS

    name: ClassVar[str] = "team_nim"
    rules: ClassVar[Rules] = RULES
    record = RECORD

    @property
    def teams(self) -> tuple[int, ...]:
        """Partners sit opposite each other."""
        return (7, 3, 7, 3)

    @property
    def blank(self) -> np.ndarray:
        """The configuration as a record."""
        blank = np.zeros(1, RECORD)
        blank["players"] = self.players
        return blank


class Leaving(Agent):
    """Leaves a multiple of four if possible, else takes one: the winning strategy for two players or teams."""

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        heap = self.game.read_observation(observations)["heap"]
        return np.where(heap % 4 == 0, 0, heap % 4 - 1)


class Room(Agent):
    """Keeps dice while there is space for them."""

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        seen = self.game.read_observation(observations)
        return np.where(seen["pips"] + seen["die"] <= 17, 0, 1)


class LowFirst(Agent):
    """Plays cards that are low for the remaining waits."""

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        seen = self.game.read_observation(observations)
        passed = 1 - seen["waits"] / (4 * self.game.players)
        return np.where(seen["card"][:, 0] <= 1 + 20 * passed, 0, 1)


class Crashing(Agent):
    """Plays its first legal action, and crashes in games with even seeds."""

    needs_games: ClassVar[bool] = True

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        assert games is not None
        if (games["seed"] % 2 == 0).any():
            raise RuntimeError("out of ideas")
        return np.asarray(masks.argmax(axis=1))


GAMES: list[Game] = [Nim(players=3), SevenDice(), InOrder(players=3), TeamNim()]
