"""Connecting to a Ray cluster, and checking it. Ray is in the extra ``cluster``.

Ray finds free processors, starts processes there, notices machines that join or leave, and transfers arrays.
"""

from __future__ import annotations

import os
import platform
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

import numba
import numpy as np

from pr_env import __version__

PROBE_SECONDS = 10.0
# "auto": the cluster that this machine belongs to; "local": a cluster of this machine alone, started for the occasion
WORDS = ("auto", "local")
_LOOPBACK = ("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # as on Windows and macOS: no other machine can reach it


class ClusterError(ValueError):
    """There is no cluster at the address, or its nodes cannot do the work."""


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Use the Ray cluster at an address. An existing connection of this process is reused, and stays open.

    Args:
        address: ``HOST:PORT``, ``"auto"`` or ``"local"``.

    Raises:
        ClusterError: If Ray is not installed, or there is no cluster.
    """
    if address == "local":
        os.environ.setdefault(*_LOOPBACK)  # Ray reads it when it is imported
    try:
        import ray
    except ModuleNotFoundError:
        raise ClusterError("a cluster needs Ray: pip install -e '.[cluster]' in the checkout of pr-env") from None
    if ray.is_initialized():
        yield
        return
    _check_address(address)
    try:
        ray.init(address=address, logging_level="WARNING")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ClusterError(f"no usable Ray cluster at {address!r}: {_first_line(error)}") from error
    try:
        yield
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Check that something listens at the address: Ray itself would retry for minutes."""
    if address in WORDS:
        return
    host, _, port = address.rpartition(":")
    if not host or not re.fullmatch(r"\d{1,5}", port):
        raise ClusterError(f"the address of a Ray cluster must be HOST:PORT, auto or local, got {address!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PROBE_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"no answer from {address}: {error}; 'ray start --head' starts a cluster") from None


def versions(*packages: str) -> dict[str, str]:
    """The versions that must be the same on all nodes: pr_env, and the packages that results depend on."""
    return {
        "pr_env": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        **{package: version(package) for package in packages},
    }


def check_versions(wanted: Mapping[str, str]) -> None:
    """Check that this node has the versions of the machine that started the run.

    Raises:
        ClusterError: If a version differs.
    """
    found = versions(*(name for name in wanted if name not in versions()))
    for name, one in wanted.items():
        if found[name] != one:
            raise ClusterError(
                f"the node {platform.node()} has {name} {found[name]}, this machine has {one}: install the same on all"
            )


def cause_of(error: BaseException) -> str:
    """The error on a node, without Ray's traceback."""
    return _first_line(getattr(error, "cause", None) or error)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
