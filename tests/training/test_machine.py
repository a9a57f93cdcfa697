"""The measurement of the machine, and the reports of a training run."""

import io
import os

import pytest
from rich.console import Console

from agents.arena.statistics import Estimate
from training.display import Display
from training.evaluation import Measured, Yardstick
from training.machine import Measurement, measure
from training.report import verdict
from training.selfplay import Settings
from training.waits import PASSIVE, SHORT_WAIT, wait_passively

FAIR = Yardstick("fair", 1 / 3)


def test_more_threads_have_to_pay() -> None:
    assert Measurement({(1, False): 100.0, (2, False): 105.0}).best_threads(False) == 1
    assert Measurement({(1, False): 100.0, (2, False): 160.0, (4, False): 90.0}).best_threads(False) == 2
    assert Measurement({(1, False): 24_000.0, (2, False): 5_000.0}).best_threads(False) == 1


def test_bfloat16_has_to_work_and_to_pay() -> None:
    assert Measurement({(1, False): 100.0, (1, True): 190.0}).bfloat16_pays()
    assert not Measurement({(1, False): 100.0, (1, True): 105.0}).bfloat16_pays()
    assert not Measurement({(1, False): 100.0}).bfloat16_pays()
    assert "bfloat16 does not work here" in Measurement({(1, False): 100.0}).words(1, False)


def test_the_network_of_a_training_is_measured() -> None:
    found = measure(Settings(num_envs=8, minibatch_size=8, hidden_sizes=(8,), lessons=0), seconds=0.01)
    assert (1, False) in found.rates
    assert all(rate > 0 for rate in found.rates.values())
    assert found.words(1, False).count("\n") == 0


def test_waits_are_passive_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PASSIVE, "GOMP_SPINCOUNT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    wait_passively()
    assert os.environ["OMP_WAIT_POLICY"] == "ACTIVE"
    assert os.environ["KMP_BLOCKTIME"] == "0"
    assert "GOMP_SPINCOUNT" not in os.environ
    monkeypatch.delenv("OMP_WAIT_POLICY")
    wait_passively()
    assert (os.environ["OMP_WAIT_POLICY"], os.environ["GOMP_SPINCOUNT"]) == ("PASSIVE", SHORT_WAIT)


def measured(mean: float, low: float) -> Measured:
    return Measured(Estimate(mean, low, 1.0), 20.0, 20.0, 15.0, 300, 0)


def test_a_training_that_learned_next_to_nothing_says_so_and_why() -> None:
    weak = {"random": measured(0.35, 0.30), "builder": measured(0.1, 0.07)}
    said = " ".join(verdict(weak, FAIR, decisions=3_000_000, rate=5_000.0, promised=24_000.0))
    assert "learned very little" in said
    assert "5,000 decisions per second, but the measurement at the start allowed 24,000" in said
    assert "3,000,000 decisions are too few" in said
    assert "allowed" not in " ".join(verdict(weak, FAIR, 1000, rate=20_000.0, promised=24_000.0))


def test_who_beats_only_random_play_is_told() -> None:
    found = {"random": measured(0.99, 0.97), "builder": measured(0.35, 0.30), "trader": measured(0.3, 0.25)}
    assert "not yet stronger than builder, trader" in verdict(found, FAIR, 10, 1.0, 1.0)[0]
    assert verdict(found | {"builder": measured(0.6, 0.55)}, FAIR, 10, 1.0, 1.0) == []


def test_in_a_pipe_there_are_whole_lines_only() -> None:
    out = io.StringIO()
    with Display("nim, 2 players", Yardstick("fair", 0.5), Console(file=out)) as display:
        display.update(0.0, {})
        assert out.getvalue() == ""
        display.update(0.1, {"decisions": 1000.0})
        display.update(0.2, {"decisions": 2000.0})  # too soon
        wins = {"win_share/random": 0.6, "win_share_low/random": 0.5, "win_share_high/random": 0.7}
        display.update(0.3, {"decisions": 3000.0, **wins})
    first, second = out.getvalue().splitlines()
    assert first == "nim, 2 players 10%: decisions learned from 1,000"
    assert second.endswith("wins against random (fair: 50%) 60% [50%, 70%]")
