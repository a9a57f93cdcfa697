"""Optional logging of a training run to Weights & Biases and MLflow.

Both are configured by their own environment variables (``WANDB_MODE=offline``, ``MLFLOW_TRACKING_URI``). If a service
fails, a message says so and training continues.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

PROJECT = "pr-env"  # the name of the project there


class Sink(Protocol):
    """Receives metrics."""

    def add(self, figures: Mapping[str, float], step: int) -> None:
        """Log the metrics at a step."""

    def close(self) -> None:
        """Finish the log."""


def _wandb(folder: Path, settings: Mapping[str, Any]) -> Sink:
    import wandb

    run = wandb.init(
        project=PROJECT,
        name=folder.name,
        id=_known_run(folder, "wandb"),
        resume="allow",
        dir=str(folder),
        config=dict(settings),
    )
    _remember_run(folder, "wandb", run.id)

    class Wandb:
        def add(self, figures: Mapping[str, float], step: int) -> None:
            run.log(dict(figures), step=step)

        def close(self) -> None:
            run.finish()

    return Wandb()


def _mlflow(folder: Path, settings: Mapping[str, Any]) -> Sink:
    import mlflow

    client = mlflow.MlflowClient()
    run_id = _known_run(folder, "mlflow")
    if run_id is None:
        experiment = client.get_experiment_by_name(PROJECT)
        number = client.create_experiment(PROJECT) if experiment is None else experiment.experiment_id
        run_id = client.create_run(number, run_name=folder.name).info.run_id
        for name, value in settings.items():
            client.log_param(run_id, name, str(value))
        _remember_run(folder, "mlflow", run_id)

    class Mlflow:
        def add(self, figures: Mapping[str, float], step: int) -> None:
            for name, value in figures.items():
                client.log_metric(run_id, re.sub(r"[^\w./ -]", "_", name), value, step=step)

        def close(self) -> None:
            client.set_terminated(run_id)

    return Mlflow()


SINKS: dict[str, Callable[[Path, Mapping[str, Any]], Sink]] = {"wandb": _wandb, "mlflow": _mlflow}


class Sinks:
    """Several sinks. One that fails is not used again.

    Args:
        names: Names in `SINKS`.
        folder: The folder of the training run; a resumed run continues the same logs.
        settings: Its hyperparameters.

    Raises:
        ModuleNotFoundError: If a library is not installed.
    """

    def __init__(self, names: Sequence[str], folder: Path, settings: Mapping[str, Any]) -> None:
        self._sinks = {name: SINKS[name](folder, settings) for name in names}

    def add(self, figures: Mapping[str, float], step: int) -> None:
        """Log the metrics at a step."""
        for name, sink in list(self._sinks.items()):
            self._try(name, lambda sink=sink: sink.add(figures, step))  # type: ignore[misc] # bound now

    def close(self) -> None:
        """Finish the logs."""
        for name, sink in list(self._sinks.items()):
            self._try(name, sink.close)

    def _try(self, name: str, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception as error:  # any error of a service: the training run matters more
            del self._sinks[name]
            print(f"pr-env: logging to {name} stopped: {type(error).__name__}: {error}", file=sys.stderr)


def check_sinks(names: Sequence[str]) -> None:
    """Check the names of services.

    Raises:
        ValueError: If a name is unknown.
    """
    for name in names:
        if name not in SINKS:
            raise ValueError(f"--log-to must be one of {', '.join(SINKS)}, got {name!r}")


def _known_run(folder: Path, name: str) -> str | None:
    file = folder / f"{name}_run.txt"
    return file.read_text(encoding="utf-8").strip() if file.exists() else None


def _remember_run(folder: Path, name: str, run: str) -> None:
    (folder / f"{name}_run.txt").write_text(f"{run}\n", encoding="utf-8")
