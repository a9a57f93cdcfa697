"""Agents that play by known strategies of Port Royal.

``plans.py`` has the weights of each strategy; the other modules make decisions by these weights, one module for each
kind of decision. ``policy.py`` combines them.
"""

from agents.policies import register_strategies
from agents.port_royal.plans import STRATEGIES
from agents.port_royal.policy import scripted_action
from pr_env.game import Game
from pr_env.port_royal import PortRoyal

__all__ = ["STRATEGIES"]


def _suited(game: Game) -> tuple[str, ...]:
    """In a team the cooperative strategy; in other games the rest, "contractor" only if there are contracts."""
    assert isinstance(game, PortRoyal)
    if game.mode == "cooperative":
        return ("crew",)
    alone = tuple(name for name in STRATEGIES if name not in ("contractor", "crew"))
    return (*alone, "contractor") if "contracts" in game.add else alone


register_strategies(PortRoyal.rules, STRATEGIES, scripted_action, _suited)
