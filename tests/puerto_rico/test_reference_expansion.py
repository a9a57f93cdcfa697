"""The fast implementation against the slow one of ``reference_expansion.py``, decision by decision."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pr_env import Batch, PuertoRico
from tests.puerto_rico.reference import (
    CITY_SPACES,
    GOODS,
    ISLAND_SPACES,
    TILES,
    Name,
    Position,
    Reference,
    put_colonists,
)
from tests.puerto_rico.reference_expansion import (
    BUILDINGS,
    LARGE,
    NEW_BUILDINGS,
    PASS,
    PLACES,
    PRODUCTION,
    SOURCES,
    SPACES_OF_COST,
    TO_DRAFT,
    ExpansionReference,
    Options,
    can_be_put_up,
    circles,
    colonists_at,
    filled_city_spaces,
    filled_island_spaces,
    random_kinds,
    scores,
    spaces_of,
    start_position,
)

Policy = Callable[[Position, list[Name]], Name]

BASE_KINDS = [building for building in BUILDINGS if building not in NEW_BUILDINGS]

# Lists of violet kinds with buildings that change each other's effects

ALL_NEW = (
    "aqueduct",
    *("black_market", "forest_house"),
    "storehouse",
    "guesthouse",
    *("church", "trading_post"),
    "small_wharf",
    "lighthouse",
    *("library", "specialty_factory"),
    "union_hall",
    *("cloister", "statue", "residence", "city_hall", "fortress"),
)
SETTLING = (
    "small_market",
    *("hacienda", "forest_house"),
    "small_warehouse",
    "hospice",
    *("church", "office"),
    "large_warehouse",
    "factory",
    *("library", "university"),
    "wharf",
    *("cloister", "statue", "residence", "fortress", "customs_house"),
)
SHIPPING = (
    "small_market",
    *("black_market", "construction_hut"),
    "storehouse",
    "guesthouse",
    *("trading_post", "large_market"),
    "small_wharf",
    "lighthouse",
    *("library", "harbor"),
    "union_hall",
    *("statue", "guild_hall", "customs_house", "city_hall", "cloister"),
)
STORING = (
    "aqueduct",
    *("hacienda", "construction_hut"),
    "storehouse",
    "guesthouse",
    *("trading_post", "office"),
    "large_warehouse",
    "factory",
    *("specialty_factory", "harbor"),
    "wharf",
    *("statue", "guild_hall", "customs_house", "city_hall", "residence"),
)
HOSPICE = (
    "aqueduct",
    *("forest_house", "construction_hut"),
    "small_warehouse",
    "hospice",
    *("church", "large_market"),
    "small_wharf",
    "lighthouse",
    *("university", "library"),
    "wharf",
    *("cloister", "statue", "residence", "fortress", "guild_hall"),
)
GUESTS = (
    "aqueduct",
    *("hacienda", "forest_house"),
    "storehouse",
    "guesthouse",
    *("church", "office"),
    "small_wharf",
    "factory",
    *("library", "university"),
    "wharf",
    *("cloister", "city_hall", "residence", "fortress", "customs_house"),
)
LISTS = {"all new": ALL_NEW, "settling": SETTLING, "shipping": SHIPPING, "storing": STORING, "hospice": HOSPICE}

CONFIGURATIONS = {
    **{f"{players} players, draft": Options(players, "draft") for players in (2, 3, 4, 5)},
    **{f"{players} players, random": Options(players, "random") for players in (2, 3, 4, 5)},
    **{
        f"{players} players, {name}": Options(players, kinds)
        for players in (2, 3, 4, 5)
        for name, kinds in LISTS.items()
    },
    "2 players, library once a round": Options(2, SHIPPING, two_player_library="round"),
    "2 players, library once a round when settling": Options(2, SETTLING, two_player_library="round"),
    "4 players, forests without hacienda": Options(4, "draft", hacienda_with_forest_house="excluded"),
    "4 players, random forests without hacienda": Options(4, "random", hacienda_with_forest_house="excluded"),
    "3 players, harbor pays for kinds": Options(3, SHIPPING, small_wharf_harbor="kind"),
    "3 players, cut": Options(3, ALL_NEW, max_rounds=3),
    "3 players, balanced": Options(3, balanced=True),
    "4 players, balanced draft": Options(4, "draft", balanced=True),
    "5 players, balanced": Options(5, balanced=True),
    "5 players, double cards": Options(5, double_cards=True),
    "5 players, double cards, all new": Options(5, ALL_NEW, double_cards=True),
    "5 players, double cards, shipping": Options(5, SHIPPING, double_cards=True, balanced=True),
    "johns": Options(6),
    "johns, draft": Options(6, "draft"),
    "johns, all new": Options(6, ALL_NEW, balanced=True),
    "johns, settling": Options(6, SETTLING),
    "governor": Options(6, six_players="governor"),
    "governor, draft": Options(6, "draft", six_players="governor", balanced=True),
    "governor, all new": Options(6, ALL_NEW, six_players="governor"),
    "governor, shipping": Options(6, SHIPPING, six_players="governor", small_wharf_harbor="kind"),
}

GAME_STEPS = 300  # maximum number of decisions from the start of a game, in each configuration
CROWDED_STEPS = 80  # from a crowded position
CROWDED_GAMES = 150  # in all, and as many more as it takes to see everything that should come up
MOST_CROWDED_GAMES = 500
OWN_STEPS = 150  # of the reference alone, for each configuration

NO_GUESTS = ("guesthouse", "statue", "large_church")  # the one large church of a game hardly ever has one
EFFECTS = {
    *(building for building in NEW_BUILDINGS if building not in ("library", "cloister", "statue", "large_church")),
    *("library " + role for role in ("settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector")),
    *("library's tile: " + tile for tile in (*TILES, "forest")),
    *("politician " + role for role in ("settler", "mayor", "builder", "craftsman", "trader", "captain")),
    *("guest to " + place for place in (*TILES, *NEW_BUILDINGS) if place not in NO_GUESTS),
    *("black_market: " + thing for thing in ("colonist", "barrel", "chip")),
    *(f"black_market for {missing}" for missing in (1, 2, 3)),
    "aqueduct dry",
    "forests' doubloons",
    "forest instead of the hacienda's tile",
    "hospice with forest",
    "university with statue",
    "second barrel of the craftsman",
    "trading_post beside a full house",
    "small_wharf with several kinds",
    "lighthouse of the captain",
    "part of a good in the storehouse",
    "pirate: barrel",
    "pirate: colonist",
    "governor card",
    "ending colonists",
    "ending city",
    "ending chips",
}

LAST_PICKS = [
    Options(3, ALL_NEW, max_rounds=1),
    Options(4, GUESTS),
    Options(5, ALL_NEW, double_cards=True),
    Options(6, ALL_NEW),
    Options(6, ALL_NEW, six_players="governor"),
]
LAST_PICK_GAMES = 60
AT_THE_END = {f"guests at the end of the {role}'s phase" for role in ("builder", "pirate", "governor")}


# Players


def uniform_policy(rng: random.Random) -> Policy:
    """Any legal action."""

    def choose(position: Position, legal: list[Name]) -> Name:
        return rng.choice(legal)

    return choose


def eager_policy(rng: random.Random) -> Policy:
    """Prefers to build, man and use the new buildings, with different favourite roles in each game."""
    role_weights: dict[str, float] = {}

    def weight(position: Position, name: Name) -> float:
        phase = position["phase"]
        if name[0] == "pick":
            return role_weights.setdefault(str(name[1]), rng.choice([0.3, 1, 1, 4]))
        if name == PASS:
            return 0.3 if phase not in ("guest", "captain") else 1
        if name[0] == "build":
            return {"statue": 15}.get(str(name[1]), 5 if name[1] in NEW_BUILDINGS else 1)
        if name[0] == "place":
            return 1 + 3 * int(name[1]) if position["decision"].get("circle_kind") in BUILDINGS else 1
        return 2 if name in (("settle", "forest"), ("small_wharf",)) else 1

    def choose(position: Position, legal: list[Name]) -> Name:
        return rng.choices(legal, [weight(position, name) for name in legal])[0]

    return choose


def late_policy(rng: random.Random) -> Policy:
    """Keeps guests until the end of the game, and then picks roles that let them move."""
    eager = eager_policy(rng)

    def choose(position: Position, legal: list[Name]) -> Name:
        late = [name for name in legal if name[0] == "pick" and name[1] in ("builder", "pirate", "governor")]
        if late and rng.random() < 0.8:
            return rng.choice(late)
        early = position["phase"] == "guest" and any(name != PASS and name[1] not in LARGE for name in legal)
        return PASS if early else eager(position, legal)

    return choose


# Positions


def new_position(options: Options, seed: int = 0) -> Position:
    """A new game created by the reference, without face-up tiles yet."""
    rng = random.Random(seed)
    kinds: tuple[str, ...] = ()
    if options.buildings == "base":
        kinds = tuple(BASE_KINDS)
    elif options.buildings == "random":
        kinds = random_kinds(options, rng)
    elif options.buildings != "draft":
        kinds = tuple(options.buildings)
    return start_position(options, kinds) | {"seed": seed, "generator": rng.getrandbits(63) | 1}


def give_goods(position: Position, seat: int, **barrels: int) -> None:
    """Barrels from the supply."""
    for good, number in barrels.items():
        position["goods_supply"][good] -= number
        position["boards"][seat]["goods"][good] += number


def load_ship(position: Position, ship: int, good: str, barrels: int) -> None:
    """Barrels from the supply to a cargo ship."""
    position["goods_supply"][good] -= barrels
    position["ships"][ship] |= {"good": good, "barrels": barrels}


def give_tiles(position: Position, seat: int, tile: str, tiles: int, manned: int) -> None:
    """Tiles of a kind up to a total number, and colonists from the supply on some."""
    pile = position["boards"][seat]["island"].setdefault(tile, {"tiles": 0, "colonists": 0})
    if tile == "quarry":
        position["quarry_supply"] -= tiles - pile["tiles"]
    else:
        position["face_down"][tile] -= tiles - pile["tiles"]
    position["colonist_supply"] -= manned - pile["colonists"]
    pile |= {"tiles": tiles, "colonists": manned}


def give_forests(position: Position, seat: int, tile: str, forests: int) -> None:
    """Forests, for which face-down tiles have left the game."""
    position["boards"][seat]["forests"] += forests
    position["face_down"][tile] -= forests
    position["removed"][tile] += forests


def give_buildings(position: Position, seat: int, **colonists: int) -> None:
    """Buildings, and colonists from the supply in them."""
    for building, number in colonists.items():
        position["buildings_left"][building] -= 1
        position["colonist_supply"] -= number
        position["boards"][seat]["city"][building] = number


def give_chips(position: Position, seat: int, chips: int) -> None:
    """Chips from the supply."""
    position["boards"][seat]["chips"] += chips
    position["chips_supply"] -= chips


def crowded_position(position: Position, options: Options, rng: random.Random) -> Position:
    """Turn a start into a crowded position with the same components: full boards, short supplies, loaded ships.

    The violet buildings of the game are more likely to be built and manned than others.
    """
    seats = range(options.players)
    position["governor"] = position["picker"] = position["player"] = rng.choice(seats)
    for card in position["roles"].values():
        card["doubloons"] = rng.randrange(3)
    for seat in seats:
        board = position["boards"][seat]
        board["doubloons"] = rng.choice([0, 2, 5, 9, 14])
        for tile in rng.choices((*TILES, "forest"), k=rng.randint(2, 10)):
            if tile == "forest":
                tile = rng.choice(GOODS)
                if "forest_house" in position["kinds"] and position["face_down"][tile] > 0:
                    give_forests(position, seat, tile, 1)
                continue
            left = position["quarry_supply"] if tile == "quarry" else position["face_down"][tile]
            if left > 0:
                give_tiles(position, seat, tile, 1 + board["island"].get(tile, {"tiles": 0})["tiles"], 0)
        wished = [building for building in position["kinds"] if building in NEW_BUILDINGS or rng.random() < 0.5]
        for building in rng.sample(wished, min(len(wished), rng.randint(4, 11))):
            enough = filled_city_spaces(board) + spaces_of(building) < CITY_SPACES and len(board["city"]) < 8
            if position["buildings_left"][building] > 0 and enough:
                give_buildings(position, seat, **{building: 0})
    _man_boards(position, rng)
    _spread_goods(position, rng)
    chips_left = rng.choice([1, 5, 15, 40])
    for _ in range(position["chips_supply"] - chips_left):
        give_chips(position, rng.choice(seats), 1)
    for tile in rng.sample(GOODS, 5) * 2:
        if position["face_down"][tile] > 0 and sum(position["face_up"].values()) < options.players + 1:
            position["face_down"][tile] -= 1
            position["face_up"][tile] += 1
    discarded = rng.choice([0, 0.3, 1])
    for tile in GOODS:
        moved = round(discarded * position["face_down"][tile])
        position["face_down"][tile] -= moved
        position["discards"][tile] += moved
    return position


def last_pick(position: Position, options: Options, rng: random.Random) -> Position:
    """Turn a crowded position into one before the last pick of the game, with guests and empty large buildings."""
    last = (position["governor"] + options.players - 1) % options.players
    taken = rng.sample(sorted(set(position["roles"]) - {"builder", "politician"}), options.players - 1)
    for number, role in enumerate(taken):
        position["roles"][role] = {"doubloons": 0, "taken_by": (position["governor"] + number) % options.players}
    position["picker"] = position["player"] = last
    for board in position["boards"]:
        city = board["city"]
        for building in city:
            if building in LARGE:
                position["colonist_supply"] += city[building]
                city[building] = 0
        if "guesthouse" in city:
            arriving = min(2 - city["guesthouse"], position["colonist_supply"])
            position["colonist_supply"] -= arriving
            city["guesthouse"] += arriving
    give_chips(position, last, position["chips_supply"])
    return position | {"ending": ["chips"]}


def _man_boards(position: Position, rng: random.Random) -> None:
    """Colonists on most circles, some on the ship and in San Juan, and sometimes hardly any in the supply."""
    manned = rng.choice([0.6, 0.9])
    for board in position["boards"]:
        places = [place for place in PLACES for _ in range(circles(board, place))]
        for place in rng.sample(places, len(places)):
            if position["colonist_supply"] > 0 and rng.random() < manned:
                put_colonists(board, place, 1)
                position["colonist_supply"] -= 1
    boarding = rng.randint(0, min(6, position["colonist_supply"]))
    position["colonist_ship"] += boarding
    position["colonist_supply"] -= boarding
    for _ in range(position["colonist_supply"] - rng.choice([0, 1, 8, 100])):
        rng.choice(position["boards"])["san_juan"] += 1
        position["colonist_supply"] -= 1


def _spread_goods(position: Position, rng: random.Random) -> None:
    """Barrels on part-full ships, in the trading house and with the players."""
    supply = position["goods_supply"]
    for number, good in enumerate(rng.sample(GOODS, len(position["ships"]))):
        if rng.random() < 0.7:
            capacity = position["ships"][number]["capacity"]
            load_ship(position, number, good, min(supply[good], rng.randint(1, capacity - 1)))
    for good in GOODS:
        if supply[good] > 0 and len(position["trading_house"]) < 3 and rng.random() < 0.4:
            position["trading_house"].append(good)
            supply[good] -= 1
        for _ in range(rng.randint(0, supply[good])):
            give_goods(position, rng.randrange(position["players"]), **{good: 1})


# Comparing


def differences(fast: Any, slow: Any, path: str = "") -> Iterator[str]:
    """The differences of two dictionaries, in words."""
    if isinstance(fast, dict) and isinstance(slow, dict):
        for key in sorted({*fast, *slow}):
            yield from differences(fast.get(key, "nothing"), slow.get(key, "nothing"), f"{path}/{key}")
    elif isinstance(fast, list) and isinstance(slow, list) and len(fast) == len(slow):
        for index, (one, other) in enumerate(zip(fast, slow, strict=True)):
            yield from differences(one, other, f"{path}/{index}")
    elif fast != slow:
        yield f"{path}: fast {fast!r}, reference {slow!r}"


def in_full(position: Position) -> Position:
    """The position of the fast implementation, with values implied in the base game, and only the game's kinds."""
    kinds = position.get("kinds", BASE_KINDS)
    return {
        **position,
        "kinds": kinds,
        "removed": position.get("removed", dict.fromkeys(GOODS, 0)),
        "buildings_left": {kind: left for kind, left in position["buildings_left"].items() if kind in kinds or left},
        "boards": [{"forests": 0, **board} for board in position["boards"]],
    }


def in_short(position: Position, options: Options) -> Position:
    """A position in the format of the fast implementation: the base game has none of the new fields."""
    if options.buildings != "base" or options.double_cards or options.players == 6:
        return position
    boards = [{key: value for key, value in board.items() if key != "forests"} for board in position["boards"]]
    return {key: value for key, value in position.items() if key not in ("kinds", "removed")} | {"boards": boards}


class Pair:
    """A game on both implementations, compared after every action."""

    def __init__(self, options: Options, start: int | Position) -> None:
        self.options = options
        self.game = PuertoRico(**options.arguments())
        if isinstance(start, int):
            self.batch = Batch(self.game, 1, seed=start, autoreset=False, observations=False)
        else:
            self.batch = Batch.from_dicts(self.game, [in_short(start, options)], autoreset=False, observations=False)
        self.reference = ExpansionReference(in_full(self.batch.to_dict(0)), options)
        self.told = [f"{options}, seed {self.position['seed']}"]
        self.compare()

    @property
    def position(self) -> Position:
        return self.reference.position

    def play(self, name: Name) -> None:
        self.told.append(f"{self.position['phase']} of {self.position['player']}: {name}")
        self.batch.step([self.game.action_number(*name)])
        self.reference.play(name)
        self.compare()

    def compare(self) -> None:
        """Positions (except during unfinished decisions) and legal actions agree, and at the end the results."""
        fast, slow = in_full(self.batch.to_dict(0)), dict(self.position)
        over = slow["phase"] == "game_over"
        for key in ("decision", *(("picker", "player") if over else ())):
            del fast[key], slow[key]
        assert fast == slow, "\n".join([*self.told[:1], *self.told[-12:], *differences(fast, slow)])
        if over:
            truncated = slow["ending"] == ["rounds"]
            assert (bool(self.batch.truncated[0]), bool(self.batch.terminated[0])) == (truncated, not truncated)
            self.compare_scores(self.batch.final[0])
            return
        assert not self.batch.truncated[0]
        assert not self.batch.terminated[0]
        fast_legal, slow_legal = [action.name for action in self.batch.legal_actions(0)], self.reference.legal()
        told = "\n".join([*self.told[:1], *self.told[-12:], f"fast {fast_legal}", f"reference {slow_legal}"])
        assert set(fast_legal) == set(slow_legal), told
        assert len(fast_legal) == len(slow_legal) > 1, told
        if slow["phase"] == "pick_role":
            self.compare_scores(self.batch.score()[0])

    def compare_scores(self, record: Any) -> None:
        """Points by source, totals and ranks agree."""
        for seat, score in enumerate(scores(self.position)):
            points = [int(points) for points in record["points"][seat]]
            assert points == [score[source] for source in SOURCES[: len(points)]]
            for key in ("total", "tie_break", "rank"):
                assert int(record[key][seat]) == score[key], (key, seat)


def compare_game(
    options: Options, start: int | Position, choose: Policy, seen: Counter[str], most_steps: int = 100_000
) -> None:
    """Play a game from a seed or position on both, compare after every step, and count rare features."""
    pair = Pair(options, start)
    for _ in range(most_steps):
        if pair.position["phase"] == "game_over":
            seen.update("ending " + reason for reason in pair.position["ending"])
            break
        name = choose(pair.position, pair.reference.legal())
        seen.update(["decisions", "phase " + pair.position["phase"], "kind " + str(name[0])])
        pair.play(name)
    seen["games"] += 1
    seen.update(pair.reference.fired)


def compare_numbered_game(options: Options, number: int, seen: Counter[str], most_steps: int = 100_000) -> None:
    """Play the game with a number: every third one with random players, every second one from a crowded position."""
    rng = random.Random(number)
    start: int | Position = number
    if number % 2 == 1 and options.buildings != "draft":
        start = crowded_position(new_position(options, number), options, rng)
    choose = uniform_policy(rng) if number % 3 == 2 else eager_policy(rng)
    compare_game(options, start, choose, seen, most_steps)


def test_games_agree_after_every_step_and_every_effect_comes_up() -> None:
    seen: Counter[str] = Counter()
    configurations = list(CONFIGURATIONS.values())
    for number, options in enumerate(configurations):
        compare_numbered_game(options, 2 * number, seen, GAME_STEPS)
    for number in range(MOST_CROWDED_GAMES):
        if number >= CROWDED_GAMES and set(seen) >= EFFECTS:
            break
        compare_numbered_game(configurations[number % len(configurations)], 2 * number + 1, seen, CROWDED_STEPS)
    assert EFFECTS - set(seen) == set()


def test_games_agree_when_guests_move_before_the_points_are_counted() -> None:
    seen: Counter[str] = Counter()
    for number in range(LAST_PICK_GAMES):
        options, rng = LAST_PICKS[number % len(LAST_PICKS)], random.Random(number)
        start = last_pick(crowded_position(new_position(options, number), options, rng), options, rng)
        if options.max_rounds == 1:  # the game is cut
            seat = start["picker"]
            start["ending"], start["chips_supply"] = [], 5
            start["boards"][seat]["chips"] -= 5
        compare_game(options, start, late_policy(rng), seen)
        assert seen["games"] == number + 1
    assert {what for what in AT_THE_END if seen[what] > 0} == AT_THE_END
    assert seen["ending rounds"] > 0


# The reference by itself


def totals(position: Position, options: Options) -> dict[str, Any]:
    """The number of every conserved component."""
    boards = position["boards"]

    def tiles(tile: str) -> int:
        return sum(int(board["island"].get(tile, {"tiles": 0})["tiles"]) for board in boards)

    def barrels(good: str) -> int:
        on_ships = sum(ship["barrels"] for ship in position["ships"] if ship["good"] == good)
        held = sum(board["goods"][good] for board in boards)
        return int(position["goods_supply"][good] + on_ships + held + position["trading_house"].count(good))

    drawn = position["decision"].get("drawn")
    piles = ("face_up", "face_down", "discards", "removed")
    colonists = sum(colonists_at(board, place) for board in boards for place in ("san_juan", *PLACES))
    return {
        "goods": [barrels(good) for good in GOODS],
        "tiles": [sum(position[pile][tile] for pile in piles) + tiles(tile) + (drawn == tile) for tile in GOODS],
        "quarries": position["quarry_supply"] + tiles("quarry"),
        "forests": sum(position["removed"].values()) - sum(board["forests"] for board in boards),
        "colonists": position["colonist_supply"] + position["colonist_ship"] + colonists,
        "buildings": {
            kind: position["buildings_left"][kind] + sum(kind in board["city"] for board in boards)
            for kind in position["kinds"]
        },
        "chips": position["chips_supply"] - max(0, options.set_up.chips - sum(board["chips"] for board in boards)),
    }


def numbers_of(value: Any) -> Iterator[int]:
    """Every number in a position."""
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from numbers_of(one)
    elif isinstance(value, int):
        yield value


@pytest.mark.parametrize("options", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_the_reference_neither_makes_nor_loses_anything(options: Options) -> None:
    rng = random.Random(0)
    start = new_position(options)
    if options.buildings != "draft":
        start = crowded_position(start, options, rng)
    reference = ExpansionReference(start, options)
    choose = eager_policy(rng)
    before: dict[str, Any] = {}
    for _ in range(OWN_STEPS):
        if reference.position["phase"] == "game_over":
            break
        choices = reference.legal()
        assert len(set(choices)) == len(choices) > 1
        reference.play(choose(reference.position, choices))
        assert min(numbers_of(reference.position)) >= 0
        for board in reference.position["boards"]:
            assert filled_island_spaces(board) <= ISLAND_SPACES
            assert filled_city_spaces(board) <= CITY_SPACES
            assert all(colonists_at(board, place) <= circles(board, place) for place in PLACES)
        if reference.position["phase"] != "draft":
            now = totals(reference.position, options)
            before = before or now
            assert now == before
    assert before


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_reference_plays_the_base_game_like_the_reference_of_the_base_game(players: int) -> None:
    options = Options(players)
    rng = random.Random(players)
    position = crowded_position(new_position(options, players), options, rng)
    base = Reference(in_short(position, options))
    reference = ExpansionReference(position, options)
    choose = eager_policy(rng)
    while choices := reference.legal():
        assert set(choices) == set(base.legal())
        name = choose(reference.position, choices)
        reference.play(name)
        base.play(name)
        now, before = reference.position, base.position
        over = now["phase"] == "game_over"
        assert [{**board, "forests": 0} for board in before["boards"]] == now["boards"]
        for key in before:
            if key not in ("boards", "decision") and not (over and key in ("picker", "player")):
                assert now[key] == before[key], key
    assert base.legal() == []


def test_reference_refuses_an_illegal_action() -> None:
    options = Options(3, ALL_NEW)
    with pytest.raises(ValueError, match="not legal in phase pick_role"):
        ExpansionReference(new_position(options), options).play(PASS)
    with pytest.raises(ValueError, match="in the draft or between two roles"):
        ExpansionReference(new_position(options) | {"phase": "captain"}, options)


# The rulebook's worked examples and the rulings, on both implementations


def play_both(options: Options, position: Position, *names: Name) -> Pair:
    """Play actions on both implementations from a position and compare after each."""
    pair = Pair(options, position)
    for name in names:
        pair.play(name)
    return pair


def gained(before: Position, pair: Pair, key: str) -> list[int]:
    """The gain of something by each seat."""
    return [new[key] - old[key] for old, new in zip(before["boards"], pair.position["boards"], strict=True)]


def held(pair: Pair, seat: int) -> dict[str, int]:
    """The barrels of a player, without missing kinds."""
    return {good: barrels for good, barrels in pair.position["boards"][seat]["goods"].items() if barrels > 0}


def asked(pair: Pair) -> tuple[str, int]:
    """The phase and the player to decide."""
    return pair.position["phase"], pair.position["player"]


def legal(pair: Pair, kind: str) -> set[Name]:
    """The legal actions of a kind."""
    return {name for name in pair.reference.legal() if name[0] == kind}


def player_to_decide(pair: Pair) -> dict[str, Any]:
    """The board of the player to decide."""
    board: dict[str, Any] = pair.position["boards"][pair.position["player"]]
    return board


def test_example_draft_takes_a_space_of_the_same_cost() -> None:
    pair = play_both(Options(3, "draft"), new_position(Options(3, "draft")))
    assert len(legal(pair, "draft")) == 31
    pair.play(("draft", "black_market"))
    assert asked(pair) == ("draft", 1)
    pair.play(("draft", "hacienda"))
    assert not {("draft", "construction_hut"), ("draft", "forest_house")} & legal(pair, "draft")
    while pair.position["phase"] == "draft":
        pair.play(pair.reference.legal()[0])
    assert asked(pair) == ("pick_role", 0)
    costs = Counter(BUILDINGS[kind].cost for kind in pair.position["kinds"] if kind not in PRODUCTION)
    assert costs == SPACES_OF_COST
    assert pair.position["buildings_left"]["hacienda"] == 2


def test_hacienda_and_forest_house_can_exclude_each_other() -> None:
    options = Options(3, "draft", hacienda_with_forest_house="excluded")
    for one, other in (("hacienda", "forest_house"), ("forest_house", "hacienda")):
        pair = play_both(options, new_position(options), ("draft", one))
        assert ("draft", other) not in legal(pair, "draft")
        assert ("draft", "construction_hut") in legal(pair, "draft")


@pytest.mark.parametrize(("small", "indigo", "sugar"), [(True, 0, 1), (False, 2, 4)])
def test_example_aqueduct(small: bool, indigo: int, sugar: int) -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    if small:
        give_tiles(position, 1, "sugar", 1, 1)
        give_buildings(position, 1, aqueduct=1, small_sugar_mill=1)
    else:
        give_tiles(position, 1, "sugar", 3, 3)
        give_tiles(position, 1, "indigo", 1, 1)
        give_buildings(position, 1, aqueduct=1, sugar_mill=3, indigo_plant=1)
    pair = play_both(options, position, ("pick", "craftsman"))
    assert held(pair, 1) == ({"indigo": indigo} if indigo else {}) | {"sugar": sugar}


def test_aqueduct_takes_nothing_from_an_empty_supply() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_goods(position, 0, sugar=9)
    give_tiles(position, 1, "sugar", 2, 2)
    give_buildings(position, 1, aqueduct=1, sugar_mill=2)
    assert held(play_both(options, position, ("pick", "craftsman")), 1) == {"sugar": 2}


def test_example_forests_make_a_large_warehouse_free() -> None:
    options = Options(3, SETTLING)
    for forests in (5, 6):
        position = new_position(options)
        give_forests(position, 0, "corn", forests)  # the forest house itself need not work
        give_tiles(position, 0, "quarry", 2, 2)
        position["boards"][0]["doubloons"] = 0
        pair = play_both(options, position, ("pick", "builder"))
        assert (("build", "large_warehouse") in pair.reference.legal()) == (forests == 6)
    pair.play(("build", "large_warehouse"))
    assert pair.position["boards"][0]["doubloons"] == 0


def test_forests_with_hacienda_and_hospice() -> None:
    options = Options(3, SETTLING)
    position = new_position(options)
    give_buildings(position, 0, hacienda=1, forest_house=1, hospice=1)
    pair = play_both(options, position, ("pick", "settler"), ("draw_tile",))
    assert asked(pair) == ("forest", 0)
    pair.play(("settle", "forest"))
    assert player_to_decide(pair)["forests"] == 1
    assert sum(pair.position["removed"].values()) == 1
    pair.play(("settle", "forest"))
    assert asked(pair) == ("hospice", 0)
    pair.play(("take_colonist",))
    assert gained(position, pair, "san_juan") == [1, 0, 0]
    assert gained(position, pair, "forests") == [2, 0, 0]
    assert sum(pair.position["removed"].values()) == 2


def test_hacienda_tile_can_be_kept_beside_a_forest_house() -> None:
    options = Options(3, SETTLING)
    position = new_position(options)
    give_buildings(position, 0, hacienda=1, forest_house=1)
    pair = play_both(options, position, ("pick", "settler"), ("draw_tile",), PASS, PASS)
    assert sum(pile["tiles"] for pile in pair.position["boards"][0]["island"].values()) == 2
    assert sum(pair.position["removed"].values()) == 0


def test_library_settles_twice_without_a_second_quarry_or_colonist() -> None:
    options = Options(3, HOSPICE)
    for hut in (0, 1):
        position = new_position(options)
        give_buildings(position, 0, library=1, hospice=1, forest_house=1, construction_hut=hut)
        pair = play_both(options, position, ("pick", "settler"), ("settle", "quarry"), ("take_colonist",))
        assert asked(pair) == ("settler", 0)  # nobody else had a choice
        assert legal(pair, "settle") == {("settle", "forest")} | ({("settle", "quarry")} if hut else set())
        pair.play(("settle", "forest"))
        assert asked(pair) == ("pick_role", 1)
        assert gained(position, pair, "forests") == [1, 0, 0]
        assert gained(position, pair, "san_juan") == [0, 0, 0]


def black_market_position(doubloons: int) -> Position:
    position = new_position(Options(3, SHIPPING))
    give_buildings(position, 0, black_market=1)
    position["boards"][1]["doubloons"] = position["boards"][2]["doubloons"] = 0
    position["boards"][0]["doubloons"] = doubloons
    return position


def test_example_black_market() -> None:
    options = Options(3, SHIPPING)
    position = black_market_position(5)  # with the builder's privilege two are missing
    give_goods(position, 0, indigo=1)
    give_chips(position, 0, 3)
    position["boards"][0]["san_juan"] += 1
    position["colonist_supply"] -= 1
    supply, colonists = position["goods_supply"]["indigo"], position["colonist_supply"]
    pair = play_both(options, position, ("pick", "builder"), ("build", "harbor"))
    assert asked(pair) == ("pay_colonist", 0)
    assert set(pair.reference.legal()) == {PASS, ("pay_colonist", "san_juan")}
    pair.play(("pay_colonist", "san_juan"))
    assert set(pair.reference.legal()) == {PASS, ("pay_barrel", "indigo")}
    pair.play(("pay_barrel", "indigo"))
    assert asked(pair)[0] == "pick_role"
    board = pair.position["boards"][0]
    assert "harbor" in board["city"]
    assert (board["doubloons"], board["chips"], board["san_juan"], held(pair, 0)) == (0, 3, 0, {})
    assert pair.position["goods_supply"]["indigo"] == supply + 1
    assert pair.position["colonist_supply"] == colonists + 1


def test_black_market_pays_only_what_is_missing_and_not_with_its_own_colonist() -> None:
    options = Options(3, SHIPPING)
    position = black_market_position(5)
    give_chips(position, 0, 3)
    pair = play_both(options, position, ("pick", "builder"))
    assert ("build", "harbor") not in legal(pair, "build")  # two missing, and only a chip to give
    assert ("build", "lighthouse") in legal(pair, "build")
    pair.play(("build", "lighthouse"))  # the chip is the only way
    assert gained(position, pair, "chips") == [-1, 0, 0]
    assert pair.position["chips_supply"] == position["chips_supply"] + 1


def test_a_chip_that_comes_back_does_not_undo_the_end() -> None:
    options = Options(3, SHIPPING)
    position = black_market_position(5)
    give_chips(position, 0, position["chips_supply"])
    position["ending"] = ["chips"]
    pair = play_both(options, position, ("pick", "builder"), ("build", "lighthouse"))
    assert pair.position["chips_supply"] == 1
    assert pair.position["ending"] == ["chips"]


def test_example_storehouse_with_large_warehouse() -> None:
    options = Options(3, STORING)
    position = new_position(options)
    give_buildings(position, 1, storehouse=1, large_warehouse=1)
    load_ship(position, 0, "indigo", 3)
    load_ship(position, 1, "sugar", 4)
    load_ship(position, 2, "corn", 1)
    give_goods(position, 1, indigo=6, sugar=6, tobacco=3, coffee=3)
    pair = play_both(options, position, ("pick", "captain"), ("load", "indigo", 0))  # and then the sugar
    assert asked(pair) == ("store", 1)
    pair.play(("store", "all"))
    pair.play(("store", "all"))
    kept = {("store", "none"), ("store", "one"), ("keep", 2), ("store", "all")}
    assert set(pair.reference.legal()) == kept
    pair.play(("keep", 2))
    pair.play(("keep", 2))
    assert held(pair, 1) == {"indigo": 5, "sugar": 5, "tobacco": 2, "coffee": 2}


def test_example_guests_move_to_storehouse_and_library() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_buildings(position, 0, guesthouse=2, storehouse=0, library=0)
    give_tiles(position, 0, "indigo", 1, 1)
    load_ship(position, 0, "corn", 3)
    load_ship(position, 1, "sugar", 3)
    load_ship(position, 2, "tobacco", 3)
    give_goods(position, 0, coffee=4)
    pair = play_both(options, position, ("pick", "captain"))
    assert asked(pair) == ("guest", 0)  # at the start of the phase
    pair.play(PASS)
    assert asked(pair) == ("guest", 0)  # before storing: with nothing to load the picker has no choice
    pair.play(("guest", "storehouse"))
    assert asked(pair) == ("guest", 0)
    assert set(pair.reference.legal()) == {PASS, ("guest", "library")}  # later places only
    pair.play(PASS)
    assert held(pair, 0) == {"coffee": 4}
    pair.play(("pick", "mayor"))
    assert asked(pair)[0] != "guest"


def test_example_guest_doubles_the_traders_privilege() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_buildings(position, 0, guesthouse=1, library=0)
    give_goods(position, 0, coffee=1)
    pair = play_both(options, position, ("pick", "trader"), ("guest", "library"))
    assert asked(pair) == ("trader", 0)  # not asked again between the start of the phase and the first decision
    pair.play(("sell", "coffee"))
    assert gained(position, pair, "doubloons") == [4 + 2, 0, 0]
    assert pair.position["boards"][0]["city"] == {"guesthouse": 0, "library": 1}


def test_guests_move_at_the_start_of_a_phase_and_before_own_decisions() -> None:
    options = Options(3, SHIPPING)
    position = new_position(options)
    for seat in range(2):
        give_buildings(position, seat, guesthouse=2, lighthouse=0)
        position["boards"][seat]["doubloons"] = 0
    pair = play_both(options, position, ("pick", "builder"))
    assert asked(pair) == ("guest", 0)
    pair.play(("guest", "indigo"))
    assert set(pair.reference.legal()) == {PASS, ("guest", "lighthouse")}
    pair.play(PASS)
    assert asked(pair) == ("guest", 1)
    pair.play(PASS)
    assert asked(pair) == ("builder", 0)
    pair.play(("build", "small_indigo_plant"))  # for nothing, as builder
    assert asked(pair) == ("guest", 1)
    pair.play(("guest", "lighthouse"))  # the second guest has no later place
    assert pair.position["boards"][1]["city"]["guesthouse"] == 1


def test_a_guest_can_open_the_hacienda() -> None:
    options = Options(3, STORING)
    position = new_position(options)
    give_buildings(position, 1, guesthouse=2, hacienda=0)
    pair = play_both(options, position, ("pick", "settler"))
    assert asked(pair) == ("guest", 1)  # at the start
    pair.play(PASS)
    pair.play(PASS)  # the settler's own turn
    assert asked(pair) == ("guest", 1)
    pair.play(("guest", "hacienda"))
    assert asked(pair) == ("hacienda", 1)
    pair.play(("draw_tile",))
    assert asked(pair) == ("guest", 1)
    pair.play(PASS)
    assert asked(pair) == ("pick_role", 1)


def test_no_guest_goes_to_the_forest_house_for_a_tile_that_is_drawn() -> None:
    options = Options(4, GUESTS)
    position = new_position(options)
    give_buildings(position, 0, guesthouse=1, hacienda=1, forest_house=0)
    pair = play_both(options, position, ("pick", "settler"), PASS, ("draw_tile",))
    assert asked(pair) == ("guest", 0)  # before the normal tile
    pair.play(("guest", "forest_house"))
    assert asked(pair) == ("settler", 0)


def test_no_guest_goes_to_the_library_when_the_others_have_their_tiles() -> None:
    options = Options(4, GUESTS)
    position = new_position(options)
    position["face_down"]["corn"] -= 5
    position["face_up"]["corn"] += 5
    give_buildings(position, 0, guesthouse=1, library=0)
    pair = play_both(options, position, ("pick", "settler"), PASS, ("settle", "quarry"), PASS, PASS, PASS)
    assert asked(pair) == ("pick_role", 1)


def test_no_guest_goes_to_the_library_for_the_mayors_privilege() -> None:
    options = Options(4, GUESTS)
    position = new_position(options)
    give_buildings(position, 0, guesthouse=1, library=0)
    pair = play_both(options, position, ("pick", "mayor"), ("take_colonist",))
    assert asked(pair)[0] == "mayor"


def test_the_city_hall_of_the_last_turn_is_manned_by_a_guest() -> None:
    options = Options(3, GUESTS)
    position = new_position(options)
    give_buildings(position, 1, guesthouse=1, office=1)
    give_chips(position, 0, position["chips_supply"])
    for board, doubloons in zip(position["boards"], (0, 10, 0), strict=True):
        board["doubloons"] = doubloons
    position["ending"] = ["chips"]
    position["governor"], position["picker"], position["player"] = 2, 1, 1
    for seat, role in ((2, "trader"), (0, "craftsman")):
        position["roles"][role]["taken_by"] = seat
    pair = play_both(options, position, ("pick", "builder"), PASS, ("build", "city_hall"))
    assert asked(pair) == ("guest", 1)
    assert set(pair.reference.legal()) == {PASS, ("guest", "city_hall")}
    pair.play(("guest", "city_hall"))
    assert pair.position["phase"] == "game_over"
    assert scores(pair.position)[1]["city_hall"] == 3


@pytest.mark.parametrize("seller", [0, 1])
def test_trading_post_sells_beside_a_full_house_without_markets(seller: int) -> None:
    options = Options(3, SHIPPING)
    position = new_position(options)
    give_buildings(position, seller, trading_post=1, small_market=1, large_market=1)
    give_goods(position, seller, coffee=2)
    give_goods(position, 1 - seller, indigo=1)
    position["trading_house"] = ["corn", "sugar", "coffee"]
    for good in position["trading_house"]:
        position["goods_supply"][good] -= 1
    coffee = position["goods_supply"]["coffee"]
    pair = play_both(options, position, ("pick", "trader"))
    while pair.position["phase"] == "trader":
        if pair.position["player"] == seller:
            assert legal(pair, "sell") == set()
            pair.play(("sell_to_post", "coffee"))
        else:
            pair.play(("sell", "indigo"))
    assert gained(position, pair, "doubloons")[seller] == 4 + (1 if seller == 0 else 0)
    assert pair.position["trading_house"] == []
    assert pair.position["goods_supply"]["coffee"] == coffee + 2  # the sold one and the one of the full house


@pytest.mark.parametrize(
    ("building", "points"), [("aqueduct", 0), ("guesthouse", 1), ("lighthouse", 1), ("statue", 2), ("cloister", 2)]
)
def test_church_pays_by_the_column(building: str, points: int) -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_buildings(position, 0, church=1)
    position["boards"][0]["doubloons"] = 12
    pair = play_both(options, position, ("pick", "builder"), ("build", building))
    assert gained(position, pair, "chips") == [points, 0, 0]


def test_church_ends_the_game_with_the_last_chip() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_buildings(position, 0, church=1)
    give_chips(position, 1, position["chips_supply"] - 1)
    position["boards"][0]["doubloons"] = 10
    pair = play_both(options, position, ("pick", "builder"), ("build", "cloister"))
    assert pair.position["ending"] == ["chips"]
    assert pair.position["boards"][0]["chips"] == 2


def test_church_pays_nothing_for_itself() -> None:
    options = Options(3, HOSPICE)
    position = new_position(options)
    give_buildings(position, 0, university=1)
    position["boards"][0]["doubloons"] = 12
    pair = play_both(options, position, ("pick", "builder"), ("build", "church"), ("take_colonist",))
    assert gained(position, pair, "chips") == [0, 0, 0]
    assert pair.position["boards"][0]["city"]["church"] == 1


def test_statue_sends_the_universitys_colonist_to_san_juan() -> None:
    options = Options(3, HOSPICE)
    position = new_position(options)
    give_buildings(position, 0, university=1)
    position["boards"][0]["doubloons"] = 12
    pair = play_both(options, position, ("pick", "builder"), ("build", "statue"), ("take_colonist",))
    assert gained(position, pair, "san_juan") == [1, 0, 0]
    assert scores(pair.position)[0]["buildings"] == 3 + 8


def small_wharf_position(seat: int, **barrels: int) -> Position:
    """Ships with some corn, indigo and coffee, and a player with a small wharf."""
    position = new_position(Options(3, SHIPPING))
    load_ship(position, 0, "corn", 3)
    load_ship(position, 1, "indigo", 3)
    load_ship(position, 2, "coffee", 3)
    give_buildings(position, seat, small_wharf=1)
    give_goods(position, seat, **barrels)
    return position


def test_example_small_wharf() -> None:
    options = Options(3, SHIPPING)
    position = small_wharf_position(1, corn=3, sugar=2, tobacco=3)
    pair = play_both(options, position, ("pick", "captain"), ("small_wharf",))
    assert asked(pair) == ("small_wharf", 1)
    for barrels in (3, 1, 2):
        pair.play(("ship", barrels))
    assert gained(position, pair, "chips") == [0, 3, 0]
    assert held(pair, 1) == {"sugar": 1, "tobacco": 1}


def test_small_wharf_ships_at_least_one_barrel_and_is_never_compulsory() -> None:
    options = Options(3, SHIPPING)
    position = small_wharf_position(1, sugar=2, tobacco=3)
    pair = play_both(options, position, ("pick", "captain"))
    assert set(pair.reference.legal()) == {PASS, ("small_wharf",)}
    pair.play(("small_wharf",))
    assert legal(pair, "ship") == {("ship", number) for number in range(3)}
    pair.play(("ship", 0))
    assert legal(pair, "ship") == {("ship", number) for number in range(1, 4)}
    pair.play(("ship", 1))
    assert gained(position, pair, "chips") == [0, 0, 0]  # half a point


@pytest.mark.parametrize(("pays", "points"), [("use", 1), ("kind", 3)])
def test_harbor_pays_for_a_use_of_the_small_wharf_or_for_kinds(pays: str, points: int) -> None:
    options = Options(3, SHIPPING, small_wharf_harbor=pays)
    position = small_wharf_position(1, corn=3, sugar=2, tobacco=2)
    give_buildings(position, 1, harbor=1)
    ships: list[Name] = [("ship", 3), ("ship", 1), ("ship", 2)]
    pair = play_both(options, position, ("pick", "captain"), ("small_wharf",), *ships)
    assert gained(position, pair, "chips") == [0, 3 + points, 0]


def test_example_lighthouse() -> None:
    options = Options(3, HOSPICE)
    position = new_position(options)
    load_ship(position, 0, "corn", 2)
    load_ship(position, 1, "tobacco", 3)
    load_ship(position, 2, "coffee", 3)
    give_buildings(position, 0, lighthouse=1, wharf=1, small_wharf=1)
    give_goods(position, 0, corn=2, indigo=3, sugar=3)
    pair = play_both(options, position, ("pick", "captain"))
    assert gained(position, pair, "doubloons") == [1, 0, 0]  # for the captain, loading or not
    pair.play(("load", "corn", 0))
    assert gained(position, pair, "doubloons") == [2, 0, 0]
    assert gained(position, pair, "chips") == [3, 0, 0]
    pair.play(("wharf", "indigo"))
    assert gained(position, pair, "doubloons") == [3, 0, 0]
    assert gained(position, pair, "chips") == [6, 0, 0]
    pair.play(("small_wharf",))
    pair.play(("ship", 3))
    assert gained(position, pair, "doubloons") == [4, 0, 0]
    assert gained(position, pair, "chips") == [7, 0, 0]


def test_example_specialty_factory() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_tiles(position, 1, "corn", 4, 4)
    give_tiles(position, 1, "sugar", 3, 3)
    give_tiles(position, 1, "coffee", 2, 2)
    give_buildings(position, 1, specialty_factory=1, sugar_mill=3, coffee_roaster=2)
    pair = play_both(options, position, ("pick", "craftsman"))
    assert gained(position, pair, "doubloons") == [0, 2, 0]


def test_example_specialty_factory_at_most() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_tiles(position, 0, "indigo", 4, 4)
    give_buildings(position, 0, specialty_factory=1, indigo_plant=3, small_indigo_plant=1, aqueduct=1, library=1)
    pair = play_both(options, position, ("pick", "craftsman"), ("take_good", "indigo"), ("take_good", "indigo"))
    assert held(pair, 0) == {"indigo": 7}
    assert gained(position, pair, "doubloons") == [6, 0, 0]


def test_library_takes_two_barrels_in_the_order_of_the_goods() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_tiles(position, 0, "corn", 1, 1)
    give_tiles(position, 0, "sugar", 1, 1)
    give_buildings(position, 0, small_sugar_mill=1, library=1)
    pair = play_both(options, position, ("pick", "craftsman"), ("take_good", "corn"))
    assert set(pair.reference.legal()) == {PASS, ("take_good", "corn"), ("take_good", "sugar")}
    pair.play(("take_good", "sugar"))
    assert held(pair, 0) == {"corn": 2, "sugar": 2}
    pair = play_both(options, position, ("pick", "craftsman"), ("take_good", "sugar"))
    assert set(pair.reference.legal()) == {PASS, ("take_good", "sugar")}


def test_library_doubles_the_other_privileges() -> None:
    options = Options(5, SHIPPING)
    position = new_position(options)
    give_buildings(position, 0, library=1)
    give_goods(position, 0, corn=1)
    position["boards"][0]["doubloons"] = 8
    pair = play_both(options, position, ("pick", "mayor"), ("take_colonist",), ("take_colonist",))
    placed = pair.position["boards"][0]
    assert sum(colonists_at(placed, place) for place in ("san_juan", *PLACES)) == 1 + 2 + 1
    pair = play_both(options, position, ("pick", "builder"), ("build", "statue"))
    assert gained(position, pair, "doubloons")[0] == -8
    pair = play_both(options, position, ("pick", "trader"), ("sell", "corn"))
    assert gained(position, pair, "doubloons")[0] == 0 + 2
    pair = play_both(options, position, ("pick", "prospector"))
    assert gained(position, pair, "doubloons")[0] == 2
    pair = play_both(options, position, ("pick", "captain"), ("load", "corn", 0))
    assert gained(position, pair, "chips")[0] == 1 + 2


@pytest.mark.parametrize(
    ("barrels", "points"), [({"corn": 3, "indigo": 2, "coffee": 1}, 2), ({"corn": 4, "coffee": 2}, 3)]
)
def test_example_union_hall(barrels: dict[str, int], points: int) -> None:
    options = Options(3, SHIPPING)
    position = new_position(options)
    give_buildings(position, 1, union_hall=1, small_wharf=1)
    give_goods(position, 1, **barrels)
    give_goods(position, 2, sugar=1)
    pair = play_both(options, position, ("pick", "captain"), ("small_wharf",))
    for number in range(len(barrels)):
        pair.play(("ship", 1 if number == 0 else 0))
    assert asked(pair) == ("captain", 2)
    assert gained(position, pair, "chips") == [0, points, 0]  # the barrel itself pays nothing


def test_example_cloister() -> None:
    options = Options(3, ALL_NEW)
    position = new_position(options)
    give_buildings(position, 0, cloister=1)
    position["boards"][0]["island"] = {}
    position["face_down"]["indigo"] += 1
    give_forests(position, 0, "sugar", 6)
    give_tiles(position, 0, "quarry", 3, 0)
    give_tiles(position, 0, "corn", 2, 0)
    give_tiles(position, 0, "coffee", 1, 0)
    assert scores(Pair(options, position).position)[0]["cloister"] == 6
    give_tiles(position, 0, "corn", 3, 0)
    give_tiles(position, 0, "coffee", 0, 0)
    del position["boards"][0]["island"]["coffee"]
    assert scores(Pair(options, position).position)[0]["cloister"] == 10
    position["boards"][0]["city"]["cloister"] = 0
    position["colonist_supply"] += 1
    assert scores(Pair(options, position).position)[0]["cloister"] == 0


# Six players, double cards, balanced rules, and the library of two players


def test_large_church_pays_for_doubloons() -> None:
    options = Options(6)
    position = new_position(options)
    give_buildings(position, 2, large_church=1)
    position["boards"][2]["doubloons"] = 9
    result = scores(Pair(options, position).position)
    assert (result[2]["large_church"], result[2]["buildings"]) == (4, 4)


def test_politician_replays_a_role_without_privilege() -> None:
    options = Options(5, double_cards=True)
    position = new_position(options)
    for board in position["boards"]:
        board["doubloons"] = 1
    pair = play_both(options, position)
    assert legal(pair, "pick") >= {("pick", "politician_as_prospector"), ("pick", "pirate")}
    assert ("pick", "politician") not in legal(pair, "pick")
    pair.play(("pick", "builder"))
    assert ("build", "hacienda") in legal(pair, "build")
    for _ in range(5):
        pair.play(PASS)
    assert asked(pair) == ("pick_role", 1)
    pair.play(("pick", "politician"))  # the builder is the only role to play again
    assert asked(pair) == ("builder", 1)
    assert legal(pair, "build") == {("build", "small_indigo_plant"), ("build", "small_market")}
    for _ in range(5):
        pair.play(PASS)
    assert asked(pair) == ("pick_role", 2)


def test_politician_chooses_among_the_roles_of_the_round() -> None:
    options = Options(5, double_cards=True)
    pair = play_both(options, new_position(options), ("pick", "trader"), ("pick", "craftsman"), ("pick", "politician"))
    assert asked(pair) == ("politician", 2)
    assert set(pair.reference.legal()) == {("replay", "trader"), ("replay", "craftsman")}
    pair.play(("replay", "trader"))
    assert asked(pair) == ("pick_role", 3)


def test_double_cards_have_a_prospectors_side() -> None:
    options = Options(5, ALL_NEW, double_cards=True)
    position = new_position(options)
    position["roles"]["pirate"]["doubloons"] = 2
    give_buildings(position, 1, library=1)
    pair = play_both(options, position, ("pick", "politician_as_prospector"), ("pick", "pirate_as_prospector"))
    assert gained(position, pair, "doubloons") == [1, 2 + 2, 0, 0, 0]
    assert not {name for name in legal(pair, "pick") if str(name[1]).startswith("p")}


def test_pirate_takes_a_barrel_and_a_colonist() -> None:
    options = Options(6)
    position = new_position(options)
    give_goods(position, 2, corn=1)
    give_goods(position, 5, coffee=2)
    give_tiles(position, 1, "quarry", 1, 1)
    give_tiles(position, 3, "corn", 1, 1)
    position["boards"][4]["san_juan"] = 2
    position["colonist_supply"] -= 2
    pair = play_both(options, position, ("pick", "pirate"))
    assert asked(pair) == ("pirate_barrel", 0)
    assert set(pair.reference.legal()) == {PASS, ("plunder", 2, "corn"), ("plunder", 5, "coffee")}
    pair.play(("plunder", 5, "coffee"))
    assert (held(pair, 0), held(pair, 5)) == ({"coffee": 1}, {"coffee": 1})
    assert asked(pair) == ("pirate_colonist", 0)
    assert set(pair.reference.legal()) == {PASS, ("kidnap", 3, "corn"), ("kidnap", 4, "san_juan")}
    pair.play(("kidnap", 3, "corn"))
    assert gained(position, pair, "san_juan") == [1, 0, 0, 0, 0, 0]
    assert pair.position["boards"][3]["island"]["corn"] == {"tiles": 1, "colonists": 0}
    assert asked(pair) == ("pick_role", 1)


@pytest.mark.parametrize("taken", [True, False])
def test_governor_changes_only_with_the_card(taken: bool) -> None:
    options = Options(6, six_players="governor")
    roles = ["craftsman", "trader", "prospector", "governor" if taken else "captain", "prospector_2"]
    pair = play_both(options, new_position(options), *(("pick", role) for role in roles))
    assert asked(pair) == ("pick_role", 5)
    pair.play(("pick", "captain" if taken else "builder"))
    while pair.position["round"] == 1:
        pair.play(PASS)
    assert pair.position["governor"] == (3 if taken else 0)
    assert asked(pair) == ("pick_role", 3 if taken else 0)
    assert pair.position["roles"]["governor"]["doubloons"] == (0 if taken else 1)


def test_ten_buildings_end_the_game_with_the_governor_card() -> None:
    for six_players, ending in (("governor", ["city"]), ("johns", [])):
        options = Options(6, six_players=six_players)
        position = new_position(options)
        give_buildings(position, 0, **dict.fromkeys(list(BUILDINGS)[:9], 0))
        pair = play_both(options, position, ("pick", "builder"), ("build", "small_warehouse"))
        assert pair.position["ending"] == ending


@pytest.mark.parametrize("options", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_set_up_has_the_numbers_of_the_rulebook(options: Options) -> None:
    for seed in range(2):
        position = Pair(options, seed).position
        kinds = [kind for kind in position["kinds"] if kind in TO_DRAFT]
        assert sum(position["face_up"].values()) == options.players + 1
        for tile in GOODS:  # turn the face-up tiles back
            position["face_down"][tile] += position["face_up"][tile]
            position["face_up"][tile] = 0
        expected = start_position(options, kinds)
        assert {
            key: value for key, value in position.items() if key not in ("seed", "generator", "balanced")
        } == expected
        if options.buildings != "draft":
            assert can_be_put_up(kinds, options) == []
            assert Counter(BUILDINGS[kind].cost for kind in kinds) == SPACES_OF_COST


def test_random_boards_are_fair() -> None:
    # of the pairs of two kinds for cost 2, one has both; excluding it leaves each of the two in 2 of 5 pairs
    for rule, share in (("allowed", 1 / 2), ("excluded", 2 / 5)):
        options = Options(3, "random", hacienda_with_forest_house=rule)
        drawn: Counter[str] = Counter()
        games = Batch(PuertoRico(**options.arguments()), 1000, seed=1, observations=False)
        for index in range(len(games)):
            drawn.update(games.to_dict(index)["kinds"])
        assert drawn["aqueduct"] == pytest.approx(500, abs=60)
        assert drawn["library"] == pytest.approx(500, abs=60)
        assert drawn["statue"] == pytest.approx(1000 * 5 / 7, abs=60)
        assert drawn["hacienda"] == pytest.approx(1000 * share, abs=60)
        assert drawn["forest_house"] == pytest.approx(1000 * share, abs=60)


def test_balanced_rules_change_two_costs_and_the_corn_seats() -> None:
    options = Options(3, balanced=True)
    position = new_position(options)
    assert [board["doubloons"] for board in position["boards"]] == [2, 2, 1]
    for building, price in (("university", 6), ("factory", 7), ("harbor", 7)):
        for doubloons in (price - 1, price):
            position["boards"][0]["doubloons"] = doubloons
            pair = play_both(options, position, ("pick", "builder"))
            assert (("build", building) in legal(pair, "build")) == (doubloons == price)


@pytest.mark.parametrize(("rule", "second"), [("each", 2), ("round", 1)])
def test_library_of_two_players_once_a_round(rule: str, second: int) -> None:
    options = Options(2, SHIPPING, two_player_library=rule)
    position = new_position(options)
    give_buildings(position, 0, library=1)
    give_goods(position, 0, corn=1)
    pair = play_both(options, position, ("pick", "prospector"), ("pick", "craftsman"), ("pick", "trader"))
    pair.play(("sell", "corn"))
    assert gained(position, pair, "doubloons") == [2 + second, 0]
