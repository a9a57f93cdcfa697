"""What must be true of every record of the extended game, in addition to invariants.py."""

from __future__ import annotations

import numpy as np

from pr_env.puerto_rico.actions import MOST_BARRELS_OF_A_KIND
from pr_env.puerto_rico.checking import Report, Setting
from pr_env.puerto_rico.guests import MOMENTS, NUM_PLACES
from pr_env.puerto_rico.state import (
    CAPTAIN_PHASE,
    DRAFT_PHASE,
    FOREST_PHASE,
    GAME_OVER,
    GUEST_PHASE,
    HOSPICE_PHASE,
    LIST_BOARD,
    NOTHING_TO_RESUME,
    PAY_BARREL_PHASE,
    PAY_COLONIST_PHASE,
    SETTLER_PHASE,
    SMALL_WHARF_PHASE,
    STORE_PHASE,
)
from pr_env.puerto_rico.tables import (
    BLACK_MARKET,
    BUILDER,
    CIRCLES,
    COLUMN,
    COPIES,
    COST,
    CRAFTSMAN,
    FIRST_VIOLET,
    FOREST_HOUSE,
    GOVERNOR,
    GUESTHOUSE,
    HACIENDA,
    ISLAND_SPACES,
    LARGE_CHURCH,
    LARGE_COLUMN,
    LIBRARY,
    MAYOR,
    NO_ROLE,
    NOT_BUILT,
    NOTHING,
    NUM_ACTION_ROLES,
    NUM_BASE_BUILDINGS,
    NUM_GOODS,
    NUM_VIOLET_SPACES,
    PICKS_A_ROUND,
    PIRATE,
    PLANTATIONS,
    POLITICIAN,
    PROSPECTOR,
    SMALL_WHARF,
    STOREHOUSE,
    VIOLET_SPACES,
)

CONFIGURATION = ("row", "board", "exclude_forest_house", "harbor_by_kind", "library_once")


def check_ranges(games: np.ndarray, setting: Setting, report: Report) -> None:
    """Check that numbers are within their bounds; the other checks use them as indices."""
    for name, low, high in (
        ("in_game", 0, 1),
        ("removed", 0, PLANTATIONS[setting.row]),
        ("forests", 0, ISLAND_SPACES),
        ("library_used", 0, 1),
        ("without_privilege", 0, 1),
        ("guest_from", 0, NUM_PLACES - 1),
        ("guests_asked", 0, 1),
        ("hacienda_asked", 0, 1),
        ("second_turn", 0, 1),
        ("drawn", NOTHING, NUM_GOODS - 1),
        ("privileges_used", 0, 2),
        ("privilege_from", 0, NUM_GOODS - 1),
        ("buying", NOTHING, len(CIRCLES) - 1),
        ("missing", 0, 3),
        ("has_loaded", 0, 1),
        ("small_wharf_used", 0, 1),
        ("wharf_good", 0, NUM_GOODS - 1),
        ("shipped", 0, MOST_BARRELS_OF_A_KIND),
        ("kept_whole", 0, 1),
    ):
        values = games[name]
        bad = ((values < low) | (values > high)).reshape(len(games), -1).any(axis=1)
        for i in np.flatnonzero(bad):
            report.say(i, f"{name} must not be {values[i].tolist()}")
    known = np.isin(games["after_guests"], (NOTHING_TO_RESUME, *(moment.then for moment in MOMENTS)))
    report.wrong_if(~known, "after_guests must be a question before which guests may move")


def plantations_elsewhere(games: np.ndarray) -> np.ndarray:
    """Plantations that left the game, and the one drawn by the hacienda."""
    elsewhere = games["removed"].astype(int)
    drawn = np.flatnonzero(games["drawn"] != NOTHING)
    elsewhere[drawn, games["drawn"][drawn]] += 1
    return elsewhere


def phase_interrupted(games: np.ndarray) -> np.ndarray:
    """The phase; during questions about guests or a small wharf, the phase that they interrupt."""
    asked_before = (games["phase"] == GUEST_PHASE) & (games["after_guests"] >= 0)
    phase = np.where(asked_before, games["after_guests"], games["phase"])
    return np.where(phase == SMALL_WHARF_PHASE, CAPTAIN_PHASE, phase)


def has_card_for_role(games: np.ndarray, has_card: np.ndarray) -> np.ndarray:
    """Whether a player's card allows the role: a politician plays other roles; two cards have a prospector's side."""
    every, picker, role = np.arange(len(games)), games["picker"], games["role"]
    politician = games["role_taken_by"][:, POLITICIAN] == picker
    pirate = games["role_taken_by"][:, PIRATE] == picker
    was_taken = games["role_taken_by"][every, role] >= 0
    replayed = politician & was_taken & (games["without_privilege"] == 1)
    normal = has_card & (games["without_privilege"] == 0)
    return np.asarray(normal | replayed | ((role == PROSPECTOR) & (politician | pirate)))


def check(games: np.ndarray, setting: Setting, report: Report) -> None:
    """All other checks."""
    _check_kinds(games, setting, report)
    _check_seats(games, setting, report)
    _check_privilege(games, report)
    _check_guests(games, setting, report)
    _check_settler(games, report)
    _check_black_market(games, report)
    _check_captain(games, report)


def _check_kinds(games: np.ndarray, setting: Setting, report: Report) -> None:
    """Check the kinds of buildings on the board."""
    in_game = games["in_game"] == 1
    report.wrong_if(~in_game[:, :FIRST_VIOLET].all(axis=1), "production buildings must be in every game")
    church = COPIES[setting.row, LARGE_CHURCH] > 0
    report.wrong_if(in_game[:, LARGE_CHURCH] != church, "the large church must only be in Johns' game for six")
    violet = in_game[:, FIRST_VIOLET:LARGE_CHURCH]
    drafting = games["phase"] == DRAFT_PHASE
    kinds = violet.sum(axis=1)
    report.wrong_if(
        np.where(drafting, kinds >= NUM_VIOLET_SPACES, kinds != NUM_VIOLET_SPACES),
        lambda i: f"the board must not have {kinds[i]} kinds of violet buildings",
    )
    cost = COST[0, FIRST_VIOLET:LARGE_CHURCH]
    for price, spaces in enumerate(VIOLET_SPACES):
        too_many = violet[:, cost == price].sum(axis=1) > spaces
        report.wrong_if(too_many, f"too many kinds of cost {price} are on the board")
    both = in_game[:, HACIENDA] & in_game[:, FOREST_HOUSE] & (games["exclude_forest_house"] == 1)
    report.wrong_if(both, "hacienda and forest house must not both be on the board")
    begun = (games["round_number"] > 1) | (games["picks"] > 0)
    report.wrong_if(drafting & begun, "the draft must come before the first pick")
    board = int(setting.blank["board"][0])
    if board == LIST_BOARD:
        expected = setting.blank["in_game"][0, :LARGE_CHURCH] == 1
        report.wrong_if(
            (in_game[:, :LARGE_CHURCH] != expected).any(axis=1), "the board must have the kinds that are listed"
        )
    elif board == 0:
        base = np.arange(LARGE_CHURCH) < NUM_BASE_BUILDINGS
        report.wrong_if((in_game[:, :LARGE_CHURCH] != base).any(axis=1), "the board must not have kinds of Expansion I")


def _check_seats(games: np.ndarray, setting: Setting, report: Report) -> None:
    for name in ("forests", "library_used", "has_loaded", "small_wharf_used"):
        used = games[name][:, setting.players :].any(axis=1)
        report.wrong_if(used, f"{name} must be empty for seats that do not play")
    report.wrong_if(
        games["library_used"].any(axis=1) & (games["library_once"] == 0),
        "library_used must be 0, libraries are not limited in this game",
    )


def _check_privilege(games: np.ndarray, report: Report) -> None:
    role = games["role"]
    again = games["without_privilege"] == 1
    report.wrong_if(
        again & ((role < 0) | (role >= NUM_ACTION_ROLES)), "only roles that everybody plays can be played again"
    )
    used = games["privileges_used"] > 0
    report.wrong_if(
        used & ~np.isin(role, (MAYOR, CRAFTSMAN)), "privileges_used must be 0 except for mayor and craftsman"
    )
    report.wrong_if(used & again, "nobody can have a privilege when a politician plays the role")
    report.wrong_if(
        (games["privilege_from"] > 0) & (role != CRAFTSMAN), "privilege_from must be 0 except for the craftsman"
    )


def _check_guests(games: np.ndarray, setting: Setting, report: Report) -> None:
    every, player = np.arange(len(games)), games["player"]
    asked = games["phase"] == GUEST_PHASE
    open_question = games["after_guests"] != NOTHING_TO_RESUME
    report.wrong_if(asked != open_question, "after_guests must be used in phase guest and nowhere else")
    report.wrong_if(~asked & (games["guest_from"] > 0), "guest_from must be 0 except in phase guest")
    guests = games["city"][every, player, GUESTHOUSE] > 0
    tiles = games["tile_colonists"][every, player] < games["tiles"][every, player]
    city = games["city"][every, player]
    rooms = (city >= 0) & (city < CIRCLES)
    rooms[:, GUESTHOUSE] = False
    at_the_end = games["after_guests"] == GAME_OVER
    tiles &= ~at_the_end[:, None]
    rooms &= ~at_the_end[:, None] | (COLUMN == LARGE_COLUMN)
    places = np.concatenate([tiles, rooms], axis=1) & (np.arange(NUM_PLACES) >= games["guest_from"][:, None])
    report.wrong_if(asked & ~(guests & places.any(axis=1)), "the player must have a guest and somewhere to send it")
    no_role = asked & np.isin(games["role"], (NO_ROLE, MAYOR, POLITICIAN))
    no_role |= asked & ~at_the_end & (games["role"] == GOVERNOR)
    no_role |= at_the_end & ~np.isin(games["role"], (BUILDER, PIRATE, GOVERNOR))
    report.wrong_if(no_role, "guests cannot move in this role")
    last = (games["ending"] != 0) | (games["round_number"] >= games["max_rounds"])
    last &= games["picks"] == PICKS_A_ROUND[setting.row]
    report.wrong_if(at_the_end & ~last, "guests can move before the final scoring only after the last phase")


def _check_settler(games: np.ndarray, report: Report) -> None:
    every, player = np.arange(len(games)), games["player"]
    phase = games["phase"]
    interrupted = phase_interrupted(games)
    city = games["city"][every, player]
    drawing = phase == FOREST_PHASE
    report.wrong_if(
        drawing != (games["drawn"] != NOTHING), "there must be a drawn tile in phase forest and nowhere else"
    )
    both = (city[:, FOREST_HOUSE] > 0) & (city[:, HACIENDA] > 0)
    on_island = games["tiles"][every, player].sum(axis=1, dtype=int) + games["forests"][every, player]
    report.wrong_if(
        drawing & ~(both & (on_island < ISLAND_SPACES)), "the player must be able to place a forest instead of the tile"
    )
    asked = games["hacienda_asked"] == 1
    settling = np.isin(interrupted, (SETTLER_PHASE, HOSPICE_PHASE))
    report.wrong_if(asked & ~settling, "hacienda_asked must be 0 except in a settler's turn")
    second = games["second_turn"] == 1
    entitled = (interrupted == SETTLER_PHASE) & (player == games["picker"]) & (city[:, LIBRARY] > 0)
    report.wrong_if(second & ~entitled, "only a settler with a library can have a second turn")
    report.wrong_if(second & asked, "the hacienda can draw only in the first turn")


def _check_black_market(games: np.ndarray, report: Report) -> None:
    every, player = np.arange(len(games)), games["player"]
    paying = np.isin(games["phase"], (PAY_COLONIST_PHASE, PAY_BARREL_PHASE))
    report.wrong_if(
        paying != ((games["buying"] != NOTHING) & (games["missing"] > 0)),
        "buying and missing must be set in the black market's phases and nowhere else",
    )
    city = games["city"][every, player]
    building = np.maximum(games["buying"], 0)
    possible = (
        (city[:, BLACK_MARKET] > 0)
        & (city[every, building] == NOT_BUILT)
        & (games["buildings_left"][every, building] > 0)
        & (games["doubloons"][every, player] == 0)
    )
    report.wrong_if(paying & ~possible, "the player must be able to pay for this building with a black market")
    colonists = games["san_juan"][every, player] + games["tile_colonists"][every, player].sum(axis=1, dtype=int)
    colonists = colonists + np.maximum(city, 0).sum(axis=1) - 1
    means = (games["goods"][every, player].any(axis=1) * 1 + (games["chips"][every, player] > 0)) + (
        (colonists > 0) & (games["phase"] == PAY_COLONIST_PHASE)
    )
    report.wrong_if(paying & (games["missing"] > means), "the player must be able to pay the missing doubloons")


def _check_captain(games: np.ndarray, report: Report) -> None:
    every, player = np.arange(len(games)), games["player"]
    interrupted = phase_interrupted(games)
    loading = interrupted == CAPTAIN_PHASE
    for name in ("has_loaded", "small_wharf_used"):
        report.wrong_if(games[name].any(axis=1) & ~loading, f"{name} must be 0 except in phase captain")
    no_wharf = (games["small_wharf_used"] > 0) & (games["city"][:, :, SMALL_WHARF] <= 0)
    report.wrong_if(no_wharf.any(axis=1), "a player who used a small wharf must have a working one")
    shipping = games["phase"] == SMALL_WHARF_PHASE
    goods = games["goods"][every, player]
    good = games["wharf_good"]
    report.wrong_if(
        ~shipping & ((good > 0) | games["shipped"].any(axis=1)), "barrels can be chosen only in phase small_wharf"
    )
    began = games["small_wharf_used"][every, player] == 1
    report.wrong_if(shipping & ~(began & (goods[every, good] > 0)), "the player must be able to ship this good")
    to_come = np.arange(NUM_GOODS) >= good[:, None]
    report.wrong_if(
        ((games["shipped"] > goods) | (to_come & (games["shipped"] > 0))).any(axis=1),
        "chosen barrels must be ones that the player has, of goods already asked about",
    )
    storing = games["phase"] == STORE_PHASE
    whole = games["kept_whole"].any(axis=1)
    storehouse = games["city"][every, player, STOREHOUSE] > 0
    report.wrong_if(whole & ~(storing & storehouse), "kept_whole must be 0 except when storing with a storehouse")
