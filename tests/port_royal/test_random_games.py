"""Properties of random games: invariants, reproducibility, and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pr_env import Batch, IllegalActionError, PortRoyal
from tests.port_royal import plain
from tests.port_royal.follow_reference import CONFIGURATIONS
from tests.port_royal.golden import EVERYTHING
from tests.port_royal.soak import KNOWN, check_epochs, differences, measure
from tests.soaking import soak

SEEDS = st.integers(min_value=0, max_value=2**64 - 10_000)
CHOICES = st.lists(st.integers(0, 10**6), min_size=10, max_size=60)
# Two record types are compiled for these tests, as for the golden games; `make soak` plays all configurations.
COMPILED: list[dict[str, Any]] = [
    *({"players": players} for players in (2, 3, 4, 5)),
    {"players": 3, "alternative_end": True, "must_repel_duplicate": True},
    *({"players": players, "add": EVERYTHING, "mode": "cooperative"} for players in (1, 3, 5)),
]


def options_of(config: dict[str, Any]) -> dict[str, Any]:
    """A configuration of the reference as options of the engine."""
    return {"deck" if name == "game" else name: value for name, value in config.items()}


@pytest.mark.parametrize("options", COMPILED, ids=str)
def test_small_soak(options: dict[str, Any]) -> None:
    soak(PortRoyal(**options), games=150, seed=options["players"], batch_size=75, also=check_epochs)


@settings(max_examples=40, deadline=None)
@given(config=st.sampled_from(CONFIGURATIONS), seed=SEEDS, choices=CHOICES)
def test_any_legal_play_keeps_the_game_possible(config: dict[str, Any], seed: int, choices: list[int]) -> None:
    game = PortRoyal(**options_of(config))
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(seed))
    for choice in choices:
        assert game.problems(record.flush()) == []
        legal = np.flatnonzero(record.legal)
        if record.ending:
            assert not len(legal)
            break
        assert len(legal) >= 2
        plain.rules.step(record, tables, int(legal[choice % len(legal)]))


@settings(max_examples=25, deadline=None)
@given(config=st.sampled_from(CONFIGURATIONS), seed=SEEDS, choices=CHOICES)
def test_influence_never_falls_but_by_a_claim_and_sabres_only_grow(
    config: dict[str, Any], seed: int, choices: list[int]
) -> None:
    """Players only lose persons to expeditions, which are worth at least their cost."""
    game = PortRoyal(**options_of(config))
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(seed))
    influence, sabres = record.influence.copy(), record.sabres.copy()
    for choice in choices:
        legal = np.flatnonzero(record.legal)
        if not len(legal):
            break
        plain.rules.step(record, tables, int(legal[choice % len(legal)]))
        assert (record.sabres >= sabres).all()
        if record.question != plain.legal.PAY:
            assert (record.influence >= influence).all()
            influence = record.influence.copy()
        sabres = record.sabres.copy()


@settings(max_examples=25, deadline=None)
@given(
    players=st.sampled_from([2, 3, 4, 5]),
    seed=SEEDS,
    steps=st.integers(0, 120),
    action=st.integers(-(2**62), 2**62) | st.integers(-2, 50),
)
def test_an_illegal_action_raises_names_itself_and_changes_nothing(
    players: int, seed: int, steps: int, action: int
) -> None:
    batch = Batch(PortRoyal(players=players), 3, seed=seed, threads=1)
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


def test_the_same_seed_gives_the_same_game_in_any_batch_with_any_number_of_threads() -> None:
    game = PortRoyal(players=4)
    large = Batch(game, 200, seed=5, threads=2)
    small = Batch(game, 7, seed=5, threads=1)
    alone = Batch(game, 1, seed=5 + 6, threads=1)
    for _ in range(400):
        for batch in (large, small, alone):
            batch.step(batch.sample_actions())
    assert large.games[:7].tobytes() == small.games.tobytes()
    assert small.games[6].tobytes() == alone.games[0].tobytes()
    assert np.array_equal(large.observation[:7], small.observation)


def test_compiled_and_plain_rules_agree_on_every_position() -> None:
    game = PortRoyal(players=3)
    batch = Batch(game, 1, seed=11, autoreset=False, threads=1)
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(11))
    while not batch.is_over()[0]:
        assert record.flush().tobytes() == batch.games.tobytes()
        chosen = batch.sample_actions()
        batch.step(chosen)
        plain.rules.step(record, tables, int(chosen[0]))
    assert record.flush().tobytes() == batch.games.tobytes()


@pytest.mark.parametrize("known", KNOWN[:4], ids=lambda known: str(known.options))
def test_figures_of_random_play_are_those_of_another_implementation(known: Any) -> None:
    assert differences(known, measure(known.options, games=1500)) == []


def test_figures_that_are_far_apart_are_noticed() -> None:
    known = KNOWN[0]
    assert differences(known, known._replace(turns=known.turns * 1.05))
    assert differences(known, known._replace(busts=known.busts * 1.3))
    assert not differences(known, known)
