"""Puerto Rico, base game for 2 to 5 players, played slowly and by the rulebook, as an oracle for tests.

Written from the rulebooks only, independently of the fast implementation. It works on the dictionary returned by
``Batch.to_dict``: ``Reference(position)`` copies one, ``legal`` lists the names of the legal actions, and ``play``
plays one, and all later decisions with only one legal action.
"""

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

Position = dict[str, Any]
Board = dict[str, Any]
Name = tuple[str | int, ...]


class Building(NamedTuple):
    """The values printed on a building, and its number of copies with 3 to 5 players."""

    cost: int
    column: int  # also the printed victory points, and the most quarries that lower the cost
    circles: int
    copies: int


class SetUp(NamedTuple):
    """Values that depend on the number of players."""

    doubloons: int
    chips: int
    colonists: int
    ships: tuple[int, ...]
    quarries: int
    plantations: tuple[int, ...]  # corn, indigo, sugar, tobacco, coffee, including start tiles
    goods: tuple[int, ...]  # corn, indigo, sugar, tobacco, coffee
    prospectors: tuple[str, ...]
    start_tiles: tuple[str, ...]  # by seat


GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
TILES = (*GOODS, "quarry")
ROLES = ("settler", "mayor", "builder", "craftsman", "trader", "captain")
ENDINGS = ("colonists", "city", "chips", "rounds")
SOURCES = ("chips", "buildings", "guild_hall", "residence", "fortress", "customs_house", "city_hall")

BUILDINGS = {
    "small_indigo_plant": Building(1, 1, 1, 4),
    "small_sugar_mill": Building(2, 1, 1, 4),
    "indigo_plant": Building(3, 2, 3, 3),
    "sugar_mill": Building(4, 2, 3, 3),
    "tobacco_storage": Building(5, 3, 3, 3),
    "coffee_roaster": Building(6, 3, 2, 3),
    "small_market": Building(1, 1, 1, 2),
    "hacienda": Building(2, 1, 1, 2),
    "construction_hut": Building(2, 1, 1, 2),
    "small_warehouse": Building(3, 1, 1, 2),
    "hospice": Building(4, 2, 1, 2),
    "office": Building(5, 2, 1, 2),
    "large_market": Building(5, 2, 1, 2),
    "large_warehouse": Building(6, 2, 1, 2),
    "factory": Building(7, 3, 1, 2),
    "university": Building(8, 3, 1, 2),
    "harbor": Building(8, 3, 1, 2),
    "wharf": Building(9, 3, 1, 2),
    "guild_hall": Building(10, 4, 1, 1),
    "residence": Building(10, 4, 1, 1),
    "fortress": Building(10, 4, 1, 1),
    "customs_house": Building(10, 4, 1, 1),
    "city_hall": Building(10, 4, 1, 1),
}
LARGE_BUILDINGS = ("guild_hall", "residence", "fortress", "customs_house", "city_hall")
PRODUCTION_BUILDINGS = {
    "indigo": ("small_indigo_plant", "indigo_plant"),
    "sugar": ("small_sugar_mill", "sugar_mill"),
    "tobacco": ("tobacco_storage",),
    "coffee": ("coffee_roaster",),
}
SMALL_PRODUCTION = ("small_indigo_plant", "small_sugar_mill")
LARGE_PRODUCTION = ("indigo_plant", "sugar_mill", "tobacco_storage", "coffee_roaster")

ISLAND_SPACES = 12
CITY_SPACES = 12
TRADING_HOUSE_SPACES = 4
PRICES = {"corn": 0, "indigo": 1, "sugar": 2, "tobacco": 3, "coffee": 4}
FACTORY_DOUBLOONS = (0, 0, 1, 2, 3, 5)  # by kinds produced

ALL_TILES = (10, 12, 11, 9, 8)
ALL_GOODS = (10, 11, 11, 9, 9)
SET_UPS = {
    2: SetUp(3, 65, 40, (4, 6), 5, (7, 9, 8, 6, 5), (8, 9, 9, 7, 7), ("prospector",), ("indigo", "corn")),
    3: SetUp(2, 75, 55, (4, 5, 6), 8, ALL_TILES, ALL_GOODS, (), ("indigo", "indigo", "corn")),
    4: SetUp(3, 100, 75, (5, 6, 7), 8, ALL_TILES, ALL_GOODS, ("prospector",), ("indigo", "indigo", "corn", "corn")),
    5: SetUp(
        4,
        122,
        95,
        (6, 7, 8),
        8,
        ALL_TILES,
        ALL_GOODS,
        ("prospector", "prospector_2"),
        ("indigo", "indigo", "indigo", "corn", "corn"),
    ),
}


# The set-up


def copies(building: str, players: int) -> int:
    """The number of copies of a building in the game."""
    if players > 2:
        return BUILDINGS[building].copies
    return 2 if building in SMALL_PRODUCTION + LARGE_PRODUCTION else 1


def start_board(doubloons: int, tile: str) -> Board:
    """A player's board at the start."""
    return {
        "doubloons": doubloons,
        "chips": 0,
        "goods": dict.fromkeys(GOODS, 0),
        "island": {tile: {"tiles": 1, "colonists": 0}},
        "city": {},
        "san_juan": 0,
    }


def start_position(players: int) -> Position:
    """The start of a game without the random parts: no seed or generator, and no face-up tiles yet."""
    set_up = SET_UPS[players]
    face_down = dict(zip(GOODS, set_up.plantations, strict=True))
    for tile in set_up.start_tiles:
        face_down[tile] -= 1
    return {
        "game": "puerto_rico",
        "players": players,
        "round": 1,
        "governor": 0,
        "picker": 0,
        "role": None,
        "phase": "pick_role",
        "player": 0,
        "ending": [],
        "roles": {role: {"doubloons": 0, "taken_by": None} for role in ROLES + set_up.prospectors},
        "goods_supply": dict(zip(GOODS, set_up.goods, strict=True)),
        "colonist_supply": set_up.colonists,
        "colonist_ship": players,
        "chips_supply": set_up.chips,
        "quarry_supply": set_up.quarries,
        "face_up": dict.fromkeys(GOODS, 0),
        "face_down": face_down,
        "discards": dict.fromkeys(GOODS, 0),
        "buildings_left": {building: copies(building, players) for building in BUILDINGS},
        "ships": [{"capacity": capacity, "good": None, "barrels": 0} for capacity in set_up.ships],
        "trading_house": [],
        "decision": {},
        "boards": [start_board(set_up.doubloons, tile) for tile in set_up.start_tiles],
    }


# A player's board


def works(board: Board, building: str) -> bool:
    """Whether the player owns the building and a colonist is on it."""
    return bool(board["city"].get(building, 0) > 0)


def colonists_on(board: Board, tile: str) -> int:
    """The number of manned tiles of a kind."""
    return int(board["island"][tile]["colonists"]) if tile in board["island"] else 0


def filled_island_spaces(board: Board) -> int:
    """The number of tiles on the island."""
    return sum(pile["tiles"] for pile in board["island"].values())


def island_is_full(board: Board) -> bool:
    """Whether no further tile can be placed."""
    return filled_island_spaces(board) == ISLAND_SPACES


def spaces_of(building: str) -> int:
    """A large building takes two spaces."""
    return 2 if building in LARGE_BUILDINGS else 1


def filled_city_spaces(board: Board) -> int:
    """The number of occupied city spaces."""
    return sum(spaces_of(building) for building in board["city"])


def place_tile(board: Board, tile: str) -> None:
    """Place a tile on the island, without a colonist."""
    board["island"].setdefault(tile, {"tiles": 0, "colonists": 0})["tiles"] += 1


def circles(board: Board, kind: str) -> int:
    """The number of circles that the player has on tiles of a kind, or on a building."""
    if kind in TILES:
        return int(board["island"][kind]["tiles"])
    return BUILDINGS[kind].circles


def circle_kinds(board: Board) -> list[str]:
    """The player's kinds of circles in the order in which colonists are placed: tiles, then buildings."""
    tiles = [tile for tile in TILES if tile in board["island"]]
    return tiles + [building for building in BUILDINGS if building in board["city"]]


def lift_colonists(board: Board) -> None:
    """Take all colonists off tiles and buildings, into San Juan."""
    for pile in board["island"].values():
        board["san_juan"] += pile["colonists"]
        pile["colonists"] = 0
    for building in board["city"]:
        board["san_juan"] += board["city"][building]
        board["city"][building] = 0


def put_colonists(board: Board, kind: str, number: int) -> None:
    """Put colonists on tiles of a kind, or on a building."""
    if kind in TILES:
        board["island"][kind]["colonists"] += number
    else:
        board["city"][kind] += number


def empty_building_circles(board: Board) -> int:
    """The number of empty circles in buildings."""
    return sum(BUILDINGS[building].circles - colonists for building, colonists in board["city"].items())


def all_colonists(board: Board) -> int:
    """Every colonist on the board: tiles, buildings and San Juan."""
    on_island = sum(pile["colonists"] for pile in board["island"].values())
    return int(on_island + sum(board["city"].values()) + board["san_juan"])


def capacity_to_produce(board: Board, good: str) -> int:
    """The barrels the player could produce: each needs a manned tile and, except for corn, a manned building circle."""
    tiles = colonists_on(board, good)
    if good == "corn":
        return tiles
    return int(min(tiles, sum(board["city"].get(building, 0) for building in PRODUCTION_BUILDINGS[good])))


def warehouse_kinds(board: Board) -> int:
    """The number of kinds that the player's warehouses can store."""
    return (1 if works(board, "small_warehouse") else 0) + (2 if works(board, "large_warehouse") else 0)


def everything_fits(board: Board) -> bool:
    """Whether all barrels can be stored: kinds of several barrels in warehouses, lone barrels anywhere."""
    kinds = [good for good in GOODS if board["goods"][good] > 0]
    kinds_of_several = [good for good in kinds if board["goods"][good] > 1]
    places = warehouse_kinds(board) + 1
    return len(kinds_of_several) <= warehouse_kinds(board) and len(kinds) <= places


def cost(board: Board, building: str, *, is_builder: bool) -> int:
    """The price of a building for the player."""
    quarries = min(colonists_on(board, "quarry"), BUILDINGS[building].column)
    privilege = 1 if is_builder else 0
    return max(0, BUILDINGS[building].cost - quarries - privilege)


# The end of the game


def points_of(board: Board) -> dict[str, int]:
    """Victory points by source; large buildings pay their bonus only while occupied."""
    points = dict.fromkeys(SOURCES, 0)
    points["chips"] = board["chips"]
    points["buildings"] = sum(BUILDINGS[building].column for building in board["city"])
    if works(board, "guild_hall"):
        small = sum(1 for building in board["city"] if building in SMALL_PRODUCTION)
        other = sum(1 for building in board["city"] if building in LARGE_PRODUCTION)
        points["guild_hall"] = small + 2 * other
    if works(board, "residence"):
        points["residence"] = {10: 5, 11: 6, 12: 7}.get(filled_island_spaces(board), 4)
    if works(board, "fortress"):
        points["fortress"] = all_colonists(board) // 3
    if works(board, "customs_house"):
        points["customs_house"] = board["chips"] // 4
    if works(board, "city_hall"):
        points["city_hall"] = sum(1 for b in board["city"] if b not in SMALL_PRODUCTION + LARGE_PRODUCTION)
    return points


def scores(position: Position) -> list[dict[str, int]]:
    """Every seat's points by source, total, tie-break (doubloons and barrels) and rank; equal seats share a rank."""
    result = []
    for board in position["boards"]:
        points = points_of(board)
        total = sum(points.values())
        result.append({**points, "total": total, "tie_break": board["doubloons"] + sum(board["goods"].values())})
    for score in result:
        mine = (score["total"], score["tie_break"])
        score["rank"] = 1 + sum(1 for other in result if (other["total"], other["tie_break"]) > mine)
    return result


class Reference:
    """One game; ``position`` is the expected result of ``Batch.to_dict``."""

    def __init__(self, position: Position, max_rounds: int = 100) -> None:
        """Start from a copy of a position at a decision."""
        self.position: Position = copy.deepcopy(position)
        self.max_rounds = max_rounds
        self._questions: dict[str, Callable[[], list[Name]]] = {
            "pick_role": self._roles_to_pick,
            "hacienda": self._hacienda_choices,
            "settler": self._settler_choices,
            "hospice": self._colonist_choices,
            "mayor_privilege": self._mayor_privilege_choices,
            "mayor": self._mayor_choices,
            "builder": self._builder_choices,
            "university": self._colonist_choices,
            "craftsman_privilege": self._craftsman_privilege_choices,
            "trader": self._trader_choices,
            "captain": self._captain_choices,
            "store": self._store_choices,
        }
        self._answers: dict[str, Callable[[Name], None]] = {
            "pick_role": self._pick_role,
            "hacienda": self._use_hacienda,
            "settler": self._settle,
            "hospice": self._use_hospice,
            "mayor_privilege": self._use_mayor_privilege,
            "mayor": self._place_colonists,
            "builder": self._build,
            "university": self._use_university,
            "craftsman_privilege": self._use_craftsman_privilege,
            "trader": self._trade,
            "captain": self._ship_goods,
            "store": self._store,
        }

    def legal(self) -> list[Name]:
        """The names of the legal actions; none when the game is over."""
        if self.position["phase"] == "game_over":
            return []
        return self._questions[self.position["phase"]]()

    def play(self, name: Name) -> None:
        """Play an action, then all decisions with only one legal action."""
        if name not in self.legal():
            raise ValueError(f"{name} is not legal in phase {self.position['phase']}")
        self._answers[self.position["phase"]](name)
        while len(self.legal()) == 1:
            self._answers[self.position["phase"]](self.legal()[0])

    # Seats and turns

    def _board(self) -> Board:
        """The board of the player to decide."""
        board: Board = self.position["boards"][self.position["player"]]
        return board

    def _left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return int((seat + 1) % self.position["players"])

    def _is_picker(self) -> bool:
        """Whether the player to decide picked the role and has its privilege."""
        return bool(self.position["player"] == self.position["picker"])

    def _ask(self, phase: str, **decision: Any) -> None:
        """Put a question to the player to decide."""
        self.position["phase"] = phase
        self.position["decision"] = decision

    def _ask_picker(self, phase: str, **decision: Any) -> None:
        """Put a question to the player who picked the role."""
        self.position["player"] = self.position["picker"]
        self._ask(phase, **decision)

    def _pass_on(self) -> bool:
        """Move on to the next player clockwise; False if all players had their turn in this role."""
        self.position["player"] = self._left_of(self.position["player"])
        return not self._is_picker()

    def _game_will_end(self, reason: str) -> None:
        """Note an end condition: the game ends after this round."""
        met = {*self.position["ending"], reason}
        self.position["ending"] = [ending for ending in ENDINGS if ending in met]

    # The round

    def _roles_to_pick(self) -> list[Name]:
        """The role cards that nobody took in this round."""
        return [("pick", role) for role, card in self.position["roles"].items() if card["taken_by"] is None]

    def _pick_role(self, name: Name) -> None:
        """Take a role card and the doubloons on it, and start its phase."""
        role = str(name[1])
        card = self.position["roles"][role]
        card["taken_by"] = self.position["player"]
        self._board()["doubloons"] += card["doubloons"]
        card["doubloons"] = 0
        self.position["picker"] = self.position["player"]
        self.position["role"] = role
        if role == "settler":
            self._ask_picker("hacienda")
        elif role == "mayor":
            self._ask_picker("mayor_privilege")
        elif role == "builder":
            self._ask_picker("builder")
        elif role == "craftsman":
            self._produce_goods()
        elif role == "trader":
            self._ask_picker("trader")
        elif role == "captain":
            self._ask_picker("captain", captain_bonus=1, wharf_used=[], idle_turns=0)
        else:
            self._prospect()

    def _end_of_role(self) -> None:
        """The next player clockwise picks a role, unless everybody has picked as often as they may."""
        self.position["role"] = None
        picks = sum(1 for card in self.position["roles"].values() if card["taken_by"] is not None)
        picks_in_a_round = 6 if self.position["players"] == 2 else self.position["players"]
        if picks == picks_in_a_round:
            self._end_of_round()
        else:
            self.position["picker"] = self._left_of(self.position["picker"])
            self._ask_picker("pick_role")

    def _end_of_round(self) -> None:
        """A doubloon on every unpicked card, all cards back; then the game ends or the governor changes."""
        for card in self.position["roles"].values():
            if card["taken_by"] is None:
                card["doubloons"] += 1
            card["taken_by"] = None
        if not self.position["ending"] and self.position["round"] >= self.max_rounds:
            self._game_will_end("rounds")
        if self.position["ending"]:
            self._ask("game_over")
        else:
            self.position["round"] += 1
            self.position["governor"] = self._left_of(self.position["governor"])
            self.position["picker"] = self.position["governor"]
            self._ask_picker("pick_role")

    def _prospect(self) -> None:
        """A doubloon from the bank for the prospector, nothing for the others."""
        self._board()["doubloons"] += 1
        self._end_of_role()

    # Colonists of hospice and university

    def _colonist_choices(self) -> list[Name]:
        """Take a colonist from the supply, or else the ship, for what was just placed, or not."""
        if self.position["colonist_supply"] + self.position["colonist_ship"] > 0:
            return [("pass",), ("take_colonist",)]
        return [("pass",)]

    def _man_what_was_placed(self) -> None:
        """Put a colonist from the supply, or else from the ship, on the tile or building just placed."""
        source = "colonist_supply" if self.position["colonist_supply"] > 0 else "colonist_ship"
        self.position[source] -= 1
        put_colonists(self._board(), self.position["decision"]["placed"], 1)

    # Settler

    def _tiles_left(self) -> int:
        """Tiles that can still be drawn: face down, or discarded and shuffled when needed."""
        return int(sum(self.position["face_down"].values()) + sum(self.position["discards"].values()))

    def _draw_tile(self) -> str:
        """Draw a random face-down tile; if none is left, the discards are shuffled first."""
        face_down = self.position["face_down"]
        discards = self.position["discards"]
        if sum(face_down.values()) == 0:
            for tile in GOODS:
                face_down[tile] += discards[tile]
                discards[tile] = 0
        ticket = self._random_below(sum(face_down.values()))
        for tile in GOODS:
            if ticket < face_down[tile]:
                face_down[tile] -= 1
                return tile
            ticket -= face_down[tile]
        raise AssertionError("no tile left to draw")

    def _random_below(self, limit: int) -> int:
        """Step the generator once and return a number from 0 up to, but excluding, the limit."""
        state = self.position["generator"]
        state = (state & 0xFFFFFFFF) * 4294883355 + (state >> 32)
        self.position["generator"] = state
        bits = (state & 0xFFFFFFFF) ^ (state >> 32)
        return int((bits * limit) >> 32)

    def _hacienda_choices(self) -> list[Name]:
        """The owner of a working hacienda may draw a tile before the normal one, if they have room for it."""
        board = self._board()
        if works(board, "hacienda") and not island_is_full(board) and self._tiles_left() > 0:
            return [("pass",), ("draw_tile",)]
        return [("pass",)]

    def _use_hacienda(self, name: Name) -> None:
        """Draw a tile, which must be placed, or decline; then comes the normal tile."""
        if name == ("draw_tile",):
            place_tile(self._board(), self._draw_tile())
        self._ask("settler")

    def _settler_choices(self) -> list[Name]:
        """Any face-up tile; a quarry for the settler or the owner of a working construction hut."""
        board = self._board()
        choices: list[Name] = [("pass",)]
        if island_is_full(board):
            return choices
        choices += [("settle", tile) for tile in GOODS if self.position["face_up"][tile] > 0]
        if (self._is_picker() or works(board, "construction_hut")) and self.position["quarry_supply"] > 0:
            choices.append(("settle", "quarry"))
        return choices

    def _settle(self, name: Name) -> None:
        """Take a tile; a working hospice may man it."""
        if name == ("pass",):
            self._next_settler()
            return
        tile = str(name[1])
        if tile == "quarry":
            self.position["quarry_supply"] -= 1
        else:
            self.position["face_up"][tile] -= 1
        place_tile(self._board(), tile)
        if works(self._board(), "hospice"):
            self._ask("hospice", placed=tile)
        else:
            self._next_settler()

    def _use_hospice(self, name: Name) -> None:
        """Man the tile just taken, or decline."""
        if name == ("take_colonist",):
            self._man_what_was_placed()
        self._next_settler()

    def _next_settler(self) -> None:
        """The next player settles; after the last one new tiles are turned up."""
        if self._pass_on():
            self._ask("hacienda")
        else:
            self._turn_up_tiles()
            self._end_of_role()

    def _turn_up_tiles(self) -> None:
        """Discard the remaining tiles, then turn up one tile more than players, if there are enough."""
        for tile in GOODS:
            self.position["discards"][tile] += self.position["face_up"][tile]
            self.position["face_up"][tile] = 0
        for _ in range(self.position["players"] + 1):
            if self._tiles_left() > 0:
                self.position["face_up"][self._draw_tile()] += 1

    # Mayor

    def _mayor_privilege_choices(self) -> list[Name]:
        """The mayor may take a colonist from the supply, not from the ship."""
        return [("pass",), ("take_colonist",)] if self.position["colonist_supply"] > 0 else [("pass",)]

    def _use_mayor_privilege(self, name: Name) -> None:
        """Take a colonist or not; then the ship's colonists are dealt and the mayor places theirs first."""
        if name == ("take_colonist",):
            self.position["colonist_supply"] -= 1
            self._board()["san_juan"] += 1
        self._deal_colonists()
        self._begin_to_place()

    def _deal_colonists(self) -> None:
        """One at a time, mayor first, clockwise, until the ship is empty."""
        seat = self.position["picker"]
        while self.position["colonist_ship"] > 0:
            self.position["colonist_ship"] -= 1
            self.position["boards"][seat]["san_juan"] += 1
            seat = self._left_of(seat)

    def _begin_to_place(self) -> None:
        """The player takes all colonists in hand (in San Juan) and starts with the first kind of circles."""
        lift_colonists(self._board())
        self._ask("mayor", circle_kind=circle_kinds(self._board())[0])

    def _later_circle_kinds(self) -> list[str]:
        """The kinds of circles after the current one."""
        kinds = circle_kinds(self._board())
        return kinds[kinds.index(self.position["decision"]["circle_kind"]) + 1 :]

    def _mayor_choices(self) -> list[Name]:
        """The legal numbers of colonists here, such that none stays in San Juan while a circle is empty."""
        board = self._board()
        here = circles(board, self.position["decision"]["circle_kind"])
        later = sum(circles(board, kind) for kind in self._later_circle_kinds())
        in_hand = board["san_juan"]
        fewest = min(here, max(0, in_hand - later))
        most = min(here, in_hand)
        return [("place", number) for number in range(fewest, most + 1)]

    def _place_colonists(self, name: Name) -> None:
        """Place colonists on one kind of circles; after the last kind the next player places."""
        number = int(name[1])
        later = self._later_circle_kinds()
        put_colonists(self._board(), self.position["decision"]["circle_kind"], number)
        self._board()["san_juan"] -= number
        if later:
            self._ask("mayor", circle_kind=later[0])
        elif self._pass_on():
            self._begin_to_place()
        else:
            self._refill_colonist_ship()
            self._end_of_role()

    def _refill_colonist_ship(self) -> None:
        """A colonist for every empty circle in buildings, at least one for each player; too few end the game."""
        empty = sum(empty_building_circles(board) for board in self.position["boards"])
        wanted = max(empty, self.position["players"])
        if wanted > self.position["colonist_supply"]:
            self._game_will_end("colonists")
        boarding = min(wanted, self.position["colonist_supply"])
        self.position["colonist_supply"] -= boarding
        self.position["colonist_ship"] += boarding

    # Builder

    def _builder_choices(self) -> list[Name]:
        """Any available building that is not yet owned, affordable, and fits into the city."""
        board = self._board()
        choices: list[Name] = [("pass",)]
        for building, left in self.position["buildings_left"].items():
            if left == 0 or building in board["city"]:
                continue
            if filled_city_spaces(board) + spaces_of(building) > CITY_SPACES:
                continue
            if cost(board, building, is_builder=self._is_picker()) <= board["doubloons"]:
                choices.append(("build", building))
        return choices

    def _build(self, name: Name) -> None:
        """Pay and build; a working university may man the building."""
        if name == ("pass",):
            self._next_builder()
            return
        building = str(name[1])
        board = self._board()
        board["doubloons"] -= cost(board, building, is_builder=self._is_picker())
        board["city"][building] = 0
        self.position["buildings_left"][building] -= 1
        if filled_city_spaces(board) == CITY_SPACES:
            self._game_will_end("city")
        if works(board, "university"):
            self._ask("university", placed=building)
        else:
            self._next_builder()

    def _use_university(self, name: Name) -> None:
        """Man the building just built, or decline."""
        if name == ("take_colonist",):
            self._man_what_was_placed()
        self._next_builder()

    def _next_builder(self) -> None:
        """The next player may build."""
        if self._pass_on():
            self._ask("builder")
        else:
            self._end_of_role()

    # Craftsman

    def _produce_goods(self) -> None:
        """All players, craftsman first, take what they produce; then comes the craftsman's privilege."""
        produced_by_craftsman = self._produce_for_one()
        while self._pass_on():
            self._produce_for_one()
        self._ask_picker("craftsman_privilege", produced=produced_by_craftsman)

    def _produce_for_one(self) -> dict[str, int]:
        """One player takes barrels, limited by the supply, and the factory pays for their kinds."""
        board = self._board()
        produced = {}
        for good in GOODS:
            barrels = min(capacity_to_produce(board, good), self.position["goods_supply"][good])
            self.position["goods_supply"][good] -= barrels
            board["goods"][good] += barrels
            produced[good] = barrels
        if works(board, "factory"):
            board["doubloons"] += FACTORY_DOUBLOONS[sum(1 for barrels in produced.values() if barrels > 0)]
        return produced

    def _craftsman_privilege_choices(self) -> list[Name]:
        """One more barrel of a kind really produced, if the supply still has one."""
        produced = self.position["decision"]["produced"]
        supply = self.position["goods_supply"]
        choices: list[Name] = [("pass",)]
        return choices + [("take_good", good) for good in GOODS if produced[good] > 0 and supply[good] > 0]

    def _use_craftsman_privilege(self, name: Name) -> None:
        """Take the barrel, or decline."""
        if name != ("pass",):
            good = str(name[1])
            self.position["goods_supply"][good] -= 1
            self._board()["goods"][good] += 1
        self._end_of_role()

    # Trader

    def _trading_house_is_full(self) -> bool:
        """Whether the trading house buys nothing more."""
        return len(self.position["trading_house"]) == TRADING_HOUSE_SPACES

    def _trader_choices(self) -> list[Name]:
        """Sell a barrel of a kind that the house does not have; with a working office, any kind."""
        board = self._board()
        house = self.position["trading_house"]
        choices: list[Name] = [("pass",)]
        for good in GOODS:
            if board["goods"][good] > 0 and (good not in house or works(board, "office")):
                choices.append(("sell", good))
        return choices

    def _trade(self, name: Name) -> None:
        """Sell a barrel for its price, the trader's privilege and the markets' bonus, or decline."""
        if name != ("pass",):
            good = str(name[1])
            board = self._board()
            board["goods"][good] -= 1
            self.position["trading_house"].append(good)
            self.position["trading_house"].sort(key=GOODS.index)  # the order in the house is irrelevant
            board["doubloons"] += PRICES[good]
            board["doubloons"] += 1 if self._is_picker() else 0
            board["doubloons"] += 1 if works(board, "small_market") else 0
            board["doubloons"] += 2 if works(board, "large_market") else 0
        if not self._trading_house_is_full() and self._pass_on():
            self._ask("trader")
        else:
            self._empty_full_trading_house()
            self._end_of_role()

    def _empty_full_trading_house(self) -> None:
        """A full house is emptied into the supply, a part-full one stays as it is."""
        if self._trading_house_is_full():
            for good in self.position["trading_house"]:
                self.position["goods_supply"][good] += 1
            self.position["trading_house"] = []

    # Captain

    def _ships_for(self, good: str) -> list[int]:
        """The ships on which the player may load a good: the one that carries it, else the best empty ones."""
        ships = self.position["ships"]
        carrying = [i for i, ship in enumerate(ships) if ship["good"] == good]
        if carrying:
            return [i for i in carrying if ships[i]["barrels"] < ships[i]["capacity"]]
        empty = [i for i, ship in enumerate(ships) if ship["good"] is None]
        fitting = {i: min(self._board()["goods"][good], ships[i]["capacity"]) for i in empty}
        return [i for i in empty if fitting[i] == max(fitting.values())]

    def _captain_choices(self) -> list[Name]:
        """A player who can load a ship must, or use a working wharf once a phase; otherwise they may pass."""
        board = self._board()
        held = [good for good in GOODS if board["goods"][good] > 0]
        choices: list[Name] = [("load", good, ship) for good in held for ship in self._ships_for(good)]
        if not choices:
            choices.append(("pass",))
        if works(board, "wharf") and self.position["player"] not in self.position["decision"]["wharf_used"]:
            choices += [("wharf", good) for good in held]
        return choices

    def _ship_goods(self, name: Name) -> None:
        """Load one kind on a ship or the wharf, or pass; loading ends when nobody loaded for a whole round."""
        decision = self.position["decision"]
        if name == ("pass",):
            decision["idle_turns"] += 1
        else:
            decision["idle_turns"] = 0
            good = str(name[1])
            barrels = self._load_on_wharf(good) if name[0] == "wharf" else self._load_on_ship(good, int(name[2]))
            self._board()["goods"][good] -= barrels
            self._score_load(barrels)
        self._pass_on()
        if decision["idle_turns"] == self.position["players"]:
            self.position["player"] = self.position["picker"]
            self._begin_to_store()

    def _load_on_ship(self, good: str, number: int) -> int:
        """As many barrels as fit."""
        ship = self.position["ships"][number]
        barrels = min(self._board()["goods"][good], ship["capacity"] - ship["barrels"])
        ship["good"] = good
        ship["barrels"] += barrels
        return int(barrels)

    def _load_on_wharf(self, good: str) -> int:
        """All barrels, into the supply; the wharf works once a phase."""
        barrels = self._board()["goods"][good]
        self.position["goods_supply"][good] += barrels
        used = self.position["decision"]["wharf_used"]
        self.position["decision"]["wharf_used"] = sorted([*used, self.position["player"]])
        return int(barrels)

    def _score_load(self, barrels: int) -> None:
        """A point a barrel, one more with a working harbor, one more for the captain's first load."""
        points = barrels
        if works(self._board(), "harbor"):
            points += 1
        if self._is_picker():
            points += self.position["decision"]["captain_bonus"]
            self.position["decision"]["captain_bonus"] = 0
        self._board()["chips"] += points
        self.position["chips_supply"] = max(0, self.position["chips_supply"] - points)
        if self.position["chips_supply"] == 0:
            self._game_will_end("chips")

    # Storing

    def _begin_to_store(self) -> None:
        """Players who can store everything keep it; others are asked about each good they hold."""
        board = self._board()
        if everything_fits(board):
            self._next_to_store()
            return
        kinds = warehouse_kinds(board)
        first = next(good for good in GOODS if board["goods"][good] > 0)
        self._ask("store", store_good=first, store_kinds=kinds, store_single=1, store_places=kinds + 1)

    def _store_choices(self) -> list[Name]:
        """Keep nothing, a single barrel out of several, or all barrels of the good in question."""
        decision = self.position["decision"]
        barrels = self._board()["goods"][decision["store_good"]]
        choices: list[Name] = [("store", "none")]
        if decision["store_places"] == 0:
            return choices
        if barrels > 1 and decision["store_single"] > 0:
            choices.append(("store", "one"))
        if barrels == 1 or decision["store_kinds"] > 0:
            choices.append(("store", "all"))
        return choices

    def _store(self, name: Name) -> None:
        """Keep the chosen barrels, return the rest to the supply, and move on to the next good."""
        decision = self.position["decision"]
        good = decision["store_good"]
        goods = self._board()["goods"]
        kept = {"none": 0, "one": 1, "all": goods[good]}[str(name[1])]
        if kept > 0:
            decision["store_places"] -= 1
        if kept > 1:
            decision["store_kinds"] -= 1
        if name == ("store", "one"):
            decision["store_single"] -= 1
        self.position["goods_supply"][good] += goods[good] - kept
        goods[good] = kept
        later = [other for other in GOODS[GOODS.index(good) + 1 :] if goods[other] > 0]
        if later:
            decision["store_good"] = later[0]
        else:
            self._next_to_store()

    def _next_to_store(self) -> None:
        """The next player stores; after the last one full ships leave."""
        if self._pass_on():
            self._begin_to_store()
        else:
            self._empty_full_ships()
            self._end_of_role()

    def _empty_full_ships(self) -> None:
        """The barrels of full ships go back to the supply, the other ships stay loaded."""
        for ship in self.position["ships"]:
            if ship["barrels"] == ship["capacity"]:
                self.position["goods_supply"][ship["good"]] += ship["barrels"]
                ship["good"] = None
                ship["barrels"] = 0
