"""Weights of trained agents: NumPy arrays with a description, in one file. Data, never code: nothing is unpickled."""

from __future__ import annotations

import json
import os
import struct
import tempfile
import tokenize
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

Weights = dict[str, np.ndarray]

UNFINISHED = ".new"  # how the name of a file ends while it is written; one stays behind if the writer is killed

_ABOUT = "about.json"  # the description among the arrays: JSON as bytes
# What reading a damaged archive may end with, depending on which of its bytes are wrong
_DAMAGE = (
    KeyError,
    ValueError,
    EOFError,
    OSError,
    OverflowError,
    MemoryError,
    RuntimeError,
    UserWarning,  # an odd header
    SyntaxError,
    TypeError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def write_arrays(path: Path, arrays: Weights, about: dict[str, Any]) -> None:
    """Write arrays and a JSON-safe description. A crash leaves the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    described = {_ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays}
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=UNFINISHED)
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
        FileNotFoundError: If there is no such file.
        ValueError: If it is something else, or damaged.
    """
    try:
        with path.open("rb") as file:  # here, because NumPy leaves a damaged file open
            if not zipfile.is_zipfile(file):  # NumPy would take it for a pickle
                raise ValueError("it is no archive of NumPy arrays, or cut off")
            refused = warnings.catch_warnings(action="error", category=UserWarning)  # NumPy's, of odd headers
            with refused, np.load(file, allow_pickle=False) as stored:
                arrays = {name: np.asarray(stored[name]) for name in stored.files}
        about = json.loads(arrays.pop(_ABOUT).tobytes())
    except FileNotFoundError:
        raise
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0]  # NumPy's may go on with advice on pickles
        raise ValueError(f"{path} is not a file of weights: {reason}") from error
    if not isinstance(about, dict):
        raise ValueError(f"{path} is not a file of weights: its description is not a table")
    return arrays, about
