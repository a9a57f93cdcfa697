"""Where the adventure's actions stand in the action table."""

from __future__ import annotations

from pr_env.compiling import compiled
from pr_env.port_royal.actions import accept_at, pay_match_at
from pr_env.rules import Record


@compiled
def pay_special_at(game: Record) -> int:
    """``pay_special``."""
    return pay_match_at(game) + 2


@compiled
def use_lookout_at(game: Record) -> int:
    """``use_lookout``."""
    return accept_at(game) + 2


@compiled
def top_at(game: Record) -> int:
    """First ``top``, one for each card that was looked at."""
    return use_lookout_at(game) + 1


@compiled
def sell_at(game: Record) -> int:
    """``sell_bread``, then ``sell_rum``."""
    return use_lookout_at(game) + 4


@compiled
def give_item_at(game: Record) -> int:
    """``give_book``, then ``give_herbs``."""
    return use_lookout_at(game) + 6


@compiled
def side_at(game: Record) -> int:
    """``side_a``, then ``side_b``."""
    return use_lookout_at(game) + 8


@compiled
def character_at(game: Record) -> int:
    """First ``character``, one for each side of a card."""
    return use_lookout_at(game) + 10
