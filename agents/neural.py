"""The agent that was trained by self-play: a small network, computed with NumPy alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from agents.agent import Agent
from agents.weights import Weights, read_arrays, write_arrays
from pr_env import PuertoRico
from pr_env.game import Game

SHIPPED = Path(__file__).parent / "weights"
_FORMAT = "pr_env agent 1"
_ILLEGAL = np.float32(-1e9)  # a score that no softmax hears


class WrongWeightsError(ValueError):
    """A file that is not weights of an agent for this game."""


def save_agent(path: Path, weights: Weights, game: Game, card: dict[str, Any]) -> None:
    """Write the weights of an agent with what is needed to know where they fit.

    Args:
        path: The file, ``.npz``.
        weights: The arrays by name. They are stored with 16 bits each.
        game: What it was trained for.
        card: How it was trained and what it can do, JSON-safe.
    """
    about = {
        "format": _FORMAT,
        "game": game.name,
        "layout": game.layout,
        "players": game.players,
        "observation_size": game.observation_size,
        "actions": len(game.actions),
        "card": card,
    }
    write_arrays(path, {name: value.astype(np.float16) for name, value in weights.items()}, about)


class Brain:
    """A network read from a file, and the description that came with it.

    Raises:
        WrongWeightsError: If the file is damaged, or of another game or layout.
    """

    def __init__(self, path: Path) -> None:
        try:
            self.weights, self.about = read_arrays(path)
        except FileNotFoundError:
            raise WrongWeightsError(f"there is no file of weights {path}") from None
        except ValueError as error:
            raise WrongWeightsError(str(error)) from error
        _check_fit(path, self.about)
        self.players = int(self.about["players"])
        self.observation_size = int(self.about["observation_size"])
        if not all(value.dtype.kind == "f" for value in self.weights.values()):
            raise WrongWeightsError(f"{path} is damaged: its arrays are not all of numbers")
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
        weight, bias = self._policy
        return np.asarray(self._features(observations) @ weight + bias)

    def actions_and_seats(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores of the actions, and of the seats' wins (k, players) clockwise from the acting one.

        Raises:
            WrongWeightsError: If the network was trained to choose only.
        """
        if self._value is None:
            raise WrongWeightsError(
                "these weights choose actions but have no values for the seats: a search cannot use them"
            )
        features = self._features(observations)
        return features @ self._policy[0] + self._policy[1], features @ self._value[0] + self._value[1]

    def _features(self, observations: np.ndarray) -> np.ndarray:
        x = observations
        for weight, bias in self._hidden:
            x = x @ weight
            x += bias
            np.maximum(x, 0, out=x)
        return x

    def _check_shapes(self, path: Path) -> None:
        width = self.observation_size
        for weight, bias in self._hidden:
            if weight.ndim != 2 or weight.shape[0] != width or bias.shape != weight.shape[1:]:
                raise WrongWeightsError(f"{path} is damaged: its layers do not fit together")
            width = weight.shape[1]
        heads = [(self._policy, int(self.about["actions"]))]
        if self._value is not None:
            heads.append((self._value, self.players))
        for (weight, bias), size in heads:
            if weight.shape != (width, size) or bias.shape != (size,):
                raise WrongWeightsError(f"{path} is damaged: its last layers do not fit")


class NeuralAgent(Agent):
    """Plays by a trained network: the likeliest legal action, or by chance.

    Args:
        weights: A file of `save_agent`; a folder of such files, of which the one for the game's number of players is
            taken; or nothing for those that come with the package.
        temperature: 0: always the likeliest action. 1: by chance as the network says; more: more evenly.
        seed: Of those choices.
    """

    def __init__(self, weights: str = "", temperature: float = 0.0, *, seed: int = 0) -> None:
        if temperature < 0:
            raise ValueError(f"temperature is at least 0, not {temperature}")
        self.temperature = temperature
        self._random = np.random.default_rng(seed)
        self._path = Path(weights) if weights else SHIPPED
        self._brain: Brain | None = None if self._path.is_dir() else Brain(self._path)

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One action for each game."""
        scores = self.brain(observations.shape[1]).actions(observations)
        scores = np.where(masks, scores, _ILLEGAL)
        if self.temperature:
            # The most of scores with Gumbel noise is a draw from their softmax.
            noise = self._random.gumbel(size=scores.shape)
            scores = np.where(masks, scores / self.temperature + noise, -np.inf)
        return np.asarray(scores.argmax(axis=1), np.int64)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What a search wants to know of positions.

        Returns:
            float32 (k, actions): how likely the network plays each action; illegal ones 0. And float32 (k, players):
            the share of the win that it expects for each seat, clockwise from the acting one.
        """
        scores, seats = self.brain(observations.shape[1]).actions_and_seats(observations)
        return _softmax(np.where(masks, scores, _ILLEGAL)), _softmax(seats)

    def brain(self, observation_size: int) -> Brain:
        """The network for observations of this size, loaded when first asked for.

        Raises:
            WrongWeightsError: If there is none.
        """
        if self._brain is None or (self._path.is_dir() and self._brain.observation_size != observation_size):
            self._brain = _find(self._path, observation_size)
        if self._brain.observation_size != observation_size:
            raise WrongWeightsError(
                f"these weights are for {self._brain.players} players, whose observations have "
                f"{self._brain.observation_size} numbers; this game's have {observation_size}"
            )
        return self._brain


def _find(folder: Path, observation_size: int) -> Brain:
    brains = [Brain(path) for path in sorted(folder.glob("*.npz"))]
    for brain in brains:
        if brain.observation_size == observation_size:
            return brain
    have = ", ".join(f"{brain.players} players" for brain in brains) or "nobody"
    raise WrongWeightsError(
        f"{folder} has weights for {have}, none for observations of {observation_size} numbers; "
        "`make train` trains an agent, and ppo:weights=FILE plays it"
    )


def _check_fit(path: Path, about: dict[str, Any]) -> None:
    if about.get("format") != _FORMAT:
        raise WrongWeightsError(f"{path} is not a file of an agent's weights")
    if about.get("game") != PuertoRico.name:
        raise WrongWeightsError(f"{path} has weights for the game {about.get('game')!r}, not for {PuertoRico.name!r}")
    if about.get("layout") != PuertoRico.layout:
        raise WrongWeightsError(
            f"{path} has weights for layout {about.get('layout')!r} of {PuertoRico.name}, "
            f"this version of pr_env has layout {PuertoRico.layout}: train anew"
        )
    try:
        game = PuertoRico(players=about.get("players"))  # type: ignore[arg-type]
    except ValueError as error:
        raise WrongWeightsError(f"{path}: {error}") from None
    sizes = about.get("observation_size"), about.get("actions")
    if sizes != (game.observation_size, len(game.actions)):
        raise WrongWeightsError(
            f"{path} has weights for {sizes[0]} numbers in and {sizes[1]} actions; with {game.players} players "
            f"{PuertoRico.name} has {game.observation_size} and {len(game.actions)}"
        )


def _softmax(scores: np.ndarray) -> np.ndarray:
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return np.asarray(chances, np.float32)
