"""The tree of a search, in arrays that are allocated once.

A node stands for the sequence of actions that leads to it from the root, and nothing else (an open-loop search): chance
events on the way can differ between playouts, and with them the legal actions at a node and even the player to move. So
a node only stores counts and sums; the legal actions are always taken from the game of the current playout. Each visit
adds a value for every seat, and the player to move prefers the children that are best for their own seat (max^n).

Children are selected as in PUCT: mean value plus a bonus that is large for likely and rarely visited actions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pr_env.compiling import compiled
from pr_env.randomness import next_state, random_bits
from pr_env.rules import Record, is_over, step
from pr_env.sampling import count_legal

NO_NODE = -1
NO_ACTION = -1
ROOT = 0

NODE = np.dtype(
    (
        np.record,
        [
            ("parent", np.int64),
            ("first_child", np.int64),  # NO_NODE: not expanded
            ("next_sibling", np.int64),
            ("action", np.int64),  # leads here from the parent
            ("visits", np.int64),  # playouts through this node, including unfinished ones
            ("prior", np.float64),  # prior probability of the action
        ],
    )
)

# Equal priors get a random difference of up to a thousandth, so that ties are broken at random, not by action number.
_HAIR = 1e-3 / 2**32


class Tree(NamedTuple):
    """One tree, or (with one more axis in front) several.

    Attributes:
        nodes: NODE (capacity,).
        values: float64 (capacity, seats): sums of the values of playouts through the node.
        used: int64 (1,): the number of nodes.
    """

    nodes: np.ndarray
    values: np.ndarray
    used: np.ndarray


def allocate_trees(count: int, capacity: int, seats: int) -> Tree:
    """Allocate trees of up to ``capacity`` nodes: 48 bytes per node, and 8 more per seat."""
    return Tree(
        nodes=np.zeros((count, capacity), NODE),
        values=np.zeros((count, capacity, seats)),
        used=np.zeros((count, 1), np.int64),
    )


@compiled
def nth_tree(trees: Tree, n: int) -> Tree:
    """One of several trees."""
    return Tree(trees.nodes[n], trees.values[n], trees.used[n])


@compiled
def plant(tree: Tree) -> None:
    """Reset the tree to its root."""
    tree.used[0] = 0
    _add_node(tree, NO_NODE, 0, 1.0)


@compiled
def _add_node(tree: Tree, parent: int, action: int, prior: float) -> int:
    """Add a node, not yet linked to its siblings; returns NO_NODE if the tree is full."""
    place: int = tree.used[0]
    if place == tree.nodes.shape[0]:
        return NO_NODE
    tree.used[0] += 1
    node = tree.nodes[place]
    node.parent = parent
    node.first_child = NO_NODE
    node.next_sibling = NO_NODE
    node.action = action
    node.visits = 0
    node.prior = prior
    for seat in range(tree.values.shape[1]):
        tree.values[place, seat] = 0.0
    return place


@compiled
def add_child(tree: Tree, parent: int, action: int, prior: float) -> None:
    """Add an unvisited child with its prior. Does nothing if the tree is full."""
    child = _add_node(tree, parent, action, prior)
    if child != NO_NODE:
        tree.nodes[child].next_sibling = tree.nodes[parent].first_child
        tree.nodes[parent].first_child = child


@compiled
def child_of(tree: Tree, parent: int, action: int) -> int:
    """The child for an action, or NO_NODE."""
    child: int = tree.nodes[parent].first_child
    while child != NO_NODE and tree.nodes[child].action != action:
        child = tree.nodes[child].next_sibling
    return child


@compiled
def add_missing_children(tree: Tree, parent: int, game: Record, generator: np.ndarray) -> None:
    """Add children for all legal actions that have none, with equal priors."""
    prior = 1.0 / count_legal(game.legal)
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0 and child_of(tree, parent, action) == NO_NODE:
            generator[0] = next_state(generator[0])
            add_child(tree, parent, action, prior * (1.0 + _HAIR * random_bits(generator[0])))


@compiled
def give_children(tree: Tree, leaf: int, game: Record, priors: np.ndarray) -> None:
    """Add children for all legal actions of a leaf, with priors (actions,) of any sum; equal priors if the sum is 0."""
    if tree.nodes[leaf].first_child != NO_NODE:  # already expanded by another playout of the same round
        return
    total, legal = 0.0, 0
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0:
            total += priors[action]
            legal += 1
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0:
            add_child(tree, leaf, action, priors[action] / total if total > 0 else 1.0 / legal)


# Takes a game, its tables and the policy of the seat to move; returns the action that seems best, or NO_ACTION
Favourite = Callable[[Record, Record, int], int]
SelectLeaf = Callable[[Tree, Record, Record, float, float, np.ndarray, bool, np.ndarray], int]


def select_leaf_with(favourite: Favourite) -> SelectLeaf:
    """Create the compiled function that plays from the root along the best children to a leaf.

    Args:
        favourite: A compiled function that returns the choice of a seat's policy.
    """

    @compiled
    def select_leaf(
        tree: Tree,
        game: Record,
        tables: Record,
        exploration: float,
        trust: float,
        policies: np.ndarray,
        grow: bool,
        generator: np.ndarray,
    ) -> int:
        """Play from the root along the best children to a leaf, and count a visit of every node on the way.

        The value of the visit is added later (`back_up`). Until then it counts as 0 for all seats (virtual loss), so
        that concurrent playouts go elsewhere.

        Args:
            tree: The tree.
            game: A copy of the root's game; it is played to the leaf.
            tables: Its tables.
            exploration: Weight of the bonus for rarely visited actions.
            trust: Prior probability that the favourite is best. The favourite is determined in the game of the current
                playout, so it responds to chance events.
            policies: int64 (seats,): the policy of each seat.
            grow: Whether a leaf that is visited again is expanded here, with equal priors. If not, the caller expands
                it.
            generator: uint64 (1,): random generator for ties.

        Returns:
            The leaf.
        """
        node = ROOT
        while True:
            tree.nodes[node].visits += 1
            if is_over(game):
                return node
            if tree.nodes[node].first_child == NO_NODE and not (grow and (node == ROOT or tree.nodes[node].visits > 1)):
                return node
            liked = favourite(game, tables, policies[game.player]) if trust > 0.0 else NO_ACTION
            child = _best_child(tree, node, game, exploration, liked, trust, generator)
            if child == NO_NODE:  # the tree is full
                return node
            step(game, tables, tree.nodes[child].action)
            node = child

    return select_leaf


@compiled
def _best_child(
    tree: Tree, parent: int, game: Record, exploration: float, liked: int, trust: float, generator: np.ndarray
) -> int:
    """The child with the best score for the player to move, among the currently legal ones."""
    legal, visits, prior = _sum_up_legal(tree, parent, game)
    if legal < count_legal(game.legal):
        add_missing_children(tree, parent, game, generator)
        legal, visits, prior = _sum_up_legal(tree, parent, game)
    if liked == NO_ACTION:
        trust = 0.0
    mover = game.player
    bonus = exploration * math.sqrt(max(1, visits)) / max(prior, 1e-9)
    untried = tree.values[parent, mover] / tree.nodes[parent].visits  # assumed to be as good as the parent
    best, best_score = NO_NODE, -math.inf
    child = tree.nodes[parent].first_child
    while child != NO_NODE:
        node = tree.nodes[child]
        if game.legal[node.action] != 0:
            mean = tree.values[child, mover] / node.visits if node.visits > 0 else untried
            likely = node.prior * (1.0 - trust) + (trust * prior if node.action == liked else 0.0)
            score = mean + bonus * likely / (1 + node.visits)
            if score > best_score:
                best, best_score = child, score
        child = node.next_sibling
    return best


@compiled
def _sum_up_legal(tree: Tree, parent: int, game: Record) -> tuple[int, int, float]:
    """The number of currently legal children, and the sums of their visits and priors."""
    legal, visits, prior = 0, 0, 0.0
    child = tree.nodes[parent].first_child
    while child != NO_NODE:
        node = tree.nodes[child]
        if game.legal[node.action] != 0:
            legal += 1
            visits += node.visits
            prior += node.prior
        child = node.next_sibling
    return legal, visits, prior


@compiled
def back_up(tree: Tree, leaf: int, result: np.ndarray) -> None:
    """Add the values of a playout to all nodes that it went through."""
    node = leaf
    while node != NO_NODE:
        for seat in range(tree.values.shape[1]):
            tree.values[node, seat] += result[seat]
        node = tree.nodes[node].parent


@compiled
def read_root(tree: Tree, visits: np.ndarray, values: np.ndarray) -> None:
    """Write the visits (actions,) and mean values (actions, seats) of the root's children; 0 for missing ones."""
    visits[:] = 0
    values[:] = 0.0
    child = tree.nodes[ROOT].first_child
    while child != NO_NODE:
        node = tree.nodes[child]
        visits[node.action] = node.visits
        if node.visits > 0:
            for seat in range(values.shape[1]):
                values[node.action, seat] = tree.values[child, seat] / node.visits
        child = node.next_sibling
