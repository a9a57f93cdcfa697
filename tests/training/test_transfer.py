import numpy as np
import pytest
import torch

from agents.neural import value_count
from examples.in_order import InOrder
from pr_env import PuertoRico
from pr_env.game import Game
from training.selfplay import Network
from training.transfer import TransferError, for_game, for_layers


def weights(players: int) -> dict[str, np.ndarray]:
    return Network(PuertoRico(players=players).observation_size, 86, players, (8, 8)).arrays()


def dealt_to(old: dict[str, np.ndarray], before: int, after: int) -> dict[str, np.ndarray]:
    return for_game(old, PuertoRico(players=before), PuertoRico(players=after))


def opponent(first: np.ndarray, distance: int) -> np.ndarray:
    """The part of the first layer that reads the opponent at a distance from oneself."""
    return first[:, 189 + 82 * distance : 189 + 82 * (distance + 1)]


def test_the_same_number_of_players_changes_nothing() -> None:
    old = weights(4)
    new = dealt_to(old, 4, 4)
    assert all(np.array_equal(old[name], new[name]) for name in old)


def test_neighbours_keep_what_read_neighbours() -> None:
    old = weights(3)
    new = dealt_to(old, 3, 5)
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
        new = dealt_to(weights(start), start, players)
        Network(PuertoRico(players=players).observation_size, 86, players, (8, 8)).load_arrays(new)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (PuertoRico(), PuertoRico(buildings="random"), "the actions differ"),
        (PuertoRico(), InOrder(), "the actions differ"),
        (InOrder(players=2), InOrder(players=3), "no separate part for each opponent"),
    ],
)
def test_weights_of_games_with_too_little_in_common_are_refused(before: Game, after: Game, sentence: str) -> None:
    network = Network(before.observation_size, len(before.actions), value_count(before), (8, 8))
    with pytest.raises(TransferError, match=sentence):
        for_game(network.arrays(), before, after)


def test_options_that_leave_the_observation_as_it_is_change_nothing() -> None:
    old = weights(3)
    assert for_game(old, PuertoRico(), PuertoRico(points="hidden", balanced=True)) is old


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
