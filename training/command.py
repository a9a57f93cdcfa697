"""The command ``pr-env train``: train and report; `training.cli` has its options."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from agents import make_agent
from agents.cluster import connected
from agents.neural import Brain
from pr_env.game import Game
from training import league, machine, selfplay
from training.evaluation import measure_all, yardstick
from training.log import read_log
from training.report import best_response_words, draw_curve, save_replay, table_of, verdict
from training.run import Begin, Budget, DivergedError, FolderInUseError, Learner, Load, read_agent, read_clock, train
from training.settings import MOST_SEEDS, OPTIONS
from training.sinks import check_sinks
from training.transfer import TransferError, for_game, for_layers, layers_of

REPORT_GAMES = 300
BEST_RESPONSE_GAMES = 1000
FRESH = 2**40  # added to the seed of the training run: seeds that no evaluation has used

# Options that only some algorithms have
_OPTIONS_OF = {
    "start": ("selfplay", "league"),
    "against": ("selfplay",),
    "bfloat16": ("selfplay", "league"),
    "ray": ("selfplay",),
}

S = TypeVar("S")


class SettingsError(ValueError):
    """An unknown hyperparameter, or an invalid value."""


@dataclass(frozen=True)
class Request:
    """The options of the command, explained in `training.cli.train`.

    Attributes:
        game: The game and its configuration.
        minutes: Duration, if ``decisions`` is None.
        decisions: Number of decisions.
        seed: Seed of everything.
        against: Agents to find the best response to; empty for self-play.
        start: A weights file.
        out: The output folder; None for one in ``runs``.
        threads: Number of threads; None to measure.
        bfloat16: Whether to use bfloat16; None to measure.
        device: The PyTorch device.
        algorithm: ``"selfplay"``, ``"league"`` or ``"sb3"``.
        changes: Changed hyperparameters, each NAME=VALUE.
        restart: Whether to start over.
        log_to: Additional services that receive the metrics.
        ray: Address of a Ray cluster; None for this machine only.
        workers: Maximum number of workers on the cluster; None for as many as it has processors for.

    Raises:
        ValueError: If an option is invalid.
    """

    game: Game
    minutes: float = 10.0
    decisions: int | None = None
    seed: int = 0
    against: tuple[str, ...] = ()
    start: Path | None = None
    out: Path | None = None
    threads: int | None = None
    bfloat16: bool | None = None
    device: str = "cpu"
    algorithm: str = "selfplay"
    changes: tuple[str, ...] = ()
    restart: bool = False
    log_to: tuple[str, ...] = ()
    ray: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        """Validate the options."""
        check_sinks(self.log_to)
        for name in ("minutes", "decisions", "threads", "workers"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # nor nan
                raise ValueError(f"--{name} must be more than 0, got {value}")
        if not 0 <= self.seed < MOST_SEEDS:
            raise ValueError(f"--seed must be from 0 to {MOST_SEEDS - 1}, got {self.seed}")
        if self.out is not None and self.out.exists() and not self.out.is_dir():
            raise ValueError(f"--out must be a folder, got the file {self.out}")
        for name, algorithms in _OPTIONS_OF.items():
            if getattr(self, name) and self.algorithm not in algorithms:
                raise ValueError(f"--{name} is for --algorithm {' or '.join(algorithms)}")
        if self.workers is not None and self.ray is None:
            raise ValueError(f"--workers needs --ray, got --workers {self.workers} alone")
        if self.ray is not None and self.device != "cpu":
            raise ValueError(f"--ray works with --device cpu only, got {self.device!r}")
        if self.against and self.game.players == 1:
            raise ValueError(f"--against needs other seats, but {self.game.name} has 1 player here")
        for name in self.against:
            make_agent(name, self.game)  # raises if it is invalid

    @property
    def budget(self) -> Budget:
        """How long to train."""
        return Budget(None if self.decisions else self.minutes, self.decisions)

    @property
    def folder(self) -> Path:
        """The output folder."""
        if self.out is not None:
            return self.out
        usual = {field.name: field.default for field in fields(self.game)}  # type: ignore[arg-type] # a dataclass
        given = {name: value for name, value in self.game.options().items() if value != usual.get(name)}
        parts = [self.algorithm, self.game.name, f"{self.game.players}p"]
        parts += [
            f"{name}-{value}" for name, value in given.items() if name != "players" and not isinstance(value, list)
        ]
        parts += [f"against-{name}" for name in self.against]
        return Path("runs") / "-".join([*map(_as_file_name, parts), f"seed{self.seed}"])

    def settings(self) -> dict[str, Any]:
        """The hyperparameters given by ``--set``, and those implied by ``--against``."""
        changes: dict[str, Any] = {}
        if self.against:
            at_once = min(make_agent(name, self.game).games_at_once for name in self.against)
            changes = {"agents": self.against, "opponent_games": 1.0, "pool_games": 0.0, "lessons": 0}
            changes["num_envs"] = min(selfplay.Settings.num_envs, at_once)  # searches prefer few games at a time
        return changes | dict(map(_setting, self.changes))


def run(request: Request) -> None:
    """Train and report.

    Raises:
        ValueError: If an option or a file is rejected; nothing has been changed in that case.
        SystemExit: If it was interrupted, or files cannot be used.
    """
    try:
        with nullcontext() if request.ray is None else connected(request.ray):
            _train_and_report(request)
    except (DivergedError, FolderInUseError) as error:
        raise ValueError(str(error)) from error
    except KeyboardInterrupt:
        raise SystemExit("Stopped. The same command resumes from the last checkpoint.") from None
    except OSError as error:
        raise SystemExit(f"cannot read or write files: {error}") from None


def _train_and_report(request: Request) -> None:
    folder, console = request.folder, Console(markup=False, highlight=False, soft_wrap=True)
    goes_on = not request.restart and (folder / "checkpoint.npz").exists()
    begin, load, promised = _learner(request, goes_on, console)
    what = "Resuming" if goes_on else "Writing to"
    kept = " A resumed run keeps its seed, its start and all settings not given by --set." if goes_on else ""
    console.print(f"{what} {folder}. Ctrl-C stops; the same command resumes.{kept}")
    learners: list[Learner] = []
    finished = train(
        _kept(begin, learners),
        _kept(load, learners),
        request.budget,
        folder,
        restart=request.restart,
        log_to=request.log_to,
    )
    if finished:
        _report(request, learners[-1], promised, console)
    else:
        console.print("Stopped early. The same command resumes from here.")


def _report(request: Request, learner: Learner, promised: float, console: Console) -> None:
    folder, game = request.folder, learner.game
    agent = read_agent(learner, folder / "agent.npz")
    best_response = isinstance(learner.settings, selfplay.Settings) and learner.settings.best_response
    games = BEST_RESPONSE_GAMES if best_response else REPORT_GAMES
    compared = yardstick(game)
    measured = measure_all(agent, learner.evaluation_opponents, game, games, seed=learner.settings.seed + FRESH)
    console.print(table_of(measured, game, compared))
    sentences = best_response_words(measured) if best_response else []
    seconds = read_clock(folder)
    rate = learner.decisions / seconds if seconds else promised
    sentences += [] if best_response else verdict(measured, compared, learner.decisions, rate, promised)
    for sentence in sentences:
        console.print(sentence)
    draw_curve(read_log(folder / "log.csv"), game, compared, folder / "curve.png")
    save_replay(agent, game, learner.settings.seed, folder / "replay.jsonl")
    console.print(
        f"{folder} has the agent (agent.npz), the log (log.csv, and tensorboard --logdir {folder}), its curve "
        f"(curve.png) and a game (pr-env replay {folder / 'replay.jsonl'}).\n"
        f"To play it: make_agent('ppo:weights={folder / 'agent.npz'}', game)"
    )


def _learner(request: Request, goes_on: bool, console: Console) -> tuple[Begin, Load, float]:
    """Functions that create a learner (a new one, or a resumed one), and the decisions per second measured."""
    changes = request.settings()
    # Options that a resumed training run may change; a checkpoint of another game is rejected.
    later = {"game": request.game.name, "options": request.game.options(), "device": request.device, **changes}
    first = {**later, "seed": request.seed}
    if request.algorithm == "sb3":
        from training import sb3_ppo  # Stable-Baselines3 takes seconds to import

        _check_names(sb3_ppo.Settings, later)
        threads = {"threads": request.threads or 1}
        return (
            lambda: sb3_ppo.MaskableLearner(_settings(sb3_ppo.Settings, first | threads)),
            lambda path: sb3_ppo.MaskableLearner.load(path, **later | threads),
            0.0,
        )
    kind: type[selfplay.SelfPlay] = league.League if request.algorithm == "league" else selfplay.SelfPlay
    _check_names(kind.settings_class, later)
    start = _start(request, changes)
    if start is not None:  # defaults: skip the lessons, and keep its layers
        first = {"lessons": 0, "hidden_sizes": layers_of(start), **first}
    if request.ray is not None:
        return _learner_on_cluster(request, start, first, later)
    found = machine.measure(_settings(kind.settings_class, first), [request.threads] if request.threads else [])
    bfloat16 = request.bfloat16
    if bfloat16 is None:  # so that the same decisions give the same agent, whatever is faster at the moment
        bfloat16 = found.bfloat16_pays() and request.decisions is None
    numbers = {} if goes_on and request.bfloat16 is None else {"bfloat16": bfloat16}
    threads = {"threads": request.threads or found.best_threads(bfloat16 and True in found.kinds)}
    console.print(found.words(threads["threads"], numbers.get("bfloat16")))
    settings = _settings(kind.settings_class, first | threads | {"bfloat16": bfloat16})
    promised = found.rates[threads["threads"], bfloat16]
    return (
        lambda: kind(settings, start and for_layers(start, settings.hidden_sizes, settings.seed)),
        lambda path: kind.load(path, **later | threads | numbers),
        promised,
    )


def _learner_on_cluster(
    request: Request, start: dict[str, Any] | None, first: dict[str, Any], later: dict[str, Any]
) -> tuple[Begin, Load, float]:
    """The same for a cluster, without a measurement: it would say nothing about the nodes."""
    from training.cluster import Crew, on_crew

    here = {"threads": request.threads or 1} | ({} if request.bfloat16 is None else {"bfloat16": request.bfloat16})
    settings = _settings(selfplay.Settings, first | here)
    begin, load = on_crew(
        lambda: selfplay.SelfPlay(settings, start and for_layers(start, settings.hidden_sizes, settings.seed)),
        lambda path: selfplay.SelfPlay.load(path, **later | here),
        Crew(request.workers),
    )
    return begin, load, 0.0


def _start(request: Request, changes: dict[str, Any]) -> dict[str, Any] | None:
    """The initial weights, converted to the game and the layers of the run."""
    if request.start is None:
        return None
    brain = Brain(request.start)
    try:
        weights = for_game(brain.weights, brain.game, request.game)
        for_layers(weights, changes.get("hidden_sizes", layers_of(weights)), request.seed)
    except TransferError as error:
        raise SettingsError(f"{request.start}: {error}") from None
    return weights


def _kept(make: Callable[..., Learner], into: list[Learner]) -> Callable[..., Learner]:
    """Wrap a function so that the learner it creates is also stored."""

    def made(*arguments: Any) -> Learner:
        into.append(make(*arguments))
        return into[-1]

    return made


def _check_names(kind: type, changes: dict[str, Any]) -> None:
    known = [field.name for field in fields(kind)]
    for name in changes:
        if name not in known:
            raise SettingsError(f"there is no hyperparameter {name!r}; available: {', '.join(known)}")


def _settings(kind: type[S], changes: dict[str, Any]) -> S:
    try:
        return kind(**changes)
    except ValueError as error:
        raise SettingsError(f"invalid hyperparameter: {error}") from error


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"--set must be NAME=VALUE, got {text!r}")
    if name in OPTIONS:
        raise SettingsError(f"--set cannot change {name}: use --{name}, and the options of the game")
    try:
        return name, literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def _as_file_name(text: object) -> str:
    return "".join(character if character.isalnum() or character in "._+" else "-" for character in str(text))
