"""The report at the end of a training run: a table of win rates, a plot of the learning curve, and a replay."""

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
from training.evaluation import ITSELF, SECONDS, Measured, Yardstick
from training.log import STEP, WIN_SHARE

matplotlib.use("Agg")  # plot to files, without a window
from matplotlib import pyplot

BUSY = 0.4  # below this share of the speed measured at the start, the machine had other load


def title_of(game: Game) -> str:
    """A short description of a game."""
    return f"{game.name}, {game.players} player{'' if game.players == 1 else 's'}"


def table_of(measured: Mapping[str, Measured], game: Game, yardstick: Yardstick) -> Table:
    """The results of an agent against each opponent."""
    games = next(iter(measured.values())).games
    compared = f"{yardstick.words} {yardstick.share:.0%}"
    title = f"The agent in {title_of(game)}, {games} games each ({compared})"
    table = Table(title=title)
    for column in ("the others", "wins", "95 % interval", "points", "theirs", game.length_unit):
        table.add_column(column, justify="left" if column == "the others" else "right")
    for name, found in measured.items():
        table.add_row(
            name if name in ITSELF else f"{game.players - 1} x {name}",
            f"{found.wins.mean:.1%}",
            f"{found.wins.low:.1%} - {found.wins.high:.1%}",
            f"{found.points:.1f}",
            "" if found.theirs is None else f"{found.theirs:.1f}",
            f"{found.length:.1f}",
        )
    return table


def best_response_words(measured: Mapping[str, Measured]) -> list[str]:
    """The win rates of an approximate best response, in sentences that can be quoted."""
    return [
        f"Approximate best response to {name}: wins {found.wins.mean:.1%} "
        f"[{found.wins.low:.1%}, {found.wins.high:.1%}] of {found.games:,} games on fresh seeds (from {found.seed}). "
        "This is a lower bound: a longer or different training run may find a better response."
        for name, found in measured.items()
    ]


def verdict(
    measured: Mapping[str, Measured], yardstick: Yardstick, decisions: int, rate: float, promised: float
) -> list[str]:
    """A warning if an agent learned very little, with the likely reasons; empty otherwise.

    Args:
        measured: Its results, by opponent.
        yardstick: The win rate that it should exceed.
        decisions: Number of decisions learned from.
        rate: Decisions per second over the whole run.
        promised: Decisions per second measured at the start, without playing.
    """
    beaten = [name for name, found in measured.items() if found.wins.low > yardstick.share]
    others = [name for name in measured if name not in beaten]
    if not beaten:
        sentences = [f"It has learned very little: it wins no more than {yardstick.share:.0%}, {yardstick.words}."]
    elif beaten == ["random"] and others:
        sentences = [f"It is stronger than random play, but not yet stronger than {', '.join(others)}."]
    else:
        return []
    if rate < BUSY * promised:
        sentences.append(
            f"It learned from {rate:,.0f} decisions per second, but the measurement at the start allowed "
            f"{promised:,.0f}: the machine is busy, or playing takes most of the time."
        )
    sentences.append(f"{decisions:,} decisions are too few: train longer (--minutes, --decisions).")
    return sentences


def draw_curve(rows: Sequence[Mapping[str, float]], game: Game, yardstick: Yardstick, path: Path) -> None:
    """Plot win rates, points and entropy over the decisions learned from."""
    figure, (wins, rest) = pyplot.subplots(2, 1, figsize=(8, 7), sharex=True, layout="constrained")
    for name in sorted({name for row in rows for name in row if name.startswith(WIN_SHARE)}):
        steps, values = _column(rows, name)
        opponent = name.removeprefix(WIN_SHARE)
        wins.plot(steps, values, marker=".", label=opponent if opponent in ITSELF else f"against {opponent}")
    wins.axhline(yardstick.share, color="grey", linestyle=":", label=yardstick.words)
    wins.set(ylabel="win rate", ylim=(0, 1.02), title=title_of(game))
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
    """Save one game of the agent against itself."""
    match = play_match(game, [agent], games=1, seed=seed, seconds=SECONDS, keep_actions=True)
    assert match.actions is not None
    replay.save(path, [replay.Replay(game, seed, match.actions[0], ("ppo",) * game.players)])


def _column(rows: Sequence[Mapping[str, float]], name: str) -> tuple[np.ndarray, np.ndarray]:
    points = [(row[STEP] / 1e6, row[name]) for row in rows if name in row and not np.isnan(row[name])]
    steps, values = np.array(points).reshape(-1, 2).T
    return steps, values
