"""The names under which Gymnasium and PettingZoo find the games; importing ``pr_env`` registers them.

``gymnasium.make("pr_env:pr_env/PuertoRico-v0")`` imports it automatically. (Current versions of Gymnasium no longer
support entry points for environments.)
"""

from __future__ import annotations

import gymnasium

from pr_env.registry import GAMES


def register_gymnasium() -> None:
    """Register the Gymnasium environments, once."""
    for name, entry in GAMES.items():
        if entry.gymnasium_id not in gymnasium.registry:
            gymnasium.register(
                entry.gymnasium_id,
                entry_point="pr_env.single:make",
                vector_entry_point="pr_env.vector:make",
                kwargs={"game_name": name},
                # The environment checks the order of calls and the actions itself.
                order_enforce=False,
                disable_env_checker=True,
            )
        if entry.campaign_id and entry.campaign_id not in gymnasium.registry:
            gymnasium.register(
                entry.campaign_id,
                entry_point="pr_env.campaign_env:make",
                kwargs={"game_name": name},
                order_enforce=False,
                disable_env_checker=True,
            )


def register_pettingzoo() -> None:
    """Register the AEC environments, once, if PettingZoo has a registry (since 1.27)."""
    try:
        from pettingzoo.env_registry import registration
    except ModuleNotFoundError:
        return
    for entry in GAMES.values():
        if entry.pettingzoo_id not in registration.aec_registry:
            registration.register("aec", entry.pettingzoo_id, f"{entry.pettingzoo_module}:env")
