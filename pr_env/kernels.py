"""The loops over many games of any kind. Python calls these kernels; everything they call is compiled into them.

Each loop works only on the games it is given, so that threads can each take a part of a batch. The rules are found by
the type of the records (see rules.py); ``kernel.of(rules)`` is the kernel for one game.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from pr_env.compiling import compiled, kernel, parallel_kernel
from pr_env.playing import play_on
from pr_env.randomness import next_state, random_bits
from pr_env.rewards import after_decision, at_the_end, before_decision
from pr_env.rules import (
    ACTING,
    Record,
    is_over,
    new_scratch,
    observe,
    refresh,
    resample,
    set_up,
    step,
    truncated,
    write_final,
)


@kernel
def reset_games(games: np.ndarray, tables: np.ndarray, seeds: np.ndarray) -> None:
    """Set up every game with its seed. The records already contain the configuration."""
    for i in range(games.shape[0]):
        set_up(games[i], tables[0], seeds[i])


@kernel
def refresh_games(games: np.ndarray, tables: np.ndarray) -> None:
    """Advance externally written games to their next decision."""
    for i in range(games.shape[0]):
        refresh(games[i], tables[0])


@kernel
def resample_games(games: np.ndarray, tables: np.ndarray, viewers: np.ndarray, chances: np.ndarray) -> None:
    """Redraw what each game's viewer cannot know."""
    for i in range(games.shape[0]):
        resample(games[i], tables[0], viewers[i], chances[i])


@kernel
def score_games(games: np.ndarray, tables: np.ndarray, finals: np.ndarray) -> None:
    """Write the final record of every game as if it ended now."""
    for i in range(games.shape[0]):
        write_final(games[i], tables[0], finals[i])


@kernel
def find_over(games: np.ndarray, over: np.ndarray) -> None:
    """Which games have ended."""
    for i in range(games.shape[0]):
        over[i] = is_over(games[i])


@kernel
def find_truncated(games: np.ndarray, cut: np.ndarray) -> None:
    """Which of the games that have ended were truncated."""
    for i in range(games.shape[0]):
        cut[i] = truncated(games[i])


@kernel
def look_at_games(
    games: np.ndarray,
    tables: np.ndarray,
    viewer: int,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
) -> None:
    """Write each game's acting player, mask and, if there is room, the view of a seat, or ACTING or EVERYTHING."""
    scratch = new_scratch(games)
    for i in range(games.shape[0]):
        seat = games[i].player if viewer == ACTING else viewer
        _look(games[i], tables[0], i, seat, scratch, players, masks, observations)


@compiled
def _look(
    game: Record,
    tables: Record,
    i: int,
    viewer: int,
    scratch: np.ndarray,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
) -> None:
    players[i] = game.player
    over = is_over(game)  # its mask is all True: the choice does not matter, and no softmax divides by 0
    for action in range(game.legal.shape[0]):
        masks[i, action] = game.legal[action] != 0 or over
    if observations.shape[1] > 0:
        observe(game, tables, viewer, scratch, observations[i])


@compiled
def _first_illegal(games: np.ndarray, actions: np.ndarray, where: np.ndarray) -> int:
    """The first game to be stepped whose action is illegal, or -1. A game that is over accepts any action."""
    for i in range(games.shape[0]):
        if not where[i]:
            continue
        action = actions[i]
        if action < 0 or action >= games[i].legal.shape[0]:
            return i
        if games[i].legal[action] == 0 and not is_over(games[i]):
            return i
    return -1


@compiled
def _step_all(
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    where: np.ndarray,
    scheme: int,
    autoreset: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> int:
    illegal = _first_illegal(games, actions, where)
    if illegal >= 0:
        return illegal
    scratch = new_scratch(games)
    for i in range(games.shape[0]):
        game = games[i]
        terminated[i] = False
        truncations[i] = False
        if not where[i] or is_over(game):  # over: only without autoreset
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = 0
            continue
        before_decision(game, tables[0], scheme, rewards[i])
        step(game, tables[0], actions[i])
        after_decision(game, tables[0], scheme, rewards[i])
        if is_over(game):
            _hand_out(game, tables[0], i, scheme, rewards, terminated, truncations, finals)
            if autoreset:
                set_up(game, tables[0], _next_seed(game))
        _look(game, tables[0], i, game.player, scratch, players, masks, observations)
    return -1


@compiled
def _hand_out(
    game: Record,
    tables: Record,
    i: int,
    scheme: int,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> None:
    """Write the result of a game that is over."""
    write_final(game, tables, finals[i])
    truncations[i] = truncated(game)
    terminated[i] = not truncations[i]
    if terminated[i]:
        at_the_end(finals[i], scheme, rewards[i])


@compiled
def _next_seed(game: Record) -> np.uint64:
    """The seed of the next game, drawn from the generator of the one that ended."""
    game.rng = next_state(game.rng)
    high = random_bits(game.rng)
    game.rng = next_state(game.rng)
    return (high << np.uint64(32)) | random_bits(game.rng)


@kernel
def step_games(
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    where: np.ndarray,
    scheme: int,
    autoreset: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> int:
    """Play one action in every game that ``where`` selects. Games that end write their result and may restart.

    Returns -1, or the index of the first game whose action is illegal; in that case nothing is played.
    """
    return _step_all(
        games,
        tables,
        actions,
        where,
        scheme,
        autoreset,
        players,
        masks,
        observations,
        rewards,
        terminated,
        truncations,
        finals,
    )


@parallel_kernel
def step_games_together(
    threads: int,
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    where: np.ndarray,
    scheme: int,
    autoreset: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> int:
    """The same with each thread on its part of the batch."""
    count = games.shape[0]
    illegal = np.empty(threads, np.int64)
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        illegal[part] = _first_illegal(games[start:stop], actions[start:stop], where[start:stop])
    for part in range(threads):
        if illegal[part] >= 0:
            return count * part // threads + illegal[part]  # type: ignore[no-any-return]
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        _step_all(
            games[start:stop],
            tables,
            actions[start:stop],
            where[start:stop],
            scheme,
            autoreset,
            players[start:stop],
            masks[start:stop],
            observations[start:stop],
            rewards[start:stop],
            terminated[start:stop],
            truncations[start:stop],
            finals[start:stop],
        )
    return -1


@compiled
def _play_on_in_all(
    games: np.ndarray,
    tables: np.ndarray,
    policies: np.ndarray,
    generators: np.ndarray,
    look_at_all: bool,
    scheme: int,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> None:
    scratch = new_scratch(games)
    for i in range(games.shape[0]):
        game = games[i]
        terminated[i] = False
        truncations[i] = False
        was_over = is_over(game)
        before_decision(game, tables[0], scheme, rewards[i])
        decisions = play_on(game, tables[0], policies[i], generators[i : i + 1])
        after_decision(game, tables[0], scheme, rewards[i])
        if is_over(game) and not was_over:
            _hand_out(game, tables[0], i, scheme, rewards, terminated, truncations, finals)
        if decisions > 0 or look_at_all:
            _look(game, tables[0], i, game.player, scratch, players, masks, observations)


@kernel
def play_on_in_games(
    games: np.ndarray,
    tables: np.ndarray,
    policies: np.ndarray,
    generators: np.ndarray,
    look_at_all: bool,
    scheme: int,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> None:
    """Play random actions in every game until it is the turn of a seat that must be asked, or the game is over.

    ``policies`` (games, seats) says which seats are ASKED and which play BY_CHANCE. Observations are written for the
    games in which something was played, or for all.
    """
    _play_on_in_all(
        games,
        tables,
        policies,
        generators,
        look_at_all,
        scheme,
        players,
        masks,
        observations,
        rewards,
        terminated,
        truncations,
        finals,
    )


@parallel_kernel
def play_on_in_games_together(
    threads: int,
    games: np.ndarray,
    tables: np.ndarray,
    policies: np.ndarray,
    generators: np.ndarray,
    look_at_all: bool,
    scheme: int,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> None:
    """The same with each thread on its part of the batch."""
    count = games.shape[0]
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        _play_on_in_all(
            games[start:stop],
            tables,
            policies[start:stop],
            generators[start:stop],
            look_at_all,
            scheme,
            players[start:stop],
            masks[start:stop],
            observations[start:stop],
            rewards[start:stop],
            terminated[start:stop],
            truncations[start:stop],
            finals[start:stop],
        )
