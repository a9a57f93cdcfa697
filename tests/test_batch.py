"""The batch: its arrays, copies of games, and bad input."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest

from pr_env import Batch, Buffers, IllegalActionError, PositionError, PuertoRico


def played(count: int = 5, steps: int = 60, **options: Any) -> Batch:
    batch = Batch(PuertoRico(players=3), count, seed=1, **options)
    for _ in range(steps):
        batch.step(batch.sample_actions())
    return batch


def test_shapes_and_types() -> None:
    batch = played()
    assert (batch.player.shape, batch.player.dtype.name) == ((5,), "int8")
    assert (batch.mask.shape, batch.mask.dtype.name) == ((5, 86), "bool")
    assert (batch.observation.shape, batch.observation.dtype.name) == ((5, batch.game.observation_size), "float32")
    assert (batch.reward.shape, batch.reward.dtype.name) == ((5, 3), "float32")
    assert batch.terminated.shape == batch.truncated.shape == batch.final.shape == (5,)
    assert batch.terminated.dtype.name == batch.truncated.dtype.name == "bool"


def test_observations_can_be_left_out() -> None:
    without, with_ = played(observations=False), played()
    assert without.observation.shape == (5, 0)
    assert without.games.tobytes() == with_.games.tobytes()


def test_games_restart_in_the_step_they_end_and_hand_out_their_result() -> None:
    batch = Batch(PuertoRico(players=3), 50, seed=0)
    ended = 0
    for _ in range(600):
        batch.step(batch.sample_actions())
        assert (batch.reward[~batch.terminated] == 0).all()
        for index in np.flatnonzero(batch.terminated):
            ended += 1
            final = batch.final[index]
            assert batch.reward[index].tolist() == final["win_share"][:3].tolist()
            assert final["ending"] != 0
            assert batch.games[index]["round_number"] == 1
    assert ended > 50


def test_without_autoreset_a_finished_game_stays_and_ignores_actions() -> None:
    batch = Batch(PuertoRico(players=2), 3, seed=0, autoreset=False)
    ends = np.zeros(3, int)
    for _ in range(1500):
        batch.step(batch.sample_actions())
        ends += batch.terminated
    assert ends.tolist() == [1, 1, 1]
    assert batch.is_over().all()
    assert batch.mask.all()
    assert batch.legal_actions(0) == []
    before = batch.games.tobytes()
    batch.step([0, 1, 2])
    assert batch.games.tobytes() == before
    assert (batch.reward == 0).all()
    with pytest.raises(IllegalActionError, match="does not exist"):
        batch.step([0, 1, 86])


def test_only_the_games_that_are_asked_for_are_played() -> None:
    batch = played()
    before = batch.games.copy()
    where = np.array([True, False, True, False, False])
    actions = np.where(where, batch.sample_actions(), -5)  # the entries of skipped games do not matter
    batch.step(actions, where)
    changed = [batch.games[i].tobytes() != before[i].tobytes() for i in range(5)]
    assert changed == where.tolist()
    with pytest.raises(ValueError, match="where must be a NumPy array"):
        batch.step(actions, [1] * 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"where must be bool of shape \(5,\), got int64"):
        batch.step(actions, np.ones(5, np.int64))


def asked_seats(seats: np.ndarray, players: int) -> np.ndarray:
    """Ask one seat in each game."""
    return np.asarray(seats[:, None] == np.arange(players))


def test_play_on_stops_at_the_seat_or_at_the_end() -> None:
    batch = Batch(PuertoRico(players=4), 30, seed=2, autoreset=False)
    seats = np.arange(30) % 4
    asked = asked_seats(seats, 4)
    for _ in range(400):
        batch.play_on(asked)
        over = batch.is_over()
        assert (batch.player[~over] == seats[~over]).all()
        batch.step(batch.sample_actions())
    assert batch.is_over().all()
    with pytest.raises(ValueError, match=r"asked must be bool of shape \(30, 4\), got int8"):
        batch.play_on(asked.astype(np.int8))
    with pytest.raises(ValueError, match=r"asked must be bool of shape \(30, 4\), got bool of shape \(30, 3\)"):
        batch.play_on(asked[:, :3])
    with pytest.raises(ValueError, match="without autoreset"):
        played().play_on(np.zeros((5, 3), np.bool_))


def test_play_on_stops_at_each_of_several_seats_that_are_asked() -> None:
    batch = Batch(PuertoRico(players=3), 30, seed=2, autoreset=False)
    asked = np.tile([True, False, True], (30, 1))
    asked[0], asked[1] = True, False
    opening = batch.games[0].tobytes()
    seen = set()
    batch.play_on(asked)
    assert batch.games[0].tobytes() == opening
    assert batch.is_over()[1]
    for _ in range(100):
        batch.step(batch.sample_actions())
        batch.play_on(asked)
        goes_on = ~batch.is_over()[2:]
        seen |= set(batch.player[2:][goes_on].tolist())
    assert seen == {0, 2}


@pytest.mark.parametrize("threads", [1, 2])
def test_games_go_on_alike_with_or_without_a_look_in_between(threads: int) -> None:
    one = Batch(PuertoRico(players=3), 40, seed=5, autoreset=False, threads=1)
    other = Batch(PuertoRico(players=3), 40, seed=5, autoreset=False, threads=threads)
    asked = asked_seats(np.arange(40) % 3, 3)
    for _ in range(60):
        one.play_on(asked)
        other.play_on(asked, look_at_all=True)
        assert one.games.tobytes() == other.games.tobytes()
        assert np.array_equal(one.observation, other.observation)
        assert np.array_equal(one.reward, other.reward)
        actions = one.sample_actions()
        assert np.array_equal(actions, other.sample_actions())
        one.step(actions)
        before = other.observation.copy()
        other.step(actions, observe=False)
        assert np.array_equal(one.mask, other.mask)
        assert np.array_equal(other.observation, before)


def test_the_caller_may_own_the_buffers() -> None:
    game = PuertoRico(players=3)
    mine = Buffers.allocate(game, 4)
    batch = Batch(game, 4, buffers=mine)
    batch.step(batch.sample_actions())
    assert batch.mask is mine.mask
    assert mine.mask.any()
    with pytest.raises(ValueError, match="buffer player must be"):
        Batch(game, 5, buffers=mine)


def test_what_a_caller_does_to_the_mask_does_not_change_what_is_legal() -> None:
    batch = played()
    batch.mask[:] = True
    with pytest.raises(IllegalActionError):
        batch.step(np.full(5, batch.game.action_number("build", "wharf")))
    batch.mask[:] = False
    batch.sample_actions()  # an empty mask does not crash


def test_reset_starts_anew() -> None:
    batch = played()
    batch.reset(7)
    assert batch.games.tobytes() == Batch(PuertoRico(players=3), 5, seed=7).games.tobytes()
    assert batch.seed.tolist() == [7, 8, 9, 10, 11]
    assert batch.reset([3, 3, 3, 1, 1]).mask.any()
    assert batch.games[0].tobytes() == batch.games[1].tobytes()


# -- copies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copier", [Batch.clone, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_play_on_alike_and_apart(copier: Any) -> None:
    batch = played(threads=1)
    twin = copier(batch)
    for name in vars(batch._buffers):
        assert np.array_equal(getattr(batch, name), getattr(twin, name))
    before = batch.games.tobytes()
    for _ in range(30):
        twin.step(twin.sample_actions())
    assert batch.games.tobytes() == before
    for _ in range(30):
        batch.step(batch.sample_actions())
    assert batch.games.tobytes() == twin.games.tobytes()


def test_save_and_restore() -> None:
    batch = played()
    saved = batch.save()
    there = [batch.step(batch.sample_actions()).mask.copy() for _ in range(40)]
    batch.restore(saved)
    again = [batch.step(batch.sample_actions()).mask.copy() for _ in range(40)]
    assert np.array_equal(there, again)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda saved: b"something else", "must be bytes from Batch.save"),
        (lambda saved: saved[:13] + b"#" + saved[14:], "saved games are damaged"),
        (lambda saved: saved[:13] + b"[]\n", "saved games are damaged"),
        (lambda saved: saved[:-1], "bytes, expected"),
        (lambda saved: saved.replace(b'"layout": 1', b'"layout": 2'), "layout 2, this batch has 1"),
        (lambda saved: saved.replace(b'"players": 3', b'"players": 4'), "options"),
        (lambda saved: saved.replace(b'"count": 5', b'"count": 6'), "count 6, this batch has 5"),
    ],
)
def test_damaged_saves_are_refused_and_change_nothing(damage: Any, message: str) -> None:
    batch = played()
    saved = batch.save()
    with pytest.raises(PositionError, match=message):
        batch.restore(damage(saved))
    assert batch.save() == saved


def test_no_bytes_however_bad_get_into_a_batch() -> None:
    batch = played()
    saved = batch.save()
    start = saved.index(b"\n", 13) + 1
    records = len(batch) * batch.game.record.itemsize
    chance = np.random.default_rng(0)
    refused = 0
    for _ in range(400):
        broken = bytearray(saved)
        for place in chance.integers(start, start + records, size=3):
            broken[place] = chance.integers(256)
        try:
            batch.restore(bytes(broken))
        except PositionError:
            refused += 1
            assert batch.save() == saved
        else:  # only irrelevant fields (seed, generator, recomputed legal actions) were hit
            assert batch.game.problems(batch.games) == []
            batch.restore(saved)
    assert refused > 200


def test_set_games_refuses_what_does_not_fit() -> None:
    batch = played()
    with pytest.raises(PositionError, match="array of records"):
        batch.set_games(np.zeros(3))
    with pytest.raises(PositionError, match="do not fit into a batch of 5"):
        batch.set_games(batch.games.copy(), start=1)
    other = Batch(PuertoRico(players=4), 1)
    with pytest.raises(PositionError, match="players must be 3, got 4"):
        batch.set_games(other.games.copy())


def test_set_games_puts_some_games() -> None:
    batch, other = played(), played(steps=20)
    batch.set_games(other.games[:2].copy(), start=3)
    assert batch.games[3:].tobytes() == other.games[:2].tobytes()
    assert np.array_equal(batch.observation[3:], other.observation[:2])


def test_the_records_can_be_looked_at_but_not_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        played().games["doubloons"][0, 0] = 99


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players must be a whole number from 2 to 6, got 1"),
        ({"players": 7}, "players must be a whole number from 2 to 6, got 7"),
        ({"players": "3"}, "players must be a whole number from 2 to 6, got '3'"),
        ({"players": True}, "players must .*, got True"),
        ({"players": 3.0}, "players must .*, got 3.0"),
        ({"max_rounds": True}, "got True"),
        ({"points": "secret"}, "points must be one of public, hidden, got 'secret'"),
        ({"max_rounds": 0}, "max_rounds must be a whole number from 1 to 500, got 0"),
        ({"max_rounds": 501}, "got 501"),
        ({"max_rounds": 2.5}, "got 2.5"),
    ],
)
def test_configurations_that_do_not_exist(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PuertoRico(**options)


def test_numpy_numbers_are_numbers() -> None:
    assert PuertoRico(players=np.int64(4)) == PuertoRico(players=4)  # type: ignore[arg-type]


def test_what_is_not_a_game_or_not_saved_says_so() -> None:
    with pytest.raises(TypeError, match="game must be a Game, got"):
        Batch(PuertoRico, 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one description"):
        Batch.from_dicts(PuertoRico(), [])
    with pytest.raises(PositionError, match=r"must be bytes from Batch\.save"):
        played().restore("abc")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "count must be a whole number of at least 1, got 0"),
        ({"count": 2.0}, "count must be a whole number"),
        ({"reward": "fame"}, "reward must be one of win_share, rank, margin, points, got 'fame'"),
        ({"threads": 0}, "threads must be a whole number"),
        ({"threads": 10_000}, "threads must be at most"),
        ({"seed": -1}, "seed must be whole numbers from 0"),
        ({"seed": 0.5}, r"seed must be whole numbers from 0 to 2\*\*64 - 1, got 0.5"),
        ({"seed": None}, "got None"),
        ({"seed": 2**64}, "seed must be whole numbers from 0"),
        ({"seed": 2**64 - 1}, "seed must be at most"),
        ({"seed": [1, 2]}, "one for each of 3 games"),
        ({"seed": "abc"}, "seed must be whole numbers"),
    ],
)
def test_batches_that_cannot_be_made(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(PuertoRico(), **({"count": 3} | arguments))


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([1, 2], r"must have shape \(5,\), one for each game, got shape \(2,\)"),
        ([[1, 2, 3, 4, 5]], r"shape \(1, 5\)"),
        (3, r"must have shape \(5,\), one for each game, got shape \(\)"),
        ([1.0] * 5, "whole numbers, got float64"),
        ([True] * 5, "whole numbers, got bool"),
        (["pass"] * 5, "whole numbers"),
        ([86] * 5, r"action 86 does not exist \(actions are 0 to 85\)"),
        ([-1] * 5, "action -1 does not exist"),
    ],
)
def test_actions_that_are_not_actions(actions: Any, message: str) -> None:
    batch = played()
    before = batch.games.tobytes()
    with pytest.raises(IllegalActionError, match=message):
        batch.step(actions)
    assert batch.games.tobytes() == before


@pytest.mark.parametrize("threads", [1, 2])
def test_one_bad_action_changes_no_game_and_is_the_one_that_is_named(threads: int) -> None:
    batch = played(count=40, threads=threads)
    actions = batch.sample_actions()
    actions[33] = batch.game.action_number("build", "city_hall")
    before = batch.games.tobytes()
    with pytest.raises(IllegalActionError, match=r"game 33, player . in phase '.*': action 85 build city_hall is not"):
        batch.step(actions)
    assert batch.games.tobytes() == before


# -- threads and processes ---------------------------------------------------------------------------------------------


def _play_in_child(queue: Any) -> None:
    queue.put(played(count=300, steps=20, threads=2).games.tobytes())


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_forked_after_threads_were_used_plays_on() -> None:
    expected = played(count=300, steps=20, threads=2).games.tobytes()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_play_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join()
    assert child.exitcode == 0
