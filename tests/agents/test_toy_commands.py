"""The commands with games from outside the package: competitive, solo and cooperative."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pr_env.cli import app

ROOT = Path(__file__).parent.parent.parent
TOYS = {
    "nim": ("--game", "examples.nim:Nim", "--players", "3"),
    "seven_dice": ("--game", "examples.seven_dice:SevenDice"),
    "in_order": ("--game", "examples.in_order:InOrder", "--players", "3"),
}


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("mode", ["pairs", "first"])
def test_arena(name: str, mode: str, tmp_path: Path) -> None:
    out, games = tmp_path / "out.json", tmp_path / "games.jsonl"
    options = ("--games", "6", "--mode", mode, "--out", str(out), "--replays", str(games))
    result = run("arena", "random", "random:", *TOYS[name], *options)
    assert result.exit_code == 0, result.output
    assert ("Ratings" if name == "nim" else "Games won and points") in result.stdout
    assert json.loads(out.read_text())["configuration"]["game"] == name
    assert run("arena", "random", "random:", *TOYS[name], *options).stdout == result.stdout
    shown = run("replay", str(games), *TOYS[name][:2], "--log")
    assert shown.exit_code == 0, shown.output
    assert "seed 0" in shown.stdout


@pytest.mark.parametrize("name", TOYS)
def test_watch_and_replay(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    watched = run("watch", "random", *TOYS[name], "--boards", "end", "--seed", "3", "--save", str(file))
    assert watched.exit_code == 0, watched.output
    shown = run("replay", str(file), *TOYS[name][:2], "--log")
    assert shown.exit_code == 0, shown.output


@pytest.mark.parametrize("name", TOYS)
def test_play(name: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.jsonl")
    result = run("play", *TOYS[name], "--seed", "3", "--save", file, typed="1\n" * 40)
    assert result.exit_code == 0, result.output
    assert "points" in result.stdout


def test_workers_find_a_game_of_the_current_folder(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "nim.py", tmp_path / "heaps.py")
    files = []
    for processes in ("1", "2"):
        file = tmp_path / f"{processes}.json"
        options = ("--game", "heaps:Nim", "--games", "6", "--batch", "2", "--processes", processes, "--out", str(file))
        program = [sys.executable, "-P", "-c", "from pr_env.cli import main; main()", "arena", "random", "random:"]
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [*program, *options],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        files.append(file.read_bytes())
    assert files[0] == files[1]


def test_positions_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "positions.jsonl"
    position = {"players": 3, "heap": 9, "player": 2}
    file.write_text(json.dumps(position) + "\n" + json.dumps({**position, "heap": 12}) + "\n")
    result = run("arena", "random", "random:", *TOYS["nim"], "--positions", str(file))
    assert result.exit_code == 0, result.output
    assert "6 games of" in result.stdout
    file.write_text(json.dumps(position) + "\n" + '{"heap": 99}\n')
    result = run("arena", "random", *TOYS["nim"], "--positions", str(file))
    assert result.exit_code == 1
    assert f"pr-env: {file}, line 2: " in result.stderr
    assert "a heap has 0 to 25 counters" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("ppo", "--buildings", "draft"), "no weights for puerto_rico (players=3, points=public, buildings=draft)"),
        (("random", "ppo", "--players", "6"), "no weights for puerto_rico (players=6, points=public)"),
        (("ppo", "--game", "examples.nim:Nim"), "no weights for nim (players=2)"),
        (("ppo+mcts", "--game", "examples.nim:Nim"), "no weights for nim (players=2)"),
        (("builder", "--game", "examples.seven_dice:SevenDice"), "there is no agent 'builder' for seven_dice"),
        (("random", "--positions", "nowhere.jsonl"), "cannot use nowhere.jsonl: No such file or directory"),
        (("random", "--positions", "nowhere.jsonl", "--game", "examples.nim:Nim"), "cannot use nowhere.jsonl"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_game_is_played(arguments: tuple[str, ...], complaint: str) -> None:
    result = run("arena", *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr
    assert "crash" not in result.stderr


@pytest.mark.parametrize(
    "options", [("--buildings", "draft"), ("--points", "hidden"), ("--players", "6", "--six-players", "governor")]
)
def test_every_option_of_the_game_has_a_way_into_the_arena(options: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = run("arena", "random", "--games", "2", "--max-rounds", "2", *options, "--out", str(out))
    assert result.exit_code == 0, result.output
    written = json.loads(out.read_text())["configuration"]["options"]
    for name, value in zip(options[::2], options[1::2], strict=True):
        assert str(written[name.removeprefix("--").replace("-", "_")]) == value


def test_the_modes_are_told_in_the_help() -> None:
    text = " ".join(run("arena", "--help").stdout.split())
    for words in ("agents are partners", "In solo games every agent plays alone", "--positions FILE"):
        assert words in text
