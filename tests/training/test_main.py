"""The command ``pr-env train``: rejected options, and that nothing is lost in that case."""

import fcntl
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from agents import RandomAgent
from agents.neural import SHIPPED, Brain, WrongWeightsError, save_agent
from agents.weights import read_arrays
from pr_env import PuertoRico
from training import command, machine
from training.__main__ import main
from training.run import train

Refused = Callable[[str], AbstractContextManager[None]]
SMALL = {
    "num_envs": 16,
    "num_steps": 8,
    "hidden_sizes": "[16]",
    "update_epochs": 1,
    "minibatch_size": 64,
    "agents": "()",
    "lessons": 0,
}


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip evaluations, reports and measurements: they are tested elsewhere."""

    monkeypatch.setattr(command, "train", partial(train, evaluation_games=0))
    monkeypatch.setattr(command, "measure_all", lambda *arguments, **options: {})
    monkeypatch.setattr(command, "table_of", lambda *arguments, **options: "a table")
    monkeypatch.setattr(command, "verdict", lambda *arguments: [])
    monkeypatch.setattr(command, "draw_curve", lambda *arguments: None)
    monkeypatch.setattr(command, "save_replay", lambda *arguments: None)
    monkeypatch.setattr(machine, "SECONDS", 0.0)


def run(folder: Path, *options: str, decisions: int = 300, **settings: object) -> None:
    given = [f"--set={name}={value}" for name, value in {**SMALL, **settings}.items()]
    main(["--out", str(folder), "--decisions", str(decisions), "--threads", "1", *given, *options])


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """The block must end the program with a message."""

    @contextmanager
    def check(sentence: str) -> Iterator[None]:
        with pytest.raises(SystemExit) as end:
            yield
        assert re.search(sentence, f"{end.value.code} {capsys.readouterr().err}")

    return check


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_command_goes_on_and_ends_as_if_never_interrupted(tmp_path: Path) -> None:
    steady = {"learning_rate": (1e-3, 1e-3), "ent_coef": (0.01, 0.01), "soft_share": (0.1, 0.1)}  # for any budget
    for decisions in (300, 600):
        run(tmp_path / "interrupted", decisions=decisions, agents="['random']", pool_opponents=1, **steady)
    run(tmp_path / "straight", decisions=600, agents="['random']", pool_opponents=1, **steady)
    (one, _), (other, _) = (read_arrays(tmp_path / name / "agent.npz") for name in ("interrupted", "straight"))
    assert all(np.array_equal(value, other[name]) for name, value in one.items())


def test_restart_begins_anew(tmp_path: Path) -> None:
    run(tmp_path, decisions=600)
    for name in ("mine.txt", "checkpoint.npz.good", "agent.npz.best"):
        (tmp_path / name).write_text("stays")
    run(tmp_path, "--restart", decisions=200)
    assert read_arrays(tmp_path / "checkpoint.npz")[1]["decisions"] < 400
    assert {"mine.txt", "checkpoint.npz.good", "agent.npz.best"} <= files(tmp_path).keys()


def test_a_restart_that_is_refused_loses_nothing(tmp_path: Path, refused: Refused) -> None:
    run(tmp_path)
    before = files(tmp_path)
    with refused("there is no hyperparameter 'nosuch'"):
        run(tmp_path, "--restart", nosuch=1)
    with refused("invalid hyperparameter: num_envs must be at least 1, got 0"):
        run(tmp_path, "--restart", num_envs=0)
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with refused("another training run is active"):
            run(tmp_path, "--restart")
    two = f"('ppo:weights={SHIPPED / 'ppo_2p.npz'}',)"
    with refused("has weights for puerto_rico with players=2, not 3"):
        run(tmp_path, "--restart", agents=two, opponent_games=0.8)
    assert files(tmp_path) == before


def test_a_restart_whose_opponent_fails_in_its_first_game_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    def fail(*_: object) -> None:
        raise WrongWeightsError("these weights cannot play")

    run(tmp_path)
    before = files(tmp_path)
    monkeypatch.setattr(RandomAgent, "choose", fail)
    with refused("these weights cannot play"):
        run(tmp_path, "--restart", agents="('random',)", opponent_games=0.8)
    assert files(tmp_path) == before


def test_what_a_killed_training_left_half_written_goes(tmp_path: Path) -> None:
    tmp_path.joinpath("checkpoint.npz.abc.new").write_text("half of")
    run(tmp_path)
    assert not list(tmp_path.glob("*.new"))


def test_a_training_that_diverges_keeps_its_last_checkpoint(tmp_path: Path, refused: Refused) -> None:
    run(tmp_path)
    before = files(tmp_path)
    with refused("the weights contain NaN or inf: a smaller learning_rate may help"):
        run(tmp_path, decisions=3000, learning_rate=(1e38, 1e38))
    after = files(tmp_path)
    assert all(after[name] == before[name] for name in ("checkpoint.npz", "agent.npz"))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "file").touch()
    with refused(r"cannot read or write files: .*Not a directory: .*file/run"):
        run(tmp_path / "file" / "run")


def test_brackets_in_the_name_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "[/bold]")
    assert capsys.readouterr().out.count("[/bold]") > 2


def test_ctrl_c_in_the_report_is_no_fault(tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "table_of", interrupted)
    with refused(r"Stopped\. The same command resumes"):
        run(tmp_path)


def test_what_goes_on_says_what_it_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path)
    assert "keeps its seed" not in capsys.readouterr().out
    run(tmp_path, "--seed", "7", decisions=600)
    assert "keeps its seed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--set", "threads=4"], "--set cannot change threads: use --threads"),
        (["--set", "ent_coef"], "--set must be NAME=VALUE, got 'ent_coef'"),
        (["--algorithm", "sb3", "--start", "agent.npz"], "--start is for --algorithm selfplay"),
        (["--out", __file__], "--out must be a folder"),
        (["--seed", "-1"], "--seed must be from 0 to"),
        (["--seed", str(2**63)], "--seed must be from 0 to"),
        (["--minutes", "nan"], "--minutes must be more than 0"),
        (["--minutes", "0"], "--minutes must be more than 0"),
        (["--players", "7"], "players must be a whole number from 2 to 6, got 7"),
        (["--against", "nosuch"], "there is no agent 'nosuch'"),
        (["--against", "builder", "--algorithm", "sb3"], "--against is for --algorithm selfplay"),
        (["--game", "examples.seven_dice:SevenDice", "--against", "random"], "--against needs other seats"),
        (["--device", "abacus"], "device must be available to PyTorch"),
    ],
)
def test_options_that_do_not_fit(capsys: pytest.CaptureFixture[str], options: list[str], sentence: str) -> None:
    with pytest.raises(SystemExit):
        main(options)
    assert sentence in capsys.readouterr().err


def test_what_cannot_be_started_from(tmp_path: Path, refused: Refused) -> None:
    weights = {name: value for name, value in Brain(SHIPPED / "ppo_3p.npz").weights.items() if "value" not in name}
    save_agent(tmp_path / "no_values.npz", weights, PuertoRico(players=3), {})
    (tmp_path / "text.npz").write_text("hello")
    for file, sentence in {
        "no_values.npz": "these weights have no values for the seats",
        "text.npz": "is not a weights file",
        "nothing.npz": "does not exist",
    }.items():
        with refused(sentence):
            main(["--out", str(tmp_path / "run"), "--threads", "1", "--start", str(tmp_path / file)])
    with refused(r"hidden layers \[512, 256\] cannot grow to \[16\]"):
        run(tmp_path / "run", "--start", str(SHIPPED / "ppo_3p.npz"))
    assert not (tmp_path / "run" / "checkpoint.npz").exists()


def test_a_damaged_log_is_named_and_kept(tmp_path: Path, refused: Refused) -> None:
    run(tmp_path)
    (tmp_path / "log.csv").write_text("decisions,points\nten,1\n")
    before = files(tmp_path)
    with refused(r"log\.csv is damaged"):
        run(tmp_path, decisions=600)
    assert files(tmp_path) == before
