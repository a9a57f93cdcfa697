"""The result of a chapter: card 9 for a team; trophy, influence, cubes and coins for competing players."""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal.adventure.characters import cubes_left
from pr_env.port_royal.adventure.events import completed_by_somebody
from pr_env.port_royal.adventure.names import CONDITIONS, TROPHY
from pr_env.port_royal.adventure.state import FIRST_FINISHER
from pr_env.port_royal.extension import with_adventure
from pr_env.port_royal.state import CHAPTER_OVER, NOTHING, OWNED
from pr_env.rules import Record

SOURCES = ("persons", "expeditions", "crowns")
_PERSONS, _EXPEDITIONS, _CROWNS = range(len(SOURCES))


def final_fields() -> list[Any]:
    """Additional fields of the final record. They come first: see `scoring.final_for`."""
    return [("conditions", np.int8, (len(CONDITIONS),))]  # of card 9: 1 if met; 0 in a competitive game


@compiled
def _missions_done(game: Record) -> bool:
    """Whether every mission laid out was completed by at least one player (R66)."""
    for slot in range(game.mission.shape[0]):
        if game.mission[slot] != NOTHING and not completed_by_somebody(game, slot):
            return False
    return True


@compiled
def _cubes(game: Record) -> int:
    """Cubes on missions, without those on progress spaces and in the box (R62, R65)."""
    cubes = 0
    for seat in range(game.players):
        for slot in range(game.mission.shape[0]):
            cubes += game.mission_place[seat, slot] >= FIRST_FINISHER
    return cubes


@compiled
def team_influence(game: Record) -> int:
    """Influence of all players."""
    influence = 0
    for seat in range(game.players):
        influence += int(game.influence[seat])
    return influence


@compiled
def _is_met(game: Record, tables: Record, condition: int) -> bool:
    if condition == 0:
        return _missions_done(game)
    if condition == 1:
        return _cubes(game) >= tables.victory_cubes
    return team_influence(game) >= tables.victory_influence


@with_adventure(False)
def plays_together(game: Record, tables: Record) -> bool:
    """Whether a chapter is won or lost together."""
    return bool(tables.together == 1)


@with_adventure(0.0)
def progress(game: Record, tables: Record) -> float:
    """The share of card 9's conditions that are met; conditions with a number count in proportion."""
    if tables.together == 0:
        return 0.0
    out = done = 0
    for slot in range(game.mission.shape[0]):
        out += game.mission[slot] != NOTHING
        done += game.mission[slot] != NOTHING and completed_by_somebody(game, slot)
    share = done / out + _share(_cubes(game), tables.victory_cubes)
    return (share + _share(team_influence(game), tables.victory_influence)) / len(CONDITIONS)


@compiled
def _share(have: int, wanted: int) -> float:
    return 1.0 if have >= wanted else have / wanted


@with_adventure(False)
def write_final(game: Record, tables: Record, final: Record) -> bool:
    """Write the winners and the sources of influence. Returns whether this was done: False in other games."""
    for condition in range(final.conditions.shape[0]):
        final.conditions[condition] = 0
    if tables.together == 1:
        _write_team(game, tables, final)
    else:
        _write_players(game, tables, final)
    return True


@compiled
def _write_team(game: Record, tables: Record, final: Record) -> None:
    """All players win or lose together; each has the points of all."""
    met = 0
    for condition in range(final.conditions.shape[0]):
        final.conditions[condition] = _is_met(game, tables, condition)
        met += final.conditions[condition]
    won = game.ending == CHAPTER_OVER and met == final.conditions.shape[0]
    for seat in range(game.players):
        for other in range(game.players):
            _add_sources(game, tables, final, other, seat)
        final.total[seat] = team_influence(game)
        final.rank[seat] = 1
        final.win_share[seat] = won


@compiled
def _write_players(game: Record, tables: Record, final: Record) -> None:
    """Only players with a trophy can win, unless nobody has one in a truncated game (R90)."""
    needed = False
    for seat in range(game.players):
        _add_sources(game, tables, final, seat, seat)
        final.total[seat] = game.influence[seat]
        needed = needed or game.uncovered[seat] >= TROPHY
    winners = 0
    for seat in range(game.players):
        better = 0
        for other in range(game.players):
            better += _is_ahead(game, other, seat, needed)
        final.rank[seat] = 1 + better
        winners += better == 0
    for seat in range(game.players):
        final.win_share[seat] = 1 / winners if final.rank[seat] == 1 else 0


@compiled
def _is_ahead(game: Record, seat: int, other: int, needs_trophy: bool) -> bool:
    """Whether a player is ahead: most influence, then fewest cubes on the character, then most coins (R64)."""
    if needs_trophy and (game.uncovered[seat] >= TROPHY) != (game.uncovered[other] >= TROPHY):
        return bool(game.uncovered[seat] >= TROPHY)
    if game.influence[seat] != game.influence[other]:
        return bool(game.influence[seat] > game.influence[other])
    if cubes_left(game, seat) != cubes_left(game, other):
        return cubes_left(game, seat) < cubes_left(game, other)
    return bool(game.purse[seat] > game.purse[other])


@compiled
def _add_sources(game: Record, tables: Record, final: Record, seat: int, to: int) -> None:
    for kind in range(game.display.shape[1]):
        final.points[to, _PERSONS] += int(game.display[seat, kind]) * tables.influence[kind]
    first = game.unseen.shape[0] - tables.tax_from.shape[0] - game.expedition.shape[0]
    for expedition in range(game.expedition.shape[0]):
        if game.expedition[expedition] == OWNED + seat:
            final.points[to, _EXPEDITIONS] += tables.influence[first + expedition]
    final.points[to, _CROWNS] += tables.crown_influence[game.crowns[seat]]
