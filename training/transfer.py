"""Transfer of weights to another number of players or a wider network.

Where the observation is the table, oneself, then the others clockwise, with fields that are called ``left_1.`` and so
on, the parts of the first layer that read an opponent, and the rows of the value, are dealt to the new opponents: the
nearest neighbours on both sides keep theirs, and those between get a mixture.

In a wider network the new units start with random inputs and zero outputs, so that it plays as before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.neural import value_count
from agents.weights import Weights
from pr_env.game import Game

_FIRST_OPPONENT = "left_1."  # what the names of its fields start with


class TransferError(ValueError):
    """Weights that cannot become those of the network that is wanted."""


def for_game(weights: Weights, before: Game, after: Game) -> Weights:
    """Weights of a network for a game, from those for another configuration of it.

    Raises:
        TransferError: If they have no values for the seats, as those of MaskablePPO, or the games have too little in
            common.
    """
    if "value.weight" not in weights:
        raise TransferError("these weights have no values for the seats, which self-play goes on from")
    if (before.name, before.layout, before.actions) != (after.name, after.layout, after.actions):
        raise TransferError(f"weights for {before} cannot become weights for {after}: they have other actions")
    if before.players == after.players and before.observation_size == after.observation_size:
        return weights
    own, block = _parts(before)
    if (own, block) != _parts(after) or value_count(before) != before.players:
        raise TransferError(f"weights for {before} cannot become weights for {after}: they have other observations")
    first, value = weights["hidden.0.weight"], weights["value.weight"]
    mixture = _mixture(before.players - 1, after.players - 1)
    opponents = first[:, own:].reshape(len(first), before.players - 1, block)
    dealt = np.einsum("no,hob->hnb", mixture, opponents).reshape(len(first), -1)
    rows = np.vstack([np.eye(1, before.players), np.hstack([np.zeros((after.players - 1, 1)), mixture])])
    return weights | {
        "hidden.0.weight": np.hstack([first[:, :own], dealt]).astype(first.dtype),
        "value.weight": (rows @ value).astype(value.dtype),
        "value.bias": (rows @ weights["value.bias"]).astype(value.dtype),
    }


def _parts(game: Game) -> tuple[int, int]:
    """How much of an observation is the table and oneself, and how much each opponent.

    Raises:
        TransferError: If it is not made of such parts.
    """
    own = next((field.start for field in game.fields if field.name.startswith(_FIRST_OPPONENT)), None)
    if own is None or (game.observation_size - own) % (game.players - 1):
        raise TransferError(f"observations of {game} have no part for each opponent, which new ones could be given")
    return own, (game.observation_size - own) // (game.players - 1)


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
