"""One network for several values of an option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.neural import value_count
from pr_env import PortRoyal
from tests.port_royal.uncompiled import run_uncompiled
from training.selfplay import Settings
from training.settings import variants_of

CHAPTERS: dict[str, Any] = {"players": 2, "deck": "adventure", "mode": "cooperative"}

TRAIN = """
import sys
from pathlib import Path
import numpy as np
from training.selfplay import SelfPlay, Settings

chapters = {"players": 2, "deck": "adventure", "mode": "cooperative"}
settings = Settings(
    game="port_royal", options=chapters, vary={"chapter": [1, 3, 5]}, num_envs=4, num_steps=6, hidden_sizes=(8,),
    update_epochs=1, minibatch_size=16, lessons=20,
)
learner = SelfPlay(settings)
for part in (0.0, 0.5):
    assert learner.in_lessons == (part == 0.0)
    learner.iterate(part)
names = [mission.name for mission in learner.game.cards.missions]
firsts = [names[mission] for mission in learner.games["mission"][:, 0]]
assert firsts == ["10", "30", "50", "50"], firsts
learner.save(Path(sys.argv[1]))
again = SelfPlay.load(Path(sys.argv[1]))
assert np.array_equal(again.games, learner.games)
assert again.settings.vary == {"chapter": [1, 3, 5]}
again.iterate(1.0)
others = SelfPlay.load(Path(sys.argv[1]), vary={"chapter": [2]})
assert {names[mission] for mission in others.games["mission"][:, 0]} == {"20"}
print("learned")
"""


def test_one_network_learns_several_chapters(tmp_path: Path) -> None:
    said = run_uncompiled("-c", TRAIN, str(tmp_path / "checkpoint.npz"))
    assert "learned" in said


def test_without_vary_there_is_one_game() -> None:
    assert variants_of(Settings(game="port_royal", options=CHAPTERS)) == (PortRoyal(**CHAPTERS),)


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({"chapter": 3}, "vary must list the values of chapter"),
        ({"chapter": []}, "vary must list the values of chapter"),
        ({"chapter": [1], "bonus_coins": [[1, 1]]}, "vary must name one option"),
        ({"dragons": [1]}, "does not have this option"),
        ({"chapter": [1, 9]}, "chapter"),
        ({"players": [2, 3]}, "keep records, actions and observations"),
        ({"jean_counts_for_missions": [False, True]}, "that agents need not be trained for"),
    ],
)
def test_what_cannot_vary_is_refused(vary: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings(game="port_royal", options=CHAPTERS, vary=vary)


def test_there_must_be_a_game_for_each_value() -> None:
    with pytest.raises(ValueError, match="num_envs must be at least"):
        Settings(game="port_royal", options=CHAPTERS, vary={"chapter": [1, 2, 3]}, num_envs=2)


def test_weights_for_one_chapter_fit_all() -> None:
    games = [PortRoyal(**CHAPTERS, chapter=chapter) for chapter in (1, 2, 3, 4, 5)]
    games.append(PortRoyal(**CHAPTERS, chapter=2, bonus_coins=(3, 0)))
    assert all(game.options_for_agents() == games[0].options_for_agents() for game in games)
    assert len({(game.observation_size, len(game.actions), value_count(game)) for game in games}) == 1
    assert np.unique([game.observation_size for game in games]).size == 1
