"""``python -m benchmarks`` is ``pr-env bench``."""

from __future__ import annotations

import sys

from pr_env.cli import app

app(["bench", *sys.argv[1:]], prog_name="pr-env")
