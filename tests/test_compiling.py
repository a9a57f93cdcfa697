"""Compiled code is kept, found again, and never stale."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pr_env import compiling
from pr_env.compiling import NOT_COMPILED, PACKAGE

# A package of its own with the same machinery: a rule in one file, the kernel that uses it in another.
RULE = "from pr_env.compiling import compiled\n\n@compiled\ndef rule(x: int) -> int:\n    return x + {value}\n"
KERNEL = """
from pr_env.compiling import announce_compiling, kernel
from pr_env.rule import rule

@kernel
def run(x: int) -> int:
    return rule(x)

with announce_compiling("a test"):
    print(run(1))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pr_env"
    folder.mkdir()
    (folder / "__init__.py").touch()
    shutil.copy(compiling.__file__, folder / "compiling.py")
    (folder / "rule.py").write_text(RULE.format(value=1))
    (folder / "main.py").write_text(KERNEL)
    return folder


def run(package: Path, module: str = "pr_env.main", **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "PYTHON"))}
    # Python takes an edit of the same length within the same second for no edit: its byte code stays out of this.
    variables |= {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    command = [sys.executable, "-m", module]
    return subprocess.run(
        command, capture_output=True, text=True, env=variables, cwd=package.parent, check=True, timeout=120
    )


def test_the_first_run_says_that_it_compiles_and_the_second_loads(package: Path) -> None:
    first, second = run(package), run(package)
    assert first.stdout == second.stdout == "2\n"
    assert "compiling a test" in first.stderr
    assert "compiled in" in first.stderr
    assert second.stderr == ""


def test_an_edit_in_a_helper_file_is_seen_at_the_next_start(package: Path) -> None:
    assert run(package).stdout == "2\n"
    (package / "rule.py").write_text(RULE.format(value=5))
    assert run(package).stdout == "6\n"


def test_a_kernel_of_a_package_that_builds_on_this_one_sees_edits_in_both(package: Path) -> None:
    agents = package.parent / "agents"
    agents.mkdir()
    (agents / "__init__.py").touch()
    (agents / "own.py").write_text(RULE.format(value=10))
    (agents / "main.py").write_text(
        "from agents.own import rule as own\n" + KERNEL.replace("return rule(x)", "return own(rule(x))")
    )
    assert run(package, "agents.main").stdout == "12\n"
    assert run(package, "agents.main").stderr == ""
    (agents / "own.py").write_text(RULE.format(value=20))
    assert run(package, "agents.main").stdout == "22\n"
    (package / "rule.py").write_text(RULE.format(value=5))
    assert run(package, "agents.main").stdout == "26\n"


def test_an_edit_above_does_not_compile_this_package_again(package: Path) -> None:
    run(package)
    (package.parent / "agents").mkdir()
    (package.parent / "agents" / "new.py").write_text("x = 1\n")
    assert run(package).stderr == ""


def test_a_read_only_install_falls_back_to_the_users_cache(package: Path, tmp_path: Path) -> None:
    # Root may write anywhere, so a file in the place of the folder stands in for a read-only one.
    (package / "__pycache__").touch()
    cache = tmp_path / "cache"
    first = run(package, XDG_CACHE_HOME=str(cache))
    assert first.stdout == "2\n"
    assert list(cache.glob("pr_env/pr_env-compiled-*/**/*.nbi"))
    assert run(package, XDG_CACHE_HOME=str(cache)).stderr == ""


def test_without_any_place_to_write_it_compiles_every_time(package: Path, tmp_path: Path) -> None:
    (package / "__pycache__").touch()
    nowhere = tmp_path / "file"
    nowhere.touch()
    for _ in range(2):
        result = run(package, XDG_CACHE_HOME=str(nowhere))
        assert result.stdout == "2\n"
        assert "compiling a test" in result.stderr


def test_the_users_numba_folder_comes_first(package: Path, tmp_path: Path) -> None:
    run(package, NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    assert list((tmp_path / "numba").glob("pr_env-compiled-*/**/*.nbi"))


def test_folders_of_old_sources_are_removed_after_a_day(package: Path) -> None:
    run(package)
    folder = package / "__pycache__"
    (old,) = folder.glob("pr_env-compiled-*")
    two_days_ago = old.stat().st_mtime - 2 * 24 * 3600
    os.utime(old, (two_days_ago, two_days_ago))
    (package / "rule.py").write_text(RULE.format(value=2))
    run(package)
    assert not old.exists()
    assert len(list(folder.glob("pr_env-compiled-*"))) == 1


def test_other_packages_keep_their_own_cache_folder() -> None:
    import numba

    before = numba.config.CACHE_DIR
    compiling.kernel(lambda x: x)
    after = numba.config.CACHE_DIR
    assert after == before


def test_the_fingerprint_depends_on_every_source(package: Path) -> None:
    before = compiling.fingerprint(package)
    (package / "deep").mkdir()
    (package / "deep" / "new.py").write_text("x = 1\n")
    assert compiling.fingerprint(package) != before


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


def test_what_the_fingerprint_leaves_out_has_no_compiled_code() -> None:
    for part in NOT_COMPILED:
        path = PACKAGE / part
        sources = list(path.rglob("*.py")) if path.is_dir() else [path]
        assert sources, f"{part} does not exist"
        for source in sources:
            assert not re.search(r"import.*\b(compiled|kernel|parallel_kernel|numba)\b", source.read_text()), source
