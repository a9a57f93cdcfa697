"""Default texts for games without their own: log, result, final table, play and watch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from agents import RandomAgent
from pr_env import Batch, Game, registry
from pr_env.commands import replay as replaying
from pr_env.commands import screen
from pr_env.commands.play import Session
from pr_env.commands.table import Table, free_name
from pr_env.commands.watch import watch
from pr_env.moment import Moment
from pr_env.replay import Recorder, Replay, ReplayError, load
from pr_env.words import Words, counted
from tests.toys import InOrder, Nim


class Undrawn(Nim):  # type: ignore[misc]
    """Nim without pictures."""

    render_modes: ClassVar[tuple[str, ...]] = ()


class Alone(Nim):  # type: ignore[misc]
    """Nim for one player, who wins by taking the last counter."""

    def __post_init__(self) -> None:
        """Any number of players."""


@pytest.fixture(params=["two", "three", "undrawn", "alone"])
def game(request: pytest.FixtureRequest) -> Game:
    games = {"two": Nim(), "three": Nim(players=3), "undrawn": Undrawn(), "alone": Alone(players=1)}
    found: Game = games[request.param]
    return found


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_from_outside", {})
    registry.add_game(Nim)


def recorded(game: Game, moves: int = 1000) -> Replay:
    batch = Batch(game, 1, seed=3, autoreset=False, threads=1)
    recorder = Recorder(game, 3)
    while moves and not batch.is_over()[0]:
        action = batch.sample_actions()[0]
        batch.step([action])
        recorder.add(action)
        moves -= 1
    return recorder.replay()


def names(game: Game) -> tuple[str, ...]:
    return tuple("abcd"[: game.players])


# -- the log ----------------------------------------------------------------------------------------------------------


def test_the_log(game: Game) -> None:
    replay = recorded(game)
    log = replay.log()
    assert log[0] == f"Nim, {counted(game.players, 'player')}, seed 3"
    assert log[1] == f"    1  player 0: Take {replay.actions[0] + 1}"
    assert re.match(
        rf" +{len(replay.actions)}  player \d: Take \d  ->  (player \d: )?\+1 point$", log[len(replay.actions)]
    )
    over = log.index("") + 1
    assert log[over].startswith(f"The game is over after {len(replay.actions)} moves and ")
    assert log[over].endswith(": heap.")
    if game.players == 1:
        assert log[over + 1 :] == ["Won with 1 point (heap).", "player 0: 1 point"]
    else:
        assert re.fullmatch(r"  1\. player \d: 1 point", log[over + 1])
        assert re.fullmatch(r"  2\. player \d: 0 points", log[over + 2])


def test_the_log_of_a_game_that_goes_on(game: Game) -> None:
    assert "The replay stops after 1 move, before the game is over." in recorded(game, moves=1).log()


def test_a_replay_of_a_game_from_elsewhere_needs_the_game(known: None, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = recorded(Nim())
    line = replay.to_json()
    assert Replay.from_json(line) == replay
    monkeypatch.setattr(registry, "_from_outside", {})
    with pytest.raises(ReplayError, match=r"is of an unknown game 'nim'; known are .*--game module:Class"):
        Replay.from_json(line)


def test_the_result_of_one_seat_has_no_rank() -> None:
    alone, two = recorded(Alone(players=1)).result(), recorded(Nim()).result()
    assert alone is not None
    assert alone["won"] is True
    assert "ranks" not in alone
    assert two is not None
    assert sorted(two["ranks"]) == [1, 2]
    assert "won" not in two


# -- the result in one sentence ---------------------------------------------------------------------------------------


def result(
    win_share: Sequence[float], points: Sequence[int], teams: Sequence[int], cut: bool = False, **final: Any
) -> str:
    game: Any = SimpleNamespace(name="any_game", players=len(points), teams=teams, constant_sum=len(set(teams)) > 1)
    moment: Any = SimpleNamespace(
        points=list(points), final={"win_share": win_share, **final}, end_reasons=["last_card", "time"], title=None
    )

    class Cut(Words):
        def was_cut(self, moment: Moment) -> bool:
            return cut

    assert Cut(game).title == "Any Game"
    return Cut(game).result(moment)


@pytest.mark.parametrize(
    ("win_share", "points", "teams", "said"),
    [
        ((0, 1, 0), (3, 9, 8), (0, 1, 2), "Player 1 wins with 9 points"),
        ((0.5, 0, 0.5), (9, 1, 9), (0, 1, 2), "Player 0 and Player 2 share the win with 9 points"),
        ((0, 0), (3, 3), (0, 1), "Nobody wins"),
        ((1, 0, 1, 0), (6, 3, 6, 3), (0, 1, 0, 1), "Player 0 and Player 2 win with 6 points"),
        ((1,), (1,), (0,), "Won with 1 point"),
        ((0,), (12,), (0,), "Lost with 12 points"),
        ((1, 1), (20, 20), (0, 0), "Won with 20 points"),
        ((0, 0), (5, 7), (0, 0), "Lost with 5 / 7 points"),
    ],
)
def test_results(win_share: Sequence[float], points: Sequence[int], teams: Sequence[int], said: str) -> None:
    assert result(win_share, points, teams) == f"{said} (last card and time)"


def test_results_of_games_that_were_cut() -> None:
    assert result((1, 0), (4, 3), (0, 1), cut=True, rank=(1, 2)).startswith("Player 0 leads with 4 points")
    assert result((0, 0), (4, 4), (0, 1), cut=True, rank=(1, 1)).startswith("Player 0 and Player 1 lead with 4 points")
    assert result((0,), (4,), (0,), cut=True).startswith("Cut with 4 points")


def test_points_of_several_sources_are_told() -> None:
    game: Any = SimpleNamespace(name="any_game", players=1, point_sources=("cards", "last_trick"))
    moment: Any = SimpleNamespace(points=[7], final={"points": np.array([[3, 4]])})
    assert Words(game).standing(0, moment) == "7 points (3 from cards, 4 from last trick)"
    nothing: Any = SimpleNamespace(points=[0], final={"points": np.array([[0, 0]])})
    assert Words(game).standing(0, nothing) == "0 points"


# -- at the terminal --------------------------------------------------------------------------------------------------


def test_the_board(game: Game) -> None:
    batch = recorded(game, moves=2).batch_at(2)
    heap, seat = batch.to_dict(0)["heap"], int(batch.player[0])
    text = screen.board(batch, names=names(game))
    assert text.startswith(f"Nim\n▶ Player {seat}: what to do?\n")
    assert (f"heap: {heap}" if isinstance(game, Undrawn) else "o" * heap) in text
    assert "Player 0 (a), 0 points" in text
    assert f"Player {seat} may\n   0 Take 1.\n" in text
    assert "may" not in screen.board(batch, answers=False)


def test_what_a_player_sees_is_told_by_its_names_and_nothing_hidden_is() -> None:
    game = InOrder(players=2)
    batch = Batch.from_dicts(game, [{"card": [8, 13, 0, 0], "waits": 3}])
    text = screen.board(batch)
    assert "waits: 3\ncard:\n  self: 8\n  1 to the left: 0\n" in text
    assert "13" not in text
    assert "rng" not in text


def test_headers_where_the_position_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Undrawn, "to_dict", lambda _, record: {"turn": 1 + int(record["heap"] < 10)})
    replay = recorded(Undrawn())
    assert [line for line in replay.log() if line.startswith("Turn")] == [
        "Turn 1 | points: 0 / 0",
        "Turn 2 | points: 0 / 0",
    ]
    assert {move.round for move in replay.moves()} == {1, 2}


def test_the_final_table(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    replay = recorded(game)
    screen.final_table(replay.batch_at(len(replay.actions)), names(game))
    said = capsys.readouterr().out
    if game.players == 1:
        assert said.startswith("Won with 1 point (heap)\n")
        assert "Player 0" in said
        assert "1. " not in said
    else:
        assert re.match(r"Player (\d) wins with 1 point \(heap\)\n", said)
        assert "1. Player" in said
        assert "2. Player" in said
    assert "last counter" in said
    assert "Tie-break" not in said


def test_watching(game: Game, tmp_path: Path, known: None, capsys: pytest.CaptureFixture[str]) -> None:
    for boards in ("move", "round", "end"):
        table = Table(
            Replay(game, 3, (), names(game)), {seat: RandomAgent(game, seed=seat) for seat in range(game.players)}
        )
        watch(table, boards, 0, False, tmp_path / f"{boards}.jsonl")
        said = capsys.readouterr().out
        assert table.is_over
        assert len(re.findall("^Nim$", said, re.MULTILINE)) == (table.moves if boards == "move" else 1)
        assert re.search(r"^ +1  player 0: Take \d", said, re.MULTILINE)


def test_playing(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = iter(["h", "t", "1", "l", *["1"] * 40])
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        if prompt.startswith("The game is over"):
            return "q"
        return next(keys)

    monkeypatch.setattr("builtins.input", answer)
    agents = {seat: RandomAgent(game, seed=seat) for seat in range(1, game.players)}
    table = Table(Replay(game, 3, (), ("you", *names(game)[1:])), agents)
    Session(table, 0, tmp_path / "game.jsonl", ("random", lambda: RandomAgent(game))).run()
    said = capsys.readouterr().out
    assert table.is_over
    assert "Your choice: what to do?\n    1  Take 1.\n    2  Take 2.\n" in said
    assert re.search(r"random would choose \d: Take \d\.\n", said)
    assert re.search(r"Since your last choice\n +1  you: Take 1\n", said)
    assert re.search(r"(wins|Won) with 1 point \(heap\)\n", said)
    assert (tmp_path / "game.jsonl").exists()


def test_stepping_through(game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["\n", "r\n", "q\n"])
    monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=lambda: next(answers)))
    replay = recorded(game)
    replaying.step_through(replay)
    said = capsys.readouterr().out
    assert "move 0 of" in said
    assert "r: next turn, q: quit" in said
    assert "next: none, the replay ends here" in said


def test_saved_games_are_named_after_the_game(known: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start = Replay(Nim(), 7, ())
    assert free_name(start) == Path("nim-7.jsonl")
    free_name(start).write_text(start.to_json())
    assert free_name(start) == Path("nim-7-2.jsonl")
    assert load("nim-7.jsonl") == [start]
