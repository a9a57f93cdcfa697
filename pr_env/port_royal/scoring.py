"""The result: who won, and the sources of the points."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pr_env.compiling import compiled
from pr_env.port_royal.adventure import scoring as adventure
from pr_env.port_royal.extension import with_contracts, with_merchants, with_time_deck
from pr_env.port_royal.people import has_expedition
from pr_env.port_royal.state import CONTRACTS_DONE, FIRST_COIN_SPACE, OWNED, TIME_OVER, Shape
from pr_env.port_royal.tables import BEST_POINTS, CONTRACT_INFLUENCE, CONTRACTS_COOPERATIVE, MAX_PLAYERS, TITLES
from pr_env.rules import Record, final_record

PERSONS, EXPEDITIONS = range(2)  # followed by ships under merchants, and contracts
TEAM_CONTRACTS, SCORE_DECK = range(2)  # of a cooperative game
NO_TITLE = -1


@cache
def sources_for(shape: Shape) -> tuple[str, ...]:
    """The sources of points."""
    if shape.adventure:
        return adventure.SOURCES
    if shape.cooperative:
        return "contracts", "score_deck"
    ships = ("ships",) if shape.merchants else ()
    contracts = ("contracts",) if shape.contracts else ()
    return "persons", "expeditions", *ships, *contracts


@cache
def final_for(shape: Shape) -> np.dtype[Any]:
    """The type of a final record."""
    # The team's fields come first: Numba does not distinguish a record that only adds fields at the end.
    team: list[Any] = []
    if shape.cooperative:
        team = [("won", np.int8), ("title", np.int8), ("score", np.float32, (MAX_PLAYERS,))]  # title: or NO_TITLE
    if shape.adventure:
        team = adventure.final_fields()
    return final_record(MAX_PLAYERS, len(sources_for(shape)), "turns", [*team, ("coins", np.int32, (MAX_PLAYERS,))])


@compiled
def points(game: Record, tables: Record, seat: int) -> int:
    """A player's influence; in a cooperative game, the contracts that the team has completed plus its points."""
    if adventure.plays_together(game, tables):
        return adventure.team_influence(game)
    return _team_points(game) if _is_cooperative(game) else int(game.influence[seat])


@with_time_deck(False)
def _is_cooperative(game: Record) -> bool:
    return True


@with_time_deck(False)
def _is_won(game: Record) -> bool:
    return game.ending == CONTRACTS_DONE


@with_time_deck(0)
def _team_contracts(game: Record) -> int:
    """Face-up contracts that at least one player has completed."""
    completed = 0
    for contract in range(game.face_up.shape[0]):
        for seat in range(game.players):
            if game.cube[seat, contract] >= FIRST_COIN_SPACE:
                completed += 1
                break
    return completed


@compiled
def progress(game: Record, tables: Record, seat: int) -> float:
    """The share of the face-up contracts, or of card 9's conditions, that the team has met; 0 in a competitive game."""
    return _team_progress(game) + adventure.progress(game, tables)


@with_time_deck(0.0)
def _team_progress(game: Record) -> float:
    return _team_contracts(game) / CONTRACTS_COOPERATIVE[game.players]


@with_time_deck(0)
def _team_points(game: Record) -> int:
    return _team_contracts(game) + (int(game.score) if _is_won(game) else 0)


@compiled
def write_final(game: Record, tables: Record, final: Record) -> None:
    """Write all of the final record as if the game ended now."""
    final.seed = game.seed
    final.turns = game.turn - 1 if game.ending == TIME_OVER else game.turn  # that turn did not take place
    final.ending = game.ending
    for seat in range(MAX_PLAYERS):
        for source in range(final.points.shape[1]):
            final.points[seat, source] = 0
        final.total[seat] = 0
        final.rank[seat] = 0
        final.win_share[seat] = 0
        final.coins[seat] = game.purse[seat]
    if adventure.write_final(game, tables, final):
        return
    if _is_cooperative(game):
        _write_team(game, final)
    else:
        _write_players(game, tables, final)


@with_time_deck()
def _write_team(game: Record, final: Record) -> None:
    """All players win or lose together. A win has a point for each card in the score deck, and a title for these."""
    won = _is_won(game)
    for seat in range(game.players):
        final.points[seat, TEAM_CONTRACTS] = _team_contracts(game)
        final.points[seat, SCORE_DECK] = game.score if won else 0
        final.total[seat] = _team_points(game)
        final.rank[seat] = 1
        final.win_share[seat] = won
        final.score[seat] = (1 + min(int(game.score), BEST_POINTS)) / (1 + BEST_POINTS) if won else 0
    for seat in range(game.players, MAX_PLAYERS):
        final.score[seat] = 0
    final.won = won
    final.title = min(int(game.score), BEST_POINTS) // 2 if won else NO_TITLE


@compiled
def _write_players(game: Record, tables: Record, final: Record) -> None:
    """Most influence wins, then most coins; ties are shared. With the alternative end, winning needs an expedition."""
    somebody = False
    for seat in range(game.players):
        _write_sources(game, tables, final, seat)
        final.total[seat] = game.influence[seat]
        somebody = somebody or has_expedition(game, seat)
    needed = tables.needs_expedition == 1 and somebody  # not in a truncated game in which nobody has one (R90)
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
def _is_ahead(game: Record, seat: int, other: int, needs_expedition: bool) -> bool:
    if needs_expedition and has_expedition(game, seat) != has_expedition(game, other):
        return has_expedition(game, seat)
    if game.influence[seat] != game.influence[other]:
        return bool(game.influence[seat] > game.influence[other])
    return bool(game.purse[seat] > game.purse[other])


@compiled
def _write_sources(game: Record, tables: Record, final: Record, seat: int) -> None:
    for kind in range(game.display.shape[1]):
        final.points[seat, PERSONS] += int(game.display[seat, kind]) * tables.influence[kind]
    first = game.unseen.shape[0] - tables.tax_from.shape[0] - game.expedition.shape[0]
    for expedition in range(game.expedition.shape[0]):
        if game.expedition[expedition] == OWNED + seat:
            final.points[seat, EXPEDITIONS] += tables.influence[first + expedition]
    source = EXPEDITIONS + 1 + _write_ships(game, final, seat)
    _write_contracts(game, final, seat, source)


@with_merchants(0)
def _write_ships(game: Record, final: Record, seat: int) -> int:
    for ship in range(game.under.shape[1]):
        final.points[seat, EXPEDITIONS + 1] += int(game.under[seat, ship])
    return 1


@with_contracts()
def _write_contracts(game: Record, final: Record, seat: int, source: int) -> None:
    completed = 0
    for contract in range(game.cube.shape[1]):
        completed += game.cube[seat, contract] >= FIRST_COIN_SPACE
    final.points[seat, source] = CONTRACT_INFLUENCE[completed]


assert len(TITLES) == 1 + BEST_POINTS // 2
