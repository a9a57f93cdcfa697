"""Speed and strength of the tree search: ``python -m benchmarks.search --help``.

Speed: playouts a second from the opening position to the end of the game, on one thread and on all, the best of several
runs, because other work on the machine can only make a run slower. Strength (``--games``): matches in the arena, one
search against copies of another agent.
"""

from __future__ import annotations

import argparse
import time

from rich.console import Console
from rich.table import Table

from agents.arena import play_match
from agents.mcts import MctsAgent
from pr_env import Batch, PuertoRico
from pr_env.threads import most_threads

OPPONENTS = ("random", "builder", "shipper", "trader", "greedy", "mcts:playouts=100", "mcts:playouts=300")


def playouts_a_second(players: int, rollout: str, threads: int, playouts: int, repeats: int) -> float:
    """The best of several searches of one opening position."""
    game = PuertoRico(players=players)
    opening = Batch(game, 1, seed=1, observations=False).games
    agent = MctsAgent(game, playouts=playouts, rollout=rollout, threads=threads)
    agent.think(opening)  # compiles and allocates
    best = 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        agent.think(opening)
        best = max(best, playouts / (time.perf_counter() - start))
    return best


def show_speed(console: Console, playouts: int, repeats: int) -> None:
    """Print playouts a second for all player counts."""
    both = sorted({1, most_threads()})
    table = Table(title=f"Playouts a second from the opening (searches of {playouts:,} playouts, best of {repeats})")
    table.add_column("players", justify="right")
    cases = [(rollout, threads) for rollout in ("random", "mixed") for threads in both]
    for rollout, threads in cases:
        table.add_column(f"{rollout}, {threads} thread{'s' if threads > 1 else ''}", justify="right")
    for players in (2, 3, 4, 5):
        speeds = [playouts_a_second(players, rollout, threads, playouts, repeats) for rollout, threads in cases]
        table.add_row(str(players), *(f"{speed:,.0f}" for speed in speeds))
    console.print(table)


def show_strength(console: Console, search: str, players: int, games: int) -> None:
    """Print how often one search wins against copies of each opponent."""
    table = Table(
        title=f"{search} against {players - 1} of each opponent, {games} games each; fair share {1 / players:.1%}"
    )
    for column in ("opponent", "win rate", "95 % interval", "seconds"):
        table.add_column(column, justify="right")
    for opponent in OPPONENTS:
        start = time.perf_counter()
        wins = play_match(PuertoRico(players=players), [search, opponent], games=games).wins_of(search)
        seconds = time.perf_counter() - start
        table.add_row(opponent, f"{wins.mean:.1%}", f"{wins.low:.1%} to {wins.high:.1%}", f"{seconds:.0f}")
    console.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed and strength of the tree search.")
    parser.add_argument("--playouts", type=int, default=4000, help="playouts of each timed search")
    parser.add_argument("--repeats", type=int, default=5, help="number of timings of each search")
    parser.add_argument("--games", type=int, default=0, help="games of each match; 0 for no matches")
    parser.add_argument("--search", default="mcts:playouts=1000", help="agent that plays the matches")
    parser.add_argument("--players", type=int, default=3, help="players in the matches")
    options = parser.parse_args()
    console = Console()
    show_speed(console, options.playouts, options.repeats)
    if options.games:
        show_strength(console, options.search, options.players, options.games)


if __name__ == "__main__":
    main()
