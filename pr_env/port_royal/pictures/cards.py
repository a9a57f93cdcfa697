"""The faces of cards: large ones in the harbour, small ones in displays, expeditions and contracts."""

from __future__ import annotations

from collections.abc import Sequence

from pr_env.port_royal import phrases
from pr_env.port_royal.cards import EXPEDITION, PERSON, SHIP, Card
from pr_env.port_royal.pictures.icons import (
    SHIP_COLOURS,
    SYMBOL_ICONS,
    coin,
    cube,
    sabre,
    shield,
    ship,
    skull,
)
from pr_env.port_royal.tables import SYMBOLS
from pr_env.port_royal.view import Offer
from pr_env.render.paper import FADED, INK, PAPER_EDGE, SHADOW, WHITE, ink_on
from pr_env.render.scene import Picture
from pr_env.words import plain

HIGHLIGHT = "#e08a1e"
FACE, SEA_FACE, BAND, PARCHMENT = "#fffdf6", "#e4eef2", "#6b5b4b", "#f6ead0"
CARD_WIDTH, CARD_HEIGHT = 104.0, 148.0

# A person's ability in two short lines; {} is the colour that it works for
EFFECTS = {
    "trader": ("{} ship", "+1 coin"),
    "jack_of_all_trades": ("any symbol", ""),
    "mademoiselle": ("hire for", "1 coin less"),
    "jester": ("bust or 0 cards", "+1 coin"),
    "admiral": ("5+ cards", "+2 coins"),
    "governor": ("", "+1 take"),
    "merchant": ("{} ship", "+1 influence"),
    "passenger": ("only influence", ""),
    "gambler": ("draw 4 cards", "+1 take"),
    "clerk": ("{} ship", "+1 take"),
    "gunner": ("each ship but one", "+1 coin"),
    "vice_admiral": ("3 or 4 cards", "+1 coin"),
    "lookout": ("sees 3 cards", "keeps 1"),
    "innkeeper": ("4+ cards", "+1 crown"),
}


def title(card: Card) -> str:
    """The title on a card."""
    if card.kind == SHIP:
        return phrases.ship(card).capitalize() if card.colour == "ares" else card.type.capitalize()
    if card.kind == EXPEDITION:
        return "Expedition"
    return "Jack" if card.type == "jack_of_all_trades" else plain(card.type).capitalize()


def symbols_of(card: Card) -> tuple[str, ...]:
    """The symbols that a person stands for."""
    if card.type == "jack_of_all_trades":
        return SYMBOLS
    symbol = card.type.removeprefix("ares_")
    return (symbol,) if symbol in SYMBOLS else ()


def _sheet(
    picture: Picture, x: float, y: float, width: float, height: float, fill: str, marked: bool, radius: float
) -> None:
    picture.rectangle(x + 1.5, y + 2, width, height, SHADOW, radius=radius)
    edge, thickness = (HIGHLIGHT, 3.0) if marked else (PAPER_EDGE, 1.0)
    picture.rectangle(x, y, width, height, fill, outline=edge, thickness=thickness, radius=radius)


def draw_card(picture: Picture, card: Card, x: float, y: float, scale: float = 1.0, *, marked: bool = False) -> None:
    """A person or a ship in the harbour.

    Args:
        picture: The picture to draw on.
        card: The card.
        x: Of the upper left corner.
        y: Of the upper left corner.
        scale: 1 for a card of CARD_WIDTH and CARD_HEIGHT.
        marked: Whether to mark it as a possible choice.
    """
    width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
    middle = x + width / 2
    if card.kind == SHIP:
        _sheet(picture, x, y, width, height, SEA_FACE, marked, 8 * scale)
        ship(picture, middle, y + 60 * scale, 78 * scale, card.colour)
    else:
        _sheet(picture, x, y, width, height, FACE, marked, 8 * scale)
    colour = SHIP_COLOURS.get(card.colour, BAND)
    band = 22 * scale
    picture.rectangle(x + 4 * scale, y + height - band - 4 * scale, width - 8 * scale, band, colour, radius=5 * scale)
    picture.words(
        middle,
        y + height - band / 2 - 4 * scale,
        title(card),
        14 * scale,
        ink_on(colour),
        bold=True,
        anchor="middle",
        room=width - 16 * scale,
    )
    if card.kind == SHIP:
        _draw_ship_values(picture, card, x, y, scale)
    else:
        _draw_person_values(picture, card, x, y, scale)


def _draw_ship_values(picture: Picture, card: Card, x: float, y: float, scale: float) -> None:
    right = x + (CARD_WIDTH - 17) * scale
    if card.repellable:
        sabre(picture, right - 12 * scale, y + 15 * scale, 19 * scale)
        picture.words(right + 6 * scale, y + 15 * scale, str(card.sabres), 15 * scale, INK, bold=True, anchor="middle")
    else:
        skull(picture, right, y + 16 * scale, 25 * scale)
    coins = card.coins
    start = x + CARD_WIDTH * scale / 2 - (coins - 1) * 10 * scale
    if card.coins_other:
        start -= 17 * scale
    for place in range(coins):
        coin(picture, start + place * 20 * scale, y + 106 * scale, 9 * scale)
    if card.coins_other:
        gift_x = start + coins * 20 * scale
        picture.words(gift_x - 4 * scale, y + 106 * scale, "+", 14 * scale, INK, bold=True, anchor="middle")
        coin(picture, gift_x + 12 * scale, y + 106 * scale, 9 * scale, "P")


def _draw_person_values(picture: Picture, card: Card, x: float, y: float, scale: float) -> None:
    middle = x + CARD_WIDTH * scale / 2
    coin(picture, x + 19 * scale, y + 19 * scale, 13.5 * scale, str(card.cost))
    shield(picture, x + (CARD_WIDTH - 19) * scale, y + 19 * scale, 29 * scale, str(card.influence))
    symbols = symbols_of(card)
    if symbols:
        size = (44 if len(symbols) == 1 else 25) * scale
        for place, symbol in enumerate(symbols):
            SYMBOL_ICONS[symbol](picture, middle + (place - (len(symbols) - 1) / 2) * size * 1.2, y + 66 * scale, size)
    elif card.sabres:
        for place in range(card.sabres):
            sabre(picture, middle + (place - (card.sabres - 1) / 2) * 34 * scale, y + 72 * scale, 44 * scale)
    elif card.colour:
        ship(picture, middle, y + 62 * scale, 50 * scale, card.colour)
    _draw_effect(picture, card, middle, y, scale)


def _draw_effect(picture: Picture, card: Card, middle: float, y: float, scale: float) -> None:
    first, second = EFFECTS.get(card.type, ("", ""))
    room = (CARD_WIDTH - 12) * scale
    low = bool(symbols_of(card)) or bool(card.colour)
    line_y = y + (97 if low else 64) * scale
    if first:
        picture.words(middle, line_y, first.format(card.colour), 11.5 * scale, FADED, anchor="middle", room=room)
    if second:
        size = (12 if low else 15) * scale
        picture.words(middle, line_y + (15 if low else 21) * scale, second, size, INK, anchor="middle", room=room)


def draw_small_card(
    picture: Picture, card: Card, count: int, x: float, y: float, width: float, height: float, *, marked: bool = False
) -> None:
    """A person, an expedition or a kept ship in a display.

    Args:
        picture: The picture to draw on.
        card: The card.
        count: The number of copies.
        x: Of the upper left corner.
        y: Of the upper left corner.
        width: Of the whole card.
        height: Of the whole card.
        marked: Whether to mark it as a possible choice.
    """
    _sheet(picture, x, y, width, height, SEA_FACE if card.kind == SHIP else FACE, marked, 6)
    colour = SHIP_COLOURS.get(card.colour, BAND)
    picture.rectangle(x + 3, y + 3, width - 6, 18, colour, radius=4)
    named = f"{card.colour} {title(card).lower()}".capitalize() if card.kind == PERSON and card.colour else title(card)
    picture.words(x + width / 2, y + 12, named, 11.5, ink_on(colour), bold=True, anchor="middle", room=width - 12)
    low = y + 21 + (height - 21) / 2
    if card.kind == SHIP:
        ship(picture, x + width / 2, low, height - 26, card.colour)
    else:
        shield(picture, x + 15, low, 23, str(card.influence))
        _draw_small_icons(picture, card, x + 29, low, width - (52 if count > 1 else 33))
    if count > 1:
        picture.words(x + width - 5, low, f"x{count}", 15, INK, bold=True, anchor="end")


def _draw_small_icons(picture: Picture, card: Card, x: float, y: float, room: float) -> None:
    icons: Sequence[str] = symbols_of(card)
    if any(card.requires):
        icons = [symbol for symbol, count in zip(SYMBOLS, card.requires, strict=True) for _ in range(count)]
    icons = [*icons, *["sabre"] * card.sabres]
    if icons:
        size = min(18.0, room / len(icons) - 2)
        for place, icon in enumerate(icons):
            draw = sabre if icon == "sabre" else SYMBOL_ICONS[icon]
            draw(picture, x + size / 2 + place * (size + 2), y, size)
        return
    _, effect = EFFECTS.get(card.type, ("", ""))
    if effect:
        picture.words(x, y, effect, 11.5, FADED, room=room)


def draw_expedition(
    picture: Picture, card: Card, x: float, y: float, width: float, height: float, *, marked: bool = False
) -> None:
    """An expedition on the table: its symbols, its influence and its coins."""
    _sheet(picture, x, y, width, height, PARCHMENT, marked, 8)
    middle = y + height / 2
    icons = [symbol for symbol, count in zip(SYMBOLS, card.requires, strict=True) for _ in range(count)]
    for place, icon in enumerate(icons):
        SYMBOL_ICONS[icon](picture, x + 28 + place * 38, middle, 30)
    right = x + width
    for place in range(card.coins):
        coin(picture, right - 62 - (card.coins - 1 - place) * 11, middle, 9)
    shield(picture, right - 27, middle, 36, str(card.influence))


def draw_contract(
    picture: Picture, offer: Offer, x: float, y: float, width: float, height: float, *, marked: bool = False
) -> None:
    """A contract with its coin track and the cubes on it."""
    contract = offer.contract
    _sheet(picture, x, y, width, height, PARCHMENT, marked, 8)
    picture.words(x + 12, y + 17, plain(contract.name).capitalize(), 15, INK, bold=True, room=width - 24)
    picture.words(x + 12, y + 36, phrases.needs(contract), 12, FADED, room=width - 24)
    low, step, place_x = y + height - 19, 27.0, x + 24
    for space in range(1, contract.progress_spaces + 1):
        here = [seat for seat, at in offer.progress.items() if at == space]
        size, more = (16.0, 0.0) if len(here) < 2 else (12.0, 13.0 * len(here) - 15)
        picture.rectangle(place_x - 11, low - 11, 22 + more, 22, WHITE, outline=FADED, radius=4)
        for place, seat in enumerate(here):
            cube(picture, place_x + more / 2 + (place - (len(here) - 1) / 2) * 13, low, size, seat)
        place_x += step + more
    if contract.progress_spaces:
        step = min(step, (x + width - 13 - place_x) / (len(contract.coins) - 1))
    for space, coins in enumerate(contract.coins):
        if space < len(offer.finished):
            cube(picture, place_x, low, 20, offer.finished[space])
        elif coins:
            coin(picture, place_x, low, 11, str(coins))
        else:
            picture.circle(place_x, low, 11, WHITE, outline=FADED)
            picture.words(place_x, low, "0", 12, FADED, anchor="middle")
        place_x += step


def face_label(card: Card, count: int = 1) -> str:
    """A description of a card, for people who cannot see it."""
    many = f"{count} times " if count > 1 else ""
    return f"{many}{phrases.described(card)}"
