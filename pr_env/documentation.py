"""Tables of a game in Markdown, generated from the code so that pages stay up to date.

A game in the registry has a module ``documentation`` in its folder, with ``PAGES``: a function for each generated file.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import Any

from pr_env.batch import Batch
from pr_env.game import Action, Field, Game
from pr_env.registry import GAMES

USAGE = """```python
from pr_env import {module}

env = {module}.env(players=4{drawn})
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

env = gymnasium.make("{gymnasium_id}", players=3, seat=0, opponents="random")
observation, info = env.reset(seed=42)
observation, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])

envs = gymnasium.make_vec("{gymnasium_id}", num_envs=256, players=3)
observations, infos = envs.reset(seed=42)
actions = infos["action_mask"].argmax(axis=1)
observations, rewards, terminations, truncations, infos = envs.step(actions)
```

With Stable-Baselines3 (extra `train`); MaskablePPO picks up action masks automatically:

```python
from sb3_contrib import MaskablePPO

from pr_env import {kind}
from pr_env.sb3 import GameVecEnv

env = GameVecEnv({kind}(players=3), num_envs=64)
model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=512, n_epochs=1).learn(2048)
```"""

ENVIRONMENT_ARGUMENTS = """| argument | default | where | meaning |
|---|---|---|---|
| `reward` | `"win_share"` | everywhere | see below |
| `illegal_action` | `"raise"` | everywhere | or `"terminate"` (pays -1), `"random_legal"` (default of `make`) |
| `mask_in_observation` | False | `make`, `make_vec` | if True, observations have keys `observation`, `action_mask` |
| `render_mode` | None | `env`, `make` | `"human"` (prints), `"ansi"`, `"rgb_array"`, `"svg"` (extra `render`) |
| `seat` | `"rotate"` | one learner | a number, `"rotate"` (the next seat in each new game), or `"team"` (all seats) |
| `opponents` | `"random"` | one learner | an agent, its name, a function of observations and masks, or a list |
| `num_envs`, `threads` | | `make_vec`, `GameVecEnv` | number of games; number of threads that share a step |

`reset(seed=7)` starts the same game everywhere; `reset(options={"position": {...}})` starts from a described
position."""

REWARDS = {
    "win_share": ("at the end", "1 for the winner, 1/k for each of k players who share the win, else 0"),
    "rank": ("at the end", "from 1 for the first to 0 for the last in equal steps; ties share the mean"),
    "margin": ("at the end", "own points minus the points of the best other player"),
    "points": ("after each decision", "the change in the seat's score (as if the game ended now)"),
}


def usage(kind: type[Game]) -> str:
    """A first example for each interface."""
    entry = GAMES[kind.name]
    return USAGE.format(
        module=entry.pettingzoo_module.removeprefix("pr_env."),
        gymnasium_id=entry.gymnasium_id,
        kind=kind.__name__,
        drawn=', render_mode="ansi"' if "ansi" in kind.render_modes else "",
    )


def reward_rows(game: Game) -> str:
    """Rows of the table of reward schemes."""
    return rows([f"`{scheme}`", *REWARDS[scheme]] for scheme in game.reward_schemes)


def option_rows(kind: type[Game]) -> str:
    """The game's options: defaults from the code, meanings from the docstring."""
    described = (inspect.getdoc(kind) or "").split("Attributes:\n")[1].split("\n\n")[0]
    meanings = dict(re.findall(r"^ +(\w+): (.*(?:\n {8,}.*)*)", described, re.MULTILINE))
    options = [(name, parameter.default) for name, parameter in inspect.signature(kind).parameters.items()]
    return rows([f"`{name}`", _default(default), _plain(meanings[name])] for name, default in options)


def _default(value: Any) -> str:
    """A default value as written in code."""
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


def _plain(text: str) -> str:
    """Text from a docstring as one line of Markdown."""
    return " ".join(text.replace("``", "`").split())


def action_rows(actions: Iterable[Action]) -> str:
    """Rows of the action table."""
    return rows(
        [str(action.number), f"`{' '.join(str(part) for part in action.name)}`", action.sentence] for action in actions
    )


def field_rows(fields: Iterable[Field], start: int = 0) -> str:
    """Rows of the observation table, with indices counted from ``start``."""
    return rows(
        [_places(field, start), f"`{field.name.removeprefix('self.')}`", _shape(field), _scale(field), field.meaning]
        for field in fields
    )


def _places(field: Field, start: int) -> str:
    """The first and the last index of a field."""
    first, last = field.start - start, field.stop - start - 1
    return str(first) if first == last else f"{first}-{last}"


def _shape(field: Field) -> str:
    """The lengths of a field's axes, as text."""
    return " x ".join(str(length) for length in field.shape) or "1"


def _scale(field: Field) -> str:
    """The factor for counts, as text."""
    return "1" if field.scale == 1 else f"1/{round(1 / field.scale)}"


def rows(cells: Iterable[list[str]]) -> str:
    """Rows of a table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def picture(game: Game, seed: int, moves: int) -> str:
    """A randomly played game, as SVG."""
    batch = Batch(game, 1, seed=seed, threads=1)
    for _ in range(moves):
        batch.step(batch.sample_actions())
    return str(batch.render(0, "svg"))
