"""The reference follows games recorded by another slow implementation, and is self-consistent in random play.

All 138 recorded games together take about 10 seconds, so all of them are played.
"""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from .reference import ReferenceGame

with gzip.open(Path(__file__).parent / "recorded_games.jsonl.gz", "rt") as lines:
    RECORDED = [json.loads(line) for line in lines]
WITH_CONTRACTS = {"add": ["contract_cards", "contracts"]}
EVERYTHING = {"add": ["gambler", "set_sail_20", "contract_cards", "contracts"]}
CONFIGS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 5, "add": ["gambler"]},
    {"players": 4, "game": "set_sail"},
    {"players": 3, "alternative_end": True, "must_repel_duplicate": True},
    {"players": 2, "vice_admiral_passive": 2, **EVERYTHING},
    {"players": 5, **EVERYTHING},
    {"players": 1, "mode": "cooperative", "score_start": 3, **WITH_CONTRACTS},
    {"players": 3, "mode": "cooperative", **EVERYTHING},
    {"players": 3, "max_turns": 7},
    {"players": 3, "max_decisions": 20},
]


def without_progress_of_finishers(contracts: dict[str, Any]) -> dict[str, Any]:
    """Remove the recorded progress of players who have completed a contract, which is meaningless."""
    return {
        name: {
            "finishers": state["finishers"],
            "progress": [0 if seat in state["finishers"] else done for seat, done in enumerate(state["progress"])],
        }
        for name, state in contracts.items()
    }


@pytest.mark.parametrize("number", range(len(RECORDED)))
def test_reference_follows_the_recorded_game(number: int) -> None:
    recorded = RECORDED[number]
    faces = [face for step in recorded["steps"] for face in step["revealed"]] + recorded["last_revealed"]
    game = ReferenceGame(recorded["config"], faces=faces, contracts=recorded["contracts"])
    for place, step in enumerate(recorded["steps"]):
        position = {"revealed": game.revealed, **game.position()}
        action = step.pop("action")
        step["asleep"] = sorted(step["asleep"], key=lambda name: game.number[tuple(name)])
        if "contracts" in step:
            step["contracts"] = without_progress_of_finishers(step["contracts"])
        assert {key: position[key] for key in step} == step, f"decision {place}"
        game.step(action)
        if place % 10 == 0:
            game.check()
    assert game.over
    assert game.revealed == recorded["last_revealed"]
    assert game.position()["display"] == recorded["display"]
    assert game.result() == recorded["result"]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_no_card_is_lost_and_a_script_of_the_faces_gives_the_same_game(config: dict[str, Any]) -> None:
    for seed in range(3):
        chooser = random.Random(seed)
        game = ReferenceGame(config, seed=seed)
        positions, actions, faces = [], [], list(game.revealed)
        while not game.over:
            positions.append(game.position())
            actions.append(chooser.choice(game.legal))
            game.step(actions[-1])
            if len(actions) % 5 == 0:
                game.check()
            faces += game.revealed
        scripted = ReferenceGame(config, faces=faces, contracts=list(game.contracts))
        for position, action in zip(positions, actions, strict=True):
            assert scripted.position() == position
            scripted.step(action)
        scripted.check()
        assert scripted.over
        assert scripted.faces_used == len(faces)
        assert scripted.result() == game.result()


def test_a_copy_plays_on_independently() -> None:
    chooser = random.Random(1)
    game = ReferenceGame({"players": 3, **EVERYTHING}, seed=1)
    for _ in range(60):
        game.step(chooser.choice(game.legal))
    before = game.position()
    twin = game.clone()
    while not twin.over:
        twin.step(chooser.choice(twin.legal))
        twin.check()
    assert game.position() == before
    game.check()


def test_an_impossible_face_is_noticed() -> None:
    with pytest.raises(AssertionError, match="not among the unseen"):
        ReferenceGame({"players": 2}, faces=["one_of_each"])
    game = ReferenceGame({"players": 2}, faces=["pirate:9:3", "pirate:9:3"])
    with pytest.raises(AssertionError, match="not among the unseen"):
        game.step(("draw",))


@pytest.mark.parametrize(
    ("config", "actions"),
    [
        ({}, 44),
        ({"game": "set_sail"}, 23),
        ({"add": ["contract_cards"]}, 59),
        ({"add": ["gambler"]}, 48),
        ({"add": ["set_sail_20"]}, 50),
        (WITH_CONTRACTS, 79),
        ({"mode": "cooperative", **WITH_CONTRACTS}, 81),
        (EVERYTHING, 89),
    ],
)
def test_number_of_actions(config: dict[str, Any], actions: int) -> None:
    assert len(ReferenceGame(config, seed=0).actions) == actions
