"""Small drawings: symbols on cards, and face-down cards. All are centred on (x, y)."""

from __future__ import annotations

from pr_env.render.paper import FADED, INK, PAPER, SEAT_COLOURS, WHITE, ink_on
from pr_env.render.scene import Picture

GOLD, GOLD_EDGE = "#e7b93c", "#a97b14"
SHIELD, SHIELD_EDGE = "#8d2f3c", "#5f1c27"
STEEL, HILT, BONE = "#5d6b75", "#8a5f3a", "#ece6d6"
WOOD, CARD_BACK, CARD_BACK_EDGE = "#8a5f3a", "#2f6277", "#1d4355"
SYMBOL_INK = "#4b5563"

SHIP_COLOURS = {
    "yellow": "#e8b923",
    "blue": "#3d6fb8",
    "green": "#4c9a58",
    "red": "#bf3b30",
    "black": "#3a3a3f",
    "ares": "#7a4a9a",
}


def coin(picture: Picture, x: float, y: float, radius: float, words: str = "") -> None:
    """A coin, with a number on it or plain."""
    picture.circle(x, y, radius, GOLD, outline=GOLD_EDGE, thickness=1.5)
    if words:
        picture.words(x, y, words, radius * 1.25, INK, bold=True, anchor="middle", room=radius * 1.7)
    else:
        picture.circle(x, y, radius * 0.6, None, outline=GOLD_EDGE)


def shield(picture: Picture, x: float, y: float, height: float, words: str) -> None:
    """Influence: a shield with a number."""
    half, top, bottom = height * 0.43, y - height / 2, y + height / 2
    for inset, colour in ((0.0, SHIELD_EDGE), (height * 0.06, SHIELD)):
        picture.polygon(
            (
                (x - half + inset, top + inset),
                (x + half - inset, top + inset),
                (x + half - inset, y + height * 0.08),
                (x + half * 0.6 - inset, y + height * 0.32),
                (x, bottom - inset),
                (x - half * 0.6 + inset, y + height * 0.32),
                (x - half + inset, y + height * 0.08),
            ),
            colour,
        )
    picture.words(x, y - height * 0.06, words, height * 0.58, WHITE, bold=True, anchor="middle", room=half * 1.7)


def sabre(picture: Picture, x: float, y: float, size: float) -> None:
    """A curved blade with its hilt, from the lower left to the upper right."""
    edge = ((-0.34, 0.26), (-0.02, 0.1), (0.26, -0.16), (0.48, -0.5), (0.4, -0.1), (0.12, 0.22), (-0.24, 0.38))
    picture.polygon(tuple((x + dx * size, y + dy * size) for dx, dy in edge), STEEL)
    hilt = ((-0.4, 0.12), (-0.12, 0.46), (-0.19, 0.5), (-0.47, 0.17))
    picture.polygon(tuple((x + dx * size, y + dy * size) for dx, dy in hilt), HILT)
    grip = ((-0.34, 0.27), (-0.27, 0.36), (-0.44, 0.53), (-0.52, 0.44))
    picture.polygon(tuple((x + dx * size, y + dy * size) for dx, dy in grip), HILT)


def skull(picture: Picture, x: float, y: float, size: float) -> None:
    """A ship that cannot be repelled."""
    picture.circle(x, y - size * 0.1, size * 0.4, BONE, outline=INK, thickness=1)
    picture.rectangle(x - size * 0.21, y + size * 0.18, size * 0.42, size * 0.26, BONE, outline=INK, radius=size * 0.06)
    picture.rectangle(x - size * 0.17, y + size * 0.1, size * 0.34, size * 0.2, BONE)
    for side in (-1, 1):
        picture.circle(x + side * size * 0.16, y - size * 0.08, size * 0.1, INK)
    picture.line(x, y + size * 0.24, x, y + size * 0.42, INK, thickness=1)


def anchor(picture: Picture, x: float, y: float, size: float, colour: str = SYMBOL_INK) -> None:
    """The symbol of captains."""
    width = size * 0.11
    picture.circle(x, y - size * 0.38, size * 0.09, None, outline=colour, thickness=width * 0.8)
    picture.rectangle(x - width / 2, y - size * 0.3, width, size * 0.72, colour)
    picture.rectangle(x - size * 0.22, y - size * 0.22, size * 0.44, width, colour)
    for side in (-1, 1):
        arm = ((0.0, 0.48), (0.27, 0.34), (0.4, 0.06), (0.26, 0.14), (0.2, 0.24), (0.0, 0.36))
        picture.polygon(tuple((x + side * dx * size, y + dy * size) for dx, dy in arm), colour)


def cross(picture: Picture, x: float, y: float, size: float, colour: str = SYMBOL_INK) -> None:
    """The symbol of priests."""
    width = size * 0.2
    picture.rectangle(x - width / 2, y - size * 0.46, width, size * 0.94, colour)
    picture.rectangle(x - size * 0.3, y - size * 0.24, size * 0.6, width, colour)


def house(picture: Picture, x: float, y: float, size: float, colour: str = SYMBOL_INK) -> None:
    """The symbol of settlers."""
    roof = ((-0.48, 0.0), (0.0, -0.44), (0.48, 0.0))
    picture.polygon(tuple((x + dx * size, y + dy * size) for dx, dy in roof), colour)
    picture.rectangle(x - size * 0.34, y - size * 0.04, size * 0.68, size * 0.48, colour)
    picture.rectangle(x - size * 0.09, y + size * 0.14, size * 0.18, size * 0.3, PAPER)


SYMBOL_ICONS = {"captain": anchor, "priest": cross, "settler": house}


def ship(picture: Picture, x: float, y: float, size: float, colour: str) -> None:
    """A ship with sails of its colour, which is also written on them where there is room."""
    fill = SHIP_COLOURS[colour]
    picture.rectangle(x - size * 0.02, y - size * 0.48, size * 0.04, size * 0.72, WOOD)
    for left, right, top, bottom in ((-0.36, 0.36, -0.12, 0.16), (-0.28, 0.28, -0.4, -0.17)):
        sail = ((left, bottom), (left + 0.05, top), (right - 0.05, top), (right, bottom))
        picture.polygon(tuple((x + dx * size, y + dy * size) for dx, dy in sail), fill)
    hull = ((-0.5, 0.18), (0.5, 0.18), (0.36, 0.44), (-0.34, 0.44))
    picture.polygon(tuple((x + dx * size, y + dy * size) for dx, dy in hull), WOOD)
    if size < 40:
        return
    picture.words(x, y + size * 0.02, colour, size * 0.24, ink_on(fill), bold=True, anchor="middle", room=size * 0.62)


def cube(picture: Picture, x: float, y: float, size: float, seat: int) -> None:
    """A player's cube with the number of the seat."""
    picture.rectangle(x - size / 2, y - size / 2, size, size, SEAT_COLOURS[seat], outline=WHITE, radius=size * 0.16)
    picture.words(x, y, str(seat), size * 0.72, WHITE, bold=True, anchor="middle")


def card_back(picture: Picture, x: float, y: float, width: float, height: float) -> None:
    """A pile of face-down cards; (x, y) is its upper left corner."""
    for offset in (6, 3, 0):
        picture.rectangle(
            x + offset, y - offset, width, height, CARD_BACK, outline=CARD_BACK_EDGE, thickness=1.5, radius=6
        )
    coin(picture, x + width / 2, y + height / 2, width * 0.22)


def empty_place(picture: Picture, x: float, y: float, width: float, height: float) -> None:
    """A place without a card; (x, y) is its upper left corner."""
    picture.rectangle(x, y, width, height, "#f3ecda", outline=FADED, thickness=1, radius=6)
