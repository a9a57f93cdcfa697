import csv
import fcntl
import signal
from pathlib import Path

import numpy as np
import pytest

from agents import RandomAgent
from agents.neural import SHIPPED, NeuralAgent
from agents.weights import read_arrays
from examples.in_order import InOrder
from examples.seven_dice import SevenDice
from pr_env import Batch, PuertoRico, replay
from training import run
from training.evaluation import measure, measure_all, opponents_of, yardstick
from training.log import DamagedLogError, Log, read_log
from training.report import draw_curve, save_replay, table_of
from training.run import Budget, FolderInUseError, train
from training.selfplay import SelfPlay, Settings

TINY = Settings(
    num_envs=16,
    num_steps=32,
    hidden_sizes=(16,),
    update_epochs=1,
    minibatch_size=256,
    snapshot_every=2,
    pool_opponents=1,
    agents=(),
    lessons=0,
)


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a row and a checkpoint after every rollout, and an evaluation after the first."""
    monkeypatch.setattr(run, "CHECKPOINT_EVERY", 0.0)
    monkeypatch.setattr(run, "ROWS", 10**9)
    monkeypatch.setattr(run, "FIRST_EVALUATIONS", (1,))


def train_tiny(folder: Path, decisions: int, evaluation_games: int = 0) -> bool:
    return train(lambda: SelfPlay(TINY), SelfPlay.load, Budget(decisions=decisions), folder, evaluation_games)


def weights_of(folder: Path) -> dict[str, np.ndarray]:
    return read_arrays(folder / "agent.npz")[0]


@pytest.mark.usefixtures("fast")
def test_a_training_writes_an_agent_a_log_a_curve_and_a_replay(tmp_path: Path) -> None:
    assert train_tiny(tmp_path, 9000, evaluation_games=3)
    game = PuertoRico(players=3)
    agent = NeuralAgent(game, str(tmp_path / "agent.npz"))
    rows = read_log(tmp_path / "log.csv")
    assert rows[-1]["decisions"] >= 9000
    assert {"win_share/random", "win_share/builder", "win_share_low/builder", "entropy"} <= rows[0].keys()
    assert {"points", "points/chips", "length/rounds", "entropy", "won"} <= rows[-2].keys()
    times = read_log(tmp_path / "times.csv")
    assert {"seconds", "decisions_per_second", "collect_seconds"} <= times[0].keys()
    assert not any("second" in name for row in rows for name in row)
    assert {"win_share/random", "win_share/greedy"} <= rows[-1].keys()  # the saved agent
    assert rows[-1]["decisions"] == rows[-2]["decisions"]
    assert list(tmp_path.glob("events.out.tfevents*"))
    draw_curve(rows, game, yardstick(game), tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    save_replay(agent, game, 0, tmp_path / "replay.jsonl")
    assert replay.load(tmp_path / "replay.jsonl")[0].result is not None
    assert table_of(measure_all(agent, ["random"], game, 3, seed=0), game, yardstick(game)).row_count == 1


@pytest.mark.usefixtures("fast")
def test_an_interrupted_training_ends_with_the_same_agent(tmp_path: Path) -> None:
    learner = SelfPlay(TINY)

    def press_ctrl_c(progress: float) -> dict[str, float]:
        figures = SelfPlay.iterate(learner, progress)
        if learner.rollouts == 2:
            signal.raise_signal(signal.SIGINT)
        return figures

    learner.iterate = press_ctrl_c  # type: ignore[method-assign]
    assert not train(lambda: learner, SelfPlay.load, Budget(decisions=2500), tmp_path / "stopped", 0)
    assert SelfPlay.load(tmp_path / "stopped" / "checkpoint.npz").rollouts == 2
    assert run.read_clock(tmp_path / "stopped") > 0
    assert train_tiny(tmp_path / "stopped", 2500)
    assert train_tiny(tmp_path / "straight", 2500)
    stopped, straight = weights_of(tmp_path / "stopped"), weights_of(tmp_path / "straight")
    assert all(np.array_equal(straight[name], array) for name, array in stopped.items())
    assert train_tiny(tmp_path / "stopped", 2500)  # already finished: nothing changes
    assert all(np.array_equal(stopped[name], array) for name, array in weights_of(tmp_path / "stopped").items())


@pytest.mark.usefixtures("fast")
def test_the_same_settings_write_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        assert train_tiny(tmp_path / name, 3000, evaluation_games=3)
    for file in ("agent.npz", "checkpoint.npz", "log.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


def test_the_agent_that_is_measured_is_the_one_that_is_written() -> None:
    game = PuertoRico(players=3)
    file = str(SHIPPED / "ppo_3p.npz")
    batch = Batch(game, 200, seed=4, threads=1)
    for _ in range(30):
        batch.step(batch.sample_actions())
    written, measured = (
        NeuralAgent(game, file, device=device).choose(batch.observation, batch.mask) for device in ("", "cpu")
    )
    assert (written == measured).mean() > 0.98  # another order of summation: near ties can differ


def test_whom_an_agent_is_measured_with() -> None:
    assert set(opponents_of(PuertoRico())) == {"random", "builder", "shipper", "trader", "greedy"}
    assert opponents_of(SevenDice()) == opponents_of(InOrder()) == ()
    assert yardstick(PuertoRico(players=4)) == ("fair", 0.25)
    words, share = yardstick(SevenDice())
    assert words == "random play"
    assert 0.1 < share < 0.25


def test_two_trainings_do_not_share_a_folder(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(FolderInUseError, match="another training run is active in"):
            train_tiny(tmp_path, 100)
    assert train_tiny(tmp_path, 100)


def test_a_log_forgets_rows_after_the_checkpoint(tmp_path: Path) -> None:
    log = Log(tmp_path)
    for step in (10, 20, 30):
        log.add({"decisions": step, "points": step / 10})
    log.close()
    log = Log(tmp_path, step=20)
    log.add({"decisions": 25, "points": 9.0, "win_share/random": 0.5})
    log.add({"decisions": 35, "points": 8.0})
    log.close()
    rows = read_log(tmp_path / "log.csv")
    assert [row["decisions"] for row in rows] == [10, 20, 25, 35]
    assert [row.get("win_share/random") for row in rows] == [None, None, 0.5, None]
    with (tmp_path / "log.csv").open() as file:
        assert len({len(row) for row in csv.reader(file)}) == 1


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("decisions,points\n10,1\n20,2\n30,3.")
    assert read_log(tmp_path / "log.csv") == [{"decisions": 10, "points": 1}, {"decisions": 20, "points": 2}]


@pytest.mark.parametrize(
    "text", [b"decisions,points\n10,many\n", b"10,1\n20,2\n", b"decisions\n10,1\n", b"decisions\n\xff\xfe\n"]
)
def test_a_log_that_is_no_table_of_numbers_is_named(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "log.csv").write_bytes(text)
    with pytest.raises(DamagedLogError, match=r"log\.csv is damaged"):
        Log(tmp_path)
    assert (tmp_path / "log.csv").read_bytes() == text


def test_an_agent_that_cannot_play_is_not_just_weak(tmp_path: Path) -> None:
    class Crashing(RandomAgent):
        def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
            raise RuntimeError("out of ideas")

    game = PuertoRico(players=4)
    with pytest.raises(RuntimeError, match=r"8 of 8 games were abandoned: .*out of ideas"):
        measure(Crashing(game), "random", game, 8, seed=0)
    assert train_tiny(tmp_path, 100)
    agent = NeuralAgent(PuertoRico(players=3), str(tmp_path / "agent.npz"))
    with pytest.raises(ValueError, match=r"NeuralAgent was made for .*players=3.*, not for .*players=4"):
        measure(agent, "random", game, 8, seed=0)


def test_budgets() -> None:
    assert Budget(minutes=10).progress(seconds=300, decisions=7) == 0.5
    assert Budget(decisions=100).progress(seconds=1e9, decisions=25) == 0.25
    assert Budget(decisions=100).progress(seconds=0, decisions=1000) == 1
    for wrong in ({}, {"minutes": 1.0, "decisions": 1}, {"minutes": -1.0}, {"decisions": 0}):
        with pytest.raises(ValueError, match="a budget must be"):
            Budget(**wrong)
