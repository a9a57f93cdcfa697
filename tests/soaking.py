"""Many random games of any game, with all checks after every step."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pr_env import Batch, IllegalActionError
from pr_env.game import Game


class SoakError(AssertionError):
    """An invariant is violated."""


def soak(
    game: Game,
    games: int,
    seed: int,
    batch_size: int = 1024,
    on_games: Callable[[int], object] = int,
    also: Callable[[Batch], object] = bool,
) -> int:
    """Play at least a number of random games to their end and check every position.

    Args:
        game: The game in one configuration.
        games: The number of games to complete.
        seed: The seed of the first game.
        batch_size: The number of games played in parallel.
        on_games: Called with the number of games that have just ended.
        also: An additional check after every step.

    Returns:
        The number of decisions.
    """
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
        also(batch)
        ended = batch.terminated | batch.truncated
        if ended.any():
            _check_results(batch, ended)
            finished += int(ended.sum())
            on_games(int(ended.sum()))
    return decisions


def check(condition: bool | np.bool_, what: str) -> None:
    """Raise an error unless the condition is true."""
    if not condition:
        raise SoakError(what)


def _check_positions(batch: Batch) -> None:
    problems = batch.game.problems(batch.games)
    check(not problems, "; ".join(problems[:3]))
    check((batch.mask.sum(axis=1) >= 2).all(), "a decision with fewer than two legal actions was asked")
    check(np.array_equal(batch.mask, batch.games["legal"] != 0), "mask and record do not agree")
    check(np.isfinite(batch.observation).all(), "an observation is not finite")
    check((np.abs(batch.observation) <= 10).all(), "an observation is far off its scale")


def _check_results(batch: Batch, ended: np.ndarray) -> None:
    final = batch.final[ended]
    players = batch.game.players
    check((final["total"] == final["points"].sum(axis=2)).all(), "points by source do not add up")
    check((final["rank"][:, :players].min(axis=1) == 1).all(), "nobody has the first rank")
    check((final["ending"] != 0).all(), "a game ended without a reason")
    shares, paid = final["win_share"][:, :players], batch.reward[batch.terminated][:, :players]
    if len(set(batch.game.teams)) > 1:
        check(np.allclose(shares.sum(axis=1), 1), "win shares do not add up to 1")
        check(np.allclose(paid.sum(axis=1), 1), "the rewards of a finished game do not add up to 1")
    else:
        check(np.isin(shares, (0, 1)).all(), "a team has won in part")
        check((shares == shares[:, :1]).all(), "a team has not won together")
        check((paid == paid[:, :1]).all(), "a team is not paid alike")


def _check_that_illegal_actions_change_nothing(batch: Batch, chance: np.random.Generator) -> None:
    """Play one illegal action among legal ones: the error names it, and no game of the batch changes."""
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
        check(name in str(error) and f"game {index}" in str(error), f"the error does not name the action: {error}")
        legal = batch.legal_actions(index)
        check(all(str(action) in str(error) for action in legal), f"the error does not name the legal ones: {error}")
    else:
        raise SoakError(f"illegal action {number} was played")
    check(before[: -8 * len(batch)] == batch.save()[: -8 * len(batch)], "an illegal action changed a game")


def run(
    make: Callable[..., Game],
    configurations: dict[str, list[dict[str, Any]]],
    games: int,
    also: Callable[[Batch], object] = bool,
) -> None:
    """Run the command line.

    Args:
        make: The class of the game.
        configurations: The configurations, by their names on the command line.
        games: The default number of games in total.
        also: An additional check after every step.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    parser = argparse.ArgumentParser(description="Play random games and check every position of them.")
    parser.add_argument("--games", type=int, default=games, help="number of games, over all configurations")
    parser.add_argument("--of", choices=configurations, nargs="+", default=list(configurations), help="configurations")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game")
    options = parser.parse_args()
    total = 0
    try:
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        ) as progress:
            chosen = [configuration for name in options.of for configuration in configurations[name]]
            share = -(-options.games // len(chosen))
            names = [", ".join(f"{key} {value}" for key, value in configuration.items()) for configuration in chosen]
            tasks = [progress.add_task(name, total=share) for name in names]
            for configuration, task in zip(chosen, tasks, strict=True):
                game = make(**configuration)
                total += soak(game, share, options.seed, on_games=partial(progress.advance, task), also=also)
    except SoakError as error:
        sys.exit(f"soak failed: {error}")
    print(f"{share * len(chosen):,} games, {total:,} decisions: all positions possible, nothing created or lost.")
