"""The loops of the search that Python calls. Everything else is compiled into them.

A search proceeds in rounds: select some leaves, evaluate them, back up the values. The selection within a round does
not depend on the evaluations of that round, so threads can share it, and the outcome does not depend on their number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from agents.search.rollout import draw_policies, favourite, judge, roll_out
from agents.search.tree import (
    NO_ACTION,
    Tree,
    back_up,
    give_children,
    nth_tree,
    plant,
    read_root,
    select_leaf_with,
)
from pr_env.compiling import compiled, kernel, parallel_kernel
from pr_env.game import Game
from pr_env.randomness import start_generator
from pr_env.rules import Record, is_over, resample


class Round(NamedTuple):
    """The playouts of one round, or (with one more axis in front) of one round in each of several trees.

    Attributes:
        games: Records (playouts,): copies of the root, played to the leaves and on.
        leaves: int64 (playouts,): the nodes that they reached.
        generators: uint64 (playouts,): random generators for ties and rollouts; that of the game is in its record.
        policies: int64 (playouts, seats): the rollout policy of each seat.
        finals: Records (playouts,): the final records.
        results: float64 (playouts, seats): the values.
    """

    games: np.ndarray
    leaves: np.ndarray
    generators: np.ndarray
    policies: np.ndarray
    finals: np.ndarray
    results: np.ndarray


def allocate_rounds(game: Game, count: int, playouts: int) -> Round:
    """Allocate a round for each of several trees."""
    return Round(
        games=np.zeros((count, playouts), game.record),
        leaves=np.zeros((count, playouts), np.int64),
        generators=np.zeros((count, playouts), np.uint64),
        policies=np.zeros((count, playouts, game.players), np.int64),
        finals=np.zeros((count, playouts), game.final),
        results=np.zeros((count, playouts, game.players)),
    )


@compiled
def _nth_round(rounds: Round, n: int) -> Round:
    return Round(
        rounds.games[n],
        rounds.leaves[n],
        rounds.generators[n],
        rounds.policies[n],
        rounds.finals[n],
        rounds.results[n],
    )


@compiled
def _no_favourite(game: Record, tables: Record, policy: int) -> int:
    return NO_ACTION


_select_leaf = select_leaf_with(favourite)
_select_leaf_by_priors = select_leaf_with(_no_favourite)


@compiled
def _set_out(now: Round, root: np.ndarray, tables: np.ndarray, key: np.uint64, number: int, i: int) -> None:
    """Copy the root, resample what the player to move cannot know, and seed a generator for the playout."""
    now.games[i] = root[0]
    resample(now.games[i], tables[0], root[0].player, start_generator(key ^ np.uint64(2 * number)))
    now.generators[i] = start_generator(key ^ np.uint64(2 * number + 1))


@compiled
def _select(
    tree: Tree,
    now: Round,
    root: np.ndarray,
    tables: np.ndarray,
    key: np.uint64,
    first: int,
    count: int,
    policy: int,
    strategies: int,
    exploration: float,
    trust: float,
) -> None:
    """Play copies of the root to leaves."""
    for i in range(count):
        _set_out(now, root, tables, key, first + i, i)
        if trust > 0.0:
            draw_policies(policy, strategies, now.policies[i], now.generators[i : i + 1])
        now.leaves[i] = _select_leaf(
            tree, now.games[i], tables[0], exploration, trust, now.policies[i], True, now.generators[i : i + 1]
        )


@compiled
def _finish(
    games: np.ndarray,
    tables: np.ndarray,
    generators: np.ndarray,
    policies: np.ndarray,
    finals: np.ndarray,
    results: np.ndarray,
    policy: int,
    strategies: int,
    softness: float,
    i: int,
) -> None:
    """Play one playout of a round from its leaf to the end."""
    roll_out(games[i], tables[0], policy, strategies, policies[i], generators[i : i + 1])
    judge(games[i], tables[0], finals[i], softness, results[i])


@compiled
def _back_up_all(tree: Tree, now: Round, count: int) -> None:
    for i in range(count):
        back_up(tree, now.leaves[i], now.results[i])


# -- rollouts ----------------------------------------------------------------------------------------------------------


@kernel
def search(
    tree: Tree,
    now: Round,
    root: np.ndarray,
    tables: np.ndarray,
    key: np.uint64,
    first: int,
    stop: int,
    policy: int,
    strategies: int,
    softness: float,
    exploration: float,
    trust: float,
    visits: np.ndarray,
    values: np.ndarray,
) -> None:
    """Playouts ``first`` to ``stop - 1`` of one position, ``root`` (1,); playout 0 resets the tree.

    Writes the statistics of the root: visits (actions,) and mean values (actions, seats).
    """
    if first == 0:
        plant(tree)
    while first < stop:
        count = min(now.games.shape[0], stop - first)
        _select(tree, now, root, tables, key, first, count, policy, strategies, exploration, trust)
        for i in range(count):
            _finish(
                now.games,
                tables,
                now.generators,
                now.policies,
                now.finals,
                now.results,
                policy,
                strategies,
                softness,
                i,
            )
        _back_up_all(tree, now, count)
        first += count
    read_root(tree, visits, values)


@parallel_kernel
def search_together(
    threads: int,
    tree: Tree,
    now: Round,
    root: np.ndarray,
    tables: np.ndarray,
    key: np.uint64,
    first: int,
    stop: int,
    policy: int,
    strategies: int,
    softness: float,
    exploration: float,
    trust: float,
    visits: np.ndarray,
    values: np.ndarray,
) -> None:
    """As `search`, with several threads that share the rollouts of each round."""
    # Plain arrays, because writes into a named tuple inside prange are lost (Numba's issue 5872).
    games, generators, policies, finals, results = now.games, now.generators, now.policies, now.finals, now.results
    if first == 0:
        plant(tree)
    while first < stop:
        count = min(games.shape[0], stop - first)
        _select(tree, now, root, tables, key, first, count, policy, strategies, exploration, trust)
        for part in prange(threads):
            for i in range(part, count, threads):
                _finish(games, tables, generators, policies, finals, results, policy, strategies, softness, i)
        _back_up_all(tree, now, count)
        first += count
    read_root(tree, visits, values)


# -- an evaluator in place of rollouts ---------------------------------------------------------------------------------


@kernel
def plant_trees(trees: Tree) -> None:
    """Reset all trees to their roots."""
    for i in range(trees.used.shape[0]):
        plant(nth_tree(trees, i))


@kernel
def select_leaves(
    trees: Tree,
    rounds: Round,
    roots: np.ndarray,
    tables: np.ndarray,
    keys: np.ndarray,
    first: int,
    count: int,
    exploration: float,
) -> None:
    """In every tree, play playouts ``first`` to ``first + count - 1`` to the leaves to be evaluated."""
    for i in range(roots.shape[0]):
        tree, now = nth_tree(trees, i), _nth_round(rounds, i)
        for playout in range(count):
            _set_out(now, roots[i : i + 1], tables, keys[i], first + playout, playout)
            now.leaves[playout] = _select_leaf_by_priors(
                tree,
                now.games[playout],
                tables[0],
                exploration,
                0.0,
                now.policies[playout],
                False,
                now.generators[playout : playout + 1],
            )


@kernel
def take_evaluations(
    trees: Tree, rounds: Round, tables: np.ndarray, count: int, priors: np.ndarray, values: np.ndarray
) -> None:
    """Expand the leaves with their priors, and back up their values. Games that are over get their results.

    ``priors`` (leaves, actions) and ``values`` (leaves, seats from the acting one on) have a row per leaf, whether the
    game is over or not, tree by tree.
    """
    row = 0
    for i in range(trees.used.shape[0]):
        tree, now = nth_tree(trees, i), _nth_round(rounds, i)
        for playout in range(count):
            game, result = now.games[playout], now.results[playout]
            if is_over(game):
                judge(game, tables[0], now.finals[playout], 0.0, result)
            else:
                give_children(tree, now.leaves[playout], game, priors[row])
                seats = result.shape[0]
                for place in range(seats):
                    result[(game.player + place) % seats] = values[row, place]
            row += 1
        _back_up_all(tree, now, count)


@kernel
def read_roots(trees: Tree, visits: np.ndarray, values: np.ndarray) -> None:
    """Write the statistics of the root of every tree."""
    for i in range(visits.shape[0]):
        read_root(nth_tree(trees, i), visits[i], values[i])
