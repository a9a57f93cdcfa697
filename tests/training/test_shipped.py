"""The shipped agents."""

import json
from pathlib import Path

import numpy as np
import pytest

from agents import make_agent
from agents.arena import play_match
from agents.neural import SHIPPED, Brain, NeuralAgent, WrongWeightsError, save_agent
from agents.weights import read_arrays, write_arrays
from pr_env import Batch, PuertoRico
from training import ship
from training.ship import describe, mean_weights

PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_there_is_an_agent_that_beats_random_players(players: int) -> None:
    result = play_match(PuertoRico(players=players), ["ppo", "random"], games=20 * players, seed=5)
    assert not result.faults
    assert result.wins_of("ppo").mean > 0.95


@pytest.mark.parametrize("players", PLAYERS)
def test_its_values_are_shares_of_the_win(players: int) -> None:
    game = PuertoRico(players=players)
    agent = make_agent("ppo", game)
    assert isinstance(agent, NeuralAgent)
    batch = Batch(game, 8, seed=1, threads=1)
    for _ in range(30):
        priors, seats = agent.evaluate(batch.observation, batch.mask)
        assert seats.shape == (8, players)
        assert seats.sum(axis=1) == pytest.approx(1)
        assert not priors[~batch.mask].any()
        assert priors.sum(axis=1) == pytest.approx(1)
        batch.step(agent.choose(batch.observation, batch.mask))


@pytest.mark.parametrize("players", PLAYERS)
def test_its_card_says_how_it_was_made_and_how_strong_it_is(players: int) -> None:
    path = SHIPPED / f"ppo_{players}p.npz"
    card = Brain(path).about["card"]
    assert card["decisions"] > 0
    assert card["hours"] > 0
    assert card["commit"]
    assert {"random", "builder", "shipper", "trader", "greedy"} <= set(card["strength"])
    assert path.with_suffix(".md").read_text() == describe(PuertoRico(players=players), card)
    assert path.name == ship.file_name(PuertoRico(players=players))
    assert str(Path.home()) not in json.dumps(card)


def test_all_of_them_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.glob("*.npz")) < 4_000_000


def test_the_mean_of_one_agent_is_that_agent() -> None:
    brain = Brain(SHIPPED / "ppo_3p.npz")
    for name, value in mean_weights([brain]).items():
        assert value.dtype == np.float16
        assert np.array_equal(value, brain.weights[name])


def test_the_mean_of_two_agents_lies_between_them() -> None:
    one, other = Brain(SHIPPED / "ppo_3p.npz"), Brain(SHIPPED / "ppo_3p.npz")
    other.weights = {name: value + np.float16(1) for name, value in one.weights.items()}
    for name, value in mean_weights([one, other]).items():
        assert value == pytest.approx(one.weights[name].astype(np.float32) + 0.5, abs=0.01)


def test_agents_of_different_sizes_have_no_mean() -> None:
    with pytest.raises(WrongWeightsError, match="different sizes"):
        mean_weights([Brain(SHIPPED / "ppo_2p.npz"), Brain(SHIPPED / "ppo_3p.npz")])


CARD = {
    "algorithm": "a test",
    "settings": {},
    "decisions": 1,
    "hours": 1.0,
    "pr_env": "0",
    "machine": "none",
    "commit": "abc",
}


def save_trained(folder: Path, card: dict[str, object]) -> None:
    save_agent(folder / "agent.npz", Brain(SHIPPED / "ppo_2p.npz").weights, PuertoRico(players=2), card)


def test_shipping_again_keeps_the_note_and_adds_opponents(tmp_path: Path) -> None:
    save_trained(tmp_path / "run", CARD)
    into = ["--into", str(tmp_path), "--games", "2"]
    ship.main([str(tmp_path / "run"), *into, "--against", "random", "--note", "how it was made"])
    ship.main([str(tmp_path / "run"), *into, "--against", "random:"])
    text = (tmp_path / "ppo_2p.md").read_text()
    assert "- how it was made\n" in text
    assert "commit abc" in text
    assert "| 1 x `random` |" in text
    assert "| 1 x `random:` |" in text


def test_an_agent_of_another_layout_is_replaced(tmp_path: Path) -> None:
    save_trained(tmp_path / "run", CARD)
    arrays, about = read_arrays(SHIPPED / "ppo_2p.npz")
    write_arrays(tmp_path / "ppo_2p.npz", arrays, about | {"layout": -1})
    ship.main([str(tmp_path / "run"), "--into", str(tmp_path), "--games", "2", "--against", "random"])
    assert Brain(tmp_path / "ppo_2p.npz").about["card"]["commit"] == "abc"


def test_an_agent_that_does_not_say_how_it_was_trained_is_not_shipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_trained(tmp_path / "run", {name: value for name, value in CARD.items() if name != "settings"})
    with pytest.raises(SystemExit):
        ship.main([str(tmp_path / "run"), "--into", str(tmp_path), "--games", "2"])
    assert "does not say its settings" in capsys.readouterr().err
    assert not (tmp_path / "ppo_2p.npz").exists()


def test_a_commit_that_nobody_can_look_up_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_trained(tmp_path / "run", CARD | {"commit": "abc-dirty"})
    ship.main([str(tmp_path / "run"), "--into", str(tmp_path), "--games", "2", "--against", "random"])
    assert "the commit abc-dirty, which is not available to others" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--against", "nosuch"], "there is no agent 'nosuch'"),
        (["--games", "0"], "--games must be a whole number of at least 1, got 0"),
    ],
)
def test_what_cannot_be_measured_is_not_shipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    (tmp_path / "agent.npz").write_bytes((SHIPPED / "ppo_2p.npz").read_bytes())
    with pytest.raises(SystemExit):
        ship.main([str(tmp_path), "--into", str(tmp_path), *options])
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "ppo_2p.npz").exists()
