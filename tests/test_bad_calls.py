"""Invalid calls: each is rejected with a message that names the problem, and changes nothing."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest

from pr_env import Batch, Game, IllegalActionError, PortRoyal, PositionError, PuertoRico, kernels
from pr_env.aec import GameAEC
from pr_env.batch import InUseError
from pr_env.replay import Replay, ReplayError
from pr_env.seats import SeatBatch
from pr_env.single import GameEnv
from pr_env.vector import GameVectorEnv
from tests.toys import TOYS, Nim

GAMES: tuple[Game, ...] = (PuertoRico(players=3), PortRoyal(players=3), *TOYS)
GAME = GAMES[0]

by_game = pytest.mark.parametrize("game", GAMES, ids=str)


def make(game: Game, count: int = 4, **options: Any) -> Batch:
    return Batch(game, count, 3, reward=game.reward_schemes[0], threads=1, **options)


def wait(masks: np.ndarray) -> np.ndarray:
    return np.asarray(masks.argmax(axis=1))


@by_game
@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([[1, 2], [3], 4, 5], "actions must be an array or a list of numbers"),
        (None, r"actions must have shape \(4,\)"),
        ([None] * 4, "actions must be whole numbers, got"),
        ([{}] * 4, "actions must be whole numbers, got"),
        ([2**70] * 4, f"action {2**70} does not exist"),
        (np.full(4, 2**64 - 1, np.uint64), f"action {2**64 - 1} does not exist"),
    ],
)
def test_bad_actions_of_a_batch(game: Game, actions: Any, sentence: str) -> None:
    batch = make(game)
    before = batch.save()
    with pytest.raises(IllegalActionError, match=sentence):
        batch.step(actions)
    assert batch.save() == before


def test_actions_in_another_layout_do_not_compile_again() -> None:
    batch = make(GAME)
    batch.step(batch.mask.argmax(axis=1))
    compiled = kernels.step_games.of(GAME.rules)
    before = list(getattr(compiled, "signatures", []))
    actions = batch.mask.argmax(axis=1)
    actions.flags.writeable = False
    batch.step(actions)
    assert list(getattr(compiled, "signatures", [])) == before


@by_game
def test_a_count_of_a_small_type(game: Game) -> None:
    assert len(make(game, np.int8(3))) == 3  # type: ignore[arg-type]
    assert GameVectorEnv(game, np.int8(3), reward=game.reward_schemes[0]).num_envs == 3  # type: ignore[arg-type]


@by_game
def test_no_records_at_all(game: Game) -> None:
    with pytest.raises(PositionError, match="games must be at least one record, got none"):
        make(game).set_games(np.zeros(0, game.record))


@by_game
@pytest.mark.parametrize("method", ["to_dict", "render", "legal_actions"])
def test_places_that_are_none(game: Game, method: str) -> None:
    call = getattr(make(game), method)
    with pytest.raises(IndexError, match="index must be a whole number from 0 to 3, got 4"):
        call(4)
    with pytest.raises(ValueError, match="index must be a whole number from 0 to 3, got None"):
        call(None)


@by_game
def test_what_is_told_of_a_record_needs_one_of_this_game(game: Game) -> None:
    for told in (game.to_dict, game.describe_decision):
        with pytest.raises(ValueError, match="record must be one record of"):
            told(np.zeros(1, game.record))


def test_an_impossible_record_is_named() -> None:
    record = make(GAME, 1).games.copy()
    record["phase"] = 99
    with pytest.raises(PositionError, match=r"phase must be from 0 to \d+, got 99"):
        GAME.to_dict(record[0])


def test_a_deeply_nested_header() -> None:
    batch = make(GAME)
    before = batch.save()
    with pytest.raises(PositionError, match="saved games are damaged"):
        batch.restore(b"pr_env games\n" + b"[" * 200_000 + b"\n")
    assert batch.save() == before


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ({"phase": None}, "phase in the position must be one of .*, got None"),
        ({"phase": "mayor", "decision": {"circle_kind": None}}, "circle_kind in decision must be one of .*, got None"),
        (
            {"boards": [{"city": {"harbor": 2}}, {}, {}]},
            "^harbor in city in board 0 must be a whole number from 0 to 1, got 2$",
        ),
    ],
)
def test_bad_positions(position: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PositionError, match=sentence):
        GAME.from_dict(position)


def test_a_wrong_number_of_a_record_is_named_with_its_place() -> None:
    batch = make(GAME, 2)
    games = batch.games.copy()
    games["city"][1, 0, 16] = 2
    with pytest.raises(PositionError, match=r"^game 1: city\[0, 16\] must be from -1 to 1, got 2$"):
        batch.set_games(games)


# -- environments ----------------------------------------------------------------------------------------------------


@by_game
@pytest.mark.parametrize("mode", ["raise", "terminate", "random_legal"])
@pytest.mark.parametrize("action", [None, {}, "x", 1.0, [1], True])
def test_what_is_no_number_is_refused_by_every_environment(game: Game, mode: Any, action: Any) -> None:
    reward = game.reward_schemes[0]
    aec = GameAEC(game, reward=reward, illegal_action=mode)
    aec.reset(seed=1)
    single = GameEnv(game, reward=reward, illegal_action=mode)
    single.reset(seed=1)
    for env in (aec, single):
        batch = env._batch if isinstance(env, GameAEC) else env._seats.batch
        before = batch.save()
        with pytest.raises(IllegalActionError, match="action must be a whole number, got"):
            env.step(action)
        assert batch.save() == before


@by_game
def test_numbers_of_any_size_are_illegal_actions(game: Game) -> None:
    env = GameEnv(game, reward=game.reward_schemes[0], illegal_action="terminate")
    env.reset(seed=1)
    assert env.step(10**30)[2]  # type: ignore[arg-type]


@by_game
def test_options_and_agents_that_are_none(game: Game) -> None:
    reward = game.reward_schemes[0]
    aec = GameAEC(game, reward=reward)
    for env in (aec, GameEnv(game, reward=reward), GameVectorEnv(game, 2, reward=reward)):
        with pytest.raises(ValueError, match="options must be a dictionary or None, got 'x'"):
            env.reset(seed=1, options="x")  # type: ignore[arg-type]
    aec.reset(seed=1)
    for call in (aec.observe, aec.action_space, aec.observation_space):
        with pytest.raises(ValueError, match=r"agent must be one of player_0.*, got 'player_9'"):
            call("player_9")


@by_game
def test_a_notebook_shows_the_picture_or_the_ordinary_text(game: Game) -> None:
    env = GameAEC(game, reward=game.reward_schemes[0])
    env.reset(seed=1)
    for shown in (make(game), env, GameEnv(game, reward=game.reward_schemes[0])):
        picture = shown._repr_svg_()
        assert picture.startswith("<svg") if picture is not None else "svg" not in game.render_modes


# -- opponents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game for game in GAMES if game.players > 1], ids=str)
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, r"opponent bad must return one action for each game: actions must have shape"),
        (1.0, r"opponent bad must return one action for each game"),
        ([0.5], r"must return one action for each game: actions must be whole numbers, got float64"),
        ([-1], r"opponent bad must return legal actions \(.*\), got -1"),
    ],
)
def test_an_opponent_that_returns_no_legal_action(game: Game, answer: Any, sentence: str) -> None:
    broken = False

    def bad(observations: np.ndarray, masks: np.ndarray) -> Any:
        return answer if broken else masks.argmax(axis=1)

    seats = SeatBatch(game, 1, 4, opponents=bad, reward=game.reward_schemes[0], seat=0)
    broken = True
    for _ in range(30):  # until an opponent is asked
        before = [array.copy() for array in seats._arrays()]
        try:
            seats.step(wait(seats.mask))
        except ValueError as error:
            said = str(error)
            break
    else:
        pytest.fail("no opponent was asked")
    assert re.search(sentence, said)
    assert all(np.array_equal(old, new) for old, new in zip(before, seats._arrays(), strict=True))
    broken = False
    seats.step(wait(seats.mask))


# -- threads ---------------------------------------------------------------------------------------------------------


def test_a_batch_is_for_one_thread_at_a_time() -> None:
    batch = make(GAME)
    seats = SeatBatch(GAME, 2, opponents="random", threads=1)
    refused: list[Exception] = []

    def use() -> None:
        for call in (
            lambda: batch.step(wait(batch.mask)),
            lambda: batch.reset(1),
            batch.save,
            seats_step,
            batch_step_one,
        ):
            try:
                call()
            except InUseError as error:
                refused.append(error)

    def seats_step() -> None:
        seats.step(wait(seats.mask))

    one = make(GAME, 1)

    def batch_step_one() -> None:
        one.step_one(int(one.mask[0].argmax()))

    before = batch._games.tobytes()
    with batch._in_use, seats._in_use, one._in_use:  # as if this thread were in one of their methods
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
    assert len(refused) == 5
    assert "is in use by another thread" in str(refused[0])
    assert batch._games.tobytes() == before
    thread = threading.Thread(target=use)  # now it is free
    thread.start()
    thread.join()
    assert len(refused) == 5


# -- replays ---------------------------------------------------------------------------------------------------------


def test_names_with_control_characters_are_refused() -> None:
    with pytest.raises(ReplayError, match=r"seats must be names without control characters, got \('\\x1b\[2J', 'a'\)"):
        Replay(Nim(players=2), 1, (), ("\x1b[2J", "a"))
