"""Agents of other packages, found by entry points wherever agents are given by name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents.arena import play_match
from agents.offered import OfferedAgent, find_agent, names_of_others
from pr_env import PuertoRico
from pr_env.cli import app
from tests.agents.toys import Nim

GAME = PuertoRico(players=3, max_rounds=2)
MODULE = """
import numpy as np


class Mason:
    needs_observations = False
    games_at_once = 7

    def __init__(self, seed):
        self.seed = seed

    def choose(self, observations, masks, games=None):
        return masks.argmax(axis=1)


def make(name, *, game, seed):
    if name.partition(":")[0] != "mason":
        raise ValueError(f"no mason is called {name}")
    if game.name != "puerto_rico":
        raise ValueError(f"mason plays puerto_rico, not {game.name}")
    return Mason(seed)


def names(kind):
    return {"mason": "builds and builds"} if kind.name == "puerto_rico" else {}
"""


@pytest.fixture
def _masons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package: a module, and the entry points of its players."""
    (tmp_path / "masons.py").write_text(MODULE)
    about = tmp_path / "masons-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: masons\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[pr_env.opponents]\nmasons = masons:make\n\n[pr_env.opponent_names]\nmasons = masons:names\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.delitem(sys.modules, "masons", raising=False)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.usefixtures("_masons")
def test_a_player_of_another_package_is_an_agent() -> None:
    agent = find_agent("mason:hard", GAME, seed=5)
    assert isinstance(agent, OfferedAgent)
    assert (agent.needs_observations, agent.needs_games, agent.games_at_once) == (False, False, 7)
    assert agent.game == GAME
    assert not play_match(GAME, ["mason", "random"], games=6).faults
    assert names_of_others(PuertoRico) == {"mason": "builds and builds"}
    assert names_of_others(Nim) == {}


@pytest.mark.usefixtures("_masons")
def test_what_nobody_knows_is_refused_with_what_each_package_says() -> None:
    for name, game, complaints in (
        ("mason", Nim(), ("there is no agent 'mason' for nim", "mason plays puerto_rico, not nim")),
        ("nobody", GAME, ("there is no agent 'nobody' for puerto_rico", "no mason is called nobody")),
    ):
        with pytest.raises(ValueError, match=f"^no opponent '{name}': ") as refusal:
            find_agent(name, game)
        assert all(complaint in str(refusal.value) for complaint in complaints)
    with pytest.raises(ValueError, match="agent 'random' has no option 'depth=3'"):
        find_agent("random:depth=3", GAME)


def test_without_other_packages_only_the_own_ones_are_named() -> None:
    with pytest.raises(ValueError, match=r"^there is no agent 'mason' for puerto_rico; available: random"):
        find_agent("mason", GAME)


@pytest.mark.usefixtures("_masons")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_it_plays_in_the_arena(processes: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    options = ("--players", "3", "--max-rounds", "2", "--games", "3", "--processes", processes, "--out", str(out))
    result = run("arena", "mason", "random", *options)
    assert result.exit_code == 0, result.output
    assert "mason + 2 x random: 3 games" in result.stdout
    data = json.loads(out.read_text())
    assert data["configuration"]["batch"] == 7
    assert not any("fault" in game for match in data["matches"] for game in match["games"])


@pytest.mark.usefixtures("_masons")
def test_it_is_listed_and_plays_for_watch() -> None:
    assert "builds and builds" in run("agents").stdout
    result = run("watch", "mason", "--max-rounds", "1", "--boards", "end", "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "mason" in result.stdout
