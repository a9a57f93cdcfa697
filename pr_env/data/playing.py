"""Rows of decisions from played games (seeds and actions)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from pr_env.batch import Batch
from pr_env.data.columns import DataError, ObservationKind, mask_bytes, scales_of, schema_of
from pr_env.game import Game, IllegalActionError

NOBODY = -1  # in the table of actions: the game has ended

# By agent name: maps observations (k, size) and masks (k, actions) to action probabilities (k, actions)
Probabilities = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class PlayedGames:
    """Games that were played.

    Attributes:
        seeds: uint64 (n,).
        actions: int16 (steps, n): the actions played; NOBODY after the end of a game.
        agents: The agent in each seat of each game; an empty tuple if unknown.
        complete: bool (n,): games whose result counts; interrupted games have none.
    """

    seeds: np.ndarray
    actions: np.ndarray
    agents: Sequence[tuple[str, ...]]
    complete: np.ndarray

    @classmethod
    def from_lists(
        cls, seeds: Sequence[int], actions: Sequence[Sequence[int]], agents: Sequence[tuple[str, ...]]
    ) -> PlayedGames:
        """Games of different lengths, as in replays."""
        longest = max(map(len, actions), default=0)
        table = np.full((longest, len(seeds)), NOBODY, np.int16)
        for place, played in enumerate(actions):
            table[: len(played), place] = played
        return cls(np.array(seeds, np.uint64), table, agents, np.ones(len(seeds), np.bool_))


def table_of(
    game: Game,
    played: PlayedGames,
    *,
    first: int = 0,
    observation: ObservationKind = "counts",
    reward: str,
    probabilities: dict[str, Probabilities] | None = None,
) -> pa.Table:
    """One row per decision, in the order of the games. Replays the games to get the observations.

    Args:
        game: The game and its configuration.
        played: The games that were played.
        first: The index of the first game.
        observation: The format of observations.
        reward: One of the game's reward schemes.
        probabilities: Functions for action probabilities, by name of the agents that have one.

    Raises:
        DataError: If an action does not fit, or a count does not fit into 16 bits.
    """
    games = len(played.seeds)
    rows = _Rows(game, played, observation)
    batch = Batch(game, games, played.seeds, reward=reward, autoreset=False, threads=1)
    latest = np.full((games, game.players), NOBODY, np.int64)  # the row of each seat's latest decision
    for step, actions in enumerate(played.actions):
        index = np.flatnonzero(actions != NOBODY)
        at, seats = rows.starts[index] + step, batch.player[index].astype(np.int64)
        rows.write(at, batch, index, actions[index], seats)
        latest[index, seats] = at
        for name, ask in (probabilities or {}).items():
            rows.write_probabilities(at, index, seats, batch, name, ask)
        try:
            batch.step(actions.astype(np.int64), actions != NOBODY)
        except IllegalActionError as error:
            raise DataError(f"decision {step} does not fit: {error}") from None
        paid = latest >= 0
        rows.reward[latest[paid]] += batch.reward[paid]
    over = batch.is_over() & played.complete
    rows.last[latest[over & (latest >= 0).any(axis=1)].ravel()] = True
    return rows.table(batch, over, first, reward)


class _Rows:
    """The columns while they are filled. The rows of a game are consecutive, beginning at ``starts``."""

    def __init__(self, game: Game, played: PlayedGames, observation: ObservationKind) -> None:
        lengths = (played.actions != NOBODY).sum(axis=0)
        count = int(lengths.sum())
        self._game, self._played, self._kind = game, played, observation
        self.starts = np.cumsum(lengths) - lengths
        self._place = np.repeat(np.arange(len(lengths)), lengths)  # the game of each row
        self._decision = np.arange(count) - self.starts[self._place]
        self._seat = np.zeros(count, np.int8)
        self._action = np.zeros(count, np.int16)
        self._mask = np.zeros((count, mask_bytes(game)), np.uint8)
        self.reward = np.zeros(count, np.float32)
        self.last = np.zeros(count, np.bool_)
        self._scales = np.array(scales_of(game), np.float32)
        kinds = {"counts": np.int16, "float16": np.float16}
        if observation == "record":
            self._observation = np.zeros(count, game.record)
        else:
            self._observation = np.zeros((count, game.observation_size), kinds[observation])
        self._known = np.zeros(count, np.bool_)  # whether a row has probabilities
        self._chances: list[tuple[np.ndarray, np.ndarray]] = []  # rows, and their probabilities, concatenated

    def write(self, at: np.ndarray, batch: Batch, index: np.ndarray, actions: np.ndarray, seats: np.ndarray) -> None:
        """Write a decision of each of these games in their current state."""
        self._seat[at] = seats
        self._action[at] = actions
        self._mask[at] = np.packbits(batch.mask[index], axis=1, bitorder="little")
        if self._kind == "record":
            self._observation[at] = np.take(batch.games, index)
        elif self._kind == "float16":
            self._observation[at] = batch.observation[index]
        else:
            self._observation[at] = self._counts(batch.observation[index])

    def _counts(self, observations: np.ndarray) -> np.ndarray:
        counts = np.rint(observations / self._scales)
        if np.abs(counts).max(initial=0) > np.iinfo(np.int16).max:
            raise DataError(f"counts of {self._game.name} do not fit into 16 bits: use float16 or record")
        return counts.astype(np.int16)

    def write_probabilities(
        self, at: np.ndarray, index: np.ndarray, seats: np.ndarray, batch: Batch, name: str, ask: Probabilities
    ) -> None:
        """Write an agent's probabilities of the legal actions, where it is to move."""
        names = [self._played.agents[place] for place in index.tolist()]
        here = np.array([bool(who) and who[seat] == name for who, seat in zip(names, seats.tolist(), strict=True)])
        if not here.any():
            return
        masks = batch.mask[index[here]]
        found = np.asarray(ask(batch.observation[index[here]], masks), np.float32)
        self._known[at[here]] = True
        self._chances.append((np.repeat(at[here], masks.sum(axis=1)), found[masks]))

    def table(self, batch: Batch, over: np.ndarray, first: int, reward: str) -> pa.Table:
        """All columns as a table."""
        finals, place, seat = batch.score(), self._place, self._seat
        unknown = ~over[place]
        columns = {
            "game": first + place,
            "seed": self._played.seeds[place],
            "decision": self._decision.astype(np.int32),
            "seat": seat,
            "agent": self._agents(),
            "observation": self._as_lists(),
            "mask": _as_bytes(self._mask),
            "action": self._action,
            "probabilities": self._probabilities_column(),
            "reward": self.reward,
            "last": self.last,
            "win_share": pa.array(finals["win_share"][place, seat].astype(np.float32), mask=unknown),
            "points": pa.array(finals["total"][place, seat].astype(np.int32), mask=unknown),
            "rank": pa.array(finals["rank"][place, seat].astype(np.int8), mask=unknown),
        }
        return pa.table(columns, schema_of(self._game, self._kind, reward))

    def _agents(self) -> pa.Array:
        names = sorted({name for seats in self._played.agents for name in seats})
        number = {name: place for place, name in enumerate(names)}
        unknown = [NOBODY] * self._game.players
        numbers = np.array([[number[n] for n in seats] or unknown for seats in self._played.agents], np.int16)
        found = numbers.reshape(-1, self._game.players)[self._place, self._seat]
        return pa.DictionaryArray.from_arrays(pa.array(found, mask=found == NOBODY), pa.array(names, pa.string()))

    def _as_lists(self) -> pa.Array:
        if self._kind == "record":
            return _as_bytes(self._observation.view(np.uint8).reshape(len(self._observation), -1))
        return pa.FixedSizeListArray.from_arrays(pa.array(self._observation.ravel()), self._game.observation_size)

    def _probabilities_column(self) -> pa.Array:
        if not self._chances:
            return pa.nulls(len(self._known), pa.list_(pa.float32()))
        rows, values = (np.concatenate(parts) for parts in zip(*self._chances, strict=True))
        order = np.argsort(rows, kind="stable")  # keeps the order of the actions in a row
        ends = np.cumsum(np.bincount(rows, minlength=len(self._known)))
        offsets = np.concatenate([[0], ends]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values[order]), mask=pa.array(~self._known))


def _as_bytes(rows: np.ndarray) -> pa.Array:
    """Rows of bytes as fixed-size binary values."""
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(np.ascontiguousarray(rows))]
    )
