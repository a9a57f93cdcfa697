"""Tournaments on a Ray cluster: the same bytes as on one machine, whatever dies in the meantime."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents import RandomAgent, cluster
from agents.arena import ArenaError, play_tournament
from agents.arena.hooks import Hook
from agents.cluster import ClusterError, check_versions, connected, versions
from pr_env import PuertoRico
from tests.ray_cluster import busy_with, kill, on_a_cluster, ray_may_warn, two_nodes

SHORT = PuertoRico(players=3, max_rounds=2)
WHOLE = PuertoRico(players=3)
NAMES = ["random", "builder", "shipper"]


class Then:
    """Calls a function once, after the first finished batch; it may stop the tournament."""

    def __init__(self, what: Any) -> None:
        self._what = what
        self.done = False

    def start(self, table: tuple[str, ...], games: int) -> None: ...

    def step(self, games: int, decisions: int) -> None:
        if not self.done and decisions:
            self.done = True
            self._what()


# -- without Ray -------------------------------------------------------------------------------------------------------


def test_without_ray_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"a cluster needs Ray: pip install -e '.\[cluster\]'"):
        play_tournament(SHORT, ["random"], games=3, ray="127.0.0.1:6379")


@pytest.mark.parametrize("address", ["nonsense", "host", "host:", "host:port", ":1", "ray://127.0.0.1:10001x", ""])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(ClusterError, match="must be HOST:PORT, auto or local, got"):
        cluster._check_address(address)


def test_where_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ClusterError, match=f"no answer from {address}: .*; 'ray start --head' starts a cluster"):
        cluster._check_address(address)
    with pytest.raises(ClusterError, match=r"no answer from 127\.0\.0\.1:99999: "):
        cluster._check_address("127.0.0.1:99999")


def test_what_does_not_go_together(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    with pytest.raises(ValueError, match="processes and ray cannot be combined, got 2 and 'auto'"):
        play_tournament(SHORT, ["random"], processes=2, ray="auto", out=out)
    with pytest.raises(ValueError, match="several processes need agents given by name"):
        play_tournament(SHORT, [RandomAgent(SHORT)], ray="auto", out=out)
    with pytest.raises(ValueError, match="several processes and hooks cannot be combined"):
        play_tournament(SHORT, ["random"], hooks=[Hook()], ray="auto", out=out)
    assert not list(tmp_path.iterdir())


def test_nodes_with_other_versions_are_refused() -> None:
    check_versions(versions("rich"))
    with pytest.raises(ClusterError, match=r"has numba .*, this machine has 0\.1: install the same on all"):
        check_versions(versions() | {"numba": "0.1"})


# -- on a cluster ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with two_nodes() as cluster, connected(cluster.address):
        yield cluster


@on_a_cluster
@ray_may_warn
def test_a_cluster_gives_the_same_bytes_and_goes_on_after_an_interruption(nodes: Any, tmp_path: Path) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    options: dict[str, Any] = {"games": 12, "batch": 3}
    alone, shared = tmp_path / "alone.json", tmp_path / "shared.json"
    play_tournament(SHORT, NAMES, out=alone, replays=tmp_path / "alone.jsonl", **options)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(
            SHORT,
            NAMES,
            out=shared,
            replays=tmp_path / "shared.jsonl",
            ray=nodes.address,
            progress=Then(interrupt),
            **options,
        )
    kept = (tmp_path / "shared.json.partial.jsonl").read_text().splitlines()
    assert 2 <= len(kept) < 1 + 6 * 4
    play_tournament(SHORT, NAMES, out=shared, replays=tmp_path / "shared.jsonl", ray=nodes.address, **options)
    assert shared.read_bytes() == alone.read_bytes()
    assert (tmp_path / "shared.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()


@on_a_cluster
@ray_may_warn
def test_killed_processes_and_removed_nodes_change_nothing(nodes: Any) -> None:
    options: dict[str, Any] = {"games": 48, "batch": 6}
    killed = []

    def kill_all() -> None:
        for process in busy_with("_play_on_node"):
            kill(process)
            killed.append(process.pid)

    alone = play_tournament(WHOLE, NAMES, **options).to_json()
    assert play_tournament(WHOLE, NAMES, ray=nodes.address, progress=Then(kill_all), **options).to_json() == alone
    assert killed

    node = next(iter(nodes.worker_nodes))
    removal = Then(lambda: nodes.remove_node(node, allow_graceful=False))
    assert play_tournament(WHOLE, NAMES, ray=nodes.address, progress=removal, **options).to_json() == alone
    assert removal.done
    nodes.add_node(num_cpus=1)


@on_a_cluster
@ray_may_warn
def test_what_is_wrong_on_a_node_is_said_in_a_sentence(nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.arena.tournament.versions", lambda: versions() | {"numpy": "0.1"})
    with pytest.raises(
        ArenaError, match=r"cannot be played on the cluster: the node .* has numpy .*, this machine has"
    ):
        play_tournament(SHORT, ["random"], games=3, ray=nodes.address)
