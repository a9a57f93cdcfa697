"""The league: exploiters play against a frozen main agent, enter its pool, and start again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.weights import Weights
from examples.nim import Nim
from examples.seven_dice import SevenDice
from pr_env.registry import add_game
from training import command, machine
from training.__main__ import main
from training.checkpoint import CheckpointError
from training.league import EXPLOITER, League, LeagueSettings
from training.log import read_log
from training.selfplay import LEARNER

for toy in (Nim, SevenDice):
    add_game(toy)

TINY: dict[str, Any] = {
    "game": Nim.name,
    "num_envs": 32,
    "num_steps": 16,
    "hidden_sizes": (16,),
    "minibatch_size": 128,
    "snapshot_every": 4,
    "pool": 3,
    "lessons": 0,
    "exploiter_every": 2,
    "exploiter_decisions": 1500,
}


def league(**changes: Any) -> League:
    return League(LeagueSettings(**TINY | changes))


def same(one: Weights, other: Weights) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def test_an_exploiter_has_one_seat_against_the_main_agent_as_it_was() -> None:
    learner = league()
    learner.iterate(0)
    assert learner.exploiter is None
    before = learner.decisions
    learner.iterate(0)
    exploiter = learner.exploiter
    assert exploiter is not None
    assert ((exploiter._seated == LEARNER).sum(axis=1) == 1).all()
    assert same(exploiter.pool[0], learner.weights())  # the main agent has not learned since
    assert learner.decisions - before > exploiter.decisions > 0  # both count
    frozen = exploiter.pool[0]
    for _ in range(2):
        learner.iterate(0)
    assert not same(frozen, learner.weights())
    assert same(exploiter.pool[0], frozen)


def test_an_exploiter_that_has_had_its_time_enters_the_pool_and_the_next_one_starts_anew() -> None:
    learner = league(snapshot_every=1000, exploiter_margin=0.99)
    while learner.exploiters < 2:
        first = learner.exploiter or None
        learner.iterate(0)
        if first is not None and learner.exploiter is None:
            assert first.decisions >= 1500
            assert same(learner.pool[-1], first.weights())
    assert len(learner.pool) == 1
    assert learner.exploiter is not None
    assert learner.exploiter.settings.seed != learner.settings.seed
    assert same(learner.exploiter.pool[0], learner.weights())


def test_an_exploiter_learns_to_beat_a_main_agent_that_plays_by_chance() -> None:
    """The main agent does not learn; the fair share is one half."""
    changes = {"exploiter_every": 1, "exploiter_decisions": 10**9, "num_envs": 64, "num_steps": 32, "ema_decay": 0.98}
    learner = league(**changes, learning_rate=(3e-3, 3e-3), exploiter_margin=0.08, agents=())
    start = learner.network.arrays()
    for _ in range(60):
        learner.network.load_arrays(start)
        learner.average.load_arrays(start)
        learner.iterate(0)
        if learner.caught:
            break
    assert learner.caught == 1


def test_a_checkpoint_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    straight = league()
    for i in range(9):
        straight.iterate(i / 9)
    first = league()
    for i in range(4):
        first.iterate(i / 9)
    assert first.exploiter is not None
    first.save(tmp_path / "checkpoint.npz")
    second = League.load(tmp_path / "checkpoint.npz")
    for i in range(4, 9):
        second.iterate(i / 9)
    assert same(second.weights(), straight.weights())
    assert (second.decisions, second.exploiters, second.caught) == (
        straight.decisions,
        straight.exploiters,
        straight.caught,
    )
    (tmp_path / EXPLOITER).write_bytes(b"damaged")
    with pytest.raises(CheckpointError, match=EXPLOITER):
        League.load(tmp_path / "checkpoint.npz")


def test_the_command_trains_a_league_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "SECONDS", 0.0)
    monkeypatch.setattr(command, "REPORT_GAMES", 60)
    options = ["--game", "examples.nim:Nim", "--algorithm", "league", "--threads", "1", "--out", str(tmp_path)]
    options += [f"--set={name}={value}" for name, value in TINY.items() if name != "game"]
    for decisions in (6_000, 16_000):
        main([*options, "--decisions", str(decisions)])
    assert (tmp_path / EXPLOITER).exists()
    rows = read_log(tmp_path / "log.csv")
    assert any(row.get("exploiters", 0) > 1 for row in rows)
    with pytest.raises(SystemExit):
        main([*options, "--against", "random"])
    assert "--against is for --algorithm selfplay" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"exploiter_every": 0}, "exploiter_every must be at least 1, got 0"),
        ({"exploiter_decisions": 2.5}, "exploiter_decisions must be a whole number, got 2.5"),
        ({"exploiter_margin": 1.0}, "exploiter_margin must be between 0 and 1, got 1.0"),
        ({"pool_games": 0.0}, "a league needs games against the pool"),
        ({"game": SevenDice.name}, "a league needs games against the pool"),  # cooperative games have no opponents
    ],
)
def test_what_cannot_work_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        LeagueSettings(**TINY | wrong)
