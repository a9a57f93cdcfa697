"""Crowns: the position of a player's cube on the track gives influence."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.people import gain_influence
from pr_env.rules import Record


@compiled
def gain_crowns(game: Record, tables: Record, seat: int, count: int) -> None:
    """Move the cube on, at most to the last space (R55)."""
    before = tables.crown_influence[game.crowns[seat]]
    game.crowns[seat] = min(int(game.crowns[seat]) + count, tables.last_crown)
    gain_influence(game, tables, seat, tables.crown_influence[game.crowns[seat]] - before)


@compiled
def pay_crowns(game: Record, tables: Record, seat: int, count: int) -> None:
    """Move the cube back, which lowers influence."""
    before = tables.crown_influence[game.crowns[seat]]
    game.crowns[seat] -= count
    game.influence[seat] += tables.crown_influence[game.crowns[seat]] - before
