"""A game as plain Python and back: `to_dict` tells everything, `from_dict` sets up what a person describes.

A description may leave out whatever follows from the rest or is empty. Left out, supplies are what is not elsewhere,
boards are empty, no tile lies face up, nobody has picked but the picker, and the acting player is the picker:

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

from pr_env.game import PositionError
from pr_env.puerto_rico import kernels
from pr_env.puerto_rico.boards import add_building
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
    RECORD,
    STORE_PHASE,
    UNIVERSITY_PHASE,
)
from pr_env.puerto_rico.tables import (
    BARRELS,
    BUILDING_NAMES,
    CITY_SPACES,
    COLONIST_SUPPLY,
    COPIES,
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
    ROLE_CARDS,
    ROLES,
    SHIP_CAPACITY,
    SMALL_WAREHOUSE,
    SPACES,
    TILES,
    TRADING_HOUSE_SPACES,
    VP_CHIPS,
)
from pr_env.randomness import start_generator

# -- telling ----------------------------------------------------------------------------------------------------------


def to_dict(record: Any) -> dict[str, Any]:
    """Everything that the record says, in words and numbers that JSON knows."""
    # Plain lists and numbers: reading a NumPy record number by number takes ten times as long.
    game = SimpleNamespace(**{name: record[name].tolist() for name in record.dtype.names})
    players = game.players
    cards = int(ROLE_CARDS[players])
    return {
        "game": "puerto_rico",
        "players": players,
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
            for role in range(cards)
        },
        "goods_supply": _named(GOODS, game.goods_supply),
        "colonist_supply": game.colonist_supply,
        "colonist_ship": game.colonist_ship,
        "chips_supply": game.chips_supply,
        "quarry_supply": game.quarry_supply,
        "face_up": _named(GOODS, game.face_up),
        "face_down": _named(GOODS, game.face_down),
        "discards": _named(GOODS, game.discards),
        "buildings_left": _named(BUILDING_NAMES, game.buildings_left),
        "ships": [
            {
                "capacity": int(SHIP_CAPACITY[players, ship]),
                "good": None if game.ship_good[ship] == NOTHING else GOODS[game.ship_good[ship]],
                "barrels": game.ship_barrels[ship],
            }
            for ship in range(_ships(players))
        ],
        "trading_house": [
            good for good, barrels in zip(GOODS, game.trading_house, strict=True) for _ in range(barrels)
        ],
        "decision": _half_made(game),
        "boards": [_board(game, player) for player in range(players)],
    }


def _board(game: Any, player: int) -> dict[str, Any]:
    return {
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
            for building, name in enumerate(BUILDING_NAMES)
            if game.city[player][building] != NOT_BUILT
        },
        "san_juan": game.san_juan[player],
    }


def _half_made(game: Any) -> dict[str, Any]:
    """What the acting player has decided so far in a decision of several steps."""
    if game.phase == HOSPICE_PHASE:
        return {"placed": TILES[game.placed]}
    if game.phase == UNIVERSITY_PHASE:
        return {"placed": BUILDING_NAMES[game.placed]}
    if game.phase == MAYOR_PHASE:
        kind = game.circle_kind
        building = kind - len(TILES)
        return {"circle_kind": TILES[kind] if building < 0 else BUILDING_NAMES[game.built[game.player][building]]}
    if game.phase == CRAFTSMAN_PRIVILEGE:
        return {"produced": _named(GOODS, game.produced)}
    if game.phase == CAPTAIN_PHASE:
        return {
            "captain_bonus": game.captain_bonus,
            "wharf_used": [player for player in range(game.players) if game.wharf_used[player]],
            "idle_turns": game.idle_turns,
        }
    if game.phase == STORE_PHASE:
        return {
            "store_good": GOODS[game.store_good],
            "store_kinds": game.store_kinds,
            "store_single": game.store_single,
            "store_places": game.store_places,
        }
    return {}


def _named(names: Sequence[str], counts: Iterable[int]) -> dict[str, int]:
    return dict(zip(names, counts, strict=True))


def _ships(players: int) -> int:
    return int(np.count_nonzero(SHIP_CAPACITY[players]))


# -- setting up -------------------------------------------------------------------------------------------------------


def from_dict(position: Mapping[str, Any], players: int, max_rounds: int) -> np.ndarray:
    """One record, shape (1,), for a described position; raises PositionError for one that cannot be.

    Decisions with one legal answer are played, so the game may stand a little later than described.
    """
    games = np.zeros(1, RECORD)
    game: Any = games[0]
    game.players = players
    game.max_rounds = max_rounds
    reader = _Reader(position, "the position")
    _read_identity(reader, game)
    _read_boards(reader, game)
    _read_table(reader, game)
    _read_round(reader, game)
    _read_half_made(reader.mapping("decision"), game)
    reader.finish()
    problems = find_problems(games, players, max_rounds)
    if problems:
        raise PositionError("this position cannot be: " + "; ".join(p.removeprefix("game 0: ") for p in problems))
    kernels.refresh_games(games)
    return games


class _Reader:
    """Takes keys out of a mapping, says what is wrong with them, and complains about keys that nobody asked for."""

    def __init__(self, mapping: Any, path: str) -> None:
        if not isinstance(mapping, Mapping):
            raise PositionError(f"{path} must be a dictionary, not {mapping!r}")
        self.data = dict(mapping)
        self.path = path
        self.known: list[str] = []

    def take(self, key: str, default: Any = None) -> Any:
        self.known.append(key)
        return self.data.pop(key, default)

    def whole(self, key: str, default: int, high: int = 10_000) -> int:
        return _whole(self.take(key, default), f"{key} in {self.path}", high)

    def name(self, key: str, names: Sequence[str], default: str | None) -> int | None:
        """The place of a name in a list of names, or None."""
        value = self.take(key, default)
        return None if value is None else _name(value, names, f"{key} in {self.path}")

    def mapping(self, key: str) -> _Reader:
        value = self.take(key)
        return _Reader({} if value is None else value, key if self.path == "the position" else f"{key} in {self.path}")

    def counts(self, key: str, names: Sequence[str]) -> np.ndarray:
        reader = self.mapping(key)
        counts = np.array([reader.whole(name, 0) for name in names], int)
        reader.finish()
        return counts

    def sequence(self, key: str, default: Sequence[Any]) -> Sequence[Any]:
        value = self.take(key, default)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise PositionError(f"{key} in {self.path} must be a list, not {value!r}")
        return value

    def finish(self) -> None:
        if self.data:
            known = f"known are {', '.join(self.known)}" if self.known else "nothing is known there in this phase"
            raise PositionError(f"{self.path} has no {next(iter(self.data))!r}; {known}")


def _whole(value: Any, what: str, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value <= high:
        raise PositionError(f"{what} must be a whole number from 0 to {high}, not {value!r}")
    return int(value)


def _name(value: Any, names: Sequence[str], what: str) -> int:
    if value not in names:
        raise PositionError(f"{what} must be one of {', '.join(names)}, not {value!r}")
    return names.index(value)


def _read_identity(reader: _Reader, game: Any) -> None:
    if reader.take("game", "puerto_rico") != "puerto_rico":
        raise PositionError("the position is of another game than puerto_rico")
    count = reader.take("players", int(game.players))
    if count != game.players:
        raise PositionError(f"the position is for {count!r} players, the configuration for {game.players}")
    game.seed = reader.whole("seed", 0, high=2**64 - 1)
    generator = int(start_generator(np.uint64(game.seed)))
    game.rng = reader.whole("generator", generator, high=2**64 - 1)
    game.round_number = reader.whole("round", 1, high=int(game.max_rounds))


def _read_boards(reader: _Reader, game: Any) -> None:
    players = int(game.players)
    boards = reader.sequence("boards", [{}] * players)
    if len(boards) != players:
        raise PositionError(f"boards has {len(boards)} entries, it must be one for each of {players} players")
    game.city[:] = NOT_BUILT
    for player, description in enumerate(boards):
        board = _Reader(description, f"board {player}")
        game.doubloons[player] = board.whole("doubloons", 0)
        game.chips[player] = board.whole("chips", 0)
        game.goods[player] = _fitting(board.counts("goods", GOODS), BARRELS[players], GOODS, f"board {player}: barrels")
        game.san_juan[player] = board.whole("san_juan", 0, high=100)
        island = board.mapping("island")
        for tile, name in enumerate(TILES):
            entry = island.mapping(name)
            game.tiles[player, tile] = entry.whole("tiles", 0, high=12)
            game.tile_colonists[player, tile] = entry.whole("colonists", 0, high=12)
            entry.finish()
        island.finish()
        city = board.mapping("city")
        for building, name in enumerate(BUILDING_NAMES):
            if name in city.data:
                if game.built_count[player] == CITY_SPACES:
                    raise PositionError(f"board {player} has more than {CITY_SPACES} buildings")
                add_building(game, player, building)
                game.city[player, building] = city.whole(name, 0, high=3)
            else:
                city.known.append(name)
        city.finish()
        board.finish()


def _fitting(counts: np.ndarray, most: np.ndarray, names: Sequence[str], what: str) -> np.ndarray:
    for count, limit, name in zip(counts, most, names, strict=True):
        if count > limit:
            raise PositionError(f"{what} of {name}: {count}, but the game has only {limit}")
    return counts


def _rest(total: np.ndarray, elsewhere: np.ndarray, names: Sequence[str], what: str) -> np.ndarray:
    """What is left for a pile that the description leaves out."""
    for all_, used, name in zip(total, elsewhere, names, strict=True):
        if used > all_:
            raise PositionError(f"this position cannot be: there are {used} {what}{name}, the game has {all_}")
    return np.asarray(total - elsewhere)


def _read_table(reader: _Reader, game: Any) -> None:
    players = int(game.players)
    _read_ships(reader, game)
    house = reader.sequence("trading_house", [])
    if len(house) >= TRADING_HOUSE_SPACES:
        raise PositionError(f"trading_house has {len(house)} barrels: a full trading house is emptied at once")
    for good in house:
        game.trading_house[_name(good, GOODS, "trading_house")] += 1

    barrels = game.trading_house + game.goods.sum(axis=0, dtype=int)
    for ship in range(NUM_SHIPS):
        if game.ship_good[ship] != NOTHING:
            barrels[game.ship_good[ship]] += game.ship_barrels[ship]
    game.goods_supply = _pile(reader, "goods_supply", GOODS, BARRELS[players], barrels, "barrels of ")

    on_islands = game.tiles.sum(axis=0, dtype=int)
    for pile in ("face_up", "discards"):
        game[pile] = _fitting(reader.counts(pile, GOODS), PLANTATIONS[players], GOODS, pile)
    seen = on_islands[:NUM_GOODS] + game.face_up + game.discards
    game.face_down = _pile(reader, "face_down", GOODS, PLANTATIONS[players], seen, "plantations of ")
    quarries = _rest(QUARRIES[players, None], on_islands[QUARRY:], ("quarries",), "")
    game.quarry_supply = reader.whole("quarry_supply", int(quarries[0]), high=8)

    built = (game.city != NOT_BUILT).sum(axis=0)
    game.buildings_left = _pile(reader, "buildings_left", BUILDING_NAMES, COPIES[players], built, "copies of ")

    unloaded = reader.data.get("phase") == PHASES[MAYOR_PHASE]
    game.colonist_ship = reader.whole("colonist_ship", 0 if unloaded else players, high=100)
    on_boards = game.san_juan.sum(dtype=int) + game.tile_colonists.sum(dtype=int) + np.maximum(game.city, 0).sum()
    elsewhere = np.array([on_boards + game.colonist_ship])
    colonists = _rest(COLONIST_SUPPLY[players, None] + players, elsewhere, ("colonists",), "")
    game.colonist_supply = reader.whole("colonist_supply", int(colonists[0]), high=100)

    points = int(game.chips.sum(dtype=int))
    game.chips_supply = reader.whole("chips_supply", max(0, int(VP_CHIPS[players]) - points), high=122)


def _pile(
    reader: _Reader, key: str, names: Sequence[str], total: np.ndarray, elsewhere: np.ndarray, what: str
) -> np.ndarray:
    if key in reader.data:
        return _fitting(reader.counts(key, names), total, names, key)
    reader.take(key)
    return _rest(total, elsewhere, names, what)


def _read_ships(reader: _Reader, game: Any) -> None:
    players = int(game.players)
    count = _ships(players)
    ships = reader.sequence("ships", [{}] * count)
    if len(ships) != count:
        raise PositionError(f"ships has {len(ships)} entries, {players} players have {count} ships")
    game.ship_good[:] = NOTHING
    for ship, description in enumerate(ships):
        entry = _Reader(description, f"ship {ship}")
        capacity = int(SHIP_CAPACITY[players, ship])
        given = entry.take("capacity", capacity)
        if given != capacity:
            raise PositionError(f"ship {ship} of {players} players has {capacity} spaces, not {given!r}")
        good = entry.name("good", GOODS, None)
        game.ship_good[ship] = NOTHING if good is None else good
        game.ship_barrels[ship] = entry.whole("barrels", 0, high=capacity)
        entry.finish()


def _read_round(reader: _Reader, game: Any) -> None:
    players = int(game.players)
    phase = reader.name("phase", PHASES, "pick_role")
    game.phase = phase
    implied = ROLE_OF_PHASE.get(int(game.phase), NO_ROLE)
    role = reader.name("role", ROLES, None if implied == NO_ROLE else ROLES[implied])
    game.role = NO_ROLE if role is None else role

    described = "roles" in reader.data
    cards = reader.mapping("roles")
    game.role_taken_by[:] = NO_ONE
    for card, name in enumerate(ROLES[: int(ROLE_CARDS[players])]):
        entry = cards.mapping(name)
        game.role_doubloons[card] = entry.whole("doubloons", 0, high=1000)
        taken_by = entry.take("taken_by")
        if taken_by is not None:
            game.role_taken_by[card] = _whole(taken_by, f"taken_by of role {name}", high=players - 1)
            described = True
        entry.finish()
    cards.finish()

    last = players - 1
    if described and (game.role_taken_by != NO_ONE).any():
        game.governor = reader.whole("governor", 0, high=last)
        game.picks = int((game.role_taken_by != NO_ONE).sum())
        to_pick = (int(game.governor) + int(game.picks)) % players
        game.picker = reader.whole("picker", to_pick if game.role == NO_ROLE else (to_pick - 1) % players, high=last)
    else:  # the round has just begun: the governor picks, or has picked the role that is played
        picker = reader.take("picker")
        governor = reader.take("governor", 0 if picker is None else picker)
        game.governor = _whole(governor, "governor", high=last)
        game.picker = _whole(governor if picker is None else picker, "picker", high=last)
        if game.role != NO_ROLE:
            game.role_taken_by[game.role] = game.picker
            game.picks = 1
    game.player = reader.whole("player", int(game.picker), high=last)

    ending = 0
    if ((game.city != NOT_BUILT) * SPACES).sum(axis=1).max() >= CITY_SPACES:
        ending |= CITY_FULL
    if game.chips_supply == 0:
        ending |= CHIPS_GONE
    implied_ending = [reason for bit, reason in enumerate(END_REASONS) if ending >> bit & 1]
    for reason in reader.sequence("ending", implied_ending):
        game.ending |= 1 << _name(reason, END_REASONS, "ending")


def _read_half_made(reader: _Reader, game: Any) -> None:
    game.placed = NOTHING
    player = int(game.player)
    if game.phase == HOSPICE_PHASE:
        game.placed = reader.name("placed", TILES, TILES[0])
    elif game.phase == UNIVERSITY_PHASE:
        game.placed = reader.name("placed", BUILDING_NAMES, BUILDING_NAMES[0])
    elif game.phase == MAYOR_PHASE:
        standing = tuple(BUILDING_NAMES[game.built[player, place]] for place in range(game.built_count[player]))
        game.circle_kind = reader.name("circle_kind", (*TILES, *standing), TILES[0])
        game.circles_ahead = circles_from(game, player, int(game.circle_kind))
    elif game.phase == CRAFTSMAN_PRIVILEGE:
        game.produced = _fitting(reader.counts("produced", GOODS), BARRELS[int(game.players)], GOODS, "produced")
    elif game.phase == CAPTAIN_PHASE:
        game.captain_bonus = reader.whole("captain_bonus", 1, high=1)
        game.idle_turns = reader.whole("idle_turns", 0, high=int(game.players) - 1)
        for user in reader.sequence("wharf_used", []):
            game.wharf_used[_whole(user, "wharf_used", high=int(game.players) - 1)] = 1
    elif game.phase == STORE_PHASE:
        held = [good for good, barrels in zip(GOODS, game.goods[player], strict=True) if barrels]
        kinds = (game.city[player, SMALL_WAREHOUSE] > 0) + 2 * (game.city[player, LARGE_WAREHOUSE] > 0)
        game.store_good = reader.name("store_good", GOODS, held[0] if held else GOODS[0])
        game.store_kinds = reader.whole("store_kinds", int(kinds), high=3)
        game.store_single = reader.whole("store_single", 1, high=1)
        game.store_places = reader.whole("store_places", int(kinds) + 1, high=4)
    reader.finish()
