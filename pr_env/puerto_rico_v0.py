"""Puerto Rico for PettingZoo: ``from pr_env import puerto_rico_v0; env = puerto_rico_v0.env(players=4)``."""

from __future__ import annotations

from typing import Any, Literal

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from pr_env.aec import GameAEC
from pr_env.puerto_rico import PuertoRico
from pr_env.seats import IllegalAction

__all__ = ["env", "raw_env"]


def raw_env(
    players: int = 3,
    *,
    points: Literal["public", "hidden"] = "public",
    max_rounds: int = 100,
    reward: str = "win_share",
    illegal_action: IllegalAction = "raise",
    render_mode: str | None = None,
) -> GameAEC:
    """The environment without wrappers; the arguments are those of `PuertoRico` and `GameAEC`."""
    game = PuertoRico(players=players, points=points, max_rounds=max_rounds)
    return GameAEC(game, reward=reward, illegal_action=illegal_action, render_mode=render_mode)


def env(**options: Any) -> OrderEnforcingWrapper[Any, Any, Any]:
    """The environment with PettingZoo's check of the order of calls; options as for `raw_env`.

    Illegal actions are treated by the environment itself (``illegal_action``), which is faster than a wrapper.
    """
    return OrderEnforcingWrapper(raw_env(**options))
