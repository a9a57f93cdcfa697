"""A game of your own in one file: Nim, and what every interface makes of it. Needs pr-env only.

Counters lie in a heap. Who is to move takes one, two or three of them; who takes the last one wins. That is all of the
game, so what is left of this file is the shape that a game must have (`pr_env.game.Game`). Arrays of NumPy are enough;
Puerto Rico compiles loops over records instead, because its rules have many cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pr_env import Action, Batch, Buffers, Field, Game, PositionError
from pr_env.aec import GameAEC
from pr_env.game import ACTING
from pr_env.sampling import sample_actions, start_generators

# --8<-- [start:game]
FEWEST, MOST = 15, 25  # counters at the start
MAX_PLAYERS = 4
ACTIONS = tuple(Action(number, ("take", number + 1), f"take {number + 1}") for number in range(3))


@dataclass(frozen=True)
class Nim(Game):
    """Nim in one configuration.

    Attributes:
        players: 2 to 4.
    """

    players: int = 2

    name: ClassVar[str] = "nim"
    layout: ClassVar[int] = 1
    record = np.dtype(
        [
            ("seed", np.uint64),  # what the game was set up with
            ("heap", np.int64),  # counters left
            ("player", np.int64),  # seat to move; in a game that is over, the seat that took the last counter
            ("turns", np.int64),
            ("legal", np.uint8, (len(ACTIONS),)),
        ]
    )
    final = np.dtype(
        [
            ("seed", np.uint64),
            ("rounds", np.int64),
            ("ending", np.uint8),  # bits: places in end_reasons
            ("points", np.int64, (MAX_PLAYERS, 1)),  # by point_sources
            ("total", np.int64, (MAX_PLAYERS,)),
            ("rank", np.int64, (MAX_PLAYERS,)),  # from 1
            ("win_share", np.float32, (MAX_PLAYERS,)),
        ]
    )
    point_sources = ("last_counter",)
    end_reasons: ClassVar[tuple[str, ...]] = ("heap",)
    actions = ACTIONS
    fields = (Field("heap", 0, (), 1 / MOST, "counters left"),)
    observation_size = 1
    reward_schemes: ClassVar[tuple[str, ...]] = ("win_share",)
    render_modes: ClassVar[tuple[str, ...]] = ("ansi",)

    def __post_init__(self) -> None:
        """Refuse what the rules do not know."""
        if self.players not in range(2, MAX_PLAYERS + 1):
            raise ValueError(f"Nim is for 2 to {MAX_PLAYERS} players, not {self.players!r}")

    def options(self) -> dict[str, Any]:
        """The configuration."""
        return {"players": self.players}

    # -- the rules: set up, play, look, score ---------------------------------------------------------------------

    def reset(self, games: np.ndarray, seeds: np.ndarray) -> None:
        """A heap that depends on the seed alone."""
        chance = np.zeros(len(seeds), np.uint64)
        start_generators(seeds, chance)
        games["seed"] = seeds
        games["heap"] = FEWEST + (chance >> np.uint64(32)) % np.uint64(MOST - FEWEST + 1)
        games["player"] = 0
        games["turns"] = 0
        self.refresh(games)

    def refresh(self, games: np.ndarray) -> None:
        """What is legal follows from the heap."""
        games["legal"] = games["heap"][:, None] > np.arange(len(ACTIONS))

    def step(
        self,
        games: np.ndarray,
        actions: np.ndarray,
        where: np.ndarray,
        reward: str,
        autoreset: bool,
        threads: int,
        out: Buffers,
    ) -> int:
        """Take counters. Every action is checked before any game changes."""
        playing = where & ~self.is_over(games)
        exists = (actions >= 0) & (actions < len(ACTIONS))
        number = np.where(exists, actions, 0)
        illegal = np.flatnonzero(playing & ~(exists & (games["legal"][np.arange(len(games)), number] == 1)))
        if len(illegal):
            return int(illegal[0])
        games["heap"] -= playing * (number + 1)
        games["turns"] += playing
        self.refresh(games)
        ended = playing & self.is_over(games)
        games["player"] = np.where(playing & ~ended, (games["player"] + 1) % self.players, games["player"])
        out.terminated[:] = ended
        out.truncated[:] = False
        self._pay(games, ended, out)
        if autoreset and ended.any():
            self._start_anew(games, ended)
        self.look(games, out)
        return -1

    def _pay(self, games: np.ndarray, ended: np.ndarray, out: Buffers) -> None:
        out.reward[:] = 0
        if ended.any():
            finals = np.zeros(int(ended.sum()), self.final)
            self.score(games[ended], finals)
            out.final[ended] = finals
            out.reward[ended] = finals["win_share"][:, : self.players]

    def _start_anew(self, games: np.ndarray, ended: np.ndarray) -> None:
        seeds = np.zeros(int(ended.sum()), np.uint64)
        start_generators(games["seed"][ended], seeds)  # the next seed comes out of the last one
        fresh = games[ended]
        self.reset(fresh, seeds)
        games[ended] = fresh

    def bind_step(
        self, games: np.ndarray, actions: np.ndarray, where: np.ndarray, reward: str, autoreset: bool, out: Buffers
    ) -> Callable[[], int]:
        """`step` with these arguments."""
        return lambda: self.step(games, actions, where, reward, autoreset, 1, out)

    def play_others(
        self,
        games: np.ndarray,
        seats: np.ndarray,
        generators: np.ndarray,
        look_at_all: bool,
        reward: str,
        threads: int,
        out: Buffers,
    ) -> None:
        """Play by chance until the seats are to move; what is paid on the way adds up."""
        paid, ended = np.zeros_like(out.reward), np.zeros_like(out.terminated)
        actions = np.zeros(len(games), np.int64)
        while True:
            where = (games["player"] != seats) & ~self.is_over(games)
            self.look(games, out)
            sample_actions(out.mask, generators, actions)
            self.step(games, actions, where, reward, False, 1, out)
            paid += out.reward
            ended |= out.terminated
            if not where.any():
                break
        out.reward[:], out.terminated[:] = paid, ended

    def look(self, games: np.ndarray, out: Buffers, viewer: int = ACTING) -> None:
        """All see the same: the heap."""
        out.player[:] = games["player"]
        out.mask[:] = (games["legal"] == 1) | self.is_over(games)[:, None]
        if out.observation.shape[1]:
            out.observation[:, 0] = games["heap"] / MOST

    def score(self, games: np.ndarray, finals: np.ndarray) -> None:
        """One point for the last counter. Before the end nobody has it and all are level."""
        over = self.is_over(games)
        won = over[:, None] & (games["player"][:, None] == np.arange(MAX_PLAYERS))
        seated = np.arange(MAX_PLAYERS) < self.players
        finals["seed"] = games["seed"]
        finals["rounds"] = -(-games["turns"] // self.players)
        finals["ending"] = over
        finals["points"][:, :, 0] = finals["total"] = won
        finals["rank"] = np.where(won | ~over[:, None], 1, 2) * seated
        finals["win_share"] = np.where(over[:, None], won, seated / self.players)

    def is_over(self, games: np.ndarray) -> np.ndarray:
        """Whether the heap is empty."""
        return np.asarray(games["heap"] == 0)

    # -- for people -------------------------------------------------------------------------------------------------

    def describe_decision(self, record: Any) -> str:
        """Who is asked what."""
        return f"player {record['player']} with {record['heap']} counters left"

    def render(self, record: Any, mode: str) -> str:
        """The heap as text."""
        return f"{'o' * int(record['heap'])} player {record['player']}"

    def to_dict(self, record: Any) -> dict[str, Any]:
        """A game as plain Python."""
        return {name: int(record[name]) for name in ("seed", "heap", "player", "turns")}

    def from_dict(self, position: Mapping[str, Any]) -> np.ndarray:
        """A described game; whatever is left out is 0."""
        games = np.zeros(1, self.record)
        for name, value in position.items():
            if name not in ("seed", "heap", "player", "turns") or not isinstance(value, int) or value < 0:
                raise PositionError(f"{name} {value!r} is no part of a game of Nim")
            games[name] = value
        problems = self.problems(games)
        if problems:
            raise PositionError("; ".join(problems))
        self.refresh(games)
        return games

    def problems(self, games: np.ndarray) -> list[str]:
        """What is impossible in these records."""
        found = []
        if ((games["heap"] < 0) | (games["heap"] > MOST)).any():
            found.append(f"a heap has 0 to {MOST} counters")
        if ((games["player"] < 0) | (games["player"] >= self.players)).any():
            found.append(f"seats are 0 to {self.players - 1}")
        return found


# --8<-- [end:game]
# --8<-- [start:main]
def main() -> None:
    """Play many games, and one for PettingZoo."""
    batch = Batch(Nim(players=3), 1000, seed=0)
    wins = np.zeros(3)
    for _ in range(100):
        wins += batch.step(batch.sample_actions()).reward.sum(axis=0)
    print(f"return of each seat in {wins.sum():.0f} random games: {(wins / wins.sum()).round(2).tolist()}")

    env = GameAEC(Nim())
    env.reset(seed=1)
    while env.agents:
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            print(f"{env.agent_selection}: {reward:g}")
            env.step(None)
        else:
            env.step(int(observation["action_mask"].argmax()))


# --8<-- [end:main]
if __name__ == "__main__":
    main()
