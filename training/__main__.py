"""``make train``: train an agent, rate it against the others, and write it down."""

from __future__ import annotations

import argparse
import sys
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

try:
    import torch  # noqa: F401
    from rich.console import Console
    from rich.markup import escape
except ModuleNotFoundError as missing:
    sys.exit(f"training needs {missing.name}: pip install 'pr-env[train]'")

from agents.neural import Brain, NeuralAgent, WrongWeightsError
from pr_env import PuertoRico
from pr_env.threads import most_threads
from training import selfplay
from training.checkpoint import CheckpointError
from training.log import DamagedLogError, read_log
from training.report import arena_table, draw_curve, save_replay
from training.run import Begin, Budget, DivergedError, FolderInUseError, Load, train
from training.settings import MOST_SEEDS, OPTIONS, PLAYERS
from training.transfer import TransferError, for_layers, for_players, layers_of

REPORT_GAMES = 300

S = TypeVar("S")


class SettingsError(ValueError):
    """A hyperparameter that does not exist, or a value that it cannot have."""


# What is said in a sentence, and has harmed nothing.
REFUSALS = (SettingsError, WrongWeightsError, CheckpointError, DamagedLogError, DivergedError, FolderInUseError)


def main(arguments: Sequence[str] | None = None, command: str = "python -m training") -> None:
    """Read the options (those of the command line if none are given), train, report."""
    options = _options(arguments, command)
    try:
        _train_and_report(options)
    except KeyboardInterrupt:
        sys.exit("Stopped. The same command goes on from the last checkpoint.")
    except OSError as error:
        sys.exit(f"files cannot be written or read: {error}")


def _train_and_report(options: argparse.Namespace) -> None:
    game = PuertoRico(players=options.players)
    folder = options.out or Path("runs") / f"{options.algorithm}-{options.players}p-seed{options.seed}"
    console = Console()
    goes_on = not options.restart and (folder / "checkpoint.npz").exists()
    try:
        begin, load = _learner(options)
        what = "Going on with" if goes_on else "Writing to"
        kept = " It keeps its seed, its start and all settings that --set does not name." if goes_on else ""
        console.print(f"{what} {escape(str(folder))}. Ctrl-C stops; the same command goes on.{kept}", soft_wrap=True)
        finished = train(begin, load, options.budget, folder, restart=options.restart)
    except REFUSALS as error:
        sys.exit(str(error))
    if not finished:
        console.print("Stopped before its end. The same command goes on from here.")
        return
    agent = NeuralAgent(game, str(folder / "agent.npz"))
    console.print(arena_table(agent, game, REPORT_GAMES, seed=options.seed + 1))
    draw_curve(read_log(folder / "log.csv"), options.players, folder / "curve.png")
    save_replay(agent, game, options.seed, folder / "replay.jsonl")
    console.print(
        f"{folder} has the agent (agent.npz), the log (log.csv, and tensorboard --logdir {folder}), its curve "
        f"(curve.png) and a game (pr-env replay {folder / 'replay.jsonl'}).\n"
        f"To play it: make_agent('ppo:weights={folder / 'agent.npz'}', game)",
        soft_wrap=True,
        markup=False,
    )


def _learner(options: argparse.Namespace) -> tuple[Begin, Load]:
    """How to make a new learner, and one that goes on."""
    # What a training that goes on may change; the players it may not, and is refused if they are others.
    later = {"players": options.players, "threads": options.threads, **dict(options.set)}
    first = {**later, "seed": options.seed}
    if options.algorithm == "sb3":
        from training import sb3_ppo  # Stable-Baselines3 takes seconds to load

        _check_names(sb3_ppo.Settings, later)
        return (
            lambda: sb3_ppo.MaskableLearner(_settings(sb3_ppo.Settings, first)),
            lambda path: sb3_ppo.MaskableLearner.load(path, **later),
        )
    _check_names(selfplay.Settings, later)
    return lambda: _begin_selfplay(first, options.start), lambda path: selfplay.SelfPlay.load(path, **later)


def _begin_selfplay(changes: dict[str, Any], file: Path | None) -> selfplay.SelfPlay:
    """A new learner, from nothing or from the agent in a file."""
    if file is None:
        return selfplay.SelfPlay(_settings(selfplay.Settings, changes))
    try:
        start = for_players(Brain(file).weights, changes["players"])
        # Unless told otherwise: it has learned already, and keeps its layers.
        settings = _settings(selfplay.Settings, {"lessons": 0, "layers": layers_of(start), **changes})
        return selfplay.SelfPlay(settings, for_layers(start, settings.layers, settings.seed))
    except TransferError as error:
        raise SettingsError(f"{file}: {error}") from None


def _check_names(kind: type, changes: dict[str, Any]) -> None:
    known = [field.name for field in fields(kind)]
    for name in changes:
        if name not in known:
            raise SettingsError(f"there is no hyperparameter {name!r}; there are {', '.join(known)}")


def _settings(kind: type[S], changes: dict[str, Any]) -> S:
    try:
        return kind(**changes)
    except ValueError as error:
        raise SettingsError(f"a hyperparameter does not fit: {error}") from error


def _options(arguments: Sequence[str] | None, command: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=command,
        description=(__doc__ or "").partition(": ")[2],
        epilog=f"Example: {command} --players 4 --minutes 30 --out runs/four",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--players", type=int, default=3, choices=PLAYERS)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to train")
    parser.add_argument("--decisions", type=int, help="how many decisions to learn from, in place of minutes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--algorithm", choices=["selfplay", "sb3"], default="selfplay")
    parser.add_argument("--threads", type=int, default=min(4, most_threads()))
    parser.add_argument("--out", type=Path, help="folder for everything that is written")
    parser.add_argument("--start", type=Path, help="selfplay: an agent.npz to start from, of any number of players")
    parser.add_argument(
        "--set", type=_setting, action="append", default=[], metavar="NAME=VALUE", help="change a hyperparameter"
    )
    parser.add_argument("--restart", action="store_true", help="forget what is in that folder")
    options = parser.parse_args(arguments)
    for name in ("minutes", "decisions", "threads"):
        value = getattr(options, name)
        if value is not None and not value > 0:  # nor nan
            parser.error(f"--{name} is more than 0")
    if not 0 <= options.seed < MOST_SEEDS:
        parser.error(f"--seed is from 0 to {MOST_SEEDS - 1}")
    if options.start and options.algorithm != "selfplay":
        parser.error("--start is for --algorithm selfplay")
    if options.out and options.out.exists() and not options.out.is_dir():
        parser.error(f"--out is a folder, and {options.out} is a file")
    options.budget = Budget(None if options.decisions else options.minutes, options.decisions)
    return options


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    if name in OPTIONS:
        raise argparse.ArgumentTypeError(f"--{name} says that")
    try:
        return name, literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


if __name__ == "__main__":
    main()
