"""The header of a picture: the game, and the question with its answers as buttons, or the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pr_env.render.paper import SEAT_COLOURS, WHITE, seat_badge, tag
from pr_env.render.scene import Picture, text_width

HEAD, MARGIN = 88, 20
SEA, SEA_LIGHT, FOAM, GOLD = "#1d4355", "#2f6277", "#d5e6ea", "#e7b93c"
_QUESTION_X = 290.0
_GAP = 7


@dataclass(frozen=True)
class Answer:
    """An action that the acting player may choose.

    Attributes:
        number: The number of the action.
        words: A short text.
        label: The text as a sentence.
        colour: The colour of its button.
    """

    number: int
    words: str
    label: str
    colour: str = FOAM


def draw_title(picture: Picture, title: str, stage: str) -> None:
    """The bar with the game's name and stage."""
    picture.rectangle(0, 0, picture.width, HEAD, SEA)
    with picture.element(f"{title}, {stage}"):
        picture.words(MARGIN, 31, title, 26, WHITE, bold=True)
        picture.words(MARGIN, 64, stage, 15, FOAM, room=230)
    picture.line(_QUESTION_X - 20, 16, _QUESTION_X - 20, HEAD - 16, SEA_LIGHT, thickness=2)


def draw_question(picture: Picture, seat: int, asked: str, answers: Sequence[Answer]) -> None:
    """The question and its answers: in one row, or as many as fit into two rows of small letters."""
    x, room = _QUESTION_X, picture.width - _QUESTION_X - MARGIN
    in_a_row = sum(_width(answer, 13) for answer in answers) < room
    y = 31 if in_a_row else 25
    with picture.element(asked):
        seat_badge(picture, x + 14, y - 1, 14, seat)
        picture.words(x + 38, y, asked, 22, WHITE, bold=True, room=room - 38)
    if in_a_row:
        _draw_row(picture, answers, x, 64, 13)
        return
    rest = _draw_row(picture, answers, x, 53, 11)
    rest = _draw_row(picture, rest, x, 74, 11, kept_free=60)
    if rest:
        picture.words(picture.width - MARGIN, 74, f"+ {len(rest)} more", 11, FOAM, anchor="end")


def draw_result(picture: Picture, result: str, standings: Sequence[tuple[int, str]]) -> None:
    """The result of the game, and each seat's standing, best first."""
    x = _QUESTION_X
    with picture.element(result):
        picture.words(x, 31, result, 22, GOLD, bold=True, room=picture.width - x - MARGIN)
    for seat, standing in standings:
        with picture.element(standing):
            x += tag(picture, x, 64, standing, SEAT_COLOURS[seat], size=14) + 10


def _width(answer: Answer, size: float) -> float:
    return text_width(answer.words, size) + size + _GAP


def _draw_row(
    picture: Picture, answers: Sequence[Answer], x: float, y: float, size: float, kept_free: float = 0
) -> Sequence[Answer]:
    """Draw answers until the row is full; returns the rest."""
    for place, answer in enumerate(answers):
        reserve = kept_free if place < len(answers) - 1 else 0.0  # for the count of those that do not fit
        if x + _width(answer, size) + reserve > picture.width - MARGIN:
            return answers[place:]
        with picture.element(answer.label, [answer.number], button=True):
            x += tag(picture, x, y, answer.words, answer.colour, size=size) + _GAP
    return ()
