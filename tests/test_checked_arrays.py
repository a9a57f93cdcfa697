"""No public call reads or writes outside its arrays: wrong shapes are rejected without side effects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pr_env import Batch, Buffers, Game, IllegalActionError, PositionError, PuertoRico
from tests.toys import InOrder, Nim, SevenDice

GAMES: tuple[Game, ...] = (PuertoRico(players=3), Nim(), SevenDice(), InOrder(players=3))
COUNT = 6


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def batch(request: pytest.FixtureRequest) -> Batch:
    batch = Batch(request.param, COUNT, seed=1, autoreset=False, threads=1)
    batch.step(batch.sample_actions())
    return batch


def everything(batch: Batch) -> bytes:
    return batch.save() + b"".join(array.tobytes() for array in vars(batch.buffers).values())


def refuses(batch: Batch, *calls: Callable[[], Any]) -> None:
    before = everything(batch)
    for call in calls:
        with pytest.raises((ValueError, TypeError)):
            call()
        assert everything(batch) == before


BAD_ARRAYS: tuple[Any, ...] = (
    None,
    3,
    "3",
    [],
    np.zeros(COUNT - 1),
    np.zeros(COUNT, np.float32),
    np.zeros((COUNT, 1), np.int64),
    np.array("x"),
    np.zeros(COUNT, object),
)


def test_sample_actions(batch: Batch) -> None:
    short, strided = np.empty(3, np.int64), np.empty(2 * COUNT, np.int64)[::2]
    frozen = np.empty(COUNT, np.int64)
    frozen.flags.writeable = False
    wrong = [bad for bad in BAD_ARRAYS if bad is not None]
    for out in (short, strided, frozen, np.empty(COUNT, np.int32), *wrong):
        refuses(batch, lambda out=out: batch.sample_actions(out=out))  # type: ignore[misc]


def test_step(batch: Batch) -> None:
    for bad in BAD_ARRAYS:
        refuses(batch, lambda bad=bad: batch.step(bad))  # type: ignore[misc]
    actions = batch.clone().sample_actions()
    for where in (*BAD_ARRAYS[1:], np.ones(COUNT - 1, np.bool_), np.ones(COUNT, np.int8)):
        refuses(batch, lambda where=where: batch.step(actions, where))  # type: ignore[misc]
    refuses(batch, lambda: batch.step(np.full(COUNT, 2**62)), lambda: batch.step(np.full(COUNT, -(2**62))))


def test_step_one_takes_whole_numbers_in_a_batch_of_one(batch: Batch) -> None:
    refuses(batch, lambda: batch.step_one(0))
    one = Batch(batch.game, 1, seed=1, autoreset=False)
    for bad in (3.9, "3", None, 2**70, -1, np.float64(1), [0], len(batch.game.actions)):
        before = everything(one)
        with pytest.raises(IllegalActionError):
            one.step_one(bad)  # type: ignore[arg-type]
        assert everything(one) == before


def test_play_on(batch: Batch) -> None:
    seats = batch.game.players
    for bad in (*BAD_ARRAYS, np.full(COUNT, 99), np.ones((COUNT, seats + 1), np.bool_), np.ones((1, seats), np.bool_)):
        refuses(batch, lambda bad=bad: batch.play_on(bad))  # type: ignore[misc]


def test_look_score_reset_refresh_and_resample_of_the_game(batch: Batch) -> None:
    game = batch.game
    games = np.array(batch.games)
    before = games.tobytes()
    enough, short = Buffers.allocate(game, COUNT), Buffers.allocate(game, 1)
    calls: list[Callable[[], Any]] = [
        lambda: game.look(games, short),
        lambda: game.look(games, enough, viewer=99),
        lambda: game.look(games, enough, viewer=-3),
        lambda: game.look(games, enough, viewer=None),  # type: ignore[arg-type]
        lambda: game.look(games, replace(enough, mask=enough.mask[:, :-1])),
        lambda: game.look(games, replace(enough, observation=np.zeros((COUNT, 9999), np.float32))),
        lambda: game.look(games, replace(enough, player=enough.player.astype(np.int64))),
        lambda: game.look(games, replace(enough, final=None)),  # type: ignore[arg-type]
        lambda: game.score(games, np.zeros(1, game.final)),
        lambda: game.score(games, np.zeros(COUNT)),
        lambda: game.reset(games, np.zeros(COUNT - 1, np.uint64)),
        lambda: game.reset(games, np.zeros(COUNT, np.int64)),
        lambda: game.reset(games[::2], np.zeros(COUNT // 2, np.uint64)),
        lambda: game.reset(batch.games, np.zeros(COUNT, np.uint64)),
        lambda: game.refresh(games.reshape(2, -1)),
        lambda: game.resample(games, np.full(COUNT, 99), np.zeros(COUNT, np.uint64)),
        lambda: game.resample(games, np.zeros(COUNT - 1, np.int64), np.zeros(COUNT, np.uint64)),
        lambda: game.step(games, np.zeros(1, np.int64), np.ones(COUNT, np.bool_), "win_share", False, 1, enough),
        lambda: game.step(games, np.zeros(COUNT, np.int64), np.ones(1, np.bool_), "win_share", False, 1, enough),
        lambda: game.step(games, np.zeros(COUNT, np.int64), np.ones(COUNT, np.bool_), "gold", False, 1, enough),
        lambda: game.step(games, np.zeros(COUNT, np.int64), np.ones(COUNT, np.bool_), "win_share", False, 0, enough),
        lambda: game.step(
            games, np.zeros(COUNT, np.int64), np.ones(COUNT, np.bool_), "win_share", False, 10**9, enough
        ),
        lambda: game.step(games, np.zeros(COUNT, np.int64), np.ones(COUNT, np.bool_), "win_share", False, 1, short),
    ]
    for other in GAMES:
        if other.record != game.record:
            calls.append(lambda other=other: other.is_over(games))  # type: ignore[misc]
    for call in calls:
        with pytest.raises(ValueError):
            call()
        assert games.tobytes() == before
    refuses(batch, *calls)


def test_records_that_cannot_be_are_refused_before_compiled_code_sees_them(batch: Batch) -> None:
    game = batch.game
    random = np.random.default_rng(0)
    enough = Buffers.allocate(game, COUNT)
    refused = 0
    for _ in range(300):
        games = np.array(batch.games)
        data = games.view(np.uint8).reshape(COUNT, -1)
        data[random.integers(COUNT), random.integers(16, data.shape[1], 4)] = random.integers(0, 256, 4)
        if game.problems(games):
            refused += 1
            with pytest.raises(PositionError):
                game.look(games, enough)
            with pytest.raises(PositionError):
                batch.set_games(games)
    assert refused > 100


def test_buffers_of_the_caller(batch: Batch) -> None:
    game = batch.game
    good = Buffers.allocate(game, COUNT)
    Batch(game, COUNT, buffers=good)
    for name, array in vars(good).items():
        wrong: list[Any] = [array[:-1], np.zeros(array.shape, np.complex64), None, array.tolist()]
        if name == "observation":
            wrong.append(np.zeros((COUNT, 0), np.float32))
        for bad in wrong:
            with pytest.raises(ValueError, match=name):
                Batch(game, COUNT, buffers=replace(good, **{name: bad}))


def test_reset_and_set_games(batch: Batch) -> None:
    games = np.array(batch.games)
    refuses(
        batch,
        lambda: batch.reset(-1),
        lambda: batch.reset(2**64),
        lambda: batch.reset([1, 2]),
        lambda: batch.reset(1.5),
        lambda: batch.reset("7"),
        lambda: batch.set_games(games, start=1),
        lambda: batch.set_games(games, start=-1),
        lambda: batch.set_games(games[0]),
        lambda: batch.set_games(None),  # type: ignore[arg-type]
        lambda: batch.restore(b"nonsense"),
        lambda: batch.restore(batch.save()[:-1]),
        lambda: batch.restore(None),  # type: ignore[arg-type]
    )
