"""The tree of a search, in arrays that are allocated once.

A node stands for the actions that lead to it from the root, and for nothing else: what chance brings on the way may
differ from playout to playout, and with it what is legal at a node and even who is to move there. So a node keeps
counts and sums only; what may be done is asked of the game that passes through, every time. Each visit leaves a value
for every seat, and whoever is to move prefers the children that are best for their own seat (max^n).

Children are chosen as in PUCT: mean value plus a bonus that is large for likely and little-tried actions.
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
            ("action", np.int64),  # that leads here from the parent
            ("visits", np.int64),  # playouts that came through, those still on their way included
            ("prior", np.float64),  # how likely the action seems before it is tried
        ],
    )
)

_HAIR = 1e-3 / 2**32  # equal priors are made to differ by up to a thousandth: chance, not the number, breaks ties


class Tree(NamedTuple):
    """One tree, or (with one more axis in front) several.

    Attributes:
        nodes: NODE (capacity,).
        values: float64 (capacity, seats): sums of what playouts through the node were worth.
        used: int64 (1,): how many nodes there are.
    """

    nodes: np.ndarray
    values: np.ndarray
    used: np.ndarray


def allocate_trees(count: int, capacity: int, seats: int) -> Tree:
    """Room for trees of up to ``capacity`` nodes: 48 bytes a node and 8 for each seat."""
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
    """Empty the tree but for its root."""
    tree.used[0] = 0
    _add_node(tree, NO_NODE, 0, 1.0)


@compiled
def _add_node(tree: Tree, parent: int, action: int, prior: float) -> int:
    """A new node, not yet among its siblings; NO_NODE when the room is used up."""
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
    """A child of which nothing is known but its prior; nothing happens when the room is used up."""
    child = _add_node(tree, parent, action, prior)
    if child != NO_NODE:
        tree.nodes[child].next_sibling = tree.nodes[parent].first_child
        tree.nodes[parent].first_child = child


@compiled
def child_of(tree: Tree, parent: int, action: int) -> int:
    """The child that an action leads to, or NO_NODE."""
    child: int = tree.nodes[parent].first_child
    while child != NO_NODE and tree.nodes[child].action != action:
        child = tree.nodes[child].next_sibling
    return child


@compiled
def add_missing_children(tree: Tree, parent: int, game: Record, generator: np.ndarray) -> None:
    """Children for all legal actions that have none, all equally likely."""
    prior = 1.0 / count_legal(game.legal)
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0 and child_of(tree, parent, action) == NO_NODE:
            generator[0] = next_state(generator[0])
            add_child(tree, parent, action, prior * (1.0 + _HAIR * random_bits(generator[0])))


@compiled
def give_children(tree: Tree, leaf: int, game: Record, priors: np.ndarray) -> None:
    """Children for all legal actions of a leaf, with priors (actions,) of any sum; if that is 0, all equally likely."""
    if tree.nodes[leaf].first_child != NO_NODE:  # another playout of the same round was here
        return
    total, legal = 0.0, 0
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0:
            total += priors[action]
            legal += 1
    for action in range(game.legal.shape[0]):
        if game.legal[action] != 0:
            add_child(tree, leaf, action, priors[action] / total if total > 0 else 1.0 / legal)


# From a game, its tables and the policy of the seat to move to the action that seems best, or NO_ACTION
Favourite = Callable[[Record, Record, int], int]
SelectLeaf = Callable[[Tree, Record, Record, float, float, np.ndarray, bool, np.ndarray], int]


def select_leaf_with(favourite: Favourite) -> SelectLeaf:
    """A compiled function that plays from the root along the best children to a leaf.

    Args:
        favourite: A compiled function: what a seat's policy would do.
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

        The value of the visit comes later (`back_up`). Until then it counts as 0 for everybody, so that other playouts
        on their way at the same time look elsewhere.

        Args:
            tree: The tree.
            game: A copy of the root's game; it is played on to the leaf.
            tables: Its tables.
            exploration: Weight of the bonus for what is little tried.
            trust: How likely it is beforehand that the favourite is best. The favourite is asked for in the game that
                passes through, so what is tried at a node depends on what chance has brought.
            policies: int64 (seats,): whose favourite counts at which seat.
            grow: Whether a leaf that is visited again gets children here, all equally likely. If not, somebody else
                gives them to it.
            generator: uint64 (1,): chance for ties.

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
            if child == NO_NODE:  # no room for children
                return node
            step(game, tables, tree.nodes[child].action)
            node = child

    return select_leaf


@compiled
def _best_child(
    tree: Tree, parent: int, game: Record, exploration: float, liked: int, trust: float, generator: np.ndarray
) -> int:
    """The child that is best to try for the player to move, among those that are legal now."""
    legal, visits, prior = _sum_up_legal(tree, parent, game)
    if legal < count_legal(game.legal):
        add_missing_children(tree, parent, game, generator)
        legal, visits, prior = _sum_up_legal(tree, parent, game)
    if liked == NO_ACTION:
        trust = 0.0
    mover = game.player
    bonus = exploration * math.sqrt(max(1, visits)) / max(prior, 1e-9)
    untried = tree.values[parent, mover] / tree.nodes[parent].visits  # taken to be as good as the parent
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
    """How many children are legal now, their visits and priors together."""
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
    """Add what a playout was worth to each seat to all nodes that it went through."""
    node = leaf
    while node != NO_NODE:
        for seat in range(tree.values.shape[1]):
            tree.values[node, seat] += result[seat]
        node = tree.nodes[node].parent


@compiled
def read_root(tree: Tree, visits: np.ndarray, values: np.ndarray) -> None:
    """Write the visits (actions,) and mean values (actions, seats) of the root's children; 0 where there is none."""
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
