"""What a training shows at its end: a table against the other agents, the curve as a picture, and one replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np
from rich.table import Table

from agents import Agent
from agents.arena import play_match
from pr_env import replay
from pr_env.game import Game
from training.evaluation import OPPONENTS, play_against
from training.log import STEP, WIN_SHARE

matplotlib.use("Agg")  # a picture in a file; no window
from matplotlib import pyplot


def arena_table(agent: Agent, game: Game, games: int, seed: int, opponents: Sequence[str] = OPPONENTS) -> Table:
    """One agent against copies of each opponent, seats balanced."""
    table = Table(
        title=f"The agent against {game.players - 1} of each, {games} games (fair share {1 / game.players:.0%})"
    )
    for column in ("opponents", "wins", "95 % interval", "points", "theirs", "rounds"):
        table.add_column(column, justify="left" if column == "opponents" else "right")
    for name in opponents:
        result = play_against(agent, name, game, games, seed)
        own, other = result.summary()
        table.add_row(
            name,
            f"{own['win_share']:.1%}",
            f"{own['win_share_low']:.1%} - {own['win_share_high']:.1%}",
            f"{own['points']:.1f}",
            f"{other['points']:.1f}",
            f"{result.mean_length():.1f}",
        )
    return table


def draw_curve(rows: Sequence[Mapping[str, float]], players: int, path: Path) -> None:
    """Win shares, points and entropy over the decisions that were learned from."""
    figure, (wins, rest) = pyplot.subplots(2, 1, figsize=(8, 7), sharex=True, layout="constrained")
    for name in sorted({name for row in rows for name in row if name.startswith(WIN_SHARE)}):
        steps, values = _column(rows, name)
        wins.plot(steps, values, marker=".", label=f"against {name.removeprefix(WIN_SHARE)}")
    wins.axhline(1 / players, color="grey", linestyle=":", label="fair share")
    wins.set(ylabel="share of wins", ylim=(0, 1.02), title=f"{players} players")
    wins.legend(loc="lower right")
    rest.plot(*_column(rows, "points"), color="tab:green")
    rest.set(xlabel="decisions learned from (millions)")
    rest.set_ylabel("points of the learner", color="tab:green")
    entropy = rest.twinx()
    entropy.plot(*_column(rows, "entropy"), color="tab:purple")
    entropy.set_ylabel("entropy of the policy", color="tab:purple")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def save_replay(agent: Agent, game: Game, seed: int, path: Path) -> None:
    """One game of the agent against itself."""
    result = play_match(game, [agent], games=1, seed=seed, keep_actions=True)
    replay.save(path, result.replays()[:1])


def _column(rows: Sequence[Mapping[str, float]], name: str) -> tuple[np.ndarray, np.ndarray]:
    points = [(row[STEP] / 1e6, row[name]) for row in rows if name in row and not np.isnan(row[name])]
    steps, values = np.array(points).reshape(-1, 2).T
    return steps, values
