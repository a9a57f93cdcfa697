"""What must be true of every record between two decisions.

Used for all records from outside (descriptions, saved bytes), and by the tests after every step. Each check looks at
all games at once; sentences are only made for games that fail it.
"""

from __future__ import annotations

import numpy as np

from pr_env.puerto_rico import extended_invariants
from pr_env.puerto_rico.builder import TEN_BUILDINGS
from pr_env.puerto_rico.checking import Report, Setting
from pr_env.puerto_rico.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CHIPS_GONE,
    CITY_FULL,
    COLONISTS_SHORT,
    CRAFTSMAN_PRIVILEGE,
    DRAFT_PHASE,
    FOREST_PHASE,
    GAME_OVER,
    GUEST_PHASE,
    HACIENDA_PHASE,
    HOSPICE_PHASE,
    MAYOR_PHASE,
    MAYOR_PRIVILEGE,
    PAY_BARREL_PHASE,
    PAY_COLONIST_PHASE,
    PHASES,
    PICK_ROLE,
    PIRATE_BARREL_PHASE,
    PIRATE_COLONIST_PHASE,
    POLITICIAN_PHASE,
    ROUNDS_OVER,
    SETTLER_PHASE,
    SMALL_WHARF_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    UNIVERSITY_PHASE,
)
from pr_env.puerto_rico.tables import (
    BARRELS,
    BLACK_MARKET,
    BUILDER,
    BUILDING_NAMES,
    CAPTAIN,
    CARDS,
    CIRCLES,
    CITY_SPACES,
    COLONIST_SUPPLY,
    COPIES,
    CRAFTSMAN,
    FOREST,
    GOODS,
    GOVERNOR_ROW,
    HACIENDA,
    HOSPICE,
    ISLAND_SPACES,
    LARGE_WAREHOUSE,
    MAYOR,
    NO_ONE,
    NO_ROLE,
    NOT_BUILT,
    NOTHING,
    NUM_GOODS,
    NUM_SHIPS,
    NUM_TILES,
    PICKS_A_ROUND,
    PIRATE,
    PLANTATIONS,
    POLITICIAN,
    QUARRIES,
    QUARRY,
    ROLES,
    SETTLER,
    SHIP_CAPACITY,
    SMALL_WAREHOUSE,
    SPACES,
    TILES,
    TRADER,
    TRADING_HOUSE_SPACES,
    UNIVERSITY,
    VP_CHIPS,
    WHARF,
)

ROLE_OF_PHASE = {
    HACIENDA_PHASE: SETTLER,
    SETTLER_PHASE: SETTLER,
    HOSPICE_PHASE: SETTLER,
    MAYOR_PRIVILEGE: MAYOR,
    MAYOR_PHASE: MAYOR,
    BUILDER_PHASE: BUILDER,
    UNIVERSITY_PHASE: BUILDER,
    CRAFTSMAN_PRIVILEGE: CRAFTSMAN,
    TRADER_PHASE: TRADER,
    CAPTAIN_PHASE: CAPTAIN,
    STORE_PHASE: CAPTAIN,
    FOREST_PHASE: SETTLER,
    PAY_COLONIST_PHASE: BUILDER,
    PAY_BARREL_PHASE: BUILDER,
    SMALL_WHARF_PHASE: CAPTAIN,
    POLITICIAN_PHASE: POLITICIAN,
    PIRATE_BARREL_PHASE: PIRATE,
    PIRATE_COLONIST_PHASE: PIRATE,
}
MOST_TOLD = 100  # at most this many wrong values of a field are reported
_ALLOWED_ROLE = np.array([ROLE_OF_PHASE.get(phase, NO_ROLE) for phase in range(len(PHASES))])


def find_problems(games: np.ndarray, blank: np.ndarray) -> list[str]:
    """Sentences about everything impossible in these records; empty if they are all possible.

    Args:
        games: The records.
        blank: A record, shape (1,), with the configuration (see `PuertoRico.blank`).
    """
    games = games.view(blank.dtype)
    setting = Setting(blank)
    report = Report()
    # Ranges first: the later checks use these numbers as indices.
    _check_configuration(games, setting, report)
    _check_ranges(games, setting, report)
    if setting.extended and not report.sentences:
        extended_invariants.check_ranges(games, setting, report)
    if not report.sentences:
        _check_pieces(games, setting, report)
        _check_boards(games, setting, report)
        _check_table(games, setting, report)
        _check_round(games, setting, report)
        _check_ending(games, setting, report)
        _check_half_made(games, setting, report)
        if setting.extended:
            extended_invariants.check(games, setting, report)
    return report.sentences


def _check_configuration(games: np.ndarray, setting: Setting, report: Report) -> None:
    players, max_rounds = setting.players, setting.max_rounds
    report.wrong_if(games["players"] != players, lambda i: f"players must be {players}, got {games['players'][i]}")
    report.wrong_if(
        games["max_rounds"] != max_rounds, lambda i: f"max_rounds must be {max_rounds}, got {games['max_rounds'][i]}"
    )
    for name in ("balanced", *extended_invariants.CONFIGURATION) if setting.extended else ("balanced",):
        expected = setting.blank[name][0]
        for i in np.flatnonzero(games[name] != expected):
            report.say(i, f"{name} must be {expected}, got {games[name][i]}")


def _check_ranges(games: np.ndarray, setting: Setting, report: Report) -> None:
    def within(name: str, low: int, high: int | np.ndarray) -> None:
        values = games[name]
        bad = (values < low) | (values > high)
        if bad.any():
            highs = np.broadcast_to(high, values.shape)
            for game, *place in np.argwhere(bad)[:MOST_TOLD]:
                at = (game, *place)
                which = f"{name}[{', '.join(map(str, place))}]" if place else name
                report.say(game, f"{which} must be from {low} to {highs[at]}, got {values[at]}")

    players, row = setting.players, setting.row
    within("phase", 0, len(PHASES) - 1 if setting.extended else GAME_OVER)
    for seat in ("governor", "picker", "player"):
        within(seat, 0, players - 1)
    within("round_number", 1, setting.max_rounds)
    within("picks", 0, int(PICKS_A_ROUND[row]))
    within("role", NO_ROLE, setting.roles - 1)
    within("role_taken_by", NO_ONE, players - 1)
    within("role_doubloons", 0, 1000)
    within("ending", 0, COLONISTS_SHORT | CITY_FULL | CHIPS_GONE | ROUNDS_OVER)
    for pile, most in (
        ("goods_supply", BARRELS[row]),
        ("face_up", PLANTATIONS[row]),
        ("face_down", PLANTATIONS[row]),
        ("discards", PLANTATIONS[row]),
        ("quarry_supply", QUARRIES[row]),
        ("colonist_supply", COLONIST_SUPPLY[row]),
        ("colonist_ship", COLONIST_SUPPLY[row]),
        ("chips_supply", VP_CHIPS[row]),
        ("buildings_left", COPIES[row, : setting.buildings]),
        ("trading_house", BARRELS[row]),
        ("ship_barrels", SHIP_CAPACITY[row]),
        ("goods", BARRELS[row]),
        ("tiles", ISLAND_SPACES),
        ("tile_colonists", ISLAND_SPACES),
        ("san_juan", COLONIST_SUPPLY[row] + players),
        ("doubloons", 10_000),
        ("chips", 10_000),
        ("produced", BARRELS[row]),
    ):
        within(pile, 0, most)
    within("ship_good", NOTHING, NUM_GOODS - 1)
    within("city", NOT_BUILT, CIRCLES[: setting.buildings])
    within("built", 0, setting.buildings - 1)
    within("built_count", 0, CITY_SPACES)
    within("placed", NOTHING, setting.buildings - 1)
    within("circle_kind", 0, NUM_TILES + CITY_SPACES - 1)
    within("captain_bonus", 0, 1)
    within("wharf_used", 0, 1)
    within("idle_turns", 0, players - 1)
    within("store_good", 0, NUM_GOODS - 1)
    within("store_kinds", 0, 3)
    within("store_single", 0, 1)
    within("store_places", 0, 4)


def _check_pieces(games: np.ndarray, setting: Setting, report: Report) -> None:
    """Check that no pieces are created or lost."""
    row = setting.row
    on_ships = np.zeros((len(games), NUM_GOODS), int)
    for ship in range(NUM_SHIPS):
        loaded = games["ship_good"][:, ship] != NOTHING
        on_ships[loaded, games["ship_good"][loaded, ship]] += games["ship_barrels"][loaded, ship]
    barrels = games["goods_supply"] + games["trading_house"] + on_ships + games["goods"].sum(axis=1, dtype=int)
    for good, name in enumerate(GOODS):
        _conserved(barrels[:, good], BARRELS[row, good], f"barrels of {name}", report)

    piles = games["face_up"].astype(int) + games["face_down"] + games["discards"]
    if setting.extended:
        piles += extended_invariants.plantations_elsewhere(games)
    plantations = piles + games["tiles"][:, :, :NUM_GOODS].sum(axis=1, dtype=int)
    for good, name in enumerate(GOODS):
        _conserved(plantations[:, good], PLANTATIONS[row, good], f"{name} plantations", report)
    quarries = games["quarry_supply"] + games["tiles"][:, :, QUARRY].sum(axis=1, dtype=int)
    _conserved(quarries, QUARRIES[row], "quarries", report)

    on_boards = (
        games["san_juan"].sum(axis=1, dtype=int)
        + games["tile_colonists"].sum(axis=(1, 2), dtype=int)
        + np.maximum(games["city"], 0).sum(axis=(1, 2), dtype=int)
    )
    colonists = on_boards + games["colonist_supply"] + games["colonist_ship"]
    _conserved(colonists, COLONIST_SUPPLY[row] + setting.players, "colonists", report)

    copies = games["buildings_left"] + (games["city"] != NOT_BUILT).sum(axis=1)
    expected = COPIES[row, : setting.buildings] * (games["in_game"] if setting.extended else 1)
    for building, name in enumerate(BUILDING_NAMES[: setting.buildings]):
        _conserved(copies[:, building], expected[..., building], f"copies of {name}", report)

    # When the chips have run out, points are awarded without them.
    points = games["chips"].sum(axis=1, dtype=int)
    chips = np.where(games["chips_supply"] > 0, points + games["chips_supply"], np.minimum(points, VP_CHIPS[row]))
    _conserved(chips, VP_CHIPS[row], "victory points in chips", report)


def _conserved(found: np.ndarray, expected: int | np.ndarray, what: str, report: Report) -> None:
    expected = np.broadcast_to(expected, found.shape)
    report.wrong_if(found != expected, lambda i: f"there must be {expected[i]} {what}, got {found[i]}")


def _check_boards(games: np.ndarray, setting: Setting, report: Report) -> None:
    players, seats = setting.players, setting.seats
    tiles = games["tiles"].sum(axis=2, dtype=int)
    if setting.extended:
        tiles += games["forests"]
    spaces = ((games["city"] != NOT_BUILT) * SPACES[: setting.buildings]).sum(axis=2)
    overmanned = games["tile_colonists"] > games["tiles"]
    for player in range(players):
        report.wrong_if(tiles[:, player] > ISLAND_SPACES, f"player {player} must have at most {ISLAND_SPACES} tiles")
        report.wrong_if(spaces[:, player] > CITY_SPACES, f"player {player} must use at most {CITY_SPACES} city spaces")
        for tile, name in enumerate(TILES):
            report.wrong_if(
                overmanned[:, player, tile],
                f"player {player} must not have more colonists on {name} tiles than such tiles",
            )
    for name in ("doubloons", "chips", "goods", "tiles", "tile_colonists", "san_juan", "wharf_used"):
        used = games[name][:, players:seats].reshape(len(games), -1).any(axis=1)
        report.wrong_if(used, f"{name} must be empty for seats that do not play")
    built = (games["city"][:, players:seats] != NOT_BUILT).any(axis=(1, 2))
    report.wrong_if(built, "city must be empty for seats that do not play")
    report.wrong_if(
        (games["built"] != _list_of_built(games)).any(axis=(1, 2)), "built must list the buildings in the city"
    )
    standing = (games["city"] != NOT_BUILT).sum(axis=2)
    report.wrong_if((games["built_count"] != standing).any(axis=1), "built_count must count the buildings in the city")


def _list_of_built(games: np.ndarray) -> np.ndarray:
    """The list `built` derived from `city`."""
    stands = games["city"] != NOT_BUILT
    listed = np.zeros((*games["built"].shape[:2], games["city"].shape[2]), np.int8)
    game, player, building = np.nonzero(stands)
    listed[game, player, stands.cumsum(axis=2)[game, player, building] - 1] = building
    return listed[:, :, :CITY_SPACES]


def _check_table(games: np.ndarray, setting: Setting, report: Report) -> None:
    loaded = games["ship_good"] != NOTHING
    report.wrong_if(
        (loaded != (games["ship_barrels"] > 0)).any(axis=1),
        "a ship must have a kind of goods if and only if it has barrels",
    )
    for good, name in enumerate(GOODS):
        report.wrong_if((games["ship_good"] == good).sum(axis=1) > 1, f"{name} must be on at most one ship")
    full = (loaded & (games["ship_barrels"] == SHIP_CAPACITY[setting.row])).any(axis=1)
    report.wrong_if(full & (games["role"] != CAPTAIN), "a full ship must be emptied at the end of the captain's phase")
    house = games["trading_house"].sum(axis=1, dtype=int)
    # In the extended game, players with a trading post still have their turn when the house is full.
    selling_on = setting.extended & (house == TRADING_HOUSE_SPACES) & (games["role"] == TRADER)
    report.wrong_if((house >= TRADING_HOUSE_SPACES) & ~selling_on, "a full trading house must be emptied at once")
    players = setting.players
    face_up = games["face_up"].sum(axis=1, dtype=int)
    report.wrong_if(face_up > players + 1, lambda i: f"face-up tiles must be at most {players + 1}, got {face_up[i]}")


def _check_round(games: np.ndarray, setting: Setting, report: Report) -> None:
    """Check who has picked, who picks, and whose role is played."""
    phase, role, picks = games["phase"], games["role"], games["picks"].astype(int)
    players = setting.players
    between = np.isin(phase, (PICK_ROLE, GAME_OVER, DRAFT_PHASE))
    absent = ~CARDS[setting.row, : setting.roles]
    used = (games["role_taken_by"][:, absent] != NO_ONE) | (games["role_doubloons"][:, absent] != 0)
    names = " and ".join(name for name, missing in zip(ROLES, absent, strict=False) if missing)
    report.wrong_if(used.any(axis=1), f"a game of {players} players must not have {names}")
    for seat in range(players):
        # The k-th pick of a round is by the k-th seat from the governor.
        turn = (seat - games["governor"].astype(int)) % players
        due = (picks - turn + players - 1) // players
        taken = (games["role_taken_by"] == seat).sum(axis=1)
        for i in np.flatnonzero(taken != due):
            report.say(i, f"player {seat} must have {due[i]} role cards, got {taken[i]}")
    report.wrong_if(
        (phase == PICK_ROLE) & (picks == PICKS_A_ROUND[setting.row]), "the round must end when all its roles are picked"
    )
    report.wrong_if((phase == GAME_OVER) & (picks > 0), "the game must end after a full round")
    to_pick = (games["governor"] + picks) % players
    picker = np.where(between, to_pick, (to_pick - 1) % players)
    report.wrong_if(
        (games["picker"] != picker) & (phase != GAME_OVER),
        lambda i: f"the picker must be player {picker[i]}, got {games['picker'][i]}",
    )
    report.wrong_if((phase == PICK_ROLE) & (games["player"] != games["picker"]), "player must be the picker")
    wrong_role = np.where(between, role != NO_ROLE, (role != _ALLOWED_ROLE[phase]) & (phase != GUEST_PHASE))
    report.wrong_if(wrong_role, lambda i: f"role must not be {role[i]} in phase {PHASES[phase[i]]}")
    has_card = games["role_taken_by"][np.arange(len(games)), role] == games["picker"]
    if setting.extended:
        has_card = extended_invariants.has_card_for_role(games, has_card)
    report.wrong_if(~between & ~wrong_role & ~has_card, "the picker must have the role's card")


def _check_ending(games: np.ndarray, setting: Setting, report: Report) -> None:
    ending = games["ending"]
    full_city = (((games["city"] != NOT_BUILT) * SPACES[: setting.buildings]).sum(axis=2) == CITY_SPACES).any(axis=1)
    if setting.row == GOVERNOR_ROW:
        full_city |= (games["built_count"] >= TEN_BUILDINGS).any(axis=1)
    report.wrong_if(full_city != (ending & CITY_FULL > 0), "ending by a full city must match the cities")
    no_chips = games["chips_supply"] == 0
    chips_gone = ending & CHIPS_GONE > 0
    short = (ending & COLONISTS_SHORT > 0) & (games["colonist_supply"] > 0)
    if setting.extended:  # what a black market gives back does not undo the end
        market = games["in_game"][:, BLACK_MARKET] == 1
        no_chips |= chips_gone & market
        short &= ~market
    report.wrong_if(no_chips != chips_gone, "ending by the last chip must match the supply")
    report.wrong_if(short, "the supply must have no colonists when they have run short")
    over = games["phase"] == GAME_OVER
    report.wrong_if(over & (ending == 0), "a game that is over must have a reason")
    cut = ending & ROUNDS_OVER > 0
    report.wrong_if(
        cut & (~over | (games["round_number"] != games["max_rounds"])),
        "a game must not be truncated before its last round",
    )


def _check_half_made(games: np.ndarray, setting: Setting, report: Report) -> None:
    every = np.arange(len(games))
    player, placed = games["player"], games["placed"]
    phase = extended_invariants.phase_interrupted(games) if setting.extended else games["phase"]
    own_city = games["city"][every, player]
    own_tiles = games["tiles"][every, player]
    own_manned = games["tile_colonists"][every, player]

    def works(building: int) -> np.ndarray:
        return np.asarray(own_city[:, building] > 0)

    drawable = (games["face_down"].astype(int) + games["discards"]).sum(axis=1) > 0
    on_island = own_tiles.sum(axis=1, dtype=int)
    if setting.extended:
        on_island += games["forests"][every, player]
    may_draw = works(HACIENDA) & drawable & (on_island < ISLAND_SPACES)
    report.wrong_if((phase == HACIENDA_PHASE) & ~may_draw, "the player must be able to draw a tile with a hacienda")

    a_colonist_is_left = (games["colonist_supply"] > 0) | (games["colonist_ship"] > 0)
    on_tile = np.clip(placed, 0, NUM_TILES - 1)
    empty_tile = (placed < NUM_TILES) & (own_tiles[every, on_tile] > own_manned[every, on_tile])
    if setting.extended:
        empty_tile |= (placed == FOREST) & (games["forests"][every, player] > 0)
    may_man_tile = works(HOSPICE) & a_colonist_is_left & (placed != NOTHING) & empty_tile
    report.wrong_if(
        (phase == HOSPICE_PHASE) & ~may_man_tile, "the player must be able to use a hospice on the tile placed"
    )
    in_building = np.maximum(placed, 0)
    may_man_building = works(UNIVERSITY) & a_colonist_is_left & (own_city[every, in_building] == 0)
    report.wrong_if(
        (phase == UNIVERSITY_PHASE) & ~(may_man_building & (placed != NOTHING)),
        "the player must be able to use a university on the building placed",
    )
    report.wrong_if(
        ~np.isin(phase, (HOSPICE_PHASE, UNIVERSITY_PHASE)) & (placed != NOTHING), "placed must be empty in this phase"
    )

    report.wrong_if((phase == MAYOR_PRIVILEGE) & (games["colonist_supply"] == 0), "the supply must have a colonist")
    privilege = np.isin(phase, (MAYOR_PRIVILEGE, CRAFTSMAN_PRIVILEGE))
    report.wrong_if(privilege & (player != games["picker"]), "only the picker can have a privilege")
    mayor = phase == MAYOR_PHASE
    own_count, own_built = games["built_count"][every, player], games["built"][every, player]
    report.wrong_if(mayor & (games["circle_kind"] >= NUM_TILES + own_count), "the player must have this kind of circle")
    stands = np.arange(CITY_SPACES) < own_count[:, None]
    manned = np.concatenate([own_manned > 0, stands & (own_city[every[:, None], own_built] > 0)], axis=1)
    to_come = np.arange(NUM_TILES + CITY_SPACES) >= games["circle_kind"][:, None]
    circles = np.concatenate([own_tiles, stands * CIRCLES[own_built]], axis=1)
    ahead = (circles * to_come).sum(axis=1)
    report.wrong_if(mayor & (games["circles_ahead"] != ahead), "circles_ahead must be the number of circles to come")
    report.wrong_if(mayor & (games["colonist_ship"] > 0), "the colonist ship must be empty in phase mayor")
    placed_so_far = np.concatenate([own_manned, stands * own_city[every[:, None], own_built]], axis=1)
    gaps = ((circles - placed_so_far) * ~to_come).sum(axis=1) > 0
    report.wrong_if(
        mayor & gaps & (games["san_juan"][every, player] > ahead),
        "no circle that was asked about must be empty if a colonist will stay in San Juan",
    )
    report.wrong_if(
        mayor & (manned & to_come).any(axis=1),
        "the mayor's colonists for circles that have not been asked about must be in san_juan",
    )

    def only_in(allowed: int, *names: str) -> None:
        for name in names:
            used = games[name].reshape(len(games), -1).any(axis=1)
            report.wrong_if(used & (phase != allowed), f"{name} must be 0 except in phase {PHASES[allowed]}")

    only_in(MAYOR_PHASE, "circle_kind", "circles_ahead")
    only_in(CRAFTSMAN_PRIVILEGE, "produced")
    only_in(CAPTAIN_PHASE, "captain_bonus", "wharf_used", "idle_turns")
    only_in(STORE_PHASE, "store_good", "store_kinds", "store_single", "store_places")

    own_goods = games["goods"][every, player]
    report.wrong_if((games["produced"] > own_goods).any(axis=1), "the picker must have the barrels that were produced")
    no_wharf = (games["wharf_used"] > 0) & (games["city"][:, :, WHARF] <= 0)
    report.wrong_if(no_wharf.any(axis=1), "a player who used a wharf must have a working one")
    storing = games["phase"] == STORE_PHASE
    no_barrel = own_goods[every, games["store_good"]] == 0
    report.wrong_if(storing & no_barrel, "the player must have a barrel of the good to be stored")
    places = works(SMALL_WAREHOUSE) * 1 + works(LARGE_WAREHOUSE) * 2
    too_many = (games["store_kinds"] > places) | (games["store_places"] > games["store_kinds"] + games["store_single"])
    report.wrong_if(storing & too_many, "there must not be more places to store than the warehouses give")
