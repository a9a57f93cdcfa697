"""The table of Puerto Rico as a picture.

Panels are in two columns below the header and the role cards. The harbour and the supply are half as high as a player's
board, so the columns have equal heights for every number of players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pr_env.game import Action
from pr_env.puerto_rico import phrases as words
from pr_env.puerto_rico.phrases import BUILDING, FOREST, SECOND_SIDES, Board, Position, player_name
from pr_env.puerto_rico.pictures.choices import Choices
from pr_env.puerto_rico.state import UNKNOWN_CHIPS
from pr_env.puerto_rico.tables import (
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    LARGE_COLUMN,
    TRADING_HOUSE_SPACES,
    Building,
)
from pr_env.render.head import FOAM, GOLD, HEAD, MARGIN, SEA_LIGHT, Answer, draw_question, draw_result, draw_title
from pr_env.render.paper import (
    FADED,
    INK,
    PAPER,
    PAPER_EDGE,
    SEAT_COLOURS,
    WHITE,
    ink_on,
    number,
    paper,
    seat_badge,
    tag,
)
from pr_env.render.scene import Picture, text_width
from pr_env.words import plain

# -- colours ----------------------------------------------------------------------------------------------------------

SAND = "#e6dcc4"
EMPTY_SPACE, EMPTY_EDGE = "#f3ecda", "#d9cdb0"
GOLD_EDGE, WOOD, WOOD_LIGHT, COLONIST = "#a97b14", "#8a5f3a", "#a67c55", "#b8442e"
HIGHLIGHT, VIOLET, VIOLET_PALE, TILE_BACK = "#e08a1e", "#a58bc4", "#e6ddf0", "#7f9a63"
TREE, TRUNK = "#2c6b3c", "#6b4a2b"

TILE_COLOURS = {
    "corn": "#f2c531",
    "indigo": "#4464b4",
    "sugar": "#ffffff",
    "tobacco": "#cda36c",
    "coffee": "#573522",
    "quarry": "#92979b",
    FOREST: "#a9cf9b",
}
PLANT_COLOURS = {"indigo": "#8da5dc", "sugar": "#f1eee6", "tobacco": "#dfc096", "coffee": "#8b6450"}

# -- measures ---------------------------------------------------------------------------------------------------------

WIDTH, GAP = 1440, 14
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
PADDING = 14
CARDS = 66
BOARD = 262
HALF = (BOARD - GAP) / 2

CELL_GAP = 4
TILE, SMALL_TILE = 48, 36
SHIP_ENDS = 28  # bow and stern together
TRADING_HOUSE_WIDTH = TRADING_HOUSE_SPACES * 28 + 12
PLACES_IN_A_ROW = 4  # on an island and in a city
ISLAND_WIDTH = PLACES_IN_A_ROW * (TILE + CELL_GAP) - CELL_GAP
CITY_WIDTH = COLUMN - 2 * PADDING - ISLAND_WIDTH - 16
CITY_CELL = (CITY_WIDTH + CELL_GAP) / PLACES_IN_A_ROW - CELL_GAP


def draw(position: Position, legal: Sequence[Action], points: Sequence[int]) -> Picture:
    """The whole table.

    Args:
        position: The game, from ``Batch.to_dict``.
        legal: The legal actions.
        points: Each player's points if the game ended now.
    """
    table_top = HEAD + GAP + CARDS + GAP
    rows = (position["players"] + 2) / 2  # the buildings, and the harbour with the supply, are each as high as a board
    picture = Picture(WIDTH, round(table_top + rows * (BOARD + GAP) - GAP + MARGIN), SAND)
    choices = Choices(position, legal)
    _draw_head(picture, position, legal, points)
    _draw_role_cards(picture, position, choices, HEAD + GAP)
    left, right = MARGIN, MARGIN + COLUMN + GAP
    _draw_harbour(picture, position, choices, left, table_top)
    if position["phase"] == "draft":
        _draw_draft(picture, position, choices, right, table_top)
    else:
        _draw_buildings_left(picture, position, choices, right, table_top)
    if position["players"] % 2 == 0:
        _draw_supply(picture, position, choices, left, table_top + HALF + GAP)
    else:
        _draw_supply(picture, position, choices, right, table_top + BOARD + GAP)
    for seat, (x, y) in enumerate(_board_places(position["players"], table_top)):
        with picture.element(player_name(seat)):
            _draw_board(picture, position, choices, points, seat, x, y)
    return picture


def _board_places(players: int, table_top: float) -> Iterator[tuple[float, float]]:
    """The upper left corners of the boards, in the order of the seats."""
    y = table_top + BOARD + GAP
    if players % 2:  # the first board is next to the supply, half a row above the others
        yield MARGIN, table_top + HALF + GAP
        y += HALF + GAP
    for place in range(players - players % 2):
        yield MARGIN + (place % 2) * (COLUMN + GAP), y + place // 2 * (BOARD + GAP)


# -- small things -----------------------------------------------------------------------------------------------------


def _panel(picture: Picture, x: float, y: float, height: float, title: str) -> None:
    paper(picture, x, y, COLUMN, height)
    picture.words(x + PADDING, y + 17, title, 13, FADED, bold=True)


def _doubloon(picture: Picture, x: float, y: float, radius: float, words: str = "") -> None:
    picture.circle(x, y, radius, GOLD, outline=GOLD_EDGE, thickness=1.5)
    if words:
        picture.words(x, y, words, radius * 1.15, INK, bold=True, anchor="middle", room=radius * 1.7)
    else:
        picture.circle(x, y, radius * 0.62, None, outline=GOLD_EDGE)


def _chip(picture: Picture, x: float, y: float, radius: float) -> None:
    """A victory point chip: an eight-sided disc."""
    side = radius * 0.414
    corners = ((side, radius), (radius, side), (radius, -side), (side, -radius))
    points = tuple((x + dx, y + dy) for dx, dy in (*corners, *((-dx, -dy) for dx, dy in corners)))
    picture.polygon(points, SEA_LIGHT)
    picture.words(x, y, "VP", radius * 0.9, WHITE, bold=True, anchor="middle")


def _colonist(picture: Picture, x: float, y: float, radius: float, present: bool = True) -> None:
    if present:
        picture.circle(x, y, radius, COLONIST, outline=WHITE, thickness=1.5)
    else:
        picture.circle(x, y, radius, PAPER, outline=FADED, thickness=1)


def _barrel(picture: Picture, x: float, y: float, good: str, height: float = 24) -> None:
    """A barrel around (x, y)."""
    width, colour = height * 0.8, TILE_COLOURS[good]
    hoop = FADED if good == "sugar" else INK
    picture.rectangle(x - width / 2, y - height / 2, width, height, colour, outline=hoop, radius=height * 0.24)
    for hoop_y in (y - height * 0.22, y + height * 0.22):
        picture.line(x - width / 2, hoop_y, x + width / 2, hoop_y, GOLD_EDGE if good == "coffee" else hoop)


def _tree(picture: Picture, x: float, y: float, height: float) -> None:
    """A fir that stands on y."""
    half = height * 0.32
    picture.rectangle(x - height * 0.06, y - height * 0.2, height * 0.12, height * 0.2, TRUNK)
    for base, top in ((0.18, 0.7), (0.45, 1.0)):
        picture.polygon(((x - half, y - base * height), (x + half, y - base * height), (x, y - top * height)), TREE)
        half *= 0.8


def _tile(picture: Picture, x: float, y: float, size: float, tile: str) -> None:
    edge = EMPTY_EDGE if tile == "sugar" else TILE_COLOURS[tile]
    picture.rectangle(x, y, size, size, TILE_COLOURS[tile], outline=edge, thickness=1.5, radius=6)


# -- head and role cards ----------------------------------------------------------------------------------------------


def _draw_head(picture: Picture, position: Position, legal: Sequence[Action], points: Sequence[int]) -> None:
    draw_title(picture, "Puerto Rico", f"Round {position['round']} · {words.stage(position)}")
    if words.is_over(position):
        ranking = words.ranking(position, points)
        standings = [(seat, f"{player_name(seat)}: {points[seat]}") for seat in ranking]
        draw_result(picture, words.result(position, points), standings)
    else:
        asked = f"{player_name(position['player'])}: {words.question(position)}"
        draw_question(picture, position["player"], asked, [_answer(action, position) for action in legal])


def _answer(action: Action, position: Position) -> Answer:
    label = words.sentence(action, position)
    return Answer(action.number, words.answer(action, position), label, _answer_colour(action))


def _answer_colour(action: Action) -> str:
    """The colour of the good, tile or forest that the action names."""
    return next((TILE_COLOURS[part] for part in map(str, action.name) if part in TILE_COLOURS), FOAM)


def _draw_role_cards(picture: Picture, position: Position, choices: Choices, y: float) -> None:
    cards: Mapping[str, Board] = position["roles"]
    width = (WIDTH - 2 * MARGIN + GAP) / len(cards) - GAP
    in_play = words.cards_in_play(position)
    for place, (role, card) in enumerate(cards.items()):
        with choices.element(picture, _role_label(role, card), "role", role):
            _draw_role_card(picture, MARGIN + place * (width + GAP), y, width, role, card, role in in_play)


def _role_label(role: str, card: Board) -> str:
    other = f" or {SECOND_SIDES[role]}" if role in SECOND_SIDES else ""
    label = f"role card {words.card_name(role)}{other}"
    if card["taken_by"] is not None:
        return f"{label}, taken by {player_name(card['taken_by']).lower()}"
    return f"{label}, {_counted(card['doubloons'], 'doubloon')}" if card["doubloons"] else label


def _draw_role_card(picture: Picture, x: float, y: float, width: float, role: str, card: Board, in_play: bool) -> None:
    holder: int | None = card["taken_by"]
    paper(picture, x, y, width, CARDS, HIGHLIGHT if in_play else PAPER_EDGE, 3 if in_play else 1)
    ink = FADED if holder is not None and not in_play else INK
    title_y, state_y = y + 21, y + 47
    if role in SECOND_SIDES:
        title_y, state_y = y + 15, y + 51
        picture.words(x + 14, y + 32, f"or {SECOND_SIDES[role]}", 12, ink, room=width - 28)
    picture.words(x + 14, title_y, words.card_name(role).capitalize(), 17, ink, bold=True, room=width - 28)
    if holder is not None:
        seat_badge(picture, x + 24, state_y, 10, holder)
        picture.words(x + 42, state_y, player_name(holder), 14, SEAT_COLOURS[holder], bold=True, room=width - 54)
    elif card["doubloons"]:
        _doubloon(picture, x + 24, state_y, 11, str(card["doubloons"]))
        coins = "doubloon" if card["doubloons"] == 1 else "doubloons"
        picture.words(x + 42, state_y, coins, 13, FADED, room=width - 54)
    else:
        picture.words(x + 14, state_y, "free", 13, FADED)


# -- harbour and supply -----------------------------------------------------------------------------------------------


def _draw_harbour(picture: Picture, position: Position, choices: Choices, x: float, y: float) -> None:
    _panel(picture, x, y, HALF, "Cargo ships")
    ships = position["ships"]
    house_x = x + COLUMN - PADDING - TRADING_HOUSE_WIDTH
    room = house_x - x - PADDING - len(ships) * (SHIP_ENDS + GAP)
    cell = min(26.0, room / sum(ship["capacity"] for ship in ships))
    ship_x = x + PADDING
    for place, ship in enumerate(ships):
        with choices.element(picture, _ship_label(ship), "ship", place):
            ship_x += _draw_ship(picture, ship, ship_x, y + 46, cell) + GAP
    picture.words(house_x, y + 17, "Trading house", 13, FADED, bold=True)
    with choices.element(picture, f"trading house: {', '.join(position['trading_house']) or 'empty'}"):
        _draw_trading_house(picture, position["trading_house"], house_x, y + 38)


def _ship_label(ship: Board) -> str:
    if ship["good"] is None:
        return f"empty cargo ship for {_counted(ship['capacity'], 'barrel')}"
    return f"cargo ship with {ship['barrels']} of {_counted(ship['capacity'], 'barrel')}, {ship['good']}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _draw_ship(picture: Picture, ship: Board, x: float, y: float, cell: float) -> float:
    """A hull with a space for each barrel; returns its width."""
    width: float = ship["capacity"] * cell + SHIP_ENDS
    _hull(picture, x, y, width, 38)
    for space in range(ship["capacity"]):
        space_x = x + SHIP_ENDS / 2 + cell * (space + 0.5)
        if space < ship["barrels"]:
            _barrel(picture, space_x, y + 18, ship["good"], cell * 1.1)
        else:
            picture.rectangle(space_x - cell * 0.36, y + 18 - cell / 2, cell * 0.72, cell, WOOD_LIGHT, radius=4)
    load = f"{ship['good'] or 'empty'} {ship['barrels']}/{ship['capacity']}"
    picture.words(x + width / 2, y + 55, load, 13, INK if ship["good"] else FADED, anchor="middle", room=width)
    return width


def _hull(picture: Picture, x: float, y: float, width: float, height: float) -> None:
    inset = SHIP_ENDS / 2
    picture.polygon(((x, y), (x + width, y), (x + width - inset, y + height), (x + inset, y + height)), WOOD)


def _draw_trading_house(picture: Picture, goods: Sequence[str], x: float, y: float) -> None:
    width = TRADING_HOUSE_WIDTH
    picture.rectangle(x, y, width, 52, EMPTY_SPACE, outline=WOOD, thickness=2, radius=6)
    for space in range(TRADING_HOUSE_SPACES):
        space_x = x + 6 + 28 * (space + 0.5)
        if space < len(goods):
            _barrel(picture, space_x, y + 26, goods[space], 28)
        else:
            picture.rectangle(space_x - 11, y + 12, 22, 28, PAPER, outline=EMPTY_EDGE, radius=6)
    free = TRADING_HOUSE_SPACES - len(goods)
    picture.words(x + width / 2, y + 63, f"{free} free" if free else "full", 13, FADED, anchor="middle")


def _draw_supply(picture: Picture, position: Position, choices: Choices, x: float, y: float) -> None:
    _panel(picture, x, y, HALF, "Supply")
    upper, lower = y + 46, y + 92
    for place, good in enumerate(GOODS):
        barrel_x = x + PADDING + 12 + place * 58
        left = position["goods_supply"][good]
        with choices.element(picture, f"{_counted(left, 'barrel')} of {good} in the supply", "supply", good):
            _barrel(picture, barrel_x, upper, good, 28)
            number(picture, barrel_x + 17, upper, left)
    with choices.element(picture, f"{position['chips_supply']} victory point chips left"):
        _chip(picture, x + 330, upper, 14)
        number(picture, x + 351, upper, position["chips_supply"])
    with choices.element(picture, f"{_counted(position['colonist_supply'], 'colonist')} in the supply", "colonists"):
        _colonist(picture, x + 420, upper, 11)
        width = number(picture, x + 438, upper, position["colonist_supply"])
        picture.words(x + 446 + width, upper, "colonists", 13, FADED)
    ship_x, ship_width = x + 548, COLUMN - 548 - PADDING
    with choices.element(picture, f"{_counted(position['colonist_ship'], 'colonist')} on their ship"):
        _hull(picture, ship_x, upper - 15, ship_width, 30)
        _colonist(picture, ship_x + 30, upper, 9)
        picture.words(ship_x + 45, upper, f"{position['colonist_ship']} on ship", 14, WHITE, room=ship_width - 56)
    _draw_tiles(picture, position, choices, x + PADDING, lower)
    face_down, discards = sum(position["face_down"].values()), sum(position["discards"].values())
    with choices.element(picture, f"{_counted(face_down, 'tile')} face down", "face down"):
        _draw_stack(picture, x + 404, lower, face_down, "face down", TILE_BACK)
    with choices.element(picture, f"{_counted(discards, 'tile')} discarded"):
        _draw_stack(picture, x + 548, lower, discards, "discarded", EMPTY_EDGE)


def _draw_tiles(picture: Picture, position: Position, choices: Choices, x: float, y: float) -> None:
    """The plantations to choose from and the quarries."""
    for tile in [good for good in GOODS for _ in range(position["face_up"][good])]:
        with choices.element(picture, f"{tile} plantation to take", "tile", tile):
            _draw_small_tile(picture, x, y, tile)
        x += SMALL_TILE + CELL_GAP
    x += 12
    left = position["quarry_supply"]
    with choices.element(picture, f"{left} quarr{'y' if left == 1 else 'ies'} left", "tile", "quarry"):
        _draw_small_tile(picture, x, y, "quarry")
        number(picture, x + SMALL_TILE + 7, y, left)


def _draw_small_tile(picture: Picture, x: float, y: float, tile: str) -> None:
    _tile(picture, x, y - SMALL_TILE / 2, SMALL_TILE, tile)
    ink = ink_on(TILE_COLOURS[tile])
    picture.words(x + SMALL_TILE / 2, y, tile, 10, ink, anchor="middle", room=SMALL_TILE - 3)


def _draw_stack(picture: Picture, x: float, y: float, count: int, name: str, colour: str) -> None:
    """Tiles that nobody can currently take."""
    side = 22
    for offset in (4, 0):
        picture.rectangle(x + offset, y - side / 2 - offset, side, side, colour, outline=PAPER, radius=4)
    number(picture, x + side + 12, y, count)
    picture.words(x + side + 38, y, name, 13, FADED)


# -- buildings --------------------------------------------------------------------------------------------------------


def _building_colour(building: Building) -> str:
    return VIOLET if building.makes is None else PLANT_COLOURS[GOODS[building.makes]]


def _draw_buildings_left(picture: Picture, position: Position, choices: Choices, x: float, y: float) -> None:
    _panel(picture, x, y, BOARD, "Buildings left")
    for column in range(1, LARGE_COLUMN + 1):
        buildings = words.buildings(position, column)
        for building, place in zip(buildings, _building_places(picture, x, y, column, len(buildings)), strict=True):
            left, cost = position["buildings_left"][building.name], words.cost(position, building)
            colour = _building_colour(building) if left else EMPTY_SPACE
            label = f"{plain(building.name)}, costs {_counted(cost, 'doubloon')}, {left} left"
            with choices.element(picture, label, "building", building.name):
                _draw_building_left(picture, building, cost, place, colour, str(left), left > 0)


def _draw_draft(picture: Picture, position: Position, choices: Choices, x: float, y: float) -> None:
    """All kinds: those on the board with their copies, those that may be drafted, and those that no longer fit."""
    _panel(picture, x, y, BOARD, "Draft, ? may come")
    _draw_free_spaces(picture, position, x + PADDING + 140, y + 17)
    for column in range(1, LARGE_COLUMN + 1):
        buildings = words.with_drafted(position, column)
        for building, place in zip(buildings, _building_places(picture, x, y, column, len(buildings)), strict=True):
            cost = words.cost(position, building)
            name = plain(building.name)
            if building.name in position["kinds"]:
                left = str(position["buildings_left"][building.name])
                with choices.element(picture, f"{name}, on the board, {left} copies"):
                    _draw_building_left(picture, building, cost, place, _building_colour(building), left, True)
            elif choices.actions("building", building.name):
                with choices.element(picture, f"{name}, may come on the board", "building", building.name):
                    _draw_building_left(picture, building, cost, place, VIOLET_PALE, "?", True)
            else:
                with choices.element(picture, f"{name}, out of the game"):
                    _draw_building_left(picture, building, cost, place, EMPTY_SPACE, "out", False)


def _draw_free_spaces(picture: Picture, position: Position, x: float, y: float) -> None:
    """The number of free violet spaces of each cost."""
    label = "free, by cost:"
    picture.words(x, y, label, 12, FADED)
    x += text_width(label, 12) + 14
    for cost, spaces in words.free_draft_spaces(position).items():
        _doubloon(picture, x, y, 8.5, str(cost))
        number(picture, x + 12, y, spaces, 13)
        x += 43


def _building_places(
    picture: Picture, x: float, y: float, column: int, buildings: int
) -> Iterator[tuple[float, float, float, float]]:
    """Draw the header of a column of the building board; returns the places below it."""
    width = (COLUMN - 2 * PADDING + 8) / LARGE_COLUMN - 8
    top, height = y + 44, BOARD - 44 - 10
    column_x = x + PADDING + (column - 1) * (width + 8)
    points = "1 point" if column == 1 else f"{column} points"
    picture.words(column_x + width, y + 34, points, 11, FADED, anchor="end")
    row = (height + CELL_GAP) / buildings
    gap = CELL_GAP if row > 24 else CELL_GAP / 2
    for place in range(buildings):
        yield column_x, top + place * row, width, row - gap


def _draw_building_left(
    picture: Picture,
    building: Building,
    cost: int,
    place: tuple[float, float, float, float],
    colour: str,
    left: str,
    available: bool,
) -> None:
    x, y, width, height = place
    ink = ink_on(colour) if available else FADED
    middle = y + height / 2
    picture.rectangle(x, y, width, height, colour, outline=EMPTY_EDGE, radius=6)
    if available:
        _doubloon(picture, x + 15, middle, min(9.5, height / 2 - 1), str(cost))
    size = min(13.0, height * 0.7)
    picture.words(x + 29, middle, plain(building.name).capitalize(), size, ink, room=width - 54)
    if building.points is not None:
        picture.words(x + width - 29, middle, f"{building.points} points", 11, ink, anchor="end")
    picture.words(x + width - 9, middle, left, min(14.0, height * 0.72), ink, bold=available, anchor="end")


# -- the players' boards ----------------------------------------------------------------------------------------------


def _draw_board(
    picture: Picture, position: Position, choices: Choices, points: Sequence[int], seat: int, x: float, y: float
) -> None:
    board = position["boards"][seat]
    marked = seat in words.marked_seats(position, points)
    paper(picture, x, y, COLUMN, BOARD, HIGHLIGHT if marked else PAPER_EDGE, 4 if marked else 1)
    with choices.element(picture, _standing_label(position, points, seat)):
        _draw_board_title(picture, position, points, seat, x + PADDING, y + 23)
    _draw_belongings(picture, board, choices, seat, x + PADDING, y + 59)
    grid_y = y + BOARD - PADDING - 3 * (TILE + CELL_GAP) + CELL_GAP
    city_x = x + PADDING + ISLAND_WIDTH + 16
    free_island, free_city = words.free_island_spaces(board), words.free_city_spaces(board)
    picture.words(x + PADDING, grid_y - 9, f"island · {free_island} free", 11, FADED)
    picture.words(city_x, grid_y - 9, f"city · {free_city} free", 11, FADED)
    _draw_island(picture, board, choices, seat, x + PADDING, grid_y)
    _draw_city(picture, board, choices, seat, city_x, grid_y)


def _standing_label(position: Position, points: Sequence[int], seat: int) -> str:
    notes = [words.card_name(role) for role in words.roles_of(position, seat)]
    notes += ["governor"] if seat == position["governor"] else []
    total = _counted(points[seat], "point") if _chips_are_known(position["boards"][seat]) else "points hidden"
    return ", ".join([player_name(seat), total, *notes])


def _chips_are_known(board: Board) -> bool:
    """False for other players' chips with hidden points."""
    return board["chips"] != UNKNOWN_CHIPS


def _draw_board_title(
    picture: Picture, position: Position, points: Sequence[int], seat: int, x: float, y: float
) -> None:
    seat_badge(picture, x + 12, y, 12, seat)
    name = player_name(seat)
    picture.words(x + 32, y, name, 19, SEAT_COLOURS[seat], bold=True)
    tag_x = x + 32 + text_width(name, 19, bold=True) + 16
    if seat == position["governor"]:
        tag_x += tag(picture, tag_x, y, "governor", GOLD) + 6
    if words.is_over(position) and seat in words.winners(position, points):
        tag_x += tag(picture, tag_x, y, "leader" if words.was_cut(position) else "winner", HIGHLIGHT) + 6
    for role in words.roles_of(position, seat):
        tag_x += tag(picture, tag_x, y, words.card_name(role), FOAM) + 6
    end = x + COLUMN - 2 * PADDING
    label = "point" if points[seat] == 1 else "points"
    picture.words(end, y, label, 13, FADED, anchor="end")
    total = str(points[seat]) if _chips_are_known(position["boards"][seat]) else "?"
    picture.words(end - text_width(label, 13) - 8, y, total, 22, INK, bold=True, anchor="end")


def _draw_belongings(picture: Picture, board: Board, choices: Choices, seat: int, x: float, y: float) -> None:
    """Doubloons, chips, San Juan and barrels in a row."""
    with choices.element(picture, _counted(board["doubloons"], "doubloon")):
        _doubloon(picture, x + 12, y, 12)
        number(picture, x + 31, y, board["doubloons"])
    known = _chips_are_known(board)
    with choices.element(picture, _counted(board["chips"], "victory point chip") if known else "chips hidden"):
        _chip(picture, x + 84, y, 13)
        if known:
            number(picture, x + 103, y, board["chips"])
        else:
            picture.words(x + 103, y, "?", 16, FADED)
    with choices.element(picture, f"{_counted(board['san_juan'], 'colonist')} in San Juan", "san juan", seat):
        _colonist(picture, x + 154, y, 10, board["san_juan"] > 0)
        width = number(picture, x + 171, y, board["san_juan"])
        picture.words(x + 179 + width, y, "in San Juan", 12, FADED)
    for place, good in enumerate(GOODS):
        barrel_x = x + 312 + place * 72
        with choices.element(picture, f"{_counted(board['goods'][good], 'barrel')} of {good}", "barrel", seat, good):
            if board["goods"][good]:
                _barrel(picture, barrel_x, y, good, 28)
            else:
                picture.rectangle(barrel_x - 11, y - 14, 22, 28, EMPTY_SPACE, outline=EMPTY_EDGE, radius=6)
            number(picture, barrel_x + 17, y, board["goods"][good])


def _draw_island(picture: Picture, board: Board, choices: Choices, seat: int, x: float, y: float) -> None:
    tiles = [
        (name, place < kind["colonists"]) for name, kind in board["island"].items() for place in range(kind["tiles"])
    ]
    tiles += [(FOREST, False)] * words.forests(board)
    for space in range(ISLAND_SPACES):
        row, column = divmod(space, PLACES_IN_A_ROW)
        tile_x, tile_y = x + column * (TILE + CELL_GAP), y + row * (TILE + CELL_GAP)
        if space >= len(tiles):
            picture.rectangle(tile_x, tile_y, TILE, TILE, EMPTY_SPACE, outline=EMPTY_EDGE, radius=6)
            continue
        tile, manned = tiles[space]
        with choices.element(picture, _tile_label(tile, manned), "island", seat, tile):
            _draw_island_tile(picture, tile, manned, tile_x, tile_y)


def _tile_label(tile: str, manned: bool) -> str:
    name = f"{tile} plantation" if tile in GOODS else tile
    return name if tile == FOREST else f"{name} {'with' if manned else 'without'} a colonist"


def _draw_island_tile(picture: Picture, tile: str, manned: bool, x: float, y: float) -> None:
    _tile(picture, x, y, TILE, tile)
    ink = ink_on(TILE_COLOURS[tile])
    picture.words(x + TILE / 2, y + 11, tile, 11, ink, anchor="middle", room=TILE - 4)
    if tile == FOREST:
        for x_in_tile, height in ((0.28, 19), (0.72, 19), (0.5, 26)):
            _tree(picture, x + TILE * x_in_tile, y + TILE - 4, height)
    else:
        _colonist(picture, x + TILE / 2, y + 32, 9, manned)


def _draw_city(picture: Picture, board: Board, choices: Choices, seat: int, x: float, y: float) -> None:
    """Buildings from the first space on, large ones from the last space back, so that each fits into one row."""
    for space in range(CITY_SPACES):
        space_x, space_y = _city_space(space, x, y)
        picture.rectangle(space_x, space_y, CITY_CELL, TILE, EMPTY_SPACE, outline=EMPTY_EDGE, radius=6)
    first, last = 0, CITY_SPACES
    for name, colonists in board["city"].items():
        circles = BUILDING[name].circles
        label = f"{plain(name)} with {colonists} of {_counted(circles, 'colonist')}" if circles else plain(name)
        with choices.element(picture, label, "city", seat, name):
            if words.spaces(name) == 2:
                last -= 2
                _draw_building(picture, name, colonists, _city_space(last, x, y), 2 * CITY_CELL + CELL_GAP)
            else:
                _draw_building(picture, name, colonists, _city_space(first, x, y), CITY_CELL)
                first += 1


def _city_space(space: int, x: float, y: float) -> tuple[float, float]:
    row, column = divmod(space, PLACES_IN_A_ROW)
    return x + column * (CITY_CELL + CELL_GAP), y + row * (TILE + CELL_GAP)


def _draw_building(picture: Picture, name: str, colonists: int, place: tuple[float, float], width: float) -> None:
    building = BUILDING[name]
    colour = _building_colour(building)
    x, y = place
    picture.rectangle(x, y, width, TILE, colour, outline=FADED, radius=6)
    picture.words(x + width / 2, y + 13, plain(name).capitalize(), 13, ink_on(colour), anchor="middle", room=width - 14)
    if building.points is not None:
        picture.words(x + width / 2, y + 33, f"{building.points} points", 12, ink_on(colour), anchor="middle")
    for circle in range(building.circles):
        circle_x = x + width / 2 + (circle - (building.circles - 1) / 2) * 23
        _colonist(picture, circle_x, y + 33, 8.5, circle < colonists)
