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
from pr_env.rewards import after_decisions, at_the_end, before_decisions
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

BLOCK = 512  # games that are stepped together: few enough to stay in a processor's second cache


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
    everywhere = np.ones(games.shape[0], np.bool_)
    _look(games, tables, viewer, 0, games.shape[0], everywhere, new_scratch(games), players, masks, observations)


@compiled
def _look(
    games: np.ndarray,
    tables: np.ndarray,
    viewer: int,
    start: int,
    stop: int,
    where: np.ndarray,
    scratch: np.ndarray,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
) -> None:
    """Write player to move, mask and observation of the games from ``start`` to ``stop`` at which ``where`` is True.

    In two loops: in one loop with the observations, copying the masks takes 3 ns longer.
    """
    for i in range(start, stop):
        if where[i - start]:
            players[i] = games[i].player
            _write_mask(games[i], masks[i])
    if observations.shape[1] > 0:
        for i in range(start, stop):
            if where[i - start]:
                seat = games[i].player if viewer == ACTING else viewer
                observe(games[i], tables[0], seat, scratch, observations[i])


@compiled
def _write_mask(game: Record, mask: np.ndarray) -> None:
    over = is_over(game)  # its mask is all True: the choice does not matter, and no softmax divides by 0
    for action in range(mask.shape[0]):
        mask[action] = (game.legal[action] != 0) | over


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
    count = games.shape[0]
    played = np.empty(min(count, BLOCK), np.bool_)
    order = np.empty(min(count, BLOCK), np.int64)
    first = np.empty(masks.shape[1] + 1, np.int64)
    scratch = new_scratch(games)
    for start in range(0, count, BLOCK):
        _step_block(
            games,
            tables,
            actions,
            where,
            scheme,
            autoreset,
            start,
            min(count, start + BLOCK),
            played,
            first,
            order,
            scratch,
            players,
            masks,
            observations,
            rewards,
            terminated,
            truncations,
            finals,
        )
    return -1


@compiled
def _by_action(
    actions: np.ndarray, start: int, stop: int, played: np.ndarray, first: np.ndarray, order: np.ndarray
) -> int:
    """Write the places of the games that are played, ordered by their actions; returns how many there are.

    Games with the same action then follow each other and the processor predicts more branches of the rules: a step
    takes 12 ns less, of 95. ``first`` is room to work in, (actions + 1,).
    """
    if stop - start < first.shape[0]:  # so few games are played as quickly in their own order
        count = 0
        for i in range(start, stop):
            if played[i - start]:
                order[count] = i
                count += 1
        return count
    first[:] = 0
    for i in range(start, stop):
        if played[i - start]:
            first[actions[i] + 1] += 1
    for action in range(first.shape[0] - 1):
        first[action + 1] += first[action]
    count = int(first[-1])
    for i in range(start, stop):
        if played[i - start]:
            order[first[actions[i]]] = i
            first[actions[i]] += 1
    return count


@compiled
def _step_block(
    games: np.ndarray,
    tables: np.ndarray,
    actions: np.ndarray,
    where: np.ndarray,
    scheme: int,
    autoreset: bool,
    start: int,
    stop: int,
    played: np.ndarray,
    first: np.ndarray,
    order: np.ndarray,
    scratch: np.ndarray,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncations: np.ndarray,
    finals: np.ndarray,
) -> None:
    """Step the games from ``start`` to ``stop``: each part of a step is a loop over all of them.

    With all parts of a step in one loop, a decision in random play takes 14 ns longer. One reason: a processor that
    reads several bytes at once, shortly after they were written one by one, has to wait for them, as when a mask is
    copied directly after the rules have written it.

    ``played``, ``first`` and ``order`` are room to work in.
    """
    for i in range(start, stop):
        terminated[i] = False
        truncations[i] = False
        played[i - start] = where[i] and not is_over(games[i])  # over: only without autoreset
    before_decisions(games, tables, scheme, start, stop, rewards)
    for place in range(_by_action(actions, start, stop, played, first, order)):
        i = order[place]
        step(games[i], tables[0], actions[i])
    after_decisions(games, tables, scheme, start, stop, rewards)
    for i in range(start, stop):
        if played[i - start] and is_over(games[i]):
            _hand_out(games[i], tables[0], i, scheme, rewards, terminated, truncations, finals)
            if autoreset:
                set_up(games[i], tables[0], _next_seed(games[i]))
    _look(games, tables, ACTING, start, stop, played, scratch, players, masks, observations)


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
    was_over = np.empty(games.shape[0], np.bool_)
    changed = np.empty(games.shape[0], np.bool_)
    for i in range(games.shape[0]):
        terminated[i] = False
        truncations[i] = False
        was_over[i] = is_over(games[i])
    before_decisions(games, tables, scheme, 0, games.shape[0], rewards)
    for i in range(games.shape[0]):
        changed[i] = play_on(games[i], tables[0], policies[i], generators[i : i + 1]) > 0 or look_at_all
    after_decisions(games, tables, scheme, 0, games.shape[0], rewards)
    for i in range(games.shape[0]):
        if is_over(games[i]) and not was_over[i]:
            _hand_out(games[i], tables[0], i, scheme, rewards, terminated, truncations, finals)
    _look(games, tables, ACTING, 0, games.shape[0], changed, new_scratch(games), players, masks, observations)


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
