"""Puerto Rico for PettingZoo: ``from pr_env import puerto_rico_v0; env = puerto_rico_v0.env(players=4)``."""

from __future__ import annotations

from typing import Any

from pr_env.aec import GameAEC
from pr_env.puerto_rico import PuertoRico
from pr_env.seats import IllegalAction

__all__ = ["env", "raw_env"]


def raw_env(
    players: int = 3,
    *,
    reward: str = "win_share",
    illegal_action: IllegalAction = "raise",
    render_mode: str | None = None,
    **options: Any,
) -> GameAEC:
    """One game for PettingZoo; the arguments are those of `PuertoRico` and `GameAEC`."""
    game = PuertoRico(players=players, **options)
    return GameAEC(game, reward=reward, illegal_action=illegal_action, render_mode=render_mode)


# No wrappers as in PettingZoo's own games: the environment checks the order of calls and illegal actions itself.
env = raw_env
