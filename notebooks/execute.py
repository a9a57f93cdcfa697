"""Run the notebooks from top to bottom: ``make notebooks`` saves their outputs, the tests only check them.

```
python notebooks/execute.py                     # all, at full length, and save them (about 20 minutes)
python notebooks/execute.py 01_tour.ipynb       # one of them
python notebooks/execute.py --small             # all, with few games, and save nothing
```
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).resolve().parent
COMPILING = ("pr_env: compil", "pr_env: waiting")  # how lines about compilation begin


def execute(path: Path, small: bool) -> nbformat.NotebookNode:
    """Run a notebook and return it with its new outputs.

    Args:
        path: The file.
        small: Whether to play only a few games, for a test.

    Raises:
        CellExecutionError: If a cell fails.
        ValueError: If a cell writes to stderr.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
        record_timing=False,
    )
    with tempfile.TemporaryDirectory() as folder:
        # Parallel runs share no history, and the packages are found even if they are not installed.
        paths = [str(FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"IPYTHONDIR": folder, "PYTHONPATH": os.pathsep.join(paths)}
        environment["PR_ENV_SMALL"] = "1" if small else ""
        if small:  # tests run in parallel: threads for small matrix products would wait for each other
            environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        client.execute(env=environment)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_about_compiling(output)]
            for output in cell.outputs:
                if output.get("name") == "stderr":
                    raise ValueError(f"{path.name} writes to stderr: {output.text}")
    # Remove metadata that depends on the machine.
    notebook.metadata = nbformat.from_dict({"kernelspec": _KERNEL, "language_info": {"name": "python"}})
    return notebook


_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def _is_about_compiling(output: nbformat.NotebookNode) -> bool:
    lines = output.text.splitlines() if output.get("name") == "stderr" else [""]
    return all(line.startswith(COMPILING) for line in lines)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Run the notebooks.")
    parser.add_argument("notebooks", nargs="*", help="files in this folder; default: all")
    parser.add_argument("--small", action="store_true", help="play few games and save nothing")
    given = parser.parse_args()
    there = sorted(path.name for path in FOLDER.glob("*.ipynb"))
    for name in given.notebooks:
        if name not in there:
            parser.error(f"there is no notebook {name!r}; there are {', '.join(there)}")
    for name in given.notebooks or there:
        started = time.monotonic()
        try:
            notebook = execute(FOLDER / name, given.small)
        except (CellExecutionError, ValueError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        if not given.small:
            nbformat.write(notebook, FOLDER / name)
        print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
