"""Agents that play by known strategies of Port Royal.

``plans.py`` says what each strategy wants; the other modules say how anybody decides who wants it, one module for each
kind of decision. ``policy.py`` puts them together.
"""

from agents.policies import register_strategies
from agents.port_royal.plans import STRATEGIES
from agents.port_royal.policy import scripted_action
from pr_env.game import Game
from pr_env.port_royal import PortRoyal

__all__ = ["STRATEGIES"]


def _suited(game: Game) -> tuple[str, ...]:
    """A team works on its contracts together; in other games everybody does as they like best."""
    assert isinstance(game, PortRoyal)
    if game.mode == "cooperative":
        return ("crew",)
    alone = tuple(name for name in STRATEGIES if name not in ("contractor", "crew"))
    return (*alone, "contractor") if "contracts" in game.add else alone


register_strategies(PortRoyal.rules, STRATEGIES, scripted_action, _suited)
