import numpy as np
import pytest
import torch

from pr_env import PuertoRico
from training.selfplay import Network
from training.transfer import for_layers, for_players


def weights(players: int) -> dict[str, np.ndarray]:
    return Network(PuertoRico(players=players).observation_size, 86, players, (8, 8)).arrays()


def opponent(first: np.ndarray, distance: int) -> np.ndarray:
    """The part of the first layer that reads the opponent at a distance from oneself."""
    return first[:, 189 + 82 * distance : 189 + 82 * (distance + 1)]


def test_the_same_number_of_players_changes_nothing() -> None:
    old = weights(4)
    new = for_players(old, 4)
    assert all(np.array_equal(old[name], new[name]) for name in old)


def test_neighbours_keep_what_read_neighbours() -> None:
    old = weights(3)
    new = for_players(old, 5)
    first, dealt = old["hidden.0.weight"], new["hidden.0.weight"]
    assert np.array_equal(first[:, : 189 + 82], dealt[:, : 189 + 82])
    assert np.array_equal(opponent(first, 1), opponent(dealt, 1))
    assert np.array_equal(opponent(first, 2), opponent(dealt, 4))
    assert opponent(dealt, 2) == pytest.approx(2 / 3 * opponent(first, 1) + 1 / 3 * opponent(first, 2), abs=1e-6)
    value = new["value.weight"]
    assert np.array_equal(value[[0, 1, 4]], old["value.weight"])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fits_every_number_of_players(players: int) -> None:
    for start in (2, 3, 4, 5):
        new = for_players(weights(start), players)
        Network(PuertoRico(players=players).observation_size, 86, players, (8, 8)).load_arrays(new)


def test_weights_of_another_layout_are_refused() -> None:
    with pytest.raises(ValueError, match="the first layer reads 100 numbers"):
        for_players(weights(3) | {"hidden.0.weight": np.zeros((8, 100))}, 4)


def test_a_wider_network_plays_the_same_and_its_new_units_can_learn() -> None:
    narrow, wide = (Network(435, 86, 3, layers) for layers in ((8, 8), (20, 12)))
    grown = for_layers(narrow.arrays(), (20, 12), seed=1)
    wide.load_arrays(grown)
    seen = torch.rand(50, 435)
    for before, after in zip(narrow(seen), wide(seen), strict=True):
        assert torch.allclose(before, after, atol=1e-5)
    wide(seen)[0].sum().backward()
    assert wide.policy.weight.grad is not None
    assert (wide.policy.weight.grad[:, 8:] != 0).any()
    assert (grown["hidden.0.weight"][8:] != 0).all()


def test_a_network_does_not_shrink() -> None:
    with pytest.raises(ValueError, match=r"\[8, 8\] cannot grow to \[8, 4\]"):
        for_layers(weights(3), (8, 4), seed=0)
    with pytest.raises(ValueError, match="cannot grow"):
        for_layers(weights(3), (8, 8, 8), seed=0)
