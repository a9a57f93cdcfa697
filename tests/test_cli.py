"""The command line: its output, keys, and one-line errors."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pr_env import Batch, PuertoRico, __version__
from pr_env.cli import app
from pr_env.replay import Recorder, Replay, save


def play(seed: int, moves: int) -> Replay:
    batch = Batch(PuertoRico(players=3), 1, seed=seed, autoreset=False, threads=1)
    recorder = Recorder(batch.game, seed)
    for _ in range(moves):
        action = batch.sample_actions()[0]
        batch.step([action])
        recorder.add(action)
    return recorder.replay()


REPLAYS = [play(seed=1, moves=60), play(seed=2, moves=7)]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "games.jsonl"
    save(path, REPLAYS)
    return str(path)


def run(*arguments: str, keys: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=keys)


def shown(result: Result) -> list[int]:
    """The numbers of the moves shown, in order."""
    assert result.exit_code == 0, result.output
    return [int(number) for number in re.findall(r"^move (\d+) of ", result.stdout, re.MULTILINE)]


def test_the_log(file: str) -> None:
    result = run("replay", file, "--log")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == REPLAYS[0].log()


def test_another_game_of_the_file(file: str) -> None:
    assert run("replay", file, "--number", "2", "--log").stdout.splitlines() == REPLAYS[1].log()


def test_the_board_at_a_move(file: str) -> None:
    result = run("replay", file, "--move", "20")
    moves = REPLAYS[0].moves()
    assert shown(result) == [20]
    assert f"move 20 of 60: {moves[19]}\n" in result.stdout
    assert f"next: player {moves[20].player}: {moves[20].words}\n" in result.stdout
    assert f"round {moves[20].round}" in result.stdout  # of the board itself
    assert "\x1b" not in result.stdout


def test_the_first_and_the_last_board(file: str) -> None:
    assert "move 0 of 60: the game is set up\n" in run("replay", file, "--move", "0").stdout
    assert "next: none, the replay ends here\n" in run("replay", file, "--move", "60").stdout


@pytest.mark.parametrize(
    ("keys", "moves"),
    [
        ("\n\np\n5\nq\n", [0, 1, 2, 1, 5]),
        ("n\nN\nb\n", [0, 1, 2, 1]),  # the end of the input quits
        ("", [0]),
        ("p\n60\nn\n", [0, 0, 60, 60]),
        ("61\n-1\nwhat\n\n", [0, 0, 0, 0, 1]),
    ],
)
def test_stepping(file: str, keys: str, moves: list[int]) -> None:
    assert shown(run("replay", file, keys=keys)) == moves


def test_stepping_from_round_to_round(file: str) -> None:
    rounds = [move.round for move in REPLAYS[0].moves()]
    starts = [rounds.index(round_) for round_ in range(1, rounds[-1] + 1)]
    keys = "r\n" * (len(starts) + 1)
    assert shown(run("replay", file, keys=keys)) == [*starts, 60, 60]


def test_a_key_without_a_meaning_is_named(file: str) -> None:
    assert "'what' is neither a move (0 to 60) nor a key" in run("replay", file, keys="what\n").stdout


@pytest.mark.parametrize(
    ("content", "arguments", "complaint"),
    [
        (None, (), "cannot read .*games.jsonl: No such file or directory"),
        ("nonsense\n", (), "games.jsonl, line 1: is not JSON: 'nonsense'"),
        (REPLAYS[0].to_json().replace('"seed": 1', '"seed": 3'), (), "games.jsonl, line 1: does not fit at move"),
        ("", (), "games.jsonl has 0 games, no game 1"),
        (REPLAYS[1].to_json(), ("--number", "0"), "games.jsonl has 1 game, no game 0"),
        (REPLAYS[1].to_json(), ("--game", "chess"), "game must be one of puerto_rico.*, got 'chess'"),
        (REPLAYS[1].to_json(), ("--move", "8"), r"move must be from 0 \(set-up\) to 7, got 8"),
        (REPLAYS[1].to_json(), ("--move", "-1"), r"move must be from 0 \(set-up\) to 7, got -1"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, content: str | None, arguments: tuple[str, ...], complaint: str) -> None:
    path = tmp_path / "games.jsonl"
    if content is not None:
        path.write_text(content)
    result = run("replay", str(path), *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"pr-env: .*{complaint}.*\n", result.stderr)


def test_help_and_version() -> None:
    assert "replay" in run("--help").stdout
    text = run("replay", "--help").stdout
    assert "Example: pr-env replay games.jsonl" in text
    assert all(option in text for option in ("FILE", "--number", "--move", "--log", "--game"))
    assert run("--version").stdout == f"pr-env {__version__}\n"


@pytest.mark.parametrize("library", ["typer", "rich"])
def test_without_its_libraries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.delitem(sys.modules, "pr_env.cli")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SystemExit) as caught:
        importlib.import_module("pr_env.cli")
    assert (
        caught.value.code == "the command line needs the extra 'cli': pip install -e '.[cli]' in the checkout of pr-env"
    )
