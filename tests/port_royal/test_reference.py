"""The engine agrees with the reference and with recorded games, decision by decision.

This covers some configurations; ``python -m tests.port_royal.follow_reference`` compares all of them.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.port_royal.follow_recorded import follow, follow_recorded
from tests.port_royal.follow_reference import CONFIGURATIONS, POLICIES, follow_games, play

EVERY = 23  # a prime, so that the selected configurations differ in all options


def test_the_engine_follows_recorded_games_of_every_configuration() -> None:
    assert follow_recorded(1) == "23 games, 4349 decisions: no difference"


def test_the_engine_follows_games_of_the_reference() -> None:
    assert "no difference" in follow_games(1, every=EVERY)


def test_the_configurations_taken_have_everything() -> None:
    taken = CONFIGURATIONS[::EVERY]
    assert {config["players"] for config in taken} == {1, 2, 3, 4, 5}
    for name in ("gambler", "set_sail_20", "contract_cards", "contracts"):
        assert 0 < sum(name in config.get("add", ()) for config in taken) < len(taken)
    for name in ("alternative_end", "must_repel_duplicate", "score_start"):
        assert any(config.get(name) for config in taken)
    assert {config.get("vice_admiral_passive", 1) for config in taken} == {1, 2}
    assert {config.get("mode", "competitive") for config in taken} == {"competitive", "cooperative"}


def test_the_engine_follows_games_that_a_team_wins() -> None:
    """With contracts about the harbour and busts, a bold player wins sometimes."""
    config = {"players": 1, "mode": "cooperative", "add": ["gambler", "contract_cards", "contracts"]}
    easy = ("jinx", "gamester", "little_gamester")
    games = [play(config, seed, "bold", contracts=easy) for seed in range(30)]
    won = [game for game in games if game["result"]["team"]["won"]]
    assert len(won) >= 3
    assert sum(follow(game) for game in won) > 30


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda step: step["coins"].__setitem__(0, step["coins"][0] + 1), "coins is"),
        (lambda step: step["legal"].pop(), "recorded"),
        (lambda step: step.update(active=1 - step["active"]), "active is"),
    ],
)
def test_a_difference_is_noticed(change: Any, complaint: str) -> None:
    game = play({"players": 2}, seed=1, policy=next(iter(POLICIES)))
    change(game["steps"][20])
    with pytest.raises(AssertionError, match=complaint):
        follow(game)
