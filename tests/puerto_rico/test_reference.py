"""The fast implementation against the slow one of ``reference.py``, decision by decision."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from pr_env import Batch, PuertoRico
from tests.puerto_rico.reference import (
    BUILDINGS,
    GOODS,
    LARGE_BUILDINGS,
    SET_UPS,
    SOURCES,
    TILES,
    Name,
    Position,
    Reference,
    circle_kinds,
    circles,
    filled_city_spaces,
    put_colonists,
    scores,
    spaces_of,
    start_position,
    works,
)

RANDOM_GAMES = 3  # for each number of players
CROWDED_POSITIONS = 25  # for each number of players
CROWDED_STEPS = 40  # from each of them
STYLED_GAMES = 14  # for each number of players, and as many more as it takes to see everything that should come up
MOST_STYLED_GAMES = 140
CUT_GAMES = 3  # for each number of players and of rounds
PLAYERS = (2, 3, 4, 5)

PHASES = {
    "pick_role",
    "hacienda",
    "settler",
    "hospice",
    "mayor_privilege",
    "mayor",
    "builder",
    "university",
    "craftsman_privilege",
    "trader",
    "captain",
    "store",
    "game_over",
}
KINDS = {
    "pass",
    "pick",
    "draw_tile",
    "settle",
    "take_colonist",
    "place",
    "take_good",
    "sell",
    "load",
    "wharf",
    "store",
    "build",
}
SITUATIONS = {
    "construction hut offers a quarry",
    "discards shuffled",
    "colonist from the ship",
    "city of 12 spaces",
    "kind of good out of stock",
    "office sells a kind twice",
    "two empty ships as good",
    "wharf declined",
    "wharf instead of a ship",
    "warehouse in question",
    "single barrel out of several",
    "chips counted on",
}

Policy = Callable[[Position, list[Name]], Name]


# Players


def uniform_policy(rng: random.Random) -> Policy:
    """Any legal action."""

    def choose(position: Position, legal: list[Name]) -> Name:
        return rng.choice(legal)

    return choose


class Style(NamedTuple):
    """The preferences of a policy."""

    roles: dict[str, float]  # weights of picks, 1 if missing
    wished: tuple[str, ...]  # buildings
    other_buildings: float  # weight of building anything else
    passing: float  # weight of passing


STYLES = (
    Style({"captain": 6, "craftsman": 3, "mayor": 0.5}, ("wharf", "harbor", "large_market", "customs_house"), 0.1, 0.1),
    Style({"captain": 0.2, "craftsman": 3}, ("small_warehouse", "large_warehouse", "wharf", "office"), 0.1, 0.2),
    Style({"settler": 5, "mayor": 2}, ("hacienda", "hospice", "construction_hut", "residence"), 0.1, 0.02),
    Style({"builder": 4, "trader": 2}, ("office", "university", "factory", "small_market", *LARGE_BUILDINGS), 1, 0.05),
    Style({"mayor": 5, "settler": 2}, ("university", "hospice", "fortress"), 0.05, 0.1),
    Style({"mayor": 0.03, "builder": 3}, ("hacienda", "construction_hut", "wharf"), 1, 0.2),
    Style({"captain": 0.5, "trader": 0.5}, ("wharf", "small_warehouse", "harbor"), 0.1, 1),
)


def styled_policy(rng: random.Random, style: Style) -> Policy:
    """Choose mostly by the preferences of the style, so that rare situations occur."""

    def weight(position: Position, name: Name) -> float:
        phase = position["phase"]
        if phase == "pick_role":
            return style.roles.get(str(name[1]), 1)
        if phase == "mayor":
            return 1 + 5 * int(name[1]) if position["decision"]["circle_kind"] in style.wished else 1
        if name == ("pass",):
            return style.passing if phase != "captain" else 1
        if phase == "builder":
            return 10 if name[1] in style.wished else style.other_buildings
        return 1

    def choose(position: Position, legal: list[Name]) -> Name:
        return rng.choices(legal, [weight(position, name) for name in legal])[0]

    return choose


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


def assert_same(batch: Batch, reference: Reference, told: str) -> None:
    """Positions and legal actions agree; once the game is over, the player to move is irrelevant."""
    fast, slow = batch.to_dict(0), reference.position
    over = slow["phase"] == "game_over"
    if over:
        fast = {**fast, "picker": None, "player": None}
        slow = {**slow, "picker": None, "player": None}
    assert fast == slow, "\n".join([told, *differences(fast, slow)])
    if not over:
        fast_legal, slow_legal = [action.name for action in batch.legal_actions(0)], reference.legal()
        assert set(fast_legal) == set(slow_legal), f"{told}\nfast {fast_legal}\nreference {slow_legal}"
        assert len(fast_legal) == len(slow_legal) > 1, told


def assert_same_scores(record: Any, position: Position) -> None:
    """Points by source, totals and ranks agree."""
    for seat, score in enumerate(scores(position)):
        assert [int(points) for points in record["points"][seat]] == [score[source] for source in SOURCES]
        for key in ("total", "tie_break", "rank"):
            assert int(record[key][seat]) == score[key], (key, seat)


def situations(position: Position, legal: list[Name], name: Name) -> Iterator[str]:
    """Rare features of a decision, so that a test can check that they occurred."""
    board = position["boards"][position["player"]]
    phase = position["phase"]
    if phase == "settler" and ("settle", "quarry") in legal and position["player"] != position["picker"]:
        yield "construction hut offers a quarry"
    if name == ("take_colonist",) and phase != "mayor_privilege" and position["colonist_supply"] == 0:
        yield "colonist from the ship"
    if any(filled_city_spaces(each) == 12 for each in position["boards"]):
        yield "city of 12 spaces"
    if phase == "craftsman_privilege" and 0 in position["goods_supply"].values():
        yield "kind of good out of stock"
    if name[0] == "sell" and name[1] in position["trading_house"]:
        yield "office sells a kind twice"
    if phase == "captain" and any(sum(one[:2] == ("load", good) for one in legal) > 1 for good in GOODS):
        yield "two empty ships as good"
    if name == ("pass",) and phase == "captain":
        yield "wharf declined"
    if name[0] == "wharf" and any(one[0] == "load" for one in legal):
        yield "wharf instead of a ship"
    if phase == "store" and (works(board, "small_warehouse") or works(board, "large_warehouse")):
        yield "warehouse in question"
    if name == ("store", "one"):
        yield "single barrel out of several"
    if sum(each["chips"] for each in position["boards"]) > SET_UPS[position["players"]].chips:
        yield "chips counted on"


def compare_game(
    game: PuertoRico, start: int | Position, choose: Policy, seen: Counter[str], most_steps: int = 100_000
) -> Position:
    """Play a game on both, compare after every step, and count rare features; returns the last position."""
    if isinstance(start, int):
        batch = Batch(game, 1, seed=start, autoreset=False, observations=False)
    else:
        batch = Batch.from_dicts(game, [start], autoreset=False, observations=False)
    reference = Reference(batch.to_dict(0), max_rounds=game.max_rounds)
    told = f"{game.players} players, seed {reference.position['seed']}, start"
    assert_same(batch, reference, told)
    for step in range(most_steps):
        assert not batch.terminated[0], told
        assert not batch.truncated[0], told
        position, legal = reference.position, reference.legal()
        if position["phase"] == "pick_role":
            assert_same_scores(batch.score()[0], position)
        name = choose(position, legal)
        seen.update(["steps", "phase " + position["phase"], "kind " + str(name[0])])
        seen.update("situation " + situation for situation in situations(position, legal, name))
        face_down = sum(position["face_down"].values())
        told = f"{game.players} players, seed {position['seed']}, step {step}, {position['phase']}: {name}"
        batch.step([game.action_number(*name)])
        reference.play(name)
        assert_same(batch, reference, told)
        if sum(reference.position["face_down"].values()) > face_down:
            seen["situation discards shuffled"] += 1
        if reference.position["phase"] == "game_over":
            ending = reference.position["ending"]
            seen.update(["phase game_over", *("ending " + one for one in ending)])
            assert bool(batch.truncated[0]) == (ending == ["rounds"]), told
            assert bool(batch.terminated[0]) == (ending != ["rounds"]), told
            assert_same_scores(batch.final[0], reference.position)
            break
    return reference.position


def missing(seen: Counter[str]) -> set[str]:
    """The rare features that should have occurred and did not."""
    wanted = {"phase " + phase for phase in PHASES} | {"kind " + kind for kind in KINDS}
    wanted |= {"situation " + situation for situation in SITUATIONS}
    return (wanted | {"ending colonists", "ending city", "ending chips"}) - set(seen)


# Positions


def set_up(players: int) -> Position:
    """A new game."""
    return Batch(PuertoRico(players=players), 1, seed=0, observations=False).to_dict(0)


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


def give_buildings(position: Position, seat: int, **colonists: int) -> None:
    """Buildings, and colonists from the supply in them."""
    for building, number in colonists.items():
        position["buildings_left"][building] -= 1
        position["colonist_supply"] -= number
        position["boards"][seat]["city"][building] = number


def dense_position(players: int, rng: random.Random) -> Position:
    """A crowded position with the correct number of every component: full boards, short supplies, loaded ships."""
    position = set_up(players)
    seats = range(players)
    position["governor"] = position["picker"] = position["player"] = rng.randrange(players)
    for card in position["roles"].values():
        card["doubloons"] = rng.randrange(3)
    for seat in seats:
        board = position["boards"][seat]
        board["doubloons"] = rng.randrange(15)
        for tile in rng.choices(TILES, k=rng.randint(2, 11)):
            left = position["quarry_supply"] if tile == "quarry" else position["face_down"][tile]
            if left > 0:
                give_tiles(position, seat, tile, 1 + board["island"].get(tile, {"tiles": 0})["tiles"], 0)
        for building in rng.sample(list(BUILDINGS), rng.randint(3, 11)):
            if position["buildings_left"][building] > 0 and filled_city_spaces(board) + spaces_of(building) < 12:
                give_buildings(position, seat, **{building: 0})
    man_boards(position, rng)
    spread_goods(position, rng)
    chips_left = rng.choice([1, 5, 15, 40])
    for _ in range(position["chips_supply"] - chips_left):
        position["boards"][rng.choice(seats)]["chips"] += 1
    position["chips_supply"] = chips_left
    discarded = rng.choice([0, 0.3, 1])
    for tile in GOODS:
        moved = round(discarded * position["face_down"][tile])
        position["face_down"][tile] -= moved
        position["discards"][tile] += moved
    return position


def man_boards(position: Position, rng: random.Random) -> None:
    """Colonists on most circles, some on the ship and in San Juan, and sometimes hardly any in the supply."""
    manned = rng.choice([0.5, 0.9])
    for board in position["boards"]:
        for kind in circle_kinds(board):
            for _ in range(circles(board, kind)):
                if position["colonist_supply"] > 0 and rng.random() < manned:
                    put_colonists(board, kind, 1)
                    position["colonist_supply"] -= 1
    boarding = rng.randint(0, min(6, position["colonist_supply"]))
    position["colonist_ship"] += boarding
    position["colonist_supply"] -= boarding
    for _ in range(position["colonist_supply"] - rng.choice([0, 1, 8, 100])):
        rng.choice(position["boards"])["san_juan"] += 1
        position["colonist_supply"] -= 1


def spread_goods(position: Position, rng: random.Random) -> None:
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


# Tests


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_agree_after_every_step(players: int) -> None:
    for seed in range(1000, 1000 + RANDOM_GAMES):
        compare_game(PuertoRico(players=players), seed, uniform_policy(random.Random(seed)), Counter())


@pytest.mark.parametrize("players", PLAYERS)
def test_games_in_unusual_styles_agree_and_reach_every_phase_and_rare_situations(players: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(MOST_STYLED_GAMES):
        if seed >= STYLED_GAMES and not missing(seen):
            break
        style = STYLES[seed % len(STYLES)]
        compare_game(PuertoRico(players=players), seed, styled_policy(random.Random(seed), style), seen)
    assert missing(seen) == set()


@pytest.mark.parametrize("players", PLAYERS)
def test_games_from_crowded_positions_agree(players: int) -> None:
    for seed in range(CROWDED_POSITIONS):
        rng = random.Random(seed)
        position = dense_position(players, rng) | {"seed": seed}
        compare_game(PuertoRico(players=players), position, uniform_policy(rng), Counter(), CROWDED_STEPS)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("max_rounds", [1, 4])
def test_games_that_are_cut_agree(players: int, max_rounds: int) -> None:
    for seed in range(CUT_GAMES):
        game = PuertoRico(players=players, max_rounds=max_rounds)
        last = compare_game(game, seed, uniform_policy(random.Random(seed)), Counter())
        assert last["ending"] == ["rounds"]
        assert last["round"] == max_rounds


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_that_ends_in_the_last_round_allowed_is_not_cut(players: int) -> None:
    def last_position(max_rounds: int) -> Position:
        policy = styled_policy(random.Random(0), STYLES[4])  # many mayors, so a short game
        return compare_game(PuertoRico(players=players, max_rounds=max_rounds), 0, policy, Counter())

    last = last_position(100)
    assert last_position(last["round"]) == last
    assert last_position(last["round"] - 1)["ending"] == ["rounds"]


@pytest.mark.parametrize("players", PLAYERS)
def test_set_up_has_the_numbers_of_the_rulebook(players: int) -> None:
    expected = start_position(players)
    for seed in range(20):
        start = Batch(PuertoRico(players=players), 1, seed=seed, observations=False).to_dict(0)
        assert start["seed"] == seed
        assert sum(start["face_up"].values()) == players + 1
        for tile in GOODS:  # turn the face-up tiles back
            start["face_down"][tile] += start["face_up"][tile]
            start["face_up"][tile] = 0
        assert {key: value for key, value in start.items() if key not in ("seed", "generator")} == expected


# The rulebook's worked examples, on both implementations


def play_both(position: Position, *names: Name) -> Position:
    """Play actions on both implementations from a position and compare after each."""
    game = PuertoRico(players=position["players"])
    batch = Batch.from_dicts(game, [position], autoreset=False, observations=False)
    reference = Reference(position)
    assert_same(batch, reference, "the example itself")
    for name in names:
        batch.step([game.action_number(*name)])
        reference.play(name)
        assert_same(batch, reference, str(name))
    assert_same_scores(batch.score()[0], reference.position)
    return reference.position


def gained(before: Position, after: Position, key: str) -> list[int]:
    """The gain of something by each seat."""
    pairs = zip(before["boards"], after["boards"], strict=True)
    return [new[key] - old[key] for old, new in pairs]


def test_example_quarries() -> None:
    for building, price in (("construction_hut", 1), ("office", 3), ("harbor", 5), ("city_hall", 7)):
        for doubloons in (price - 1, price):
            position = set_up(3)
            give_tiles(position, 1, "quarry", 3, 3)
            position["boards"][1]["doubloons"] = doubloons
            after = play_both(position, ("pick", "builder"), ("pass",))
            assert after["player"] == 1
            assert (("build", building) in Reference(after).legal()) == (doubloons == price)


def test_example_mayor() -> None:
    position = set_up(4)
    position["colonist_ship"] += 2
    position["colonist_supply"] -= 2
    for seat, tile in enumerate(SET_UPS[4].start_tiles):  # no circle is empty, so there is nothing to decide
        give_tiles(position, seat, tile, 1, 1)
    after = play_both(position, ("pick", "mayor"), ("take_colonist",))
    assert gained(position, after, "san_juan") == [3, 2, 1, 1]


def test_example_production() -> None:
    position = set_up(4)
    give_tiles(position, 0, "corn", 3, 2)
    give_tiles(position, 0, "tobacco", 2, 2)
    give_tiles(position, 0, "sugar", 4, 3)
    give_buildings(position, 0, tobacco_storage=1, small_sugar_mill=1, sugar_mill=3)
    after = play_both(position, ("pick", "craftsman"), ("pass",))
    assert after["boards"][0]["goods"] == {"corn": 2, "indigo": 0, "sugar": 3, "tobacco": 1, "coffee": 0}


@pytest.mark.parametrize(("kinds", "doubloons"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 5)])
def test_factory_pays_for_kinds(kinds: int, doubloons: int) -> None:
    position = set_up(4)
    give_buildings(position, 1, factory=1, indigo_plant=2, sugar_mill=2, tobacco_storage=2, coffee_roaster=2)
    for tile in GOODS[5 - kinds :]:
        give_tiles(position, 1, tile, 2, 2)
    assert gained(position, play_both(position, ("pick", "craftsman")), "doubloons") == [0, doubloons, 0, 0]


def test_example_factory() -> None:
    position = set_up(4)
    give_goods(position, 0, corn=10, sugar=9)
    give_tiles(position, 3, "corn", 3, 3)
    give_tiles(position, 3, "sugar", 3, 3)
    give_tiles(position, 3, "tobacco", 1, 1)
    give_buildings(position, 3, factory=1, sugar_mill=3, tobacco_storage=1)
    after = play_both(position, ("pick", "craftsman"))
    assert after["boards"][3]["goods"] == {"corn": 0, "indigo": 0, "sugar": 2, "tobacco": 1, "coffee": 0}
    assert gained(position, after, "doubloons") == [0, 0, 0, 1]


def test_example_captain() -> None:
    position = set_up(4)
    load_ship(position, 1, "corn", 3)
    give_goods(position, 0, corn=2, sugar=6)
    give_goods(position, 1, sugar=2, tobacco=3)
    give_goods(position, 2, corn=2, tobacco=1)
    give_goods(position, 3, corn=1, indigo=5)
    after = play_both(position, ("pick", "captain"))
    assert set(Reference(after).legal()) == {("load", "corn", 1), ("load", "sugar", 2)}
    after = play_both(after, ("load", "sugar", 2), ("load", "sugar", 2), ("load", "tobacco", 0))
    assert gained(position, after, "chips") == [7 + 2, 1 + 3, 1, 1]  # the last three loads were compulsory
    after = play_both(after, ("store", "one"), ("store", "one"))
    # the rulebook says that B has nothing left, but the sugar that found no room is still there, and may be kept
    assert [sum(board["goods"].values()) for board in after["boards"]] == [0, 1, 1, 1]
    assert after["ships"] == [
        {"capacity": 5, "good": "tobacco", "barrels": 4},
        {"capacity": 6, "good": None, "barrels": 0},
        {"capacity": 7, "good": None, "barrels": 0},
    ]


def test_example_harbor_and_wharf() -> None:
    position = set_up(3)
    load_ship(position, 0, "sugar", 1)
    load_ship(position, 1, "tobacco", 2)
    load_ship(position, 2, "coffee", 1)
    give_buildings(position, 1, harbor=1, wharf=1)
    give_goods(position, 1, tobacco=5, sugar=2)
    after = play_both(position, ("pick", "captain"), ("load", "tobacco", 1), ("load", "sugar", 0), ("wharf", "tobacco"))
    assert gained(position, after, "chips") == [0, (3 + 1) + (2 + 1) + (2 + 1), 0]


def test_example_prospector() -> None:
    position = set_up(4)
    position["roles"]["prospector"]["doubloons"] = 2
    assert gained(position, play_both(position, ("pick", "prospector")), "doubloons") == [3, 0, 0, 0]


def test_example_office_and_markets() -> None:
    position = set_up(4)
    position["trading_house"] = ["tobacco"]
    position["goods_supply"]["tobacco"] -= 1
    give_buildings(position, 0, office=1)
    give_buildings(position, 1, office=1, small_market=1, large_market=1)
    give_buildings(position, 2, small_market=1)
    for seat in range(4):
        give_goods(position, seat, tobacco=1)
    give_goods(position, 2, corn=1)
    after = play_both(position, ("pick", "trader"), ("sell", "tobacco"), ("sell", "tobacco"), ("sell", "corn"))
    assert gained(position, after, "doubloons") == [3 + 1, 3 + 3, 0 + 1, 0]
    assert after["trading_house"] == []  # full, so the fourth player could not sell
    assert after["goods_supply"]["tobacco"] == 9 - 2


def test_examples_of_scoring() -> None:
    position = set_up(5)
    small = {"hacienda": 0, "harbor": 0, "office": 0, "construction_hut": 0, "large_warehouse": 0}
    give_buildings(position, 0, guild_hall=1, sugar_mill=0, small_sugar_mill=0, small_indigo_plant=0, coffee_roaster=0)
    give_buildings(position, 1, residence=1)
    give_tiles(position, 1, "corn", 4, 0)
    give_tiles(position, 1, "sugar", 5, 0)
    give_buildings(position, 2, fortress=1)
    position["boards"][2]["san_juan"] = 19
    position["colonist_supply"] -= 19
    give_buildings(position, 3, customs_house=1)
    position["boards"][3]["chips"] = 23
    position["chips_supply"] -= 23
    give_buildings(position, 4, city_hall=1, small_market=0, **small)
    result = scores(play_both(position))
    assert [result[0]["guild_hall"], result[1]["residence"], result[2]["fortress"]] == [6, 5, 6]
    assert [result[3]["customs_house"], result[4]["city_hall"]] == [5, 7]


def test_reference_refuses_an_illegal_action() -> None:
    reference = Reference({**start_position(3), "seed": 0, "generator": 1})
    with pytest.raises(ValueError, match="not legal in phase pick_role"):
        reference.play(("pass",))
