"""Weights of trained agents: NumPy arrays with a description, in one file. Nothing is unpickled."""

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

UNFINISHED = ".new"  # suffix of a file while it is written; one stays behind if the process is killed

LONGEST_REASON = 200  # characters of another library's message
_ABOUT = "about.json"  # the description, stored among the arrays as JSON bytes
# Exceptions that a damaged archive can raise, depending on which bytes are wrong
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
    """Write arrays and a JSON-safe description atomically: a crash leaves the old file or the new one."""
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
    """Read the arrays of a file, and its description.

    Raises:
        FileNotFoundError: If the file does not exist.
        ValueError: If it is not a weights file, or damaged.
    """
    try:
        with path.open("rb") as file:  # opened here, because NumPy leaves a damaged file open
            if not zipfile.is_zipfile(file):  # NumPy would take it for a pickle
                raise ValueError("it is not an archive of NumPy arrays, or incomplete")
            refused = warnings.catch_warnings(action="error", category=UserWarning)  # NumPy's, of odd headers
            with refused, np.load(file, allow_pickle=False) as stored:
                arrays = {name: np.asarray(stored[name]) for name in stored.files}
        about = json.loads(arrays.pop(_ABOUT).tobytes())
    except FileNotFoundError:
        raise
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0][:LONGEST_REASON]  # NumPy's may continue with advice about pickles
        raise ValueError(f"{path} is not a weights file: {reason}") from error
    if not isinstance(about, dict):
        raise ValueError(f"{path} is not a weights file: its description is not a dictionary")
    return arrays, about
