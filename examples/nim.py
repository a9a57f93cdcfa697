"""A complete game in one file: Nim, and how to use it with several interfaces. Requires only pr-env.

Counters lie in a heap. Players take turns to take one, two or three of them; the player who takes the last one wins.
The rest of this file is the structure that every game must have (`pr_env.game.Game`): a record, rules on one record,
and a class with the tables. `pr-env play --game examples.nim:Nim` plays it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pr_env import Action, Batch, Field, Game
from pr_env.aec import GameAEC
from pr_env.checks import check_whole
from pr_env.compiling import compiled
from pr_env.randomness import next_state, random_below, start_generator
from pr_env.rules import Record, Rules, final_record, game_record

# --8<-- [start:game]
FEWEST, MOST = 15, 25  # counters at the start
MAX_PLAYERS = 4
ACTIONS = tuple(Action(number, ("take", number + 1), f"Take {number + 1}.") for number in range(3))

RECORD = game_record(
    "nim",
    [
        ("seed", np.uint64),  # seed of the set-up
        ("rng", np.uint64),  # state of the random generator
        ("players", np.int64),  # the configuration
        ("player", np.int64),  # seat to move; after the end, the seat that took the last counter
        ("heap", np.int64),  # counters left
        ("turns", np.int64),
        ("legal", np.uint8, (len(ACTIONS),)),
    ],
)


@compiled
def set_up(game: Record, seed: np.uint64) -> None:
    """Start with a heap of random size."""
    game.seed = seed
    game.rng = next_state(start_generator(seed))
    game.heap = FEWEST + random_below(game.rng, MOST - FEWEST + 1)
    game.player = 0
    game.turns = 0
    list_legal(game)


@compiled
def list_legal(game: Record) -> int:
    """List the legal actions: nobody can take more than there is. Returns their number."""
    for action in range(game.legal.shape[0]):
        game.legal[action] = action < game.heap
    return min(game.legal.shape[0], game.heap)


@compiled
def take(game: Record, counters: int) -> None:
    """Play one turn."""
    game.heap -= counters
    game.turns += 1
    if game.heap > 0:
        game.player = (game.player + 1) % game.players


@compiled
def step(game: Record, action: int) -> None:
    """Play a turn, and also the last turn if one counter is left: forced moves are played automatically."""
    take(game, action + 1)
    refresh(game)


@compiled
def refresh(game: Record) -> None:
    """List the legal actions, after playing a forced move."""
    if list_legal(game) == 1:
        take(game, 1)
        list_legal(game)


@compiled
def is_over(game: Record) -> bool:
    """Whether the heap is empty."""
    return game.heap == 0


@compiled
def observe(game: Record, tables: Record, viewer: int, scratch: np.ndarray, out: np.ndarray) -> None:
    """All players see the same: the heap."""
    out[0] = game.heap / MOST


@compiled
def write_final(game: Record, final: Record) -> None:
    """One point for the last counter. Before the end nobody has it, and all players are tied."""
    final.seed = game.seed
    final.turns = game.turns
    final.ending = is_over(game)
    for seat in range(MAX_PLAYERS):
        seated, won = seat < game.players, is_over(game) and seat == game.player
        final.points[seat, 0] = won
        final.total[seat] = won
        final.rank[seat] = (1 if won or not is_over(game) else 2) if seated else 0
        final.win_share[seat] = won if is_over(game) else seated / game.players


@compiled
def points(game: Record, seat: int) -> int:
    """The point for the last counter."""
    return 1 if is_over(game) and game.player == seat else 0


RULES = Rules(
    "nim",
    set_up=set_up,
    step=step,
    refresh=refresh,
    is_over=is_over,
    observe=observe,
    write_final=write_final,
    points=points,
)


@dataclass(frozen=True)
class Nim(Game):
    """Nim in one configuration.

    Attributes:
        players: 2 to 4.
    """

    players: int = 2

    name: ClassVar[str] = "nim"
    layout: ClassVar[int] = 1
    rules: ClassVar[Rules] = RULES
    length_unit: ClassVar[str] = "turns"
    render_modes: ClassVar[tuple[str, ...]] = ("ansi",)
    record = RECORD
    final = final_record(MAX_PLAYERS, 1, "turns")
    point_sources = ("last_counter",)
    end_reasons = ("heap",)
    actions = ACTIONS
    fields = (Field("heap", 0, (), 1 / MOST, "counters left"),)
    observation_size = 1

    def __post_init__(self) -> None:
        """Refuse invalid options."""
        check_whole("players", self.players, 2, MAX_PLAYERS)

    @property
    def blank(self) -> np.ndarray:
        """The configuration as a record."""
        blank = np.zeros(1, RECORD)
        blank["players"] = self.players
        return blank

    def fits(self, games: np.ndarray) -> bool:
        """Whether the records are for this number of players."""
        return bool((games["players"] == self.players).all())

    def problems(self, games: np.ndarray) -> list[str]:
        """Describe what is impossible in these records."""
        found = []
        if not self.fits(games):
            found.append(f"these games are not for {self.players} players")
        if ((games["heap"] < 0) | (games["heap"] > MOST)).any():
            found.append(f"a heap has 0 to {MOST} counters")
        if ((games["player"] < 0) | (games["player"] >= self.players)).any():
            found.append(f"seats are 0 to {self.players - 1}")
        if ((games["turns"] < 0) | (games["turns"] > MOST)).any():
            found.append(f"a game has 0 to {MOST} turns")
        return found

    def render(self, record: Any, mode: str) -> str:
        """The heap as text."""
        return f"{'o' * int(record['heap'])} player {record['player']}"


# --8<-- [end:game]
# --8<-- [start:main]
def main() -> None:
    """Play many games, and one with PettingZoo."""
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
