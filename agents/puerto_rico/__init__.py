"""Agents that play by known strategies of Puerto Rico.

``plans.py`` says what each strategy wants; the other modules say how anybody decides who wants it, one module for each
kind of decision. ``policy.py`` puts them together.
"""

from agents.policies import register_strategies
from agents.puerto_rico.agent import BuilderAgent, ScriptedAgent, ShipperAgent, TraderAgent
from agents.puerto_rico.plans import STRATEGIES
from agents.puerto_rico.policy import scripted_action
from pr_env.puerto_rico import PuertoRico

__all__ = ["STRATEGIES", "BuilderAgent", "ScriptedAgent", "ShipperAgent", "TraderAgent"]

register_strategies(PuertoRico.rules, STRATEGIES, scripted_action)
