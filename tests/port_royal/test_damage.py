"""Damaged records and descriptions: they are rejected, or the game continues safely.

The tests use plain rules, which raise IndexError where machine code would read or write outside its arrays.
"""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from pr_env import PositionError
from pr_env.port_royal import PortRoyal
from tests.port_royal import plain
from tests.port_royal.configurations import EVERYTHING
from tests.port_royal.follow_reference import POLICIES, choose

CONFIGURATIONS: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 4, "deck": "set_sail"},
    {"players": 2, "add": EVERYTHING},
    {"players": 3, "add": EVERYTHING, "mode": "cooperative"},
    {"players": 1, "add": EVERYTHING, "mode": "cooperative"},
]


def some_positions(game: PortRoyal, seed: int, each: int) -> list[np.ndarray]:
    """Positions of one game at regular intervals, by a player who gets far."""
    chance = random.Random(seed)
    record, tables = plain.Light(game.blank.copy()), plain.Light(game.tables)
    plain.rules.set_up(record, tables, np.uint64(seed))
    positions = []
    policy = list(POLICIES)[seed % len(POLICIES)]
    for number in range(600):
        if number % each == 0:
            positions.append(record.flush().copy())
        legal = [game.actions[action].name for action in np.flatnonzero(record.legal)]
        if not legal:
            break
        plain.rules.step(record, tables, game.action_number(*choose(policy, legal, chance)))
    return positions


def damage(games: np.ndarray, chance: random.Random) -> str:
    """Change some bytes, or some numbers a little; returns what was changed."""
    changed = []
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if chance.random() < 0.3:
            place = chance.randrange(games.nbytes)
            games.view("u1")[place] ^= 1 << chance.randrange(8)
            changed.append(f"byte {place}")
        else:
            name = chance.choice([name for name in games.dtype.names or () if games[name].size and name != "players"])
            flat = games[name].reshape(-1)
            place = chance.randrange(flat.size)
            info = np.iinfo(flat.dtype)
            value = (
                int(flat[place]) + chance.choice((-2, -1, 1, 2, 5)) if chance.random() < 0.7 else chance.randrange(12)
            )
            flat[place] = min(max(value, int(info.min)), int(info.max))
            changed.append(f"{name}[{place}] {flat[place]}")
    return ", ".join(changed)


def play_on(game: PortRoyal, games: np.ndarray, chance: random.Random, decisions: int) -> None:
    """Play on from an external record, and check that the positions stay possible."""
    record, tables = plain.Light(games), plain.Light(game.tables)
    plain.rules.refresh(record, tables)
    for _ in range(decisions):
        problems = game.problems(record.flush())
        assert problems == []
        legal = np.flatnonzero(record.legal)
        if record.question == plain.rules.GAME_OVER:
            assert not len(legal)
            return
        assert len(legal) >= 2
        plain.rules.step(record, tables, int(chance.choice(legal)))


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_a_damaged_record_is_refused_or_can_be_played(options: dict[str, Any]) -> None:
    game = PortRoyal(**options)
    refused = played = 0
    for seed in range(2):
        chance = random.Random(seed)
        for position in some_positions(game, seed, each=12):
            for _ in range(12):
                games = position.copy()
                changed = damage(games, chance)
                if game.problems(games):
                    refused += 1
                    continue
                played += 1
                try:
                    play_on(game, games, chance, decisions=12)
                except (AssertionError, IndexError, ZeroDivisionError, ValueError) as error:
                    raise AssertionError(f"{options}, seed {seed}: {changed}: {error!r}") from error
    assert refused > 60
    assert played > 5


# -- descriptions ------------------------------------------------------------------------------------------------------

STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    3,
    300,
    10**20,
    1.5,
    float("nan"),
    "",
    "x",
    "captain_4_1",
    [],
    {},
    [[]],
    [-1],
]


def damage_description(position: Any, chance: random.Random) -> Any:
    """Change, remove, repeat or add something anywhere in a description."""
    if isinstance(position, dict) and position and chance.random() < 0.9:
        name = chance.choice(list(position))
        match chance.randrange(6):
            case 0:
                return {key: value for key, value in position.items() if key != name}
            case 1:
                return {**position, chance.choice((f"{name}s", "x", 7)): position[name]}
            case 2:
                return {**position, name: chance.choice(list(position.values()))}
        return {**position, name: damage_description(position[name], chance)}
    if isinstance(position, list) and position and chance.random() < 0.9:
        place = chance.randrange(len(position))
        match chance.randrange(4):
            case 0:
                return position[:place] + position[place + 1 :]
            case 1:
                return position[:place] + position[place:] * 2
        return [*position[:place], damage_description(position[place], chance), *position[place + 1 :]]
    if isinstance(position, int) and chance.random() < 0.5:
        return position + chance.choice((-1, 1, 2))
    return chance.choice(STRANGE)


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_a_damaged_description_is_refused_or_can_be_played(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refresh(self: PortRoyal, games: np.ndarray) -> None:
        record = plain.Light(games)
        plain.rules.refresh(record, plain.Light(self.tables))
        record.flush()

    monkeypatch.setattr(PortRoyal, "_refresh", refresh)  # nothing is compiled
    game = PortRoyal(**options)
    refused = played = 0
    for seed in range(2):
        chance = random.Random(seed)
        for position in some_positions(game, seed, each=25):
            told = game.to_dict(position[0])
            assert game.from_dict(json.loads(json.dumps(told))).tobytes() == position.tobytes()
            for _ in range(12):
                damaged = damage_description(told, chance)
                before = repr(damaged)
                try:
                    games = game.from_dict(damaged)
                except PositionError:
                    refused += 1
                else:
                    played += 1
                    play_on(game, games, chance, decisions=8)
                assert repr(damaged) == before
    assert refused > 25
    assert played > 2
