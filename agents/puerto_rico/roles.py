"""Which role to pick: one's own gain, less the gain of the others and what would come anyway."""

from __future__ import annotations

import numpy as np

from agents.puerto_rico.building import builder_gain
from agents.puerto_rico.outlook import TIE_BREAK, PlanRecord, doubloon_worth, lead, points_of, time_left
from agents.puerto_rico.placing import mayor_gain
from agents.puerto_rico.settling import settler_gain
from agents.puerto_rico.shipping import captain_gains
from agents.puerto_rico.trading import barrel_in_hand, craftsman_gain, trader_gain
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import (
    KIDNAP,
    KIDNAP_PLACES,
    PASS,
    PICK,
    PICK_GOVERNOR,
    PICK_PIRATE,
    PICK_PIRATE_AS_PROSPECTOR,
    PICK_POLITICIAN,
    PICK_POLITICIAN_AS_PROSPECTOR,
    PLUNDER,
    REPLAY,
)
from pr_env.puerto_rico.boards import GameRecord, colonists_of
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.mayor import empty_building_circles
from pr_env.puerto_rico.pirate import may_take_colonist, victim
from pr_env.puerto_rico.tables import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    GOVERNOR,
    MAYOR,
    NO_ONE,
    NUM_ACTION_ROLES,
    NUM_BASE_ROLES,
    NUM_GOODS,
    PIRATE,
    POLITICIAN,
    PROSPECTOR,
    PROSPECTOR_2,
    SETTLER,
    TRADER,
)

FIRST_PICK = 0.6  # value of the first pick of the next round, in doubloons
KIDNAPPED = 1.0  # value of a kidnapped colonist at the start of the game


@compiled
def _as_it_was(game: GameRecord, plan: PlanRecord, choice: int, score: float) -> int:
    return choice


@compiled
def choose_role(game: GameRecord, plan: PlanRecord) -> int:
    """The role with the best score; ties go to the first."""
    choice, score = best_role(game, plan)
    return _choose_card(game, plan, choice, score)


@compiled
def best_role(game: GameRecord, plan: PlanRecord) -> tuple[int, float]:
    """The best pick among the roles of the base game, and its score."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    gains = np.zeros(game.players)
    best, choice = -1e9, -1
    for role in range(NUM_BASE_ROLES):
        if game.legal[PICK + role] == 0:
            continue
        score = _score(game, plan, role, doubloon, gains) + doubloon * game.role_doubloons[role]
        if role == MAYOR and _mayor_ends_game(game):
            score += plan.finish * lead(game)
        if score > best:
            best, choice = score, PICK + role
    return choice, best


@compiled
def _score(game: GameRecord, plan: PlanRecord, role: int, doubloon: float, gains: np.ndarray) -> float:
    """The gain of a role for the acting player, less the gain of the others."""
    gains[:] = 0.0
    _gains(game, plan, role, doubloon, gains)
    others = 0.0
    for player in range(game.players):
        if player != game.player:
            others += gains[player]
    return float(plan.eager[role] * gains[game.player] - plan.envy[role] * others / (game.players - 1))


# -- the cards of the extended game ------------------------------------------------------------------------------------


@extension(otherwise=_as_it_was)
def _choose_card(game: GameRecord, plan: PlanRecord, choice: int, score: float) -> int:
    """The politician's, pirate's or governor's card, if it is better than the best role."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    if game.legal[PICK_POLITICIAN_AS_PROSPECTOR] != 0:
        card = doubloon * game.role_doubloons[POLITICIAN]
        if card + doubloon > score:
            choice, score = PICK_POLITICIAN_AS_PROSPECTOR, card + doubloon
        if game.legal[PICK_POLITICIAN] != 0:
            _, replayed = _best_replay(game, plan)
            if card + replayed > score:
                choice, score = PICK_POLITICIAN, card + replayed
    if game.legal[PICK_PIRATE_AS_PROSPECTOR] != 0:
        card = doubloon * game.role_doubloons[PIRATE]
        if card + doubloon > score:
            choice, score = PICK_PIRATE_AS_PROSPECTOR, card + doubloon
        if game.legal[PICK_PIRATE] != 0 and card + _plunder(game, plan) > score:
            choice, score = PICK_PIRATE, card + _plunder(game, plan)
    if game.legal[PICK_GOVERNOR] != 0 and FIRST_PICK * doubloon + doubloon * game.role_doubloons[GOVERNOR] > score:
        choice = PICK_GOVERNOR
    return choice


@compiled
def _best_replay(game: GameRecord, plan: PlanRecord) -> tuple[int, float]:
    """The role that a politician would play again, without its privilege, and its value."""
    doubloon = doubloon_worth(game, plan, time_left(game))
    gains = np.zeros(game.players)
    best, choice = -1e9, -1
    for role in range(NUM_ACTION_ROLES):
        if game.role_taken_by[role] != NO_ONE:
            score = _score(game, plan, role, doubloon, gains) - doubloon
            if score > best:
                best, choice = score, role
    return choice, best


@extension(otherwise=-1)
def choose_replay(game: GameRecord, plan: PlanRecord) -> int:
    """Politician: which role to play again."""
    role, _ = _best_replay(game, plan)
    return REPLAY + role


@compiled
def _plunder(game: GameRecord, plan: PlanRecord) -> float:
    """The value of a pirate: the best barrel of the others, and a colonist of another player."""
    best = 0.0
    for player in range(game.players):
        if player != game.player:
            for good in range(NUM_GOODS):
                if game.goods[player, good] > 0:
                    held = int(game.goods[game.player, good])
                    best = max(best, barrel_in_hand(game, plan, game.player, good, held))
    return float(best + KIDNAPPED * max(TIE_BREAK, time_left(game)))


@extension(otherwise=PASS)
def choose_plunder(game: GameRecord, plan: PlanRecord) -> int:
    """Pirate: the most valuable barrel; ties go to the nearest player to the left."""
    best, choice = 0.0, PASS
    for seats in range(1, game.players):
        for good in range(NUM_GOODS):
            if game.goods[victim(game, seats), good] > 0:
                worth = barrel_in_hand(game, plan, game.player, good, int(game.goods[game.player, good]))
                if worth > best:
                    best, choice = worth, PLUNDER + (seats - 1) * NUM_GOODS + good
    return choice


@extension(otherwise=PASS)
def choose_kidnap(game: GameRecord, plan: PlanRecord) -> int:
    """Pirate: a colonist of the leading player, preferably from a plantation rather than San Juan."""
    places = len(KIDNAP_PLACES)
    best, choice = -1.0, PASS
    for seats in range(1, game.players):
        for place in range(places):
            if may_take_colonist(game, seats, place):
                worth = points_of(game, victim(game, seats)) + (0.5 if place > 0 else 0.0)
                if worth > best:
                    best, choice = worth, KIDNAP + (seats - 1) * places + place
    return choice


@compiled
def _mayor_ends_game(game: GameRecord) -> bool:
    """Whether the supply will not fill the colonist ship again if all new colonists go into buildings."""
    wanted = 0
    for player in range(game.players):
        wanted += empty_building_circles(game, player)
    wanted = max(wanted - game.colonist_ship, game.players)
    return bool(game.ending == 0 and wanted > game.colonist_supply - 1)


@compiled
def _gains(game: GameRecord, plan: PlanRecord, role: int, doubloon: float, gains: np.ndarray) -> None:
    """The gain of each player if the picker takes the role."""
    if role in (PROSPECTOR, PROSPECTOR_2):
        gains[game.picker] = doubloon
    elif role == CAPTAIN:
        captain_gains(game, plan, gains)
    else:
        in_house = 0
        for good in range(NUM_GOODS):
            in_house += game.trading_house[good]
        player = game.picker
        for turn in range(game.players):
            if role == SETTLER:
                gains[player] = settler_gain(game, plan, player)
            elif role == MAYOR:
                newcomers = (game.colonist_ship + game.players - 1 - turn) // game.players
                if turn == 0 and game.colonist_supply > 0:
                    newcomers += 1
                gains[player] = mayor_gain(game, plan, player, colonists_of(game, player), newcomers)
            elif role == BUILDER:
                gains[player] = builder_gain(game, plan, player)
            elif role == CRAFTSMAN:
                gains[player] = craftsman_gain(game, plan, player)
            elif role == TRADER:
                gains[player] = trader_gain(game, plan, player, turn, in_house)
            player = player + 1 if player + 1 < game.players else 0
