"""Metrics of a training run in Weights & Biases and MLflow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tests.toys import Nim
from training import sinks
from training.command import Request
from training.log import Log
from training.sinks import Sinks

FIGURES = {"decisions": 128.0, "loss/value": 0.25, "win_share/mcts:playouts=5": 0.5}
SETTINGS = {"learning_rate": (1e-3, 1e-5), "agents": ("random",)}


class Kept:
    """A sink that records its input."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, float]]] = []
        self.closed = False

    def add(self, figures: Mapping[str, float], step: int) -> None:
        self.rows.append((step, dict(figures)))

    def close(self) -> None:
        self.closed = True


class Failing(Kept):
    def add(self, figures: Mapping[str, float], step: int) -> None:
        raise ConnectionError("nobody is there")


def test_a_log_tells_its_sinks(tmp_path: Path) -> None:
    kept = Kept()
    log = Log(tmp_path, 0, kept)
    log.add(FIGURES)
    log.close()
    assert kept.rows == [(128, {"loss/value": 0.25, "win_share/mcts:playouts=5": 0.5})]
    assert kept.closed


def test_a_service_that_fails_costs_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Kept()
    monkeypatch.setattr(sinks, "SINKS", {"bad": lambda *_: Failing(), "good": lambda *_: kept})
    both = Sinks(("bad", "good"), tmp_path, {})
    both.add(FIGURES, 1)
    both.add(FIGURES, 2)
    both.close()
    assert [step for step, _ in kept.rows] == [1, 2]
    assert capsys.readouterr().err == "pr-env: logging to bad stopped: ConnectionError: nobody is there\n"


def test_an_unknown_service_is_refused() -> None:
    with pytest.raises(ValueError, match="--log-to must be one of wandb, mlflow, got 'paper'"):
        Request(Nim(players=2), log_to=("paper",))


def test_a_library_that_is_missing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mlflow", None)
    with pytest.raises(ModuleNotFoundError):
        Sinks(("mlflow",), tmp_path, {})


@pytest.mark.filterwarnings("ignore")
def test_mlflow_has_the_figures_and_goes_on_with_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow: Any = pytest.importorskip("mlflow", reason="MLflow is not installed: make test-interop")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    for step in (1, 2):
        sink = Sinks(("mlflow",), tmp_path, SETTINGS)
        sink.add({"loss/value": step / 4, "win_share/mcts:playouts=5": 0.5}, step)
        sink.close()
    client = mlflow.MlflowClient()
    (run,) = client.search_runs([client.get_experiment_by_name(sinks.PROJECT).experiment_id])
    assert run.info.status == "FINISHED"
    assert run.data.params["learning_rate"] == "(0.001, 1e-05)"
    assert run.data.metrics == {"loss/value": 0.5, "win_share/mcts_playouts_5": 0.5}
    assert len(client.get_metric_history(run.info.run_id, "loss/value")) == 2


@pytest.mark.filterwarnings("ignore")
def test_weights_and_biases_has_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb", reason="Weights & Biases is not installed: make test-interop")
    monkeypatch.setenv("WANDB_MODE", "offline")
    sink = Sinks(("wandb",), tmp_path, SETTINGS)
    sink.add({"loss/value": 0.25}, 128)
    sink.close()
    assert list(tmp_path.glob("wandb/offline-run-*/*.wandb"))
    assert (tmp_path / "wandb_run.txt").read_text().strip()
