"""Comparison of the simulator with known figures of Puerto Rico.

``make validate`` prints it. A strong agent is added with ``--agent NAME``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from rich.console import Console
from rich.table import Table

from agents.agent import Agent
from agents.arena import MatchResult, Progress, play_match
from agents.arena.asking import WARM_UP_SECONDS
from agents.arena.report import faults, percent, titled, words
from agents.puerto_rico.habits import Buildings, OpeningRoles
from agents.random_agent import RandomAgent
from agents.registry import make_agent
from pr_env.game import Game
from pr_env.puerto_rico import PuertoRico
from pr_env.puerto_rico.state import MAYOR_PHASE

# The default strong games: one agent against itself, and four scripted agents at one table
STRONG_TABLES = ("ppo", "builder + shipper + trader + greedy")
SHIPPED = "ppo"  # the shipped agent is also shown with every other number of players
MOST_NAMED = 6  # favourite buildings and roles


@dataclass(frozen=True)
class Known:
    """Known figures of a kind of play.

    Attributes:
        players: Number of players.
        wins: Win rate of each seat; empty if unknown.
        points: Mean points of each seat, if known.
        rounds: Length of games, in words.
        ends: How often games end for each reason, in words.
        winning_points: Points of winners, in words.
    """

    players: int
    wins: tuple[float, ...] = ()
    points: tuple[float, ...] | None = None
    rounds: str = ""
    ends: Mapping[str, str] = field(default_factory=dict)
    winning_points: str = ""


RANDOM_3 = Known(players=3, wins=(0.24, 0.24, 0.52), ends={"colonists": "over 90 %"})
RANDOM_4 = Known(players=4, wins=(0.16, 0.16, 0.35, 0.33), ends={"colonists": "over 90 %"})
EXPERTS_4 = Known(  # 346 games between experts
    players=4,
    wins=(0.211, 0.174, 0.309, 0.306),
    points=(42.2, 40.8, 43.5, 43.2),
    rounds="about 15",
    ends={"colonists": "as often as city", "city": "as often as colonists", "chips": "few"},
    winning_points="about 36 to 65",
)
NOTHING_KNOWN = tuple(Known(players=players) for players in (2, 3, 5))

RANDOM_DIFFERS = (
    "Differences: the known figures are for random players whose colonists are placed sensibly, by an unknown rule, "
    "so four rules are shown. The rule matters: each empty circle in a building adds a colonist to the next ship, and "
    "corn needs no building. With plantations first, more games end by colonists and the corn seats win more; with "
    "buildings first, fewer. The known figures lie between random placement and plantations first."
)


class RandomPlacing(Agent):
    """Chooses at random, but places its colonists by a rule.

    Args:
        game: The game to play.
        rule: One of PLACEMENTS.
        seed: The same seed gives the same choices.
    """

    needs_observations: ClassVar[bool] = False
    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game, rule: str, *, seed: int = 0) -> None:
        super().__init__(game)
        self._random = RandomAgent(game, seed=seed)
        self._place = PLACEMENTS[rule]

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        assert games is not None
        actions = self._random.choose(observations, masks)
        index = np.flatnonzero(games["phase"] == MAYOR_PHASE)
        if self._place is not None and len(index):
            actions[index] = self._place(masks[index], np.take(games, index))
        return actions


def _as_many_as_possible(masks: np.ndarray, games: np.ndarray) -> np.ndarray:
    """As many as possible on every kind of circle; plantations come first."""
    return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


def _as_few_as_possible(masks: np.ndarray, games: np.ndarray) -> np.ndarray:
    """As few as possible on every kind of circle, so that most are left for the buildings, which come last."""
    return np.asarray(masks.argmax(axis=1))


def _as_a_builder(masks: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Like a scripted agent."""
    return make_agent("builder", PuertoRico(players=int(games["players"][0]))).choose(
        np.zeros((len(masks), 0), np.float32), masks, games
    )


PLACEMENTS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray] | None] = {
    "by chance": None,
    "plantations first": _as_many_as_possible,
    "buildings first": _as_few_as_possible,
    "as the agent builder": _as_a_builder,
}


def print_report(
    console: Console,
    agents: Sequence[str] = (),
    *,
    random_games: int,
    strong_games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> None:
    """Play, and print the report.

    Args:
        console: The console to print to.
        agents: The agents to compare with experts: an agent that plays against itself, or several joined by `` + ``
            that share a table (the last one takes the remaining seats). None: STRONG_TABLES, and SHIPPED with other
            numbers of players.
        random_games: Games of each kind of random play.
        strong_games: Games of each strong agent.
        seed: The first seed.
        progress: Receives progress reports.

    Raises:
        ValueError: If there is no such agent.
    """
    strong = [name.split(" + ") for name in agents or STRONG_TABLES]  # ppo+mcts is one agent
    for table in strong:
        for name in table:
            make_agent(name, PuertoRico(players=EXPERTS_4.players))  # raises before anything is played
    for known in (RANDOM_3, RANDOM_4):
        game = PuertoRico(players=known.players)
        results = {
            rule: play_match(
                game,
                [RandomPlacing(game, rule, seed=seed)],
                games=random_games,
                seed=seed,
                seconds=WARM_UP_SECONDS,  # its scripted part may have to compile
                progress=progress,
            )
            for rule in PLACEMENTS
        }
        console.print(compare(f"Random play, {known.players} players; colonists are placed ...", results, known))
        _warn(console, results)
    _say(console, RANDOM_DIFFERS)
    for table in strong:
        result = _play_strongly(console, table, EXPERTS_4, strong_games, seed, progress)
        if result.played.any():
            _say(console, difference(result))
    if not agents:
        for known in NOTHING_KNOWN:
            _play_strongly(console, [SHIPPED], known, strong_games, seed, progress)


def _play_strongly(
    console: Console, table: Sequence[str], known: Known, games: int, seed: int, progress: Progress | None
) -> MatchResult:
    """Play games of strong agents, and print their figures and their style of play."""
    game = PuertoRico(players=known.players)
    roles, buildings = OpeningRoles(), Buildings()
    result = play_match(game, table, games=games, seed=seed, hooks=[roles, buildings], progress=progress)
    who = f"{table[0]} against itself" if len(table) == 1 else " + ".join(table)
    title = f"Strong play, {known.players} players" + ("; known: experts" if known.wins else "")
    console.print(compare(title, {who: result}, known))
    _warn(console, {who: result})
    if result.played.any():
        if len(table) > 1:
            console.print(result.table())
        console.print(habits(result, roles, buildings))
    return result


def compare(title: str, results: Mapping[str, MatchResult], known: Known) -> Table:
    """Our figures next to the known ones, by seat and in total; results without completed games are left out."""
    results = {who: result for who, result in results.items() if result.played.any()}
    table = titled(title, "in brackets: 95 % intervals; winning points: 5 % quantile, median, 95 % quantile")
    table.add_column("")
    for who in results:
        table.add_column(who)
    if known.wins:
        table.add_column("known")

    def row(name: str, cells: list[str], known_cell: str) -> None:
        table.add_row(name, *cells, *([known_cell] if known.wins else []))

    ours = results.values()
    row("games", [f"{len(result):,}" for result in ours], "")
    for seat in range(known.players):
        wins = [percent(result.wins_of_seat(seat)) for result in ours]
        row(f"wins of seat {seat + 1}", wins, f"{known.wins[seat]:.1%}" if known.wins else "")
    for seat in range(known.players):
        points = [result.points_of_seat(seat) for result in ours]
        cells = [f"{mean:.1f} [{low:.1f}, {high:.1f}]" for mean, low, high in points]
        row(f"points of seat {seat + 1}", cells, f"{known.points[seat]:.1f}" if known.points else "")
    row("rounds", [f"{result.mean_length():.1f}" for result in ours], known.rounds)
    for reason in ("colonists", "city", "chips"):
        shares = [f"{result.ends()[reason]:.1%}" for result in ours]
        row(f"ended by {reason}", shares, known.ends.get(reason, ""))
    quantiles = [", ".join(f"{points:.0f}" for points in winning_points(result)) for result in ours]
    row("winning points", quantiles, known.winning_points)
    return table


def winning_points(result: MatchResult) -> tuple[float, float, float]:
    """The points of winners: the 5 %, 50 % and 95 % quantiles."""
    best = result.points.sum(axis=-1).max(axis=1)[result.played]
    low, middle, high = np.quantile(best, [0.05, 0.5, 0.95])
    return float(low), float(middle), float(high)


def habits(result: MatchResult, opening: OpeningRoles, buildings: Buildings) -> Table:
    """The style of play in these games: points by source, opening roles and favourite buildings."""
    table = titled("How it plays")
    table.add_column("")
    table.add_column("")
    means = result.points[result.played].mean(axis=(0, 1))
    sources = zip(result.game.point_sources, means, strict=True)
    table.add_row("points by source", ", ".join(f"{words(source)} {mean:.1f}" for source, mean in sources))
    for seat, roles in enumerate(opening.counts):
        table.add_row(f"first role of seat {seat + 1}", _most(roles, len(result)))
    table.add_row("buildings of all players", _most(buildings.everybody, buildings.players))
    table.add_row("buildings of winners", _most(buildings.winners, buildings.won))
    return table


def difference(result: MatchResult) -> str:
    """The differences to games between experts, in a sentence."""
    corn = float(result.win_shares[:, 2:].sum(axis=1).mean())
    known_corn = sum(EXPERTS_4.wins[2:])
    ends = result.ends()
    return (
        f"Differences: seats 3 and 4, which start with corn, win {corn:.1%} together (experts: {known_corn:.1%}; "
        f"without any advantage: 50 %); games take {result.mean_length():.1f} rounds (experts: {EXPERTS_4.rounds}); "
        f"{ends['colonists']:.0%} end by colonists and {ends['city']:.0%} by a full city (experts: about as often), "
        f"{ends['chips']:.0%} by chips (experts: few). Experts adapt to each other at the table; these agents always "
        "play as they did against the agents that they were developed with."
    )


def _most(counts: Counter[str], of: int) -> str:
    return ", ".join(f"{words(name)} {count / of:.0%}" for name, count in counts.most_common(MOST_NAMED) if count)


def _warn(console: Console, results: Mapping[str, MatchResult]) -> None:
    """Warn about abandoned games: they count as wins of the others, so the figures are not valid."""
    for who, result in results.items():
        if result.faults:
            console.print(
                f"NOT VALID: {who}: {len(result.faults):,} of {len(result):,} games were abandoned", style="bold"
            )
            for line in faults([result]):
                console.print(line, highlight=False)


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False)
    console.print()
