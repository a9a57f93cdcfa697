"""Compiled code is cached, found again, and never stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from pr_env import compiling
from pr_env.compiling import compiled, inlined, kernel
from pr_env.fingerprint import Sources

# A separate package with the same structure: a rule and a table in one file, the kernel that uses them in another.
RULE = """
from pr_env.compiling import compiled

TABLE = ({value}, 0)

@compiled
def rule(x: int) -> int:
    return x + TABLE[0]
"""
KERNEL = """
from pr_env.compiling import announce_compiling, kernel
from pr_env.rule import rule

@kernel
def run(x: int) -> int:
    return rule(x)

with announce_compiling("a test", run):
    print(run(1))
"""
# Two games that share a kernel of the package
HOUSE = """
import numpy as np
from pr_env.compiling import kernel
from pr_env.rules import Rules, points

@kernel
def total(games, tables):
    return points(games[0], tables[0], 0)
"""
GAME = """
import sys
import numpy as np
from pr_env.compiling import announce_compiling, compiled
from pr_env.house import total
from pr_env.rules import NO_TABLES, Rules, game_record

WORTH = np.loadtxt("{cards}", dtype=np.int64, ndmin=1)  # a card file

@compiled
def nothing(game): pass
@compiled
def nothing_2(game, x): pass
@compiled
def observe(game, tables, viewer, scratch, out): pass
@compiled
def points(game, seat): return WORTH[0]

RULES = Rules("{name}", set_up=nothing_2, step=nothing_2, refresh=nothing, observe=observe,
              is_over=nothing, write_final=nothing_2, points=points)
with announce_compiling("{name}", total, rules=RULES):
    print(total.of(RULES)(np.zeros(1, game_record("{name}", [("x", np.int64)])), NO_TABLES))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pr_env"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for module in ("compiling.py", "fingerprint.py", "rules.py"):
        shutil.copy(compiling.PACKAGE / module, folder / module)
    (folder / "rule.py").write_text(RULE.format(value=1))
    (folder / "main.py").write_text(KERNEL)
    (folder / "house.py").write_text(HOUSE)
    for name in ("one", "two"):
        cards = tmp_path / f"{name}.csv"
        cards.write_text("7\n")
        (folder / f"{name}.py").write_text(GAME.format(name=name, cards=cards))
    return folder


def start(package: Path, module: str = "pr_env.main", **environment: str) -> subprocess.Popen[str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "PYTHON"))}
    # Python misses an edit of the same length within the same second, so its byte-code cache is disabled.
    variables |= {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    variables |= {"XDG_CACHE_HOME": str(package.parent / "cache"), **environment}
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
        cwd=package.parent,
    )


def run(package: Path, module: str = "pr_env.main", **environment: str) -> tuple[str, str]:
    process = start(package, module, **environment)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out, errors


def test_the_first_run_says_what_it_compiles_and_how_long_and_the_second_loads(package: Path) -> None:
    out, said = run(package)
    assert out == "2\n"
    assert said == "pr_env: compiling a test, about 1 s (once after an install or an edit)\n"
    assert run(package) == ("2\n", "")


def test_an_edit_in_a_rule_or_a_table_of_another_file_is_seen_at_the_next_start(package: Path) -> None:
    assert run(package)[0] == "2\n"
    (package / "rule.py").write_text(RULE.format(value=5))
    assert run(package)[0] == "6\n"
    (package / "rule.py").write_text(RULE.format(value=5).replace("x + TABLE", "x - TABLE"))
    assert run(package)[0] == "-4\n"


def test_an_edit_that_changes_no_code_compiles_nothing(package: Path) -> None:
    run(package)
    (package / "rule.py").write_text("# a remark\n" + RULE.format(value=1))
    (package / "new.py").write_text("x = 1\n")
    assert run(package) == ("2\n", "")


def test_an_edit_of_a_docstring_compiles_nothing(package: Path) -> None:
    rule = RULE.format(value=1).replace("    return", '    """One."""\n    return')
    (package / "rule.py").write_text(rule)
    run(package)
    (package / "rule.py").write_text(rule.replace("One.", "Another one."))
    assert run(package) == ("2\n", "")


def test_an_edit_in_one_game_compiles_that_game_only(package: Path) -> None:
    assert run(package, "pr_env.one")[0] == run(package, "pr_env.two")[0] == "7\n"
    (package.parent / "one.csv").write_text("8\n")
    out, said = run(package, "pr_env.one")
    assert out == "8\n"
    assert "compiling one" in said
    assert run(package, "pr_env.two") == ("7\n", "")


def test_a_card_file_that_was_edited_is_seen_in_both_directions(package: Path) -> None:
    for worth in (7, 9, 7):
        (package.parent / "one.csv").write_text(f"{worth}\n")
        assert run(package, "pr_env.one")[0] == f"{worth}\n"


def test_several_processes_on_an_empty_cache_wait_for_one(package: Path) -> None:
    # Compiling takes long enough that none of them finds a cached version.
    slow = "\n".join(f"    x += {number} * (x > {number})" for number in range(150))
    (package / "rule.py").write_text(RULE.format(value=1).replace("    return x + TABLE[0]", slow + "\n    return 2"))
    processes = [start(package) for _ in range(4)]
    ends = [process.communicate(timeout=120) for process in processes]
    assert {out for out, _ in ends} == {"2\n"}
    assert sum("compiling a test" in said for _, said in ends) == 1
    assert all("compiling" in said or said == "" for _, said in ends)


def test_all_checkouts_of_the_same_code_share_what_one_of_them_compiled(package: Path, tmp_path: Path) -> None:
    run(package)
    other = tmp_path / "elsewhere" / "pr_env"
    shutil.copytree(package, other)
    (other / "main.py").write_text("# a remark\n" + KERNEL)  # another file and other lines, the same code
    shared = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run(other, **shared) == ("2\n", "")
    (other / "rule.py").write_text(RULE.format(value=5))
    assert run(other, **shared)[0] == "6\n"
    assert run(package) == ("2\n", "")


def test_without_a_cache_folder_of_the_user_it_is_kept_beside_the_sources(package: Path, tmp_path: Path) -> None:
    # Root may write anywhere, so a file in place of the folder simulates a read-only folder.
    nowhere = tmp_path / "file"
    nowhere.touch()
    assert run(package, XDG_CACHE_HOME=str(nowhere))[0] == "2\n"
    assert list(package.glob("__pycache__/pr_env-compiled-*/**/*.nbi"))
    assert run(package, XDG_CACHE_HOME=str(nowhere))[1] == ""


def test_without_any_place_to_write_it_compiles_every_time_and_names_the_variable(
    package: Path, tmp_path: Path
) -> None:
    (package / "__pycache__").touch()
    nowhere = tmp_path / "file"
    nowhere.touch()
    for _ in range(2):
        out, said = run(package, XDG_CACHE_HOME=str(nowhere))
        assert out == "2\n"
        assert "compiling a test" in said
        assert "set NUMBA_CACHE_DIR" in said


def test_the_users_numba_folder_comes_first(package: Path, tmp_path: Path) -> None:
    run(package, NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    assert list((tmp_path / "numba").glob("pr_env-compiled-any-run-*/**/*.nbi"))


def test_folders_of_old_sources_are_removed_after_a_week(package: Path, tmp_path: Path) -> None:
    run(package)
    folder = tmp_path / "cache" / "pr_env"
    (old,) = folder.glob("pr_env-compiled-*")
    eight_days_ago = old.stat().st_mtime - 8 * 24 * 3600
    os.utime(old, (eight_days_ago, eight_days_ago))
    (package / "rule.py").write_text(RULE.format(value=2))
    run(package)
    assert not old.exists()
    assert len(list(folder.glob("pr_env-compiled-*"))) == 1


def test_other_packages_keep_their_own_cache_folder() -> None:
    before = numba.config.CACHE_DIR
    assert kernel(_plus_one).of(None)(1) == 2
    after = numba.config.CACHE_DIR
    assert after == before


def _plus_one(x: int) -> int:
    return x + 1


def test_the_fingerprint_is_of_all_that_is_compiled() -> None:
    first = _adding(1)
    assert Sources(first, None).fingerprint == Sources(_adding(1), None).fingerprint
    assert Sources(first, None).fingerprint != Sources(_adding(2), None).fingerprint
    assert Sources(first, None).fingerprint != Sources(_adding(1, inlined), None).fingerprint
    assert len(Sources(first, None).functions) == 2


def _adding(
    number: int, how: Callable[[Callable[[int], int]], Callable[[int], int]] = compiled
) -> Callable[[int], int]:
    @how
    def inner(x: int) -> int:
        return x + number

    def outer(x: int) -> int:
        return inner(x)

    return outer


def test_switched_off_compiling_still_plays() -> None:
    program = (
        "from pr_env import Batch, PuertoRico\n"
        "batch = Batch(PuertoRico(players=3), 300, threads=2)\n"
        "for _ in range(3): batch.step(batch.sample_actions())\n"
        "print(batch.mask.any())"
    )
    variables = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=variables, check=True)
    assert result.stdout == "True\n"
