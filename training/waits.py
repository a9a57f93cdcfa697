"""Let waiting threads leave their core to other work.

OpenMP's threads busy-wait by default. On a busy machine a training run on two threads is then several times slower
than on one. OpenMP reads these variables once, when it is loaded, so they must be set before PyTorch is imported.
"""

from __future__ import annotations

import os

PASSIVE = {
    "OMP_WAIT_POLICY": "PASSIVE",  # GNU's and LLVM's OpenMP
    "KMP_BLOCKTIME": "0",  # Intel's
    "OPENBLAS_NUM_THREADS": "1",  # NumPy's threads always busy-wait; only effective if NumPy is not imported yet
}

# GNU's threads busy-wait this long first, about 80 us: without it, waking them costs a quarter of the speed when the
# machine has no other work.
SHORT_WAIT = "2000"


def wait_passively() -> None:
    """Let waiting threads sleep, unless the user has set these variables."""
    chosen = "OMP_WAIT_POLICY" in os.environ
    for name, value in PASSIVE.items():
        os.environ.setdefault(name, value)
    if not chosen:
        os.environ.setdefault("GOMP_SPINCOUNT", SHORT_WAIT)
