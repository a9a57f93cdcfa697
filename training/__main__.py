"""``make train``: train an agent, rate it against the others, and write it down."""

from __future__ import annotations

import argparse
import os
import sys
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

try:
    import torch  # noqa: F401
    from rich.console import Console
except ModuleNotFoundError as missing:
    sys.exit(f"training needs {missing.name}: pip install 'pr-env[train]'")

from agents.neural import Brain, NeuralAgent, WrongWeightsError
from pr_env import PuertoRico
from training import selfplay
from training.log import read_log
from training.report import arena_table, draw_curve, save_replay
from training.run import Begin, Budget, FolderInUseError, Load, train
from training.transfer import for_layers, for_players, layers_of

REPORT_GAMES = 300

S = TypeVar("S")


class SettingsError(ValueError):
    """A hyperparameter that does not exist, or a value that it cannot have."""


def main(arguments: Sequence[str] | None = None, command: str = "python -m training") -> None:
    """Read the options (those of the command line if none are given), train, report."""
    options = _options(arguments, command)
    game = PuertoRico(players=options.players)
    folder = options.out or Path("runs") / f"{options.algorithm}-{options.players}p-seed{options.seed}"
    console = Console()
    if options.restart:
        _forget(folder)
    known = (folder / "checkpoint.npz").exists()
    console.print(f"{'Going on with' if known else 'Writing to'} {folder}. Ctrl-C stops; the same command goes on.")
    try:
        begin, load = _learner(options)
        finished = train(begin, load, options.budget, folder)
    except (SettingsError, WrongWeightsError, FolderInUseError) as error:
        sys.exit(str(error))
    if not finished:
        console.print("Stopped before its end. The same command goes on from here.")
        return
    agent = NeuralAgent(str(folder / "agent.npz"))
    console.print(arena_table(agent, game, REPORT_GAMES, seed=options.seed + 1))
    draw_curve(read_log(folder / "log.csv"), options.players, folder / "curve.png")
    save_replay(agent, game, options.seed, folder / "replay.jsonl")
    console.print(
        f"[bold]{folder}[/] has the agent (agent.npz), the log (log.csv, and tensorboard --logdir {folder}), its curve "
        f"(curve.png) and a game (pr-env replay {folder / 'replay.jsonl'}).\n"
        f"To play it: make_agent('ppo:weights={folder / 'agent.npz'}')",
        soft_wrap=True,
    )


def _learner(options: argparse.Namespace) -> tuple[Begin, Load]:
    """How to make a new learner, and one that goes on."""
    changes = {"players": options.players, "seed": options.seed, "threads": options.threads}
    start = None
    if options.start:
        start = for_players(Brain(options.start).weights, options.players)
        changes |= {"lessons": 0, "layers": layers_of(start)}  # it has learned already
    changes |= dict(options.set)
    later = {"threads": options.threads, **dict(options.set)}  # what a training that goes on may change
    if options.algorithm == "sb3":
        from training import sb3_ppo  # Stable-Baselines3 takes seconds to load

        sample = _settings(sb3_ppo.Settings, changes)
        return lambda: sb3_ppo.MaskableLearner(sample), lambda path: sb3_ppo.MaskableLearner.load(path, **later)
    settings = _settings(selfplay.Settings, changes)
    if start:
        try:
            start = for_layers(start, settings.layers, settings.seed)
        except ValueError as error:
            raise SettingsError(f"{options.start}: {error}") from None
    return lambda: selfplay.SelfPlay(settings, start), lambda path: selfplay.SelfPlay.load(path, **later)


def _settings(kind: type[S], changes: dict[str, Any]) -> S:
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for name in changes:
        if name not in known:
            raise SettingsError(f"there is no hyperparameter {name!r}; there are {', '.join(known)}")
    try:
        return kind(**changes)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"a hyperparameter does not fit: {error}") from error


def _options(arguments: Sequence[str] | None, command: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=command,
        description=(__doc__ or "").partition(": ")[2],
        epilog=f"Example: {command} --players 4 --minutes 30 --out runs/four",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--players", type=int, default=3, choices=[2, 3, 4, 5])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to train")
    parser.add_argument("--decisions", type=int, help="how many decisions to learn from, in place of minutes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", choices=["selfplay", "sb3"], default="selfplay")
    parser.add_argument("--threads", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--out", type=Path, help="folder for everything that is written")
    parser.add_argument("--start", type=Path, help="selfplay: an agent.npz to start from, of any number of players")
    parser.add_argument(
        "--set", type=_setting, action="append", default=[], metavar="NAME=VALUE", help="change a hyperparameter"
    )
    parser.add_argument("--restart", action="store_true", help="forget what is in that folder")
    options = parser.parse_args(arguments)
    for name in ("minutes", "decisions", "threads"):
        value = getattr(options, name)
        if value is not None and value <= 0:
            parser.error(f"--{name} is more than 0")
    if options.seed < 0:
        parser.error("--seed is not negative")
    options.budget = Budget(None if options.decisions else options.minutes, options.decisions)
    return options


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def _forget(folder: Path) -> None:
    """Remove what an earlier training wrote, and nothing else."""
    for pattern in ("checkpoint.npz", "agent.npz", "log.csv", "events.out.tfevents.*", "curve.png", "replay.jsonl"):
        for path in folder.glob(pattern):
            path.unlink()


if __name__ == "__main__":
    main()
