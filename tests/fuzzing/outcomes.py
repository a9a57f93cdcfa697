"""The permitted outcomes of a call with bad arguments; everything else is a hole."""

from __future__ import annotations

import ast
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = tuple(str(ROOT / folder) + "/" for folder in ("pr_env", "agents", "training", "examples"))
LONGEST = 1200  # characters of a message: some list the valid values
# Libraries whose errors count as ours: Gymnasium checks the seeds of environments.
OTHERS = ("gymnasium.error",)

ACCEPTED, REFUSED, HOLE = "accepted", "refused", "hole"


class Outcomes:
    """Counts the outcomes of calls, by entry point, and keeps the first holes."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.holes: dict[str, str] = {}

    def __len__(self) -> int:
        """The number of calls."""
        return sum(self.counts.values())

    def call(self, entry: str, what: str, call: Callable[[], object], unchanged: Callable[[], object] | None) -> str:
        """Make one call and count its outcome.

        Args:
            entry: The entry point.
            what: A description of the call, for people.
            call: Makes the call.
            unchanged: Returns the state, which must be the same after a rejected call.
        """
        before = unchanged() if unchanged is not None else None
        try:
            call()
        except Exception as error:
            problem = why_no_refusal(error)
            if not problem and unchanged is not None and unchanged() != before:
                problem = "refused, but something has changed"
            outcome = HOLE if problem else REFUSED
            if problem:
                where = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{Path(where.filename).name}:{where.lineno}"
                kind = f"{entry}: {type(error).__name__} at {place}"
                self.holes.setdefault(kind, f"{problem}; {what}; {str(error)[:300]!r}")
        else:
            outcome = ACCEPTED
        self.counts[entry, outcome] += 1
        return outcome

    def hole(self, entry: str, sentence: str) -> None:
        """Record another kind of hole."""
        self.counts[entry, HOLE] += 1
        self.holes.setdefault(f"{entry}: {sentence}", sentence)

    def table(self) -> str:
        """Outcomes by entry point, as text."""
        entries = sorted({entry for entry, _ in self.counts})
        width = max(map(len, entries), default=5)
        lines = [f"{'entry point':{width}}  {ACCEPTED:>9}  {REFUSED:>9}  {HOLE + 's':>9}"]
        rows = [(entry, [self.counts[entry, outcome] for outcome in (ACCEPTED, REFUSED, HOLE)]) for entry in entries]
        rows.append(("all", [sum(counts[i] for _, counts in rows) for i in range(3)]))
        lines += [f"{entry:{width}}  " + "  ".join(f"{count:9,}" for count in counts) for entry, counts in rows]
        return "\n".join(lines)


def why_no_refusal(error: Exception) -> str:
    """The reason why an error is not one of our messages; empty if it is."""
    if type(error).__module__.startswith(OTHERS):
        return ""
    if not _raised_by_us(error):
        return "not raised by a check of ours"
    message = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    if not message:
        return "says nothing"
    if not message.isprintable():
        return "has control characters or several lines"
    if len(message) > LONGEST:
        return f"has {len(message)} characters"
    return ""


def _raised_by_us(error: Exception) -> bool:
    """Whether the last frame is a `raise` statement in one of our modules."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if not frame.filename.startswith(OURS) or frame.lineno is None:
        return False
    return any(first <= frame.lineno <= last for first, last in _raises(frame.filename))


@cache
def _raises(filename: str) -> list[tuple[int, int]]:
    tree = ast.parse(Path(filename).read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc is not None]
    return [(node.lineno, node.end_lineno or node.lineno) for node in found]
