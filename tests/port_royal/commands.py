"""The commands with Port Royal: competitive, cooperative and solo.

``NUMBA_DISABLE_JIT=1 python -m tests.port_royal.commands``
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from pr_env.cli import app
from pr_env.port_royal.cards import FOLDER

GAME = ("--game", "port_royal")
TOGETHER = ("--add", "contract_cards", "--add", "contracts", "--mode", "cooperative")
SHORT = ("--max-turns", "4")


def run(*arguments: str, keys: str = "", fails: bool = False) -> str:
    """The output of a command."""
    result = CliRunner().invoke(app, list(arguments), input=keys, prog_name="pr-env")
    assert (result.exit_code != 0) == fails, (arguments, result.output[-2000:], result.exception)
    return result.output


def watch_and_replay(folder: Path) -> None:
    """A competitive, a cooperative and a solo game are watched, saved and replayed."""
    for number, options in enumerate(
        (("--players", "3", "--add", "gambler", *SHORT), ("--players", "2", *TOGETHER), ("--players", "1", *TOGETHER))
    ):
        file = str(folder / f"{number}.jsonl")
        run("watch", "random", *GAME, *options, "--seed", "3", "--boards", "end", "--save", file)
        assert "The game is over after" in run("replay", file, "--log")
        assert run("replay", file, "--move", "2")


def play_and_resume(folder: Path) -> None:
    """A person quits and resumes, alone and with a partner."""
    for players in ("1", "2"):
        file = str(folder / f"play_{players}.jsonl")
        others = () if players == "1" else ("--opponents", "random")
        new = (*GAME, "--players", players, *TOGETHER, "--seed", "2", "--tips", "random", *others)
        run("play", *new, "--save", file, keys="1\nq\n")
        run("play", "--resume", file, "--tips", "random", keys="1\nq\n")


def other_cards(folder: Path) -> None:
    """A replay with other cards is only read if the caller names their folder; one named in the file is ignored."""
    cards = folder / "cards"
    shutil.copytree(FOLDER, cards)
    base = cards / "base_cards.csv"
    base.write_text(base.read_text().replace("base,person,governor,,8,0", "base,person,governor,,8,4"))
    file = folder / "cards.jsonl"
    run("watch", "random", *GAME, *SHORT, "--data", str(cards), "--boards", "end", "--save", str(file))
    assert str(cards) not in file.read_text()
    assert "it was made with cards with the fingerprint" in run("replay", str(file), "--log", fails=True)
    assert "The game is over after" in run("replay", str(file), "--log", "--data", str(cards))
    assert "which only the user can set" in run("replay", str(_with_a_folder(file, cards)), "--log", fails=True)
    printed = str(folder / "0.jsonl")
    assert "it was made with the package's cards" in run("replay", printed, "--log", "--data", str(cards), fails=True)


def _with_a_folder(file: Path, cards: Path) -> Path:
    """A replay that names a folder to open."""
    evil = file.with_name("evil.jsonl")
    evil.write_text(file.read_text().replace('"options": {', f'"options": {{"data": "{cards}", '))
    return evil


def main() -> None:
    """Run everything."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        watch_and_replay(folder)
        play_and_resume(folder)
        other_cards(folder)
    assert "kept" in run("check", *GAME, "--players", "1", *TOGETHER, "--games", "2", "--steps", "10")
    arena = ("arena", "random", *GAME, *TOGETHER[:-2], "--game-mode", "cooperative")  # it has its own --mode
    for players in ("1", "2"):
        assert "random" in run(*arena, "--players", players, "--games", "4")
    print("all commands work")


if __name__ == "__main__":
    main()
