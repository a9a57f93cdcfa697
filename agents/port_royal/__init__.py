"""Agents that play by known strategies of Port Royal.

``plans.py`` says what each strategy wants; the other modules say how anybody decides who wants it, one module for each
kind of decision. ``policy.py`` puts them together.
"""

from agents.policies import register_strategies
from agents.port_royal.plans import STRATEGIES
from agents.port_royal.policy import scripted_action
from pr_env.port_royal import PortRoyal

__all__ = ["STRATEGIES"]

register_strategies(PortRoyal.rules, STRATEGIES, scripted_action)
