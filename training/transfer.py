"""Weights for another number of players or a wider network: who knows the game for three need not start from nothing.

The observation is the table, oneself, then the others clockwise; the value has a row for each seat in the same order.
So the parts of the first layer that read an opponent, and the rows of the value, are dealt to the new opponents: the
nearest neighbours on both sides keep theirs, and those between get a mixture.

In a wider network the new units read what chance says, and nobody listens to them at first: it plays as before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.weights import Weights
from pr_env import PuertoRico


class TransferError(ValueError):
    """Weights that cannot become those of the network that is wanted."""


def for_players(weights: Weights, players: int) -> Weights:
    """Weights of a network for ``players`` players, from those for any number.

    Raises:
        TransferError: If they have no values for the seats, as those of MaskablePPO, or are not of this game.
    """
    if "value.weight" not in weights:
        raise TransferError("these weights have no values for the seats, which self-play goes on from")
    first, value = weights["hidden.0.weight"], weights["value.weight"]
    before = len(value)
    block = PuertoRico(players=3).observation_size - PuertoRico(players=2).observation_size
    own = PuertoRico(players=2).observation_size - block  # the table and oneself
    if first.shape[1] != own + (before - 1) * block:
        raise TransferError(
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


def for_layers(weights: Weights, layers: Sequence[int], seed: int) -> Weights:
    """Weights of a network whose hidden layers have these widths, none smaller than before, that plays the same.

    Raises:
        TransferError: If one would be smaller, or there are more or fewer of them.
    """
    before = layers_of(weights)
    if len(before) != len(layers) or any(new < old for old, new in zip(before, layers, strict=True)):
        raise TransferError(f"a network with hidden layers {list(before)} cannot grow to {list(layers)}")
    random = np.random.default_rng(seed)
    wide, reads = dict(weights), weights["hidden.0.weight"].shape[1]
    for place, width in enumerate(layers):
        known, bias = weights[f"hidden.{place}.weight"], weights[f"hidden.{place}.bias"]
        weight = np.zeros((width, reads), known.dtype)
        weight[len(known) :] = random.normal(0, np.sqrt(2 / reads), (width - len(known), reads))
        weight[: len(known), : known.shape[1]] = known
        wide[f"hidden.{place}.weight"] = weight
        wide[f"hidden.{place}.bias"] = np.pad(bias, (0, width - len(bias)))
        reads = width
    for head in ("policy", "value"):
        known = weights[f"{head}.weight"]
        wide[f"{head}.weight"] = np.pad(known, ((0, 0), (0, reads - known.shape[1])))
    return wide


def layers_of(weights: Weights) -> tuple[int, ...]:
    """The widths of the hidden layers."""
    depth = sum(name.startswith("hidden.") and name.endswith(".bias") for name in weights)
    return tuple(len(weights[f"hidden.{place}.bias"]) for place in range(depth))


def _mixture(before: int, after: int) -> np.ndarray:
    """(after, before): how much each new opponent has of each old one; the old ones stand at equal distances."""
    places = np.linspace(0, before - 1, after) if after > 1 else np.array([(before - 1) / 2])
    return np.asarray(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(before)[None, :])))
