"""Players that choose actions for a batch of games."""

from agents.random_agent import RandomAgent

__all__ = ["RandomAgent"]
