"""The batches of a tournament on a Ray cluster.

A batch is a Ray task: Ray runs it where a processor is free, retries it if its process or node dies, and uses nodes
that join later. The result of a batch depends only on the plan, so the results are the same as on one machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from agents.arena.journal import ArenaError
from agents.arena.matches import Job, play_prepared, prepare_worker
from agents.arena.results import MatchResult
from agents.cluster import cause_of, check_versions, connected

RETRIES = 10  # per batch: a batch that kills its process every time stops the tournament
_AT_ONCE = 100  # results that are fetched together


class RayPool:
    """Plays batches on the cluster that this process is connected to.

    Args:
        arguments: Arguments of `prepare_worker`.
        versions: Versions that the nodes must have.
    """

    def __init__(self, arguments: Sequence[Any], versions: Mapping[str, str]) -> None:
        import ray

        self._ray: Any = ray
        self._arguments = ray.put((arguments, versions))
        task = ray.remote(_play_on_node)
        self._task = task.options(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")
        self._pending: dict[Any, Job] = {}

    def play(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, MatchResult, int]]:
        """Yield each batch with its result and its number of decisions, in the order in which they finish."""
        key = self._arguments.hex()
        self._pending = {self._task.remote(key, self._arguments, job): job for job in jobs}
        while self._pending:
            refs = list(self._pending)
            done, _ = self._ray.wait(refs, num_returns=min(len(refs), _AT_ONCE), timeout=1.0)
            for ref in done:
                job = self._pending.pop(ref)
                yield job, *self._get(ref)

    def _get(self, ref: Any) -> tuple[MatchResult, int]:
        errors = self._ray.exceptions
        try:
            part, decisions = self._ray.get(ref)
        except errors.RayTaskError as error:
            raise ArenaError(f"a batch cannot be played on the cluster: {cause_of(error)}") from error
        except errors.RayError as error:
            raise ArenaError(
                f"a batch failed after {RETRIES} retries, because its process always died: {cause_of(error)}. "
                "With a file for the results, the same call resumes with the finished batches"
            ) from error
        return part, decisions

    def cancel(self) -> None:
        """Cancel the remaining batches, since the cluster stays up."""
        for ref in self._pending:
            self._ray.cancel(ref, force=True)


@contextmanager
def on_cluster(address: str, arguments: Sequence[Any], versions: Mapping[str, str]) -> Iterator[RayPool]:
    """A pool on the cluster at an address.

    Raises:
        ClusterError: If there is no cluster.
    """
    with connected(address):
        pool = RayPool(arguments, versions)
        try:
            yield pool
        finally:
            pool.cancel()


# -- on a node ---------------------------------------------------------------------------------------------------------

_prepared: str | None = None  # the tournament that this process is prepared for


def _play_on_node(key: str, prepare: tuple[Sequence[Any], Mapping[str, str]], job: Job) -> tuple[MatchResult, int]:
    """Play one batch; returns the result and the number of decisions. A process may serve several tournaments."""
    global _prepared
    if _prepared != key:
        arguments, versions = prepare
        check_versions(versions)
        prepare_worker(*arguments)
        _prepared = key
    return play_prepared(job)
