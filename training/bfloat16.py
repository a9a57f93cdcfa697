"""Test whether bfloat16 works on a machine.

Some virtual machines announce a matrix unit that they do not have. PyTorch then raises an error for networks of one
size, and crashes with an illegal instruction for another. So the test runs in a separate process.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import cache

_SECONDS = 120  # importing PyTorch on a busy machine takes long
# Sizes that use different routines of the processor's library
_TRIAL = """
import sys
import torch
for rows, width in ((64, 64), (512, 435), (1024, 256), (3, 500)):
    layer = torch.nn.Linear(width, 256, device=sys.argv[1])
    with torch.autocast(sys.argv[1].partition(":")[0], torch.bfloat16):
        out = layer(torch.rand(rows, width, device=sys.argv[1]))
    out.float().sum().backward()
"""


@cache
def why_no_bfloat16(device: str) -> str:
    """The reason why bfloat16 does not work on a PyTorch device; empty if it does."""
    try:
        trial = subprocess.run(
            [sys.executable, "-c", _TRIAL, device], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if trial.returncode == 0:
        return ""
    if trial.returncode < 0:
        return signal.strsignal(-trial.returncode) or f"signal {-trial.returncode}"
    return (trial.stderr.strip().splitlines() or ["no reason was given"])[-1]
