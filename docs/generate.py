"""Write ``docs/puerto_rico_v0.md`` and ``docs/board.svg``: ``make docs`` (a test says when they are out of date).

The tables come from the code's own tables, so that they cannot drift from what it does.
"""

from __future__ import annotations

from pathlib import Path

from pr_env import Batch, PuertoRico
from pr_env.game import Action, Field

FILE = Path(__file__).with_name("puerto_rico_v0.md")
BOARD = Path(__file__).with_name("board.svg")

PAGE = """# puerto_rico_v0

The board game Puerto Rico for two to five players. [The rules as implemented](rules.md) say how a game is cut into
decisions. This page is written by `make docs`.

![a board](board.svg)

| | |
|---|---|
| import | `from pr_env import puerto_rico_v0` |
| actions | discrete, {actions} |
| parallel API | no: turns are irregular, `pr_env.Batch` plays many games at once |
| manual control | no |
| agents | `player_0`, `player_1` and so on, in seat order; seat 0 is the first governor |
| observation | `{{"observation": float32 ({sizes}), "action_mask": int8 ({actions},)}}` for 2 / 3 / 4 / 5 players |

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

## Arguments

| argument | default | where | meaning |
|---|---|---|---|
| `players` | 3 | everywhere | 2, 3, 4 or 5 |
| `points` | `"public"` | everywhere | `"hidden"`: observations do not show the others' victory points |
| `max_rounds` | 100 | everywhere | a game still running after so many rounds is truncated |
| `reward` | `"win_share"` | everywhere | see below |
| `illegal_action` | `"raise"` | everywhere | or `"terminate"` (pays -1), `"random_legal"` (default of `make`) |
| `render_mode` | None | `env`, `make` | `"human"` (prints), `"ansi"`, `"rgb_array"`, `"svg"` (extra `render`) |
| `seat` | `"rotate"` | one learner | a number; or seed modulo players, and the next one in every new game |
| `opponents` | `"random"` | one learner | the name of an agent, a function from observations and masks to actions, an agent, or a list of these |
| `num_envs`, `threads` | | `make_vec`, `GameVecEnv` | how many games; how many threads share a step |

`reset(seed=7)` is the game of seed 7 everywhere; `reset(options={{"position": {{...}}}})` starts from a described
position.

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

## Observation

Seen from the player's own seat: the table, then a block for each player: oneself, then clockwise. Each number is the
plain count multiplied with the scale; `game.read_observation(vector)` is the way back. Places are those of three
players; with more players further blocks follow, with two the last one is missing.

| places | name | shape | scale | meaning |
|---|---|---|---|---|
{field_rows}

## Version history

- v0: first version.
"""


def action_row(action: Action) -> str:
    """One line of the action table."""
    return f"| {action.number} | `{' '.join(str(part) for part in action.name)}` | {action.sentence} |"


def field_row(field: Field) -> str:
    """One line of the observation table."""
    shape = " x ".join(str(length) for length in field.shape) or "1"
    scale = "1" if field.scale == 1 else f"1/{round(1 / field.scale)}"
    places = str(field.start) if field.stop == field.start + 1 else f"{field.start}-{field.stop - 1}"
    return f"| {places} | `{field.name}` | {shape} | {scale} | {field.meaning} |"


def page() -> str:
    """The whole page."""
    game = PuertoRico(players=3)
    return PAGE.format(
        actions=len(game.actions),
        sizes=" / ".join(str(PuertoRico(players=players).observation_size) for players in (2, 3, 4, 5)),
        action_rows="\n".join(action_row(action) for action in game.actions),
        field_rows="\n".join(field_row(field) for field in game.fields),
    )


def board() -> str:
    """A picture of a random game: many goods, and a captain who has to choose."""
    batch = Batch(PuertoRico(players=4), 1, seed=321, threads=1)
    for _ in range(472):
        batch.step(batch.sample_actions())
    return str(batch.render(0, "svg"))


if __name__ == "__main__":
    FILE.write_text(page())
    BOARD.write_text(board())
    print(f"wrote {FILE.name} and {BOARD.name}")
