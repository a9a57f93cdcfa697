"""Reading checkpoints of both algorithms: one that cannot be resumed is refused with the reason."""

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

# What the sizes of a checkpoint's arrays follow from.
FIXED = ("game", "options", "hidden_sizes", "num_envs")


class CheckpointError(ValueError):
    """A file from which a training run cannot be resumed."""


def rules_of(game: Game | type[Game]) -> dict[str, Any]:
    """Stored in every checkpoint: its games and observations mean something to these rules only."""
    return {"game": game.name, "layout": game.layout}


def read_checkpoint(
    path: Path, form: str, settings: type[S], changes: dict[str, Any]
) -> tuple[Weights, dict[str, Any], S]:
    """Read a checkpoint with the settings to go on with.

    Args:
        path: The file.
        form: What its description has to call itself.
        settings: The class of the algorithm's hyperparameters.
        changes: Hyperparameters to go on with in place of those in the file. A game of another package has to be among
            them, or known already: a file does not make anything be imported.

    Returns:
        Its arrays, its description, and the hyperparameters.

    Raises:
        CheckpointError: If the file is damaged or of something else, or the changes do not fit it.
    """
    try:
        arrays, about = read_arrays(path)
    except ValueError as error:
        raise CheckpointError(f"{error}; --restart begins anew") from error
    _check_format(path, about.get("format"), form)
    with damage_named(path):
        _check_arrays(arrays)
        stored = _with_tuples(about["settings"])
        stored["game"]  # is missed here rather than later
    changes = _with_tuples(changes)
    try:
        if "game" not in changes:
            known_game(stored["game"])
        new = settings(**stored | changes)
    except TypeError as error:
        raise CheckpointError(f"{path} was written by another version of the training: {error}") from error
    except ValueError as error:
        raise CheckpointError(f"a hyperparameter does not fit: {error}") from error
    for name in FIXED:
        before, now = stored.get(name), getattr(new, name)
        if now != before:
            if name == "options":
                before, now = _differences(before, now)
            raise CheckpointError(
                f"{path} has {name} {before!r}, which cannot become {now!r}: another folder (--out) keeps both, "
                "--restart begins anew"
            )
    for name, value in rules_of(find_game(stored["game"])).items():
        if about.get(name) != value:
            raise CheckpointError(
                f"{path} is for {name} {about.get(name)!r}, this version of pr_env has {value!r}; --restart begins anew"
            )
    return arrays, about, new


def _check_arrays(arrays: Weights) -> None:
    """Refuse arrays of anything but finite numbers and whole ones.

    Raises:
        ValueError: If there are some.
    """
    for name, value in arrays.items():
        if value.dtype.kind not in "biuf":
            raise ValueError(f"its array {name!r} must be made of real numbers, got {value.dtype}")
        if not np.isfinite(value).all():
            raise ValueError(f"its array {name!r} contains NaN or infinity")


def _check_format(path: Path, found: object, form: str) -> None:
    if found == form:
        return
    if isinstance(found, str) and found.rpartition(" ")[0] == form.rpartition(" ")[0]:
        raise CheckpointError(
            f"{path} was written by another version of the training, whose settings have other names: --restart begins "
            "anew, and --start with the agent.npz beside it begins from what that has learned"
        )
    raise CheckpointError(
        f"{path} is a file of {shown(found)}, not of {form!r}: another folder (--out) keeps both, --restart begins anew"
    )


def _differences(before: Any, now: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of two tables of options what is not the same."""
    known = before if isinstance(before, dict) else {}
    names = [name for name in {**known, **now} if known.get(name) != now.get(name)]
    return {name: known.get(name) for name in names}, {name: now.get(name) for name in names}


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """What goes wrong in here goes wrong because the checkpoint lacks something, or has it in another shape.

    Raises:
        CheckpointError: If anything does.
    """
    try:
        yield
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())  # PyTorch's have several lines
        raise CheckpointError(f"{path} is damaged: {reason[:300]}; --restart begins anew") from error


def adam_arrays(network: nn.Module, optimizer: torch.optim.Optimizer) -> Weights:
    """What Adam knows of the network's parameters; nothing before the first update."""
    return {
        f"adam/{key}/{name}": value.cpu().numpy()
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
        optimizer.state[parameter] = {key: value.to(parameter.device) for key, value in state.items()}


def _with_tuples(settings: dict[str, Any]) -> dict[str, Any]:
    """JSON and people write lists where settings have tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}


def under(start: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays whose names start so, without that start."""
    return {name.removeprefix(start): value for name, value in arrays.items() if name.startswith(start)}
