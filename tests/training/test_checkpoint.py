from pathlib import Path
from typing import Any

import pytest

from agents.weights import read_arrays, write_arrays
from training.__main__ import main
from training.checkpoint import CheckpointError
from training.selfplay import SelfPlay, Settings

TINY = Settings(
    num_envs=16,
    num_steps=8,
    hidden_sizes=(16,),
    update_epochs=1,
    minibatch_size=64,
    pool_opponents=1,
    agents=(),
    lessons=0,
)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    learner = SelfPlay(TINY)
    learner.iterate(0)
    learner.save(tmp_path / "checkpoint.npz")
    return tmp_path / "checkpoint.npz"


def test_garbage_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.npz").write_bytes(b"something else")
    with pytest.raises(CheckpointError, match=r"checkpoint\.npz is not a weights file.*--restart starts over"):
        SelfPlay.load(tmp_path / "checkpoint.npz")


def test_half_a_file_is_refused(checkpoint: Path) -> None:
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1000])
    with pytest.raises(CheckpointError, match="is not a weights file"):
        SelfPlay.load(checkpoint)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"options": {"players": 4}}, "has options {'players': 3}, which cannot be changed to {'players': 4}"),
        ({"hidden_sizes": (16, 16)}, r"has hidden_sizes \(16,\), which cannot be changed to \(16, 16\)"),
        ({"num_envs": 32}, "has num_envs 16, which cannot be changed to 32"),
    ],
)
def test_what_gives_its_arrays_their_sizes_stays(checkpoint: Path, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CheckpointError, match=sentence):
        SelfPlay.load(checkpoint, **changes)


def test_a_checkpoint_of_an_earlier_version_is_refused_with_the_reason(checkpoint: Path) -> None:
    arrays, about = read_arrays(checkpoint)
    about["settings"] = {"players": 3, "games": 16, "layers": [16]}
    write_arrays(checkpoint, arrays, about | {"format": "pr_env self-play checkpoint 3"})
    sentence = r"by an older version of pr_env, with other names of settings: --restart starts over, and --start"
    with pytest.raises(CheckpointError, match=sentence):
        SelfPlay.load(checkpoint)


def test_a_file_does_not_make_a_game_be_imported(checkpoint: Path) -> None:
    arrays, about = read_arrays(checkpoint)
    about["settings"]["game"] = "tests.training.nowhere:Game"
    write_arrays(checkpoint, arrays, about)
    with pytest.raises(CheckpointError, match=r"unknown game 'tests\.training\.nowhere:Game'"):
        SelfPlay.load(checkpoint)


def test_a_setting_of_another_version_is_named(checkpoint: Path) -> None:
    arrays, about = read_arrays(checkpoint)
    about["settings"]["momentum"] = 0.9
    write_arrays(checkpoint, arrays, about)
    with pytest.raises(CheckpointError, match=r"an incompatible version of pr_env: .*momentum"):
        SelfPlay.load(checkpoint)


@pytest.mark.parametrize(("name", "value"), [("game", "port_royal"), ("layout", 99)])
def test_other_rules_are_refused(checkpoint: Path, name: str, value: object) -> None:
    arrays, about = read_arrays(checkpoint)
    write_arrays(checkpoint, arrays, about | {name: value})
    with pytest.raises(CheckpointError, match=f"is for {name} {value!r}, this version of pr_env has"):
        SelfPlay.load(checkpoint)


@pytest.mark.parametrize("lost", ["generators", "games", "network/policy.bias", "adam/step/policy.bias"])
def test_an_array_that_is_missing_is_damage(checkpoint: Path, lost: str) -> None:
    arrays, about = read_arrays(checkpoint)
    del arrays[lost]
    write_arrays(checkpoint, arrays, about)
    with pytest.raises(CheckpointError, match=r"checkpoint\.npz is damaged: .*--restart starts over"):
        SelfPlay.load(checkpoint)


def test_an_array_of_another_shape_is_damage(checkpoint: Path) -> None:
    arrays, about = read_arrays(checkpoint)
    arrays["games"] = arrays["games"].ravel()[:-1]
    write_arrays(checkpoint, arrays, about)
    with pytest.raises(CheckpointError, match="is damaged"):
        SelfPlay.load(checkpoint)


@pytest.mark.parametrize("name", ["seated", "adam/exp_avg/policy.weight"])
def test_an_array_of_something_else_is_damage(checkpoint: Path, name: str) -> None:
    arrays, about = read_arrays(checkpoint)
    arrays[name] = arrays[name] + 9 if name == "seated" else arrays[name][:-1]
    write_arrays(checkpoint, arrays, about)
    with pytest.raises(CheckpointError, match=r"is damaged: (its games have unknown players|Adam.s state)"):
        SelfPlay.load(checkpoint)


@pytest.mark.parametrize(("name", "value"), [("chosen", [5]), ("rollouts", "many"), ("agent_shares", [0.5])])
def test_a_description_of_something_else_is_damage(checkpoint: Path, name: str, value: object) -> None:
    arrays, about = read_arrays(checkpoint)
    write_arrays(checkpoint, arrays, about | {name: value})
    with pytest.raises(CheckpointError, match="is damaged"):
        SelfPlay.load(checkpoint)


def test_a_description_without_settings_is_damage(checkpoint: Path) -> None:
    arrays, about = read_arrays(checkpoint)
    del about["settings"]
    write_arrays(checkpoint, arrays, about)
    with pytest.raises(CheckpointError, match="is damaged: 'settings'"):
        SelfPlay.load(checkpoint)


def test_new_settings_have_to_fit_those_that_are_stored(checkpoint: Path) -> None:
    learner = SelfPlay.load(checkpoint, opponent_games=0.1)
    learner.save(checkpoint)
    again = SelfPlay.load(checkpoint, pool_games=0.5)  # too much together with the other's default
    assert again.settings.pool_games == 0.5
    with pytest.raises(CheckpointError, match=r"must add up to at most 1, got 0\.1 and 0\.95"):
        SelfPlay.load(checkpoint, pool_games=0.95)


def test_lists_are_as_good_as_tuples(checkpoint: Path) -> None:
    assert SelfPlay.load(checkpoint, hidden_sizes=[16]).settings.hidden_sizes == (16,)


def test_a_training_that_was_stopped_before_its_first_update_goes_on(tmp_path: Path) -> None:
    SelfPlay(TINY).save(tmp_path / "checkpoint.npz")
    learner = SelfPlay.load(tmp_path / "checkpoint.npz")
    learner.iterate(0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--players", "4"], "has options {'players': 3}, which cannot be changed to {'players': 4}"),
        (["--algorithm", "sb3"], "is a file of 'pr_env self-play checkpoint 5', not of 'pr_env MaskablePPO"),
    ],
)
def test_the_command_says_why_it_does_not_go_on_and_loses_nothing(
    checkpoint: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    before = checkpoint.read_bytes()
    sizes = ["--set", "num_envs=16", "--set", "num_steps=8", "--set", "hidden_sizes=[16]", "--set", "minibatch_size=64"]
    with pytest.raises(SystemExit):
        main(["--out", str(checkpoint.parent), "--decisions", "100000", "--threads", "1", *sizes, *options])
    assert sentence in capsys.readouterr().err
    assert checkpoint.read_bytes() == before
