"""The commands arena, agents and validate."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents import agent_names
from pr_env import PuertoRico, replay
from pr_env.cli import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_arena_prints_and_writes(tmp_path: Path) -> None:
    out, games = tmp_path / "out.json", tmp_path / "games.jsonl"
    options = ("--games", "4", "--players", "3", "--seed", "7", "--out", str(out), "--replays", str(games))
    first = run("arena", "random", "random:", *options)
    assert first.exit_code == 0, first.output
    assert "random + 2 x random:: 6 games of" in first.stdout
    assert "Wins of one agent (row) against 2 copies of the other (column)" in first.stdout
    assert "Ratings" in first.stdout
    assert all(source in first.stdout for source in ("chips", "buildings", "customs house"))
    data = json.loads(out.read_text())
    assert [len(match["games"]) for match in data["matches"]] == [6, 6]
    assert [one.seed for one in replay.load(games)] == [game["seed"] for m in data["matches"] for game in m["games"]]
    again = run("arena", "random", "random:", *options)
    assert again.stdout == first.stdout


def test_two_players_and_one_table() -> None:
    assert "1 copies" not in run("arena", "random", "random:", "--players", "2", "--games", "2").stdout
    result = run("arena", "random", "random", "random", "--mode", "table", "--games", "3")
    assert result.exit_code == 0
    assert "3 x random: 3 games" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nobody",), "there is no agent 'nobody' for puerto_rico; available: random"),
        (("random:depth=3",), "agent 'random' has no option 'depth=3'"),
        (("random", "--players", "7"), "players must be a whole number from 2 to 6, got 7"),
        (("random", "--mode", "chess"), "mode must be one of pairs, first, table, got 'chess'"),
        (("random", "random"), "agents must be named once, got more than once: random"),
        (("random", "--games", "0"), "games must be a whole number of at least 1, got 0"),
        (("random", "--batch", "0"), "batch must be a whole number of at least 1, got 0"),
        (("random", "--out", "/nowhere/out.json"), "cannot use /nowhere/.*: No such file or directory"),
        (("random", "--replays", "/nowhere/games.jsonl"), "cannot use /nowhere/games.jsonl: No such file"),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], complaint: str) -> None:
    result = run("arena", *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.search(rf"^pr-env: {complaint}.*\n$", result.stderr, re.MULTILINE)
    assert "Traceback" not in result.stderr


def test_help() -> None:
    text = run("arena", "--help").stdout
    assert "Example: pr-env arena" in text
    options = ("--games", "--players", "--mode", "--seed", "--batch", "--seconds-per-answer", "--out", "--replays")
    assert all(option in text for option in options)
    assert "--agent" in run("validate", "--help").stdout
    assert all(command in run("--help").stdout for command in ("arena", "agents", "validate"))


def test_all_agents_are_listed() -> None:
    text = run("agents").stdout
    assert all(name in text for name in agent_names("puerto_rico"))


def test_agents_of_another_game() -> None:
    text = run("agents", "--game", "examples.nim:Nim").stdout
    assert "random" in text
    assert "uniformly random legal actions" in text
    assert "shipper" not in text


def test_validate_refuses_other_games() -> None:
    result = run("validate", "--game", "examples.nim:Nim")
    assert result.exit_code == 1
    refusal = "pr-env: validate supports puerto_rico and port_royal: there are no known figures for nim\n"
    assert result.stderr == refusal


def test_the_options_of_the_game_are_those_of_the_arena(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    options = ("--games", "2", "--players", "2", "--balanced", "--max-rounds", "5", "--out", str(out))
    result = run("arena", "random", *options)
    assert result.exit_code == 0, result.output
    game = PuertoRico(players=2, balanced=True, max_rounds=5)
    assert str(game.options()) in str(json.loads(out.read_text())["configuration"])


def test_validate_refuses_unknown_agents() -> None:
    result = run("validate", "--agent", "nobody")
    assert result.exit_code == 1
    assert "pr-env: there is no agent 'nobody'" in result.stderr
