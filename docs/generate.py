"""Write ``docs/puerto_rico_v0.md`` and its pictures: ``make docs`` (a test says when they are out of date).

The tables come from the code's own tables, so that they cannot drift from what it does.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from pr_env import Batch, PuertoRico
from pr_env.game import Action, Field
from pr_env.puerto_rico.tables import MAX_BASE_PLAYERS, PLAYER_COUNTS

FILE = Path(__file__).with_name("puerto_rico_v0.md")
BOARD = Path(__file__).with_name("board.svg")
EXPANSION = Path(__file__).with_name("expansion.svg")

PAGE = """# puerto_rico_v0

The board game Puerto Rico for two to six players, with or without Expansion I. [The rules as implemented](rules.md) say
how a game is cut into decisions. This page is written by `make docs`.

![a board](board.svg)

| | |
|---|---|
| import | `from pr_env import puerto_rico_v0` |
| actions | discrete, {actions}; in an extended game {all_actions} |
| parallel API | no: turns are irregular, `pr_env.Batch` plays many games at once |
| manual control | no |
| agents | `player_0`, `player_1` and so on, in seat order; seat 0 is the first governor |
| observation | `{{"observation": float32, "action_mask": int8}}`, see Sizes |

## Usage

```python
from pr_env import puerto_rico_v0

env = puerto_rico_v0.env(players=4, render_mode="ansi")
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
env.close()
```

As a Gymnasium environment, one seat against opponents (single and vectorised):

```python
import gymnasium
import numpy as np
import pr_env

env = gymnasium.make("pr_env/PuertoRico-v0", players=3, seat=0, opponents="random")
observation, info = env.reset(seed=42)
observation, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])

envs = gymnasium.make_vec("pr_env/PuertoRico-v0", num_envs=256, players=3)
observations, infos = envs.reset(seed=42)
actions = infos["action_mask"].argmax(axis=1)
observations, rewards, terminations, truncations, infos = envs.step(actions)
```

With Stable-Baselines3 (extra `train`); MaskablePPO finds the masks by itself:

```python
from sb3_contrib import MaskablePPO

from pr_env import Batch, PuertoRico
from pr_env.sb3 import GameVecEnv

env = GameVecEnv(PuertoRico(players=3), num_envs=64)
model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=512, n_epochs=1).learn(2048)
```

The same with Expansion I and six players:

```python
from pr_env import Batch, PuertoRico, puerto_rico_v0

env = puerto_rico_v0.env(players=6, buildings="draft")
batch = Batch(PuertoRico(players=6, buildings="draft"), 16, seed=42)
batch.step(batch.sample_actions())
```

![six players with Expansion I](expansion.svg)

## Arguments

Of the game, everywhere:

| argument | default | meaning |
|---|---|---|
{option_rows}

A game is an extended one if it has six players, `double_cards`, or `buildings` other than `"base"`: it has its own
record, more actions and a longer observation. All other games are base games.

Of the environments:

| argument | default | where | meaning |
|---|---|---|---|
| `reward` | `"win_share"` | everywhere | see below |
| `illegal_action` | `"raise"` | everywhere | or `"terminate"` (pays -1), `"random_legal"` (default of `make`) |
| `render_mode` | None | `env`, `make` | `"human"` (prints), `"ansi"`, `"rgb_array"`, `"svg"` (extra `render`) |
| `seat` | `"rotate"` | one learner | a number; or seed modulo players, and the next one in every new game |
| `opponents` | `"random"` | one learner | an agent, its name, a function of observations and masks, or a list |
| `num_envs`, `threads` | | `make_vec`, `GameVecEnv` | how many games; how many threads share a step |

`reset(seed=7)` is the game of seed 7 everywhere; `reset(options={{"position": {{...}}}})` starts from a described
position.

## Sizes

| | {count_heads} |
|---|{count_lines}|
{size_rows}

## Rewards

| scheme | paid | each seat gets |
|---|---|---|
| `win_share` | at the end | 1 for the winner, 1/k for each of k players who share the win, else 0 |
| `rank` | at the end | from 1 for the first to 0 for the last in equal steps; ties share the mean |
| `margin` | at the end | own points minus those of the best other player |
| `points` | after each decision | by how much the own score (if the game ended now) has changed |

A game that is cut pays nothing at its end.

## Actions

The numbers are the same for all player counts.

| number | name | |
|---|---|---|
{action_rows}

An extended game has these, too:

| number | name | |
|---|---|---|
{more_action_rows}

## Observation

Seen from the player's own seat: the table, then a block for each player: oneself, then clockwise. Each number is the
plain count multiplied with the scale; `game.read_observation(vector)` is the way back, and `game.fields` has the whole
table of a configuration.

| places | the table | shape | scale | meaning |
|---|---|---|---|---|
{table_rows}

An extended game goes on with:

| places | the table | shape | scale | meaning |
|---|---|---|---|---|
{more_table_rows}

The block of the player who sits `k` seats to the left begins at place {block} + {block_size} * `k`, in an extended game
at {more_block} + {more_block_size} * `k`. Before the names of these fields stands `self.` for oneself, `left_1.`,
`left_2.` and so on for the others:

| places in the block | of a player | shape | scale | meaning |
|---|---|---|---|---|
{player_rows}

An extended game goes on with:

| places in the block | of a player | shape | scale | meaning |
|---|---|---|---|---|
{more_player_rows}

## Version history

- v0: first version. Base games for two to five players; extended games with Expansion I (draft), double-sided role
  cards, six players in two variants, and the balanced rules of tournaments.
"""


def option_rows() -> str:
    """The game's options: defaults from the code, meanings from its docstring."""
    described = (inspect.getdoc(PuertoRico) or "").split("Attributes:\n")[1].split("\n\n")[0]
    meanings = dict(re.findall(r"^ +(\w+): (.*(?:\n {8,}.*)*)", described, re.MULTILINE))
    options = [(field.name, field.default) for field in dataclasses.fields(PuertoRico)]
    return rows(
        [f"`{name}`", f'`"{default}"`' if isinstance(default, str) else f"`{default}`", plain(meanings[name])]
        for name, default in options
    )


def plain(text: str) -> str:
    """A docstring's text in one line of Markdown."""
    return " ".join(text.replace("``", "`").split())


def size_rows() -> str:
    """What a game takes, by the number of players."""
    kinds: dict[str, list[PuertoRico | None]] = {
        "base game": [PuertoRico(players) if players <= MAX_BASE_PLAYERS else None for players in PLAYER_COUNTS],
        "extended game": [PuertoRico(players, buildings="draft") for players in PLAYER_COUNTS],
    }
    what: dict[str, Callable[[PuertoRico], int]] = {
        "observation": lambda game: game.observation_size,
        "actions": lambda game: len(game.actions),
        "bytes of a record": lambda game: game.record.itemsize,
    }
    return rows(
        [f"{name}, {kind}", *("" if game is None else str(size(game)) for game in games)]
        for kind, games in kinds.items()
        for name, size in what.items()
    )


def action_rows(actions: Iterable[Action]) -> str:
    """Lines of the action table."""
    return rows(
        [str(action.number), f"`{' '.join(str(part) for part in action.name)}`", action.sentence] for action in actions
    )


def field_rows(fields: Iterable[Field], start: int = 0) -> str:
    """Lines of the observation table, with places counted from ``start``."""
    return rows(
        [places(field, start), f"`{field.name.removeprefix('self.')}`", shape(field), scale(field), field.meaning]
        for field in fields
    )


def places(field: Field, start: int) -> str:
    """The first and the last place of a field."""
    first, last = field.start - start, field.stop - start - 1
    return str(first) if first == last else f"{first}-{last}"


def shape(field: Field) -> str:
    """The lengths of a field's axes."""
    return " x ".join(str(length) for length in field.shape) or "1"


def scale(field: Field) -> str:
    """What counts are multiplied with."""
    return "1" if field.scale == 1 else f"1/{round(1 / field.scale)}"


def rows(cells: Iterable[list[str]]) -> str:
    """Lines of a table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def blocks(game: PuertoRico) -> tuple[list[Field], list[Field]]:
    """The observation's fields of the table, and those of the first player's block."""
    own = [field for field in game.fields if field.name.startswith("self.")]
    return [field for field in game.fields if field.start < own[0].start], own


def page() -> str:
    """The whole page."""
    game, extended = PuertoRico(players=3), PuertoRico(players=3, buildings="draft")
    (table, own), (all_table, all_own) = blocks(game), blocks(extended)
    block, more_block = own[0].start, all_own[0].start
    return PAGE.format(
        actions=len(game.actions),
        all_actions=len(extended.actions),
        option_rows=option_rows(),
        count_heads=" | ".join(f"{players} players" for players in PLAYER_COUNTS),
        count_lines="|".join("---" for _ in PLAYER_COUNTS),
        size_rows=size_rows(),
        action_rows=action_rows(game.actions),
        more_action_rows=action_rows(extended.actions[len(game.actions) :]),
        table_rows=field_rows(table),
        more_table_rows=field_rows(all_table[len(table) :]),
        player_rows=field_rows(own, block),
        more_player_rows=field_rows(all_own[len(own) :], more_block),
        block=block,
        block_size=own[-1].stop - block,
        more_block=more_block,
        more_block_size=all_own[-1].stop - more_block,
    )


def board() -> str:
    """A picture of a random game: many goods, and a captain who has to choose."""
    return picture(PuertoRico(players=4), seed=321, moves=472)


def expansion() -> str:
    """A picture of a random game with forests and new buildings: a pirate chooses a colonist."""
    return picture(PuertoRico(players=6, buildings="draft"), seed=1371, moves=570)


def picture(game: PuertoRico, seed: int, moves: int) -> str:
    """A game played by chance, as SVG."""
    batch = Batch(game, 1, seed=seed, threads=1)
    for _ in range(moves):
        batch.step(batch.sample_actions())
    return str(batch.render(0, "svg"))


if __name__ == "__main__":
    FILE.write_text(page())
    BOARD.write_text(board())
    EXPANSION.write_text(expansion())
    print(f"wrote {FILE.name}, {BOARD.name} and {EXPANSION.name}")
