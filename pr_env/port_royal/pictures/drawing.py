"""The table of Port Royal as a picture.

Below the header are the harbour with the decks next to it, then expeditions and contracts, and then the players'
displays in two columns. The size of the picture depends only on the configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pr_env.game import Action
from pr_env.port_royal import phrases
from pr_env.port_royal.adventure import phrases as adventure
from pr_env.port_royal.adventure.names import SLOTS
from pr_env.port_royal.adventure.view import AdventureView
from pr_env.port_royal.cards import Card
from pr_env.port_royal.pictures.cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    HIGHLIGHT,
    draw_card,
    draw_contract,
    draw_expedition,
    draw_small_card,
    face_label,
    symbols_of,
)
from pr_env.port_royal.pictures.icons import (
    GOLD,
    SHIP_COLOURS,
    SYMBOL_ICONS,
    card_back,
    coin,
    cube,
    empty_place,
    sabre,
    shield,
    skull,
)
from pr_env.port_royal.tables import CONTRACTS_COMPETITIVE, CONTRACTS_COOPERATIVE
from pr_env.port_royal.view import Display, Offer, View
from pr_env.render.head import FOAM, HEAD, MARGIN, Answer, draw_question, draw_result, draw_title
from pr_env.render.paper import FADED, INK, PAPER_EDGE, SEAT_COLOURS, WHITE, paper, seat_badge, tag
from pr_env.render.scene import Picture, text_width
from pr_env.words import capitalised, plain

if TYPE_CHECKING:
    from pr_env.port_royal import PortRoyal

SAND = "#e6dcc4"
ANSWER_COLOURS = SHIP_COLOURS | {"black": "#6c6d75"}  # on the dark header
WIDTH, GAP, PADDING = 1440, 14, 14
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
TITLE = 30  # height of a panel's title
DECKS_WIDTH = 372.0
HARBOUR_WIDTH = WIDTH - 2 * MARGIN - GAP - DECKS_WIDTH
HARBOUR = TITLE + CARD_HEIGHT + PADDING
EXPEDITION_HEIGHT, CONTRACT_HEIGHT = 54.0, 88.0
IN_A_ROW = 6  # expeditions or contracts
CELL = (WIDTH - 2 * MARGIN - 2 * PADDING + 10) / IN_A_ROW - 10
SMALL_WIDTH, SMALL_HEIGHT, SMALL_ROWS = 88.0, 56.0, 2
DISPLAY = 50 + SMALL_ROWS * (SMALL_HEIGHT + 7) - 7 + PADDING
MISSION_LINE = 30.0
ADVENTURE = TITLE + SLOTS * MISSION_LINE + PADDING - 4
PILE_WIDTH, PILE_HEIGHT = 62.0, 86.0


def draw(game: PortRoyal, record: Any) -> Picture:
    """The whole table.

    Args:
        game: The game and its configuration.
        record: One game.
    """
    return _Table(View(game, record)).picture


class _Table:
    """Draws everything into one picture, from top to bottom."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.legal = {action.name: action for action in view.legal}
        self.contract_rows = -(-_face_up(view) // IN_A_ROW)
        self.picture = Picture(WIDTH, round(self._height()), SAND)
        self._draw_head()
        y = float(HEAD + GAP)
        self._draw_harbour(MARGIN, y)
        self._draw_decks(MARGIN + HARBOUR_WIDTH + GAP, y)
        y += HARBOUR + GAP
        if view.game.shape.expeditions:
            self._draw_expeditions(MARGIN, y)
            y += TITLE + EXPEDITION_HEIGHT + PADDING + GAP
        if self.contract_rows:
            self._draw_contracts(MARGIN, y)
            y += self._contracts_height() + GAP
        if view.adventure:
            self._draw_adventure(view.adventure, MARGIN, y)
            y += ADVENTURE + GAP
        places = [(MARGIN + (place % 2) * (COLUMN + GAP), y + place // 2 * (DISPLAY + GAP)) for place in range(6)]
        for display, (x, display_y) in zip(view.displays, places, strict=False):
            self._draw_display(display, x, display_y)
        if view.players % 2:
            self._draw_legend(*places[view.players])

    def _height(self) -> float:
        height = HEAD + GAP + HARBOUR + GAP
        if self.view.game.shape.expeditions:
            height += TITLE + EXPEDITION_HEIGHT + PADDING + GAP
        if self.contract_rows:
            height += self._contracts_height() + GAP
        if self.view.adventure:
            height += ADVENTURE + GAP
        return height + (self.view.players + 1) // 2 * (DISPLAY + GAP) - GAP + MARGIN

    def _contracts_height(self) -> float:
        return TITLE + self.contract_rows * (CONTRACT_HEIGHT + 10) - 10 + PADDING

    # -- actions ----------------------------------------------------------------------------------------------------

    def _numbers(self, *names: tuple[str | int, ...]) -> list[int]:
        """The numbers of those of these actions that are legal."""
        return [self.legal[name].number for name in names if name in self.legal]

    def _label(self, what: str, numbers: Sequence[int]) -> str:
        """A description of an element, and of choosing it."""
        sentences = [phrases.sentence(self.view.game.actions[number], self.view) for number in numbers]
        return " ".join([f"{capitalised(what)}.", *sentences])

    # -- head -------------------------------------------------------------------------------------------------------

    def _draw_head(self) -> None:
        view = self.view
        last = ", last round" if view.last_round and not view.is_over else ""
        draw_title(self.picture, "Port Royal", f"Turn {view.turn} · {phrases.stage(view)}{last}")
        if view.is_over:
            standings = [(seat, _standing(view.displays[seat], view)) for seat in phrases.ranking(view)]
            draw_result(self.picture, phrases.result(view), standings)
        else:
            asked = f"{capitalised(phrases.player_name(view.player))}: {phrases.question(view)}"
            draw_question(self.picture, view.player, asked, [self._answer(action) for action in view.legal])

    def _answer(self, action: Action) -> Answer:
        view = self.view
        colour = FOAM
        if action.name[0] in ("trade", "refuse", "keep_item"):
            colour = ANSWER_COLOURS[str(action.name[1])]
        elif action.name[0] == "hire":
            colour = ANSWER_COLOURS.get(view.person(str(action.name[1])).colour, FOAM)
        return Answer(action.number, phrases.answer(action, view), phrases.sentence(action, view), colour)

    # -- the table --------------------------------------------------------------------------------------------------

    def _panel(self, x: float, y: float, width: float, height: float, title: str) -> None:
        paper(self.picture, x, y, width, height)
        self.picture.words(x + PADDING, y + 17, title, 13, FADED, bold=True, room=width - 2 * PADDING)

    def _draw_harbour(self, x: float, y: float) -> None:
        view, picture = self.view, self.picture
        size = view.harbour_size
        title = f"Harbour · {size} card{'' if size == 1 else 's'}"
        if view.question == "take" and view.takes:
            title += f" · {view.takes} take{'' if view.takes == 1 else 's'} left"
        with picture.element(title):
            self._panel(x, y, HARBOUR_WIDTH, HARBOUR, title)
        pending = view.pending if view.question == "repel" else None
        shown = len(view.persons) + len(view.ships) + len(view.doubles) + (1 if pending else 0)
        card_y = y + TITLE
        if not shown:
            picture.words(x + HARBOUR_WIDTH / 2, y + HARBOUR / 2, "empty", 16, FADED, anchor="middle")
            return
        room = HARBOUR_WIDTH - 2 * PADDING - (24 if pending else 0)
        scale = min(1.0, room / (shown * (CARD_WIDTH + 9) - 9))
        step = (CARD_WIDTH + 9) * scale
        card_x = x + PADDING
        for ship in (*view.ships, *view.doubles):
            self._draw_ship(ship, card_x, card_y, scale)
            card_x += step
        for stack in view.persons:
            numbers = self._numbers(("hire", stack.card.name))
            with picture.element(self._label(face_label(stack.card, stack.count), numbers), numbers):
                draw_card(picture, stack.card, card_x, card_y, scale, marked=bool(numbers))
                if stack.count > 1:
                    self._draw_count(stack.count, card_x + CARD_WIDTH * scale / 2, card_y + 19 * scale)
            card_x += step
        if pending:
            self._draw_pending(pending, card_x + 24, card_y, scale)

    def _draw_count(self, count: int, x: float, y: float) -> None:
        width = text_width(f"x{count}", 15, bold=True) + 10
        self.picture.rectangle(x - width / 2, y - 11, width, 22, INK, radius=11)
        self.picture.words(x, y, f"x{count}", 15, WHITE, bold=True, anchor="middle")

    def _draw_ship(self, ship: Card, x: float, y: float, scale: float) -> None:
        numbers = self._numbers(("trade", ship.colour), ("keep_item", ship.colour))
        with self.picture.element(self._label(face_label(ship), numbers), numbers):
            draw_card(self.picture, ship, x, y, scale, marked=bool(numbers))
        refusals = self._numbers(("refuse", ship.colour))
        if refusals:
            with self.picture.element(self._label(f"{phrases.ship(ship)} without its coins", refusals), refusals):
                tag(self.picture, x + 6 * scale, y + 18 * scale, "no coins", HIGHLIGHT, size=10 * scale)

    def _draw_pending(self, ship: Card, x: float, y: float, scale: float) -> None:
        """The ship that was just drawn, slightly apart."""
        numbers = self._numbers(("repel",), ("let_in",))
        self.picture.line(x - 20, y + 6, x - 20, y + CARD_HEIGHT * scale - 6, PAPER_EDGE, thickness=2)
        with self.picture.element(self._label(f"just drawn: {face_label(ship)}", numbers), numbers):
            draw_card(self.picture, ship, x, y, scale, marked=True)

    def _draw_decks(self, x: float, y: float) -> None:
        view, picture = self.view, self.picture
        self._panel(x, y, DECKS_WIDTH, HARBOUR, "Decks")
        can_draw = ("draw",) in self.legal
        if can_draw and view.ships:
            chance = f"bust {phrases.percent(view.chance_of_bust)}"
            picture.words(x + DECKS_WIDTH - PADDING, y + 17, chance, 13, INK, anchor="end")
        draws = self._numbers(("draw",))
        from_time = view.is_cooperative and view.drawn == 0
        asides = self._numbers(("accept",), ("decline",)) if view.question == "set_aside" else []
        piles = [("Deck", view.deck, [] if from_time else draws), ("Discard", view.discards, [])]
        if view.is_cooperative:
            piles += [("Time", view.time, draws if from_time else asides), ("Score", view.score, [])]
        step = (DECKS_WIDTH - 2 * PADDING) / 4
        for place, (name, count, numbers) in enumerate(piles):
            self._draw_pile(name, count, numbers, x + PADDING + place * step + 6, y + TITLE + 8)

    def _draw_pile(self, name: str, count: int, numbers: Sequence[int], x: float, y: float) -> None:
        picture = self.picture
        cards = f"{count} card{'' if count == 1 else 's'}"
        with picture.element(self._label(f"{name.lower()} pile, {cards}", numbers), numbers):
            if not count:
                empty_place(picture, x, y, PILE_WIDTH, PILE_HEIGHT)
            elif name == "Discard":
                for offset in (6, 3, 0):
                    picture.rectangle(
                        x + offset, y - offset, PILE_WIDTH, PILE_HEIGHT, "#fffdf6", outline=PAPER_EDGE, radius=6
                    )
            else:
                card_back(picture, x, y, PILE_WIDTH, PILE_HEIGHT)
            if numbers:
                picture.rectangle(x, y, PILE_WIDTH, PILE_HEIGHT, None, outline=HIGHLIGHT, thickness=3, radius=6)
            picture.words(x + PILE_WIDTH / 2, y + PILE_HEIGHT + 17, str(count), 19, INK, bold=True, anchor="middle")
            picture.words(x + PILE_WIDTH / 2, y + PILE_HEIGHT + 37, name, 13, FADED, anchor="middle")

    def _draw_expeditions(self, x: float, y: float) -> None:
        view = self.view
        height = TITLE + EXPEDITION_HEIGHT + PADDING
        self._panel(x, y, WIDTH - 2 * MARGIN, height, "Expeditions")
        if not view.expeditions:
            self.picture.words(WIDTH / 2, y + height / 2 + 6, "none on the table", 14, FADED, anchor="middle")
        for place, card in enumerate(view.expeditions):
            numbers = self._numbers(("claim", card.name))
            cell_x = x + PADDING + place * (CELL + 10)
            with self.picture.element(self._label(face_label(card), numbers), numbers):
                draw_expedition(self.picture, card, cell_x, y + TITLE, CELL, EXPEDITION_HEIGHT, marked=bool(numbers))

    def _draw_contracts(self, x: float, y: float) -> None:
        view = self.view
        title = "Contracts"
        if view.is_cooperative:
            title += f" · {phrases.completed_contracts(view)} of {len(view.offers)} completed"
        self._panel(x, y, WIDTH - 2 * MARGIN, self._contracts_height(), title)
        for place, offer in enumerate(view.offers):
            numbers = self._numbers(("complete", offer.contract.name))
            if view.asked_about is not None and view.asked_about.contract == offer.contract:
                numbers = self._numbers(("accept",), ("decline",))
            row, column = divmod(place, IN_A_ROW)
            cell_x, cell_y = x + PADDING + column * (CELL + 10), y + TITLE + row * (CONTRACT_HEIGHT + 10)
            with self.picture.element(self._label(_contract_label(offer), numbers), numbers):
                draw_contract(self.picture, offer, cell_x, cell_y, CELL, CONTRACT_HEIGHT, marked=bool(numbers))

    def _draw_adventure(self, own: AdventureView, x: float, y: float) -> None:
        """Missions, one per line, with the event of the turn in the title."""
        view, picture = self.view, self.picture
        event = f" · event: {adventure.event(own.event)}" if own.event is not None else ""
        self._panel(x, y, WIDTH - 2 * MARGIN, ADVENTURE, f"Missions{event}")
        for place, task in enumerate(own.tasks):
            numbers = self._numbers(("complete", place + 1))
            if own.asked_about == task and view.question == "immediate":
                numbers = self._numbers(("accept",), ("decline",))
            line_y = y + TITLE + place * MISSION_LINE
            width = WIDTH - 2 * MARGIN - 2 * PADDING
            with picture.element(self._label(adventure.task_line(task), numbers), numbers):
                edge, thickness = (HIGHLIGHT, 3.0) if numbers else (PAPER_EDGE, 1.0)
                height = MISSION_LINE - 4
                picture.rectangle(
                    x + PADDING, line_y, width, height, WHITE, outline=edge, thickness=thickness, radius=6
                )
                told = adventure.task_line(task)
                picture.words(x + 2 * PADDING, line_y + height / 2, told, 13, INK, room=width - 2 * PADDING)

    # -- the players --------------------------------------------------------------------------------------------------

    def _draw_display(self, display: Display, x: float, y: float) -> None:
        view, picture, seat = self.view, self.picture, display.seat
        marked = seat in phrases.marked_seats(view)
        with picture.element(capitalised(phrases.player_name(seat))):
            edge, thickness = (HIGHLIGHT, 4) if marked else (PAPER_EDGE, 1)
            paper(picture, x, y, COLUMN, DISPLAY, edge, thickness)
            self._draw_display_title(display, x + PADDING, y + 25)
            cards = [(stack.card, stack.count) for stack in display.persons]
            cards += [(card, 1) for card in display.expeditions]
            cards += [(stack.card, stack.count) for stack in display.under]
            cards += [(card, 1) for card in display.kept]
            if view.adventure:
                cards += view.adventure.items(seat).items()
            room = COLUMN - 2 * PADDING
            in_a_row = max(int((room + 7) / (SMALL_WIDTH + 7)), -(-len(cards) // SMALL_ROWS))
            width = min(SMALL_WIDTH, (room + 7) / in_a_row - 7)
            if not cards:
                picture.words(x + COLUMN / 2, y + DISPLAY / 2 + 18, "no cards yet", 14, FADED, anchor="middle")
            for place, (card, count) in enumerate(cards):
                row, column = divmod(place, in_a_row)
                card_x, card_y = x + PADDING + column * (width + 7), y + 50 + row * (SMALL_HEIGHT + 7)
                self._draw_owned(seat, card, count, card_x, card_y, width)

    def _draw_owned(self, seat: int, card: Card, count: int, x: float, y: float, width: float) -> None:
        numbers = self._owned_actions(seat, card)
        with self.picture.element(self._label(face_label(card, count), numbers), numbers):
            draw_small_card(self.picture, card, count, x, y, width, SMALL_HEIGHT, marked=bool(numbers))

    def _owned_actions(self, seat: int, card: Card) -> list[int]:
        """A person can be discarded for an expedition, or used."""
        view = self.view
        if seat != view.player:
            return []
        if card.type == "gambler":
            return self._numbers(("use_gambler",))
        if view.question == "pay":
            if card.type == "jack_of_all_trades":
                return self._numbers(("pay_jack",))
            if view.owed in symbols_of(card):
                return self._numbers(("pay_match",))
        return []

    def _draw_display_title(self, display: Display, x: float, y: float) -> None:
        view, picture, seat = self.view, self.picture, display.seat
        name = capitalised(phrases.player_name(seat))
        gives = self._numbers(("give", (seat - view.player) % view.players)) if seat != view.player else []
        with picture.element(self._label(f"{name}, {_standing_words(display, view)}", gives), gives):
            seat_badge(picture, x + 12, y, 12, seat)
            picture.words(x + 32, y, name, 19, SEAT_COLOURS[seat], bold=True)
            tag_x = x + 32 + text_width(name, 19, bold=True) + 16
            if gives:
                tag_x += tag(picture, tag_x, y, "gets the coin?", HIGHLIGHT) + 6
            if view.is_over and view.final.win_share[seat] > 0:
                tag_x += tag(picture, tag_x, y, "winner", HIGHLIGHT) + 6
            elif seat == view.active and not view.is_over:
                tag_x += tag(picture, tag_x, y, "active", GOLD) + 6
            if view.adventure:
                picture.words(tag_x, y, adventure.has(view, seat), 13, FADED, room=x + COLUMN - 170 - tag_x)
            end = x + COLUMN - 2 * PADDING
            shield(picture, end - 17, y + 2, 36, str(display.influence))
            self._draw_numbers(display, end - 52, y)

    def _draw_numbers(self, display: Display, right: float, y: float) -> None:
        """Coins, sabres and cubes, from right to left."""
        picture = self.picture
        picture.words(right, y, str(display.sabres), 18, INK if display.sabres else FADED, bold=True, anchor="end")
        sabre(picture, right - 36, y, 22)
        picture.words(right - 64, y, str(display.coins), 18, INK if display.coins else FADED, bold=True, anchor="end")
        coin(picture, right - 64 - text_width(str(display.coins), 18, bold=True) - 18, y, 12)
        if self.view.has_contracts:
            for place in range(display.cubes):
                cube(picture, right - 152 - place * 20, y, 15, display.seat)

    def _draw_legend(self, x: float, y: float) -> None:
        """A legend of the symbols, where there is room."""
        picture = self.picture
        self._panel(x, y, COLUMN, DISPLAY, "Signs")
        left, row = x + PADDING + 14, y + 52
        coin(picture, left, row, 11, "4")
        picture.words(left + 24, row, "what a person costs", 14, INK)
        shield(picture, left, row + 34, 26, "2")
        picture.words(left + 24, row + 34, "influence", 14, INK)
        sabre(picture, left, row + 68, 24)
        picture.words(left + 24, row + 68, "sabres: what repelling a ship takes", 14, INK)
        skull(picture, left, row + 102, 24)
        picture.words(left + 24, row + 102, "cannot be repelled", 14, INK)
        middle = x + COLUMN / 2 + 30
        for place, (symbol, icon) in enumerate(SYMBOL_ICONS.items()):
            icon(picture, middle, row + place * 34, 24)
            picture.words(middle + 24, row + place * 34, plain(symbol), 14, INK)
        picture.rectangle(middle - 12, row + 90, 24, 24, None, outline=HIGHLIGHT, thickness=3, radius=5)
        picture.words(middle + 24, row + 102, "can be chosen now", 14, INK)


def _face_up(view: View) -> int:
    """Contracts of the configuration."""
    if not view.has_contracts:
        return 0
    return CONTRACTS_COOPERATIVE[view.players] if view.is_cooperative else CONTRACTS_COMPETITIVE


def _contract_label(offer: Offer) -> str:
    contract = offer.contract
    label = f"contract {phrases.contract(contract)}: {phrases.needs(contract)}"
    if offer.finished:
        label += f"; completed by {phrases.by_seat(offer.finished)}"
    begun = [f"{phrases.player_name(seat)} is on step {step}" for seat, step in offer.progress.items()]
    return "; ".join([label, *begun, f"pays {phrases.coins(offer.next_coins)} next"])


def _standing(display: Display, view: View) -> str:
    name = capitalised(phrases.player_name(display.seat))
    if view.is_cooperative:
        return f"{name}: {display.completed} contract{'' if display.completed == 1 else 's'}"
    return f"{name}: {display.influence}"


def _standing_words(display: Display, view: View) -> str:
    active = "active, " if display.seat == view.active and not view.is_over else ""
    sabres = f"{display.sabres} sabre{'' if display.sabres == 1 else 's'}"
    cubes = f", {display.cubes} free cubes" if view.has_contracts else ""
    if view.adventure:
        cubes = f", {adventure.has(view, display.seat)}"
    return f"{active}{display.influence} influence, {phrases.coins(display.coins)}, {sabres}{cubes}"
