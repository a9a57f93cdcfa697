"""Reading checkpoints of both algorithms: one that a training cannot go on from is refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import nn

from agents.weights import Weights, read_arrays
from pr_env import PuertoRico

S = TypeVar("S")

# What the sizes of a checkpoint's arrays follow from.
FIXED = ("players", "layers", "games")
# Stored in every checkpoint: its games and observations mean something to these rules only.
RULES = {"game": PuertoRico.name, "layout": PuertoRico.layout}


class CheckpointError(ValueError):
    """A file that a training cannot go on from."""


def read_checkpoint(
    path: Path, form: str, settings: type[S], changes: dict[str, Any]
) -> tuple[Weights, dict[str, Any], S]:
    """Read a checkpoint with the settings to go on with.

    Args:
        path: The file.
        form: What its description has to call itself.
        settings: The class of the algorithm's hyperparameters.
        changes: Hyperparameters to go on with in place of those in the file.

    Returns:
        Its arrays, its description, and the hyperparameters.

    Raises:
        CheckpointError: If the file is damaged or of something else, or the changes do not fit it.
    """
    try:
        arrays, about = read_arrays(path)
    except ValueError as error:
        raise CheckpointError(f"{error}; --restart begins anew") from error
    if about.get("format") != form:
        raise CheckpointError(
            f"{path} is a file of {about.get('format')!r}, not of {form!r}: another folder (--out) keeps both, "
            "--restart begins anew"
        )
    for name, value in RULES.items():
        if about.get(name) != value:
            raise CheckpointError(
                f"{path} is for {name} {about.get(name)!r}, this version of pr_env has {value!r}; --restart begins anew"
            )
    with damage_named(path):
        stored = _with_tuples(about["settings"])
    changes = _with_tuples(changes)
    for name in FIXED:
        if changes.get(name, stored.get(name)) != stored.get(name):
            raise CheckpointError(
                f"{path} has {name} {stored.get(name)!r}, which cannot become {changes[name]!r}: another folder "
                "(--out) keeps both, --restart begins anew"
            )
    try:
        return arrays, about, settings(**stored | changes)
    except TypeError as error:
        raise CheckpointError(f"{path} was written by another version of the training: {error}") from error
    except ValueError as error:
        raise CheckpointError(f"a hyperparameter does not fit: {error}") from error


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """What goes wrong in here goes wrong because the checkpoint lacks something, or has it in another shape.

    Raises:
        CheckpointError: Then.
    """
    try:
        yield
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())  # PyTorch's have several lines
        raise CheckpointError(f"{path} is damaged: {reason}; --restart begins anew") from error


def adam_arrays(network: nn.Module, optimizer: torch.optim.Optimizer) -> Weights:
    """What Adam knows of the network's parameters; nothing before the first update."""
    return {
        f"adam/{key}/{name}": value.numpy()
        for name, parameter in network.named_parameters()
        for key, value in optimizer.state[parameter].items()
    }


def restore_adam(network: nn.Module, optimizer: torch.optim.Optimizer, arrays: Weights) -> None:
    """Put back what `adam_arrays` gave."""
    known = under("adam/", arrays)
    if not known:
        return
    for name, parameter in network.named_parameters():
        state = {key: torch.from_numpy(known[f"{key}/{name}"].copy()) for key in ("step", "exp_avg", "exp_avg_sq")}
        if not state["exp_avg"].shape == state["exp_avg_sq"].shape == parameter.shape:
            raise ValueError(f"what Adam knows of {name} has another shape than {name}")
        optimizer.state[parameter] = state


def _with_tuples(settings: dict[str, Any]) -> dict[str, Any]:
    """JSON and people write lists where settings have tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}


def under(start: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays whose names start so, without that start."""
    return {name.removeprefix(start): value for name, value in arrays.items() if name.startswith(start)}
