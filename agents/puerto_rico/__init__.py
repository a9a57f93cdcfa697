"""Agents that play by known strategies of Puerto Rico.

``plans.py`` has the weights of each strategy; the other modules make decisions by these weights, one module for each
kind of decision. ``policy.py`` combines them.
"""

from agents.policies import register_strategies
from agents.puerto_rico.agent import BuilderAgent, ScriptedAgent, ShipperAgent, TraderAgent
from agents.puerto_rico.plans import STRATEGIES
from agents.puerto_rico.policy import scripted_action
from pr_env.puerto_rico import PuertoRico

__all__ = ["STRATEGIES", "BuilderAgent", "ScriptedAgent", "ShipperAgent", "TraderAgent"]

register_strategies(PuertoRico.rules, STRATEGIES, scripted_action)
