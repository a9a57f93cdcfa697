"""Transfer of weights to another number of players or a wider network.

This requires observations that consist of the table, oneself, then the others clockwise, with fields named ``left_1.``
and so on. The parts of the first layer that read an opponent, and the rows of the values, are assigned to the new
opponents: the nearest neighbours on both sides keep theirs, and those in between get a mixture.

In a wider network the new units start with random inputs and zero outputs, so that it plays as before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.neural import value_count
from agents.weights import Weights
from pr_env.game import Game

_FIRST_OPPONENT = "left_1."  # prefix of the names of its fields


class TransferError(ValueError):
    """The weights cannot be converted to the requested network."""


def for_game(weights: Weights, before: Game, after: Game) -> Weights:
    """Convert weights to another configuration of a game.

    Raises:
        TransferError: If they have no values for the seats (such as those of MaskablePPO), or the configurations differ
            too much.
    """
    if "value.weight" not in weights:
        raise TransferError("these weights have no values for the seats, which self-play needs")
    if (before.name, before.layout, before.actions) != (after.name, after.layout, after.actions):
        raise TransferError(f"weights for {before} cannot be converted to {after}: the actions differ")
    if before.players == after.players and before.observation_size == after.observation_size:
        return weights
    own, block = _parts(before)
    if (own, block) != _parts(after) or value_count(before) != before.players:
        raise TransferError(f"weights for {before} cannot be converted to {after}: the observations differ")
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
    """The number of features for the table and oneself, and the number for each opponent.

    Raises:
        TransferError: If the observation does not have these parts.
    """
    own = next((field.start for field in game.fields if field.name.startswith(_FIRST_OPPONENT)), None)
    if own is None or (game.observation_size - own) % (game.players - 1):
        raise TransferError(f"observations of {game} have no separate part for each opponent")
    return own, (game.observation_size - own) // (game.players - 1)


def for_layers(weights: Weights, layers: Sequence[int], seed: int) -> Weights:
    """Convert weights to wider hidden layers, so that the network plays the same.

    Raises:
        TransferError: If a layer would be smaller, or the number of layers differs.
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
    """(after, before): the weight of each old opponent in each new one; old opponents are placed at equal distances."""
    places = np.linspace(0, before - 1, after) if after > 1 else np.array([(before - 1) / 2])
    return np.asarray(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(before)[None, :])))
