"""Monte Carlo tree search with rollouts: ``make_agent("mcts:playouts=2000")``, ``make_agent("mcts:seconds=1")``."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from agents.search.agent import SearchAgent, Thought, check_number, read_budget
from agents.search.kernels import Round, allocate_rounds, search, search_together
from agents.search.rollout import ROLLOUTS
from agents.search.tree import Tree, allocate_trees
from pr_env.checks import check_whole
from pr_env.compiling import announce_compiling
from pr_env.puerto_rico.scoring import EXTENDED_FINAL, FINAL
from pr_env.puerto_rico.state import EXTENDED_RECORD, RECORD
from pr_env.threads import can_share, most_threads, together

DEFAULT_PLAYOUTS = 1000
ROUND = 16  # playouts on their way at the same time: with more they know less of each other, fewer are hard to share
NODES_A_PLAYOUT = 8  # about 2 are used
MOST_NODES = 1_000_000  # in a tree: 48 bytes each and 8 for every seat. A full tree grows no more, but is still used
PLAYOUTS_A_CALL = 4096  # compiled code cannot be interrupted, so it gets a little at a time
PLAYOUTS_A_LOOK_AT_THE_CLOCK = 64
RESULTS = {RECORD: FINAL, EXTENDED_RECORD: EXTENDED_FINAL}  # what a finished game of each record hands out


class MctsAgent(SearchAgent):
    """Grows a tree of the actions ahead, and plays from its leaves to the end of the game.

    Every player is taken to look after themselves (max^n). Threads take a position each, or share one; the answer does
    not depend on how many there are, unless time is the limit.

    Memory: for each thread a tree of at most NODES_A_PLAYOUT nodes for each playout, and at most MOST_NODES: 75 MB.

    Args:
        playouts: How many for each choice. If neither this nor ``seconds`` is given, 1000.
        seconds: Time for each choice; with both the search ends with what comes first.
        rollout: Who plays from the leaves on: ``mixed``: every seat by a scripted strategy of its own, drawn anew in
            each playout; ``random``, eight times as many playouts in the same time but a much weaker player; or a
            scripted strategy.
        exploration: Weight of trying what is little tried.
        softness: What the end of a playout is worth: 0 for the win itself; else a lead of so many points makes a seat's
            share of the win e times as large.
        threads: How many threads search; None for one a core.
        seed: Chance in playouts comes from it and from the position.
    """

    def __init__(
        self,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        rollout: str = "mixed",
        exploration: float = 1.5,
        softness: float = 5.0,
        threads: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(seed)
        self._playouts, self._seconds = read_budget(playouts, seconds, DEFAULT_PLAYOUTS)
        if rollout not in ROLLOUTS:
            raise ValueError(f"rollout is one of {', '.join(ROLLOUTS)}, not {rollout!r}")
        check_number("exploration", exploration)
        check_number("softness", softness)
        if threads is not None:
            check_whole("threads", threads)
            if threads > most_threads():
                raise ValueError(f"threads is at most {most_threads()} here (NUMBA_NUM_THREADS), not {threads}")
        self._policy = ROLLOUTS.index(rollout)
        self._exploration = float(exploration)
        self._softness = float(softness)
        self._threads = threads or most_threads()
        self._free_room: dict[tuple[np.dtype[Any], int], list[tuple[Tree, Round]]] = {}

    def think(self, games: np.ndarray) -> Thought:
        """Search every one of these games, and tell what came out for each action of the player to move."""
        games = np.array(games)  # a copy: kernels are compiled for arrays that may be written
        thought = Thought.blank(games)
        keys = self._keys(games)
        threads = self._threads if can_share() else 1
        # Threads take whole positions while there are enough of them, and share the last ones. When time is the limit
        # they share all, because each position has a clock of its own.
        alone = len(games) - len(games) % threads if self._seconds == math.inf else 0
        with announce_compiling("the search"):
            if alone > 0:
                self._search(games, keys, thought, 0, 1, most_playouts=0)
            if alone < len(games):
                self._search(games, keys, thought, 0, threads, most_playouts=0)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda i: self._search(games, keys, thought, i, 1, self._playouts), range(alone)))
        for i in range(alone, len(games)):
            self._search(games, keys, thought, i, threads, self._playouts)
        return thought

    def _search(
        self, games: np.ndarray, keys: np.ndarray, thought: Thought, i: int, threads: int, most_playouts: float
    ) -> None:
        """Search game ``i`` until playouts or time are used up, shared by threads. No playouts: only load."""
        seats = int(games["players"][i])
        visits = np.zeros(thought.visits.shape[1], np.int64)
        values = np.zeros((len(visits), seats))
        at_a_time = PLAYOUTS_A_CALL if self._seconds == math.inf else PLAYOUTS_A_LOOK_AT_THE_CLOCK
        settings = (self._policy, self._softness, self._exploration)
        with self._room(games.dtype, seats) as (tree, now):
            start = time.perf_counter()
            first = 0
            while True:
                stop = int(min(first + at_a_time, most_playouts))
                arguments = (tree, now, games[i : i + 1], keys[i], first, stop, *settings, visits, values)
                if threads == 1:
                    search(*arguments)
                else:
                    with together():
                        search_together(threads, *arguments)
                first = stop
                if first >= most_playouts or time.perf_counter() - start >= self._seconds:
                    break
        thought.visits[i] = visits
        thought.values[i, :, :seats] = values

    @contextmanager
    def _room(self, record: np.dtype[Any], seats: int) -> Iterator[tuple[Tree, Round]]:
        """A tree and a round that nobody else uses; made when needed, and kept."""
        free = self._free_room.setdefault((record, seats), [])
        try:
            room = free.pop()
        except IndexError:
            nodes = int(min(MOST_NODES, 1000 + NODES_A_PLAYOUT * self._playouts))
            trees, rounds = allocate_trees(1, nodes, seats), allocate_rounds(1, ROUND, record, RESULTS[record], seats)
            room = Tree(*(part[0] for part in trees)), Round(*(part[0] for part in rounds))
        try:
            yield room
        finally:
            free.append(room)
