"""Line coverage of the plain rules."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.port_royal import plain

RULES = (
    *("contracts", "cooperative", "discover", "expeditions", "gambler", "harbour", "legal", "people", "piles"),
    *("rules", "scoring", "setup", "sleep", "step", "takes", "taxes", "turns"),
)
FOLDER = Path(plain.piles.__file__ or "").parent


class Reached:
    """``with Reached() as reached`` records all executed lines of the rules; it is slow."""

    def __init__(self) -> None:
        self.lines: dict[str, set[int]] = {str(FOLDER / f"{name}.py"): set() for name in RULES}

    def __enter__(self) -> Reached:
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        lines = self.lines.get(frame.f_code.co_filename)
        if lines is None:
            return None

        def note(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return note

        return note

    def report(self) -> str:
        """The number of reached lines in functions, and the lines that were not reached."""
        told, reached, total = [], 0, 0
        for file, lines in self.lines.items():
            text = Path(file).read_text().splitlines()
            wanted = _lines_of_functions(compile("\n".join(text), file, "exec"))
            reached += len(wanted & lines)
            total += len(wanted)
            told += [f"{Path(file).name}:{line}: {text[line - 1].strip()}" for line in sorted(wanted - lines)]
        return "\n".join([f"{reached} of {total} lines of the rules were reached", *told])


def _lines_of_functions(module: CodeType) -> set[int]:
    found: set[int] = set()
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            lines = {line for _, _, line in constant.co_lines() if line is not None}
            found |= {line for line in lines if line > constant.co_firstlineno + _decorators(constant)}
            found |= _lines_of_functions(constant)
    return found


def _decorators(code: CodeType) -> int:
    """The lines of the definition before the body."""
    lines = sorted({line for _, _, line in code.co_lines() if line is not None})
    return (lines[1] - code.co_firstlineno - 1) if len(lines) > 1 else 0
