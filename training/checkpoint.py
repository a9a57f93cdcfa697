"""Reading checkpoints of both algorithms. One that cannot be resumed is rejected with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from agents.weights import Weights, read_arrays
from pr_env.checks import shown
from pr_env.game import Game
from pr_env.registry import find_game, known_game

S = TypeVar("S")

# Settings that determine the shapes of the arrays in a checkpoint.
FIXED = ("game", "options", "hidden_sizes", "num_envs")


class CheckpointError(ValueError):
    """A file from which a training run cannot be resumed."""


def rules_of(game: Game | type[Game]) -> dict[str, Any]:
    """The rules stored in every checkpoint: its games and observations are only valid with the same rules."""
    return {"game": game.name, "layout": game.layout}


def read_checkpoint(
    path: Path, form: str, settings: type[S], changes: dict[str, Any]
) -> tuple[Weights, dict[str, Any], S]:
    """Read a checkpoint, with the hyperparameters to resume with.

    Args:
        path: The file.
        form: The expected format name in its description.
        settings: The class of the algorithm's hyperparameters.
        changes: Hyperparameters that replace those in the file. A game from another package must be among them, or
            already known: reading a file never imports anything.

    Returns:
        Its arrays, its description, and the hyperparameters.

    Raises:
        CheckpointError: If the file is damaged or not such a checkpoint, or the changes are incompatible.
    """
    try:
        arrays, about = read_arrays(path)
    except ValueError as error:
        raise CheckpointError(f"{error}; --restart starts over") from error
    _check_format(path, about.get("format"), form)
    with damage_named(path):
        _check_arrays(arrays)
        stored = _with_tuples(about["settings"])
        stored["game"]  # fails here rather than later
    changes = _with_tuples(changes)
    try:
        if "game" not in changes:
            known_game(stored["game"])
        new = settings(**stored | changes)
    except TypeError as error:
        raise CheckpointError(f"{path} was written by an incompatible version of pr_env: {error}") from error
    except ValueError as error:
        raise CheckpointError(f"invalid hyperparameter: {error}") from error
    for name in FIXED:
        before, now = stored.get(name), getattr(new, name)
        if now != before:
            if name == "options":
                before, now = _differences(before, now)
            raise CheckpointError(
                f"{path} has {name} {before!r}, which cannot be changed to {now!r}: use another folder (--out), or "
                "start over with --restart"
            )
    for name, value in rules_of(find_game(stored["game"])).items():
        if about.get(name) != value:
            raise CheckpointError(
                f"{path} is for {name} {about.get(name)!r}, this version of pr_env has {value!r}; --restart starts over"
            )
    return arrays, about, new


def _check_arrays(arrays: Weights) -> None:
    """Check that all arrays consist of integers or finite numbers.

    Raises:
        ValueError: If one does not.
    """
    for name, value in arrays.items():
        if value.dtype.kind not in "biuf":
            raise ValueError(f"its array {name!r} must contain real numbers, got {value.dtype}")
        if not np.isfinite(value).all():
            raise ValueError(f"its array {name!r} contains NaN or infinity")


def _check_format(path: Path, found: object, form: str) -> None:
    if found == form:
        return
    if isinstance(found, str) and found.rpartition(" ")[0] == form.rpartition(" ")[0]:
        raise CheckpointError(
            f"{path} was written by an older version of pr_env, with other names of settings: --restart starts over, "
            "and --start with the agent.npz next to it starts from that agent"
        )
    raise CheckpointError(
        f"{path} is a file of {shown(found)}, not of {form!r}: use another folder (--out), or start over with --restart"
    )


def _differences(before: Any, now: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries in which two dictionaries of options differ."""
    known = before if isinstance(before, dict) else {}
    names = [name for name in {**known, **now} if known.get(name) != now.get(name)]
    return {name: known.get(name) for name in names}, {name: now.get(name) for name in names}


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Turn any error in the block into a `CheckpointError`: something is missing, or has another shape.

    Raises:
        CheckpointError: If the block raises an error.
    """
    try:
        yield
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())  # errors of PyTorch have several lines
        raise CheckpointError(f"{path} is damaged: {reason[:300]}; --restart starts over") from error


def adam_arrays(network: nn.Module, optimizer: torch.optim.Optimizer) -> Weights:
    """Adam's state for the network's parameters; empty before the first update."""
    return {
        f"adam/{key}/{name}": value.cpu().numpy()
        for name, parameter in network.named_parameters()
        for key, value in optimizer.state[parameter].items()
    }


def restore_adam(network: nn.Module, optimizer: torch.optim.Optimizer, arrays: Weights) -> None:
    """Restore what `adam_arrays` returned."""
    known = under("adam/", arrays)
    if not known:
        return
    for name, parameter in network.named_parameters():
        state = {key: torch.from_numpy(known[f"{key}/{name}"].copy()) for key in ("step", "exp_avg", "exp_avg_sq")}
        if not state["exp_avg"].shape == state["exp_avg_sq"].shape == parameter.shape:
            raise ValueError(f"Adam's state for {name} has another shape than {name}")
        optimizer.state[parameter] = {key: value.to(parameter.device) for key, value in state.items()}


def _with_tuples(settings: dict[str, Any]) -> dict[str, Any]:
    """Convert lists, as written in JSON or by hand, to the tuples of the settings."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}


def under(start: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays whose names have a prefix, without the prefix."""
    return {name.removeprefix(start): value for name, value in arrays.items() if name.startswith(start)}
