"""Monte Carlo tree search guided by an evaluator, such as a neural network, instead of rollouts."""

from __future__ import annotations

import math
import time

import numpy as np

from agents.search.agent import SearchAgent, Thought, read_budget
from agents.search.evaluator import Evaluator
from agents.search.kernels import (
    Round,
    allocate_rounds,
    plant_trees,
    read_roots,
    select_leaves,
    take_evaluations,
)
from agents.search.tree import Tree, allocate_trees
from pr_env.checks import check_number, check_whole
from pr_env.compiling import announce_compiling
from pr_env.game import Buffers, Game

DEFAULT_PLAYOUTS = 200
MOST_NODES = 2_000_000  # in all trees together: 48 bytes each, and 8 more per seat
NODES_A_PLAYOUT = 12  # a leaf gets children for all its actions at once; a full tree stops growing
_KERNELS = (select_leaves, take_evaluations)


class GuidedMctsAgent(SearchAgent):
    """Tree search in which an evaluator provides action priors and the values of leaves.

    The trees of many games grow together, and each evaluates several leaves at a time, so that the evaluator is called
    rarely with many positions: about ``playouts / leaves`` times for all games of a batch. Leaves that are selected
    together avoid each other by virtual loss: they count as lost until they are evaluated.

    >>> agent = GuidedMctsAgent(PuertoRico(players=3), network, playouts=200)

    Args:
        game: The game to play; the evaluator receives its observations.
        evaluator: Evaluates positions.
        playouts: Playouts per decision. If neither this nor ``seconds`` is given, 200.
        seconds: Seconds per decision; with both, the search ends at whichever limit comes first. With a time limit,
            games are searched one after the other, each with its own clock, and a search ends early once no other
            action can overtake the best one.
        leaves: Leaves of a tree that are evaluated at a time.
        exploration: Weight of the exploration term (PUCT).
        seed: Chance in playouts is determined by it and by the position.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        leaves: int = 8,
        exploration: float = 1.5,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed)
        self.playouts, self.seconds = read_budget(playouts, seconds, DEFAULT_PLAYOUTS)
        check_whole("leaves", leaves)
        check_number("exploration", exploration)
        self.evaluator = evaluator
        self.leaves = int(min(leaves, self.playouts))
        self.exploration = float(exploration)
        self._capacity = int(min(MOST_NODES, len(game.actions) + NODES_A_PLAYOUT * self.playouts))

    def think(self, games: np.ndarray) -> Thought:
        """Search each of these games, and return the statistics of each action of the player to move."""
        games = self._records(games)
        thought = Thought.blank(self.game, games)
        keys = self._keys(games)
        at_once = max(1, MOST_NODES // self._capacity) if self.seconds == math.inf else 1
        for start in range(0, len(games), at_once):
            here = slice(start, start + at_once)
            with announce_compiling(f"the search for {self.game.name}", *_KERNELS, rules=self.game.rules):
                self._search(games[here], keys[here], thought.visits[here], thought.values[here])
        return thought

    def _search(self, games: np.ndarray, keys: np.ndarray, visits: np.ndarray, values: np.ndarray) -> None:
        trees = allocate_trees(len(games), self._capacity, self.game.players)
        rounds = allocate_rounds(self.game, len(games), self.leaves)
        select, tables = select_leaves.of(self.game.rules), self.game.tables
        plant_trees(trees)
        started = time.perf_counter()
        # The first leaf is the root itself: it gets its children, then the playouts start.
        done, count = 0, 1
        while count > 0:
            select(trees, rounds, games, tables, keys, done, count, self.exploration)
            self._evaluate(trees, rounds, count)
            done += count
            left = 1 + self.playouts - done
            if self.seconds < math.inf and done > 1:
                left = min(left, done * (self.seconds / (time.perf_counter() - started) - 1))
                read_roots(trees, visits, values)
                if _lead(visits) > left:
                    break
            spent = (time.perf_counter() - started) / self.seconds
            if done > 1 and not self._goes_on(max((done - 1) / self.playouts, spent)):
                break
            count = math.ceil(min(self.leaves, left))
        read_roots(trees, visits, values)

    def _evaluate(self, trees: Tree, rounds: Round, count: int) -> None:
        """Evaluate all leaves where the game is not over."""
        leaves = np.ascontiguousarray(rounds.games[:, :count]).reshape(-1)
        goes_on = ~self.game._is_over(leaves)
        priors = np.zeros((len(leaves), len(self.game.actions)))
        values = np.zeros((len(leaves), self.game.players))
        if goes_on.any():
            asked = leaves[goes_on]
            view = Buffers.allocate(self.game, len(asked))
            self.game._look(asked, view)
            answer = self.evaluator.evaluate(view.observation, view.mask)
            priors[goes_on], values[goes_on] = self._checked(answer, len(asked))
        take_evaluations.of(self.game.rules)(trees, rounds, self.game.tables, count, priors, values)

    def _checked(self, answer: tuple[np.ndarray, np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
        priors, values = (np.asarray(part, np.float64) for part in answer)
        for name, part, width in (
            ("priors", priors, len(self.game.actions)),
            ("values", values, self.game.players),
        ):
            if part.shape != (count, width):
                raise ValueError(f"the evaluator's {name} must have shape {(count, width)}, got {part.shape}")
            if not np.isfinite(part).all():
                raise ValueError(f"the evaluator's {name} must be finite, got NaN or inf")
        if (priors < 0).any():
            raise ValueError("the evaluator's priors must not be negative")
        return priors, values


def _lead(visits: np.ndarray) -> int:
    """The lead in visits of the most visited action over the next one, in the single game that is searched."""
    second, first = np.partition(np.append(visits[0], 0), -2)[-2:]  # there may be only one action
    return int(first - second)
