"""The loops over many games. They are what Python calls; everything below them is compiled into them.

Each loop works on the games it is given and nothing else, so that threads can share a batch by its parts.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from pr_env.compiling import compiled, kernel, parallel_kernel
from pr_env.game import ACTING, EVERYTHING
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.guests import ask_before_decision
from pr_env.puerto_rico.legal import list_legal
from pr_env.puerto_rico.observation import new_counts, observe
from pr_env.puerto_rico.rewards import after_decision, at_the_end, before_decision
from pr_env.puerto_rico.scoring import write_final
from pr_env.puerto_rico.setup import set_up
from pr_env.puerto_rico.state import GAME_OVER, ROUNDS_OVER
from pr_env.puerto_rico.step import only_legal, step
from pr_env.randomness import next_state, random_below, random_bits
from pr_env.sampling import count_legal, nth_legal


@kernel
def reset_games(games: np.ndarray, seeds: np.ndarray) -> None:
    """Set up every game with its seed; what belongs to the configuration stands in the records already."""
    for i in range(games.shape[0]):
        set_up(games[i], seeds[i])
        list_legal(games[i])


@kernel
def refresh_games(games: np.ndarray) -> None:
    """After games were written from outside: play what is forced and list the legal actions."""
    for i in range(games.shape[0]):
        ask_before_decision(games[i])
        if list_legal(games[i]) == 1:
            step(games[i], only_legal(games[i]))


@kernel
def look_at_games(
    games: np.ndarray,
    viewer: int,
    hidden_points: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
) -> None:
    """Write each game's acting player, mask and, if there is room, the view of a seat, or ACTING or EVERYTHING."""
    hidden = hidden_points and viewer != EVERYTHING
    counts = new_counts()
    for i in range(games.shape[0]):
        seat = games[i].player if viewer == ACTING else max(0, viewer)
        _look(games[i], i, seat, hidden, counts, players, masks, observations)


@compiled
def _look(
    game: GameRecord,
    i: int,
    viewer: int,
    hidden_points: bool,
    counts: np.ndarray,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
) -> None:
    players[i] = game.player
    over = game.phase == GAME_OVER  # its mask is all True: nothing depends on the choice, and no softmax divides by 0
    for action in range(game.legal.shape[0]):
        masks[i, action] = game.legal[action] != 0 or over
    if observations.shape[1] > 0:
        observe(game, viewer, hidden_points, counts, observations[i])


@compiled
def first_illegal(games: np.ndarray, actions: np.ndarray, where: np.ndarray) -> int:
    """The first game to be played whose action is not legal, or -1. A game that is over takes any action."""
    for i in range(games.shape[0]):
        if not where[i]:
            continue
        action = actions[i]
        if action < 0 or action >= games[i].legal.shape[0]:
            return i
        if games[i].legal[action] == 0 and games[i].phase != GAME_OVER:
            return i
    return -1


@kernel
def step_games(
    games: np.ndarray,
    actions: np.ndarray,
    where: np.ndarray,
    scheme: int,
    hidden_points: bool,
    autoreset: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    finals: np.ndarray,
) -> int:
    """Play one action in every game where it is asked for; games that end hand out their result and may start anew.

    Returns -1; or the first game whose action is illegal, and then nothing has been played.
    """
    illegal = first_illegal(games, actions, where)
    if illegal >= 0:
        return illegal
    counts = new_counts()
    for i in range(games.shape[0]):
        game = games[i]
        terminated[i] = False
        truncated[i] = False
        if not where[i] or game.phase == GAME_OVER:  # over: only without autoreset
            for player in range(game.players):
                rewards[i, player] = 0
            continue
        before_decision(game, scheme, rewards[i])
        step(game, actions[i])
        after_decision(game, scheme, rewards[i])
        if game.phase == GAME_OVER:
            _hand_out(game, i, scheme, rewards, terminated, truncated, finals)
            if autoreset:
                set_up(game, _next_seed(game))
                list_legal(game)
        _look(game, i, game.player, hidden_points, counts, players, masks, observations)
    return -1


@compiled
def _hand_out(
    game: GameRecord,
    i: int,
    scheme: int,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    finals: np.ndarray,
) -> None:
    """The result of a game that is over."""
    write_final(game, finals[i])
    truncated[i] = game.ending == ROUNDS_OVER
    terminated[i] = game.ending != ROUNDS_OVER
    if terminated[i]:
        at_the_end(finals[i], game.players, scheme, rewards[i])


@kernel
def play_others(
    games: np.ndarray,
    seats: np.ndarray,
    generators: np.ndarray,
    look_at_all: bool,
    scheme: int,
    hidden_points: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    finals: np.ndarray,
) -> None:
    """Play by chance in every game until a given seat is to move or the game is over.

    Looks at the games that go on by that, or at all.
    """
    counts = new_counts()
    for i in range(games.shape[0]):
        game = games[i]
        terminated[i] = False
        truncated[i] = False
        if game.player == seats[i] or game.phase == GAME_OVER:
            for player in range(game.players):
                rewards[i, player] = 0
            if look_at_all:
                _look(game, i, game.player, hidden_points, counts, players, masks, observations)
            continue
        before_decision(game, scheme, rewards[i])
        while game.player != seats[i] and game.phase != GAME_OVER:
            generators[i] = next_state(generators[i])
            step(game, nth_legal(game.legal, random_below(generators[i], count_legal(game.legal))))
        after_decision(game, scheme, rewards[i])
        if game.phase == GAME_OVER:
            _hand_out(game, i, scheme, rewards, terminated, truncated, finals)
        _look(game, i, game.player, hidden_points, counts, players, masks, observations)


@parallel_kernel
def step_games_together(
    threads: int,
    games: np.ndarray,
    actions: np.ndarray,
    where: np.ndarray,
    scheme: int,
    hidden_points: bool,
    autoreset: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    finals: np.ndarray,
) -> int:
    """The same, each thread on its part of the batch."""
    count = games.shape[0]
    illegal = np.empty(threads, np.int64)
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        illegal[part] = first_illegal(games[start:stop], actions[start:stop], where[start:stop])
    for part in range(threads):
        if illegal[part] >= 0:
            return count * part // threads + illegal[part]
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        step_games(
            games[start:stop],
            actions[start:stop],
            where[start:stop],
            scheme,
            hidden_points,
            autoreset,
            players[start:stop],
            masks[start:stop],
            observations[start:stop],
            rewards[start:stop],
            terminated[start:stop],
            truncated[start:stop],
            finals[start:stop],
        )
    return -1


@parallel_kernel
def play_others_together(
    threads: int,
    games: np.ndarray,
    seats: np.ndarray,
    generators: np.ndarray,
    look_at_all: bool,
    scheme: int,
    hidden_points: bool,
    players: np.ndarray,
    masks: np.ndarray,
    observations: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    finals: np.ndarray,
) -> None:
    """The same, each thread on its part of the batch."""
    count = games.shape[0]
    for part in prange(threads):
        start, stop = count * part // threads, count * (part + 1) // threads
        play_others(
            games[start:stop],
            seats[start:stop],
            generators[start:stop],
            look_at_all,
            scheme,
            hidden_points,
            players[start:stop],
            masks[start:stop],
            observations[start:stop],
            rewards[start:stop],
            terminated[start:stop],
            truncated[start:stop],
            finals[start:stop],
        )


@compiled
def _next_seed(game: GameRecord) -> np.uint64:
    """The seed of the game that follows comes from the generator of the one that ended."""
    game.rng = next_state(game.rng)
    high = random_bits(game.rng)
    game.rng = next_state(game.rng)
    return (high << np.uint64(32)) | random_bits(game.rng)


@kernel
def score_games(games: np.ndarray, finals: np.ndarray) -> None:
    """The final record of every game as if it ended now."""
    for i in range(games.shape[0]):
        write_final(games[i], finals[i])
