"""A game as plain Python values and back: `to_dict` describes everything, `from_dict` sets up a description.

A description may leave out anything that is empty or follows from the rest. By default supplies hold whatever is not
elsewhere, boards are empty, no tile is face up, nobody but the picker has picked, and the acting player is the picker:

>>> PuertoRico(players=3).from_dict({
...     "phase": "captain",
...     "boards": [{"goods": {"corn": 3}, "city": {"harbor": 1}}, {"goods": {"sugar": 2}}, {}],
...     "ships": [{"good": "corn", "barrels": 2}, {}, {}],
... })
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from pr_env.checks import listed
from pr_env.game import PositionError
from pr_env.puerto_rico import extended_position
from pr_env.puerto_rico.boards import add_building, num_buildings, num_roles, table_row
from pr_env.puerto_rico.invariants import ROLE_OF_PHASE, find_problems
from pr_env.puerto_rico.mayor import circles_from
from pr_env.puerto_rico.state import (
    CAPTAIN_PHASE,
    CHIPS_GONE,
    CITY_FULL,
    CRAFTSMAN_PRIVILEGE,
    END_REASONS,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    PHASES,
    STORE_PHASE,
    UNIVERSITY_PHASE,
)
from pr_env.puerto_rico.tables import (
    BARRELS,
    BUILDING_NAMES,
    CARDS,
    CIRCLES,
    CITY_SPACES,
    COLONIST_SUPPLY,
    GOODS,
    LARGE_WAREHOUSE,
    NO_ONE,
    NO_ROLE,
    NOT_BUILT,
    NOTHING,
    NUM_GOODS,
    NUM_SHIPS,
    PLANTATIONS,
    QUARRIES,
    QUARRY,
    ROLES,
    SHIP_CAPACITY,
    SMALL_WAREHOUSE,
    SPACES,
    TILES,
    TRADING_HOUSE_SPACES,
    VP_CHIPS,
)
from pr_env.randomness import start_generator
from pr_env.reading import Reader, fitting, name_in, whole

PLACES_TO_SETTLE = (*TILES, "forest")

# -- telling ----------------------------------------------------------------------------------------------------------


def to_dict(record: Any) -> dict[str, Any]:
    """Everything in the record, in JSON-safe words and numbers."""
    # Plain lists and numbers: reading a NumPy record number by number takes ten times as long.
    game = SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names})
    players = game.players
    row = table_row(record)
    return extended_position.tell(game) | {
        "game": "puerto_rico",
        "players": players,
        **({"balanced": True} if game.balanced else {}),
        "seed": game.seed,
        "generator": game.rng,
        "round": game.round_number,
        "governor": game.governor,
        "picker": game.picker,
        "role": None if game.role == NO_ROLE else ROLES[game.role],
        "phase": PHASES[game.phase],
        "player": game.player,
        "ending": [reason for bit, reason in enumerate(END_REASONS) if game.ending >> bit & 1],
        "roles": {
            ROLES[role]: {
                "doubloons": game.role_doubloons[role],
                "taken_by": None if game.role_taken_by[role] == NO_ONE else game.role_taken_by[role],
            }
            for role in range(len(game.role_taken_by))
            if CARDS[row, role]
        },
        "goods_supply": _named(GOODS, game.goods_supply),
        "colonist_supply": game.colonist_supply,
        "colonist_ship": game.colonist_ship,
        "chips_supply": game.chips_supply,
        "quarry_supply": game.quarry_supply,
        "face_up": _named(GOODS, game.face_up),
        "face_down": _named(GOODS, game.face_down),
        "discards": _named(GOODS, game.discards),
        "buildings_left": _named(BUILDING_NAMES[: len(game.buildings_left)], game.buildings_left),
        "ships": [
            {
                "capacity": int(SHIP_CAPACITY[row, ship]),
                "good": None if game.ship_good[ship] == NOTHING else GOODS[game.ship_good[ship]],
                "barrels": game.ship_barrels[ship],
            }
            for ship in range(_ships(row))
        ],
        "trading_house": [
            good for good, barrels in zip(GOODS, game.trading_house, strict=True) for _ in range(barrels)
        ],
        "decision": _half_made(game),
        "boards": [_board(game, player) for player in range(players)],
    }


def _board(game: Any, player: int) -> dict[str, Any]:
    return extended_position.tell_board(game, player) | {
        "doubloons": game.doubloons[player],
        "chips": game.chips[player],
        "goods": _named(GOODS, game.goods[player]),
        "island": {
            name: {"tiles": game.tiles[player][tile], "colonists": game.tile_colonists[player][tile]}
            for tile, name in enumerate(TILES)
            if game.tiles[player][tile] > 0
        },
        "city": {
            name: game.city[player][building]
            for building, name in enumerate(BUILDING_NAMES[: len(game.buildings_left)])
            if game.city[player][building] != NOT_BUILT
        },
        "san_juan": game.san_juan[player],
    }


def _half_made(game: Any) -> dict[str, Any]:
    """What the acting player has decided so far in a multi-step decision."""
    phase = extended_position.phase_interrupted(game)
    return extended_position.tell_half_made(game) | _half_made_in_phase(game, phase)


def _half_made_in_phase(game: Any, phase: int) -> dict[str, Any]:
    if phase == HOSPICE_PHASE:
        return {"placed": PLACES_TO_SETTLE[game.placed]}
    if phase == UNIVERSITY_PHASE:
        return {"placed": BUILDING_NAMES[game.placed]}
    if phase == MAYOR_PHASE:
        kind = game.circle_kind
        building = kind - len(TILES)
        return {"circle_kind": TILES[kind] if building < 0 else BUILDING_NAMES[game.built[game.player][building]]}
    if phase == CRAFTSMAN_PRIVILEGE:
        return {"produced": _named(GOODS, game.produced)}
    if phase == CAPTAIN_PHASE:
        return {
            "captain_bonus": game.captain_bonus,
            "wharf_used": [player for player in range(game.players) if game.wharf_used[player]],
            "idle_turns": game.idle_turns,
        }
    if phase == STORE_PHASE:
        return {
            "store_good": GOODS[game.store_good],
            "store_kinds": game.store_kinds,
            "store_single": game.store_single,
            "store_places": game.store_places,
        }
    return {}


def _named(names: Sequence[str], counts: Iterable[int]) -> dict[str, int]:
    return dict(zip(names, counts, strict=True))


def _ships(row: int) -> int:
    return int(np.count_nonzero(SHIP_CAPACITY[row]))


# -- setting up -------------------------------------------------------------------------------------------------------


def from_dict(position: Mapping[str, Any], blank: np.ndarray) -> np.ndarray:
    """One record, shape (1,), for a position; raises PositionError if it is impossible.

    Decisions with one legal answer are played, so the game may be slightly further on than described. ``blank`` is a
    record with the configuration (see `PuertoRico.blank`).
    """
    games = blank.copy()
    game: Any = games[0]
    reader = Reader(position, "the position")
    _read_identity(reader, game)
    extended_position.read_kinds(reader, game)
    _read_boards(reader, game)
    _read_table(reader, game)
    _read_round(reader, game)
    decision = reader.mapping("decision")
    extended_position.read_half_made(decision, game)
    _read_half_made(decision, game)
    reader.finish()
    problems = find_problems(games, blank)
    if problems:
        raise PositionError("impossible position: " + listed([p.removeprefix("game 0: ") for p in problems]))
    return games


def _read_identity(reader: Reader, game: Any) -> None:
    reader.same("game", "puerto_rico")
    reader.same("players", int(game.players))
    reader.same("balanced", bool(game.balanced))
    game.seed = reader.whole("seed", 0, high=2**64 - 1)
    generator = int(start_generator(np.uint64(game.seed)))
    game.rng = reader.whole("generator", generator, high=2**64 - 1)
    game.round_number = reader.whole("round", 1, high=int(game.max_rounds))


def _read_boards(reader: Reader, game: Any) -> None:
    players, row = int(game.players), table_row(game)
    boards = reader.sequence("boards", [{}] * players)
    if len(boards) != players:
        raise PositionError(f"boards must have {players} entries, one for each player, got {len(boards)}")
    game.city[:] = NOT_BUILT
    for player, description in enumerate(boards):
        board = Reader(description, f"board {player}")
        game.doubloons[player] = board.whole("doubloons", 0)
        game.chips[player] = board.whole("chips", 0)
        game.goods[player] = fitting(board.counts("goods", GOODS), BARRELS[row], GOODS, f"board {player}: barrels")
        game.san_juan[player] = board.whole("san_juan", 0, high=100)
        island = board.mapping("island")
        for tile, name in enumerate(TILES):
            entry = island.mapping(name)
            game.tiles[player, tile] = entry.whole("tiles", 0, high=12)
            game.tile_colonists[player, tile] = entry.whole("colonists", 0, high=12)
            entry.finish()
        island.finish()
        extended_position.read_board(board, game, player)
        city = board.mapping("city")
        for building, name in enumerate(BUILDING_NAMES[: num_buildings(game)]):
            if name in city.data:
                if game.built_count[player] == CITY_SPACES:
                    raise PositionError(f"board {player} must have at most {CITY_SPACES} buildings")
                add_building(game, player, building)
                game.city[player, building] = city.whole(name, 0, high=int(CIRCLES[building]))
            else:
                city.known.append(name)
        city.finish()
        board.finish()


def _rest(total: np.ndarray, elsewhere: np.ndarray, names: Sequence[str], what: str) -> np.ndarray:
    """The contents of a pile that the description leaves out: what is not elsewhere."""
    for all_, used, name in zip(total, elsewhere, names, strict=True):
        if used > all_:
            raise PositionError(f"impossible position: there must be at most {all_} {what}{name}, got {used}")
    return np.asarray(total - elsewhere)


def _read_table(reader: Reader, game: Any) -> None:
    players, row = int(game.players), table_row(game)
    _read_ships(reader, game)
    house = reader.sequence("trading_house", [])
    if len(house) > TRADING_HOUSE_SPACES:
        raise PositionError(f"trading_house must have at most {TRADING_HOUSE_SPACES} barrels, got {len(house)}")
    for good in house:
        game.trading_house[name_in(good, GOODS, "trading_house")] += 1

    barrels = game.trading_house + game.goods.sum(axis=0, dtype=int)
    for ship in range(NUM_SHIPS):
        if game.ship_good[ship] != NOTHING:
            barrels[game.ship_good[ship]] += game.ship_barrels[ship]
    game.goods_supply = _pile(reader, "goods_supply", GOODS, BARRELS[row], barrels, "barrels of ")

    on_islands = game.tiles.sum(axis=0, dtype=int)
    for pile in ("face_up", "discards"):
        game[pile] = fitting(reader.counts(pile, GOODS), PLANTATIONS[row], GOODS, pile)
    seen = on_islands[:NUM_GOODS] + game.face_up + game.discards + extended_position.read_removed(reader, game)
    game.face_down = _pile(reader, "face_down", GOODS, PLANTATIONS[row], seen, "plantations of ")
    quarries = _rest(QUARRIES[row, None], on_islands[QUARRY:], ("quarries",), "")
    game.quarry_supply = reader.whole("quarry_supply", int(quarries[0]), high=int(QUARRIES[row]))

    built = (game.city != NOT_BUILT).sum(axis=0)
    names, copies = BUILDING_NAMES[: num_buildings(game)], extended_position.copies(game)
    game.buildings_left = _pile(reader, "buildings_left", names, copies, built, "copies of ")

    phase = reader.data.get("phase")
    unloaded = isinstance(phase, str) and phase == PHASES[MAYOR_PHASE]
    game.colonist_ship = reader.whole("colonist_ship", 0 if unloaded else players, high=100)
    on_boards = game.san_juan.sum(dtype=int) + game.tile_colonists.sum(dtype=int) + np.maximum(game.city, 0).sum()
    elsewhere = np.array([on_boards + game.colonist_ship])
    colonists = _rest(COLONIST_SUPPLY[row, None] + players, elsewhere, ("colonists",), "")
    game.colonist_supply = reader.whole("colonist_supply", int(colonists[0]), high=120)

    points = int(game.chips.sum(dtype=int))
    game.chips_supply = reader.whole("chips_supply", max(0, int(VP_CHIPS[row]) - points), high=int(VP_CHIPS[row]))


def _pile(
    reader: Reader, key: str, names: Sequence[str], total: np.ndarray, elsewhere: np.ndarray, what: str
) -> np.ndarray:
    if key in reader.data:
        return fitting(reader.counts(key, names), total, names, key)
    reader.take(key)
    return _rest(total, elsewhere, names, what)


def _read_ships(reader: Reader, game: Any) -> None:
    players, row = int(game.players), table_row(game)
    count = _ships(row)
    ships = reader.sequence("ships", [{}] * count)
    if len(ships) != count:
        raise PositionError(f"ships must have {count} entries for {players} players, got {len(ships)}")
    game.ship_good[:] = NOTHING
    for ship, description in enumerate(ships):
        entry = Reader(description, f"ship {ship}")
        capacity = int(SHIP_CAPACITY[row, ship])
        entry.same("capacity", capacity)
        good = entry.name("good", GOODS, None)
        game.ship_good[ship] = NOTHING if good is None else good
        game.ship_barrels[ship] = entry.whole("barrels", 0, high=capacity)
        entry.finish()


def _read_round(reader: Reader, game: Any) -> None:
    players = int(game.players)
    game.phase = reader.name("phase", extended_position.phases(game), "pick_role")
    implied = ROLE_OF_PHASE.get(int(game.phase), NO_ROLE)
    role = reader.name("role", ROLES[: num_roles(game)], None if implied == NO_ROLE else ROLES[implied])
    game.role = NO_ROLE if role is None else role

    described = "roles" in reader.data
    cards = reader.mapping("roles")
    game.role_taken_by[:] = NO_ONE
    for card in np.flatnonzero(CARDS[table_row(game), : num_roles(game)]):
        name = ROLES[card]
        entry = cards.mapping(name)
        game.role_doubloons[card] = entry.whole("doubloons", 0, high=1000)
        taken_by = entry.take("taken_by")
        if taken_by is not None:
            game.role_taken_by[card] = whole(taken_by, f"taken_by of role {name}", high=players - 1)
            described = True
        entry.finish()
    cards.finish()

    last = players - 1
    if described and (game.role_taken_by != NO_ONE).any():
        game.governor = reader.whole("governor", 0, high=last)
        game.picks = int((game.role_taken_by != NO_ONE).sum())
        to_pick = (int(game.governor) + int(game.picks)) % players
        game.picker = reader.whole("picker", to_pick if game.role == NO_ROLE else (to_pick - 1) % players, high=last)
    else:  # the round has just begun: the governor picks, or has picked the role being played
        picker = reader.take("picker")
        governor = reader.take("governor", 0 if picker is None else picker)
        game.governor = whole(governor, "governor", high=last)
        game.picker = whole(governor if picker is None else picker, "picker", high=last)
        if game.role != NO_ROLE:
            game.role_taken_by[game.role] = game.picker
            game.picks = 1
    game.player = reader.whole("player", int(game.picker), high=last)

    ending = 0
    if ((game.city != NOT_BUILT) * SPACES[: num_buildings(game)]).sum(axis=1).max() >= CITY_SPACES:
        ending |= CITY_FULL
    if game.chips_supply == 0:
        ending |= CHIPS_GONE
    implied_ending = [reason for bit, reason in enumerate(END_REASONS) if ending >> bit & 1]
    for reason in reader.sequence("ending", implied_ending):
        game.ending |= 1 << name_in(reason, END_REASONS, "ending")


def _read_half_made(reader: Reader, game: Any) -> None:
    game.placed = NOTHING
    player = int(game.player)
    phase = extended_position.phase_interrupted(game)
    if phase == HOSPICE_PHASE:
        game.placed = reader.name("placed", PLACES_TO_SETTLE, TILES[0])
    elif phase == UNIVERSITY_PHASE:
        game.placed = reader.name("placed", BUILDING_NAMES[: num_buildings(game)], BUILDING_NAMES[0])
    elif phase == MAYOR_PHASE:
        standing = tuple(BUILDING_NAMES[game.built[player, place]] for place in range(game.built_count[player]))
        game.circle_kind = reader.name("circle_kind", (*TILES, *standing), TILES[0])
        game.circles_ahead = circles_from(game, player, int(game.circle_kind))
    elif phase == CRAFTSMAN_PRIVILEGE:
        game.produced = fitting(reader.counts("produced", GOODS), BARRELS[table_row(game)], GOODS, "produced")
    elif phase == CAPTAIN_PHASE:
        game.captain_bonus = reader.whole("captain_bonus", 1, high=1)
        game.idle_turns = reader.whole("idle_turns", 0, high=int(game.players) - 1)
        for user in reader.sequence("wharf_used", []):
            game.wharf_used[whole(user, "wharf_used", high=int(game.players) - 1)] = 1
    elif phase == STORE_PHASE:
        held = [good for good, barrels in zip(GOODS, game.goods[player], strict=True) if barrels]
        kinds = (game.city[player, SMALL_WAREHOUSE] > 0) + 2 * (game.city[player, LARGE_WAREHOUSE] > 0)
        game.store_good = reader.name("store_good", GOODS, held[0] if held else GOODS[0])
        game.store_kinds = reader.whole("store_kinds", int(kinds), high=3)
        game.store_single = reader.whole("store_single", 1, high=1)
        game.store_places = reader.whole("store_places", int(kinds) + 1, high=4)
    reader.finish()
