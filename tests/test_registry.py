"""Games by name: from this package, by entry point, and as module:Class."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pr_env import Game, PuertoRico, registry
from pr_env.replay import ReplayError
from tests.toys import EXAMPLES, Nim


def test_games_of_the_package_by_name() -> None:
    assert registry.find_game("puerto_rico") is PuertoRico
    assert registry.known_game("puerto_rico") is PuertoRico
    assert "puerto_rico" in registry.game_names()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("chess", "game must be one of puerto_rico"),
        ("nowhere_at_all:Chess", "no module 'nowhere_at_all'"),
        ("pr_env.batch:Batch", "has no game 'Batch'"),
        ("pr_env.game:Nothing", "has no game 'Nothing'"),
        (":Nim", "module:Class"),
    ],
)
def test_what_is_no_game_is_refused_with_a_sentence(spec: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        registry.find_game(spec)


def test_a_game_from_elsewhere_cannot_take_the_name_of_one_of_the_package() -> None:
    class Other(PuertoRico):
        """Another game with the same name."""

    with pytest.raises(ValueError, match="belongs to a game of this package"):
        registry.add_game(Other)
    with pytest.raises(ValueError, match="derived from"):
        registry.add_game(int)  # type: ignore[arg-type]


def run(program: str, **variables: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=EXAMPLES,
        env=os.environ | variables,
    ).stdout


def test_a_module_of_the_current_folder_is_found() -> None:
    assert run("from pr_env.registry import find_game; print(find_game('nim:Nim').name)") == "nim\n"


def test_other_packages_offer_games_by_entry_points(tmp_path: Path) -> None:
    metadata = tmp_path / "nim_game-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-game\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pr_env.games]\nnim = nim:Nim\n")
    program = "from pr_env import registry as r; print('nim' in r.game_names(), r.find_game('nim').__name__)"
    path = os.pathsep.join([str(tmp_path), str(EXAMPLES), str(EXAMPLES.parent)])
    assert run(program, PYTHONPATH=path) == "True Nim\n"


def test_a_file_never_makes_anything_be_imported(tmp_path: Path) -> None:
    from pr_env.replay import Replay

    line = Replay(Nim(), 3, ()).to_json()
    module = tmp_path / "evil.py"
    module.write_text("open('imported', 'w')\n")
    for name in ("evil:Game", "nim:Nim", "unheard_of"):
        with pytest.raises(ReplayError, match="unknown game"):
            Replay.from_json(line.replace('"game": "nim"', f'"game": "{name}"'))
    assert not (tmp_path / "imported").exists()
    program = f"""
from pr_env.replay import Replay, ReplayError
try: Replay.from_json('''{line}''')
except ReplayError as error: print(error)
"""
    assert "unknown game 'nim'" in run(program)


def test_a_class_says_what_it_is() -> None:
    assert issubclass(registry.find_game("puerto_rico"), Game)
