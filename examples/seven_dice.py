"""A solo game: seven dice are rolled one after the other, each is kept or thrown away, and 15 to 17 pips win.

A minimal game that is won or lost alone. The winner earns a title: the more pips, the better. The game has no pictures:
the defaults of `pr_env.game.Game` describe it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pr_env import Action, Batch, Field, Game
from pr_env.compiling import compiled
from pr_env.randomness import next_state, random_below, start_generator
from pr_env.rules import NO_TITLE, Record, Rules, final_record, game_record

DICE, FEWEST, MOST = 7, 15, 17
TITLES = ("lucky_hand", "steady_hand", "master_of_the_dice")  # for 15, 16 and 17 pips
KEEP, THROW_AWAY = range(2)
ACTIONS = (Action(KEEP, ("keep",), "Keep the die."), Action(THROW_AWAY, ("throw_away",), "Throw the die away."))

RECORD = game_record(
    "seven_dice",
    [
        ("seed", np.uint64),
        ("rng", np.uint64),
        ("player", np.int64),  # always 0
        ("pips", np.int64),  # on the dice that were kept
        ("die", np.int64),  # the die on the table; 0 when the game is over
        ("dice", np.int64),  # number of dice decided so far
        ("legal", np.uint8, (len(ACTIONS),)),
    ],
)


@compiled
def set_up(game: Record, seed: np.uint64) -> None:
    """Roll the first die."""
    game.seed = seed
    game.rng = start_generator(seed)
    game.player = 0
    game.pips = 0
    game.dice = 0
    roll(game)
    refresh(game)


@compiled
def roll(game: Record) -> None:
    """Roll the next die."""
    game.rng = next_state(game.rng)
    game.die = 1 + random_below(game.rng, 6)


@compiled
def step(game: Record, action: int) -> None:
    """Keep the die or throw it away, and roll the next one."""
    if action == KEEP:
        game.pips += game.die
    game.dice += 1
    if game.dice < DICE:
        roll(game)
    else:
        game.die = 0
    refresh(game)


@compiled
def refresh(game: Record) -> None:
    """Both actions are legal as long as there is a die."""
    for action in range(game.legal.shape[0]):
        game.legal[action] = not is_over(game)


@compiled
def is_over(game: Record) -> bool:
    """Whether the last die has been decided."""
    return game.dice == DICE


@compiled
def observe(game: Record, tables: Record, viewer: int, scratch: np.ndarray, out: np.ndarray) -> None:
    """Everything is visible."""
    out[0] = game.pips / MOST
    out[1] = game.die / 6
    out[2] = game.dice / DICE


# --8<-- [start:titles]
@compiled
def write_final(game: Record, final: Record) -> None:
    """Write the result: won or lost."""
    final.seed = game.seed
    final.rolls = game.dice
    final.ending = is_over(game)
    final.points[0, 0] = game.pips
    final.total[0] = game.pips
    final.rank[0] = 1
    won = FEWEST <= game.pips <= MOST
    final.win_share[0] = won
    final.title = game.pips - FEWEST if won else NO_TITLE  # an index into TITLES


# --8<-- [end:titles]


@compiled
def points(game: Record, seat: int) -> int:
    """The pips."""
    return 0 + game.pips


RULES = Rules(
    "seven_dice",
    set_up=set_up,
    step=step,
    refresh=refresh,
    is_over=is_over,
    observe=observe,
    write_final=write_final,
    points=points,
)


@dataclass(frozen=True)
class SevenDice(Game):
    """Seven dice for one player. It has no options."""

    players: ClassVar[int] = 1  # type: ignore[misc]
    name: ClassVar[str] = "seven_dice"
    layout: ClassVar[int] = 1
    rules: ClassVar[Rules] = RULES
    length_unit: ClassVar[str] = "rolls"
    record = RECORD
    final = final_record(1, 1, "rolls", more=[("title", np.int8)])
    point_sources = ("pips",)
    end_reasons = ("dice",)
    titles = TITLES
    actions = ACTIONS
    fields = (
        Field("pips", 0, (), 1 / MOST, "pips on the dice that were kept"),
        Field("die", 1, (), 1 / 6, "the die on the table"),
        Field("dice", 2, (), 1 / DICE, "dice that were decided on"),
    )
    observation_size = 3

    def problems(self, games: np.ndarray) -> list[str]:
        """Describe what is impossible in these records."""
        found = []
        if (games["player"] != 0).any():
            found.append("there is only seat 0")
        if ((games["dice"] < 0) | (games["dice"] > DICE)).any():
            found.append(f"dice are 0 to {DICE}")
        if ((games["pips"] < 0) | (games["pips"] > 6 * games["dice"])).any():
            found.append("a die has up to 6 pips")
        if ((games["die"] < 0) | (games["die"] > 6) | ((games["die"] == 0) != (games["dice"] == DICE))).any():
            found.append("a die of 1 to 6 lies on the table until the game is over")
        return found


def main() -> None:
    """Play many random games, and many by a simple rule."""
    batch = Batch(SevenDice(), 1000, seed=0)
    for name in ("chance", "keep while there is room"):
        batch.reset(0)
        won = games = 0.0
        while games < 10_000:
            room = batch.game.read_observation(batch.observation)
            keep = np.where(room["pips"] + room["die"] <= MOST, KEEP, THROW_AWAY)
            batch.step(batch.sample_actions() if name == "chance" else keep)
            won += batch.reward.sum()
            games += batch.terminated.sum()
        print(f"{name}: {won / games:.0%} of {games:.0f} games won")


if __name__ == "__main__":
    main()
