"""Self-play on a Ray cluster: one worker gives the same result as without a cluster; dead workers are replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.cluster import ClusterError, connected, versions
from agents.weights import Weights, read_arrays
from pr_env import PuertoRico
from pr_env.game import Game
from tests.ray_cluster import killing_one, on_a_cluster, ray_may_warn, two_nodes
from tests.training.test_main import run
from training import cluster, command
from training.cluster import ClusterLearner, Crew, Part, Worker, figures_of, mean, part_of_minibatch, seed_of
from training.command import Request
from training.run import train
from training.selfplay import SelfPlay, Settings

TINY = Settings(
    num_envs=16,
    num_steps=24,
    hidden_sizes=(16,),
    update_epochs=1,
    minibatch_size=256,
    snapshot_every=2,
    pool=2,
    agents=("random", "builder"),
    lessons=500,
)


def same(one: Weights, other: Weights) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


class CrewHere:
    """Workers in this process, in place of a cluster."""

    def __init__(self, workers: int) -> None:
        self._numbers = range(workers)
        self._workers: list[Worker] = []

    def begin(self, game: Game, settings: Settings, rollouts: int) -> None:
        self._workers = [Worker() for _ in self._numbers]
        for number, worker in enumerate(self._workers):
            own = replace(settings, seed=seed_of(settings.seed, number, rollouts))
            worker.prepare(versions("torch"), f"{type(game).__module__}:{type(game).__qualname__}", asdict(own))

    def round(
        self, learned: Weights, standing: dict[str, Any], pool: Sequence[Weights], progress: float
    ) -> tuple[list[Part], int]:
        orders = learned, standing, progress, part_of_minibatch(TINY.minibatch_size, len(self._workers))
        return [worker.play_and_learn(orders, *pool) for worker in self._workers], 0


def test_one_worker_gives_the_agent_of_a_training_without_a_cluster() -> None:
    alone, learner = SelfPlay(TINY), ClusterLearner(SelfPlay(TINY), CrewHere(1))  # type: ignore[arg-type]
    for rollout in range(7):
        expected, found = alone.iterate(rollout / 7), learner.iterate(rollout / 7)
        assert all(found[name] == value for name, value in expected.items() if "seconds" not in name)
    assert alone.pool
    assert not alone.in_lessons
    assert learner.decisions == alone.decisions
    assert same(learner.learned(), alone.learned())
    assert learner._learner.standing() == alone.standing()


def test_two_workers_play_different_games_and_count_together() -> None:
    settings = replace(TINY, lessons=0, agents=())
    learner = ClusterLearner(SelfPlay(settings), CrewHere(2))  # type: ignore[arg-type]
    alone = SelfPlay(settings)
    start = alone.weights()
    figures, one = learner.iterate(0.0), alone.iterate(0.0)
    assert figures["workers"] == 2
    assert figures["learned"] == learner.decisions == 2 * one["learned"]
    assert not same(learner.weights(), alone.weights())
    assert not same(learner.weights(), start)


def test_the_mean_of_what_was_learned() -> None:
    parts = [{"a": np.array([1.0, 3.0], np.float32), "b": np.float32(4)}, {"a": np.array([2.0, 5.0], np.float32)}]
    found = mean(parts)  # type: ignore[arg-type]
    assert found["a"].tolist() == [1.5, 4.0]
    assert found["a"].dtype == np.float32
    assert found["b"].shape == ()
    assert figures_of([{"ended": 3, "kl": 1.0}, {"ended": 2, "kl": 2.0}, {"ended": 0}]) == {"ended": 5, "kl": 1.5}


def test_workers_share_a_minibatch() -> None:
    assert [part_of_minibatch(1024, workers) for workers in (1, 2, 3, 8, 100)] == [1024, 512, 342, 128, 128]
    assert part_of_minibatch(64, 2) == 64


def test_every_worker_has_a_seed_of_its_own() -> None:
    assert seed_of(7, 0, 0) == 7
    seeds = [seed_of(7, number, rollouts) for number in range(100) for rollouts in (0, 50)]
    assert len(set(seeds)) == 200
    assert all(0 <= seed < 2**62 for seed in seeds)


def test_options_that_do_not_fit() -> None:
    game = PuertoRico(players=3)
    with pytest.raises(ValueError, match="--workers needs --ray, got --workers 2 alone"):
        Request(game=game, workers=2)
    with pytest.raises(ValueError, match="--workers must be more than 0, got 0"):
        Request(game=game, ray="auto", workers=0)
    with pytest.raises(ValueError, match="--ray is for --algorithm selfplay"):
        Request(game=game, ray="auto", algorithm="sb3")
    with pytest.raises(ValueError, match="--ray works with --device cpu only, got 'cuda'"):
        Request(game=game, ray="auto", device="cuda")


# -- on a cluster ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with two_nodes() as both, connected(both.address):
        yield both


@pytest.fixture
def crew(nodes: Any) -> Iterator[Crew]:
    crew = Crew()
    yield crew
    crew.dismiss()


def until_there_are(workers: int, learner: ClusterLearner) -> list[dict[str, float]]:
    """The metrics of all rounds until this number of workers has taken part."""
    rounds = []
    for _ in range(2000):
        rounds.append(learner.iterate(0.5))
        if rounds[-1]["workers"] == workers:
            return rounds
    raise AssertionError(f"never {workers} workers")


@on_a_cluster
@ray_may_warn
def test_two_workers_of_a_cluster_do_what_two_of_this_process_do(crew: Crew) -> None:
    here, there = ClusterLearner(SelfPlay(TINY), CrewHere(2)), ClusterLearner(SelfPlay(TINY), crew)  # type: ignore[arg-type]
    for rollout in range(5):
        here.iterate(rollout / 5)
        assert there.iterate(rollout / 5)["workers"] == 2
    assert same(here.learned(), there.learned())
    assert here._learner.standing() == there._learner.standing()


@on_a_cluster
@ray_may_warn
def test_a_killed_worker_costs_its_rollout_and_is_replaced(crew: Crew) -> None:
    learner = ClusterLearner(SelfPlay(replace(TINY, num_envs=128, num_steps=64)), crew)
    assert learner.iterate(0.0)["workers"] == 2
    before = learner.decisions
    with killing_one("Worker.play_and_learn") as killed:
        figures = learner.iterate(0.1)
    assert len(killed) == 1
    assert (figures["workers"], figures["lost_workers"]) == (1, 1)
    assert learner.decisions == before + figures["learned"] > before
    assert until_there_are(2, learner)[-1]["lost_workers"] == 0


@on_a_cluster
@ray_may_warn
def test_nodes_may_leave_and_join(crew: Crew, nodes: Any) -> None:
    learner = ClusterLearner(SelfPlay(TINY), crew)
    assert learner.iterate(0.0)["workers"] == 2
    nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)
    figures = learner.iterate(0.1)
    assert (figures["workers"], figures["lost_workers"]) == (1, 1)
    assert learner.iterate(0.2)["workers"] == 1
    nodes.add_node(num_cpus=1)
    until_there_are(2, learner)


@on_a_cluster
@ray_may_warn
def test_a_worker_that_cannot_begin_ends_the_training(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "versions", lambda *_: versions() | {"numpy": "0.1"})
    learner = ClusterLearner(SelfPlay(TINY), crew)
    with pytest.raises(ClusterError, match=r"a worker cannot start: the node .* has numpy .*, this machine has 0\.1"):
        learner.iterate(0.0)


@on_a_cluster
@ray_may_warn
def test_the_command_goes_on_with_a_cluster_and_without(
    nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "train", partial(train, evaluation_games=0))
    monkeypatch.setattr(command, "_report", lambda *arguments: None)
    run(tmp_path, "--ray", nodes.address, "--workers", "1", decisions=600)
    first = read_arrays(tmp_path / "checkpoint.npz")[1]
    assert first["decisions"] >= 600
    run(tmp_path, decisions=1200)
    second = read_arrays(tmp_path / "checkpoint.npz")[1]
    assert second["decisions"] >= 1200
    run(tmp_path, "--ray", nodes.address, "--workers", "2", decisions=2500)
    assert read_arrays(tmp_path / "checkpoint.npz")[1]["rollouts"] > second["rollouts"]
