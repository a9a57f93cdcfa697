"""The agents for Port Royal only, by name."""

from __future__ import annotations

from agents.registry import Entry

AGENTS = {
    "purser": Entry("agents.port_royal.agent", "PurserAgent", "stops early and sells; hires traders for its ships"),
    "explorer": Entry("agents.port_royal.agent", "ExplorerAgent", "captains, priests, settlers, jacks for expeditions"),
    "patron": Entry("agents.port_royal.agent", "PatronAgent", "mademoiselles, governors, admirals, traders first"),
    "pirate": Entry("agents.port_royal.agent", "PirateAgent", "sabres first, then draws long for several cards a turn"),
    "contractor": Entry("agents.port_royal.agent", "ContractorAgent", "works towards the face-up contracts"),
    "crew": Entry("agents.port_royal.agent", "CrewAgent", "takes what is worth most; in a team, what the team needs"),
    "greedy": Entry("agents.port_royal.greedy", "GreedyAgent", "evaluates the position at the end of the turn"),
}
