"""A game that knows nothing of Puerto Rico goes through the batch and every environment: the example of the docs."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from pr_env import Batch, Game, IllegalActionError, PositionError
from pr_env.aec import GameAEC
from pr_env.single import GameEnv
from pr_env.vector import GameVectorEnv

FILE = Path(__file__).parent.parent / "examples" / "nim.py"


@pytest.fixture(scope="module")
def nim() -> Any:
    """The game's class, out of the example's file."""
    spec = importlib.util.spec_from_file_location("nim_example", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look it up
    spec.loader.exec_module(module)
    return module.Nim


def heap_of(game: Game, counters: int) -> Batch:
    return Batch.from_dicts(game, [{"heap": counters}], autoreset=False)


def test_who_takes_the_last_counter_wins(nim: Any) -> None:
    batch = heap_of(nim(players=3), 4)
    batch.step([2])
    assert batch.player[0] == 1
    assert not batch.terminated[0]
    batch.step([0])
    assert batch.terminated[0]
    assert batch.reward[0].tolist() == [0, 1, 0]
    assert batch.final["rank"][0, :3].tolist() == [2, 1, 2]


def test_a_game_that_is_over_stays_over_without_autoreset(nim: Any) -> None:
    batch = heap_of(nim(), 1)
    batch.step([0])
    assert batch.mask.all()
    batch.step([2])  # ignored
    assert not batch.terminated[0]
    assert not batch.reward.any()
    assert batch.to_dict(0)["heap"] == 0


def test_nobody_takes_more_than_there_is(nim: Any) -> None:
    batch = heap_of(nim(), 2)
    with pytest.raises(IllegalActionError, match="2 take 3 is not legal; legal: 0 take 1, 1 take 2"):
        batch.step([2])
    assert batch.to_dict(0)["heap"] == 2


def test_a_position_that_cannot_be_is_refused(nim: Any) -> None:
    with pytest.raises(PositionError, match="0 to 25"):
        nim().from_dict({"heap": 26})


def test_games_of_a_batch_are_the_games_of_their_seeds(nim: Any) -> None:
    together = Batch(nim(), 300, seed=5, threads=1)
    for _ in range(40):  # every game ends and restarts at least once
        together.step(together.mask.argmax(axis=1))
    alone = Batch(nim(), 1, seed=5 + 17, threads=1)
    for _ in range(40):
        alone.step(alone.mask.argmax(axis=1))
    assert alone.games[0] == together.games[17]


def test_saved_games_come_back(nim: Any) -> None:
    batch = Batch(nim(), 8, seed=1, threads=1)
    saved = batch.save()
    batch.step(batch.sample_actions())
    batch.restore(saved)
    assert batch.save() == saved


@pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo expects pictures or known letters
def test_pettingzoo(nim: Any) -> None:
    api_test(GameAEC(nim(players=3)), num_cycles=50)


def test_gymnasium_returns_a_third_of_the_wins_of_three_random_players(nim: Any) -> None:
    envs = GameVectorEnv(nim(players=3), 512, seat=0)
    observations, infos = envs.reset(seed=0)
    assert observations.shape == (512, 1)
    wins = games = 0.0
    chance = np.random.default_rng(0)
    for _ in range(60):
        mask = infos["action_mask"]
        actions = (chance.random(mask.shape) * mask).argmax(axis=1)
        _, rewards, terminated, _, infos = envs.step(actions)
        wins += rewards.sum()
        games += terminated.sum()
    assert games > 5000
    assert wins / games == pytest.approx(1 / 3, abs=0.03)


def test_one_seat_against_a_player_that_knows_the_trick(nim: Any) -> None:
    def leave_a_multiple_of_four(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        heap = np.rint(observations[:, 0] * 25).astype(int)
        return np.where(heap % 4 == 0, 0, heap % 4 - 1)

    env = GameEnv(nim(), seat=1, opponents=leave_a_multiple_of_four)
    lost = 0
    for seed in range(20):
        _, info = env.reset(seed=seed, options={"position": {"heap": 21}})
        terminated, reward = False, 0.0
        while not terminated:
            _, reward, terminated, _, info = env.step(np.int64(info["action_mask"].argmax()))
        lost += reward == 0
    assert lost == 20
