"""Which role to pick: what it does for me now, less what it does for the others and what would come anyway."""

from __future__ import annotations

import numpy as np

from agents.scripted.building import builder_gain
from agents.scripted.outlook import PlanRecord, doubloon_worth, time_left
from agents.scripted.placing import mayor_gain
from agents.scripted.settling import settler_gain
from agents.scripted.shipping import captain_points
from agents.scripted.trading import craftsman_gain, trader_gain
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import PICK
from pr_env.puerto_rico.boards import GameRecord, colonists_of
from pr_env.puerto_rico.tables import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    MAYOR,
    NUM_GOODS,
    NUM_ROLES,
    PROSPECTOR,
    PROSPECTOR_2,
    SETTLER,
    TRADER,
)


@compiled
def choose_role(game: GameRecord, plan: PlanRecord) -> int:
    """The role with the best score; the first of equals."""
    me = game.player
    left = time_left(game)
    doubloon = doubloon_worth(game, plan, left)
    gains = np.zeros(game.players)
    lost = np.zeros(game.players)
    best, choice = -1e9, -1
    for role in range(NUM_ROLES):
        if game.legal[PICK + role] == 0:
            continue
        gains[:] = 0.0
        _gains(game, plan, role, left, doubloon, gains, lost)
        others = 0.0
        for player in range(game.players):
            if player != me:
                others += gains[player]
        score = plan.role[role] + gains[me] + doubloon * game.role_doubloons[role]
        score -= plan.envy * others / (game.players - 1)
        if score > best:
            best, choice = score, PICK + role
    return choice


@compiled
def _gains(
    game: GameRecord,
    plan: PlanRecord,
    role: int,
    left: float,
    doubloon: float,
    gains: np.ndarray,
    lost: np.ndarray,
) -> None:
    """What each player gains if the picker takes the role."""
    if role in (PROSPECTOR, PROSPECTOR_2):
        gains[game.picker] = doubloon
    elif role == CAPTAIN:
        captain_points(game, gains, lost)
        for player in range(game.players):
            gains[player] -= plan.lost_barrel * lost[player]
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
