"""Properties of random games: invariants, reproducibility, the bank's ledger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pr_env import Batch, IllegalActionError, PuertoRico
from pr_env.puerto_rico.tables import BUILDINGS
from tests.puerto_rico.soak import CONFIGURATIONS
from tests.soaking import soak

PLAYERS = st.sampled_from([2, 3, 4, 5])
SEEDS = st.integers(min_value=0, max_value=2**64 - 10_000)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_small_soak(players: int) -> None:
    soak(PuertoRico(players=players), games=400, seed=players, batch_size=200)


@pytest.mark.parametrize("configuration", [c for name, all_ in CONFIGURATIONS.items() if name != "base" for c in all_])
def test_small_soak_of_variants(configuration: dict[str, Any]) -> None:
    soak(PuertoRico(**configuration), games=60, seed=7, batch_size=60)


@settings(max_examples=25, deadline=None)
@given(players=PLAYERS, seed=SEEDS, choices=st.lists(st.integers(0, 10**6), min_size=20, max_size=150))
def test_any_legal_play_keeps_the_game_possible(players: int, seed: int, choices: list[int]) -> None:
    batch = Batch(PuertoRico(players=players), 1, seed=seed, threads=1)
    for choice in choices:
        legal = np.flatnonzero(batch.mask[0])
        assert len(legal) >= 2
        batch.step([legal[choice % len(legal)]])
        assert batch.game.problems(batch.games) == []


@settings(max_examples=25, deadline=None)
@given(
    players=PLAYERS, seed=SEEDS, steps=st.integers(0, 120), action=st.integers(-(2**62), 2**62) | st.integers(-2, 90)
)
def test_an_illegal_action_raises_names_itself_and_changes_nothing(
    players: int, seed: int, steps: int, action: int
) -> None:
    batch = Batch(PuertoRico(players=players), 3, seed=seed, threads=1)
    for _ in range(steps):
        batch.step(batch.sample_actions())
    actions = batch.sample_actions()
    if 0 <= action < len(batch.game.actions) and batch.mask[1, action]:
        return
    actions[1] = action
    before = batch.games.tobytes()
    with pytest.raises(IllegalActionError) as error:
        batch.step(actions)
    assert batch.games.tobytes() == before
    assert f"action {action}" in str(error.value)
    assert all(str(legal) in str(error.value) for legal in batch.legal_actions(1))


# -- the bank's ledger -------------------------------------------------------------------------------------------------

COST = {building.name: building.cost for building in BUILDINGS}
COLUMN = {building.name: building.column for building in BUILDINGS}
PRICE = {"corn": 0, "indigo": 1, "sugar": 2, "tobacco": 3, "coffee": 4}


def payments(before: dict[str, Any], name: tuple[str | int, ...], after: dict[str, Any]) -> list[int]:
    """The doubloons that each player must have received from (or paid to) the bank and the role cards by an action."""
    players, player = before["players"], before["player"]
    board = before["boards"][player]
    change = [0] * players
    picking = name[0] == "pick"
    privileged = player == before["picker"]
    if picking:
        change[player] += before["roles"][name[1]]["doubloons"]
        if str(name[1]).startswith("prospector"):
            change[player] += 1
    elif name[0] == "build":
        building = str(name[1])
        quarries = min(board["island"].get("quarry", {"colonists": 0})["colonists"], COLUMN[building])
        change[player] -= max(0, COST[building] - quarries - privileged)
    elif name[0] == "sell":
        change[player] += PRICE[str(name[1])] + privileged
        change[player] += (board["city"].get("small_market", 0) > 0) + 2 * (board["city"].get("large_market", 0) > 0)
    if name == ("pick", "craftsman"):
        for seat in range(players):
            if before["boards"][seat]["city"].get("factory", 0) > 0:
                gained = [
                    after["boards"][seat]["goods"][good] > before["boards"][seat]["goods"][good] for good in PRICE
                ]
                change[seat] += (0, 0, 1, 2, 3, 5)[sum(gained)]
    return change


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_doubloon_is_accounted_for(players: int) -> None:
    batch = Batch(PuertoRico(players=players), 4, seed=40 + players, observations=False, autoreset=False)
    for _ in range(500):
        actions = batch.sample_actions()
        over = batch.is_over()
        before = [batch.to_dict(index) for index in range(len(batch))]
        batch.step(actions)
        for index in np.flatnonzero(~over):
            after = batch.to_dict(int(index))
            name = batch.game.actions[actions[index]].name
            found = [
                new["doubloons"] - old["doubloons"]
                for old, new in zip(before[index]["boards"], after["boards"], strict=True)
            ]
            assert found == payments(before[index], name, after), name


# -- reproducibility ---------------------------------------------------------------------------------------------------


def play(batch: Batch, steps: int) -> bytes:
    """A trace of all arrays of a batch."""
    trace = []
    for _ in range(steps):
        out = batch.step(batch.sample_actions())
        trace.append(
            b"".join(np.ascontiguousarray(array).tobytes() for array in (out.reward, out.mask, out.observation))
        )
    return b"".join(trace) + batch.games.tobytes()


def test_the_same_seed_gives_the_same_game_in_any_batch_with_any_number_of_threads() -> None:
    game = PuertoRico(players=4)
    large = Batch(game, 300, seed=5, threads=2)
    small = Batch(game, 7, seed=5, threads=1)
    alone = Batch(game, 1, seed=5 + 6, threads=1)
    for _ in range(700):
        for batch in (large, small, alone):
            batch.step(batch.sample_actions())
        assert large.games[:7].tobytes() == small.games.tobytes()
        assert small.games[6].tobytes() == alone.games[0].tobytes()
        assert np.array_equal(large.observation[:7], small.observation)
        assert np.array_equal(large.reward[:7], small.reward)


def test_one_and_two_threads_agree_on_everything() -> None:
    game = PuertoRico(players=3)
    assert play(Batch(game, 64, seed=1, threads=1), 500) == play(Batch(game, 64, seed=1, threads=2), 500)


def test_other_seeds_give_other_games() -> None:
    games = Batch(PuertoRico(players=3), 200, seed=0).games
    assert len({tuple(tiles) for tiles in games["face_up"]}) > 30


def test_a_game_that_restarts_is_the_game_of_its_seed() -> None:
    batch = Batch(PuertoRico(players=2), 4, seed=9)
    while not batch.terminated.any():
        batch.step(batch.sample_actions())
    index = int(np.flatnonzero(batch.terminated)[0])
    seed = batch.seed[index]
    assert seed != 9 + index
    fresh = Batch(PuertoRico(players=2), 1, seed=[seed])
    assert fresh.games[0].tobytes() == batch.games[index].tobytes()
    assert batch.final["seed"][index] == 9 + index
