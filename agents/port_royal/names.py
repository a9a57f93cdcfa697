"""The agents that play Port Royal only, by name."""

from __future__ import annotations

from agents.registry import Entry

AGENTS = {
    "purser": Entry("agents.port_royal.agent", "PurserAgent", "stops early and sells; traders make its ships pay"),
    "explorer": Entry("agents.port_royal.agent", "ExplorerAgent", "captains, priests, settlers, jacks for expeditions"),
    "patron": Entry("agents.port_royal.agent", "PatronAgent", "mademoiselles, governors, admirals, traders first"),
    "pirate": Entry("agents.port_royal.agent", "PirateAgent", "sabres first, then draws far for several cards a turn"),
    "contractor": Entry("agents.port_royal.agent", "ContractorAgent", "works towards the contracts that lie face up"),
    "crew": Entry("agents.port_royal.agent", "CrewAgent", "takes what is worth most; in a team, what the team needs"),
    "greedy": Entry("agents.port_royal.greedy", "GreedyAgent", "judges the position at the end of the turn"),
}
