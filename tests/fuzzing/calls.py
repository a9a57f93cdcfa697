"""The public entry points with valid arguments, some of which bad calls replace by other values."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.registry import make_agent
from pr_env import Batch, Game, PortRoyal, PuertoRico, registry, replay
from pr_env.aec import GameAEC
from pr_env.game import ACTING, Buffers
from pr_env.opponents import make_opponent
from pr_env.seats import IllegalAction, SeatBatch
from pr_env.single import GameEnv
from pr_env.vector import GameVectorEnv
from tests.fuzzing import junk
from tests.fuzzing.outcomes import Outcomes
from tests.toys import InOrder, Nim, SevenDice

COUNT = 4
State = Callable[[], object]
MODES: tuple[IllegalAction, ...] = ("raise", "terminate", "random_legal")
GAMES: tuple[Callable[[], Game], ...] = (
    lambda: PuertoRico(players=3),
    lambda: PortRoyal(players=3),
    lambda: Nim(players=3),
    lambda: SevenDice(),
    lambda: InOrder(players=3),
)


@dataclass
class Entry:
    """One entry point.

    Attributes:
        name: Its name in the table.
        call: The function.
        arguments: Creates valid arguments, by name; those whose names start with ``_`` are passed by position.
        state: Returns the state that a rejected call must not change.
        any_game: Whether the game is an argument that can be replaced, too.
    """

    name: str
    call: Callable[..., object]
    arguments: Callable[[], dict[str, Any]] = field(default=dict)
    state: State | None = None
    any_game: bool = False


class Subject:
    """A game in all its interfaces, in the middle of a game."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self.chance = game, chance
        reward = game.reward_schemes[0]
        seed = chance.randrange(1000)
        self.batch = Batch(game, COUNT, seed, reward=reward, autoreset=False, threads=1)
        self.one = Batch(game, 1, seed, reward=reward, threads=1)
        self.aec = GameAEC(game, reward=reward, illegal_action=chance.choice(MODES))
        self.aec.reset(seed=seed)
        mode = chance.choice(MODES)
        self.single = GameEnv(game, reward=reward, illegal_action=mode)
        self.single.reset(seed=seed)
        self.vector = GameVectorEnv(game, COUNT, reward=reward, illegal_action=mode, threads=1)
        self.vector.reset(seed=seed)
        self.answer: Any = None  # the answer of the bad opponent
        bad: Any = [self._bad_opponent] * (game.players - 1)
        self.seats = SeatBatch(game, COUNT, seed, opponents=bad or "random", reward=reward, threads=1)
        self.agents = [make_agent("random", game)]
        for _ in range(chance.randrange(30)):
            self.play_on()

    def play_on(self) -> None:
        """Play some legal moves in all interfaces."""
        if not self.batch.is_over().all():
            self.batch.step(self.batch.sample_actions())
        self.one.step(self.one.sample_actions())
        if not self.aec.agents or self.aec._over:
            self.aec.reset(seed=self.chance.randrange(1000))
        self.aec.step(int(self.chance.choice(np.flatnonzero(self.aec._batch.mask[0]))))
        if not self.single._running:
            self.single.reset(seed=self.chance.randrange(1000))
        self.single.step(np.int64(self.chance.choice(np.flatnonzero(self.single.action_masks()))))
        self.vector.step(legal(self.vector.action_masks(), self.chance))
        self.answer = None
        self.seats.step(legal(self.seats.mask, self.chance))

    def _bad_opponent(self, observations: np.ndarray, masks: np.ndarray) -> Any:
        return masks.argmax(axis=1) if self.answer is None else self.answer

    # -- state that must not change ---------------------------------------------------------------------------------

    def state_of(self, batch: Batch) -> State:
        """The state of a batch."""
        return lambda: (
            batch._games.tobytes(),
            batch._generators.tobytes(),
            *(array.tobytes() for array in vars(batch.buffers).values()),
        )

    def state_of_aec(self) -> object:
        """The state of the PettingZoo environment."""
        env = self.aec
        masks = {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()}
        lists = (env.agents, env.agent_selection, env.rewards, env._cumulative_rewards, env.terminations, masks)
        return self.state_of(env._batch)(), repr(lists), str(env._generator.bit_generator.state)

    def state_of_seats(self, seats: SeatBatch) -> State:
        """The state of the environments for one learner."""
        return lambda: [array.tobytes() for array in seats._arrays()]

    # -- the entry points -------------------------------------------------------------------------------------------

    def entries(self) -> Iterator[Entry]:
        """All entry points."""
        yield from self._of_batches()
        yield from self._of_games()
        yield from self._of_environments()
        yield from self._of_others()

    def _of_batches(self) -> Iterator[Entry]:
        game, batch, chance = self.game, self.batch, self.chance
        state = self.state_of(batch)
        everything, one = self.one.save(), self.state_of(self.one)
        reward = game.reward_schemes[0]

        def options() -> dict[str, Any]:
            return {
                "count": COUNT,
                "seed": 1,
                "reward": reward,
                "observations": True,
                "threads": 1,
                "buffers": Buffers.allocate(game, COUNT),
            }

        yield Entry("Batch()", lambda **given: Batch(given.pop("game", game), **given), options, any_game=True)
        yield Entry("Batch.reset", batch.reset, lambda: {"seed": chance.randrange(99)}, state)
        yield Entry("Batch.restart", batch.restart, lambda: {"index": np.array([0, 2])}, state)
        yield Entry(
            "Batch.step",
            batch.step,
            lambda: {"actions": legal(batch.mask, chance), "where": np.ones(COUNT, np.bool_), "observe": True},
            state,
        )
        yield Entry("Batch.step", batch.step, lambda: {"actions": one_illegal(batch.mask, chance)}, state)
        yield Entry(
            "Batch.step_one",
            self.one.step_one,
            lambda: {"action": int(self.one.mask[0].argmax())},
            self.state_of(self.one),
        )
        yield Entry("Batch.play_on", batch.play_on, lambda: {"asked": np.ones((COUNT, game.players), np.bool_)}, state)
        yield Entry("Batch.sample_actions", batch.sample_actions, lambda: {"out": np.zeros(COUNT, np.int64)}, state)
        yield Entry("Batch.look", batch.look, lambda: {"out": Buffers.allocate(game, COUNT), "viewer": ACTING}, state)
        yield Entry("Batch.legal_actions", batch.legal_actions, lambda: {"index": 0}, state)
        yield Entry("Batch.to_dict", batch.to_dict, lambda: {"index": 0}, state)
        yield Entry("Batch.set_games", batch.set_games, lambda: {"games": self.records(2), "start": 1}, state)
        yield Entry("Batch.restore", self.one.restore, lambda: {"saved": everything}, one)
        yield Entry("Batch.restore", self.one.restore, lambda: {"saved": damaged(everything, chance)}, one)
        yield Entry(
            "Batch.from_dicts",
            lambda **given: Batch.from_dicts(given.pop("game", game), given.pop("positions"), reward=reward),
            lambda: {"positions": [game.to_dict(batch.games[0])]},
            any_game=True,
        )

    def records(self, count: int) -> np.ndarray:
        """Records, sometimes damaged, in a random memory layout."""
        games = np.repeat(np.array(self.batch.games[:1]), count)
        if self.chance.random() < 0.5:
            for _ in range(self.chance.choice((1, 1, 3))):
                games.view("u1")[self.chance.randrange(games.nbytes)] = self.chance.randrange(256)
        return junk.layout(games, self.chance)

    def _of_games(self) -> Iterator[Entry]:
        game, chance, batch = self.game, self.chance, self.batch

        def step() -> dict[str, Any]:
            return {
                "games": np.array(batch.games),
                "actions": legal(batch.mask, chance),
                "where": np.ones(COUNT, np.bool_),
                "reward": game.reward_schemes[0],
                "autoreset": True,
                "threads": 1,
                "out": Buffers.allocate(game, COUNT),
            }

        yield Entry(f"{type(game).__name__}()", type(game), game.options)
        yield Entry("Game.from_recorded", type(game).from_recorded, lambda: {"options": game.recorded_options()})
        yield Entry("Game.reset", game.reset, lambda: {"games": self.records(2), "seeds": np.zeros(2, np.uint64)})
        yield Entry("Game.refresh", game.refresh, lambda: {"games": self.records(2)})
        yield Entry(
            "Game.look", game.look, lambda: {"games": self.records(2), "out": Buffers.allocate(game, 2), "viewer": 0}
        )
        yield Entry("Game.step", game.step, step)
        finals = lambda: {"games": self.records(2), "finals": np.zeros(2, game.final)}  # noqa: E731
        yield Entry("Game.score", game.score, finals)
        yield Entry("Game.is_over", game.is_over, lambda: {"games": self.records(2)})
        yield Entry("Game.is_truncated", game.is_truncated, lambda: {"games": self.records(2)})
        yield Entry(
            "Game.resample",
            game.resample,
            lambda: {"games": self.records(2), "viewers": np.zeros(2, np.int64), "chances": np.ones(2, np.uint64)},
        )
        yield Entry("Game.describe_decision", game.describe_decision, lambda: {"record": self.records(1)[0]})
        yield Entry("Game.to_dict", game.to_dict, lambda: {"record": self.records(1)[0]})
        yield Entry("Game.from_dict", lambda _position: game.from_dict(_position), self._position)
        yield Entry("Game.action_number", lambda _name: game.action_number(_name), lambda: {"_name": "pass"})
        yield Entry(
            "Game.read_observation", game.read_observation, lambda: {"observation": np.array(batch.observation[0])}
        )
        yield Entry("Buffers.allocate", Buffers.allocate, lambda: {"game": game, "count": 2, "observations": True})

    def _position(self) -> dict[str, Any]:
        """A description with some replaced values."""
        return {"_position": changed(self.game.to_dict(self.batch.games[0]), self.chance)}

    def _of_environments(self) -> Iterator[Entry]:
        game, chance, aec = self.game, self.chance, self.aec
        reward = game.reward_schemes[0]
        common: dict[str, Any] = {"reward": reward, "illegal_action": "raise"}
        reset = lambda: {"seed": 3, "options": {"position": game.to_dict(self.one.games[0])}}  # noqa: E731
        yield Entry(
            "GameAEC()",
            lambda **given: GameAEC(given.pop("game", game), **given),
            lambda: {**common, "render_mode": None},
            any_game=True,
        )
        yield Entry("GameAEC.reset", aec.reset, reset, self.state_of_aec)
        yield Entry("GameAEC.step", aec.step, lambda: {"action": int(aec._batch.mask[0].argmax())}, self.state_of_aec)
        yield Entry("GameAEC.observe", aec.observe, lambda: {"agent": "player_0"}, self.state_of_aec)
        yield Entry("GameAEC.action_space", aec.action_space, lambda: {"agent": "player_0"})
        yield Entry("GameAEC.observation_space", aec.observation_space, lambda: {"agent": "player_0"})
        of_learner = {**common, "seat": "rotate", "opponents": "random"}
        yield Entry(
            "GameEnv()",
            lambda **given: GameEnv(given.pop("game", game), **given),
            lambda: dict(of_learner),
            any_game=True,
        )
        state = self.state_of_seats(self.single._seats)
        yield Entry("GameEnv.reset", self.single.reset, reset, state)
        yield Entry("GameEnv.step", self.single.step, lambda: {"action": 0}, state)
        yield Entry(
            "GameVectorEnv()",
            lambda **given: GameVectorEnv(given.pop("game", game), **given),
            lambda: {**of_learner, "num_envs": 2, "threads": 1},
            any_game=True,
        )
        state = self.state_of_seats(self.vector._seats)
        yield Entry("GameVectorEnv.reset", self.vector.reset, reset, state)
        yield Entry(
            "GameVectorEnv.step",
            self.vector.step,
            lambda: {"actions": legal(self.vector.action_masks(), chance)},
            state,
        )
        yield Entry("SeatBatch.step", self._step_against_bad_opponents, dict, self.state_of_seats(self.seats))

    def _step_against_bad_opponents(self) -> None:
        self.answer = junk.value(self.chance)
        try:
            self.seats.step(legal(self.seats.mask, self.chance))
        finally:
            self.answer = None

    def _of_others(self) -> Iterator[Entry]:
        game, chance = self.game, self.chance
        recorder = replay.Recorder(game, 1)
        recorded = replay.Replay(game, 1, ())
        yield Entry(
            "Replay()",
            lambda **given: replay.Replay(given.pop("game", game), **given),
            lambda: {"seed": 1, "actions": (0,), "seats": ()},
            any_game=True,
        )
        yield Entry("Replay.batch_at", recorded.batch_at, lambda: {"move": 0})
        yield Entry("Replay.moves", recorded.moves, lambda: {"start": 0})
        yield Entry("Replay.from_json", replay.Replay.from_json, lambda: {"line": recorded.to_json()})
        yield Entry("Recorder()", replay.Recorder, lambda: {"game": game, "seed": 1})
        yield Entry("Recorder.add", recorder.add, lambda: {"action": 0})
        yield Entry("registry.find_game", registry.find_game, lambda: {"spec": game.name})
        yield Entry("registry.known_game", registry.known_game, lambda: {"name": game.name})
        yield Entry("make_opponent", make_opponent, lambda: {"name": "random", "game": game, "seed": 0})
        agent = chance.choice(("random", "mcts:playouts=2,threads=1", "ppo:temperature=0.5"))
        option, equals, number = agent.rpartition("=")
        yield Entry("make_agent", make_agent, lambda: {"spec": agent, "game": game, "seed": 0})
        yield Entry(
            "make_agent",
            lambda value: make_agent(f"{option}={value}", game),
            lambda: {"value": number if equals else 1},
        )


def legal(masks: np.ndarray, chance: random.Random) -> np.ndarray:
    """A legal action in each game."""
    return np.array([chance.choice(np.flatnonzero(mask)) for mask in masks])


def one_illegal(masks: np.ndarray, chance: random.Random) -> np.ndarray:
    """Legal actions except for one, which may not even exist."""
    actions = legal(masks, chance)
    actions[chance.randrange(len(actions))] = chance.choice((-1, masks.shape[1], chance.randrange(masks.shape[1])))
    return actions


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Bytes with some changed, removed, duplicated or cut off."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        place = chance.randrange(len(data) + 1)
        length = chance.choice((1, 1, 2, 8, 100))
        kind = chance.randrange(6)
        if kind == 0:
            del data[place:]
        elif kind == 1:
            del data[place : place + length]
        elif kind == 2:
            data[place:place] = data[place : place + length]
        elif kind == 3:
            data[place:place] = chance.choice((b"[", b'{"a":')) * chance.choice((1, 3, 100_000))
        elif place < len(data):
            data[place] = chance.randrange(256) if kind == 4 else data[place] ^ (1 << chance.randrange(8))
    return bytes(data)


def changed(told: Any, chance: random.Random) -> Any:
    """JSON-like data with a value replaced, or something removed or added."""
    if isinstance(told, dict) and told and chance.random() < 0.93:
        key = chance.choice(list(told))
        kind = chance.random()
        if kind < 0.05:
            return {name: value for name, value in told.items() if name != key}
        if kind < 0.08:
            return {**told, chance.choice(("x", 1, None)): junk.value(chance)}
        return {**told, key: changed(told[key], chance)}
    if isinstance(told, list) and told and chance.random() < 0.93:
        place = chance.randrange(len(told))
        return [*told[:place], changed(told[place], chance), *told[place + 1 :]]
    return junk.value(chance)


def bad_calls(
    outcomes: Outcomes, chance: random.Random, calls: int, games: tuple[Callable[[], Game], ...] = GAMES
) -> None:
    """Make a number of bad calls, over all games and entry points."""
    subjects = [Subject(make(), chance) for make in GAMES]
    made = 0
    while made < calls:
        for number, subject in enumerate(subjects):
            if chance.random() < 0.02:
                subjects[number] = subject = Subject(subject.game, chance)
            for entry in subject.entries():
                bad_call(outcomes, chance, entry)
                made += 1
            subject.play_on()


def bad_call(outcomes: Outcomes, chance: random.Random, entry: Entry) -> None:
    """Call an entry point with some of its arguments replaced, removed or added."""
    given = entry.arguments()
    names = list(given) + (["game"] if entry.any_game else [])
    replaced = (
        []
        if not names or chance.random() < 0.05
        else chance.sample(names, chance.choice((1, 1, 1, min(2, len(names)))))
    )
    for name in replaced:
        given[name] = junk.value(chance)
    if "_position" in given and replaced:
        replaced = []
        given["_position"] = given["_position"] if chance.random() < 0.1 else entry.arguments()["_position"]
    told = ", ".join(f"{name}={given[name]!r}"[:200] for name in replaced)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.call(entry.name, told, lambda: entry.call(**given), entry.state)
