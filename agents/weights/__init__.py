"""Weights of trained agents: NumPy arrays with a description, in one file. Data, never code: nothing is unpickled."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

Weights = dict[str, np.ndarray]

_ABOUT = "about.json"  # the description among the arrays: JSON as bytes


def write_arrays(path: Path, arrays: Weights, about: dict[str, Any]) -> None:
    """Write arrays and a JSON-safe description. A crash leaves the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    described = {_ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays}
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **described)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read_arrays(path: Path) -> tuple[Weights, dict[str, Any]]:
    """The arrays of a file and its description.

    Raises:
        ValueError: If it is no such file.
    """
    try:
        # Opened here, because NumPy leaves a damaged file open
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(arrays.pop(_ABOUT).tobytes())
    except (KeyError, ValueError, EOFError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a file of weights: {error}") from error
    if not isinstance(about, dict):
        raise ValueError(f"{path} is not a file of weights: its description is not a table")
    return arrays, about
