"""Pirate (six players, or five with double cards): take a barrel and a colonist from other players.

Either may be declined. The colonist comes from a San Juan or a plantation, and goes to the picker's own San Juan.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import guests
from pr_env.puerto_rico.boards import GameRecord
from pr_env.puerto_rico.state import PIRATE_BARREL_PHASE, PIRATE_COLONIST_PHASE
from pr_env.puerto_rico.turns import end_phase

SAN_JUAN = 0  # where the colonist comes from; the other places are 1 + plantation


@compiled
def begin(game: GameRecord) -> None:
    """Nobody but the picker acts."""
    game.phase = PIRATE_BARREL_PHASE


@compiled
def victim(game: GameRecord, seats_to_the_left: int) -> int:
    """The player this many seats to the left."""
    return (game.player + seats_to_the_left) % game.players


@compiled
def take_barrel(game: GameRecord, seats_to_the_left: int, good: int) -> None:
    """Take one barrel from a player."""
    game.goods[victim(game, seats_to_the_left), good] -= 1
    game.goods[game.player, good] += 1
    go_on_to_colonist(game)


@compiled
def go_on_to_colonist(game: GameRecord) -> None:
    """Go on to the colonist, with or without a barrel taken."""
    game.phase = PIRATE_COLONIST_PHASE


@compiled
def may_take_colonist(game: GameRecord, seats_to_the_left: int, place: int) -> bool:
    """Whether a colonist can be taken: from a San Juan or a manned plantation; quarries and buildings are safe."""
    player = victim(game, seats_to_the_left)
    if place == SAN_JUAN:
        return game.san_juan[player] > 0
    return game.tile_colonists[player, place - 1] > 0


@compiled
def take_colonist(game: GameRecord, seats_to_the_left: int, place: int) -> None:
    """Take one colonist from a player."""
    player = victim(game, seats_to_the_left)
    if place == SAN_JUAN:
        game.san_juan[player] -= 1
    else:
        game.tile_colonists[player, place - 1] -= 1
    game.san_juan[game.player] += 1
    end(game)


@compiled
def end(game: GameRecord) -> None:
    """The phase is over. In the last phase of the game, players who lost a colonist may still move a guest."""
    if not guests.ask_at_end_of_game(game, True):
        end_phase(game)
