"""Watching agents play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pr_env import PuertoRico
from pr_env.cli import app
from pr_env.commands.screen import told
from pr_env.replay import Move, Replay, load


def watch(*arguments: str, keys: str = "") -> Result:
    return CliRunner().invoke(app, ["watch", *arguments], input=keys)


@pytest.mark.parametrize("boards", ["move", "round", "end"])
def test_boards_moves_and_the_final_table(tmp_path: Path, boards: str) -> None:
    file = tmp_path / "game.jsonl"
    short = ("--max-rounds", "3")
    result = watch("random", "random:", "--seed", "3", *short, "--boards", boards, "--save", str(file))
    assert result.exit_code == 0, result.output
    (game,) = load(file)
    end = game.result()
    assert end is not None
    assert game.seats == ("random", "random:")
    expected = {"move": len(game.actions), "round": end["rounds"], "end": 1}
    assert len(re.findall(r"^Puerto Rico · round", result.stdout, re.MULTILINE)) == expected[boards]
    assert re.search(r"^ +1  player 0: ", result.stdout, re.MULTILINE)
    assert len(re.findall(r"[12]\. Player [01]", result.stdout)) == 2
    assert result.stdout.endswith(f"Saved. To look at it: pr-env replay {file}\n")


def test_one_agent_plays_all_seats() -> None:
    assert watch("random", "--seed", "3", "--boards", "end").stdout.count("(random)") == 3
    assert watch("random", "--players", "2", "--seed", "3", "--boards", "end").stdout.count("(random)") == 2


def test_stepping_and_leaving(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    result = watch("random", "--step", "--seed", "3", "--save", str(file), keys="\n\nq\n")
    assert result.exit_code == 0
    assert "Stopped after move 3." in result.stdout
    assert len(load(file)[0].actions) == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nobody",), "there is no agent 'nobody'"),
        (("random", "random", "--players", "3"), "agents must be one for all seats, or one per seat (3), got 2"),
        (("random", "--players", "0"), "players must be a whole number from 2 to 6, got 0"),
        (("random", "--boards", "never"), "boards must be one of move, round, end, got 'never'"),
        (("random", "--delay", "-1"), "--delay must be at least 0, got -1.0"),
        (("random", "--save", "/nowhere/game.jsonl"), "there is no folder /nowhere"),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], complaint: str) -> None:
    result = watch(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"pr-env: .*{re.escape(complaint)}.*\n", result.stderr)


def test_colonists_of_a_player_are_told_in_one_sentence() -> None:
    def move(number: int, player: int, words: str, *effects: str) -> Move:
        return Move(number, 1, player, False, words, effects)

    moves = [
        move(1, 0, "Place 1 colonist on corn"),
        move(2, 0, "Place 2 colonists on quarry", "+1 on hacienda"),
        move(3, 1, "Place 0 colonists on corn"),
        move(4, 1, "Sell corn"),
    ]
    assert told(moves, PuertoRico().words) == [
        "    1    player 0: Place 1 colonist on corn, 2 on quarry  ->  +1 on hacienda",
        "    3    player 1: Place 0 colonists on corn",
        "    4    player 1: Sell corn",
    ]


def test_who_played_is_in_the_log_and_on_the_boards(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(Replay(PuertoRico(players=2), 1, (), ("you", "random")).to_json())
    runner = CliRunner()
    assert "player 0: you, player 1: random" in runner.invoke(app, ["replay", str(file), "--log"]).stdout
    assert "Player 0 (you)" in runner.invoke(app, ["replay", str(file), "--move", "0"]).stdout
