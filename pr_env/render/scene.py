"""A drawing as a list of simple shapes, with two output formats: SVG text and an array of pixels.

Shapes can be grouped into elements: things on the table with a text label and the numbers of the actions they stand
for. Web pages and screen readers find them in the SVG; they do not affect the pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from pr_env.render.extra import needs_the_extra

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Anchor = Literal["start", "middle", "end"]

FONT_FAMILY = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
SUPERSAMPLING = 2  # pixels are painted at double size and averaged for smooth edges
CAP_HEIGHT = 0.72  # height of a capital letter as a share of the font size

# Widths of letters as a share of the font size. These are generous: no common font is much wider
_NARROW, _WIDE = "fijlrtI.,:;'!|()[] ", "mwMW%@"
_NARROW_WIDTH, _WIDE_WIDTH, _CAPITAL_WIDTH, _USUAL_WIDTH = 0.34, 0.9, 0.72, 0.61
_BOLD_WIDENS = 1.07


def text_width(words: str, size: float, bold: bool = False) -> float:
    """The approximate width of a text in any font; an overestimate rather than an underestimate."""
    return sum(map(_letter_width, words)) * size * (_BOLD_WIDENS if bold else 1)


def _letter_width(letter: str) -> float:
    if letter in _NARROW:
        return _NARROW_WIDTH
    if letter in _WIDE:
        return _WIDE_WIDTH
    return _CAPITAL_WIDTH if letter.isupper() else _USUAL_WIDTH


# -- shapes -----------------------------------------------------------------------------------------------------------
#    Colours are "#rrggbb", or None for no colour.


@dataclass(frozen=True)
class Rectangle:
    """A rectangle, with rounded corners if it has a radius."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None
    outline: str | None
    thickness: float
    radius: float

    def svg(self) -> str:
        """As an SVG element."""
        return (
            f'<rect x="{_short(self.x)}" y="{_short(self.y)}" width="{_short(self.width)}" '
            f'height="{_short(self.height)}" rx="{_short(self.radius)}" {_paint(self)}/>'
        )

    def paint(self, canvas: ImageDraw, zoom: float) -> None:
        """With Pillow."""
        half = self.thickness / 2 if self.outline else 0.0  # SVG centres an outline on the edge, Pillow puts it inside
        box = (
            (self.x - half) * zoom,
            (self.y - half) * zoom,
            (self.x + self.width + half) * zoom - 1,
            (self.y + self.height + half) * zoom - 1,
        )
        width = _pixels(self.thickness, zoom)
        canvas.rounded_rectangle(box, self.radius * zoom, self.fill, self.outline, width)


@dataclass(frozen=True)
class Circle:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str | None
    outline: str | None
    thickness: float

    def svg(self) -> str:
        """As an SVG element."""
        return f'<circle cx="{_short(self.x)}" cy="{_short(self.y)}" r="{_short(self.radius)}" {_paint(self)}/>'

    def paint(self, canvas: ImageDraw, zoom: float) -> None:
        """With Pillow."""
        radius = (self.radius + (self.thickness / 2 if self.outline else 0)) * zoom
        x, y = self.x * zoom, self.y * zoom
        box = (x - radius, y - radius, x + radius, y + radius)
        canvas.ellipse(box, self.fill, self.outline, _pixels(self.thickness, zoom))


@dataclass(frozen=True)
class Polygon:
    """A filled outline through points."""

    points: tuple[tuple[float, float], ...]
    fill: str

    def svg(self) -> str:
        """As an SVG element."""
        points = " ".join(f"{_short(x)},{_short(y)}" for x, y in self.points)
        return f'<polygon points="{points}" fill="{self.fill}"/>'

    def paint(self, canvas: ImageDraw, zoom: float) -> None:
        """With Pillow."""
        canvas.polygon([(x * zoom, y * zoom) for x, y in self.points], self.fill)


@dataclass(frozen=True)
class Line:
    """A straight line."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str
    thickness: float

    def svg(self) -> str:
        """As an SVG element."""
        return (
            f'<line x1="{_short(self.x)}" y1="{_short(self.y)}" x2="{_short(self.to_x)}" y2="{_short(self.to_y)}" '
            f'stroke="{self.colour}" stroke-width="{_short(self.thickness)}"/>'
        )

    def paint(self, canvas: ImageDraw, zoom: float) -> None:
        """With Pillow."""
        ends = (self.x * zoom, self.y * zoom, self.to_x * zoom, self.to_y * zoom)
        canvas.line(ends, self.colour, _pixels(self.thickness, zoom))


@dataclass(frozen=True)
class Words:
    """A line of text; (x, y) is the anchor on its baseline."""

    x: float
    y: float
    words: str
    size: float
    colour: str
    bold: bool
    anchor: Anchor

    def svg(self) -> str:
        """As an SVG element."""
        weight = ' font-weight="bold"' if self.bold else ""
        return (
            f'<text x="{_short(self.x)}" y="{_short(self.y)}" font-size="{_short(self.size)}" fill="{self.colour}" '
            f'text-anchor="{self.anchor}"{weight}>{escape(self.words)}</text>'
        )

    def paint(self, canvas: ImageDraw, zoom: float) -> None:
        """With Pillow, whose built-in font has one weight: bold is a thin outline."""
        place = (self.x * zoom, self.y * zoom)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[self.anchor]
        stroke = _pixels(self.size * 0.025, zoom) if self.bold else 0
        canvas.text(place, self.words, self.colour, _font(self.size * zoom), anchor, stroke_width=stroke)


Shape = Rectangle | Circle | Polygon | Line | Words


@lru_cache(maxsize=8192)  # the same coordinates recur in every picture; saves a sixth of the time of an SVG
def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _paint(shape: Rectangle | Circle) -> str:
    if shape.outline is None:
        return f'fill="{shape.fill or "none"}"'
    return f'fill="{shape.fill or "none"}" stroke="{shape.outline}" stroke-width="{_short(shape.thickness)}"'


def _pixels(length: float, zoom: float) -> int:
    return max(1, round(length * zoom))


@lru_cache(maxsize=64)
def _font(size: float) -> FreeTypeFont | ImageFont:
    with needs_the_extra():
        from PIL import ImageFont
    return ImageFont.load_default(size)


# -- the drawing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Element:
    """A thing on the table that is drawn with several shapes.

    Attributes:
        label: A description, for people who cannot see it.
        actions: Numbers of the legal actions that it stands for.
        button: Whether it only stands for its action, like a button.
    """

    label: str
    actions: tuple[int, ...] = ()
    button: bool = False

    def svg(self, role: str) -> str:
        """The opening tag of its group.

        Several actions are separated by spaces, so that CSS finds each: ``[data-action~="17"]``.
        """
        numbers = " ".join(map(str, self.actions))
        actions = f' data-action="{numbers}"' if self.actions else ""
        kind = ' class="button"' if self.button else ""
        label = quoteattr(self.label)
        return f'<g{kind} role="{role}" aria-label={label}{actions}><title>{escape(self.label)}</title>'


@dataclass
class Picture:
    """Shapes on a background, later ones over earlier ones.

    Attributes:
        width: In pixels at scale 1.
        height: In pixels at scale 1.
        background: The background colour.
        parts: What is drawn. An element begins its group of shapes; None ends the group opened last.
    """

    width: int
    height: int
    background: str
    parts: list[Shape | Element | None] = field(default_factory=list)

    @contextmanager
    def element(self, label: str, actions: Sequence[int] = (), *, button: bool = False) -> Iterator[None]:
        """Everything drawn inside the block becomes one element. Elements may be nested.

        Args:
            label: A description, for people who cannot see it.
            actions: Numbers of the legal actions that it stands for.
            button: Whether it only stands for its action.
        """
        self.parts.append(Element(label, tuple(actions), button))
        yield
        self.parts.append(None)

    @property
    def elements(self) -> list[Element]:
        """All elements in the order in which they are drawn."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def shapes(self) -> list[Shape]:
        """All shapes in the order in which they are drawn."""
        return [part for part in self.parts if part is not None and not isinstance(part, Element)]

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None,
        *,
        outline: str | None = None,
        thickness: float = 1,
        radius: float = 0,
    ) -> None:
        """Add a rectangle."""
        self.parts.append(Rectangle(x, y, width, height, fill, outline, thickness, radius))

    def circle(
        self, x: float, y: float, radius: float, fill: str | None, *, outline: str | None = None, thickness: float = 1
    ) -> None:
        """Add a circle."""
        self.parts.append(Circle(x, y, radius, fill, outline, thickness))

    def polygon(self, points: tuple[tuple[float, float], ...], fill: str) -> None:
        """Add a filled polygon."""
        self.parts.append(Polygon(points, fill))

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, *, thickness: float = 1) -> None:
        """Add a line."""
        self.parts.append(Line(x, y, to_x, to_y, colour, thickness))

    def words(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        anchor: Anchor = "start",
        room: float | None = None,
    ) -> None:
        """Add a line of text, vertically centred on y, shrunk if it would be wider than ``room``."""
        if room is not None:
            size *= min(1.0, room / text_width(words, size, bold))
        self.parts.append(Words(x, y + size * CAP_HEIGHT / 2, words, size, colour, bold, anchor))

    def svg(self) -> str:
        """The picture as a self-contained SVG document."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" font-family="{FONT_FAMILY}">',
                f'<rect width="{self.width}" height="{self.height}" fill="{self.background}"/>',
                *self._svg_parts(),
                "</svg>\n",
            ]
        )

    def _svg_parts(self) -> Iterator[str]:
        """Shapes and group tags. A group without nested elements is a single image to a screen reader."""
        for place, part in enumerate(self.parts):
            if part is None:
                yield "</g>"
            elif isinstance(part, Element):
                rest = islice(self.parts, place + 1, None)
                marks = (later for later in rest if later is None or isinstance(later, Element))
                yield part.svg("img" if next(marks) is None else "group")
            else:
                yield part.svg()

    def rgb(self, scale: float = 1.0) -> np.ndarray:
        """The picture as pixels: uint8, height x width x 3.

        Args:
            scale: Pixels per unit of the drawing.
        """
        with needs_the_extra():
            from PIL import Image, ImageDraw
        if not scale > 0:
            raise ValueError(f"scale must be a number above 0, got {scale!r}")
        width, height = (max(1, round(side * scale)) for side in (self.width, self.height))
        image = Image.new("RGB", (width * SUPERSAMPLING, height * SUPERSAMPLING), self.background)
        canvas = ImageDraw.Draw(image)
        for shape in self.shapes:
            shape.paint(canvas, scale * SUPERSAMPLING)
        return np.asarray(image.reduce(SUPERSAMPLING), np.uint8).copy()
