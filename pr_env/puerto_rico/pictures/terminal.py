"""The table of Puerto Rico as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from pr_env.game import Action
from pr_env.puerto_rico import phrases as words
from pr_env.puerto_rico.phrases import BUILDING, FOREST, SECOND_SIDES, Board, Position, plain, player_name
from pr_env.puerto_rico.tables import GOODS, LARGE_COLUMN, TRADING_HOUSE_SPACES, Building
from pr_env.render.extra import needs_the_extra

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

# Bright enough for dark terminals, dark enough for light ones where the good allows it
STYLES = {
    "corn": "bold #e0b000",
    "indigo": "bold #5b83e8",
    "sugar": "bold #ffffff",
    "tobacco": "bold #d2a56d",
    "coffee": "bold #96582f",
    "quarry": "bold #9a9a9a",
    FOREST: "bold #4f9d55",
}
MARK, QUIET, LABEL = "bold #2fb36f", "#8a8a8a", "bold"
VIOLET = "#b48ad8"
GLUE = "\ue000"  # a space at which no line breaks while rich lays out the text
LEGEND = {
    "▶": "who is to move",
    "→P1": "the role is taken, by player 1",
    "+1": "doubloons on a role",
    "1/3": "colonists, and places for them",
    "VP": "points if the game ended now",
}
MOST_SENTENCES = 8  # more answers than this are told in short


def text(
    position: Position,
    legal: Sequence[Action] | None,
    points: Sequence[int],
    *,
    names: Sequence[str] = (),
    width: int = 100,
    colour: bool = True,
) -> str:
    """The whole table at a glance.

    Args:
        position: The game as ``Batch.to_dict`` tells it.
        legal: What the acting player may do; None leaves that out, and explains signs where there is room.
        points: Each player's points if the game ended now.
        names: Who plays each seat, if that is known.
        width: Columns of the terminal.
        colour: Whether to use escape codes for colours.
    """
    with needs_the_extra():
        from rich.console import Console
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        height=100,  # unused, but rich asks the terminal unless it knows both
        force_terminal=colour,
        force_jupyter=False,
        color_system="truecolor" if colour else None,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
    )
    console.print(_head(position, points))
    console.print(_labelled(_rows(position)))
    cells: list[Table | Text] = [_board(position, points, seat, names) for seat in range(position["players"])]
    if words.is_over(position):
        end = _ranking(position, points)
    else:
        end = _legend() if legal is None else _answers(position, legal)
    if len(cells) % 2:
        console.print(_side_by_side([*cells, end]))
    else:
        console.print(_side_by_side(cells))
        if legal is not None or words.is_over(position):
            console.print(end)
    return "\n".join(line.rstrip() for line in out.getvalue().replace(GLUE, " ").splitlines()) + "\n"


# -- pieces of text ---------------------------------------------------------------------------------------------------


def _text(*parts: str | tuple[str, str] | Text) -> Text:
    from rich.text import Text

    return Text.assemble(*parts)


def _joined(parts: Iterable[Text], separator: str = "  ") -> Text:
    from rich.text import Text

    return Text(separator).join(parts)


def _unbroken(name: str) -> str:
    return name.replace(" ", GLUE)


def _counted(name: str, count: object) -> Text:
    return _text((name, STYLES[name]), f"{GLUE}{count}")


def _counts(counts: Iterable[tuple[str, object]]) -> Text:
    shown = [_counted(name, count) for name, count in counts if count]
    return _joined(shown) if shown else _text(("none", QUIET))


# -- the table --------------------------------------------------------------------------------------------------------


def _head(position: Position, points: Sequence[int]) -> Text:
    round_and_stage = f" · round {position['round']} · {words.stage(position)} · governor "
    first = _text(("Puerto Rico", LABEL), round_and_stage, player_name(position["governor"]).lower())
    if words.is_over(position):
        second = _text((f"▶ {words.result(position, points)}", MARK))
    else:
        second = _text((f"▶ {player_name(position['player'])}: {words.question(position)}", MARK))
    return _joined([first, second], "\n")


def _labelled(rows: Iterable[tuple[str, Text]]) -> Table:
    """Rows with a label on the left; what does not fit goes on below its own column."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=LABEL, no_wrap=True)
    table.add_column()
    for label, content in rows:
        table.add_row(label, content)
    return table


def _rows(position: Position) -> Iterator[tuple[str, Text]]:
    yield "Roles", _joined(_role(position, role) for role in position["roles"])
    yield "Ships", _joined((_ship(ship) for ship in position["ships"]), "   ")
    yield "Trading house", _trading_house(position["trading_house"])
    yield "Goods left", _counts(position["goods_supply"].items())
    yield "Supply", _supply(position)
    yield "Tiles", _tiles(position)
    if position["phase"] == "draft":
        yield "Free for draft", _free_draft_spaces(position)
    for column in range(1, LARGE_COLUMN + 1):
        yield f"Buildings, {column} VP", _buildings_left(position, column)


def _role(position: Position, role: str) -> Text:
    card = position["roles"][role]
    name = _unbroken("/".join(words.card_name(side) for side in (role, SECOND_SIDES.get(role)) if side))
    if card["taken_by"] is not None:
        style = MARK if role in words.cards_in_play(position) else QUIET
        return _text((f"{name}{GLUE}→P{card['taken_by']}", style))
    if card["doubloons"]:
        return _text(name, (f"{GLUE}+{card['doubloons']}", STYLES["corn"]))
    return _text(name)


def _ship(ship: Board) -> Text:
    load = f"{ship['barrels']}/{ship['capacity']}"
    empty = "□" * (ship["capacity"] - ship["barrels"])
    if ship["good"] is None:
        return _text((f"{empty} empty {load}".replace(" ", GLUE), QUIET))
    full = ("■" * ship["barrels"], STYLES[ship["good"]])
    return _text(full, (empty, QUIET), GLUE, _counted(ship["good"], load))


def _trading_house(goods: Sequence[str]) -> Text:
    sold = [_text((good, STYLES[good])) for good in goods]
    free = TRADING_HOUSE_SPACES - len(goods)
    return _joined([*sold, _text((f"{free} free", QUIET))])


def _supply(position: Position) -> Text:
    colonists = f"{position['colonist_supply']} colonists, {position['colonist_ship']} on their ship"
    quarries = f"{position['quarry_supply']} quarr{'y' if position['quarry_supply'] == 1 else 'ies'}"
    return _text(f"{colonists}   {position['chips_supply']} VP chips   {quarries}")


def _tiles(position: Position) -> Text:
    face_down, discards = sum(position["face_down"].values()), sum(position["discards"].values())
    rest = _text((f"{face_down} face down, {discards} discarded", QUIET))
    return _joined([_counts(position["face_up"].items()), rest], "   ")


def _free_draft_spaces(position: Position) -> Text:
    free = words.free_draft_spaces(position)
    return _joined([_text(f"{spaces}{GLUE}of{GLUE}cost{GLUE}{cost}") for cost, spaces in free.items() if spaces], ", ")


def _buildings_left(position: Position, column: int) -> Text:
    left = [(building, position["buildings_left"][building.name]) for building in words.buildings(position, column)]
    shown = [_text(_building(building), f"{GLUE}{count}") for building, count in left if count]
    return _joined(shown, ", ") if shown else _text(("none", QUIET))


def _building(building: Building) -> Text:
    makes = building.makes
    style = VIOLET if makes is None else STYLES[GOODS[makes]].removeprefix("bold ")
    return _text((_unbroken(plain(building.name)), style))


# -- the players' boards ----------------------------------------------------------------------------------------------


def _side_by_side(cells: Sequence[Table | Text]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.ROUNDED, show_header=False, show_lines=True, expand=True, border_style=QUIET)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    for left, right in zip(cells[::2], cells[1::2], strict=True):
        table.add_row(left, right)
    return table


def _board(position: Position, points: Sequence[int], seat: int, names: Sequence[str]) -> Table:
    board = position["boards"][seat]
    return _labelled(
        [
            ("▶" if seat in words.marked_seats(position, points) else "", _board_title(position, points, seat, names)),
            ("has", _wealth(board)),
            ("goods", _counts(board["goods"].items())),
            ("island", _island(board)),
            ("city", _city(board)),
        ]
    )


def _wealth(board: Board) -> Text:
    doubloons = "1 doubloon" if board["doubloons"] == 1 else f"{board['doubloons']} doubloons"
    return _text(f"{doubloons}, {board['chips']} chips, {board['san_juan']} in San Juan")


def _board_title(position: Position, points: Sequence[int], seat: int, names: Sequence[str]) -> Text:
    notes = [words.card_name(role) for role in words.roles_of(position, seat)]
    if seat == position["governor"]:
        notes.insert(0, "governor")
    style = MARK if seat in words.marked_seats(position, points) else LABEL
    name = f" ({names[seat]})" if names else ""
    return _text((player_name(seat), style), f"{name}, {points[seat]} VP", (f"  {', '.join(notes)}", QUIET))


def _island(board: Board) -> Text:
    kinds = [(name, f"{kind['colonists']}/{kind['tiles']}") for name, kind in board["island"].items()]
    kinds += [(FOREST, str(words.forests(board)))] if words.forests(board) else []
    return _joined([_counts(kinds), _text((f"{words.free_island_spaces(board)}{GLUE}free", QUIET))])


def _city(board: Board) -> Text:
    built = [_standing(BUILDING[name], colonists) for name, colonists in board["city"].items()]
    return _joined([*built, _text((f"{words.free_city_spaces(board)}{GLUE}free", QUIET))], ", ")


def _standing(building: Building, colonists: int) -> Text:
    return _text(_building(building), f"{GLUE}{colonists}/{building.circles}" if building.circles else "")


# -- what the acting player may do, or who won ------------------------------------------------------------------------


def _legend() -> Text:
    return _joined([_text((f"{sign:6}{meaning}", QUIET)) for sign, meaning in LEGEND.items()], "\n")


def _answers(position: Position, legal: Sequence[Action]) -> Text:
    title = _text((f"{player_name(position['player'])} may", MARK))
    if len(legal) <= MOST_SENTENCES:
        sentences = [_text((f"{action.number:4} ", QUIET), words.sentence(action, position)) for action in legal]
        return _joined([title, *sentences], "\n")
    short = [_text((f"{action.number}{GLUE}", QUIET), _unbroken(words.answer(action, position))) for action in legal]
    return _text(title, "  ", _joined(short, ", "))


def _ranking(position: Position, points: Sequence[int]) -> Text:
    lines = [_text(f"{player_name(seat)}, {points[seat]} VP") for seat in words.ranking(position, points)]
    return _joined([_text(("Final points", MARK)), *lines], "\n")
