"""Self-play PPO on a Ray cluster: every worker plays and learns from its own games, and the weights are averaged.

A round is one rollout of every worker. The learner in this process, which writes the checkpoints, sends the weights,
the state of the training run and the pool. Each worker does what `SelfPlay.iterate` does on one machine, with its part
of each minibatch. The next round starts with the means of their weights, averaged weights and Adam states. So a round
takes one message each way, regardless of its number of updates. With one worker the agent is the same as without a
cluster.

Games stay in the workers. If a worker or its node dies, the round continues with the others, and the worker is replaced
when a processor is free. New processors get a worker, which joins in the next round.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from agents.cluster import ClusterError, cause_of, check_versions, versions
from agents.weights import Weights
from pr_env.game import Game
from pr_env.registry import find_game
from training.selfplay import SelfPlay, Settings
from training.settings import MOST_SEEDS
from training.waits import wait_passively

START_SECONDS = 120.0  # maximum wait for all workers in the first round; later rounds do not wait for new workers
NO_WORKER_SECONDS = 600.0  # maximum wait of a training run for a processor
MOST_LOST_ROUNDS = 5  # consecutive rounds in which every worker died
LEAST_MINIBATCH = 128  # decisions of one worker per update: smaller updates are not faster
SUMMED = ("played", "ended", "learned")  # metrics that are counts; all others are averaged


@dataclass(frozen=True)
class Part:
    """The result of a worker after a round.

    Attributes:
        learned: See `SelfPlay.learned`.
        standing: See `SelfPlay.standing`.
        figures: See `SelfPlay.play_and_learn`.
    """

    learned: Weights
    standing: dict[str, Any]
    figures: dict[str, float]


class ClusterLearner:
    """The learner for `training.run`: a `SelfPlay` whose rollouts are played and learned from by a crew of workers.

    Args:
        learner: Has the complete state except the games.
        crew: Its workers; workers of an earlier learner are stopped.
    """

    name: ClassVar[str] = "self-play PPO on a cluster (training/cluster.py)"

    def __init__(self, learner: SelfPlay, crew: Crew) -> None:
        self._learner = learner
        self._crew = crew
        crew.begin(learner.game, learner.settings, learner.rollouts)

    @property
    def game(self) -> Game:
        """The game and its configuration."""
        return self._learner.game

    @property
    def settings(self) -> Settings:
        """The hyperparameters."""
        return self._learner.settings

    @property
    def decisions(self) -> int:
        """Number of decisions learned from, by all workers together."""
        return self._learner.decisions

    @property
    def evaluation_opponents(self) -> tuple[str, ...]:
        """Opponents in evaluations, by name."""
        return self._learner.evaluation_opponents

    def iterate(self, progress: float) -> dict[str, float]:
        """Run one round: a rollout of every worker."""
        learner = self._learner
        lesson = learner.in_lessons
        parts, lost = self._crew.round(self.learned(), learner.standing(), learner.pool, progress)
        decisions = sum(part.standing["decisions"] - learner.decisions for part in parts)
        shares = {
            name: np.mean([part.standing[name] for part in parts], axis=0).tolist()
            for name in ("pool_shares", "agent_shares")
        }
        learner.put_learned(mean([part.learned for part in parts]))
        learner.put_standing(learner.standing() | shares | {"decisions": learner.decisions + decisions}, learner.pool)
        learner.finish_rollout(lesson)
        return {**figures_of([part.figures for part in parts]), "workers": len(parts), "lost_workers": lost}

    def weights(self) -> Weights:
        """The weights of the current agent."""
        return self._learner.weights()

    def learned(self) -> Weights:
        """The arrays that workers and learner exchange in every round."""
        return self._learner.learned()

    def save(self, path: Path) -> None:
        """Write a checkpoint: the same file as without a cluster, without the games of the workers."""
        self._learner.save(path)


def mean(parts: Sequence[Weights]) -> Weights:
    """The mean of each array. A worker without data in its first round has no Adam state."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: np.asarray(np.mean([part[name] for part in parts if name in part], axis=0)) for name in names}


def figures_of(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The metrics of a round: sums of counts, means of the rest."""
    names = dict.fromkeys(name for part in parts for name in part)
    found = {name: [part[name] for part in parts if name in part] for name in names}
    return {name: sum(all_) if name in SUMMED else sum(all_) / len(all_) for name, all_ in found.items()}


# -- the workers -------------------------------------------------------------------------------------------------------


class Crew:
    """The workers of a training run on the cluster that this process is connected to.

    Args:
        most: Maximum number of workers; None for as many as the cluster has processors for.
    """

    def __init__(self, most: int | None = None) -> None:
        import ray

        self._ray: Any = ray
        self._kind: Any = ray.remote(Worker)
        self._most = most
        self._working: dict[int, Any] = {}  # by number; numbers are never reused
        self._starting: dict[Any, tuple[int, Any]] = {}  # by the Ray reference that reports readiness
        self._members: list[tuple[Weights, Any]] = []  # of the pool, each stored once in the cluster
        self._settings = Settings()
        self._game = ""
        self._begun = 0
        self._numbers = 0
        self._first = True

    def begin(self, game: Game, settings: Settings, rollouts: int) -> None:
        """Stop all workers, and serve a new learner.

        Args:
            game: The game and its configuration.
            settings: The hyperparameters; each worker gets its own seed.
            rollouts: Number of rollouts the learner has completed, so that workers of a resumed run play other games.
        """
        self.dismiss()
        self._game = f"{type(game).__module__}:{type(game).__qualname__}"
        self._settings, self._begun, self._numbers, self._first = settings, rollouts, 0, True

    def dismiss(self) -> None:
        """Stop all workers."""
        for worker in [*self._working.values(), *(worker for _, worker in self._starting.values())]:
            self._ray.kill(worker)
        self._working, self._starting, self._members = {}, {}, []

    def round(
        self, learned: Weights, standing: dict[str, Any], pool: Sequence[Weights], progress: float
    ) -> tuple[list[Part], int]:
        """Let all workers play and learn once.

        Returns:
            The results of the surviving workers, and the number of those that died.

        Raises:
            ClusterError: If a problem with the nodes makes another try pointless.
        """
        lost = 0
        for _ in range(MOST_LOST_ROUNDS):
            self._recruit_and_wait()
            minibatch_size = part_of_minibatch(self._settings.minibatch_size, len(self._working))
            orders = self._ray.put((learned, standing, progress, minibatch_size))
            members = self._stored(pool)
            answers = {
                worker.play_and_learn.remote(orders, *members): number for number, worker in self._working.items()
            }
            self._ray.wait(list(answers), num_returns=len(answers))
            parts = [part for answer, number in answers.items() if (part := self._part(answer, number)) is not None]
            lost += len(answers) - len(parts)
            if parts:
                return parts, lost
        raise ClusterError(
            f"all workers died in {MOST_LOST_ROUNDS} consecutive rounds: out of memory? The same command resumes "
            "from the last checkpoint"
        )

    def _part(self, answer: Any, number: int) -> Part | None:
        """The result of a worker; None if it died."""
        errors = self._ray.exceptions
        try:
            part: Part = self._ray.get(answer)
        except errors.RayTaskError as error:
            raise ClusterError(f"a worker cannot continue: {cause_of(error)}") from error
        except errors.RayError:
            self._ray.kill(self._working.pop(number))
            return None
        return part

    def _stored(self, pool: Sequence[Weights]) -> list[Any]:
        """References to the pool members stored in the cluster: a node fetches each only once."""
        known = {id(member): stored for member, stored in self._members}
        self._members = [(member, known.get(id(member)) or self._ray.put(member)) for member in pool]
        return [stored for _, stored in self._members]

    # -- starting and losing workers -----------------------------------------------------------------------------------

    def _recruit_and_wait(self) -> None:
        """Request a worker for every processor, and wait for at least one; in the first round for all."""
        began = time.monotonic()
        while True:
            self._recruit()
            for answer in list(self._starting):
                if self._ray.wait([answer], timeout=0)[0]:
                    self._welcome(answer)
            waited = time.monotonic() - began
            enough = bool(self._working) and not (self._first and self._starting and waited < START_SECONDS)
            if enough:
                self._first = False
                return
            if waited > NO_WORKER_SECONDS:
                raise ClusterError(
                    f"the cluster had no free processor for a worker within {NO_WORKER_SECONDS:.0f} s: 'ray status' "
                    "shows what it has"
                )
            if self._starting:
                self._ray.wait(list(self._starting), timeout=1.0)
            else:
                time.sleep(1.0)

    def _recruit(self) -> None:
        wanted = self._places() if self._most is None else min(self._most, self._places())
        threads = self._settings.threads
        kind = self._kind.options(num_cpus=threads, scheduling_strategy="SPREAD", max_restarts=0)
        for _ in range(wanted - len(self._working) - len(self._starting)):
            number, self._numbers = self._numbers, self._numbers + 1
            worker = kind.remote()
            settings = replace(self._settings, seed=seed_of(self._settings.seed, number, self._begun))
            answer = worker.prepare.remote(versions("torch"), self._game, asdict(settings))
            self._starting[answer] = number, worker

    def _places(self) -> int:
        """The number of workers for which the nodes have processors."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return sum(int(node.get("CPU", 0)) // self._settings.threads for node in nodes)

    def _welcome(self, answer: Any) -> None:
        number, worker = self._starting.pop(answer)
        errors = self._ray.exceptions
        try:
            self._ray.get(answer)
        except errors.RayTaskError as error:
            raise ClusterError(f"a worker cannot start: {cause_of(error)}") from error
        except errors.RayError:  # its node died
            self._ray.kill(worker)
            return
        self._working[number] = worker


def seed_of(seed: int, number: int, rollouts: int) -> int:
    """The seed of a worker. The first worker of a new training run has the seed of the run."""
    if number == rollouts == 0:
        return seed
    return int(np.random.SeedSequence((seed, number, rollouts)).generate_state(1, np.uint64)[0]) % MOST_SEEDS


def part_of_minibatch(size: int, workers: int) -> int:
    """The decisions of one worker per update, so that an update of all workers matches one of a single learner.

    The mean of the updates from parts of a minibatch equals, up to second-order terms, the update from the whole
    minibatch, so the number of updates per decision stays the same. With whole minibatches two workers would make half
    as many updates, and learn far less from the same decisions.
    """
    return min(size, max(LEAST_MINIBATCH, -(-size // workers)))


class Worker:
    """Plays and learns in its own process on a node."""

    def __init__(self) -> None:
        wait_passively()
        self._learner: SelfPlay
        self._in_lessons = False

    def prepare(self, wanted: Mapping[str, str], game: str, settings: dict[str, Any]) -> None:
        """Prepare the worker.

        Raises:
            ClusterError: If versions on this node differ from those of the machine that started the training run.
        """
        check_versions(wanted)
        settings["game"] = find_game(game).name
        self._learner = SelfPlay(Settings(**settings))
        self._in_lessons = self._learner.in_lessons

    def play_and_learn(self, orders: tuple[Weights, dict[str, Any], float, int], *pool: Weights) -> Part:
        """Collect a rollout and learn from it."""
        learned, standing, progress, minibatch_size = orders
        learner = self._learner
        if minibatch_size != learner.settings.minibatch_size:
            learner.settings = replace(learner.settings, minibatch_size=minibatch_size)
        learner.put_learned(learned)
        learner.put_standing(standing, list(pool))
        if self._in_lessons != learner.in_lessons:  # opponents take the places of teachers
            learner.begin_all()
        self._in_lessons = learner.in_lessons
        figures = learner.play_and_learn(progress)
        return Part(learner.learned(), learner.standing(), figures)


def on_crew(
    begin: Callable[[], SelfPlay], load: Callable[[Path], SelfPlay], crew: Crew
) -> tuple[Callable[[], ClusterLearner], Callable[[Path], ClusterLearner]]:
    """Functions that create a learner on a crew: a new one, or one resumed from a checkpoint."""
    return lambda: ClusterLearner(begin(), crew), lambda path: ClusterLearner(load(path), crew)
