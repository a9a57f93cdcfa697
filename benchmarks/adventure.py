"""How often teams win the chapters of Port Royal's adventure: the balance of the reconstructed cards.

``python -m benchmarks.adventure`` prints the share of cooperative games won by chapter and number of players, and which
of card 9's conditions were met. ``--agent`` names another player, ``--failures`` plays with the extra coins for so many
failures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agents import make_agent
from agents.arena.statistics import Estimate, share
from pr_env import Batch, PortRoyal
from pr_env.port_royal.adventure.names import CONDITIONS, MAX_PLAYERS, NUM_CHAPTERS
from pr_env.port_royal.campaign import COINS_FOR_FAILURE

AT_A_TIME = 200  # games; few enough for one thread, so that one kernel is compiled
LOWEST, HIGHEST = 0.2, 0.8  # what the better of the scripted and the trained player should win


class Chapter(NamedTuple):
    """Games of one chapter.

    Attributes:
        won: The share of games won, with its 95 % interval.
        conditions: The share of games in which each of card 9's conditions was met.
        influence: Of the whole team, on average.
    """

    won: Estimate
    conditions: tuple[float, ...]
    influence: float


def measure(agent: str, players: int, chapter: int, games: int, *, failures: int = 0, seed: int = 0) -> Chapter:
    """Let an agent play all seats of a cooperative chapter.

    Args:
        agent: Its name.
        players: How many seats.
        chapter: From 1 on.
        games: How many are played.
        failures: How often the team has failed before; the coins are shared out evenly.
        seed: Of the first game.
    """
    each, more = divmod(COINS_FOR_FAILURE * failures, players)
    coins = tuple(each + (seat < more) for seat in range(players)) if failures else ()
    game = PortRoyal(players=players, deck="adventure", chapter=chapter, mode="cooperative", bonus_coins=coins)  # type: ignore[arg-type] # 1 to 5
    finals = []
    for first in range(0, games, AT_A_TIME):
        count = min(AT_A_TIME, games - first)
        batch = Batch(game, count, seed=seed + first, autoreset=False, threads=1)
        player = make_agent(agent, game, seed=seed)
        while (going := np.flatnonzero(~batch.is_over())).size:
            actions = np.zeros(count, np.int64)
            actions[going] = player.choose(batch.observation[going], batch.mask[going], np.array(batch.games[going]))
            batch.step(actions, ~batch.is_over())
        finals.append(np.array(batch.final))
    final = np.concatenate(finals)
    won = share(final["win_share"][:, 0].astype(np.float64), final["seed"])
    return Chapter(won, tuple(final["conditions"].mean(axis=0)), float(final["total"][:, 0].mean()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="of each chapter and number of players")
    parser.add_argument("--agent", default="crew")
    parser.add_argument("--failures", type=int, default=0)
    parser.add_argument("--players", type=int, nargs="*", default=list(range(1, MAX_PLAYERS + 1)))
    parser.add_argument("--chapters", type=int, nargs="*", default=list(range(1, NUM_CHAPTERS + 1)))
    parser.add_argument("--seed", type=int, default=1_000_000)
    given = parser.parse_args(arguments)
    print(f"{given.agent}, {given.games} games each, {given.failures} failures before, seed {given.seed}")
    print(f"| players | chapter | won | {' | '.join(CONDITIONS)} | influence of all |")
    print(f"|---|---|---|{'---|' * len(CONDITIONS)}---|")
    for players in given.players:
        for chapter in given.chapters:
            found = measure(given.agent, players, chapter, given.games, failures=given.failures, seed=given.seed)
            met = " | ".join(f"{part:.0%}" for part in found.conditions)
            mark = "" if LOWEST <= found.won.mean <= HIGHEST else " !"
            low, high = found.won.low, found.won.high
            interval = f"{found.won.mean:.0%} ({low:.0%} to {high:.0%}){mark}"
            print(f"| {players} | {chapter} | {interval} | {met} | {found.influence:.1f} |", flush=True)


if __name__ == "__main__":
    main()
