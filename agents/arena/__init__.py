"""The arena: agents play seat-balanced games with paired seeds, and are rated.

>>> play_match(PuertoRico(players=3), ["builder", "random"], games=300).table()
>>> play_tournament(PuertoRico(players=3), ["builder", "shipper", "random"], out="results.json")
"""

from agents.arena.journal import ArenaError
from agents.arena.play import Fault
from agents.arena.results import MatchResult
from agents.arena.statistics import Estimate, Rating
from agents.arena.tournament import Progress, Tournament, play_match, play_tournament

__all__ = [
    "ArenaError",
    "Estimate",
    "Fault",
    "MatchResult",
    "Progress",
    "Rating",
    "Tournament",
    "play_match",
    "play_tournament",
]
