"""Agents that play by known strategies of Puerto Rico.

``plans.py`` says what each strategy wants; the other modules say how anybody decides who wants it, one module for each
kind of decision. ``policy.py`` puts them together.
"""

from agents.scripted.agent import BuilderAgent, ScriptedAgent, ShipperAgent, TraderAgent
from agents.scripted.plans import STRATEGIES

__all__ = ["STRATEGIES", "BuilderAgent", "ScriptedAgent", "ShipperAgent", "TraderAgent"]
