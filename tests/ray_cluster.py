"""A real Ray cluster of two nodes on this machine, for the tests that `make test-cluster` runs."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil
import pytest

ASKED_FOR = os.environ.get("PR_ENV_TEST_CLUSTER") == "1"
on_a_cluster = pytest.mark.skipif(not ASKED_FOR, reason="needs a Ray cluster: make test-cluster")
ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # loopback only
    "RAY_worker_niceness": "0",  # not 15: on a busy machine the tests would take an hour
}
# Warnings inside Ray are not ours.
ray_may_warn = pytest.mark.filterwarnings("default")


@contextmanager
def two_nodes() -> Iterator[Any]:
    """A head with one processor, and a second node with one, reachable from this machine only."""
    os.environ.update(ENVIRONMENT)
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        yield cluster
    finally:
        cluster.shutdown()


def busy_with(title: str) -> list[psutil.Process]:
    """The processes that run a task or a method, by the names that Ray gives them."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or [""]
        if words[0].startswith(f"ray::{title}") and _is_ours(process):
            found.append(process)
    return found


def _is_ours(process: psutil.Process) -> bool:
    """Whether it descends from this process, so that other clusters are left alone."""
    try:
        return os.getpid() in {parent.pid for parent in process.parents()}
    except psutil.NoSuchProcess:
        return False


def kill(process: psutil.Process) -> None:
    os.kill(process.pid, signal.SIGKILL)


@contextmanager
def killing_one(title: str, seconds: float = 120.0) -> Iterator[list[int]]:
    """Kill the first process seen running a task or method during the block. Yields the ids of killed processes."""
    killed: list[int] = []
    end = threading.Event()

    def watch() -> None:
        until = time.monotonic() + seconds
        while not end.is_set() and not killed and time.monotonic() < until:
            for process in busy_with(title)[:1]:
                kill(process)
                killed.append(process.pid)
            time.sleep(0.05)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield killed
    finally:
        end.set()
        thread.join()
