"""The names under which Gymnasium and PettingZoo find the games; importing ``pr_env`` registers them.

``gymnasium.make("pr_env:pr_env/PuertoRico-v0")`` imports it by itself. (Current Gymnasium has no entry points for
environments any more.)
"""

from __future__ import annotations

import gymnasium

GYMNASIUM_ID = "pr_env/PuertoRico-v0"
PETTINGZOO_ID = "pr_env/puerto_rico-v0"


def register_gymnasium() -> None:
    """Register the Gymnasium environment, once."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="pr_env.single:puerto_rico",
            vector_entry_point="pr_env.vector:puerto_rico",
            # The environment checks order and actions itself.
            order_enforce=False,
            disable_env_checker=True,
        )


def register_pettingzoo() -> None:
    """Register the AEC environment where PettingZoo has a registry (from 1.27 on), once."""
    try:
        from pettingzoo.env_registry import registration
    except ModuleNotFoundError:
        return
    if PETTINGZOO_ID not in registration.aec_registry:
        registration.register("aec", PETTINGZOO_ID, "pr_env.puerto_rico_v0:env")
