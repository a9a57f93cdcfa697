import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import make_agent
from agents.neural import Brain, NeuralAgent, WrongWeightsError, save_agent
from agents.neural_mcts import NeuralMctsAgent
from agents.weights import read_arrays, write_arrays
from pr_env import Batch, PuertoRico
from tests.toys import Nim

GAME = PuertoRico(players=3)


def random_weights(players: int, width: int = 8) -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    size = PuertoRico(players=players).observation_size
    shapes = {
        "hidden.0": (width, size),
        "hidden.1": (width, width),
        "policy": (86, width),
        "value": (players, width),
    }
    arrays = {f"{name}.weight": random.normal(size=shape) for name, shape in shapes.items()}
    return arrays | {f"{name}.bias": random.normal(size=shape[0]) for name, shape in shapes.items()}


def write(path: Path, players: int = 3, about: dict[str, Any] | None = None) -> Path:
    save_agent(path, random_weights(players), PuertoRico(players=players), {"hours": 1})
    if about:
        arrays, old = read_arrays(path)
        write_arrays(path, arrays, old | about)
    return path


def test_plays_legal_actions_and_the_same_ones_again(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz")
    batch = Batch(GAME, 20, seed=1, threads=1)
    agent = make_agent(f"ppo:weights={path}", GAME)
    for _ in range(50):
        actions = agent.choose(batch.observation, batch.mask)
        assert actions.dtype == np.int64
        assert np.array_equal(actions, NeuralAgent(GAME, str(path)).choose(batch.observation, batch.mask))
        batch.step(actions)


def test_the_network_is_what_the_arrays_say(tmp_path: Path) -> None:
    arrays, _ = read_arrays(write(tmp_path / "a.npz"))
    full = {name: value.astype(np.float64) for name, value in arrays.items()}
    batch = Batch(GAME, 5, seed=1, threads=1)
    x = batch.observation.astype(np.float64)
    for i in range(2):
        x = np.maximum(x @ full[f"hidden.{i}.weight"].T + full[f"hidden.{i}.bias"], 0)
    scores = np.where(batch.mask, x @ full["policy.weight"].T + full["policy.bias"], -np.inf)
    seats = x @ full["value.weight"].T + full["value.bias"]
    agent = NeuralAgent(GAME, str(tmp_path / "a.npz"))
    assert agent.choose(batch.observation, batch.mask).tolist() == scores.argmax(axis=1).tolist()
    priors, values = agent.evaluate(batch.observation, batch.mask)
    assert priors.dtype == values.dtype == np.float32
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    assert priors == pytest.approx(chances / chances.sum(axis=1, keepdims=True), abs=1e-4)
    shares = np.exp(seats - seats.max(axis=1, keepdims=True))
    assert values == pytest.approx(shares / shares.sum(axis=1, keepdims=True), abs=1e-4)


def test_temperature_one_draws_from_the_priors(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz")
    batch = Batch(GAME, 1, seed=1, threads=1)
    observations, masks = np.repeat(batch.observation, 20_000, axis=0), np.repeat(batch.mask, 20_000, axis=0)
    agent = NeuralAgent(GAME, str(path), temperature=1.0, seed=4)
    drawn = np.bincount(agent.choose(observations, masks), minlength=86) / 20_000
    assert drawn == pytest.approx(agent.evaluate(batch.observation, batch.mask)[0][0], abs=0.02)
    again = NeuralAgent(GAME, str(path), temperature=1.0, seed=4)
    assert np.array_equal(
        again.choose(observations, masks), NeuralAgent(GAME, str(path), 1.0, seed=4).choose(observations, masks)
    )


def test_of_a_folder_the_weights_for_the_game_are_taken(tmp_path: Path) -> None:
    for players in (2, 3):
        write(tmp_path / f"{players}.npz", players)
    for players in (3, 2, 3):
        batch = Batch(PuertoRico(players=players), 2, threads=1)
        agent = NeuralAgent(batch.game, str(tmp_path))
        assert agent.brain.game == batch.game
        assert batch.mask[np.arange(2), agent.choose(batch.observation, batch.mask)].all()
    with pytest.raises(WrongWeightsError, match=r"no weights for puerto_rico \(players=4.*\(players=2.*\(players=3"):
        NeuralAgent(PuertoRico(players=4), str(tmp_path))
    (tmp_path / "empty").mkdir()
    with pytest.raises(WrongWeightsError, match="empty has none"):
        NeuralAgent(GAME, str(tmp_path / "empty"))


def test_weights_play_with_the_options_that_they_were_trained_with(tmp_path: Path) -> None:
    path = str(write(tmp_path / "a.npz"))
    assert NeuralAgent(PuertoRico(players=3, max_rounds=20), path).brain.game == GAME  # max_rounds is irrelevant
    with pytest.raises(WrongWeightsError, match="weights for puerto_rico with points='public', not 'hidden'"):
        NeuralAgent(PuertoRico(players=3, points="hidden"), path)
    hidden = PuertoRico(players=3, points="hidden")
    save_agent(tmp_path / "b.npz", random_weights(3), hidden, {})
    assert NeuralAgent(hidden, str(tmp_path)).brain.game == hidden


def test_weights_of_one_game_do_not_play_another(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz")
    with pytest.raises(WrongWeightsError, match="has weights for puerto_rico, not for nim"):
        NeuralAgent(Nim(), str(path))
    with pytest.raises(ValueError, match=r"agent 'ppo': there are no weights for nim \(players=2\)"):
        make_agent("ppo", Nim())


def test_the_lowest_temperature_is_legal_too(tmp_path: Path) -> None:
    agent = NeuralAgent(GAME, str(write(tmp_path / "a.npz")), temperature=1e-9)
    batch = Batch(GAME, 200, seed=1, threads=1)
    for _ in range(20):
        actions = agent.choose(batch.observation, batch.mask)
        assert batch.mask[np.arange(200), actions].all()
        batch.step(actions)


def test_the_wrong_number_of_players_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", players=4)
    with pytest.raises(WrongWeightsError, match="weights for puerto_rico with players=4, not 3"):
        NeuralAgent(GAME, str(path))
    agent = NeuralAgent(PuertoRico(players=4), str(path))
    batch = Batch(GAME, 2, threads=1)
    with pytest.raises(WrongWeightsError, match=r"players=4.* have 517 numbers; got an array of shape \(2, 435\)"):
        agent.choose(batch.observation, batch.mask)


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"format": "something"}, "does not contain weights of an agent"),
        ({"game": "no_game"}, "has weights for 'no_game' with .*: unknown game 'no_game'"),
        ({"game": ["a", "list"]}, r"has weights for \['a', 'list'\] with"),
        ({"layout": 99}, "layout 99 of puerto_rico, this version of pr_env has layout"),
        ({"options": {"players": 9}}, "players must be a whole number from 2 to 6, got 9"),
        ({"options": {"players": None}}, "players must be a whole number from 2 to 6, got None"),
        ({"options": {"players": 4}}, "shapes of its layers do not match"),
        (
            {"options": {"players": 3, "colour": "blue"}},
            "options of puerto_rico must be among players, points, .*, got 'colour'",
        ),
        ({"options": [3]}, r"has weights for 'puerto_rico' with \[3\]"),
        (
            {"options": None, "players": 9},
            "players must be a whole number from 2 to 6, got 9",
        ),  # the format of the first agents
        ({"options": None, "players": None}, "players must be a whole number from 2 to 6, got None"),
    ],
)
def test_weights_of_something_else_are_refused(tmp_path: Path, about: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongWeightsError, match=words):
        Brain(write(tmp_path / "a.npz", about=about))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongWeightsError, match="does not exist"):
        NeuralAgent(GAME, str(tmp_path / "nothing.npz"))
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(WrongWeightsError, match="is not a weights file"):
        NeuralAgent(GAME, str(tmp_path / "text.npz"))
    path = write(tmp_path / "a.npz")
    arrays, about = read_arrays(path)
    write_arrays(path, {name: value for name, value in arrays.items() if name != "policy.bias"}, about)
    with pytest.raises(WrongWeightsError, match=r"lacks the array 'policy\.bias'"):
        NeuralAgent(GAME, str(path))
    write_arrays(path, arrays | {"hidden.1.weight": np.zeros((8, 7))}, about)
    with pytest.raises(WrongWeightsError, match="shapes of its layers do not match"):
        NeuralAgent(GAME, str(path))
    write_arrays(path, arrays | {"value.bias": np.zeros(4)}, about)
    with pytest.raises(WrongWeightsError, match="shapes of its output layers do not match"):
        NeuralAgent(GAME, str(path))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(WrongWeightsError, match="is not a weights file"):
        NeuralAgent(GAME, str(path))


def test_whatever_byte_is_wrong_the_file_is_refused_or_read(tmp_path: Path) -> None:
    good = write(tmp_path / "a.npz").read_bytes()
    random = np.random.default_rng(3)
    refused = 0
    for place in random.integers(0, len(good), 150).tolist() + list(range(len(good) - 150, len(good), 3)):
        damaged = bytearray(good)
        damaged[place] ^= 1 << int(random.integers(8))
        (tmp_path / "b.npz").write_bytes(damaged)
        try:
            Brain(tmp_path / "b.npz")
        except WrongWeightsError:
            refused += 1
    assert refused > 100


def test_whatever_byte_of_an_arrays_header_is_wrong_the_file_is_refused_or_read(tmp_path: Path) -> None:
    good = write(tmp_path / "a.npz").read_bytes()
    start = good.index(b"\x93NUMPY")
    refused = 0
    for place in range(start, start + 128):
        for other in (b"'", b"(", b"{", b"\\", b"9"):
            (tmp_path / "b.npz").write_bytes(good[:place] + other + good[place + 1 :])
            try:
                Brain(tmp_path / "b.npz")
            except WrongWeightsError:
                refused += 1
    assert refused > 500


def test_other_things_are_refused_in_words_of_our_own(tmp_path: Path) -> None:
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "text.npz").write_text("hello")
    for name in ("array.npy", "text.npz"):
        with pytest.raises(WrongWeightsError, match=r"it is not an archive of NumPy arrays, or incomplete$"):
            Brain(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "raw.npz", "w") as archive:
        archive.writestr("about.json", "{}")
    with pytest.raises(WrongWeightsError, match="does not contain weights of an agent"):
        Brain(tmp_path / "raw.npz")
    with pytest.raises(WrongWeightsError, match="is not a weights file"):
        Brain(tmp_path)
    path = write(tmp_path / "a.npz")
    arrays, about = read_arrays(path)
    write_arrays(path, arrays | {"policy.bias": np.array(["a"] * 86)}, about)
    with pytest.raises(WrongWeightsError, match=r"its array 'policy.bias' is not made of numbers"):
        Brain(path)


def test_messages_of_numpy_are_one_line_and_its_warnings_are_refusals(tmp_path: Path) -> None:
    def archive(header: bytes) -> Path:
        member = b"\x93NUMPY\x02\x00" + len(header).to_bytes(4, "little") + header + b"{}"
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
            file.writestr("about.json.npy", member)
        return tmp_path / "a.npz"

    with pytest.raises(WrongWeightsError, match=r"^[^\n]*Header info length[^\n]*$"):
        Brain(archive(b"x" * 30_000))
    with pytest.raises(WrongWeightsError, match="created on Python 2"):
        Brain(archive(b"{'descr': '|u1', 'fortran_order': False, 'shape': (2L,), }\n"))


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    objects = {"about.json": np.array([{"a": 1}], dtype=object)}
    np.savez(tmp_path / "a.npz", **objects)  # type: ignore[arg-type]
    with pytest.raises(WrongWeightsError, match="is not a weights file"):
        Brain(tmp_path / "a.npz")


def test_weights_without_values_play_but_cannot_serve_a_search(tmp_path: Path) -> None:
    arrays = {name: value for name, value in random_weights(3).items() if not name.startswith("value")}
    save_agent(tmp_path / "a.npz", arrays, PuertoRico(players=3), {})
    agent = NeuralAgent(GAME, str(tmp_path / "a.npz"))
    batch = Batch(GAME, 2, threads=1)
    agent.choose(batch.observation, batch.mask)
    with pytest.raises(WrongWeightsError, match="no values for the seats"):
        agent.evaluate(batch.observation, batch.mask)


def test_bad_options_are_refused() -> None:
    with pytest.raises(ValueError, match="temperature must be a number of at least 0, got -1"):
        make_agent("ppo:temperature=-1", GAME)


def test_a_device_lets_pytorch_compute_the_same_network(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz")
    batch = Batch(GAME, 50, seed=1, threads=1)
    plain, named = make_agent(f"ppo:weights={path}", GAME), make_agent(f"ppo:weights={path},device=cpu", GAME)
    assert isinstance(plain, NeuralAgent)
    assert isinstance(named, NeuralAgent)
    for expected, found in zip(
        plain.evaluate(batch.observation, batch.mask), named.evaluate(batch.observation, batch.mask), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    assert isinstance(make_agent("ppo+mcts:playouts=4,device=cpu", GAME), NeuralMctsAgent)


@pytest.mark.parametrize("device", ["nowhere", "cuda:99", "meta:x"])
def test_a_device_that_pytorch_does_not_have_is_refused(device: str) -> None:
    with pytest.raises(ValueError, match=f"device must be available to PyTorch, got '{device}'"):
        make_agent(f"ppo:device={device}", GAME)
