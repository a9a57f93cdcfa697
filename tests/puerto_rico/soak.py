"""Very many random games, with everything checked after every step.

``python -m tests.puerto_rico.soak`` plays 100,000 games over all player counts and variants with a progress bar.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pr_env import Batch, IllegalActionError, PuertoRico


class SoakError(AssertionError):
    """Something that must never happen has happened."""


CONFIGURATIONS: dict[str, list[dict[str, Any]]] = {
    "base": [{"players": players} for players in (2, 3, 4, 5)],
    "balanced": [{"players": players, "balanced": True} for players in (2, 3, 4, 5)],
    "draft": [{"players": players, "buildings": "draft"} for players in (2, 3, 4, 5, 6)],
    "random": [{"players": players, "buildings": "random", "balanced": True} for players in (2, 3, 4, 5, 6)],
    "variants": [
        {"players": 6},
        {"players": 6, "six_players": "governor"},
        {"players": 6, "six_players": "governor", "buildings": "random"},
        {"players": 5, "double_cards": True},
        {"players": 5, "double_cards": True, "buildings": "draft"},
        {"players": 2, "buildings": "random", "two_player_library": "round"},
        {"players": 4, "buildings": "random", "small_wharf_harbor": "kind"},
        {"players": 3, "buildings": "random", "hacienda_with_forest_house": "excluded"},
    ],
}


def soak(
    game: PuertoRico, games: int, seed: int, batch_size: int = 1024, on_games: Callable[[int], object] = int
) -> int:
    """Play at least so many random games to their end and check every position; returns the number of decisions."""
    batch = Batch(game, min(batch_size, games), seed=seed)
    chance = np.random.default_rng(seed)
    finished = decisions = 0
    while finished < games:
        actions = batch.sample_actions()
        if decisions % (50 * len(batch)) == 0:
            _check_that_illegal_actions_change_nothing(batch, chance)
        batch.step(actions)
        decisions += len(batch)
        _check_positions(batch)
        ended = batch.terminated | batch.truncated
        if ended.any():
            _check_results(batch, ended)
            finished += int(ended.sum())
            on_games(int(ended.sum()))
    return decisions


def _check(condition: bool | np.bool_, what: str) -> None:
    if not condition:
        raise SoakError(what)


def _check_positions(batch: Batch) -> None:
    problems = batch.game.problems(batch.games)
    _check(not problems, "; ".join(problems[:3]))
    _check((batch.mask.sum(axis=1) >= 2).all(), "a decision with fewer than two legal actions was asked")
    _check(np.array_equal(batch.mask, batch.games["legal"] != 0), "mask and record do not agree")
    _check(np.isfinite(batch.observation).all(), "an observation is not finite")
    _check((np.abs(batch.observation) <= 10).all(), "an observation is far off its scale")


def _check_results(batch: Batch, ended: np.ndarray) -> None:
    final = batch.final[ended]
    players = batch.game.players
    _check((final["total"] == final["points"].sum(axis=2)).all(), "points by source do not add up")
    _check(np.allclose(final["win_share"].sum(axis=1), 1), "win shares do not add up to 1")
    _check((final["rank"][:, :players].min(axis=1) == 1).all(), "a game has no winner")
    _check((final["ending"] != 0).all(), "a game ended without a reason")
    paid = batch.reward[batch.terminated].sum(axis=1)
    _check(np.allclose(paid, 1), "the rewards of a finished game do not add up to 1")


def _check_that_illegal_actions_change_nothing(batch: Batch, chance: np.random.Generator) -> None:
    """One illegal action among legal ones: it is named, and no game of the batch changes."""
    before = batch.save()
    actions = batch.sample_actions()
    index = int(chance.integers(len(batch)))
    illegal = np.flatnonzero(~batch.mask[index])
    number = int(chance.choice(illegal))
    actions[index] = number
    try:
        batch.step(actions)
    except IllegalActionError as error:
        name = " ".join(str(part) for part in batch.game.actions[number].name)
        _check(name in str(error) and f"game {index}" in str(error), f"the error does not name the action: {error}")
        legal = batch.legal_actions(index)
        _check(all(str(action) in str(error) for action in legal), f"the error does not name the legal ones: {error}")
    else:
        raise SoakError(f"illegal action {number} was played")
    _check(before[: -8 * len(batch)] == batch.save()[: -8 * len(batch)], "an illegal action changed a game")


def main() -> None:
    """Play the games that the command line asks for."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    parser = argparse.ArgumentParser(description="Play random games and check every position of them.")
    parser.add_argument("--games", type=int, default=100_000, help="games in all, shared by the configurations")
    parser.add_argument("--of", choices=CONFIGURATIONS, nargs="+", default=list(CONFIGURATIONS), help="which games")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game")
    options = parser.parse_args()
    total = 0
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    ) as progress:
        chosen = [configuration for name in options.of for configuration in CONFIGURATIONS[name]]
        share = -(-options.games // len(chosen))
        names = [", ".join(f"{key} {value}" for key, value in configuration.items()) for configuration in chosen]
        tasks = [progress.add_task(name, total=share) for name in names]
        for configuration, task in zip(chosen, tasks, strict=True):
            game = PuertoRico(**configuration)
            total += soak(game, share, options.seed, on_games=partial(progress.advance, task))
    print(f"{options.games:,} games, {total:,} decisions: every position possible, nothing created or lost.")


if __name__ == "__main__":
    try:
        main()
    except SoakError as error:
        sys.exit(f"soak failed: {error}")
