"""Ahead-of-time compilation, and commands from other packages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from agents.ahead import compile_ahead
from agents.registry import names_for
from pr_env import PortRoyal, PuertoRico, registry
from pr_env.cli import app
from pr_env.commands import compile as compiling
from pr_env.commands import layers
from pr_env.game import Game

NIM = "examples.nim:Nim"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


class Entry:
    """An entry point that returns a function, or fails."""

    def __init__(self, name: str, found: Any) -> None:
        self.name, self.value, self._found = name, f"{name}:add", found

    def load(self) -> Any:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


@pytest.fixture(autouse=True)
def _no_game_stays_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_from_outside", {})


# -- compile ----------------------------------------------------------------------------------------------------------


def test_what_is_compiled_is_told_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def hammer(game: Game, say: compiling.Say) -> None:
        with say(f"hammer for {game.name}"):
            print("pr_env: compiling the hammer ...", file=sys.stderr)
            print("something else", file=sys.stderr)

    missing = ModuleNotFoundError("no torch", name="torch")
    entries = [Entry("tools", hammer), Entry("learners", missing)]
    monkeypatch.setattr(compiling, "entry_points", lambda group: entries)
    result = run("compile", "--game", NIM, "--players", "3")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "learners: this needs torch, of the extra 'train': pip install -e '.[train]' in the checkout of pr-env",
        "nim: players=3",
    ]
    told = [re.sub(r"^ +\d+\.\d s  ", "", line) for line in lines[2:]]
    assert told[0] == "batch, 1 thread"
    assert told[-3:-1] == ["something else", "hammer for nim"]
    assert told[-1].startswith("in total, kept in ")


@pytest.mark.parametrize(
    ("arguments", "games"),
    [
        (
            (),
            [
                PuertoRico(),
                PuertoRico(buildings="draft"),
                PortRoyal(),
                PortRoyal(deck="set_sail"),
                PortRoyal(deck="adventure"),
            ],
        ),
        (("--game", "puerto_rico"), [PuertoRico(), PuertoRico(buildings="draft")]),
        (("--players", "6"), [PuertoRico(players=6)]),
    ],
)
def test_which_configurations_are_compiled(
    arguments: tuple[str, ...], games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Game] = []
    monkeypatch.setattr(compiling, "compile_ahead", asked.extend)
    assert run("compile", *arguments).exit_code == 0
    assert asked == games


def test_every_agent_of_the_game_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    @contextmanager
    def say(what: str) -> Iterator[None]:
        told.append(what)
        yield

    nim = registry.find_game(NIM)
    compile_ahead(nim(), say)
    assert [what.partition(":")[0] for what in told] == [
        "agent random",
        "agent ppo skipped",  # there are no weights for this game
        "agent mcts",
        "agent ppo+mcts skipped",
        "agent program skipped",  # it has no command
    ]
    assert [what.split()[1] for what in told] == list(names_for(nim))


def test_agents_that_cannot_play_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, *, game: Game) -> Any:
        raise ValueError(f"{name} is tired")

    told = []

    @contextmanager
    def say(what: str) -> Iterator[None]:
        told.append(what)
        yield

    monkeypatch.setattr("agents.ahead.make_agent", make)
    compile_ahead(PuertoRico(), say)
    assert told[0] == "agent random skipped: random is tired"
    assert len(told) == len(names_for(PuertoRico))


# -- commands of other packages ---------------------------------------------------------------------------------------


def test_packages_add_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    def add(program: typer.Typer) -> None:
        @program.command()
        def dance() -> None:
            """Dance."""
            typer.echo("la la")

        @program.command()
        def play() -> None:
            """Never used: a command of the package itself comes first."""

    monkeypatch.setattr(layers, "entry_points", lambda group: [Entry("dances", add)])
    assert re.search(r"^  dance +Dance\.$", run("--help").stdout, re.MULTILINE)
    assert run("dance").stdout == "la la\n"
    assert "Play against agents" in run("play", "--help").stdout


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            ModuleNotFoundError("no torch", name="torch"),
            "this needs torch, of the extra 'train': pip install -e '.[train]' in the checkout of pr-env",
        ),
        (AttributeError("nothing there"), "broken:add cannot be loaded: nothing there"),
    ],
)
def test_a_package_that_cannot_be_loaded_breaks_nothing(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(program: typer.Typer) -> None:
        program.command()(dance)

    def dance() -> None:
        """Dance."""

    monkeypatch.setattr(layers, "entry_points", lambda group: [Entry("broken", error), Entry("dances", add)])
    assert run("dance").exit_code == 0
    result = run("broken", "--some", "option")
    assert result.exit_code == 1
    assert result.stderr == f"pr-env: {message}\n"
    assert "".join(message.split()) in "".join(run("broken", "--help").stdout.split())
    assert "Not available" in run("--help").stdout


def test_own_commands_load_no_other_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(group: str) -> list[Any]:
        raise AssertionError("must not be imported")

    monkeypatch.setattr(layers, "entry_points", refuse)
    assert run("info", "--help").exit_code == 0
