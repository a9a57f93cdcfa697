"""Comparison of a game with its recording: for the golden games of every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from pr_env import Game


def meaning_of(games: np.ndarray) -> np.ndarray:
    """The records as bytes, in the same byte order on every machine."""
    return games.astype(games.dtype.newbyteorder("<"))


def first_difference(game: Game, recorded: dict[str, Any], played: dict[str, Any]) -> str:
    """The first difference of a game to the recording, in words; empty if there is none.

    Both have ``actions``, and in ``moves`` a short hash of the positions so far after each action.
    """
    if recorded == played:
        return ""
    pairs = zip(recorded["actions"], played["actions"], strict=False)
    hashes = zip(recorded["moves"].split(), played["moves"].split(), strict=False)
    for place, ((before, now), (known, found)) in enumerate(zip(pairs, hashes, strict=True)):
        where = f"{game}, seed {recorded['seed']}, move {place + 1}"
        if before != now:
            return f"{where}: played {game.actions[now]}, recorded {game.actions[before]}"
        if known != found:
            return f"{where}: the position after {game.actions[before]} differs"
    length = f"{len(played['actions'])} moves, recorded {len(recorded['actions'])}"
    names = [name for name in recorded if recorded[name] != played.get(name)]
    return f"{game}, seed {recorded['seed']}: {length}; {', '.join(names)} differ"
