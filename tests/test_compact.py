"""Compact observations: the same information in a quarter of the bytes, in every interface that has them."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import shared_memory
from typing import Any

import numpy as np
import pytest

from examples.in_order import InOrder
from examples.nim import Nim
from examples.seven_dice import SevenDice
from pr_env import Batch
from pr_env.game import Buffers, Game
from pr_env.observing import MOST
from pr_env.port_royal import PortRoyal
from pr_env.puerto_rico import PuertoRico
from pr_env.seats import SeatBatch
from pr_env.vector import GameVectorEnv

CONTRACTS: Any = ("contract_cards", "contracts")
GAMES: list[Game] = [
    PuertoRico(),
    PuertoRico(players=6),
    PortRoyal(),
    PortRoyal(players=2, add=CONTRACTS, mode="cooperative"),
    PortRoyal(players=3, deck="adventure", chapter=5),
]


def is_chance(game: Game) -> np.ndarray:
    """Where an observation has chances in place of counts."""
    places = np.zeros(game.observation_size, np.bool_)
    for field in game.fields:
        if field.name == "next_card":
            places[field.start : field.stop] = True
    return places


def pair(game: Game, count: int = 16, **options: Any) -> tuple[Batch, Batch]:
    """The same games with the usual and with compact observations."""
    return (
        Batch(game, count, seed=3, threads=1, **options),
        Batch(game, count, seed=3, threads=1, compact=True, **options),
    )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_compact_observations_are_the_usual_ones(game: Game) -> None:
    usual, compact = pair(game)
    chances = is_chance(game)
    assert compact.observation.dtype == np.uint8
    assert compact.observation.nbytes * 4 == usual.observation.nbytes
    for _ in range(60):
        expanded = game.expand(compact.observation)
        assert expanded.dtype == np.float32
        assert np.array_equal(expanded[:, ~chances], usual.observation[:, ~chances])
        assert np.abs(expanded - usual.observation).max(initial=0) <= 0.5 / MOST + 1e-6
        counts = np.rint(usual.observation[:, ~chances] / game.scales[~chances])
        assert np.array_equal(counts, compact.observation[:, ~chances])
        actions = usual.sample_actions()
        usual.step(actions)
        compact.step(compact.sample_actions())
        assert usual.games.tobytes() == compact.games.tobytes()


@pytest.mark.parametrize("game", GAMES[:3], ids=str)
def test_they_are_read_into_the_same_fields(game: Game) -> None:
    usual, compact = pair(game)
    for _ in range(20):
        usual.step(usual.sample_actions())
        compact.step(compact.sample_actions())
    fields, same = game.read_observation(usual.observation), game.read_observation(compact.observation)
    assert all(np.array_equal(fields[name], same[name]) for name in fields if name != "next_card")


def test_higher_counts_are_shown_as_255() -> None:
    game = PortRoyal(max_turns=400)
    usual, compact = pair(game, 2)
    games = usual.games.copy()
    games["turn"] = 300
    place = next(field.start for field in game.fields if field.name == "turn")
    for batch, seen in ((usual, 300 / 50), (compact, 255)):
        game._look(games, batch.buffers)
        assert batch.observation[0, place] == seen


@pytest.mark.parametrize("game", [Nim(), InOrder(), SevenDice()], ids=str)
def test_a_game_without_them_refuses(game: Game) -> None:
    with pytest.raises(ValueError, match=f"{game.name} has no compact observations"):
        Batch(game, 2, compact=True)
    with pytest.raises(ValueError, match="has no compact observations"):
        GameVectorEnv(game, 2, compact=True)
    with pytest.raises(ValueError, match="compact must be"):
        Batch(game, 2, compact="yes")  # type: ignore[arg-type]


def test_buffers_of_the_other_kind_are_refused() -> None:
    game = PuertoRico()
    with pytest.raises(ValueError, match="buffer observation must be uint8"):
        Batch(game, 2, compact=True, buffers=Buffers.allocate(game, 2))
    with pytest.raises(ValueError, match="buffer observation must be float32"):
        Batch(game, 2, buffers=Buffers.allocate(game, 2, compact=True))


def test_restarts_clones_and_views_are_compact() -> None:
    game = PuertoRico()
    usual, compact = pair(game, 4)
    for batch in (usual, compact):
        batch.restart(np.array([1, 3]))
    assert np.array_equal(game.expand(compact.observation), usual.observation)
    assert compact.clone().compact
    out = Buffers.allocate(game, 4, compact=True)
    compact.look(out, viewer=2)
    usual_out = Buffers.allocate(game, 4)
    usual.look(usual_out, viewer=2)
    assert np.array_equal(game.expand(out.observation), usual_out.observation)


def by_the_sum(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """An opponent whose choice depends on what it is shown."""
    assert observations.dtype == np.float32
    shown = (observations.sum(axis=1, keepdims=True) * 100).astype(int)
    return (masks * (1 + shown % np.arange(2, masks.shape[1] + 2))).argmax(axis=1)  # type: ignore[no-any-return]


@pytest.mark.parametrize("opponents", ["random", by_the_sum])
def test_seats_and_vector_environments_have_them(opponents: Any) -> None:
    game = PuertoRico()
    seats = [SeatBatch(game, 8, seed=1, opponents=opponents, threads=1, compact=compact) for compact in (False, True)]
    for _ in range(120):
        actions = seats[0].mask.argmax(axis=1)
        for one in seats:
            one.step(actions)
        assert np.array_equal(game.expand(seats[1].observation), seats[0].observation)
        assert np.array_equal(game.expand(seats[1].final_observation), seats[0].final_observation)
        assert np.array_equal(seats[0].reward, seats[1].reward)
    env = GameVectorEnv(game, 4, opponents=opponents, compact=True)
    observations, _ = env.reset(seed=1)
    assert observations.dtype == np.uint8
    assert env.observation_space.contains(observations)


def test_arrays_are_tensors_on_the_same_memory() -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(PuertoRico(), 8, seed=2, threads=1)
    tensors = batch.buffers.tensors()
    assert set(tensors) == {"player", "mask", "observation", "reward", "terminated", "truncated"}
    for name, tensor in tensors.items():
        array = getattr(batch, name)
        assert tensor.data_ptr() == array.ctypes.data
        assert torch.from_dlpack(array).data_ptr() == array.ctypes.data
        assert np.from_dlpack(array).ctypes.data == array.ctypes.data
    before = tensors["observation"].clone()
    batch.step(batch.sample_actions())
    assert not torch.equal(tensors["observation"], before)
    assert np.array_equal(tensors["observation"].numpy(), batch.observation)


def test_a_batch_writes_into_tensors_and_shared_memory() -> None:
    torch = pytest.importorskip("torch")
    game = PuertoRico()
    usual = Batch(game, 4, seed=2, threads=1)
    seen = torch.zeros(4, game.observation_size)
    memory = shared_memory.SharedMemory(create=True, size=4 * len(game.actions))
    try:
        mask = np.ndarray((4, len(game.actions)), np.bool_, memory.buf)
        buffers = replace(Buffers.allocate(game, 4), observation=seen.numpy(), mask=mask)
        batch = Batch(game, 4, seed=2, threads=1, buffers=buffers)
        for one in (usual, batch):
            one.step(one.sample_actions())
        assert np.array_equal(seen.numpy(), usual.observation)
        assert np.array_equal(mask, usual.mask)
        del mask, buffers, batch
    finally:
        memory.close()
        memory.unlink()


def test_stable_baselines3_scales_them_in_its_first_layer() -> None:
    torch = pytest.importorskip("torch")
    sb3 = pytest.importorskip("pr_env.sb3")
    game = PuertoRico()
    usual, compact = (sb3.GameVecEnv(game, 4, seed=1, threads=1, compact=kind) for kind in (False, True))
    first = sb3.ScaledCounts(compact.observation_space, game.scales)
    for _ in range(30):
        observations = torch.as_tensor(compact.reset())
        assert observations.dtype == torch.uint8
        assert np.array_equal(first(observations).numpy(), usual.reset())


def test_the_learner_learns_the_same() -> None:
    pytest.importorskip("torch")
    from training.selfplay import SelfPlay, Settings

    few: Any = {"num_envs": 4, "num_steps": 6, "hidden_sizes": (8,), "lessons": 0, "opponent_games": 0.0}
    learners = [SelfPlay(Settings(**few, agents=(), compact=compact)) for compact in (False, True)]
    for learner in learners:
        learner.iterate(0.0)
    usual, compact = (learner.network.arrays() for learner in learners)
    assert all(np.array_equal(usual[name], compact[name]) for name in usual)
