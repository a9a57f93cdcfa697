"""Puerto Rico with Expansion I, six players, double role cards and the balanced rules, as an oracle for tests.

Written from the rulebooks and our rulings only, independently of the fast implementation. The rules are written from
top to bottom: ``yield`` asks the player to decide, and the game continues with the answer.
``ExpansionReference(position, options)`` starts from a copy of the result of ``Batch.to_dict`` between two roles or in
the draft; ``legal`` lists the names of the legal actions, ``play`` plays one, and all later decisions with only one
legal action, and ``fired`` counts the effects of buildings.

``python -m tests.puerto_rico.reference_expansion --games 1000`` compares many games with the fast implementation.
"""

import argparse
import copy
import random
from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from tests.puerto_rico.reference import (
    BUILDINGS as BASE_BUILDINGS,
)
from tests.puerto_rico.reference import (
    CITY_SPACES,
    ENDINGS,
    FACTORY_DOUBLOONS,
    GOODS,
    ISLAND_SPACES,
    LARGE_PRODUCTION,
    PRICES,
    PRODUCTION_BUILDINGS,
    ROLES,
    SET_UPS,
    SMALL_PRODUCTION,
    TILES,
    TRADING_HOUSE_SPACES,
    Board,
    Building,
    Name,
    Position,
    SetUp,
    all_colonists,
    capacity_to_produce,
    colonists_on,
    lift_colonists,
    place_tile,
    put_colonists,
    warehouse_kinds,
    works,
)

Asking = Generator[list[Name], Name, None]  # a part of the game: yields the legal actions, and receives the one played
AskingFor = Generator[list[Name], Name, Name]
PASS: Name = ("pass",)
FOREST: Name = ("settle", "forest")

# The material

NEW_BUILDINGS = {
    "aqueduct": Building(1, 1, 1, 2),
    "black_market": Building(2, 1, 1, 2),
    "forest_house": Building(2, 1, 1, 2),
    "storehouse": Building(3, 1, 1, 2),
    "guesthouse": Building(4, 2, 2, 2),
    "church": Building(5, 2, 1, 2),
    "trading_post": Building(5, 2, 1, 2),
    "small_wharf": Building(6, 2, 1, 2),
    "lighthouse": Building(7, 3, 1, 2),
    "library": Building(8, 3, 1, 2),
    "specialty_factory": Building(8, 3, 1, 2),
    "union_hall": Building(9, 3, 1, 2),
    "cloister": Building(10, 4, 1, 1),
    "statue": Building(10, 4, 0, 1),
    "large_church": Building(10, 4, 1, 1),
}
BUILDINGS = BASE_BUILDINGS | NEW_BUILDINGS
PRODUCTION = SMALL_PRODUCTION + LARGE_PRODUCTION
VIOLET = tuple(building for building in BUILDINGS if building not in PRODUCTION)
TO_DRAFT = tuple(building for building in VIOLET if building != "large_church")
SPACES_OF_COST = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}  # of the violet buildings on the board
PRINTED_POINTS = {building: 8 if building == "statue" else row.column for building, row in BUILDINGS.items()}
BALANCED_COSTS = {"university": 7, "factory": 8}
LARGE = tuple(building for building, row in BUILDINGS.items() if row.column == 4)
PLACES = (*TILES, *BUILDINGS)  # where colonists work, in the order in which they are asked for
CLOISTER_POINTS = (0, 1, 3, 6, 10)
SOURCES = (
    "chips",
    "buildings",
    "guild_hall",
    "residence",
    "fortress",
    "customs_house",
    "city_hall",
    "cloister",
    "large_church",
)

JOHNS = SetUp(
    doubloons=5,
    chips=150,
    colonists=115,
    ships=(7, 8, 9),
    quarries=10,
    plantations=(12, 15, 14, 11, 10),
    goods=(12, 14, 14, 11, 11),
    prospectors=("prospector", "politician", "pirate"),
    start_tiles=("indigo", "indigo", "indigo", "corn", "corn", "corn"),
)
WITH_GOVERNOR_CARD = SET_UPS[5]._replace(
    colonists=94,  # a sixth one is on the ship: 100 in all, as five players have
    prospectors=("prospector", "prospector_2", "governor"),
    start_tiles=JOHNS.start_tiles,
)


@dataclass(frozen=True)
class Options:
    """The options of ``PuertoRico`` that change the rules."""

    players: int
    buildings: str | tuple[str, ...] = "base"
    six_players: str = "johns"
    double_cards: bool = False
    balanced: bool = False
    hacienda_with_forest_house: str = "allowed"
    small_wharf_harbor: str = "use"
    two_player_library: str = "each"
    max_rounds: int = 100

    @property
    def is_johns(self) -> bool:
        """Six players with more material."""
        return self.players == 6 and self.six_players == "johns"

    @property
    def has_governor_card(self) -> bool:
        """Six players with the material of five and a role card that makes its owner governor."""
        return self.players == 6 and self.six_players == "governor"

    @property
    def set_up(self) -> SetUp:
        """The material for the number of players and the cards."""
        if self.players == 6:
            return JOHNS if self.is_johns else WITH_GOVERNOR_CARD
        if self.double_cards:
            return SET_UPS[self.players]._replace(prospectors=("politician", "pirate"))
        return SET_UPS[self.players]

    def cost(self, building: str) -> int:
        """The cost before any reduction."""
        return BALANCED_COSTS.get(building, BUILDINGS[building].cost) if self.balanced else BUILDINGS[building].cost

    def copies(self, building: str) -> int:
        """The number of copies of a building in the game, if it is used."""
        if BUILDINGS[building].column == 4:
            return 1
        if self.players == 2:
            return 2 if building in PRODUCTION else 1
        return BUILDINGS[building].copies + (1 if self.is_johns else 0)

    def arguments(self) -> dict[str, Any]:
        """The arguments of ``PuertoRico``."""
        arguments = asdict(self)
        if not isinstance(self.buildings, str):
            arguments["buildings"] = list(self.buildings)
        return arguments


# The set-up


def can_be_put_up(kinds: Iterable[str], options: Options) -> list[str]:
    """The violet kinds that still fit on the board, which has a number of spaces for each printed cost."""
    on_board = set(kinds)
    fitting = []
    for kind in TO_DRAFT:
        price = BUILDINGS[kind].cost
        taken = sum(1 for other in TO_DRAFT if other in on_board and BUILDINGS[other].cost == price)
        if kind in on_board or taken == SPACES_OF_COST[price]:
            continue
        if options.hacienda_with_forest_house == "excluded":
            if (kind == "hacienda" and "forest_house" in on_board) or (
                kind == "forest_house" and "hacienda" in on_board
            ):
                continue
        fitting.append(kind)
    return fitting


def random_kinds(options: Options, rng: random.Random) -> tuple[str, ...]:
    """Seventeen violet kinds that fit on the board."""
    kinds: list[str] = []
    while fitting := can_be_put_up(kinds, options):
        kinds.append(rng.choice(fitting))
    return tuple(kind for kind in TO_DRAFT if kind in kinds)


def start_board(doubloons: int, tile: str) -> Board:
    """A player's board at the start."""
    return {
        "doubloons": doubloons,
        "chips": 0,
        "goods": dict.fromkeys(GOODS, 0),
        "island": {tile: {"tiles": 1, "colonists": 0}},
        "forests": 0,
        "city": {},
        "san_juan": 0,
    }


def start_position(options: Options, kinds: Iterable[str]) -> Position:
    """The start of a game with these violet kinds, without the random parts: no generator, no face-up tiles yet."""
    set_up = options.set_up
    in_game = {*PRODUCTION, *kinds} | ({"large_church"} if options.is_johns else set())
    face_down = dict(zip(GOODS, set_up.plantations, strict=True))
    for tile in set_up.start_tiles:
        face_down[tile] -= 1
    poorer = 1 if options.balanced else 0
    return {
        "game": "puerto_rico",
        "players": options.players,
        "round": 1,
        "governor": 0,
        "picker": 0,
        "role": None,
        "phase": "draft" if options.buildings == "draft" else "pick_role",
        "player": 0,
        "ending": [],
        "roles": {role: {"doubloons": 0, "taken_by": None} for role in ROLES + set_up.prospectors},
        "goods_supply": dict(zip(GOODS, set_up.goods, strict=True)),
        "colonist_supply": set_up.colonists,
        "colonist_ship": options.players,
        "chips_supply": set_up.chips,
        "quarry_supply": set_up.quarries,
        "face_up": dict.fromkeys(GOODS, 0),
        "face_down": face_down,
        "discards": dict.fromkeys(GOODS, 0),
        "removed": dict.fromkeys(GOODS, 0),
        "kinds": [building for building in BUILDINGS if building in in_game],
        "buildings_left": {b: options.copies(b) for b in BUILDINGS if b in in_game},
        "ships": [{"capacity": capacity, "good": None, "barrels": 0} for capacity in set_up.ships],
        "trading_house": [],
        "decision": {},
        "boards": [
            start_board(set_up.doubloons - (poorer if tile == "corn" else 0), tile) for tile in set_up.start_tiles
        ],
    }


# A player's board


def filled_island_spaces(board: Board) -> int:
    """The number of tiles and forests on the island."""
    return sum(int(pile["tiles"]) for pile in board["island"].values()) + int(board["forests"])


def island_is_full(board: Board) -> bool:
    """Whether no further tile can be placed."""
    return filled_island_spaces(board) >= ISLAND_SPACES


def spaces_of(building: str) -> int:
    """A large building takes two spaces."""
    return 2 if BUILDINGS[building].column == 4 else 1


def filled_city_spaces(board: Board) -> int:
    """The number of occupied city spaces."""
    return sum(spaces_of(building) for building in board["city"])


def circles(board: Board, place: str) -> int:
    """The number of circles that the player has on tiles of a kind, or in a building."""
    if place in TILES:
        return int(board["island"][place]["tiles"]) if place in board["island"] else 0
    return BUILDINGS[place].circles if place in board["city"] else 0


def colonists_at(board: Board, place: str) -> int:
    """The number of colonists in San Juan, on tiles of a kind, or in a building."""
    if place == "san_juan":
        return int(board["san_juan"])
    return colonists_on(board, place) if place in TILES else int(board["city"].get(place, 0))


def empty_circles(board: Board, place: str) -> int:
    """The number of empty circles there."""
    return circles(board, place) - colonists_at(board, place)


def can_be_kept(whole: Iterable[int], loose: int, kinds_in_warehouses: int, loose_places: int) -> bool:
    """Whether barrels fit: goods stored whole in warehouses or loose, and a number of loose barrels."""
    too_many = sorted(whole, reverse=True)[kinds_in_warehouses:]
    return sum(too_many) + loose <= loose_places


def points_of(board: Board) -> dict[str, int]:
    """Victory points by source; large buildings pay their bonus only while occupied."""
    points = dict.fromkeys(SOURCES, 0)
    points["chips"] = board["chips"]
    points["buildings"] = sum(PRINTED_POINTS[building] for building in board["city"])
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
        points["city_hall"] = sum(1 for building in board["city"] if building not in PRODUCTION)
    if works(board, "cloister"):
        groups = board["forests"] // 3 + sum(pile["tiles"] // 3 for pile in board["island"].values())
        points["cloister"] = CLOISTER_POINTS[groups]
    if works(board, "large_church"):
        points["large_church"] = board["doubloons"] // 2
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


class Played(NamedTuple):
    """A role as it is played: a politician's has no privilege."""

    role: str
    picker: int
    privileged: bool


class ExpansionReference:
    """One game; ``position`` is the expected result of ``Batch.to_dict``."""

    def __init__(self, position: Position, options: Options) -> None:
        """Start from a copy of a position in the draft or between two roles."""
        if position["phase"] not in ("draft", "pick_role"):
            raise ValueError(f"a game can start in the draft or between two roles, not in phase {position['phase']}")
        self.position: Position = copy.deepcopy(position)
        self.options = options
        self.fired: Counter[str] = Counter()
        self._libraries_used: set[int] = set()  # seats, in this round, with two_player_library="round"
        self._game = self._play_game()
        self._legal: list[Name] = []
        self._go_on(None)

    def legal(self) -> list[Name]:
        """The names of the legal actions; none when the game is over."""
        return list(self._legal)

    def play(self, name: Name) -> None:
        """Play an action, then all decisions with only one legal action."""
        if name not in self._legal:
            raise ValueError(f"{name} is not legal in phase {self.position['phase']}")
        self._go_on(name)

    def _go_on(self, name: Name | None) -> None:
        try:
            self._legal = next(self._game) if name is None else self._game.send(name)
        except StopIteration:
            self._legal = []

    # Seats, questions, points

    def _board(self, seat: int) -> Board:
        board: Board = self.position["boards"][seat]
        return board

    def _clockwise_from(self, seat: int) -> list[int]:
        players = self.options.players
        return [(seat + step) % players for step in range(players)]

    def _ask(self, seat: int, phase: str, choices: list[Name], **decision: Any) -> AskingFor:
        """Put a question to a player, unless it has only one answer."""
        if len(choices) == 1:
            return choices[0]
        self.position["player"] = seat
        self.position["phase"] = phase
        self.position["decision"] = decision
        answer = yield choices
        self.position["decision"] = {}
        return answer

    def _game_will_end(self, reason: str) -> None:
        """Record an end condition, which stays met: the game ends after this round."""
        met = {*self.position["ending"], reason}
        self.position["ending"] = [ending for ending in ENDINGS if ending in met]

    def _give_points(self, seat: int, points: int) -> None:
        """Take chips from the supply; without chips, points are still counted."""
        self._board(seat)["chips"] += points
        self._count_chips()

    def _count_chips(self) -> None:
        """The chips that the players do not have are in the supply; if there are none, the game will end."""
        points = sum(board["chips"] for board in self.position["boards"])
        self.position["chips_supply"] = max(0, self.options.set_up.chips - points)
        if self.position["chips_supply"] == 0:
            self._game_will_end("chips")

    def _privilege(self, played: Played) -> int:
        """The number of times that the picker has the privilege of the role: the library doubles it."""
        if not played.privileged:
            return 0
        if not works(self._board(played.picker), "library") or played.picker in self._libraries_used:
            return 1
        self.fired["library " + played.role] += 1
        return 2

    def _pays(self, seat: int, building: str, doubloons: int) -> None:
        """Pay the owner of a building doubloons."""
        self._board(seat)["doubloons"] += doubloons
        self.fired[building] += 1 if doubloons > 0 else 0

    # Draft and rounds

    def _play_game(self) -> Asking:
        if self.position["phase"] == "draft":
            yield from self._draft()
        self.position["ending"] = list(self.position["ending"])
        while True:
            yield from self._pick_roles()
            self._end_round()
            if self.position["ending"]:
                break
        self.position["phase"] = "game_over"
        self.position["decision"] = {}

    def _draft(self) -> Asking:
        """In seat order all players put a kind on the board, until all spaces are taken."""
        seat = self.position["player"]
        while fitting := can_be_put_up(self.position["kinds"], self.options):
            answer = yield from self._ask(seat, "draft", [("draft", kind) for kind in fitting])
            kind = str(answer[1])
            in_game = {*self.position["kinds"], kind}
            self.position["kinds"] = [building for building in BUILDINGS if building in in_game]
            self.position["buildings_left"][kind] = self.options.copies(kind)
            seat = (seat + 1) % self.options.players

    def _picks(self) -> int:
        """The number of cards picked in this round."""
        return sum(1 for card in self.position["roles"].values() if card["taken_by"] is not None)

    def _all_have_picked(self) -> bool:
        """The number of picks per player in a round: one, or three with two players."""
        return self._picks() == (6 if self.options.players == 2 else self.options.players)

    def _pick_roles(self) -> Asking:
        """The picker, then clockwise, until everybody has picked."""
        while not self._all_have_picked():
            picker = self.position["picker"]
            yield from self._pick_a_role(picker)
            self.position["role"] = None
            if not self._all_have_picked():
                self.position["picker"] = (picker + 1) % self.options.players

    def _roles_taken(self) -> list[str]:
        """The roles that a politician may play again: every one picked before that has an action for all players."""
        return [role for role in ROLES if self.position["roles"][role]["taken_by"] is not None]

    def _roles_to_pick(self) -> list[Name]:
        """The cards that nobody took in this round; a double card with either side."""
        choices: list[Name] = []
        for role, card in self.position["roles"].items():
            if card["taken_by"] is not None:
                continue
            if role != "politician" or self._roles_taken():
                choices.append(("pick", role))
            if role in ("politician", "pirate"):
                choices.append(("pick", role + "_as_prospector"))
        return choices

    def _pick_a_role(self, picker: int) -> Asking:
        """Take a card with the doubloons on it, and play it."""
        answer = yield from self._ask(picker, "pick_role", self._roles_to_pick())
        side = str(answer[1])
        role = side.removesuffix("_as_prospector")
        replayable = self._roles_taken()
        card = self.position["roles"][role]
        card["taken_by"] = picker
        self._board(picker)["doubloons"] += card["doubloons"]
        card["doubloons"] = 0
        self.position["role"] = role if side == role else "prospector"
        if side == "politician":
            answer = yield from self._ask(picker, "politician", [("replay", role) for role in replayable])
            self.fired["politician " + str(answer[1])] += 1
            self.position["role"] = answer[1]
            yield from self._play_role(Played(str(answer[1]), picker, privileged=False))
        elif side != role or role in ("prospector", "prospector_2"):
            yield from self._play_role(Played("prospector", picker, privileged=True))
        else:
            yield from self._play_role(Played(role, picker, privileged=True))

    def _play_role(self, played: Played) -> Asking:
        """Guests may move first (the mayor moves everybody anyway), then the role is played."""
        if played.role not in ("mayor", "governor"):
            for seat in self._clockwise_from(played.picker):
                yield from self._move_guests(seat)
        if played.role == "settler":
            yield from self._settler(played)
        elif played.role == "mayor":
            yield from self._mayor(played)
        elif played.role == "builder":
            yield from self._builder(played)
        elif played.role == "craftsman":
            yield from self._craftsman(played)
        elif played.role == "trader":
            yield from self._trader(played)
        elif played.role == "captain":
            yield from self._captain(played)
        elif played.role == "pirate":
            yield from self._pirate(played)
        elif played.role == "governor":
            yield from self._end_without_a_phase(played)
        elif played.role == "prospector":
            self._board(played.picker)["doubloons"] += self._privilege(played)
        if self.options.two_player_library == "round" and self.options.players == 2:
            if works(self._board(played.picker), "library"):
                self._libraries_used.add(played.picker)

    def _end_round(self) -> None:
        """A doubloon on every unpicked card, all cards back, a new governor; the game ends if an end came up."""
        if self.options.has_governor_card:
            taken_by = self.position["roles"]["governor"]["taken_by"]
            next_governor = self.position["governor"] if taken_by is None else taken_by
            self.fired["governor card"] += 0 if taken_by is None else 1
        else:
            next_governor = (self.position["governor"] + 1) % self.options.players
        for card in self.position["roles"].values():
            if card["taken_by"] is None:
                card["doubloons"] += 1
            card["taken_by"] = None
        self._libraries_used.clear()
        if not self.position["ending"] and self.position["round"] >= self.options.max_rounds:
            self._game_will_end("rounds")
        if not self.position["ending"]:
            self.position["round"] += 1
            self.position["governor"] = self.position["picker"] = next_governor

    # Guesthouse

    def _before_points_are_counted(self, seats: Iterable[int]) -> Asking:
        """At the end of the last phase of the game guests can still man large buildings; nothing else matters."""
        game_ends = self.position["ending"] or self.position["round"] >= self.options.max_rounds
        if not (self._all_have_picked() and game_ends):
            return
        for seat in seats:
            moved = self.fired["guesthouse"]
            yield from self._move_guests(seat, LARGE)
            moved = self.fired["guesthouse"] - moved
            self.fired[f"guests at the end of the {self.position['role']}'s phase"] += moved

    def _end_without_a_phase(self, played: Played) -> Asking:
        """After the governor's card it is still the end of the previous phase, unless that was a mayor's."""
        before = (played.picker - 1) % self.options.players
        if self.position["roles"]["mayor"]["taken_by"] != before:
            yield from self._before_points_are_counted(self._clockwise_from(played.picker))

    def _move_guests(self, seat: int, allowed: Iterable[str] = PLACES) -> Asking:
        """Guests move to empty circles, in the order of the places, as long as the player wishes."""
        board = self._board(seat)
        last = 0
        while colonists_at(board, "guesthouse") > 0:
            places = [place for place in PLACES[last:] if place in allowed and empty_circles(board, place) > 0]
            if "guesthouse" in places:
                places.remove("guesthouse")
            if not places:
                return
            answer = yield from self._ask(seat, "guest", [PASS, *(("guest", place) for place in places)])
            if answer == PASS:
                return
            place = str(answer[1])
            board["city"]["guesthouse"] -= 1
            put_colonists(board, place, 1)
            self.fired["guesthouse"] += 1
            self.fired["guest to " + place] += 1
            last = PLACES.index(place)

    # Colonists of hospice and university

    def _ask_for_colonist(self, seat: int, phase: str, place: str) -> Asking:
        """Put a colonist from the supply, or else from the ship, on the tile or building just placed, or decline."""
        choices: list[Name] = [PASS]
        if self.position["colonist_supply"] + self.position["colonist_ship"] > 0:
            choices.append(("take_colonist",))
        answer = yield from self._ask(seat, phase, choices)
        if answer == PASS:
            return
        source = "colonist_supply" if self.position["colonist_supply"] > 0 else "colonist_ship"
        self.position[source] -= 1
        self.fired[phase] += 1
        if place in ("forest", "statue"):  # no circle
            self._board(seat)["san_juan"] += 1
            self.fired[f"{phase} with {place}"] += 1
        else:
            put_colonists(self._board(seat), place, 1)

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

    def _settler(self, played: Played) -> Asking:
        """All players may take a tile, a settler with a library another one after them; then new ones are turned up."""
        for seat in self._clockwise_from(played.picker):
            board = self._board(seat)
            is_first = seat == played.picker  # who has just been asked about guests
            if not is_first:
                yield from self._move_guests(seat)
            if works(board, "hacienda") and not island_is_full(board) and self._tiles_left() > 0:
                yield from self._ask_for_hacienda(seat)
                yield from self._move_guests(seat)
            may_quarry = (is_first and played.privileged) or works(board, "construction_hut")
            taken = yield from self._take_tile(seat, may_quarry)
            if taken != PASS and works(board, "hospice"):
                yield from self._ask_for_colonist(seat, "hospice", str(taken[1]))
        if self._privilege(played) == 2:
            yield from self._move_guests(played.picker)
            may_quarry = works(self._board(played.picker), "construction_hut")
            taken = yield from self._take_tile(played.picker, may_quarry)
            if taken != PASS:
                self.fired["library's tile: " + str(taken[1])] += 1
        self._turn_up_tiles()

    def _ask_for_hacienda(self, seat: int) -> Asking:
        """Draw a tile and place it, or with a forest house a forest instead; or decline."""
        answer = yield from self._ask(seat, "hacienda", [PASS, ("draw_tile",)])
        if answer == PASS:
            return
        board = self._board(seat)
        tile = self._draw_tile()
        self.fired["hacienda"] += 1
        if works(board, "forest_house"):
            answer = yield from self._ask(seat, "forest", [PASS, FOREST], drawn=tile)
            if answer == FOREST:
                self._place_forest(board, tile)
                self.fired["forest instead of the hacienda's tile"] += 1
                return
        place_tile(board, tile)

    def _place_forest(self, board: Board, tile: str) -> None:
        """Place a forest on the island, for which a tile leaves the game."""
        self.position["removed"][tile] += 1
        board["forests"] += 1
        self.fired["forest_house"] += 1

    def _take_tile(self, seat: int, may_quarry: bool) -> AskingFor:
        """Take a face-up tile, a quarry, a forest or nothing."""
        board = self._board(seat)
        choices: list[Name] = [PASS]
        if not island_is_full(board):
            choices += [("settle", tile) for tile in GOODS if self.position["face_up"][tile] > 0]
            if may_quarry and self.position["quarry_supply"] > 0:
                choices.append(("settle", "quarry"))
            if works(board, "forest_house") and self._tiles_left() > 0:
                choices.append(FOREST)
        answer = yield from self._ask(seat, "settler", choices)
        if answer == FOREST:
            self._place_forest(board, self._draw_tile())
        elif answer == ("settle", "quarry"):
            self.position["quarry_supply"] -= 1
            place_tile(board, "quarry")
        elif answer != PASS:
            self.position["face_up"][answer[1]] -= 1
            place_tile(board, str(answer[1]))
        return answer

    def _turn_up_tiles(self) -> None:
        """Discard the remaining tiles, then turn up one tile more than players, if there are enough."""
        for tile in GOODS:
            self.position["discards"][tile] += self.position["face_up"][tile]
            self.position["face_up"][tile] = 0
        for _ in range(self.options.players + 1):
            if self._tiles_left() > 0:
                self.position["face_up"][self._draw_tile()] += 1

    # Mayor

    def _mayor(self, played: Played) -> Asking:
        """The privilege, the colonists of the ship, then all players place all of theirs; the ship is refilled."""
        for _ in range(self._privilege(played)):
            choices: list[Name] = [PASS]
            if self.position["colonist_supply"] > 0:
                choices.append(("take_colonist",))
            answer = yield from self._ask(played.picker, "mayor_privilege", choices)
            if answer == PASS:
                break
            self.position["colonist_supply"] -= 1
            self._board(played.picker)["san_juan"] += 1
        seats = self._clockwise_from(played.picker)
        for number in range(self.position["colonist_ship"]):
            self._board(seats[number % len(seats)])["san_juan"] += 1
        self.position["colonist_ship"] = 0
        for seat in seats:
            yield from self._place_colonists(seat)
        self._refill_colonist_ship()

    def _place_colonists(self, seat: int) -> Asking:
        """All colonists are taken in hand and placed, so that none stays in San Juan while a circle is empty."""
        board = self._board(seat)
        lift_colonists(board)
        later = sum(circles(board, place) for place in PLACES)
        for place in PLACES:
            here = circles(board, place)
            later -= here
            in_hand = board["san_juan"]
            fewest, most = min(here, max(0, in_hand - later)), min(here, in_hand)
            choices: list[Name] = [("place", number) for number in range(fewest, most + 1)]
            answer = yield from self._ask(seat, "mayor", choices, circle_kind=place)
            if here > 0:
                board["san_juan"] -= int(answer[1])
                put_colonists(board, place, int(answer[1]))

    def _refill_colonist_ship(self) -> None:
        """A colonist for every empty circle in buildings, at least one for each player; too few end the game."""
        empty = sum(empty_circles(board, building) for board in self.position["boards"] for building in board["city"])
        wanted = max(empty, self.options.players)
        if wanted > self.position["colonist_supply"]:
            self._game_will_end("colonists")
        boarding = min(wanted, self.position["colonist_supply"])
        self.position["colonist_supply"] -= boarding
        self.position["colonist_ship"] += boarding

    # Builder

    def _builder(self, played: Played) -> Asking:
        """All players may build. The last player, if they build nothing, has just been asked about guests."""
        seats = self._clockwise_from(played.picker)
        answer = PASS
        for seat in seats:
            if seat != played.picker:
                yield from self._move_guests(seat)
            privilege = self._privilege(played) if seat == played.picker else 0
            prices = self._prices(seat, privilege)
            answer = yield from self._ask(seat, "builder", [PASS, *(("build", building) for building in prices)])
            if answer != PASS:
                yield from self._build(seat, str(answer[1]), prices[str(answer[1])])
        yield from self._before_points_are_counted(seats[:-1] if answer == PASS else seats)

    def _prices(self, seat: int, privilege: int) -> dict[str, int]:
        """The buildings that the player could build, with their prices."""
        board = self._board(seat)
        prices = {}
        for building, left in self.position["buildings_left"].items():
            if left == 0 or building in board["city"]:
                continue
            if filled_city_spaces(board) + spaces_of(building) > CITY_SPACES:
                continue
            quarries = min(colonists_on(board, "quarry"), BUILDINGS[building].column)
            price = max(0, self.options.cost(building) - privilege - quarries - board["forests"] // 2)
            missing = price - board["doubloons"]
            if missing <= 0 or (works(board, "black_market") and missing <= self._things_to_give(board)):
                prices[building] = price
        return prices

    def _places_to_pay_from(self, board: Board) -> list[str]:
        """The places of colonists that can be paid: anywhere except the black market."""
        places = ("san_juan", *PLACES)
        return [place for place in places if place != "black_market" and colonists_at(board, place) > 0]

    def _things_to_give(self, board: Board) -> int:
        """How many of a colonist, a barrel and a chip the player can give to the black market."""
        has_colonist = len(self._places_to_pay_from(board)) > 0
        has_barrel = sum(board["goods"].values()) > 0
        has_chip = board["chips"] > 0
        return int(has_colonist) + int(has_barrel) + int(has_chip)

    def _build(self, seat: int, building: str, price: int) -> Asking:
        """Pay and build; the church and the university have their effect if they work after paying."""
        board = self._board(seat)
        if price > board["doubloons"]:
            yield from self._pay_on_the_black_market(seat, price)
        else:
            board["doubloons"] -= price
        self.fired["forests' doubloons"] += 1 if board["forests"] >= 2 else 0
        board["city"][building] = 0
        self.position["buildings_left"][building] -= 1
        if filled_city_spaces(board) == CITY_SPACES:
            self._game_will_end("city")
        if self.options.has_governor_card and len(board["city"]) >= 10:
            self._game_will_end("city")
        if works(board, "church") and BUILDINGS[building].column >= 2:
            self._give_points(seat, 2 if BUILDINGS[building].column == 4 else 1)
            self.fired["church"] += 1
        if works(board, "university"):
            yield from self._ask_for_colonist(seat, "university", building)

    def _pay_on_the_black_market(self, seat: int, price: int) -> Asking:
        """Pay with a colonist, a barrel and a chip, at most one of each, for exactly the missing doubloons."""
        board = self._board(seat)
        missing = price - board["doubloons"]
        board["doubloons"] = 0
        self.fired[f"black_market for {missing}"] += 1
        self.fired["black_market"] += 1
        has_barrel, has_chip = sum(board["goods"].values()) > 0, board["chips"] > 0
        choices: list[Name] = [("pay_colonist", place) for place in self._places_to_pay_from(board)]
        if missing <= int(has_barrel) + int(has_chip):
            choices.append(PASS)
        answer = yield from self._ask(seat, "pay_colonist", choices)
        if answer != PASS:
            if answer[1] == "san_juan":
                board["san_juan"] -= 1
            else:
                put_colonists(board, str(answer[1]), -1)
            self.position["colonist_supply"] += 1
            missing -= 1
            self.fired["black_market: colonist"] += 1
        if missing > 0:
            choices = [("pay_barrel", good) for good in GOODS if board["goods"][good] > 0]
            if missing <= int(has_chip):
                choices.append(PASS)
            answer = yield from self._ask(seat, "pay_barrel", choices)
            if answer != PASS:
                board["goods"][answer[1]] -= 1
                self.position["goods_supply"][answer[1]] += 1
                missing -= 1
                self.fired["black_market: barrel"] += 1
        if missing > 0:
            board["chips"] -= 1
            missing -= 1
            self._count_chips()
            self.fired["black_market: chip"] += 1
        assert missing == 0

    # Craftsman

    def _craftsman(self, played: Played) -> Asking:
        """All players take what they produce; then the privilege, for kinds that the craftsman actually produced."""
        taken_by_picker: dict[str, int] = {}
        for seat in self._clockwise_from(played.picker):
            taken = self._produce(seat)
            if seat == played.picker:
                taken_by_picker = taken
            else:
                self._specialty_factory(seat, taken)
        if played.privileged:
            yield from self._craftsman_privilege(played, taken_by_picker)
        self._specialty_factory(played.picker, taken_by_picker)

    def _take_barrels(self, seat: int, good: str, wanted: int) -> int:
        """Take barrels, limited by the supply."""
        barrels = int(min(wanted, self.position["goods_supply"][good]))
        self.position["goods_supply"][good] -= barrels
        self._board(seat)["goods"][good] += barrels
        return barrels

    def _produce(self, seat: int) -> dict[str, int]:
        """The production of a player, including the aqueduct's barrels; the factory pays for the kinds."""
        board = self._board(seat)
        taken = {}
        for good in GOODS:
            taken[good] = self._take_barrels(seat, good, capacity_to_produce(board, good))
            in_large_building = good in ("indigo", "sugar") and works(board, PRODUCTION_BUILDINGS[good][1])
            if works(board, "aqueduct") and taken[good] > 0 and in_large_building:
                extra = self._take_barrels(seat, good, 1)
                taken[good] += extra
                self.fired["aqueduct" if extra else "aqueduct dry"] += 1
        if works(board, "factory"):
            self._pays(seat, "factory", FACTORY_DOUBLOONS[sum(1 for barrels in taken.values() if barrels > 0)])
        return taken

    def _specialty_factory(self, seat: int, taken: dict[str, int]) -> None:
        """Doubloons for all but one barrel of the kind taken most, other than corn."""
        if works(self._board(seat), "specialty_factory"):
            most = max(barrels for good, barrels in taken.items() if good != "corn")
            self._pays(seat, "specialty_factory", max(0, most - 1))

    def _craftsman_privilege(self, played: Played, taken: dict[str, int]) -> Asking:
        """One more barrel, or with a library two, in the order of the goods."""
        yield from self._move_guests(played.picker)
        produced = [good for good in GOODS if taken[good] > 0]
        first = 0
        for number in range(self._privilege(played)):
            supply = self.position["goods_supply"]
            goods = [good for good in GOODS[first:] if good in produced and supply[good] > 0]
            choices: list[Name] = [PASS, *(("take_good", good) for good in goods)]
            answer = yield from self._ask(played.picker, "craftsman_privilege", choices)
            if answer == PASS:
                return
            good = str(answer[1])
            taken[good] += self._take_barrels(played.picker, good, 1)
            first = GOODS.index(good)
            self.fired["second barrel of the craftsman"] += number

    # Trader

    def _trading_house_is_full(self) -> bool:
        return len(self.position["trading_house"]) == TRADING_HOUSE_SPACES

    def _trader(self, played: Played) -> Asking:
        """All players may sell a barrel, to the house or to their trading post; then a full house is emptied."""
        for seat in self._clockwise_from(played.picker):
            if seat != played.picker:
                yield from self._move_guests(seat)
            answer = yield from self._ask(seat, "trader", self._trader_choices(seat))
            if answer != PASS:
                self._sell(played, seat, str(answer[1]), to_post=answer[0] == "sell_to_post")
        if self._trading_house_is_full():
            for good in self.position["trading_house"]:
                self.position["goods_supply"][good] += 1
            self.position["trading_house"] = []

    def _trader_choices(self, seat: int) -> list[Name]:
        """The house takes kinds that it does not have, with an office any kind; a trading post takes any kind."""
        board = self._board(seat)
        house = self.position["trading_house"]
        held = [good for good in GOODS if board["goods"][good] > 0]
        choices: list[Name] = [PASS]
        if not self._trading_house_is_full():
            choices += [("sell", good) for good in held if good not in house or works(board, "office")]
        if works(board, "trading_post"):
            choices += [("sell_to_post", good) for good in held]
        return choices

    def _sell(self, played: Played, seat: int, good: str, *, to_post: bool) -> None:
        """The price and the trader's privilege; the markets add to what the house pays."""
        board = self._board(seat)
        board["goods"][good] -= 1
        board["doubloons"] += PRICES[good]
        board["doubloons"] += self._privilege(played) if seat == played.picker else 0
        if to_post:
            self.position["goods_supply"][good] += 1
            self.fired["trading_post"] += 1
            if self._trading_house_is_full():
                self.fired["trading_post beside a full house"] += 1
        else:
            self.position["trading_house"].append(good)
            self.position["trading_house"].sort(key=GOODS.index)  # the order in the house is irrelevant
            if works(board, "small_market"):
                self._pays(seat, "small_market", 1)
            if works(board, "large_market"):
                self._pays(seat, "large_market", 2)

    # Captain

    def _captain(self, played: Played) -> Asking:
        """Loading, clockwise, until nobody loaded for a whole round; then storing; then full ships leave."""
        if played.privileged and works(self._board(played.picker), "lighthouse"):
            self._pays(played.picker, "lighthouse", 1)
            self.fired["lighthouse of the captain"] += 1
        yield from self._load_ships(played)
        for seat in self._clockwise_from(played.picker):
            yield from self._move_guests(seat)
            yield from self._store(seat)
        for ship in self.position["ships"]:
            if ship["barrels"] == ship["capacity"]:
                self.position["goods_supply"][ship["good"]] += ship["barrels"]
                ship["good"] = None
                ship["barrels"] = 0

    def _load_ships(self, played: Played) -> Asking:
        wharf_used: set[int] = set()
        small_wharf_used: set[int] = set()
        have_loaded: set[int] = set()
        seat, idle_turns, guests_asked = played.picker, 0, True
        while idle_turns < self.options.players:
            if not guests_asked:
                yield from self._move_guests(seat)
            guests_asked = False
            choices = self._captain_choices(seat, seat not in wharf_used, seat not in small_wharf_used)
            answer = yield from self._ask(seat, "captain", choices)
            if answer == PASS:
                idle_turns += 1
            else:
                idle_turns = 0
                points = 0
                if seat not in have_loaded:
                    have_loaded.add(seat)
                    points += self._union_hall(seat)
                    points += self._privilege(played) if seat == played.picker else 0
                if answer[0] == "load":
                    points += self._load_on_ship(seat, str(answer[1]), int(answer[2]))
                elif answer[0] == "wharf":
                    wharf_used.add(seat)
                    points += self._load_on_wharf(seat, str(answer[1]))
                else:
                    small_wharf_used.add(seat)
                    shipped: dict[str, int] = {}
                    yield from self._load_on_small_wharf(seat, shipped)
                    points += self._points_of_small_wharf(seat, shipped)
                if works(self._board(seat), "lighthouse"):
                    self._pays(seat, "lighthouse", 1)
                self._give_points(seat, points)
            seat = (seat + 1) % self.options.players

    def _ships_for(self, seat: int, good: str) -> list[int]:
        """The ships on which the player may load a good: the one that carries it, else the best empty ones."""
        ships = self.position["ships"]
        for number, ship in enumerate(ships):
            if ship["good"] == good:
                return [number] if ship["barrels"] < ship["capacity"] else []
        fitting = {
            number: min(self._board(seat)["goods"][good], ship["capacity"])
            for number, ship in enumerate(ships)
            if ship["good"] is None
        }
        return [number for number, barrels in fitting.items() if barrels == max(fitting.values())]

    def _captain_choices(self, seat: int, wharf_is_free: bool, small_wharf_is_free: bool) -> list[Name]:
        """A player who can load a ship must do so, or use a wharf; with only a wharf they may pass."""
        board = self._board(seat)
        held = [good for good in GOODS if board["goods"][good] > 0]
        choices: list[Name] = [("load", good, ship) for good in held for ship in self._ships_for(seat, good)]
        if not choices:
            choices.append(PASS)
        if works(board, "wharf") and wharf_is_free:
            choices += [("wharf", good) for good in held]
        if works(board, "small_wharf") and small_wharf_is_free and held:
            choices.append(("small_wharf",))
        return choices

    def _union_hall(self, seat: int) -> int:
        """Before the first load: a point for every two barrels of the same kind held."""
        board = self._board(seat)
        if not works(board, "union_hall"):
            return 0
        points = sum(int(barrels) // 2 for barrels in board["goods"].values())
        self.fired["union_hall"] += 1 if points > 0 else 0
        return points

    def _harbor(self, seat: int, times: int = 1) -> int:
        if not works(self._board(seat), "harbor"):
            return 0
        self.fired["harbor"] += 1
        return times

    def _load_on_ship(self, seat: int, good: str, number: int) -> int:
        """As many barrels as fit; the points for them."""
        ship = self.position["ships"][number]
        board = self._board(seat)
        barrels = min(board["goods"][good], ship["capacity"] - ship["barrels"])
        ship["good"] = good
        ship["barrels"] += barrels
        board["goods"][good] -= barrels
        return int(barrels) + self._harbor(seat)

    def _load_on_wharf(self, seat: int, good: str) -> int:
        """All barrels of a kind, into the supply; the points for them."""
        board = self._board(seat)
        barrels = board["goods"][good]
        self.position["goods_supply"][good] += barrels
        board["goods"][good] = 0
        self.fired["wharf"] += 1
        return int(barrels) + self._harbor(seat)

    def _load_on_small_wharf(self, seat: int, shipped: dict[str, int]) -> Asking:
        """Any number of barrels of each kind held, at least one in total, go to the supply once all are named."""
        goods = self._board(seat)["goods"]
        held = [good for good in GOODS if goods[good] > 0]
        for good in held:
            fewest = 1 if good == held[-1] and sum(shipped.values()) == 0 else 0
            choices: list[Name] = [("ship", number) for number in range(fewest, goods[good] + 1)]
            answer = yield from self._ask(seat, "small_wharf", choices, ship_good=good)
            shipped[good] = int(answer[1])
        for good, barrels in shipped.items():
            goods[good] -= barrels
            self.position["goods_supply"][good] += barrels
        self.fired["small_wharf"] += 1

    def _points_of_small_wharf(self, seat: int, shipped: dict[str, int]) -> int:
        """A point for every two barrels shipped; the harbor pays for the use, or for each kind."""
        kinds = sum(1 for barrels in shipped.values() if barrels > 0)
        self.fired["small_wharf with several kinds"] += 1 if kinds > 1 else 0
        times = 1 if self.options.small_wharf_harbor == "use" else kinds
        return sum(shipped.values()) // 2 + self._harbor(seat, times)

    def _store(self, seat: int) -> Asking:
        """If everything fits, it is kept without a decision; otherwise the player is asked about each good held."""
        board = self._board(seat)
        goods = board["goods"]
        kinds = warehouse_kinds(board)
        loose_places = 4 if works(board, "storehouse") else 1
        held = {good: barrels for good, barrels in goods.items() if barrels > 0}
        if loose_places == 4 and sum(held.values()) > 0 and not can_be_kept(held.values(), 0, kinds, 1):
            self.fired["storehouse"] += 1
        if can_be_kept(held.values(), 0, kinds, loose_places):
            return
        whole: list[int] = []
        loose = 0
        for good, barrels in held.items():
            answers: dict[Name, int] = {("store", "none"): 0}
            for part in range(1, barrels):
                if part <= 4 and can_be_kept(whole, loose + part, kinds, loose_places):
                    answers[("store", "one") if part == 1 else ("keep", part)] = part
            if can_be_kept([*whole, barrels], loose, kinds, loose_places):
                answers["store", "all"] = barrels
            answer = yield from self._ask(seat, "store", list(answers), store_good=good)
            kept = answers[answer]
            if answer == ("store", "all"):
                whole.append(kept)
            else:
                loose += kept
            self.fired["part of a good in the storehouse"] += 1 if answer[0] == "keep" else 0
            self.position["goods_supply"][good] += barrels - kept
            goods[good] = kept

    # Pirate

    def _pirate(self, played: Played) -> Asking:
        """One barrel from a player, then one colonist from a San Juan or a plantation; nobody else acts."""
        picker = played.picker
        board = self._board(picker)
        others = list(enumerate(self._clockwise_from(picker)))[1:]
        choices: list[Name] = [PASS]
        for distance, seat in others:
            choices += [("plunder", distance, good) for good in GOODS if self._board(seat)["goods"][good] > 0]
        answer = yield from self._ask(picker, "pirate_barrel", choices)
        if answer != PASS:
            victim = self._board((picker + int(answer[1])) % self.options.players)
            victim["goods"][answer[2]] -= 1
            board["goods"][answer[2]] += 1
            self.fired["pirate: barrel"] += 1
        yield from self._move_guests(picker)
        choices = [PASS]
        for distance, seat in others:
            places = ("san_juan", *GOODS)
            choices += [("kidnap", distance, place) for place in places if colonists_at(self._board(seat), place) > 0]
        answer = yield from self._ask(picker, "pirate_colonist", choices)
        if answer != PASS:
            victim = self._board((picker + int(answer[1])) % self.options.players)
            if answer[2] == "san_juan":
                victim["san_juan"] -= 1
            else:
                put_colonists(victim, str(answer[2]), -1)
            board["san_juan"] += 1
            self.fired["pirate: colonist"] += 1
        yield from self._before_points_are_counted(seat for _, seat in others)  # the picker has just been asked


def main() -> None:
    """Run the command line."""
    from tests.puerto_rico.test_reference_expansion import CONFIGURATIONS, EFFECTS, compare_numbered_game

    parser = argparse.ArgumentParser(description="Compare games of the two implementations after every decision.")
    parser.add_argument("--games", type=int, default=1000, help="number of games, over all configurations")
    parser.add_argument("--seed", type=int, default=0, help="number of the first game")
    parser.add_argument("--only", default="", help="configurations with this text in their names")
    options = parser.parse_args()
    chosen = [(name, rules) for name, rules in CONFIGURATIONS.items() if options.only in name]
    seen: Counter[str] = Counter()
    for number in range(options.games):
        _, rules = chosen[number % len(chosen)]
        compare_numbered_game(rules, options.seed + number // len(chosen), seen)
    for what, times in sorted(seen.items()):
        print(f"{times:9,}  {what}")
    print("never came up: " + (", ".join(sorted(EFFECTS - set(seen))) or "nothing"))
    print(f"{seen['games']:,} games, {seen['decisions']:,} decisions: both implementations agree.")


if __name__ == "__main__":
    main()
