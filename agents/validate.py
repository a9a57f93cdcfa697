"""Facts to check the simulator against: known figures of Puerto Rico beside those of games played here.

``make validate`` prints it. A strong agent is added with ``--agent NAME``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rich.console import Console
from rich.table import Table

from agents.agent import Agent
from agents.arena.report import percent, titled, words
from agents.arena.results import MatchResult
from agents.arena.tournament import Progress, play_match
from agents.random_agent import RandomAgent
from agents.registry import make_agent
from pr_env.puerto_rico import PuertoRico
from pr_env.puerto_rico.actions import ACTIONS
from pr_env.puerto_rico.state import MAYOR_PHASE
from pr_env.puerto_rico.tables import BUILDING_NAMES, NOT_BUILT

STRONG_AGENTS = ("builder",)  # who plays the strong games if nobody is named
PLACER = "builder"  # who places the colonists of random players that place them right
MOST_NAMED = 6  # favourite buildings and roles


@dataclass(frozen=True)
class Known:
    """What is known of a kind of play.

    Attributes:
        players: At the table.
        wins: Share of each seat.
        points: Mean points of each seat, where they are known.
        rounds: How long games last, in words.
        ends: Why they end, in words.
        winning_points: What winners have, in words.
    """

    players: int
    wins: tuple[float, ...]
    points: tuple[float, ...] | None = None
    rounds: str = ""
    ends: str = ""
    winning_points: str = ""


RANDOM_3 = Known(players=3, wins=(0.24, 0.24, 0.52), ends="over 90 % by colonists")
RANDOM_4 = Known(players=4, wins=(0.16, 0.16, 0.35, 0.33), ends="over 90 % by colonists")
EXPERTS_4 = Known(  # 346 games between experts
    players=4,
    wins=(0.211, 0.174, 0.309, 0.306),
    points=(42.2, 40.8, 43.5, 43.2),
    rounds="about 15",
    ends="city and colonists about equally often, few by chips",
    winning_points="about 36 to 65",
)

RANDOM_DIFFERS = (
    "What differs: the known figures are of random players whose colonists are placed right. How they are placed there "
    f"is not known in detail; here {PLACER!r} places them. Placed by chance, as an untrained learner does, colonists "
    "stand where they make nothing, and games take longer."
)


class RandomPlacingRight(Agent):
    """Chooses by chance, but has a scripted agent say where its colonists work.

    Args:
        seed: The same seed gives the same choices.
    """

    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True

    def __init__(self, *, seed: int = 0) -> None:
        self._random = RandomAgent(seed=seed)
        self._placer = make_agent(PLACER)

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One action for each game of a batch."""
        assert games is not None
        actions = self._random.choose(observations, masks)
        index = np.flatnonzero(games["phase"] == MAYOR_PHASE)
        if len(index):
            games = np.take(games, index)
            actions[index] = self._placer.choose(observations[index], masks[index], games)
        return actions


def print_report(
    console: Console,
    agents: Sequence[str] = (),
    *,
    random_games: int,
    strong_games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> None:
    """Play and print everything.

    Args:
        console: Where to.
        agents: Who plays against copies of themselves beside the experts; none: STRONG_AGENTS.
        random_games: Games of each kind of random play.
        strong_games: Games of each strong agent.
        seed: The first seed.
        progress: Is told how it goes on.

    Raises:
        ValueError: If there is no such agent.
    """
    strong = agents or STRONG_AGENTS
    for name in strong:
        make_agent(name)  # complains before anything is played
    for known in (RANDOM_3, RANDOM_4):
        game = PuertoRico(players=known.players)
        kinds: dict[str, str | Agent] = {"placed right": RandomPlacingRight(seed=seed), "placed by chance": "random"}
        for placed, agent in kinds.items():
            result = play_match(game, [agent], games=random_games, seed=seed, progress=progress)
            console.print(compare(f"Random play, {known.players} players, colonists {placed}", result, known))
    _say(console, RANDOM_DIFFERS)
    for name in strong:
        game = PuertoRico(players=EXPERTS_4.players)
        result = play_match(game, [name], games=strong_games, seed=seed, keep_actions=True, progress=progress)
        console.print(compare(f"{name} against itself, {game.players} players; known: experts", result, EXPERTS_4))
        console.print(habits(result))
        _say(console, difference(result))


def compare(title: str, result: MatchResult, known: Known) -> Table:
    """Ours beside the known figures, seat by seat and in all."""
    table = titled(f"{title}: {len(result):,} games")
    for column in ("", "here, with 95 % interval", "known"):
        table.add_column(column)
    for seat in range(known.players):
        table.add_row(f"wins of seat {seat + 1}", percent(result.wins_of_seat(seat)), f"{known.wins[seat]:.1%}")
    for seat in range(known.players):
        points = result.points_of_seat(seat)
        ours = f"{points.mean:.1f} [{points.low:.1f}, {points.high:.1f}]"
        table.add_row(f"points of seat {seat + 1}", ours, f"{known.points[seat]:.1f}" if known.points else "")
    ends = ", ".join(f"{reason} {share:.1%}" for reason, share in result.ends().items() if share > 0)
    low, middle, high = winning_points(result)
    table.add_row("rounds", f"{result.mean_rounds():.1f}", known.rounds)
    table.add_row("ends (some by two at once)", ends, known.ends)
    table.add_row("winning points (5 %, median, 95 %)", f"{low:.0f}, {middle:.0f}, {high:.0f}", known.winning_points)
    return table


def winning_points(result: MatchResult) -> tuple[float, float, float]:
    """What winners had: the 5 %, 50 % and 95 % quantiles."""
    best = result.points.sum(axis=-1).max(axis=1)[result.played]
    low, middle, high = np.quantile(best, [0.05, 0.5, 0.95])
    return float(low), float(middle), float(high)


def habits(result: MatchResult) -> Table:
    """How the players of these games play: points by source, opening roles and favourite buildings."""
    table = titled("How it plays")
    table.add_column("")
    table.add_column("")
    means = result.points[result.played].mean(axis=(0, 1))
    sources = zip(result.game.point_sources, means, strict=True)
    table.add_row("points by source", ", ".join(f"{words(source)} {mean:.1f}" for source, mean in sources))
    for seat, roles in enumerate(opening_roles(result)):
        table.add_row(f"first role of seat {seat + 1}", _most(roles, len(result)))
    everybody, winners = favourite_buildings(result)
    table.add_row("buildings of all players", _most(everybody, result.ranks.size))
    table.add_row("buildings of winners", _most(winners, int((result.ranks == 1).sum())))
    return table


def opening_roles(result: MatchResult) -> list[Counter[str]]:
    """For each seat the roles that it picked in the first round. Needs the actions."""
    roles = {action.number: str(action.name[1]) for action in ACTIONS if action.name[0] == "pick"}
    counts: list[Counter[str]] = [Counter() for _ in range(result.game.players)]
    for actions in result.actions or []:
        picks = [roles[action] for action in actions if action in roles]
        for seat, role in enumerate(picks[: result.game.players]):  # the first round goes around once
            counts[seat][role] += 1
    return counts


def favourite_buildings(result: MatchResult) -> tuple[Counter[str], Counter[str]]:
    """How many players, and how many winners, own each building at the end. Needs the records of the games."""
    assert result.games is not None
    owned = result.games["city"][:, : result.game.players] != NOT_BUILT
    everybody = dict(zip(BUILDING_NAMES, owned.sum(axis=(0, 1)).tolist(), strict=True))
    winners = dict(zip(BUILDING_NAMES, owned[result.ranks == 1].sum(axis=0).tolist(), strict=True))
    return Counter(everybody), Counter(winners)


def difference(result: MatchResult) -> str:
    """What differs from games between experts, in a sentence out of the figures."""
    corn = float(result.win_shares[:, 2:].sum(axis=1).mean())
    known_corn = sum(EXPERTS_4.wins[2:])
    ends = result.ends()
    return (
        f"What differs: seats 3 and 4, which start with corn, win {corn:.1%} together (experts: {known_corn:.1%}; "
        f"without any advantage: 50 %); games take {result.mean_rounds():.1f} rounds (experts: {EXPERTS_4.rounds}); "
        f"{ends['chips']:.0%} end by chips (experts: few). An agent that plays against itself follows one plan in "
        "every seat, where experts take what the others leave."
    )


def _most(counts: Counter[str], of: int) -> str:
    return ", ".join(f"{words(name)} {count / of:.0%}" for name, count in counts.most_common(MOST_NAMED) if count)


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False)
    console.print()
