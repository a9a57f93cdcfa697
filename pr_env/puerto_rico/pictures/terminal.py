"""The table of Puerto Rico as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pr_env.game import Action
from pr_env.puerto_rico import phrases as words
from pr_env.puerto_rico.phrases import BUILDING, FOREST, SECOND_SIDES, Board, Position, player_name
from pr_env.puerto_rico.tables import GOODS, LARGE_COLUMN, TRADING_HOUSE_SPACES, Building
from pr_env.render.terminal import GLUE, LABEL, MARK, QUIET, joined, labelled, laid_out, side_by_side, styled, unbroken
from pr_env.words import counted, plain

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
VIOLET = "#b48ad8"
LEGEND = {
    "▶": "the player to move",
    "→P1": "the role is taken, by player 1",
    "+1": "doubloons on a role",
    "$2 x3": "what a building costs, and how many are left",
    "1/3": "colonists, and places for them",
    "VP": "points if the game ended now",
}
MOST_SENTENCES = 8  # more answers than this are shown in short form


def text(
    position: Position,
    legal: Sequence[Action] | None,
    points: Sequence[int],
    *,
    names: Sequence[str] = (),
    width: int = 100,
    colour: bool = True,
    compact: int = 0,
) -> str:
    """The whole table at a glance.

    Args:
        position: The game, from ``Batch.to_dict``.
        legal: The legal actions; None leaves them out and explains the symbols where there is room.
        points: Each player's points if the game ended now.
        names: The player in each seat, if known.
        width: Columns of the terminal.
        colour: Whether to use colour escape codes.
        compact: 1 leaves out the buildings for sale and uses only a few lines per player; 2 uses one line for each
            player who is not to move.
    """
    if compact:
        return laid_out(_compact(position, legal, points, names, short=compact > 1), width, colour)
    parts: list[Table | Text] = [_head(position, points), labelled(_rows(position))]
    cells: list[Table | Text] = [_board(position, points, seat, names) for seat in range(position["players"])]
    if words.is_over(position):
        end = _ranking(position, points)
    else:
        end = _legend() if legal is None else _answers(position, legal)
    if len(cells) % 2:
        parts.append(side_by_side([*cells, end]))
    else:
        parts.append(side_by_side(cells))
        if legal is not None or words.is_over(position):
            parts.append(end)
    return laid_out(parts, width, colour)


def _compact(
    position: Position, legal: Sequence[Action] | None, points: Sequence[int], names: Sequence[str], *, short: bool
) -> Iterator[Table | Text]:
    """The table without the buildings for sale, with few lines per player: for terminals of 80 columns, 24 lines.

    If ``short``, players who are not to move have one line.
    """
    yield _head(position, points)
    house = _trading_house(position["trading_house"])
    supply = f"{position['colonist_supply']}+{position['colonist_ship']} colonists, {position['chips_supply']} VP chips"
    rows = [
        ("Roles", joined((_role(position, role) for role in position["roles"]), " ")),
        ("Ships", joined((_ship(ship) for ship in position["ships"]), "  ")),
        ("House", joined([house, styled("left ", _counts(position["goods_supply"].items(), " "))], "; ")),
        ("Stock", joined([styled(f"{supply}, quarry {position['quarry_supply']}"), _face_up(position)], "; ")),
    ]
    marked = words.marked_seats(position, points)
    for seat, board in enumerate(position["boards"]):
        name = f" {names[seat]}" if names else ""
        rows.append(
            (
                f"{'▶' if seat in marked else ''}P{seat}{name}",
                _compact_board(board, points[seat], short and seat != position["player"]),
            )
        )
    yield labelled(rows, 1)
    if words.is_over(position):
        yield _ranking(position, points)
    elif legal is not None:
        yield _answers(position, legal)


def _face_up(position: Position) -> Text:
    return styled("tiles ", _counts(position["face_up"].items(), " "))


def _compact_board(board: Board, points: int, short: bool) -> Text:
    """A player's board in a few lines; empty items are left out. If ``short``, tiles and buildings are only counted."""
    has = [f"{points} VP", f"${board['doubloons']}"]
    has += [counted(board["chips"], "chip")] if board["chips"] else []
    has += [f"{board['san_juan']} in San Juan"] if board["san_juan"] else []
    parts = [styled((", ".join(has), LABEL))]
    if any(board["goods"].values()):
        parts.append(styled("goods ", _counts(board["goods"].items(), " ")))
    if short:
        tiles = sum(kind["tiles"] for kind in board["island"].values()) + words.forests(board)
        return joined([*parts, styled(f"{counted(tiles, 'tile')}, {counted(len(board['city']), 'building')}")], "; ")
    kinds = [(name, f"{kind['colonists']}/{kind['tiles']}") for name, kind in board["island"].items()]
    kinds += [(FOREST, str(words.forests(board)))] if words.forests(board) else []
    parts.append(_counts(kinds, " "))
    built = [_standing(BUILDING[name], colonists) for name, colonists in board["city"].items()]
    return joined([*parts, joined(built, ", ")] if built else parts, "; ")


# -- pieces of text ---------------------------------------------------------------------------------------------------


def _counted(name: str, count: object) -> Text:
    return styled((name, STYLES[name]), f"{GLUE}{count}")


def _counts(counts: Iterable[tuple[str, object]], between: str = "  ") -> Text:
    shown = [_counted(name, count) for name, count in counts if count]
    return joined(shown, between) if shown else styled(("none", QUIET))


# -- the table --------------------------------------------------------------------------------------------------------


def _head(position: Position, points: Sequence[int]) -> Text:
    round_and_stage = f" · round {position['round']} · {words.stage(position)} · governor "
    first = styled(("Puerto Rico", LABEL), round_and_stage, player_name(position["governor"]).lower())
    if words.is_over(position):
        second = styled((f"▶ {words.result(position, points)}", MARK))
    else:
        second = styled((f"▶ {player_name(position['player'])}: {words.question(position)}", MARK))
    return joined([first, second], "\n")


def _rows(position: Position) -> Iterator[tuple[str, Text]]:
    yield "Roles", joined(_role(position, role) for role in position["roles"])
    yield "Ships", joined((_ship(ship) for ship in position["ships"]), "   ")
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
    name = unbroken("/".join(words.card_name(side) for side in (role, SECOND_SIDES.get(role)) if side))
    if card["taken_by"] is not None:
        style = MARK if role in words.cards_in_play(position) else QUIET
        return styled((f"{name}{GLUE}→P{card['taken_by']}", style))
    if card["doubloons"]:
        return styled(name, (f"{GLUE}+{card['doubloons']}", STYLES["corn"]))
    return styled(name)


def _ship(ship: Board) -> Text:
    load = f"{ship['barrels']}/{ship['capacity']}"
    empty = "□" * (ship["capacity"] - ship["barrels"])
    if ship["good"] is None:
        return styled((f"{empty} empty {load}".replace(" ", GLUE), QUIET))
    full = ("■" * ship["barrels"], STYLES[ship["good"]])
    return styled(full, (empty, QUIET), GLUE, _counted(ship["good"], load))


def _trading_house(goods: Sequence[str]) -> Text:
    sold = [styled((good, STYLES[good])) for good in goods]
    free = TRADING_HOUSE_SPACES - len(goods)
    return joined([*sold, styled((f"{free} free", QUIET))])


def _supply(position: Position) -> Text:
    colonists = f"{position['colonist_supply']} colonists, {position['colonist_ship']} on their ship"
    quarries = f"{position['quarry_supply']} quarr{'y' if position['quarry_supply'] == 1 else 'ies'}"
    return styled(f"{colonists}   {position['chips_supply']} VP chips   {quarries}")


def _tiles(position: Position) -> Text:
    face_down, discards = sum(position["face_down"].values()), sum(position["discards"].values())
    rest = styled((f"{face_down} face down, {discards} discarded", QUIET))
    return joined([_counts(position["face_up"].items()), rest], "   ")


def _free_draft_spaces(position: Position) -> Text:
    free = words.free_draft_spaces(position)
    return joined([styled(f"{spaces}{GLUE}of{GLUE}cost{GLUE}{cost}") for cost, spaces in free.items() if spaces], ", ")


def _buildings_left(position: Position, column: int) -> Text:
    left = [(building, position["buildings_left"][building.name]) for building in words.buildings(position, column)]
    shown = [
        styled(_building(building), (f"{GLUE}${words.cost(position, building)}", STYLES["corn"]), f"{GLUE}x{count}")
        for building, count in left
        if count
    ]
    return joined(shown, ", ") if shown else styled(("none", QUIET))


def _building(building: Building) -> Text:
    makes = building.makes
    style = VIOLET if makes is None else STYLES[GOODS[makes]].removeprefix("bold ")
    return styled((unbroken(plain(building.name)), style))


# -- the players' boards ----------------------------------------------------------------------------------------------


def _board(position: Position, points: Sequence[int], seat: int, names: Sequence[str]) -> Table:
    board = position["boards"][seat]
    return labelled(
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
    return styled(f"{doubloons}, {counted(board['chips'], 'chip')}, {board['san_juan']} in San Juan")


def _board_title(position: Position, points: Sequence[int], seat: int, names: Sequence[str]) -> Text:
    notes = [f"picked {words.card_name(role)}" for role in words.roles_of(position, seat)]
    if seat == position["governor"]:
        notes.insert(0, "governor")
    style = MARK if seat in words.marked_seats(position, points) else LABEL
    name = f" ({names[seat]})" if names else ""
    return styled((player_name(seat), style), f"{name}, {points[seat]} VP", (f"  {', '.join(notes)}", QUIET))


def _island(board: Board) -> Text:
    kinds = [(name, f"{kind['colonists']}/{kind['tiles']}") for name, kind in board["island"].items()]
    kinds += [(FOREST, str(words.forests(board)))] if words.forests(board) else []
    return joined([_counts(kinds), styled((f"{words.free_island_spaces(board)}{GLUE}free", QUIET))])


def _city(board: Board) -> Text:
    built = [_standing(BUILDING[name], colonists) for name, colonists in board["city"].items()]
    return joined([*built, styled((f"{words.free_city_spaces(board)}{GLUE}free", QUIET))], ", ")


def _standing(building: Building, colonists: int) -> Text:
    return styled(_building(building), f"{GLUE}{colonists}/{building.circles}" if building.circles else "")


# -- what the acting player may do, or who won ------------------------------------------------------------------------


def _legend() -> Text:
    return joined([styled((f"{sign:6}{meaning}", QUIET)) for sign, meaning in LEGEND.items()], "\n")


def _answers(position: Position, legal: Sequence[Action]) -> Text:
    title = styled((f"{player_name(position['player'])} may", MARK))
    if len(legal) <= MOST_SENTENCES:
        sentences = [styled((f"{action.number:4} ", QUIET), words.sentence(action, position)) for action in legal]
        return joined([title, *sentences], "\n")
    short = [styled((f"{action.number}{GLUE}", QUIET), unbroken(words.answer(action, position))) for action in legal]
    return styled(title, "  ", joined(short, ", "))


def _ranking(position: Position, points: Sequence[int]) -> Text:
    lines = [styled(f"{player_name(seat)}, {points[seat]} VP") for seat in words.ranking(position, points)]
    return joined([styled(("Final points", MARK)), *lines], "\n")
