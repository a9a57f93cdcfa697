"""The commands info, bench and train, help, and shell completion."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agents import agent_names
from pr_env import PuertoRico, __version__
from pr_env.cli import app
from pr_env.commands import bench, extras
from pr_env.commands.choice import Choice
from pr_env.commands.options import options_of
from pr_env.compiling import PACKAGE, cache_folder
from pr_env.threads import most_threads

COMMANDS = ("play", "watch", "replay", "arena", "train", "bench", "compile", "validate", "agents", "info")


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env=environment, prog_name="pr-env")


# -- info -------------------------------------------------------------------------------------------------------------


def test_info_tells_versions_places_and_sizes() -> None:
    result = run("info", "--players", "4", "--buildings", "draft", "--two-player-library", "round")
    assert result.exit_code == 0, result.output
    game = PuertoRico(players=4, buildings="draft", two_player_library="round")
    for said in (
        f"{__version__}, in ",
        "numba",
        str(cache_folder()),
        "pr_env/PuertoRico-v0 (registered)",
        "buildings=draft, two_player_library=round",
        "--six-players",
        "[johns|governor, default: johns]",
        f"actions            {len(game.actions)}",
        f"{game.observation_size} numbers",
        f"{game.record.itemsize:,} bytes",
    ):
        assert "".join(said.split()) in "".join(result.stdout.split()), said  # wherever lines break


def test_info_says_how_to_get_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.EXTRAS, "arena", ("tournaments", ("rich", "no_such_library")))
    said = " ".join(run("info").stdout.split())  # wherever lines break
    assert "no_such_library missing: pip install -e '.[arena]'" in said


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]
    names = {
        "pillow": "PIL",
        "stable-baselines3": "stable_baselines3",
        "sb3-contrib": "sb3_contrib",
        "mkdocs-material": "material",
        "open_spiel": "pyspiel",
        "mlflow-skinny": "mlflow",
    }
    declared = project["optional-dependencies"]

    def libraries_of(extra: str) -> set[str]:
        found: set[str] = set()
        for requirement in declared[extra]:
            library = re.split(r"[<>=\[]", requirement)[0]
            if library == project["name"]:
                for other in re.findall(r"[\w]+", requirement.partition("[")[2]):
                    found |= libraries_of(other)
            else:
                found.add(names.get(library, library))
        return found

    assert set(extras.EXTRAS) == set(declared) - {"dev"}
    for extra, (_, libraries) in extras.EXTRAS.items():
        assert set(libraries) == libraries_of(extra), extra


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("agents.commands", raising=False)  # present if another test has used it
    monkeypatch.setitem(sys.modules, "agents.commands", None)
    result = run("agents")
    assert result.exit_code == 1
    assert result.stderr == "pr-env: this needs agents.commands, which is not installed\n"
    assert extras.what_to_install("torch").endswith(
        "of the extra 'train': pip install -e '.[train]' in the checkout of pr-env"
    )


def test_info_shows_any_game() -> None:
    result = run("info", "--game", "examples.nim:Nim")
    assert result.exit_code == 0, result.output
    said = "".join(result.stdout.split())
    for part in ("Options of nim", "--players 2 to 4. [N, default: 2]", "A game of nim", "nim of another package"):
        assert "".join(part.split()) in said, part


def test_bench_measures_every_record_with_all_numbers_of_players() -> None:
    def measured(**given: Any) -> list[tuple[str, int]]:
        choice = Choice("puerto_rico", True, PuertoRico, options_of(PuertoRico), given)
        return [(bench.label(game), game.players) for game in bench.configurations(choice)]

    base = [("usual", players) for players in (2, 3, 4, 5)]
    assert measured() == [*base, *(("buildings=draft", players) for players in (2, 3, 4, 5, 6))]
    assert measured(max_rounds=9) == [("max_rounds=9", players) for players in (2, 3, 4, 5)]
    assert measured(players=4) == [("usual", 4)]
    cases = bench.grid([PuertoRico()], PuertoRico(), quick=True)
    assert {(game, games) for game, games, _, _ in cases} == {(PuertoRico(), 4096)}


# -- bench and train --------------------------------------------------------------------------------------------------


def test_bench_prints_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "grid", lambda games, usual, quick: [(usual, 16, False, 1)])
    monkeypatch.setattr(bench, "WARM_UP_STEPS", 1)
    file = tmp_path / "bench.json"
    short = ("--quick", "--repeats", "1", "--seconds", "0.01", "--json", str(file))
    result = run("bench", *short, "--players", "4", "--balanced")
    assert result.exit_code == 0, result.output
    assert "decisions/s" in result.stdout
    written = json.loads(file.read_text())
    assert written["game"] == "puerto_rico"
    (row,) = written["play"]
    assert (row["players"], row["options"]) == (4, "balanced=True")
    assert row["batch"] == 16
    assert row["decisions_per_second"] > 0


def test_bench_compares_games_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WARM_UP_STEPS", 1)
    rows = bench.side_by_side(("puerto_rico", "examples.nim:Nim"), repeats=1, seconds=0.01)
    cases = [(row["observations"], row["threads"]) for row in rows[::2]]
    assert cases == [
        (observations, threads) for observations in (False, True) for threads in sorted({1, most_threads()})
    ]
    assert all(row["ratio"] == 1 for row in rows[::2])
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert (first["game"], second["game"]) == ("puerto_rico", "examples.nim:Nim")
        speeds = second["decisions_per_second"] / first["decisions_per_second"]
        assert second["ratio"] == pytest.approx(speeds, abs=0.01)


def test_train_has_the_options_of_the_game() -> None:
    pytest.importorskip("torch")
    result = run("train", "--help")
    assert result.exit_code == 0
    assert all(said in result.stdout for said in ("--minutes", "--set NAME=VALUE", "--against AGENT", "--buildings"))
    assert "--players N" in run("train", "--game", "examples.nim:Nim", "--help").stdout
    wrong = run("train", "--players", "9")
    assert wrong.exit_code == 1
    assert "pr-env: players must be a whole number from 2 to 6, got 9" in wrong.stderr


# -- help and completion ----------------------------------------------------------------------------------------------


def test_every_command_has_help_with_an_example() -> None:
    listed = run("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", listed, re.MULTILINE)
        assert f"Example: pr-env {command}" in run(command, "--help").stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("pr-env wat", ["watch"]),
        ("pr-env arena bu", ["builder"]),
        ("pr-env watch random ", list(agent_names("puerto_rico"))),
        ("pr-env play --opponents sh", ["shipper"]),
        ("pr-env play --tips mc", ["mcts"]),
        ("pr-env validate --agent tr", ["trader"]),
        ("pr-env play --buildings ", ["base", "draft", "random"]),
        ("pr-env info --six", ["--six-players"]),
        ("pr-env info --six-players ", ["johns", "governor"]),
        ("pr-env info --balanced --max", ["--max-rounds"]),
        ("pr-env arena builder --ga", ["--games", "--game"]),
        ("pr-env watch --game pu", ["puerto_rico"]),
        ("pr-env validate --game pu", ["puerto_rico"]),
        ("pr-env play --game examples.nim:Nim --p", ["--players"]),
        ("pr-env play --game examples.nim:Nim --o", ["--opponents"]),
        ("pr-env watch --game examples.nim:Nim ", list(agent_names("nim"))),
        ("pr-env play --game no.such:Game --se", ["--seat", "--seed"]),
        ("pr-env train --dec", ["--decisions"]),
        ("pr-env train --against bu", ["builder"]),
        ("pr-env train --six", ["--six-players"]),
        ("pr-env train --game examples.nim:Nim --p", ["--players"]),
        ("pr-env play --six-players both --se", ["--seat", "--seed"]),
    ],
)
def test_the_shell_completes(words: str, completed: list[str]) -> None:
    place = str(words.count(" "))
    result = run(_PR_ENV_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=place)
    assert result.stdout.split() == completed


def test_completion_can_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--install-completion" in run("--help").stdout
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "bash"))  # tests may run without a shell
    assert "_PR_ENV_COMPLETE=complete_bash" in run("--show-completion").stdout
