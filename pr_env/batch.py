"""N games side by side."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pr_env import kernels
from pr_env.checks import (
    as_array,
    check_array,
    check_flag,
    check_place,
    check_whole,
    is_whole,
    readable,
    shown,
    whole_numbers,
)
from pr_env.compiling import Kernel, announce_compiling
from pr_env.game import ACTING, Action, Buffers, Game, IllegalActionError, PositionError, check_buffers, check_is_game
from pr_env.playing import ASKED, BY_CHANCE
from pr_env.sampling import sample_actions, sample_actions_together, start_generators
from pr_env.threads import can_share, check_threads, default_threads, together

_SAVE_MAGIC = b"pr_env games\n"
_loaded: set[tuple[type[Game], np.dtype[Any], str]] = set()


class InUseError(RuntimeError):
    """A batch or an environment that another thread is using. Nothing was changed."""


class Guarded(Protocol):
    """What `one_thread_at_a_time` needs: a lock of its own."""

    _in_use: Any  # threading.RLock, which is not a class in older versions of Python


T = TypeVar("T", bound=Guarded)
P = ParamSpec("P")
R = TypeVar("R")


def one_thread_at_a_time(method: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """Refuse a call while another thread is in a method of the same object.

    Compiled code releases the GIL, so two threads could write to the same games at once.
    """

    @wraps(method)
    def guarded(self: T, *args: P.args, **kwargs: P.kwargs) -> R:
        if not self._in_use.acquire(blocking=False):
            raise InUseError(_in_use_by_another(self))
        try:
            return method(self, *args, **kwargs)
        finally:
            self._in_use.release()

    return guarded  # type: ignore[return-value] # mypy misses that self may be given by position


def _in_use_by_another(thing: object) -> str:
    return f"this {type(thing).__name__} is in use by another thread: give each thread its own, or use a lock"


class Batch:
    """N games of one configuration, stepped together.

    After construction, ``reset`` and ``step``, the attributes ``player``, ``mask``, ``observation``, ``reward``,
    ``terminated``, ``truncated`` and ``final`` hold the results as arrays whose first axis is the batch (see
    `Buffers`). Each step overwrites them.

    Only one thread may use a batch at a time: a call raises `InUseError` while another thread is in a method of the
    same batch. Give each thread its own batch.

    Examples:
        >>> batch = Batch(PuertoRico(players=4), 1024, seed=0)
        >>> while True:
        ...     batch.step(batch.sample_actions())

    Args:
        game: The game and its configuration.
        count: How many games.
        seed: One number, so that game ``i`` has the seed ``seed + i``, or one seed per game. The same seed and actions
            give the same game in any batch, with any number of threads.
        reward: One of the game's reward schemes.
        observations: Whether to write observations. Without them a step takes about half the time.
        compact: Whether observations are compact: uint8 counts, a quarter of the bytes of float32. A network scales
            them with ``game.scales``. Not every game has them.
        autoreset: Whether a finished game restarts in the same step, with a seed drawn from its own generator. If not,
            it stays finished, its mask is all True and actions for it are ignored.
        threads: How many threads share a step. None: one per core, if the batch is large enough to benefit.
        buffers: Arrays to write to, if the caller wants to provide them.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int | npt.ArrayLike = 0,
        *,
        reward: str = "win_share",
        observations: bool = True,
        compact: bool = False,
        autoreset: bool = True,
        threads: int | None = None,
        buffers: Buffers | None = None,
    ) -> None:
        check_is_game(game)
        check_flag("observations", observations)
        check_flag("autoreset", autoreset)
        check_whole("count", count)
        count = int(count)  # sums of a small NumPy type would overflow
        if threads is not None:
            check_threads(threads)
        game._check_reward(reward)
        self.game = game
        self.reward_scheme = reward
        self.autoreset = bool(autoreset)
        self.threads = int(threads or default_threads(count))
        self._in_use = threading.RLock()
        try:
            self._buffers = _checked_buffers(game, count, observations, compact, buffers)
            self._games = np.zeros(count, game.record)
        except MemoryError:
            raise ValueError(f"count must be a number of games that fits into memory, got {count}") from None
        self._generators = np.zeros(count, np.uint64)
        self._everywhere = np.ones(count, np.bool_)
        self._one = np.zeros(1, np.int64)
        self._play_on_loaded = False
        self._unseen = replace(self._buffers, observation=self.observation[:, :0].copy())
        _load(game, self.compact)
        if self.threads > 1:
            _load_threads(game, self.compact)
        self._bind()
        self.reset(seed)

    def __len__(self) -> int:
        """How many games."""
        return len(self._games)

    def __repr__(self) -> str:
        return f"Batch({self.game}, {len(self)})"

    @property
    def compact(self) -> bool:
        """Whether observations are uint8 counts."""
        return self.observation.dtype == np.uint8

    # -- what the last step wrote ---------------------------------------------------------------------------------

    @property
    def player(self) -> np.ndarray:
        """int8 (n,): the seat to move."""
        return self._buffers.player

    @property
    def mask(self) -> np.ndarray:
        """Bool (n, actions): its legal actions."""
        return self._buffers.mask

    @property
    def observation(self) -> np.ndarray:
        """float32 (n, size): its observation."""
        return self._buffers.observation

    @property
    def reward(self) -> np.ndarray:
        """float32 (n, players): each seat's reward for the last step."""
        return self._buffers.reward

    @property
    def terminated(self) -> np.ndarray:
        """Bool (n,): games that ended in the last step."""
        return self._buffers.terminated

    @property
    def truncated(self) -> np.ndarray:
        """Bool (n,): games that were truncated in the last step."""
        return self._buffers.truncated

    @property
    def final(self) -> np.ndarray:
        """Records (n,): points by source, ranks and so on, for the games that ended in the last step."""
        return self._buffers.final

    @property
    def buffers(self) -> Buffers:
        """All of these arrays together."""
        return self._buffers

    @property
    def seed(self) -> np.ndarray:
        """uint64 (n,): the seed of each current game."""
        return np.array(self._games["seed"])

    # -- playing ----------------------------------------------------------------------------------------------------

    @one_thread_at_a_time
    def reset(self, seed: int | npt.ArrayLike) -> Buffers:
        """Restart all games."""
        seeds = _seeds(seed, len(self))
        self.game._reset(self._games, seeds)
        start_generators(seeds ^ np.uint64(0x5EED), self._generators)
        self._clear_step()
        self.game._look(self._games, self._buffers)
        return self._buffers

    @one_thread_at_a_time
    def restart(self, index: np.ndarray) -> None:
        """Restart the games at these indices (whole numbers), each with a seed derived from its previous one."""
        index = self._places(index)
        games = self._games[index]
        seeds = np.zeros(len(games), np.uint64)
        start_generators(np.ascontiguousarray(games["seed"]), seeds)
        self.game._reset(games, seeds)
        self._games[index] = games
        view = Buffers.allocate(self.game, len(games), self.observation.shape[1] > 0, self.compact)
        self.game._look(games, view)
        for name in ("player", "mask", "observation"):
            getattr(self, name)[index] = getattr(view, name)

    @one_thread_at_a_time
    def step(self, actions: npt.ArrayLike, where: np.ndarray | None = None, *, observe: bool = True) -> Buffers:
        """Play one action in every game.

        Args:
            actions: One action number per game.
            where: bool (n,): the games to step; the others do not change and get no reward. None: all.
            observe: Whether to write the observations. A step without them takes half the time.

        Raises:
            IllegalActionError: If any action is illegal. In that case no game changes.
        """
        numbers = self._whole_numbers(actions)
        check_flag("observe", observe)
        where = self._everywhere if where is None else readable("where", where, np.bool_, (len(self),))
        out = self._buffers if observe else self._unseen
        illegal = self.game._step(
            self._games, numbers, where, self.reward_scheme, self.autoreset, self._threads_now(), out
        )
        if illegal >= 0:
            raise IllegalActionError(self._explain_illegal(illegal, int(as_array("actions", actions)[illegal])))
        return self._buffers

    def step_one(self, action: int) -> None:
        """Like ``step`` for a batch of one game, with less overhead. Single environments call this."""
        if len(self) != 1:
            raise ValueError(f"step_one is for batches of one game, this one has {len(self)}: use step")
        if not is_whole(action):
            raise IllegalActionError(f"action must be a whole number, got {shown(action)}")
        self._play_one(int(action))

    def _play_one(self, action: int) -> None:
        """Like `step_one`, without its checks."""
        if not self._in_use.acquire(False):  # as in one_thread_at_a_time, without the extra call
            raise InUseError(_in_use_by_another(self))
        try:
            self._one[0] = action
            illegal = self._step_one()
        except OverflowError:
            illegal = 0
        finally:
            self._in_use.release()
        if illegal >= 0:
            raise IllegalActionError(self._explain_illegal(illegal, action))

    @one_thread_at_a_time
    def play_on(self, asked: np.ndarray, *, look_at_all: bool = False) -> Buffers:
        """Play random actions in every game until it is an asked seat's turn, or the game is over.

        Rewards along the way are summed in ``reward``. Only for batches without autoreset.

        Args:
            asked: bool (n, players): the seats that do not play randomly.
            look_at_all: Whether to also write the observations of games in which no random action was played. Needed
                after a step without observations.
        """
        if self.autoreset:
            raise ValueError("play_on is for batches without autoreset: a game must stay where it ends")
        check_flag("look_at_all", look_at_all)
        asked = readable("asked", asked, np.bool_, (len(self), self.game.players))
        if not self._play_on_loaded:
            _load_play_on(self.game, self.threads > 1, self.compact)
            self._play_on_loaded = True
        self.game._play_on(
            self._games,
            np.where(asked, ASKED, BY_CHANCE),
            self._generators,
            bool(look_at_all),
            self.reward_scheme,
            self._threads_now(),
            self._buffers,
        )
        return self._buffers

    @one_thread_at_a_time
    def sample_actions(self, out: np.ndarray | None = None) -> np.ndarray:
        """Uniformly random legal actions. Reproducible from the seed, and independent of the games' own randomness."""
        if out is None:
            out = np.empty(len(self), np.int64)
        else:
            check_array("out", out, np.int64, (len(self),))
        threads = self._threads_now()
        if threads == 1:
            sample_actions(self.mask, self._generators, out)
        else:
            with together():
                sample_actions_together(threads, self.mask, self._generators, out)
        return out

    @one_thread_at_a_time
    def is_over(self) -> np.ndarray:
        """Bool (n,): the games that are over and do not restart."""
        return self.game._is_over(self._games)

    @one_thread_at_a_time
    def look(self, out: Buffers, viewer: int = ACTING) -> None:
        """Write the view of a seat, or ACTING or EVERYTHING, of every game to buffers other than the batch's own."""
        check_buffers("out", out)
        out.check(self.game, len(self))
        self.game._check_viewer(viewer)
        self.game._look(self._games, out, viewer)

    def legal_actions(self, index: int) -> list[Action]:
        """The legal actions of one game, as rows of the action table."""
        check_place("index", index, len(self))
        return [self.game.actions[number] for number in np.flatnonzero(self._games["legal"][index])]

    @one_thread_at_a_time
    def score(self) -> np.ndarray:
        """Points, ranks and so on of every game as if it ended now."""
        finals = np.zeros(len(self), self.game.final)
        self.game._score(self._games, finals)
        return finals

    def render(self, index: int, mode: str = "ansi") -> str | np.ndarray:
        """The board of one game, in one of the game's render modes."""
        check_place("index", index, len(self))
        self.game.check_render_mode(mode)
        return self.game.render(self._games[index], mode)

    def _repr_svg_(self) -> str | None:
        """The board of the first game, as shown in notebooks; None if the game does not draw SVG."""
        return str(self.render(0, "svg")) if "svg" in self.game.render_modes else None

    # -- copies of games --------------------------------------------------------------------------------------------

    @property
    def games(self) -> np.ndarray:
        """The records themselves, read-only."""
        view = self._games.view()
        view.flags.writeable = False
        return view

    @one_thread_at_a_time
    def set_games(self, games: np.ndarray, start: int = 0) -> None:
        """Replace the records from index ``start`` by others (copies of ``games``, or from ``Game.from_dict``).

        Raises:
            PositionError: If a record is impossible in this configuration. In that case nothing changes.
        """
        if not isinstance(games, np.ndarray) or games.dtype != self.game.record or games.ndim != 1:
            got = f"shape {games.shape}" if isinstance(games, np.ndarray) else shown(games)
            raise PositionError(f"games must be a one-dimensional array of records of {self.game}, got {got}")
        check_whole("start", start, least=0)
        if not 0 <= start <= len(self) - len(games):
            raise PositionError(f"{len(games)} games do not fit into a batch of {len(self)} at index {start}")
        if not len(games):
            raise PositionError("games must be at least one record, got none")
        self.game._check_possible(games)
        self._games[start : start + len(games)] = games
        self.game._refresh(self._games[start : start + len(games)])
        self._clear_step()
        self.game._look(self._games, self._buffers)

    @one_thread_at_a_time
    def clone(self) -> Batch:
        """An independent copy of the games."""
        return self._like(self._games, self._generators)

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        """A deep copy is a clone."""
        return self.clone()

    @one_thread_at_a_time
    def save(self) -> bytes:
        """All games as bytes: a header line, then the records."""
        header = {
            "game": self.game.name,
            "layout": self.game.layout,
            "options": self.game.recorded_options(),
            "count": len(self),
            "record_bytes": self.game.record.itemsize,
        }
        return _SAVE_MAGIC + json.dumps(header).encode() + b"\n" + self._games.tobytes() + self._generators.tobytes()

    @one_thread_at_a_time
    def restore(self, saved: bytes) -> None:
        """Restore games from the bytes of ``save``.

        Raises:
            PositionError: If the bytes are damaged, or of another game, configuration or number of games. In that case
                nothing changes.
        """
        header, body = _read_header(saved)
        here, _ = _read_header(self.save())
        for key, value in here.items():
            if header.get(key) != value:
                raise PositionError(f"saved games have {key} {shown(header.get(key))}, this batch has {value!r}")
        split = self._games.nbytes
        if len(body) != split + self._generators.nbytes:
            raise PositionError(f"saved games have {len(body)} bytes, expected {split + self._generators.nbytes}")
        self.set_games(np.frombuffer(body[:split], self.game.record))
        self._generators[:] = np.frombuffer(body[split:], np.uint64)

    def to_dict(self, index: int) -> dict[str, Any]:
        """One game as JSON-safe Python values with English names."""
        check_place("index", index, len(self))
        return self.game.to_dict(self._games[index])

    @classmethod
    def from_dicts(cls, game: Game, positions: Iterable[Mapping[str, Any]], **options: Any) -> Batch:
        """A batch of games at these positions; options as for the constructor."""
        check_is_game(game)
        try:
            given = list(positions)
        except TypeError:
            raise ValueError(f"positions must be a list of descriptions, got {shown(positions)}") from None
        if not given:
            raise ValueError("positions must be at least one description, got none")
        described = [game.from_dict(position) for position in given]
        games = np.concatenate(described)
        batch = cls(game, len(games), **options)
        batch.set_games(games)
        return batch

    def _bind(self) -> None:
        self._step_one = self.game._bind_step(
            self._games, self._one, self._everywhere, self.reward_scheme, self.autoreset, self._buffers
        )

    def __getstate__(self) -> dict[str, Any]:
        """For pickling: everything except the lock and the function bound to the arrays."""
        return {name: value for name, value in vars(self).items() if name not in ("_step_one", "_in_use")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore after unpickling."""
        vars(self).update(state)
        self._in_use = threading.RLock()
        _load(self.game, self.compact)
        self._bind()

    # -- inside -----------------------------------------------------------------------------------------------------

    def _like(self, games: np.ndarray, generators: np.ndarray) -> Batch:
        batch = Batch(
            self.game,
            len(games),
            reward=self.reward_scheme,
            observations=self.observation.shape[1] > 0,
            compact=self.compact,
            autoreset=self.autoreset,
            threads=self.threads,
        )
        batch._games[:] = games
        batch._generators[:] = generators
        for mine, theirs in zip(vars(self._buffers).values(), vars(batch._buffers).values(), strict=True):
            theirs[:] = mine
        return batch

    def _clear_step(self) -> None:
        self.reward[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False

    def _whole_numbers(self, actions: npt.ArrayLike) -> np.ndarray:
        try:
            return whole_numbers("actions", actions, (len(self),))
        except ValueError as error:
            raise IllegalActionError(str(error)) from None

    def _places(self, index: Any) -> np.ndarray:
        """Indices of games, checked."""
        places = as_array("index", index)
        if places.ndim != 1 or places.dtype.kind not in "iu":
            raise ValueError(f"index must be a list of whole numbers, got {shown(index)}")
        if ((places < -len(self)) | (places >= len(self))).any():
            raise IndexError(f"index must be whole numbers from 0 to {len(self) - 1}, got {shown(index)}")
        return places.astype(np.int64)

    def _explain_illegal(self, index: int, number: int) -> str:
        legal = ", ".join(str(action) for action in self.legal_actions(index))
        decision = self.game.describe_decision(self._games[index])
        if not 0 <= number < len(self.game.actions):
            what = f"action {number} does not exist (actions are 0 to {len(self.game.actions) - 1})"
        else:
            what = f"action {self.game.actions[number]} is not legal"
        return f"game {index}, {decision}: {what}; legal: {legal or 'none, the game is over'}"

    def _threads_now(self) -> int:
        return self.threads if can_share() else 1


_FOR_ONE_THREAD: tuple[Kernel[..., Any], ...] = (
    kernels.reset_games,
    kernels.refresh_games,
    kernels.look_at_games,
    kernels.step_games,
    kernels.score_games,
)


def _load(game: Game, compact: bool) -> None:
    """Compile or load what every batch needs, once, by running it on zero games."""
    with _loading(game, "the rules" + _kind(compact), *_FOR_ONE_THREAD) as needed:
        if needed:
            games, actions, seeds, out = _nothing(game, compact)
            game._reset(games, seeds)
            game._refresh(games)
            game._look(games, out)
            game._step(games, actions, out.terminated, game.reward_schemes[0], True, 1, out)
            game._score(games, out.final)
            start_generators(seeds, seeds)
            sample_actions(out.mask, seeds, actions)


def _load_threads(game: Game, compact: bool) -> None:
    """The same for batches that several threads share."""
    with _loading(game, "the rules for several threads" + _kind(compact), kernels.step_games_together) as needed:
        if needed:
            games, actions, seeds, out = _nothing(game, compact)
            game._step(games, actions, out.terminated, game.reward_schemes[0], True, 2, out)
            with together():
                sample_actions_together(2, out.mask, seeds, actions)


def _load_play_on(game: Game, several_threads: bool, compact: bool) -> None:
    """The same for `Batch.play_on`."""
    for threads, loop in ((1, kernels.play_on_in_games), (2, kernels.play_on_in_games_together)):
        if threads == 1 or several_threads:
            what = "random play" + (" for several threads" if threads > 1 else "") + _kind(compact)
            with _loading(game, what, loop) as needed:
                if needed:
                    games, _, seeds, out = _nothing(game, compact)
                    policies = np.zeros((0, game.players), np.int64)
                    game._play_on(games, policies, seeds, False, game.reward_schemes[0], threads, out)


def load_all(game: Game, threads: int) -> None:
    """Compile or load ahead of time everything that batches of this game use with this number of threads."""
    _load(game, False)
    if threads > 1:
        _load_threads(game, False)
    _load_play_on(game, threads > 1, False)
    games, seats, seeds, _ = _nothing(game, False)
    game._resample(games, seats, seeds)
    game._is_over(games)
    game._is_truncated(games)


def _kind(compact: bool) -> str:
    return ", compact observations," if compact else ""


def _nothing(game: Game, compact: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, Buffers]:
    """Empty arrays of games, numbers and seeds, and buffers for them."""
    return (
        np.zeros(0, game.record),
        np.zeros(0, np.int64),
        np.zeros(0, np.uint64),
        Buffers.allocate(game, 0, compact=compact),
    )


@contextmanager
def _loading(game: Game, what: str, *loops: Kernel[..., Any]) -> Iterator[bool]:
    """Whether a part still needs loading; announces it if that means compiling."""
    key = type(game), game.record, what
    if key in _loaded:
        yield False
        return
    with announce_compiling(f"{what} of {game.name}", *loops, rules=game.rules):
        yield True
    _loaded.add(key)


def _seeds(seed: int | npt.ArrayLike, count: int) -> np.ndarray:
    """One uint64 for each game."""
    given = as_array("seed", seed)
    if not np.issubdtype(given.dtype, np.integer) or np.any(given < 0):
        raise ValueError(f"seed must be whole numbers from 0 to 2**64 - 1, got {shown(seed)}")
    if given.shape not in ((), (count,)):
        raise ValueError(f"seed must be one number or one for each of {count} games, got shape {given.shape}")
    if given.shape == ():
        if int(given) + count > 2**64:
            raise ValueError(f"seed must be at most 2**64 - {count} for {count} games, got {given}")
        return given.astype(np.uint64) + np.arange(count, dtype=np.uint64)
    return np.ascontiguousarray(given, np.uint64)


def _checked_buffers(game: Game, count: int, observations: bool, compact: bool, given: Buffers | None) -> Buffers:
    dtype = game.observation_dtype(compact)
    if given is None:
        return Buffers.allocate(game, count, observations, compact)
    check_buffers("buffers", given)
    given.check(game, count)
    if given.observation.dtype != dtype:
        raise ValueError(f"buffer observation must be {dtype.__name__}, got {given.observation.dtype}")
    if (given.observation.shape[1] > 0) != observations:
        raise ValueError(f"buffer observation must {'' if observations else 'not '}have room for observations")
    return given


def _read_header(saved: bytes) -> tuple[dict[str, Any], bytes]:
    if not isinstance(saved, bytes) or not saved.startswith(_SAVE_MAGIC):
        raise PositionError("saved must be bytes from Batch.save, which start with 'pr_env games'")
    line, _, body = saved[len(_SAVE_MAGIC) :].partition(b"\n")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise PositionError("saved games are damaged: their first line is not a JSON object")
    return header, body
