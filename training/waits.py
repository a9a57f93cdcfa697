"""Threads that wait leave the core to other work.

OpenMP's threads busy-wait by default. On a machine with other work a training run on two threads is then
several times slower than on one. It reads these variables once, when it is loaded: so before PyTorch is imported.
"""

from __future__ import annotations

import os

PASSIVE = {
    "OMP_WAIT_POLICY": "PASSIVE",  # GNU's and LLVM's OpenMP
    "KMP_BLOCKTIME": "0",  # Intel's
    "OPENBLAS_NUM_THREADS": "1",  # NumPy's always wait awake; heard only where NumPy is not imported yet
}


def wait_passively() -> None:
    """Let threads sleep while they wait, unless the user has said something else."""
    for name, value in PASSIVE.items():
        os.environ.setdefault(name, value)
