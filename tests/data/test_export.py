"""Exported decisions: all columns match the games played, and the files can be read back."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq

from agents.exporting import AgentGames, ReplayGames, export
from pr_env import Batch, replay
from pr_env.cli import app
from pr_env.data.columns import DataError, columns_of
from pr_env.data.reading import Decisions
from pr_env.game import IllegalActionError
from pr_env.registry import GAMES, find_game
from pr_env.replay import Recorder, Replay
from tests.toys import TOYS, InOrder, Nim

ALL = [column.name for column in columns_of(Nim(), "counts")]
EVERY_GAME = [*TOYS, *(find_game(name)() for name in GAMES)]
PAGE = Path(__file__).parents[2] / "docs" / "data.md"


def written(game: Any, out: Path, games: int = 6, agents: tuple[str, ...] = ("random",), **options: Any) -> Decisions:
    return export(AgentGames(game, agents, games, 3, 60.0), out, **options)


def everything(decisions: Decisions) -> dict[str, np.ndarray]:
    (rows,) = decisions.batches(10**6, columns=ALL)
    return rows


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("game", EVERY_GAME, ids=str)
def test_what_is_written_is_what_was_played(game: Any, tmp_path: Path) -> None:
    decisions = written(game, tmp_path / "out", games=3, part=2)
    rows, rounding = everything(decisions), 0.501 * np.array(decisions.description["scales"])
    assert (np.diff(rows["game"]) >= 0).all()
    for number in np.unique(rows["game"]):
        here = {name: values[rows["game"] == number] for name, values in rows.items()}
        batch = Batch(game, 1, here["seed"][:1], reward=game.reward_schemes[0], autoreset=False, threads=1)
        paid = np.zeros((len(here["seat"]) + 1, game.players))
        for step, action in enumerate(here["action"]):
            assert here["decision"][step] == step
            assert here["seat"][step] == batch.player[0]
            assert (np.abs(here["observation"][step] - batch.observation[0]) <= rounding).all()
            assert np.array_equal(here["mask"][step], batch.mask[0])
            assert np.allclose(here["probabilities"][step], 1 / batch.mask[0].sum())
            batch.step([action])
            paid[step + 1] = batch.reward[0]
        assert batch.is_over()[0]
        final = batch.score()[0]
        for seat in range(game.players):
            own = np.flatnonzero(here["seat"] == seat)
            if not len(own):
                continue
            assert here["reward"][own].sum() == pytest.approx(paid[own[0] :, seat].sum())
            assert here["last"][own].tolist() == [False] * (len(own) - 1) + [True]
            assert set(here["win_share"][own]) == {np.float32(final["win_share"][seat])}
            assert set(here["points"][own]) == {final["total"][seat]}
            assert set(here["rank"][own]) == {final["rank"][seat]}
        assert set(here["agent"]) == {"random"}


def test_rewards_are_paid_to_the_latest_decision_of_a_seat(tmp_path: Path) -> None:
    rows = everything(written(Nim(players=2), tmp_path / "out", reward="points"))
    won = rows["reward"] == 1
    assert rows["last"][won].all()
    assert np.array_equal(rows["win_share"][won], np.ones(won.sum()))


@pytest.mark.parametrize("kind", ["float16", "record"])
def test_other_kinds_of_observations(kind: Any, tmp_path: Path) -> None:
    game = InOrder(players=3)
    counts = everything(written(game, tmp_path / "counts"))
    other = everything(written(game, tmp_path / kind, observation=kind))
    if kind == "record":
        assert other["observation"].dtype == game.record
        assert np.array_equal(other["observation"]["player"], counts["seat"])
        assert np.array_equal(other["observation"]["seed"], counts["seed"])
    else:
        assert other["observation"].dtype == np.float32
        assert np.allclose(other["observation"], counts["observation"], rtol=1e-3, atol=1e-6)


def test_agents_that_say_nothing_have_no_probabilities(tmp_path: Path) -> None:
    rows = everything(written(Nim(players=2), tmp_path / "out", agents=("random", "mcts:playouts=5,threads=1")))
    known = np.array([row is not None for row in rows["probabilities"]])
    assert np.array_equal(known, rows["agent"] == "random")
    assert known.any()
    assert not known.all()


def test_an_interrupted_export_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    written(Nim(players=3), whole := tmp_path / "whole", part=2)

    class StoppedError(Exception):
        pass

    class Stop:
        parts = 0

        def start(self, table: object, games: int) -> None:
            assert games == 6

        def step(self, games: int, decisions: int) -> None:
            self.parts += games
            if self.parts == 4:
                raise StoppedError

    with pytest.raises(StoppedError):
        written(Nim(players=3), out := tmp_path / "out", part=2, progress=Stop())
    assert "part-00000.parquet" in files(out)
    assert "part-00002.parquet" not in files(out)
    (out / "part-00001.unfinished").write_text("half of a file")
    written(Nim(players=3), out, part=2)
    assert files(out) == files(whole)
    before = {file: file.stat().st_mtime_ns for file in out.iterdir()}
    written(Nim(players=3), out, part=2)
    assert {file: file.stat().st_mtime_ns for file in out.iterdir()} == before


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    written(Nim(players=3), out := tmp_path / "out")
    before = files(out)
    with pytest.raises(DataError, match=r"belongs to an export with options .*2.*: use the same options, or choose"):
        written(Nim(players=2), out)
    assert files(out) == before
    (other := tmp_path / "other").mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(DataError, match="must be an empty folder or belong to the same export"):
        written(Nim(), other)
    assert list(files(other)) == ["thesis.txt"]


def replays(game: Any, count: int = 3) -> list[Replay]:
    found = []
    for seed in range(count):
        recorder, batch = Recorder(game, seed), Batch(game, 1, seed, autoreset=False, threads=1)
        while not batch.is_over()[0]:
            action = int(batch.sample_actions()[0])
            recorder.add(action)
            batch.step([action])
        played = recorder.replay()
        found.append(Replay(game, seed, played.actions, tuple(f"player {seat}" for seat in range(game.players))))
    return found


def test_replays_are_written_too(tmp_path: Path) -> None:
    game = Nim(players=3)
    all_of_them = replays(game)
    unfinished = Replay(game, 7, all_of_them[0].actions[:2])
    replay.save(tmp_path / "games.jsonl", [*all_of_them, unfinished])
    rows = everything(export(ReplayGames(tmp_path / "games.jsonl"), tmp_path / "out", part=3))
    for number, one in enumerate([*all_of_them, unfinished]):
        here = rows["game"] == number
        assert tuple(rows["action"][here]) == one.actions
        assert set(rows["seed"][here]) == {one.seed}
        assert set(rows["agent"][here]) == (
            {None} if one is unfinished else {f"player {s}" for s in rows["seat"][here]}
        )
        assert np.isnan(rows["win_share"][here]).all() == (one is unfinished)
        assert rows["last"][here].any() != (one is unfinished)
    assert all(row is None for row in rows["probabilities"])


def test_replays_of_different_games_are_refused(tmp_path: Path) -> None:
    replay.save(tmp_path / "games.jsonl", [*replays(Nim(players=3), 1), *replays(Nim(players=2), 1)])
    with pytest.raises(DataError, match=r"has games of .* and of .*: write a file for each"):
        export(ReplayGames(tmp_path / "games.jsonl"), tmp_path / "out")


@pytest.mark.parametrize("seed", [None, 5])
def test_batches_have_every_decision_once(seed: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pr_env.data.writing.ROWS_TOGETHER", 7)
    decisions = written(Nim(players=2), tmp_path / "out", games=20, part=4)
    found = list(decisions.batches(8, columns=["game", "decision"], seed=seed))
    assert {len(rows["game"]) for rows in found[:-1]} == {8}
    pairs = [pair for rows in found for pair in zip(rows["game"].tolist(), rows["decision"].tolist(), strict=True)]
    assert len(pairs) == len(set(pairs)) == len(decisions)
    assert (pairs == sorted(pairs)) == (seed is None)
    halves = [rows["game"] for part in range(2) for rows in decisions.batches(8, columns=["game"], part=part, parts=2)]
    assert sum(map(len, halves)) == len(decisions)


def test_pytorch_reads_them(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from pr_env.data.pytorch import DecisionDataset

    decisions = written(InOrder(players=2), tmp_path / "out")
    dataset = DecisionDataset(tmp_path / "out", batch_size=16, seed=1)
    first, second = (list(dataset) for _ in range(2))
    assert first[0]["observation"].dtype == torch.float32
    assert first[0]["mask"].dtype == torch.bool
    assert first[0]["observation"].shape == (16, decisions.game.observation_size)
    for passed in (first, second):
        assert sum(len(rows["action"]) for rows in passed) == len(decisions)
        assert all(rows["mask"].gather(1, rows["action"].long()[:, None]).all() for rows in passed)
    assert not all(torch.equal(one["action"], other["action"]) for one, other in zip(first, second, strict=True))


def test_files_that_are_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no Parquet files"):
        Decisions(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1 is what such a file begins with")
    with pytest.raises(DataError, match=r"a.parquet is not a Parquet file"):
        Decisions(tmp_path)
    pq.write_table(pa.table({"action": [1]}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="its description is missing"):
        Decisions(tmp_path)
    written(Nim(players=2), tmp_path / "two")
    table = pq.read_table(tmp_path / "two" / "part-00000.parquet")
    for change, message in (
        ({"format": 9}, "has the format 9"),
        ({"game": "chess"}, "is of a game that cannot be created: unknown game 'chess'"),
        ({"layout": 99}, "is of layout 99 of nim"),
        ({"options": {"players": 77}}, "cannot be created"),
    ):
        about = json.loads(table.schema.metadata[b"pr_env"]) | change
        pq.write_table(table.replace_schema_metadata({b"pr_env": json.dumps(about)}), tmp_path / "a.parquet")
        with pytest.raises(DataError, match=message):
            Decisions(tmp_path / "a.parquet")
    with pytest.raises(DataError, match="has no column 'colour'; it has game, seed"):
        next(Decisions(tmp_path / "two").batches(8, columns=["colour"]))
    written(Nim(players=3), tmp_path / "three")
    (tmp_path / "two" / "part-00009.parquet").write_bytes((tmp_path / "three" / "part-00000.parquet").read_bytes())
    with pytest.raises(DataError, match="belongs to another export than"):
        Decisions(tmp_path / "two")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "an export needs 1 to 2 agents, got 0"),
        (("random", "random", "random"), "an export needs 1 to 2 agents, got 3"),
        (("nobody",), "there is no agent 'nobody'"),
        (("random", "--games", "0"), "games must be a whole number of at least 1, got 0"),
        (("random", "--part", "0"), "part must be a whole number of at least 1, got 0"),
        (("random", "--observation", "picture"), "observation must be one of counts, float16, record, got 'picture'"),
        (("random", "--reward", "fame"), "reward must be one of"),
        (("random", "--replays", "x.jsonl"), "agents and --replays cannot be combined"),
        (("--replays", "there_is_no_such_file.jsonl"), "cannot use there_is_no_such_file.jsonl"),
    ],
)
def test_errors_of_the_command_are_one_line(arguments: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    options = ["--game", "examples.nim:Nim", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, ["export", *arguments, *options])
    assert result.exit_code == 1
    assert f"\npr-env: {complaint}" in f"\n{result.stderr}"
    assert not (tmp_path / "out").exists()


def test_the_command(tmp_path: Path) -> None:
    options = ["--game", "examples.nim:Nim", "--players", "3", "--games", "9", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, ["export", "random", "mcts:playouts=4,threads=1", *options])
    assert result.exit_code == 0, result.output
    decisions = Decisions(tmp_path / "out")
    assert f"has {len(decisions):,} decisions" in result.stdout
    assert decisions.game == Nim(players=3)


def test_a_game_that_does_not_fit_its_replay_is_refused(tmp_path: Path) -> None:
    from pr_env.data.playing import PlayedGames, table_of

    played = PlayedGames.from_lists([1], [[0, 7]], [()])
    with pytest.raises((DataError, IllegalActionError), match="does not fit"):
        table_of(Nim(players=2), played, reward="win_share")


def test_the_page_has_every_column() -> None:
    page = PAGE.read_text()
    for column in columns_of(Nim(), "counts"):
        assert f"| `{column.name}` |" in page
        if column.name != "observation":
            assert column.meaning.replace("`", "") in page.replace("`", "")


def test_memory_does_not_grow_with_the_number_of_decisions() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.data", "--game", "examples.nim:Nim", "--decisions", "60000"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.count("MiB") == 2


def test_the_folder_can_be_read_as_one_table(tmp_path: Path) -> None:
    decisions = written(InOrder(players=2), tmp_path, part=3)
    assert pq.read_table(tmp_path).num_rows == len(decisions)
    assert all(path.suffix == ".parquet" for path in tmp_path.iterdir() if not path.name.startswith("."))


@pytest.mark.parametrize("size", [10, 4000])
def test_a_full_disk_is_one_sentence_and_the_export_resumes(size: int, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    command = ["export", "random", "--game", "examples.nim:Nim", "--games", "1000", "--out", str(tmp_path / "out")]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))  # writing more fails as on a full disk
    try:
        result = CliRunner().invoke(app, command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert result.exit_code == 1
    assert "pr-env: cannot use " in result.stderr
    assert "Traceback" not in result.output
    assert not list((tmp_path / "out").glob("part*"))
    assert CliRunner().invoke(app, command).exit_code == 0


@pytest.mark.parametrize("library", ["pandas", "polars", "datasets"])
def test_other_libraries_read_them(library: str, tmp_path: Path) -> None:
    module = pytest.importorskip(library, reason=f"{library} is not installed: make test-interop")
    decisions = written(InOrder(players=2), out := tmp_path / "out", part=3)
    if library == "pandas":
        rows = module.read_parquet(out).to_dict("list")
    elif library == "polars":
        rows = module.read_parquet(out / "*.parquet").to_dict(as_series=False)
    else:
        found = module.load_dataset("parquet", data_dir=str(out), split="train", cache_dir=str(tmp_path / "cache"))
        rows = found.to_dict()
    expected = everything(decisions)
    assert np.array_equal(rows["action"], expected["action"])
    assert np.array_equal(rows["seed"], expected["seed"])
    scales = np.array(decisions.description["scales"])
    assert np.allclose(np.stack(rows["observation"]) * scales, expected["observation"], atol=1e-6)
    masks = np.array([list(mask) for mask in rows["mask"]], np.uint8)
    bits = np.unpackbits(masks, axis=1, bitorder="little", count=len(decisions.game.actions))
    assert np.array_equal(bits, expected["mask"])
    assert [list(row) for row in rows["probabilities"]] == [row.tolist() for row in expected["probabilities"]]
