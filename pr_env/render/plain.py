"""The board of any game as plain text: the game's own drawing for terminals, or what a player sees, line by line."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pr_env.game import Game
from pr_env.moment import Moment
from pr_env.words import capitalised, counted, plain

_ESCAPE_CODE = re.compile("\x1b\\[[0-9;]*m")


def text(game: Game, record: Any, *, names: Sequence[str], answers: bool, width: int, colour: bool) -> str:
    """The game, the question or the result, the board, the players and the legal actions.

    Args:
        game: The game and its configuration.
        record: One game.
        names: The player in each seat, if known.
        answers: Whether to list the legal actions.
        width: Columns of the terminal.
        colour: Whether to keep the colour escape codes of the game's own drawing.
    """
    moment, words = Moment(game, record), game.words
    if moment.is_over:
        now = words.result(moment)
    else:
        now = f"{capitalised(words.seat(moment.player))}: {words.question(moment)}"
    lines = [words.title, *textwrap.wrap(f"▶ {now}", width), "", *_board(moment, record, width, colour), ""]
    lines += [line for seat in range(game.players) for line in textwrap.wrap(_player(moment, seat, names), width)]
    if answers and not moment.is_over:
        lines += ["", f"{capitalised(words.seat(moment.player))} may"]
        for action in moment.legal:
            said = f"{action.number:4} {words.sentence(action, moment)}"
            lines += textwrap.wrap(said, width, subsequent_indent=" " * 5)
    return "\n".join(lines) + "\n"


def _player(moment: Moment, seat: int, names: Sequence[str]) -> str:
    words = moment.game.words
    name = f" ({names[seat]})" if names else ""
    return f"{capitalised(words.seat(seat))}{name}, {counted(moment.points[seat], 'point')}"


def _board(moment: Moment, record: Any, width: int, colour: bool) -> list[str]:
    if "ansi" not in moment.game.render_modes:
        return list(_told(moment.seen(), width))
    drawn = str(moment.game.render(record, "ansi")).rstrip("\n")
    return (drawn if colour else _ESCAPE_CODE.sub("", drawn)).split("\n")


def _told(position: Mapping[str, Any], width: int, indent: int = 0) -> Iterator[str]:
    """One line per item; nested items are indented."""
    for name, value in position.items():
        if isinstance(value, Mapping) and value:
            yield f"{' ' * indent}{plain(str(name))}:"
            yield from _told(value, width, indent + 2)
        else:
            said = value if isinstance(value, str) else json.dumps(value)
            line = f"{' ' * indent}{plain(str(name))}: {said}"
            yield from textwrap.wrap(line, width, subsequent_indent=" " * (indent + 2))
