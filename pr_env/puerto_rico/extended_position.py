"""Parts of position descriptions that only the extended game has (see position.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pr_env.game import PositionError
from pr_env.puerto_rico.state import (
    BASE_BOARD,
    CAPTAIN_PHASE,
    CRAFTSMAN_PRIVILEGE,
    DRAFT_PHASE,
    GAME_OVER,
    GUEST_PHASE,
    LIST_BOARD,
    NOTHING_TO_RESUME,
    PHASES,
    SMALL_WHARF_PHASE,
    START_OF_ROLE,
)
from pr_env.puerto_rico.tables import (
    BUILDING_NAMES,
    COPIES,
    FIRST_VIOLET,
    GOODS,
    ISLAND_SPACES,
    LARGE_CHURCH,
    NOTHING,
    NUM_BASE_BUILDINGS,
    PLANTATIONS,
)
from pr_env.reading import Reader, fitting, name_in, whole

_RESUMED = ("start_of_role", *PHASES)  # names for `after_guests`
_FLAGS = ("without_privilege", "guests_asked", "hacienda_asked", "second_turn")
_COUNTS = ("guest_from", "privileges_used", "privilege_from", "missing")
_SEATS = ("library_used", "has_loaded", "small_wharf_used")


def is_extended(game: Any) -> bool:
    """Whether a record, or a partly read description, is of the extended game."""
    return hasattr(game, "in_game")


def phases(game: Any) -> tuple[str, ...]:
    """The names of the game's phases."""
    return PHASES if is_extended(game) else PHASES[: GAME_OVER + 1]


def phase_interrupted(game: Any) -> int:
    """The phase whose unfinished decisions the record holds: guests and small wharf interrupt captain and craftsman."""
    if game.phase == SMALL_WHARF_PHASE:
        return CAPTAIN_PHASE
    if game.phase == GUEST_PHASE and game.after_guests in (CAPTAIN_PHASE, CRAFTSMAN_PRIVILEGE):
        return int(game.after_guests)
    return int(game.phase)


# -- telling ----------------------------------------------------------------------------------------------------------


def tell(game: Any) -> dict[str, Any]:
    """The table."""
    if not is_extended(game):
        return {}
    return {
        "kinds": [name for name, there in zip(BUILDING_NAMES, game.in_game, strict=True) if there],
        "removed": dict(zip(GOODS, game.removed, strict=True)),
    }


def tell_board(game: Any, player: int) -> dict[str, Any]:
    """A player's board."""
    return {"forests": game.forests[player]} if is_extended(game) else {}


def tell_half_made(game: Any) -> dict[str, Any]:
    """Values that differ from those between two roles."""
    if not is_extended(game):
        return {}
    told: dict[str, Any] = {name: True for name in _FLAGS if getattr(game, name)}
    told |= {name: getattr(game, name) for name in _COUNTS if getattr(game, name)}
    for name in _SEATS:
        seats = [player for player in range(game.players) if getattr(game, name)[player]]
        told |= {name: seats} if seats else {}
    if game.after_guests != NOTHING_TO_RESUME:
        told["after_guests"] = _RESUMED[0 if game.after_guests == START_OF_ROLE else 1 + game.after_guests]
    if game.drawn != NOTHING:
        told["drawn"] = GOODS[game.drawn]
    if game.buying != NOTHING:
        told["buying"] = BUILDING_NAMES[game.buying]
    if game.phase == SMALL_WHARF_PHASE:
        told["wharf_good"] = GOODS[game.wharf_good]
        told["shipped"] = dict(zip(GOODS, game.shipped, strict=True))
    if any(game.kept_whole):
        told["kept_whole"] = [good for good, kept in zip(GOODS, game.kept_whole, strict=True) if kept]
    return told


# -- setting up -------------------------------------------------------------------------------------------------------


def read_kinds(reader: Reader, game: Any) -> None:
    """The kinds of buildings in the game; drafted or drawn ones must be given."""
    if not is_extended(game):
        return
    given = reader.sequence("kinds", ())
    game.in_game[LARGE_CHURCH] = COPIES[int(game.row), LARGE_CHURCH] > 0
    if game.board == BASE_BOARD:
        game.in_game[:NUM_BASE_BUILDINGS] = 1
    elif game.board != LIST_BOARD:
        game.in_game[:FIRST_VIOLET] = 1
        if not given and reader.data.get("phase") != PHASES[DRAFT_PHASE]:
            raise PositionError("the position must list the kinds of buildings that are in the game, as 'kinds'")
        for name in given:
            game.in_game[name_in(name, BUILDING_NAMES, "kinds")] = 1
        return
    here = [name for name, there in zip(BUILDING_NAMES, game.in_game, strict=True) if there]
    if given and sorted(map(str, given)) != sorted(here):
        raise PositionError("kinds are not those of the configuration: " + ", ".join(here))


def read_board(reader: Reader, game: Any, player: int) -> None:
    """A player's forests."""
    if is_extended(game):
        game.forests[player] = reader.whole("forests", 0, high=ISLAND_SPACES)


def read_removed(reader: Reader, game: Any) -> np.ndarray:
    """Plantations that left the game. By default one for each forest, the most common kinds first."""
    if not is_extended(game):
        return np.zeros(len(GOODS), int)
    plantations = PLANTATIONS[int(game.row)]
    if "removed" in reader.data:
        game.removed = fitting(reader.counts("removed", GOODS), plantations, GOODS, "removed")
    else:
        reader.take("removed")
        left = plantations - game.tiles.sum(axis=0, dtype=int)[: len(GOODS)] - game.face_up - game.discards
        for _ in range(int(game.forests.sum(dtype=int))):
            game.removed[np.argmax(left - game.removed)] += 1
    elsewhere = game.removed.astype(int)
    decision = reader.data.get("decision")
    drawn = decision.get("drawn") if isinstance(decision, Mapping) else None
    if isinstance(drawn, str) and drawn in GOODS:
        elsewhere[GOODS.index(drawn)] += 1
    return np.asarray(elsewhere)


def copies(game: Any) -> np.ndarray:
    """The number of copies of each building in the game."""
    if not is_extended(game):
        return np.asarray(COPIES[int(game.players), :NUM_BASE_BUILDINGS])
    return np.asarray(COPIES[int(game.row)] * game.in_game)


def read_half_made(reader: Reader, game: Any) -> None:
    """Values that differ from those between two roles."""
    if not is_extended(game):
        return
    for name in _FLAGS:
        game[name] = reader.name(name, (False, True), False)
    for name in _COUNTS:
        game[name] = reader.whole(name, 0, high=100)
    for name in _SEATS:
        for seat in reader.sequence(name, []):
            game[name][whole(seat, name, high=int(game.players) - 1)] = 1
    resumed = reader.name("after_guests", _RESUMED, None)
    game.after_guests = NOTHING_TO_RESUME if resumed is None else START_OF_ROLE if resumed == 0 else resumed - 1
    drawn = reader.name("drawn", GOODS, None)
    game.drawn = NOTHING if drawn is None else drawn
    buying = reader.name("buying", BUILDING_NAMES, None)
    game.buying = NOTHING if buying is None else buying
    if game.phase == SMALL_WHARF_PHASE:
        game.wharf_good = reader.name("wharf_good", GOODS, GOODS[0])
        game.shipped = fitting(reader.counts("shipped", GOODS), game.goods[int(game.player)], GOODS, "shipped")
    for good in reader.sequence("kept_whole", []):
        game.kept_whole[name_in(good, GOODS, "kept_whole")] = 1
