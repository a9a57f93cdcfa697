"""The learner trains any game: solo, cooperative, competitive; and every configuration of Puerto Rico."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents import make_agent
from agents.neural import NeuralAgent
from examples.in_order import InOrder
from examples.nim import Nim
from examples.seven_dice import SevenDice
from pr_env import Batch, PuertoRico
from pr_env.game import Game
from pr_env.registry import add_game
from training import command, machine
from training.__main__ import main
from training.evaluation import measure, yardstick
from training.log import read_log
from training.selfplay import LEARNER, SelfPlay, Settings

TOYS = {
    "examples.nim:Nim": Nim(),
    "examples.seven_dice:SevenDice": SevenDice(),
    "examples.in_order:InOrder": InOrder(),
}
for toy in TOYS.values():
    add_game(type(toy))  # so that they have names
QUICK = {  # for games of a few decisions
    "num_envs": 64,
    "num_steps": 32,
    "minibatch_size": 256,
    "learning_rate": (3e-3, 3e-4),
    "hidden_sizes": (32, 32),
    "ema_decay": 0.98,
}
TINY: dict[str, Any] = {"num_envs": 16, "num_steps": 8, "minibatch_size": 64, "hidden_sizes": (16,), "lessons": 0}


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "SECONDS", 0.0)
    monkeypatch.setattr(command, "REPORT_GAMES", 60)
    monkeypatch.setattr(command, "BEST_RESPONSE_GAMES", 200)


def run(folder: Path, spec: str, *options: str, decisions: int, **settings: object) -> None:
    given = [f"--set={name}={value}" for name, value in {**QUICK, **settings}.items()]
    budget = ["--decisions", str(decisions), "--threads", "1"]
    main(["--game", spec, "--out", str(folder), *budget, *given, *options])


@pytest.mark.parametrize(("spec", "least"), list(zip(TOYS, (0.55, 0.5, 0.8), strict=True)))
def test_a_toy_game_is_learned_and_played_by_ppo_and_the_search(spec: str, least: float, tmp_path: Path) -> None:
    game = TOYS[spec]
    run(tmp_path, spec, decisions=120_000)
    agent = make_agent(f"ppo:weights={tmp_path / 'agent.npz'}", game)
    other = "random" if game.constant_sum else None
    found = measure(agent, other, game, 600, seed=10_000)
    assert found.wins.mean > least
    assert found.wins.low > yardstick(game).share
    search = make_agent(f"ppo+mcts:weights={tmp_path / 'agent.npz'},playouts=16", game)
    assert measure(search, other, game, 40, seed=20_000).wins.mean > yardstick(game).share
    assert (tmp_path / "replay.jsonl").exists()


@pytest.mark.parametrize("game", [SevenDice(), InOrder(players=3)])
def test_where_all_win_together_there_is_one_value(game: Game, tmp_path: Path) -> None:
    learner = SelfPlay(Settings(game=game.name, options=game.options(), **TINY))
    learner.iterate(0)
    assert (learner._seated == LEARNER).all()
    assert learner.network.value.out_features == 1
    values = learner._rollout.values
    assert ((values > 0) & (values < 1)).all()
    assert (values == values[..., :1]).all()
    assert set(np.unique(learner._rollout.rewards)) <= {0.0, 1.0}


def test_one_value_learns_how_often_all_win() -> None:
    learner = SelfPlay(Settings(game="in_order", **{**TINY, "learning_rate": (1e-2, 1e-2), "ent_coef": (0.0, 0.0)}))
    learner.collect(0)
    rollout = learner._rollout
    rollout.ended[:] = True
    rollout.rewards[:] = (np.arange(rollout.actions.size) % 4 == 0).reshape(rollout.actions.shape)[..., None]
    for _ in range(200):
        learner.learn(0, lesson=False)
    with torch.no_grad():
        _, value = learner.network(torch.from_numpy(rollout.observations))
    assert float(value.sigmoid().mean()) == pytest.approx(0.25, abs=0.05)


def test_what_the_search_reads_is_a_chance_for_every_seat(tmp_path: Path) -> None:
    game = InOrder(players=3)
    run(tmp_path, "examples.in_order:InOrder", "--players", "3", decisions=2_000)
    agent = NeuralAgent(game, str(tmp_path / "agent.npz"))
    batch = Batch(game, 20, seed=0)
    _, values = agent.evaluate(batch.observation, batch.mask)
    assert values.shape == (20, 3)
    assert (values == values[:, :1]).all()
    assert ((values > 0) & (values < 1)).all()


def test_partners_may_be_earlier_versions_or_agents_by_name() -> None:
    changes = {"agents": ("random",), "opponent_games": 0.5, "pool_games": 0.4, "snapshot_every": 1, "num_envs": 200}
    learner = SelfPlay(Settings(game="in_order", options={"players": 3}, **{**TINY, **changes}))
    for _ in range(3):
        learner.iterate(0)
    seated = learner._seated
    assert {0, 1, 2} == set(np.unique(seated))
    beside = seated[seated.max(axis=1) > 0]
    assert ((beside == LEARNER).sum(axis=1) == 1).all()


def test_usual_settings_depend_on_the_game() -> None:
    assert Settings().agents == ("builder", "shipper", "trader")
    assert (Settings().pool_games, Settings().lessons) == (0.05, 2_000_000)
    nim = Settings(game="examples.nim:Nim", options={"players": 4})
    assert (nim.game, nim.options) == ("nim", {"players": 4})
    assert (nim.agents, nim.pool_games, nim.lessons) == ((), 0.05, 0)
    assert Settings(game="examples.in_order:InOrder").pool_games == 0


@pytest.mark.parametrize(
    "options",
    [
        {"players": 4, "balanced": True, "points": "hidden"},
        {"players": 6, "buildings": "random"},
        {"players": 2, "buildings": "draft"},
    ],
)
def test_every_configuration_of_puerto_rico_can_be_trained(options: dict[str, Any], tmp_path: Path) -> None:
    learner = SelfPlay(Settings(options=options, **{**TINY, "lessons": 100}))
    for _ in range(3):
        figures = learner.iterate(0)
    assert figures["learned"] > 0
    learner.save(tmp_path / "checkpoint.npz")
    assert SelfPlay.load(tmp_path / "checkpoint.npz").game == PuertoRico(**options)


def test_best_response_is_measured_with_an_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, "examples.nim:Nim", "--against", "random", decisions=40_000)
    said = capsys.readouterr().out
    assert "Approximate best response to random: wins" in said
    assert "200 games on fresh seeds" in said
    assert "a lower bound" in said
    last = read_log(tmp_path / "log.csv")[-1]
    assert last["win_share_low/random"] < last["win_share/random"] < last["win_share_high/random"]
    learner = SelfPlay.load(tmp_path / "checkpoint.npz")
    assert learner.settings.best_response
    assert learner.evaluation_opponents == ("random",)
    assert ((learner._seated == LEARNER).sum(axis=1) == 1).all()  # no game of self-play, no pool, no lessons
    assert not learner.pool
    before = learner.decisions
    run(tmp_path, "examples.nim:Nim", decisions=before + 2_000)  # resumes against the same opponents
    assert "Approximate best response to random" in capsys.readouterr().out


def test_a_search_can_be_answered_as_well(tmp_path: Path) -> None:
    run(tmp_path, "examples.nim:Nim", "--against", "mcts:playouts=4", decisions=500, num_envs=8, num_steps=16)
    learner = SelfPlay.load(tmp_path / "checkpoint.npz")
    assert learner.settings.agents == ("mcts:playouts=4",)


def test_the_same_command_writes_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        run(tmp_path / name, "examples.in_order:InOrder", decisions=4_000)
    for file in ("agent.npz", "checkpoint.npz", "log.csv", "replay.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()
