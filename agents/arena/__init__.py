"""The arena: agents play seat-balanced games with paired seeds, and are rated.

>>> play_match(game, ["builder", "random"], games=300).table()
>>> play_tournament(game, ["builder", "shipper", "random"], out="results.json")
"""

from agents.arena.asking import Fault
from agents.arena.comparison import Comparison
from agents.arena.hooks import Hook, Playing
from agents.arena.journal import ArenaError
from agents.arena.matches import Progress
from agents.arena.positions import load_positions
from agents.arena.results import FaultWarning, MatchResult
from agents.arena.statistics import Estimate, Rating
from agents.arena.tournament import Tournament, play_match, play_tournament

__all__ = [
    "ArenaError",
    "Comparison",
    "Estimate",
    "Fault",
    "FaultWarning",
    "Hook",
    "MatchResult",
    "Playing",
    "Progress",
    "Rating",
    "Tournament",
    "load_positions",
    "play_match",
    "play_tournament",
]
