"""Agents choose actions for a batch of games. They are created by name: ``make_agent("random", game)``."""

from agents.agent import Agent
from agents.random_agent import RandomAgent
from agents.registry import agent_names, make_agent

__all__ = ["Agent", "RandomAgent", "agent_names", "make_agent"]
