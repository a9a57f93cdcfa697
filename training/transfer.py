"""Weights for another number of players: a network that knows the game for three need not start from nothing for four.

The observation is the table, oneself, then the others clockwise; the value has a row for each seat in the same order.
So the parts of the first layer that read an opponent, and the rows of the value, are dealt to the new opponents: the
nearest neighbours on both sides keep theirs, and those between get a mixture.
"""

from __future__ import annotations

import numpy as np

from agents.weights import Weights
from pr_env import PuertoRico


def for_players(weights: Weights, players: int) -> Weights:
    """Weights of a network for ``players`` players, from those for any number."""
    first, value = weights["hidden.0.weight"], weights["value.weight"]
    before = len(value)
    block = PuertoRico(players=3).observation_size - PuertoRico(players=2).observation_size
    own = PuertoRico(players=2).observation_size - block  # the table and oneself
    if first.shape[1] != own + (before - 1) * block:
        raise ValueError(
            f"the first layer reads {first.shape[1]} numbers, {before} players have {own + (before - 1) * block}"
        )
    mixture = _mixture(before - 1, players - 1)
    opponents = first[:, own:].reshape(len(first), before - 1, block)
    dealt = np.einsum("no,hob->hnb", mixture, opponents).reshape(len(first), -1)
    rows = np.vstack([np.eye(1, before), np.hstack([np.zeros((players - 1, 1)), mixture])])
    return weights | {
        "hidden.0.weight": np.hstack([first[:, :own], dealt]).astype(first.dtype),
        "value.weight": (rows @ value).astype(value.dtype),
        "value.bias": (rows @ weights["value.bias"]).astype(value.dtype),
    }


def _mixture(before: int, after: int) -> np.ndarray:
    """(after, before): how much each new opponent has of each old one; the old ones stand at equal distances."""
    places = np.linspace(0, before - 1, after) if after > 1 else np.array([(before - 1) / 2])
    return np.asarray(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(before)[None, :])))
