"""Monte Carlo tree search with rollouts: ``make_agent("mcts:playouts=2000", game)``, or ``"mcts:seconds=1"``."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from agents.policies import strategies_of
from agents.search.agent import SearchAgent, Thought, read_budget
from agents.search.kernels import Round, allocate_rounds, search, search_together
from agents.search.rollout import policy_number, rollouts_of
from agents.search.tree import Tree, allocate_trees
from pr_env.checks import check_number, shown
from pr_env.compiling import announce_compiling
from pr_env.game import Game
from pr_env.threads import can_share, check_threads, most_threads, together

DEFAULT_PLAYOUTS = 1000
ROUND = 16  # concurrent playouts: more know less of each other's results, fewer are hard to share between threads
NODES_A_PLAYOUT = 8  # about 2 are used
MOST_NODES = 1_000_000  # per tree: 48 bytes each, and 8 more per seat. A full tree stops growing, but is still used
PLAYOUTS_A_CALL = 4096  # compiled code cannot be interrupted, so it runs in small portions
PLAYOUTS_A_LOOK_AT_THE_CLOCK = 64  # or calls of a progress callback


class MctsAgent(SearchAgent):
    """Monte Carlo tree search with rollouts to the end of the game.

    Every player is assumed to maximise the result of their own team (max^n). Each thread searches its own position, or
    threads share one; the result does not depend on the number of threads, unless time is the limit.

    Memory: one tree per thread, of at most NODES_A_PLAYOUT nodes per playout, and at most MOST_NODES: 75 MB.

    Args:
        game: The game to play.
        playouts: Playouts per decision. If neither this nor ``seconds`` is given, 1000.
        seconds: Seconds per decision; with both, the search ends at whichever limit comes first.
        rollout: Policy of the rollouts: a scripted strategy of the game; ``mixed``: every seat plays its own strategy,
            drawn anew in each playout; or ``random``: in Puerto Rico eight times as many playouts in the same time,
            but a much weaker player. None: ``mixed``, and ``random`` for games without strategies.
        exploration: Weight of the exploration term.
        trust: Prior probability, from 0 to 1, that the choice of the rollout policy is best. The policy is asked at
            every node, in the game of the current playout, so that the tree responds to chance events.
        softness: Value of the end of a playout: 0 for the win itself; otherwise a lead of this many points makes a
            seat's share of the win e times as large. Games that are won or lost together count the win itself. None:
            the game's ``clear_lead``.
        threads: Number of threads; None for one per core.
        seed: Chance in playouts is determined by it and by the position.
    """

    def __init__(
        self,
        game: Game,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        rollout: str | None = None,
        exploration: float = 1.5,
        trust: float = 0.0,
        softness: float | None = None,
        threads: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed)
        self._playouts, self._seconds = read_budget(playouts, seconds, DEFAULT_PLAYOUTS)
        self._policy = policy_number(game, rollouts_of(game)[0] if rollout is None else rollout)
        self._strategies = len(strategies_of(game))
        check_number("exploration", exploration)
        check_number("trust", trust)
        if trust > 1:
            raise ValueError(f"trust must be a number from 0 to 1, got {shown(trust)}")
        if softness is None:
            softness = game.clear_lead
        check_number("softness", softness)
        if threads is not None:
            check_threads(threads)
        self._exploration = float(exploration)
        self._trust = float(trust)
        self._softness = float(softness) if game.constant_sum else 0.0
        self._threads = threads or most_threads()
        self._free_room: list[tuple[Tree, Round]] = []

    def think(self, games: np.ndarray) -> Thought:
        """Search each of these games, and return the statistics of each action of the player to move."""
        games = self._records(games)
        thought = Thought.blank(self.game, games)
        keys = self._keys(games)
        threads = self._threads if can_share() else 1
        # Threads take whole positions while there are enough of them, and share the last ones. If time is the limit,
        # they share all of them, because each position has its own clock.
        alone = len(games) - len(games) % threads if self._seconds == math.inf else 0
        with announce_compiling(f"the search for {self.game.name}", search, search_together, rules=self.game.rules):
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
        """Search game ``i`` until the playouts or the time are used up. Without playouts, only compile or load."""
        visits = np.zeros(thought.visits.shape[1], np.int64)
        values = np.zeros((len(visits), self.game.players))
        in_one_go = self._seconds == math.inf and self.watch is None
        at_a_time = PLAYOUTS_A_CALL if in_one_go else PLAYOUTS_A_LOOK_AT_THE_CLOCK
        settings = (self._policy, self._strategies, self._softness, self._exploration, self._trust)
        with self._room() as (tree, now):
            start = time.perf_counter()
            first = 0
            while True:
                stop = int(min(first + at_a_time, most_playouts))
                root = games[i : i + 1]
                arguments = (tree, now, root, self.game.tables, keys[i], first, stop, *settings, visits, values)
                if threads == 1:
                    search.of(self.game.rules)(*arguments)
                else:
                    with together():
                        search_together.of(self.game.rules)(threads, *arguments)
                first = stop
                spent = (time.perf_counter() - start) / self._seconds
                if first >= most_playouts or spent >= 1 or not self._goes_on(max(first / most_playouts, spent)):
                    break
        thought.visits[i] = visits
        thought.values[i] = values

    @contextmanager
    def _room(self) -> Iterator[tuple[Tree, Round]]:
        """A tree and a round for exclusive use; created when needed, and reused."""
        try:
            room = self._free_room.pop()
        except IndexError:
            nodes = int(min(MOST_NODES, 1000 + NODES_A_PLAYOUT * self._playouts))
            trees, rounds = allocate_trees(1, nodes, self.game.players), allocate_rounds(self.game, 1, ROUND)
            room = Tree(*(part[0] for part in trees)), Round(*(part[0] for part in rounds))
        try:
            yield room
        finally:
            self._free_room.append(room)
