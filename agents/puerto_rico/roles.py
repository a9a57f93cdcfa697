"""Which role to pick: what it does for me now, less what it does for the others and what would come anyway."""

from __future__ import annotations

import numpy as np

from agents.puerto_rico.building import builder_gain
from agents.puerto_rico.outlook import PlanRecord, doubloon_worth, lead, time_left
from agents.puerto_rico.placing import mayor_gain
from agents.puerto_rico.settling import settler_gain
from agents.puerto_rico.shipping import captain_gains
from agents.puerto_rico.trading import craftsman_gain, trader_gain
from pr_env.compiling import compiled
from pr_env.puerto_rico.actions import PICK
from pr_env.puerto_rico.boards import GameRecord, colonists_of
from pr_env.puerto_rico.mayor import empty_building_circles
from pr_env.puerto_rico.tables import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    MAYOR,
    NUM_BASE_ROLES,
    NUM_GOODS,
    PROSPECTOR,
    PROSPECTOR_2,
    SETTLER,
    TRADER,
)


@compiled
def choose_role(game: GameRecord, plan: PlanRecord) -> int:
    """The role with the best score; the first of equals."""
    me = game.player
    doubloon = doubloon_worth(game, plan, time_left(game))
    gains = np.zeros(game.players)
    best, choice = -1e9, -1
    for role in range(NUM_BASE_ROLES):
        if game.legal[PICK + role] == 0:
            continue
        gains[:] = 0.0
        _gains(game, plan, role, doubloon, gains)
        others = 0.0
        for player in range(game.players):
            if player != me:
                others += gains[player]
        score = plan.eager[role] * gains[me] - plan.envy[role] * others / (game.players - 1)
        score += doubloon * game.role_doubloons[role]
        if role == MAYOR and _mayor_ends_game(game):
            score += plan.finish * lead(game)
        if score > best:
            best, choice = score, PICK + role
    return choice


@compiled
def _mayor_ends_game(game: GameRecord) -> bool:
    """Whether the supply will not fill the colonist ship again, if the newcomers all go into buildings."""
    wanted = 0
    for player in range(game.players):
        wanted += empty_building_circles(game, player)
    wanted = max(wanted - game.colonist_ship, game.players)
    return bool(game.ending == 0 and wanted > game.colonist_supply - 1)


@compiled
def _gains(game: GameRecord, plan: PlanRecord, role: int, doubloon: float, gains: np.ndarray) -> None:
    """What each player gains if the picker takes the role."""
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
