"""Playing in the terminal: choices, keys, saving and resuming."""

from __future__ import annotations

import os
import re
import resource
import signal
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from agents import RandomAgent
from pr_env import PuertoRico
from pr_env.cli import app
from pr_env.commands.configuration import seats
from pr_env.puerto_rico import phrases as words
from pr_env.puerto_rico.explanations import EXPLANATIONS
from pr_env.replay import Replay, load, save

CHOICE = re.compile(r"^ +(\d+)  ([A-Z].*)$", re.MULTILINE)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def play(file: Path, keys: str, *options: str) -> Result:
    """A session with these inputs, one per line."""
    arguments = ["play", "--opponents", "random", "--tips", "random", "--seed", "5", "--save", str(file), *options]
    return CliRunner().invoke(app, arguments, input="".join(f"{key}\n" for key in keys.split()))


def resume(file: Path, keys: str = "") -> Result:
    return CliRunner().invoke(app, ["play", "--resume", str(file)], input="".join(f"{key}\n" for key in keys.split()))


def asked(result: Result) -> list[str]:
    """The questions, in order."""
    assert result.exit_code == 0, result.output
    return re.findall(r"^Your choice: (.*)$", result.stdout, re.MULTILINE)


def test_the_board_the_choices_and_the_others_are_shown(file: Path) -> None:
    result = play(file, "3 1 q", "--seat", "1")
    assert "Player 1 (you)" in result.stdout
    assert "Player 0 (random)" in result.stdout
    first = result.stdout.split("number, t tip")[0]
    assert re.search(r"Before your first choice\n +1  player 0: Pick the ", first)
    numbers = [int(number) for number, _ in CHOICE.findall(first[first.index("Your choice") :])]
    assert numbers == list(range(1, len(numbers) + 1))
    assert re.search(r"^Since your last choice\n +\d+ +you: ", result.stdout, re.MULTILINE)
    assert len(asked(result)) == 3


def test_a_number_plays_the_choice_that_it_stands_for(file: Path) -> None:
    result = play(file, "3 q")
    sentence = dict(CHOICE.findall(result.stdout.split("number, t tip")[0]))["3"]
    (game,) = load(file)
    assert f"{game.game.actions[game.actions[0]].sentence}" == sentence == "Pick the builder."


def test_prices_are_those_that_are_paid(file: Path) -> None:
    result = play(file, "3 4 q")
    price = re.search(r"^ +4  Build the (.*)\.  \(costs (\d)\)$", result.stdout, re.MULTILINE)
    assert price is not None
    assert f"you: Build the {price[1]}  ->  +1 point, -{price[2]} doubloon" in result.stdout.replace(
        "+2 points", "+1 point"
    )


def test_saving_and_going_on_gives_the_same_position(file: Path) -> None:
    first = play(file, "1 2 1 q")
    assert f"Saved. To resume: pr-env play --resume {file}" in first.stdout
    (saved,) = load(file)
    assert saved.seats == ("you", "random", "random")
    again = resume(file)
    assert again.stdout.split("number, t tip")[0].strip() in first.stdout  # board, events and choices
    assert "Saved" not in again.stdout  # nothing has changed
    assert load(file) == [saved]
    resume(file, "1")
    (longer,) = load(file)
    assert longer.actions[: len(saved.actions)] == saved.actions
    assert len(longer.actions) > len(saved.actions)


def test_undo_goes_back_to_the_choice_before(file: Path) -> None:
    play(file, "1 2 s 1 q")
    (longer,) = load(file)
    result = resume(file, "u q")
    (shorter,) = load(file)
    assert len(shorter.actions) < len(longer.actions)
    assert shorter.actions == longer.actions[: len(shorter.actions)]
    assert int(shorter.batch_at(len(shorter.actions)).player[0]) == 0
    assert all(move.player != 0 for move in longer.moves()[len(shorter.actions) + 1 :])
    assert "Your choice" in result.stdout
    all_back = resume(file, "u u u u u q")
    assert "There is nothing to undo" in all_back.stdout


def test_nothing_is_saved_before_the_first_move(file: Path) -> None:
    assert play(file, "q").exit_code == 0
    assert not file.exists()


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("99", "There is no choice 99: choose 1 to 6."),
        ("0", "There is no choice 0: choose 1 to 6."),
        ("--5", "Unknown key '--5'; h lists the keys."),
        ("9" * 5000, "There is no choice 99999999999999999999: choose 1 to 6."),
        ("-1", "There is no choice -1: choose 1 to 6."),
        ("x", "Unknown key 'x'; h lists the keys."),
        ("u", "There is nothing to undo: you have not chosen yet."),
        ("h", "Pick a role card."),
        ("t", "random would choose "),
        ("l", "Puerto Rico, 3 players, seed 5\nplayer 0: you, player 1: random, player 2: random"),
    ],
)
def test_keys(file: Path, keys: str, answer: str) -> None:
    result = play(file, f"{keys} q")
    assert result.exit_code == 0
    assert answer in result.stdout
    assert not file.exists()  # none of them starts a game


def test_saving_elsewhere(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    arguments = ["play", "-o", "random", "--seed", "5", "--save", str(file)]
    result = CliRunner().invoke(app, arguments, input=f"1\ns {other}\ns {tmp_path}/no/x\nq\n")
    assert result.exit_code == 0
    assert "Not saved: cannot save to" in result.stdout
    assert other.exists()
    assert not file.exists()


def test_without_a_name_the_game_goes_to_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        CliRunner().invoke(app, ["play", "-o", "random", "--seed", "5"], input="1\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["puerto-rico-5-2.jsonl", "puerto-rico-5.jsonl"]


def test_ctrl_c_saves(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["1"])

    def answer(_: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", answer)
    result = CliRunner().invoke(app, ["play", "-o", "random", "--seed", "5", "--save", str(file)])
    assert result.exit_code == 0
    assert load(file)


@pytest.mark.parametrize("options", [("--players", "2"), ("--buildings", "draft", "--balanced", "--max-rounds", "4")])
def test_a_whole_game(file: Path, options: tuple[str, ...]) -> None:
    result = play(file, "1 " * 400 + "l q", *options)
    assert result.exit_code == 0, result.output
    assert "The game is over, there is nothing to choose." in result.stdout
    (game,) = load(file)
    end = game.result()
    assert end is not None
    table = result.stdout[result.stdout.rindex("1. Player ") :]
    points = re.search(r"^  points +(.*)$", table, re.MULTILINE)
    assert points is not None
    assert sorted(map(int, points[1].split())) == sorted(end["points"])
    assert f"Saved. To look at it: pr-env replay {file}" in result.stdout
    again = resume(file)
    assert "The game is over: u undo" in again.stdout


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--players", "7"), "players must be a whole number from 2 to 6, got 7"),
        (("--seat", "3"), "--seat must be from 0 to 2 with 3 players, got 3"),
        (("--opponents", "nobody", "--players", "3"), "there is no agent 'nobody' for puerto_rico; available: random"),
        (("--opponents", "random", "--opponents", "random"), "opponents must be one for all other seats, or one per"),
        (("--two-player-library", "none"), "--two-player-library must be one of each, round, got 'none'"),
        (("--double-cards",), "double_cards is for 5 players"),
        (("--resume", "/nowhere/game.jsonl", "--players", "2"), "--players cannot be combined with --resume"),
        (("--seed", "-1"), "seed must be a whole number"),
        (("--save", "/nowhere/game.jsonl"), "cannot save to /nowhere/game.jsonl: there is no folder /nowhere"),
        (("--resume", "/nowhere/game.jsonl"), "--opponents cannot be combined with --resume"),
    ],
)
def test_errors_are_one_line(file: Path, options: tuple[str, ...], complaint: str) -> None:
    result = play(file, "", *options)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(rf"pr-env: .*{re.escape(complaint)}.*\n", result.stderr)


def test_files_that_are_no_saved_games(file: Path) -> None:
    assert "cannot open" in resume(file).stderr
    replay = Replay(PuertoRico(players=2), 1, (), ("random", "random"))
    for seated in (replay, Replay(replay.game, 1, ())):
        save(file, [seated])
        assert "is not a game saved by 'pr-env play'" in resume(file).stderr
    save(file, [Replay(replay.game, 1, (), ("you", "random"))] * 2)
    assert "is not a game saved by 'pr-env play'" in resume(file).stderr
    before = file.read_text()
    assert "already exists" in play(file, "1").stderr
    assert file.read_text() == before


def test_a_crash_of_an_opponent_loses_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_so_far = 0

    def choose(self: RandomAgent, observations: np.ndarray, masks: np.ndarray, games: object = None) -> np.ndarray:
        nonlocal asked_so_far
        asked_so_far += 1
        if asked_so_far > 6:
            raise ValueError("out of ideas")
        return np.asarray(masks.argmax(axis=1))

    monkeypatch.setattr(RandomAgent, "choose", choose)
    result = play(file, "1 " * 50)
    assert result.exit_code == 1
    assert result.stderr == "pr-env: out of ideas\n"
    assert load(file)[0].actions


def test_opponents_sit_clockwise_from_the_person() -> None:
    assert seats(PuertoRico(players=4), 2, ["a", "b", "c"]) == ("b", "c", "you", "a")
    assert seats(PuertoRico(players=3), 0, ["a"]) == ("you", "a", "a")


def test_every_question_has_an_explanation() -> None:
    assert set(words._QUESTIONS) == set(EXPLANATIONS)


@pytest.mark.parametrize("number", ["SIGHUP", "SIGTERM"])
def test_a_closed_terminal_or_a_kill_saves(file: Path, monkeypatch: pytest.MonkeyPatch, number: str) -> None:
    keys = iter(["1", "1"])

    def typed(prompt: str) -> str:
        key = next(keys, None)
        if key is None:
            signal.raise_signal(getattr(signal, number))
        return key or ""

    before = signal.getsignal(getattr(signal, number))
    monkeypatch.setattr("builtins.input", typed)
    assert play(file, "").exit_code == 0
    (game,) = load(file)
    assert len(game.actions) > 2
    assert signal.getsignal(getattr(signal, number)) == before


def test_a_failed_save_keeps_the_old_file(file: Path) -> None:
    game = Replay(PuertoRico(players=3), 5, ())
    save(file, [game])
    before, (soft, hard) = file.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))  # writing more fails as on a full disk
    try:
        for append in (False, True):
            with pytest.raises(OSError, match=re.escape(str(file))):
                save(file, [game], append=append)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("game", "players", "too_long"),  # of whole games with more players, so many screens may be longer
    [("puerto_rico", 3, 0), ("port_royal", 3, 0), ("puerto_rico", 4, 5), ("port_royal", 5, 5)],
)
def test_a_session_fits_a_terminal_of_80_columns_and_24_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, players: int, too_long: int
) -> None:
    monkeypatch.setattr("pr_env.commands.screen.on_terminal", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda fallback=None: os.terminal_size((80, 24)))
    monkeypatch.setenv("NO_COLOR", "1")
    arguments = ["play", "--game", game, "--opponents", "random", "--tips", "random", "--seed", "5"]
    arguments += ["--players", str(players), "--save", str(tmp_path / "game.jsonl")]
    shown = CliRunner().invoke(app, arguments, input="2\n1\n" * 80)
    assert shown.exit_code == 0, shown.output
    screens = [screen for screen in shown.stdout.split("\x1b[2J\x1b[H")[1:] if "The game is over" not in screen]
    assert len(screens) > 50
    lines = [screen.split("number, t tip")[0].split("\n") for screen in screens]
    assert sum(len(one) > 24 for one in lines) <= too_long
    assert max(len(line.split("\r")[-1]) for one in lines for line in one) <= 80


def test_what_a_role_or_building_does(file: Path) -> None:
    result = play(file, "i q")
    assert "names are settler, mayor, builder" in result.stdout
    arguments = ["play", "--opponents", "random", "--tips", "random", "--seed", "5", "--save", str(file)]
    told = CliRunner().invoke(app, arguments, input="i hospice\ni small mark\nq\n").stdout
    assert "hospice: building, 4 doubloons, 2 VP: settler: a colonist on the tile taken" in told
    assert "small market: building, 1 doubloon, 1 VP: trader: 1 more doubloon for a sale" in told
