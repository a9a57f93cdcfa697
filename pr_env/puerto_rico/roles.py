"""Playing a role card: guests go to work, then the role begins."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico import builder, captain, craftsman, guests, mayor, pirate, settler, trader
from pr_env.puerto_rico.boards import GameRecord, privilege
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.tables import BUILDER, CAPTAIN, CRAFTSMAN, MAYOR, PIRATE, SETTLER, TRADER
from pr_env.puerto_rico.turns import end_phase


@compiled
def play(game: GameRecord, role: int) -> None:
    """Play the card that was taken. Guests may move before the role begins, except for the mayor."""
    game.role = role
    if role == MAYOR or not guests.ask_at_start_of_role(game):
        begin(game, role)


@compiled
def begin(game: GameRecord, role: int) -> None:
    """Begin the role, the picker first."""
    if role == SETTLER:
        settler.begin(game)
    elif role == MAYOR:
        mayor.begin(game)
    elif role == BUILDER:
        builder.begin(game)
    elif role == CRAFTSMAN:
        craftsman.begin(game)
    elif role == TRADER:
        trader.begin(game)
    elif role == CAPTAIN:
        captain.begin(game)
    elif not _begin_pirate(game, role):
        # Prospector: 1 doubloon for the picker, nothing for anybody else
        game.doubloons[game.player] += privilege(game, game.player)
        end_phase(game)


@extension(otherwise=False)
def _begin_pirate(game: GameRecord, role: int) -> bool:
    if role != PIRATE:
        return False
    pirate.begin(game)
    return True
