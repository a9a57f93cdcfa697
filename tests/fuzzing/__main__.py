"""``python -m tests.fuzzing``: many bad calls, and a table of what they end with."""

from __future__ import annotations

import argparse
import random
import sys
import time

from tests.fuzzing.calls import bad_calls
from tests.fuzzing.outcomes import Outcomes


def main() -> None:
    """Run the command line; ends with 1 if there are holes."""
    parser = argparse.ArgumentParser(description="Make bad calls and read damaged files.")
    parser.add_argument("--calls", type=int, default=200_000, help="calls in all, files included")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same calls")
    options = parser.parse_args()
    outcomes, chance, start = Outcomes(), random.Random(options.seed), time.monotonic()
    bad_calls(outcomes, chance, options.calls)
    print(outcomes.table())
    print(f"{len(outcomes):,} calls in {time.monotonic() - start:.0f} s, seed {options.seed}")
    for kind, example in outcomes.holes.items():
        print(f"\n{kind}\n    {example}")
    sys.exit(1 if outcomes.holes else 0)


if __name__ == "__main__":
    main()
