"""Elements common to pictures of any game: sheets of paper, labels and counts."""

from __future__ import annotations

from pr_env.render.scene import Picture, text_width

PAPER, PAPER_EDGE, SHADOW, INK, FADED, WHITE = "#fcf8ee", "#cfc2a2", "#d5c9ab", "#2c2a26", "#857d6c", "#ffffff"
SEAT_COLOURS = ("#2f6fb0", "#c03f33", "#3b8a50", "#7c51a1", "#c9731c", "#1c8a8f")


def ink_on(colour: str) -> str:
    """A text colour that is readable on a background colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else WHITE


def paper(
    picture: Picture, x: float, y: float, width: float, height: float, edge: str = PAPER_EDGE, thickness: float = 1
) -> None:
    """A sheet with its shadow."""
    picture.rectangle(x + 2, y + 3, width, height, SHADOW, radius=10)
    picture.rectangle(x, y, width, height, PAPER, outline=edge, thickness=thickness, radius=10)


def tag(picture: Picture, x: float, y: float, words: str, fill: str, *, size: float = 12) -> float:
    """A word on a coloured label that starts at x, centred on y; returns its width."""
    width = text_width(words, size) + size
    picture.rectangle(x, y - size * 0.85, width, size * 1.7, fill, radius=size * 0.85)
    picture.words(x + width / 2, y, words, size, ink_on(fill), anchor="middle")
    return width


def number(picture: Picture, x: float, y: float, count: int, size: float = 16) -> float:
    """A count, pale if it is 0; returns its width."""
    picture.words(x, y, str(count), size, INK if count else FADED, bold=count > 0)
    return text_width(str(count), size, bold=count > 0)


def seat_badge(picture: Picture, x: float, y: float, radius: float, seat: int) -> None:
    """A seat's number on the seat's colour."""
    picture.circle(x, y, radius, SEAT_COLOURS[seat], outline=WHITE, thickness=1.5)
    picture.words(x, y, str(seat), radius * 1.2, WHITE, bold=True, anchor="middle")
