"""The agents for Puerto Rico only, by name."""

from __future__ import annotations

from agents.registry import Entry

AGENTS = {
    "builder": Entry(
        "agents.puerto_rico.agent", "BuilderAgent", "quarries and money, then a full city with large buildings"
    ),
    "shipper": Entry("agents.puerto_rico.agent", "ShipperAgent", "much corn and indigo, shipped with harbor and wharf"),
    "greedy": Entry("agents.puerto_rico.greedy", "GreedyAgent", "evaluates the position after each legal action"),
    "trader": Entry(
        "agents.puerto_rico.agent", "TraderAgent", "tobacco and coffee for the trading house, factory, large buildings"
    ),
}
