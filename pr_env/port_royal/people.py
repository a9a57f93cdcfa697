"""The persons in players' displays, and what they are worth."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.names import TROPHY
from pr_env.port_royal.extension import with_adventure, with_time_deck
from pr_env.port_royal.state import OWNED
from pr_env.rules import Record


@compiled
def count(game: Record, seat: int, ability: int) -> int:
    """The number of a player's persons with an ability; 0 for abilities that the game's cards do not have."""
    if ability >= game.staff.shape[1]:
        return 0
    return int(game.staff[seat, ability])


@compiled
def count_of_colour(game: Record, tables: Record, seat: int, ability: int, colour: int) -> int:
    """The number of a player's traders, merchants or clerks of a colour."""
    found = 0
    if count(game, seat, ability) > 0:
        for kind in range(game.display.shape[1]):
            if tables.ability[kind] == ability and tables.colour[kind] == colour:
                found += int(game.display[seat, kind])
    return found


@compiled
def join(game: Record, tables: Record, seat: int, kind: int) -> None:
    """Add a person to a player's display."""
    game.display[seat, kind] += 1
    game.staff[seat, tables.ability[kind]] += 1
    game.sabres[seat] += tables.sabres[kind]
    gain_influence(game, tables, seat, tables.influence[kind])


@compiled
def leave(game: Record, tables: Record, seat: int, kind: int) -> None:
    """Remove a person from a player's display. The end of the game, once due, stays due (R30)."""
    game.display[seat, kind] -= 1
    game.staff[seat, tables.ability[kind]] -= 1
    game.sabres[seat] -= tables.sabres[kind]
    game.influence[seat] -= tables.influence[kind]


@compiled
def gain_influence(game: Record, tables: Record, seat: int, influence: int) -> None:
    """Gain influence, which counts at once: with enough of it the game ends after this round."""
    game.influence[seat] += influence
    if game.influence[seat] >= tables.goal and not _is_won_together(game) and _has_trophy(game, tables, seat):
        if tables.needs_expedition == 0 or has_expedition(game, seat):
            game.end_flag = 1


@with_time_deck(False)
def _is_won_together(game: Record) -> bool:
    return True


@with_adventure(True)
def _has_trophy(game: Record, tables: Record, seat: int) -> bool:
    """Whether a trophy allows the end of the game; in a cooperative chapter, influence ends nothing."""
    return tables.together == 0 and game.uncovered[seat] >= TROPHY


@compiled
def has_expedition(game: Record, seat: int) -> bool:
    """Whether a player has claimed an expedition."""
    for expedition in range(game.expedition.shape[0]):
        if game.expedition[expedition] == OWNED + seat:
            return True
    return False
