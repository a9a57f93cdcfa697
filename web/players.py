"""The agents of a server: created on demand, shared by all tables, and limited to those on offer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from agents.agent import Agent
from agents.neural import NeuralAgent
from agents.offered import find_agent, names_of_others
from agents.registry import agent_class, agents_of, options_of
from agents.search.agent import SearchAgent, Thought
from pr_env.game import Buffers, Game
from web.limits import Limits
from web.messages import AgentChoice

NETWORK, SEARCH = "ppo", "mcts"  # evaluate positions: the network if there is one, else a short search
JUDGE_PLAYOUTS = 300
MOST_AGENTS = 64  # in the cache


@dataclass
class Mind:
    """An agent shared by several tables, which use it one at a time."""

    agent: Agent
    lock: Lock = field(default_factory=Lock)

    @property
    def searches(self) -> bool:
        """Whether the agent searches."""
        return isinstance(self.agent, SearchAgent)

    def choose(self, record: np.ndarray, watch: Callable[[float], bool]) -> int:
        """Its action in a game, shape (1,)."""
        with self.lock:
            view = _view(self.agent.game, record)
            if isinstance(self.agent, SearchAgent):
                self.agent.watch = watch
            return int(self.agent.choose(view.observation, view.mask, np.array(record))[0])

    def think(self, record: np.ndarray, watch: Callable[[float], bool]) -> Thought:
        """The result of a search in a game, shape (1,)."""
        assert isinstance(self.agent, SearchAgent)
        with self.lock:
            self.agent.watch = watch
            return self.agent.think(np.array(record))

    def evaluate(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A network's action probabilities, and win probabilities of the seats clockwise from the acting one."""
        assert isinstance(self.agent, NeuralAgent)
        with self.lock:
            view = _view(self.agent.game, records)
            return self.agent.evaluate(view.observation, view.mask)


def _view(game: Game, records: np.ndarray) -> Buffers:
    view = Buffers.allocate(game, len(records))
    game._look(np.array(records), view)
    return view


class Players:
    """Creates agents by name.

    Args:
        limits: Limits on playouts and seconds of searches.
        also: Additional agents with options, such as ``"ppo:weights=mine.npz"``. Pages select them by exactly this
            text.
    """

    def __init__(self, limits: Limits, also: Sequence[str] = ()) -> None:
        self._limits = limits
        self._also = tuple(also)
        self._minds: dict[tuple[Game, str], Mind] = {}
        self._refused: dict[tuple[Game, str], str] = {}
        self._lock = Lock()
        self._names: dict[type[Game], dict[str, str]] = {}  # cached: querying all packages takes longer than a move

    def names(self, kind: type[Game]) -> dict[str, str]:
        """The agents on offer for a class of games, each with a short description."""
        if kind not in self._names:
            self._names[kind] = self._all_names(kind)
        return self._names[kind]

    def _all_names(self, kind: type[Game]) -> dict[str, str]:
        own = {
            name: entry.words
            for name, entry in agents_of(kind.name).items()
            if not agent_class(entry).starts_program  # pages cannot start programs; `also` may contain one
        }
        return {**own, **names_of_others(kind), **dict.fromkeys(self._also, "added at the start of the server")}

    def searches(self, kind: type[Game], name: str) -> bool:
        """Whether an agent takes playouts or seconds."""
        entry = agents_of(kind.name).get(name)
        return entry is not None and "playouts" in options_of(agent_class(entry))

    def spec(self, kind: type[Game], choice: AgentChoice) -> str:
        """The agent that a page selects, as a string for `find_agent`.

        Raises:
            ValueError: If the agent is not on offer, or its budget exceeds the limits of this server.
        """
        if choice.name not in self.names(kind):
            raise ValueError(f"agent must be one of {', '.join(self.names(kind))}, got {choice.name!r}")
        if not self.searches(kind, choice.name):
            return choice.name
        options = []
        if choice.playouts is not None:
            if choice.playouts > self._limits.playouts:
                raise ValueError(f"playouts must be at most {self._limits.playouts}, got {choice.playouts}")
            options.append(f"playouts={choice.playouts}")
        if choice.seconds is not None:
            if choice.seconds > self._limits.seconds:
                raise ValueError(f"seconds must be at most {self._limits.seconds:g}, got {choice.seconds:g}")
            options.append(f"seconds={choice.seconds:g}")
        return f"{choice.name}:{','.join(options)}" if options else choice.name

    def mind(self, game: Game, spec: str) -> Mind:
        """The agent for a string from `spec`.

        Raises:
            ValueError: If it cannot play this configuration.
        """
        with self._lock:
            known = self._minds.pop((game, spec), None)
            if known is not None:
                self._minds[game, spec] = known  # most recently used last
                return known
            if (game, spec) in self._refused:
                raise ValueError(self._refused[game, spec])
        name = spec.partition(":")[0]
        one_thread = ""
        entry = agents_of(game.name).get(name)
        if entry is not None and spec not in self._also and "threads" in options_of(agent_class(entry)):
            one_thread = f"{',' if ':' in spec else ':'}threads=1"  # all tables share the server's threads
        try:
            mind = Mind(find_agent(spec + one_thread, game, seed=0))
        except (ValueError, ModuleNotFoundError) as error:
            with self._lock:
                if len(self._refused) > MOST_AGENTS:
                    self._refused.clear()
                self._refused[game, spec] = str(error)
            raise ValueError(str(error)) from error
        with self._lock:
            while len(self._minds) >= MOST_AGENTS:
                del self._minds[next(iter(self._minds))]
            return self._minds.setdefault((game, spec), mind)

    def judge(self, game: Game) -> tuple[str, Mind]:
        """The agent that estimates win probabilities, with its name."""
        try:
            return NETWORK, self.mind(game, NETWORK)
        except ValueError:
            spec = f"{SEARCH}:playouts={JUDGE_PLAYOUTS}"
            return spec, self.mind(game, spec)
