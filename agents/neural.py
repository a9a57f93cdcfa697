"""The agent trained by self-play: a small network, evaluated with NumPy unless a device is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agents.agent import Agent
from agents.weights import Weights, read_arrays, write_arrays
from pr_env.checks import check_number, shown
from pr_env.game import Game
from pr_env.registry import known_game

SHIPPED = Path(__file__).parent / "weights"
_FORMAT = "pr_env agent 1"
_ILLEGAL = np.float32(-1e9)  # a score that no softmax hears


class WrongWeightsError(ValueError):
    """A file that is not weights of an agent for this game."""


class OtherGameError(WrongWeightsError):
    """Weights of an agent for another game, or another configuration."""

    def __init__(self, message: str, trained: Game) -> None:
        super().__init__(message)
        self.trained = trained


def save_agent(path: Path, weights: Weights, game: Game, card: dict[str, Any]) -> None:
    """Write the weights of an agent with what is needed to know where they fit.

    Args:
        path: The file, ``.npz``.
        weights: The arrays by name. They are stored with 16 bits each.
        game: What it was trained for.
        card: How it was trained and what it can do, JSON-safe.

    Raises:
        ValueError: If a weight is NaN, infinite or too large for 16 bits.
    """
    with np.errstate(over="ignore"):
        small = {name: value.astype(np.float16) for name, value in weights.items()}
    for name, value in small.items():
        if not np.isfinite(value).all():
            raise ValueError(f"weights must be finite and fit into 16 bits, got others in {name!r}")
    about = {
        "format": _FORMAT,
        "game": game.name,
        "layout": game.layout,
        "options": game.recorded_options(),
        "card": card,
    }
    write_arrays(path, small, about)


def values_add_up(game: Game) -> bool:
    """Whether everybody plays against everybody, so that values are a softmax over the seats.

    Otherwise each value is a sigmoid: a chance of its own.
    """
    return game.constant_sum and len(set(game.teams)) == game.players


def value_count(game: Game) -> int:
    """How many values a network has: one if all seats win or lose together, else one for each seat."""
    return game.players if len(set(game.teams)) > 1 else 1


class Brain:
    """A network read from a file, and the description that came with it.

    Args:
        path: A file of `save_agent`.
        game: What it is to play; None: whatever it was trained for.

    Attributes:
        game: What it was trained for.
        weights: Its arrays by name.
        about: What the file says about them.

    Raises:
        WrongWeightsError: If the file is damaged, or of another game, configuration or layout.
    """

    def __init__(self, path: Path, game: Game | None = None) -> None:
        try:
            self.weights, self.about = read_arrays(path)
        except FileNotFoundError:
            raise WrongWeightsError(f"there is no file of weights {path}") from None
        except ValueError as error:
            raise WrongWeightsError(str(error)) from error
        self.game = _trained_for(path, self.about, game)
        if game is not None:
            _check_fit(path, self.game, game)
        for name, value in self.weights.items():
            if value.dtype.kind != "f":
                raise WrongWeightsError(f"{path} is damaged: its array {name!r} is not made of numbers")
            if not np.isfinite(value).all():
                raise WrongWeightsError(f"{path} is damaged: its array {name!r} contains NaN or infinity")
        # As float32, and transposed once: a row of observations times these is one layer.
        layers = {name: np.ascontiguousarray(value.T, np.float32) for name, value in self.weights.items()}
        depth = sum(name.startswith("hidden.") and name.endswith(".weight") for name in layers)
        try:
            self._hidden = [(layers[f"hidden.{i}.weight"], layers[f"hidden.{i}.bias"]) for i in range(depth)]
            self._policy = layers["policy.weight"], layers["policy.bias"]
            self._value = (layers["value.weight"], layers["value.bias"]) if "value.weight" in layers else None
        except KeyError as error:
            raise WrongWeightsError(f"{path} lacks the array {error}") from None
        self._check_shapes(path)

    def actions(self, observations: np.ndarray) -> np.ndarray:
        """Scores (k, actions), before masking."""
        self._check_observations(observations)
        return self._scores(observations, values=False)[0]

    def actions_and_seats(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores of the actions, and of the seats' wins clockwise from the acting one (k, `value_count`).

        Raises:
            WrongWeightsError: If the network was trained to choose only.
        """
        if self._value is None:
            raise WrongWeightsError(
                "these weights choose actions but have no values for the seats: a search cannot use them"
            )
        self._check_observations(observations)
        actions, seats = self._scores(observations, values=True)
        return actions, seats

    def _check_observations(self, observations: np.ndarray) -> None:
        if observations.shape[1:] != (self.game.observation_size,):
            raise WrongWeightsError(
                f"these weights are for {self.game}, whose observations have {self.game.observation_size} numbers; "
                f"got an array of shape {observations.shape}"
            )

    def _scores(self, observations: np.ndarray, *, values: bool) -> list[np.ndarray]:
        """The scores of the actions and, if asked for, of the seats."""
        x = observations
        for weight, bias in self._hidden:
            x = x @ weight
            x += bias
            np.maximum(x, 0, out=x)
        heads = [self._policy, self._value] if values else [self._policy]
        return [x @ head[0] + head[1] for head in heads if head is not None]

    def _check_shapes(self, path: Path) -> None:
        width = self.game.observation_size
        for weight, bias in self._hidden:
            if weight.ndim != 2 or weight.shape[0] != width or bias.shape != weight.shape[1:]:
                raise WrongWeightsError(f"{path} is damaged: its layers do not fit together")
            width = weight.shape[1]
        heads = [(self._policy, len(self.game.actions))]
        if self._value is not None:
            heads.append((self._value, value_count(self.game)))
        for (weight, bias), size in heads:
            if weight.shape != (width, size) or bias.shape != (size,):
                raise WrongWeightsError(f"{path} is damaged: its last layers do not fit")


class NeuralAgent(Agent):
    """Plays by a trained network: the likeliest legal action, or by chance.

    Args:
        game: What it plays.
        weights: A file of `save_agent`; a folder of such files, of which the one for the game is taken; or nothing for
            those that come with the package.
        temperature: 0: always the likeliest action. 1: by chance as the network says; more: more evenly.
        device: Where PyTorch computes the network, for example ``"cuda"``. By default NumPy computes it on the
            processor, and PyTorch is not needed.
        seed: Of the choices by chance.
    """

    def __init__(
        self, game: Game, weights: str = "", temperature: float = 0.0, device: str = "", *, seed: int = 0
    ) -> None:
        super().__init__(game)
        check_number("temperature", temperature)
        self.temperature = float(temperature)
        self._random = np.random.default_rng(seed)
        path = Path(weights) if weights else SHIPPED
        read = _reader(device)
        self.brain = _find(path, game, read) if path.is_dir() else read(path, game)

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One action for each game."""
        scores = self.brain.actions(observations)
        scores = np.where(masks, scores, _ILLEGAL)
        if self.temperature:
            # The most of scores with Gumbel noise is a draw from their softmax.
            noise = self._random.gumbel(size=scores.shape)
            scores = np.where(masks, scores / self.temperature + noise, -np.inf)
        return np.asarray(scores.argmax(axis=1), np.int64)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What its network says: how likely it plays each action with a temperature of 1."""
        return _softmax(np.where(masks, self.brain.actions(observations), _ILLEGAL))

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What a search wants to know of positions.

        Returns:
            float32 (k, actions): how likely the network plays each action; illegal ones 0. And float32 (k, players):
            the share of the win that it expects for each seat, clockwise from the acting one.
        """
        scores, seats = self.brain.actions_and_seats(observations)
        values = _softmax(seats) if values_add_up(self.game) else _sigmoid(seats)
        return _softmax(np.where(masks, scores, _ILLEGAL)), np.broadcast_to(values, (len(values), self.game.players))


def _reader(device: str) -> Callable[[Path, Game], Brain]:
    """What reads a network to be computed there."""
    if not device:
        return Brain
    try:
        from agents.torch_brain import TorchBrain, check_device
    except ModuleNotFoundError:
        raise ValueError(
            f"device {device!r} needs PyTorch: pip install -e '.[train]' in the checkout of pr-env"
        ) from None
    check_device(device)
    return partial(TorchBrain, device=device)


def _find(folder: Path, game: Game, read: Callable[[Path, Game], Brain]) -> Brain:
    """The weights of a folder that are for a game.

    Raises:
        WrongWeightsError: If there are none.
    """
    others = []
    for path in sorted(folder.glob("*.npz")):
        try:
            return read(path, game)
        except OtherGameError as error:
            others.append(_in_short(error.trained))
        except WrongWeightsError as error:  # damaged, or of a game that is not known here
            others.append(str(error))
    raise WrongWeightsError(
        f"there are no weights for {_in_short(game)}; {folder} has {' / '.join(others) or 'none'}. "
        "`make train` trains an agent, and ppo:weights=FILE plays it"
    )


def _in_short(game: Game) -> str:
    """A game with the options that matter to an agent."""
    options = ", ".join(f"{name}={value}" for name, value in game.options_for_agents().items())
    return f"{game.name} ({options})" if options else game.name


def _trained_for(path: Path, about: dict[str, Any], game: Game | None) -> Game:
    """The game that a file's description names: that of the one given, or a known one. Nothing is imported for it."""
    if about.get("format") != _FORMAT:
        raise WrongWeightsError(f"{path} is not a file of an agent's weights")
    name, options = about.get("game"), about.get("options")
    if options is None:  # as the first agents of the package were written
        options = {"players": about.get("players")}
    try:
        if game is not None and game.name == name:
            trained = type(game).from_recorded(options, **game.local())
        else:
            trained = known_game(name).from_recorded(options)  # type: ignore[arg-type] # it checks
    except (TypeError, ValueError) as error:
        raise WrongWeightsError(f"{path} has weights for {shown(name)} with {shown(options)}: {error}") from None
    if about.get("layout") != trained.layout:
        raise WrongWeightsError(
            f"{path} has weights for layout {shown(about.get('layout'))} of {trained.name}, "
            f"this version of pr_env has layout {trained.layout}: train anew"
        )
    return trained


def _check_fit(path: Path, trained: Game, game: Game) -> None:
    """Refuse weights that were trained for something else."""
    if trained.name != game.name:
        raise OtherGameError(f"{path} has weights for {trained.name}, not for {game.name}", trained)
    before, now = trained.options_for_agents(), game.options_for_agents()
    for option in {**before, **now}:
        if before.get(option) != now.get(option):
            theirs, ours = shown(before.get(option)), shown(now.get(option))
            message = f"{path} has weights for {game.name} with {option}={theirs}, not {ours}"
            raise OtherGameError(message, trained)


def _softmax(scores: np.ndarray) -> np.ndarray:
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return np.asarray(chances, np.float32)


def _sigmoid(scores: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * scores), np.float32)  # tanh does not overflow
