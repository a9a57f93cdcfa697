"""``python -m tests.fuzzing``: many bad calls, and a table of the outcomes."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzzing.calls import bad_calls
from tests.fuzzing.files import damaged_files, kinds
from tests.fuzzing.outcomes import Outcomes


def main() -> None:
    """Run the command line; exits with 1 if there are holes."""
    parser = argparse.ArgumentParser(description="Make bad calls and read damaged files.")
    parser.add_argument("--calls", type=int, default=200_000, help="total number of calls, including files")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same calls")
    options = parser.parse_args()
    outcomes, chance, start = Outcomes(), random.Random(options.seed), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        damaged_files(outcomes, chance, options.calls // 8, kinds(Path(folder)))
    bad_calls(outcomes, chance, options.calls - len(outcomes))
    print(outcomes.table())
    print(f"{len(outcomes):,} calls in {time.monotonic() - start:.0f} s, seed {options.seed}")
    for kind, example in outcomes.holes.items():
        print(f"\n{kind}\n    {example}")
    sys.exit(1 if outcomes.holes else 0)


if __name__ == "__main__":
    main()
