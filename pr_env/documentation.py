"""Tables of a game in Markdown, made from what the code itself goes by, so that pages cannot drift from it.

A game of the registry has a module ``documentation`` in its folder with ``PAGES``: what makes each file of the
documentation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

from pr_env.batch import Batch
from pr_env.game import Action, Field, Game


def option_rows(kind: type[Game]) -> str:
    """The game's options: defaults from the code, meanings from its docstring."""
    described = (inspect.getdoc(kind) or "").split("Attributes:\n")[1].split("\n\n")[0]
    meanings = dict(re.findall(r"^ +(\w+): (.*(?:\n {8,}.*)*)", described, re.MULTILINE))
    options = [(name, parameter.default) for name, parameter in inspect.signature(kind).parameters.items()]
    return rows(
        [f"`{name}`", f'`"{default}"`' if isinstance(default, str) else f"`{default}`", _plain(meanings[name])]
        for name, default in options
    )


def _plain(text: str) -> str:
    """A docstring's text in one line of Markdown."""
    return " ".join(text.replace("``", "`").split())


def action_rows(actions: Iterable[Action]) -> str:
    """Lines of the action table."""
    return rows(
        [str(action.number), f"`{' '.join(str(part) for part in action.name)}`", action.sentence] for action in actions
    )


def field_rows(fields: Iterable[Field], start: int = 0) -> str:
    """Lines of the observation table, with places counted from ``start``."""
    return rows(
        [_places(field, start), f"`{field.name.removeprefix('self.')}`", _shape(field), _scale(field), field.meaning]
        for field in fields
    )


def _places(field: Field, start: int) -> str:
    """The first and the last place of a field."""
    first, last = field.start - start, field.stop - start - 1
    return str(first) if first == last else f"{first}-{last}"


def _shape(field: Field) -> str:
    """The lengths of a field's axes."""
    return " x ".join(str(length) for length in field.shape) or "1"


def _scale(field: Field) -> str:
    """What counts are multiplied with."""
    return "1" if field.scale == 1 else f"1/{round(1 / field.scale)}"


def rows(cells: Iterable[list[str]]) -> str:
    """Lines of a table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def picture(game: Game, seed: int, moves: int) -> str:
    """A game played by chance, as SVG."""
    batch = Batch(game, 1, seed=seed, threads=1)
    for _ in range(moves):
        batch.step(batch.sample_actions())
    return str(batch.render(0, "svg"))
