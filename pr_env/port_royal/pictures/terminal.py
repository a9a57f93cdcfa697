"""The table of Port Royal as text for a terminal: boxes where there is room, otherwise a few lines per player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pr_env.port_royal import phrases
from pr_env.port_royal.adventure import phrases as adventure
from pr_env.port_royal.cards import Card
from pr_env.port_royal.view import Display, Offer, View
from pr_env.render.terminal import GLUE, LABEL, MARK, QUIET, joined, labelled, laid_out, side_by_side, styled, unbroken
from pr_env.words import capitalised, counted

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from pr_env.port_royal import PortRoyal

# Bright enough for dark terminals, dark enough for light ones. The colour is always written, too.
STYLES = {
    "yellow": "bold #d0a000",
    "blue": "bold #5b83e8",
    "green": "bold #4f9d55",
    "red": "bold #d9534f",
    "black": "bold #8f8f96",
    "ares": "bold #a05fc0",
}
COIN, INFLUENCE = "#c99700", "bold #b5475c"
BOXES_FROM = 100  # columns
MOST_LINES = 5  # for contracts
MOST_SENTENCES = 8  # more answers than this are shown in short form
LEGEND = (
    ("sailor 3/1", "a person: cost and influence"),
    ("red frigate 2c 3s", "a ship: coins, and sabres that repel it"),
    ("x2", "number of equal cards"),
)


def text(
    game: PortRoyal,
    record: Any,
    *,
    names: Sequence[str] = (),
    answers: bool = True,
    width: int = 100,
    colour: bool = True,
    compact: int = 0,
) -> str:
    """The whole table at a glance.

    Args:
        game: The game and its configuration.
        record: One game.
        names: The player in each seat, if known.
        answers: Whether to list the legal actions.
        width: Columns of the terminal.
        colour: Whether to use colour escape codes.
        compact: 2 counts the cards of the players who are not to move.
    """
    view = View(game, record)
    boxes = width >= BOXES_FROM and not compact
    parts: list[Table | Text] = [_head(view), labelled(_rows(view, boxes))]
    end = [_answers(view, sentences=boxes)] if answers and not view.is_over else []
    if boxes:
        cells: list[Table | Text] = [_box(view, display, names) for display in view.displays]
        if len(cells) % 2:
            cells.append(end.pop() if end else _legend())
        parts.append(side_by_side(cells))
    else:
        short = {display.seat for display in view.displays if compact > 1 and display.seat != view.player}
        parts.append(labelled(_line(view, display, names, display.seat in short) for display in view.displays))
    return laid_out([*parts, *end], width, colour)


# -- cards ------------------------------------------------------------------------------------------------------------


def _person(card: Card, count: int = 1) -> Text:
    many = f"{GLUE}x{count}" if count > 1 else ""
    return styled(
        (unbroken(phrases.person(card)), STYLES.get(card.colour, "")), f"{GLUE}{card.cost}/{card.influence}{many}"
    )


def _ship(card: Card) -> Text:
    gift = f"+{card.coins_other}" if card.coins_other else ""
    sabres = f"{card.sabres}s" if card.repellable else "skull"
    crowns = getattr(card, "crowns", 0)
    pays = f"{crowns}{GLUE}{'crown' if crowns == 1 else 'crowns'}" if crowns else f"{card.coins}{gift}c"
    carried = getattr(card, "item", "")
    item = f"{GLUE}{carried}" if carried else ""
    return styled((unbroken(phrases.ship(card)), STYLES[card.colour]), f"{GLUE}{pays}{GLUE}{sabres}{item}")


def _expedition(card: Card) -> Text:
    return styled(unbroken(phrases.symbols(card)), f"{GLUE}({card.influence}{GLUE}influence,{GLUE}{card.coins}c)")


def _contract(offer: Offer, long: bool) -> Text:
    """A contract: its name, what it needs, what it pays next, and who has completed or begun it."""
    parts: list[str | tuple[str, str]] = [unbroken(phrases.contract(offer.contract))]
    if long:
        parts.append((f" ({phrases.needs(offer.contract)})", QUIET))
    parts.append((f"{GLUE}{offer.next_coins}c", COIN))
    parts += [(f"{GLUE}P{seat}✓", MARK) for seat in offer.finished]
    parts += [
        f"{GLUE}P{seat}{GLUE}{step}/{offer.contract.progress_spaces + 1}" for seat, step in offer.progress.items()
    ]
    return styled(*parts)


def _all(parts: Iterable[Text], separator: str = ", ", none: str = "none") -> Text:
    shown = list(parts)
    return joined(shown, separator) if shown else styled((none, QUIET))


# -- the table --------------------------------------------------------------------------------------------------------


def _head(view: View) -> Text:
    last = " · last round" if view.last_round and not view.is_over else ""
    where = f" · turn {view.turn} of {phrases.player_name(view.active)} · {phrases.stage(view)}{last}"
    if view.is_over:
        now = phrases.result(view)
    else:
        now = f"{capitalised(phrases.player_name(view.player))}: {phrases.question(view)}"
    return joined([styled(("Port Royal", LABEL), where), styled((f"▶ {now}", MARK))], "\n")


def _rows(view: View, long: bool) -> Iterator[tuple[str, Text]]:
    yield "Harbour", _harbour(view)
    if view.game.shape.expeditions:
        yield "Expeditions", _all(_expedition(card) for card in view.expeditions)
    if view.has_contracts:
        lines = long and len(view.offers) <= MOST_LINES
        yield "Contracts", _all((_contract(offer, long) for offer in view.offers), "\n" if lines else "; ")
    if view.adventure:
        event = view.adventure.event
        if event is not None:
            yield "Event", styled(adventure.event(event))
        yield "Missions", _all((styled(adventure.task_line(task)) for task in view.adventure.tasks), "\n")
    yield "Decks", _decks(view)


def _harbour(view: View) -> Text:
    cards = [_ship(ship) for ship in (*view.ships, *view.doubles)]
    cards += [_person(stack.card, stack.count) for stack in view.persons]
    shown = _all(cards, none="empty")
    if view.question == "repel" and view.pending is not None:
        return joined([shown, styled(("just drawn: ", MARK), _ship(view.pending))], "  ")
    if view.question == "take" and view.takes:
        return joined([shown, styled((unbroken(f"{counted(view.takes, 'take')} left"), QUIET))], "  ")
    return shown


def _decks(view: View) -> Text:
    piles = [f"deck {view.deck}", f"discard pile {view.discards}"]
    if view.is_cooperative:
        piles += [f"time deck {view.time}", f"score deck {view.score}"]
    if ("draw",) in {action.name for action in view.legal} and view.ships:
        piles.append(f"chance of a bust {phrases.percent(view.chance_of_bust)}")
    return styled(", ".join(piles))


# -- the players ------------------------------------------------------------------------------------------------------


def _title(view: View, display: Display, names: Sequence[str]) -> Text:
    seat = display.seat
    style = MARK if seat in phrases.marked_seats(view) else LABEL
    name = f" ({names[seat]})" if names else ""
    active = "  active" if seat == view.active and not view.is_over else ""
    return styled((capitalised(phrases.player_name(seat)), style), name, (active, QUIET))


def _has(view: View, display: Display) -> Text:
    numbers: list[str | tuple[str, str]] = [
        (f"{display.influence}{GLUE}influence", INFLUENCE),
        ", ",
        (phrases.coins(display.coins).replace(" ", GLUE), COIN),
        f", {counted(display.sabres, 'sabre').replace(' ', GLUE)}",
    ]
    if view.adventure:
        numbers.append(f", {adventure.has(view, display.seat)}")
    if view.has_contracts:
        numbers.append(f", {counted(display.cubes, 'cube').replace(' ', GLUE)}{GLUE}left")
    return styled(*numbers)


def _cards(view: View, display: Display) -> Text:
    cards = [_person(stack.card, stack.count) for stack in display.persons]
    cards += [styled(("expedition ", QUIET), _expedition(card)) for card in display.expeditions]
    cards += [styled(_ship(stack.card), f"{GLUE}x{stack.count}", (" under merchant", QUIET)) for stack in display.under]
    cards += [styled(_ship(card), (" kept", QUIET)) for card in display.kept]
    if view.adventure:
        items = view.adventure.items(display.seat).items()
        cards += [
            styled(_ship(card), f"{GLUE}x{count}" if count > 1 else "", (" kept", QUIET)) for card, count in items
        ]
    return _all(cards, none="no cards yet")


def _sign(view: View, display: Display) -> str:
    return "▶" if display.seat in phrases.marked_seats(view) else " "


def _box(view: View, display: Display, names: Sequence[str]) -> Table:
    rows = [(_sign(view, display), _title(view, display, names)), ("", _has(view, display))]
    rows.append(("", _cards(view, display)))
    return labelled(rows)


def _line(view: View, display: Display, names: Sequence[str], short: bool) -> tuple[str, Text]:
    first = styled(_title(view, display, names), ": ", _has(view, display))
    if short:
        cards = sum(stack.count for stack in display.persons) + len(display.expeditions)
        return _sign(view, display), styled(first, "; ", counted(cards, "card").replace(" ", GLUE))
    return _sign(view, display), joined([first, _cards(view, display)], "\n")


# -- what the acting player may do ------------------------------------------------------------------------------------


def _answers(view: View, sentences: bool) -> Text:
    title = styled((f"{capitalised(phrases.player_name(view.player))} may", MARK))
    if sentences and len(view.legal) <= MOST_SENTENCES:
        lines = [styled((f"{action.number:4} ", QUIET), phrases.sentence(action, view)) for action in view.legal]
        return joined([title, *lines], "\n")
    short = [styled((f"{action.number}{GLUE}", QUIET), unbroken(phrases.answer(action, view))) for action in view.legal]
    return styled(title, "  ", joined(short, ", "))


def _legend() -> Text:
    return joined([styled((f"{sign:18}{meaning}", QUIET)) for sign, meaning in LEGEND], "\n")
