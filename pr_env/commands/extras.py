"""The libraries of each extra of pr-env."""

from __future__ import annotations

from importlib.util import find_spec

# extra: its purpose, and its libraries by import name
EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "cli": ("the command line", ("typer", "rich")),
    "render": ("pictures of the board", ("PIL", "rich")),
    "arena": ("tournaments", ("openskill", "rich")),
    "bench": ("speed", ("rich",)),
    "train": (
        "learning",
        ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "openskill", "rich"),
    ),
    "cluster": ("arena and training on many machines", ("ray", "openskill", "rich")),
    "rllib": ("the sample with RLlib", ("ray", "torch", "openskill", "rich")),
    "data": ("exported decisions", ("pyarrow", "rich")),
    "openspiel": ("OpenSpiel", ("typer", "pyspiel")),
    "wandb": ("training logs in Weights & Biases", ("wandb",)),
    "mlflow": ("training logs in MLflow", ("mlflow",)),
    "web": ("the web page to play in", ("typer", "rich", "msgspec", "starlette", "uvicorn", "websockets")),
    "browser": ("tests of the web page", ("playwright",)),
    "notebooks": ("notebooks", ("ipykernel", "nbclient", "nbformat", "matplotlib", "openskill", "PIL", "rich")),
    "docs": ("the documentation site", ("mkdocs", "material", "mkdocstrings")),
}


def missing(extra: str) -> list[str]:
    """The libraries of an extra that are not installed."""
    return [library for library in EXTRAS[extra][1] if find_spec(library) is None]


def what_to_install(library: str) -> str:
    """A sentence that says how to install a missing library."""
    for extra, (_, libraries) in EXTRAS.items():
        if library in libraries:
            return f"this needs {library}, of the extra {extra!r}: {command(extra)} in the checkout of pr-env"
    return f"this needs {library}, which is not installed"


def what_is_missing(error: ModuleNotFoundError) -> str:
    """A sentence about a failed import."""
    return str(error) if error.name is None else what_to_install(error.name)


def command(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install -e '.[{extra}]'"
