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
_ILLEGAL = np.float32(-1e9)  # a score that a softmax turns into 0


class WrongWeightsError(ValueError):
    """A file does not contain weights of an agent for this game."""


class OtherGameError(WrongWeightsError):
    """The weights belong to another game, or another configuration."""

    def __init__(self, message: str, trained: Game) -> None:
        super().__init__(message)
        self.trained = trained


def save_agent(path: Path, weights: Weights, game: Game, card: dict[str, Any]) -> None:
    """Write the weights of an agent, with a description of the game they belong to.

    Args:
        path: The file, ``.npz``.
        weights: The arrays by name. They are stored as 16-bit numbers.
        game: The game that it was trained for.
        card: Its training and its strength, JSON-safe.

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
    """Whether all seats compete with each other, so that values are a softmax over the seats.

    Otherwise each value is a separate sigmoid.
    """
    return game.constant_sum and len(set(game.teams)) == game.players


def value_count(game: Game) -> int:
    """The number of values of a network: one if all seats win or lose together, else one per seat."""
    return game.players if len(set(game.teams)) > 1 else 1


class Brain:
    """A network read from a file, with its description.

    Args:
        path: A file written by `save_agent`.
        game: The game to play; None for the one that it was trained for.

    Attributes:
        game: The game that it was trained for.
        weights: Its arrays by name.
        about: The description in the file.

    Raises:
        WrongWeightsError: If the file is damaged, or belongs to another game, configuration or layout.
    """

    def __init__(self, path: Path, game: Game | None = None) -> None:
        try:
            self.weights, self.about = read_arrays(path)
        except FileNotFoundError:
            raise WrongWeightsError(f"weights file {path} does not exist") from None
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
        # As float32, and transposed once: observations @ array is one layer.
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
        """Scores of the actions, and value scores of the seats clockwise from the acting one (k, `value_count`).

        Raises:
            WrongWeightsError: If the network has no values.
        """
        if self._value is None:
            raise WrongWeightsError("these weights have a policy but no values for the seats: a search cannot use them")
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
        """The scores of the actions and, if requested, of the seats."""
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
                raise WrongWeightsError(f"{path} is damaged: the shapes of its layers do not match")
            width = weight.shape[1]
        heads = [(self._policy, len(self.game.actions))]
        if self._value is not None:
            heads.append((self._value, value_count(self.game)))
        for (weight, bias), size in heads:
            if weight.shape != (width, size) or bias.shape != (size,):
                raise WrongWeightsError(f"{path} is damaged: the shapes of its output layers do not match")


class NeuralAgent(Agent):
    """Plays the most likely legal action of a trained network, or samples from it.

    Args:
        game: The game to play.
        weights: A file written by `save_agent`; a folder of such files, of which the one for the game is used; or
            None for the weights shipped with the package.
        temperature: 0: always the most likely action. 1: sample from the network's probabilities; higher values
            sample more evenly.
        device: The device on which PyTorch evaluates the network, for example ``"cuda"``. By default NumPy evaluates
            it on the CPU, and PyTorch is not needed.
        seed: Seed for sampling.
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
        """Choose one action for each game."""
        scores = self.brain.actions(observations)
        scores = np.where(masks, scores, _ILLEGAL)
        if self.temperature:
            # The argmax of scores plus Gumbel noise is a sample from their softmax.
            noise = self._random.gumbel(size=scores.shape)
            scores = np.where(masks, scores / self.temperature + noise, -np.inf)
        return np.asarray(scores.argmax(axis=1), np.int64)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The action probabilities of its network, at a temperature of 1."""
        return _softmax(np.where(masks, self.brain.actions(observations), _ILLEGAL))

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Evaluate positions for a search.

        Returns:
            float32 (k, actions): action probabilities, 0 for illegal actions. And float32 (k, players): the expected
            share of the win for each seat, clockwise from the acting one.
        """
        scores, seats = self.brain.actions_and_seats(observations)
        values = _softmax(seats) if values_add_up(self.game) else _sigmoid(seats)
        return _softmax(np.where(masks, scores, _ILLEGAL)), np.broadcast_to(values, (len(values), self.game.players))


def _reader(device: str) -> Callable[[Path, Game], Brain]:
    """The function that loads a network for a device."""
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
    """Find the weights for a game in a folder.

    Raises:
        WrongWeightsError: If there are none.
    """
    others = []
    for path in sorted(folder.glob("*.npz")):
        try:
            return read(path, game)
        except OtherGameError as error:
            others.append(_in_short(error.trained))
        except WrongWeightsError as error:  # damaged, or of an unknown game
            others.append(str(error))
    raise WrongWeightsError(
        f"there are no weights for {_in_short(game)}; {folder} has {' / '.join(others) or 'none'}. "
        "`make train` trains an agent, and ppo:weights=FILE plays it"
    )


def _in_short(game: Game) -> str:
    """A game with the options that are relevant to an agent."""
    options = ", ".join(f"{name}={value}" for name, value in game.options_for_agents().items())
    return f"{game.name} ({options})" if options else game.name


def _trained_for(path: Path, about: dict[str, Any], game: Game | None) -> Game:
    """The game in the description of a file: the given one, or a known one. Nothing is imported for it."""
    if about.get("format") != _FORMAT:
        raise WrongWeightsError(f"{path} does not contain weights of an agent")
    name, options = about.get("game"), about.get("options")
    if options is None:  # the format of the first agents of the package
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
            f"this version of pr_env has layout {trained.layout}: train a new agent"
        )
    return trained


def _check_fit(path: Path, trained: Game, game: Game) -> None:
    """Reject weights that were trained for something else."""
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
