"""Characters: their abilities once a cube has left them, and what further cubes uncover."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.crowns import gain_crowns
from pr_env.port_royal.adventure.names import (
    AS_CROWN_TRADER,
    AS_LOOKOUT,
    AS_MADEMOISELLE,
    AS_SAILOR,
    BUST_CARDS,
    BUST_COINS,
    COINS_GIVEN_ONCE,
    COINS_ONCE,
    CROWNS_FOR_EXPEDITION,
    CUBES,
    EXPEDITION_CROWNS,
    FIELD_CROWNS,
    LOOKOUT,
    PAID_FOR_BUST,
    SAILOR_SABRES,
)
from pr_env.port_royal.adventure.state import FIRST_FINISHER, NO_CUBE
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.people import gain_influence
from pr_env.port_royal.piles import gain_coins
from pr_env.port_royal.state import NOTHING
from pr_env.port_royal.tables import MADEMOISELLE
from pr_env.rules import Record


@compiled
def ability(game: Record, tables: Record, seat: int) -> int:
    """The ability of a player's character, or NOTHING as long as it is covered."""
    if game.uncovered[seat] == 0:
        return NOTHING
    return int(tables.character_ability[game.character[seat]])


@compiled
def works_for(game: Record, tables: Record, seat: int, wanted: int, colour: int) -> bool:
    """Whether a player's character has an ability like that of a trader of this colour."""
    return ability(game, tables, seat) == wanted and tables.character_colour[game.character[seat]] == colour


@compiled
def cubes_left(game: Record, seat: int) -> int:
    """Cubes on a player's character. A cube on a progress space has left it, but uncovers nothing yet (R62)."""
    cubes = CUBES - int(game.uncovered[seat])
    for slot in range(game.mission.shape[0]):
        if NO_CUBE < game.mission_place[seat, slot] < FIRST_FINISHER:
            cubes -= 1
    return cubes


@compiled
def uncover(game: Record, tables: Record, seat: int) -> None:
    """Uncover the next field: the ability, the trophy, then crowns."""
    game.uncovered[seat] += 1
    field = int(game.uncovered[seat])
    if field == 1:
        _begin_ability(game, tables, seat)
    gain_influence(game, tables, seat, 0)  # with a trophy, the present influence may be enough
    gain_crowns(game, tables, seat, FIELD_CROWNS[field])


@compiled
def _begin_ability(game: Record, tables: Record, seat: int) -> None:
    """A character's ability that works like a person's is counted with the persons, but it is not a person."""
    kind = ability(game, tables, seat)
    if kind == AS_SAILOR:
        game.sabres[seat] += SAILOR_SABRES
    elif kind == AS_MADEMOISELLE:
        game.staff[seat, MADEMOISELLE] += 1
    elif kind == AS_LOOKOUT:
        game.staff[seat, LOOKOUT] += 1
    elif kind == COINS_ONCE:
        gain_coins(game, seat, COINS_GIVEN_ONCE)


@with_adventure()
def pay_for_claim(game: Record, tables: Record, seat: int) -> None:
    """Gain crowns for an expedition."""
    if ability(game, tables, seat) == EXPEDITION_CROWNS:
        gain_crowns(game, tables, seat, CROWNS_FOR_EXPEDITION)


@with_adventure(0)
def coins_for_bust(game: Record, tables: Record, cards: int) -> int:
    """Coins for the active player for a bust with this many cards in the harbour, including the doubling one (R11)."""
    if cards <= BUST_CARDS and ability(game, tables, int(game.active)) == PAID_FOR_BUST:
        return BUST_COINS
    return 0


@compiled
def crowns_for_ship(game: Record, tables: Record, seat: int, colour: int) -> int:
    """Crowns for a ship of a colour, with the right character."""
    return int(works_for(game, tables, seat, AS_CROWN_TRADER, colour))
