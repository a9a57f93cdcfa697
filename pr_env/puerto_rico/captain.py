"""Captain: goods go to the old world. Harbor and wharf work here; storing follows in its own module."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import storing
from pr_env.puerto_rico.boards import GameRecord, award_chips, works
from pr_env.puerto_rico.state import CAPTAIN_PHASE
from pr_env.puerto_rico.tables import HARBOR, NOTHING, NUM_SHIPS, SHIP_CAPACITY, WHARF
from pr_env.puerto_rico.turns import left_of


@compiled
def begin(game: GameRecord) -> None:
    """The picker loads first, and has 1 point more for the first load."""
    game.captain_bonus = 1
    game.phase = CAPTAIN_PHASE


@compiled
def room(game: GameRecord, ship: int) -> int:
    """Free spaces on the ship."""
    return SHIP_CAPACITY[game.players, ship] - game.ship_barrels[ship]


@compiled
def may_load(game: GameRecord, player: int, good: int, ship: int) -> bool:
    """Whether the player may load this good on this ship.

    A good that lies on a ship goes on that ship only. Otherwise it goes into an empty ship that takes the most barrels
    of it; where several take equally many, any of them.
    """
    barrels = game.goods[player, good]
    if barrels == 0 or room(game, ship) == 0:
        return False
    if game.ship_good[ship] == good:
        return True
    if game.ship_good[ship] != NOTHING:
        return False
    for other in range(NUM_SHIPS):
        if game.ship_good[other] == good:
            return False
        if game.ship_good[other] == NOTHING and min(barrels, room(game, other)) > min(barrels, room(game, ship)):
            return False
    return True


@compiled
def may_use_wharf(game: GameRecord, player: int) -> bool:
    """Once in a captain phase; never compulsory."""
    return works(game, player, WHARF) and game.wharf_used[player] == 0


@compiled
def load(game: GameRecord, good: int, ship: int) -> None:
    """All barrels of the good that fit."""
    barrels = min(game.goods[game.player, good], room(game, ship))
    game.goods[game.player, good] -= barrels
    game.ship_good[ship] = good
    game.ship_barrels[ship] += barrels
    _score_load(game, barrels)


@compiled
def load_wharf(game: GameRecord, good: int) -> None:
    """All barrels of the good, straight into the supply."""
    barrels = game.goods[game.player, good]
    game.goods[game.player, good] = 0
    game.goods_supply[good] += barrels
    game.wharf_used[game.player] = 1
    _score_load(game, barrels)


@compiled
def _score_load(game: GameRecord, barrels: int) -> None:
    """1 point a barrel, 1 for the harbor, 1 for the picker's first load."""
    player = game.player
    points = barrels
    if works(game, player, HARBOR):
        points += 1
    if player == game.picker:
        points += game.captain_bonus
        game.captain_bonus = 0
    award_chips(game, player, points)
    game.idle_turns = 0
    game.player = left_of(game, player)


@compiled
def do_not_load(game: GameRecord) -> None:
    """Nothing to load, or only the wharf and no wish to. When nobody has loaded for a whole turn, all store."""
    game.idle_turns += 1
    if game.idle_turns < game.players:
        game.player = left_of(game, game.player)
    else:
        game.idle_turns = 0
        game.captain_bonus = 0
        for player in range(game.players):
            game.wharf_used[player] = 0
        storing.begin(game)
