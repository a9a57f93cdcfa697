"""Install the wheel from ``dist/`` into an empty environment and use it there: ``make wheel-test``.

Works outside the checkout, with only the dependencies of the wheel, and with uncompiled rules for speed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

from pr_env import __version__

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("pr_env", "agents", "training", "web")

# Runs in the empty environment.
USE = """
import gymnasium, numpy as np
import pr_env
from agents import agent_names, make_agent
from pr_env import Batch, PuertoRico, puerto_rico_v0

env = puerto_rico_v0.env(players=3)
env.reset(seed=1)
turns, chance = 0, np.random.default_rng(1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else int(chance.choice(np.flatnonzero(observation["action_mask"]))))
    turns += 1
print("a random game of", turns, "turns")

one = gymnasium.make("pr_env/PuertoRico-v0", players=2, opponents="builder")
observation, info = one.reset(seed=1)
one.step(np.flatnonzero(info["action_mask"])[0])
print("a step against a builder, found by its name")

batch = Batch(PuertoRico(players=3), 2, seed=0)
for name in ("random", "builder", "shipper", "trader", "greedy"):
    batch.step(make_agent(name, batch.game).choose(batch.observation, batch.mask, batch.games))
print("agents play:", ", ".join(agent_names("puerto_rico")))

try:
    batch.render(0, "rgb_array")
except ModuleNotFoundError as error:
    assert "render" in str(error), error
    print("pictures say what they need:", error)
else:
    raise SystemExit("the environment is not empty: there is Pillow in it")
"""


def main() -> None:
    """Check the contents of the wheel, install it, and use it."""
    wheels = sorted((ROOT / "dist").glob("*.whl"))
    if len(wheels) != 1:
        raise SystemExit(f"dist/ has {len(wheels)} wheels instead of one: run make wheel")
    check_contents(wheels[0])
    with tempfile.TemporaryDirectory(prefix="pr-env-wheel-") as folder:
        here = Path(folder)
        venv.create(here / "empty", with_pip=True)
        programs = here / "empty" / ("Scripts" if os.name == "nt" else "bin")
        python = str(programs / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install += ["-c", str(ROOT / "constraints.txt")]

        run([*install, str(wheels[0])], here)
        print(run([python, "-I", "-W", "error", "-c", USE], here), end="")
        without_extra = run([str(programs / "pr-env"), "--version"], here, fails=True)
        expect(
            "pip install -e '.[cli]' in the checkout of pr-env" in without_extra,
            f"no word about the missing extra: {without_extra}",
        )

        run([*install, f"{wheels[0]}[cli]"], here)
        said = run([str(programs / "pr-env"), "--version"], here)
        expect(said.strip() == f"pr-env {__version__}", f"the command says {said!r}, the sources {__version__}")
        said = run([str(programs / "pr-env"), "--help"], here)
        expect(all(f"\n  {name} " in said for name in ("play", "arena", "train")), f"commands are missing: {said}")
        without_extra = run([str(programs / "pr-env"), "train"], here, fails=True)
        expect(
            "pip install -e '.[train]' in the checkout of pr-env" in without_extra,
            f"no word about the missing extra: {without_extra}",
        )
    print(f"{wheels[0].name} installs and works in an empty environment")


def check_contents(wheel: Path) -> None:
    """All files of the packages are in the wheel, including weights of agents, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    here = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    expect(inside == here, f"wheel and packages differ: {sorted(inside ^ here)}")


def run(command: list[str], folder: Path, fails: bool = False) -> str:
    """The output of a command. Unexpected failure (or success) ends the test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        command, cwd=folder, env=kept | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )
    expect((done.returncode != 0) == fails, f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(true: bool, otherwise: str) -> None:
    """End the test with a message unless the condition is true."""
    if not true:
        sys.exit(f"the wheel does not work: {otherwise}")


if __name__ == "__main__":
    main()
