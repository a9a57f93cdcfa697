"""Craftsman: everyone produces, then the picker may take one more barrel.

The factory works here; of Expansion I aqueduct, specialty factory and library.
"""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.puerto_rico.boards import GameRecord, has_privilege, privilege, works
from pr_env.puerto_rico.extension import extension
from pr_env.puerto_rico.state import CRAFTSMAN_PRIVILEGE
from pr_env.puerto_rico.tables import (
    AQUEDUCT,
    COFFEE_ROASTER,
    CORN,
    FACTORY,
    FACTORY_PAY,
    INDIGO,
    INDIGO_PLANT,
    NUM_GOODS,
    SMALL_INDIGO_PLANT,
    SMALL_SUGAR_MILL,
    SPECIALTY_FACTORY,
    SUGAR,
    SUGAR_MILL,
    TOBACCO,
    TOBACCO_STORAGE,
)
from pr_env.puerto_rico.turns import end_phase, left_of


@compiled
def begin(game: GameRecord) -> None:
    """Everyone produces, picker first, as long as the supply lasts; then comes the picker's privilege."""
    player = game.picker
    for _ in range(game.players):
        _produce(game, player)
        player = left_of(game, player)
    _ask_guests_again(game)
    if has_privilege(game, game.picker):
        game.phase = CRAFTSMAN_PRIVILEGE
    else:
        end(game)


@extension()
def _ask_guests_again(game: GameRecord) -> None:
    """Guesthouse: guests are asked again, since everyone has produced since the start of the phase."""
    game.guests_asked = 0


@compiled
def capacity(game: GameRecord, player: int, good: int) -> int:
    """Barrels that a player can produce: corn needs only manned tiles, other goods also manned buildings."""
    tiles = 0 + game.tile_colonists[player, good]
    if good == CORN:
        return tiles
    if good == INDIGO:
        processing = max(0, game.city[player, SMALL_INDIGO_PLANT]) + max(0, game.city[player, INDIGO_PLANT])
    elif good == SUGAR:
        processing = max(0, game.city[player, SMALL_SUGAR_MILL]) + max(0, game.city[player, SUGAR_MILL])
    elif good == TOBACCO:
        processing = max(0, game.city[player, TOBACCO_STORAGE])
    else:
        processing = max(0, game.city[player, COFFEE_ROASTER])
    return min(tiles, processing)


@compiled
def _produce(game: GameRecord, player: int) -> None:
    """Take the barrels, and the factory's doubloons for the kinds actually produced."""
    kinds = 0
    most_of_a_kind = 0
    for good in range(NUM_GOODS):
        barrels = min(capacity(game, player, good), game.goods_supply[good])
        barrels += _from_aqueduct(game, player, good, barrels)
        game.goods_supply[good] -= barrels
        game.goods[player, good] += barrels
        if barrels > 0:
            kinds += 1
        if player == game.picker:
            game.produced[good] = barrels
        if good != CORN:
            most_of_a_kind = max(most_of_a_kind, barrels)
    if works(game, player, FACTORY):
        game.doubloons[player] += FACTORY_PAY[kinds]
    if player != game.picker:  # the picker's privilege also counts
        _pay_specialty_factory(game, player, most_of_a_kind)


@extension(otherwise=0)
def _from_aqueduct(game: GameRecord, player: int, good: int, barrels: int) -> int:
    """Aqueduct: 1 more, if a large plant or mill produced any of the indigo or sugar and the supply has one."""
    if barrels == 0 or barrels == game.goods_supply[good] or not works(game, player, AQUEDUCT):
        return 0
    if good == INDIGO:
        return 1 if works(game, player, INDIGO_PLANT) else 0
    if good == SUGAR:
        return 1 if works(game, player, SUGAR_MILL) else 0
    return 0


@extension()
def _pay_specialty_factory(game: GameRecord, player: int, most_of_a_kind: int) -> None:
    """Specialty factory: a doubloon for each barrel but one of the kind with the most barrels; corn does not count."""
    if works(game, player, SPECIALTY_FACTORY):
        game.doubloons[player] += max(0, most_of_a_kind - 1)


@compiled
def may_take(game: GameRecord, good: int) -> bool:
    """Privilege: a kind that the picker actually produced in this phase, if the supply still has one."""
    return game.produced[good] > 0 and game.goods_supply[good] > 0 and good >= _first_choice(game)


@extension(otherwise=0)
def _first_choice(game: GameRecord) -> int:
    """Library: two barrels are taken in table order, so that there is only one way to choose each pair."""
    return game.privilege_from


@compiled
def take(game: GameRecord, good: int) -> None:
    """Privilege: take one more barrel."""
    game.goods_supply[good] -= 1
    game.goods[game.player, good] += 1
    if not _has_another_privilege(game, good):
        end(game)


@extension(otherwise=False)
def _has_another_privilege(game: GameRecord, good: int) -> bool:
    """Library: whether a second barrel may be taken, of the same kind or another one."""
    game.produced[good] += 1
    game.privileges_used += 1
    game.privilege_from = good
    if game.privileges_used == privilege(game, game.player):
        return False
    game.guests_asked = 1  # the second barrel belongs to the decision about the first
    return True


@compiled
def end(game: GameRecord) -> None:
    """The phase is over."""
    _pay_pickers_specialty_factory(game)
    for good in range(NUM_GOODS):
        game.produced[good] = 0
    end_phase(game)


@extension()
def _pay_pickers_specialty_factory(game: GameRecord) -> None:
    most_of_a_kind = 0
    for good in range(CORN + 1, NUM_GOODS):
        most_of_a_kind = max(most_of_a_kind, 0 + game.produced[good])
    _pay_specialty_factory(game, game.picker, most_of_a_kind)
