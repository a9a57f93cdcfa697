"""Self-play PPO on a Ray cluster: every worker plays and learns from games of its own, and the weights are averaged.

A round is one rollout of every worker. The learner of this process, which writes the checkpoints, sends the weights,
the state of the training run and the pool; each worker does with it what `SelfPlay.iterate` does on
one machine, with its part of each minibatch; the next round begins with the means of their weights, of the averaged
weights and of what Adam knows. So a round takes one message each way, however many updates it has. With one worker
the agent is that of a training run without a cluster.

Games live in the workers. If a worker or its node dies, the round goes on with the others, and it is replaced where a
processor is free. Processors that join get a worker, which takes part from the next round on.
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

START_SECONDS = 120.0  # so long the first round waits for all workers; later ones do not wait for new workers
NO_WORKER_SECONDS = 600.0  # how long a training run waits for a processor before it ends
MOST_LOST_ROUNDS = 5  # one after the other, in which every worker died
LEAST_MINIBATCH = 128  # decisions of one worker in an update: with fewer, an update takes as long as with these
SUMMED = ("played", "ended", "learned")  # figures that are numbers of something; of all others the mean is taken


@dataclass(frozen=True)
class Part:
    """What a worker gives back after a round.

    Attributes:
        learned: As `SelfPlay.learned`.
        standing: As `SelfPlay.standing`.
        figures: As `SelfPlay.play_and_learn`.
    """

    learned: Weights
    standing: dict[str, Any]
    figures: dict[str, float]


class ClusterLearner:
    """What `training.run` trains: a `SelfPlay` whose rollouts are played and learned from by a crew.

    Args:
        learner: Knows everything but the games.
        crew: Its workers; those of an earlier learner are dismissed.
    """

    name: ClassVar[str] = "self-play PPO on a cluster (training/cluster.py)"

    def __init__(self, learner: SelfPlay, crew: Crew) -> None:
        self._learner = learner
        self._crew = crew
        crew.begin(learner.game, learner.settings, learner.rollouts)

    @property
    def game(self) -> Game:
        """What is learned."""
        return self._learner.game

    @property
    def settings(self) -> Settings:
        """The hyperparameters."""
        return self._learner.settings

    @property
    def decisions(self) -> int:
        """How many decisions have been learned from, by all workers together."""
        return self._learner.decisions

    @property
    def evaluation_opponents(self) -> tuple[str, ...]:
        """Whom it is measured with."""
        return self._learner.evaluation_opponents

    def iterate(self, progress: float) -> dict[str, float]:
        """One round: a rollout of every worker."""
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
        """The agent as it plays now."""
        return self._learner.weights()

    def learned(self) -> Weights:
        """What workers and learner send each other in every round."""
        return self._learner.learned()

    def save(self, path: Path) -> None:
        """Write a checkpoint: the same file as without a cluster. Games of the workers are not in it."""
        self._learner.save(path)


def mean(parts: Sequence[Weights]) -> Weights:
    """The mean of each array. A worker that had nothing to learn from in its first round has none of Adam's."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: np.asarray(np.mean([part[name] for part in parts if name in part], axis=0)) for name in names}


def figures_of(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The figures of a round: sums of what was counted, means of the rest."""
    names = dict.fromkeys(name for part in parts for name in part)
    found = {name: [part[name] for part in parts if name in part] for name in names}
    return {name: sum(all_) if name in SUMMED else sum(all_) / len(all_) for name, all_ in found.items()}


# -- the workers -------------------------------------------------------------------------------------------------------


class Crew:
    """The workers of a training run on the cluster that this process is connected to.

    Args:
        most: So many at most; None: as many as the cluster has processors for.
    """

    def __init__(self, most: int | None = None) -> None:
        import ray

        self._ray: Any = ray
        self._kind: Any = ray.remote(Worker)
        self._most = most
        self._working: dict[int, Any] = {}  # by number; no number is given twice
        self._starting: dict[Any, tuple[int, Any]] = {}  # by the answer that says that it is ready
        self._members: list[tuple[Weights, Any]] = []  # of the pool, each stored in the cluster once
        self._settings = Settings()
        self._game = ""
        self._begun = 0
        self._numbers = 0
        self._first = True

    def begin(self, game: Game, settings: Settings, rollouts: int) -> None:
        """Send everybody home, and work for another learner from now on.

        Args:
            game: What is played.
            settings: The hyperparameters; each worker has another seed.
            rollouts: That the learner has behind it: workers of another sitting play other games.
        """
        self.dismiss()
        self._game = f"{type(game).__module__}:{type(game).__qualname__}"
        self._settings, self._begun, self._numbers, self._first = settings, rollouts, 0, True

    def dismiss(self) -> None:
        """Send everybody home."""
        for worker in [*self._working.values(), *(worker for _, worker in self._starting.values())]:
            self._ray.kill(worker)
        self._working, self._starting, self._members = {}, {}, []

    def round(
        self, learned: Weights, standing: dict[str, Any], pool: Sequence[Weights], progress: float
    ) -> tuple[list[Part], int]:
        """Let all workers play and learn once.

        Returns:
            What those give back that lived through it, and how many did not.

        Raises:
            ClusterError: If something is wrong with the nodes that another try would not change.
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
            f"in {MOST_LOST_ROUNDS} rounds one after the other every worker died: out of memory? The same command goes "
            "on from the last checkpoint"
        )

    def _part(self, answer: Any, number: int) -> Part | None:
        """None if the worker died."""
        errors = self._ray.exceptions
        try:
            part: Part = self._ray.get(answer)
        except errors.RayTaskError as error:
            raise ClusterError(f"a worker cannot go on: {cause_of(error)}") from error
        except errors.RayError:
            self._ray.kill(self._working.pop(number))
            return None
        return part

    def _stored(self, pool: Sequence[Weights]) -> list[Any]:
        """The members of the pool as the cluster keeps them: a node fetches each only once."""
        known = {id(member): stored for member, stored in self._members}
        self._members = [(member, known.get(id(member)) or self._ray.put(member)) for member in pool]
        return [stored for _, stored in self._members]

    # -- who comes and goes --------------------------------------------------------------------------------------------

    def _recruit_and_wait(self) -> None:
        """Ask for as many workers as there are processors for, and wait for one, in the first round for all."""
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
        """For how many workers the nodes have processors."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return sum(int(node.get("CPU", 0)) // self._settings.threads for node in nodes)

    def _welcome(self, answer: Any) -> None:
        number, worker = self._starting.pop(answer)
        errors = self._ray.exceptions
        try:
            self._ray.get(answer)
        except errors.RayTaskError as error:
            raise ClusterError(f"a worker cannot begin: {cause_of(error)}") from error
        except errors.RayError:  # its node died
            self._ray.kill(worker)
            return
        self._working[number] = worker


def seed_of(seed: int, number: int, rollouts: int) -> int:
    """The seed of a worker. The first worker of a new training has that of the training."""
    if number == rollouts == 0:
        return seed
    return int(np.random.SeedSequence((seed, number, rollouts)).generate_state(1, np.uint64)[0]) % MOST_SEEDS


def part_of_minibatch(size: int, workers: int) -> int:
    """The decisions of one worker in an update, so that an update of all together is about one of a single learner.

    The mean of what workers learn from a part of a minibatch each is, but for terms of second order, what one learns
    from the whole: so there are as many updates for the same decisions. With whole minibatches two workers would make
    half as many, and learn far less from the same decisions.
    """
    return min(size, max(LEAST_MINIBATCH, -(-size // workers)))


class Worker:
    """In a process of its own on some node: plays and learns."""

    def __init__(self) -> None:
        wait_passively()
        self._learner: SelfPlay
        self._in_lessons = False

    def prepare(self, wanted: Mapping[str, str], game: str, settings: dict[str, Any]) -> None:
        """Make ready.

        Raises:
            ClusterError: If this node has other versions than the machine that the training was started on.
        """
        check_versions(wanted)
        settings["game"] = find_game(game).name
        self._learner = SelfPlay(Settings(**settings))
        self._in_lessons = self._learner.in_lessons

    def play_and_learn(self, orders: tuple[Weights, dict[str, Any], float, int], *pool: Weights) -> Part:
        """A rollout, and learn from it."""
        learned, standing, progress, minibatch_size = orders
        learner = self._learner
        if minibatch_size != learner.settings.minibatch_size:
            learner.settings = replace(learner.settings, minibatch_size=minibatch_size)
        learner.put_learned(learned)
        learner.put_standing(standing, list(pool))
        if self._in_lessons != learner.in_lessons:  # the teachers are not opponents
            learner.begin_all()
        self._in_lessons = learner.in_lessons
        figures = learner.play_and_learn(progress)
        return Part(learner.learned(), learner.standing(), figures)


def on_crew(
    begin: Callable[[], SelfPlay], load: Callable[[Path], SelfPlay], crew: Crew
) -> tuple[Callable[[], ClusterLearner], Callable[[Path], ClusterLearner]]:
    """How to make a new learner, and one that goes on from a checkpoint, whose rollouts are a crew's."""
    return lambda: ClusterLearner(begin(), crew), lambda path: ClusterLearner(load(path), crew)
