"""A sample: sb3-contrib's MaskablePPO on pr_env's VecEnv, in one file.

One seat of each game learns, the seats rotate; a game's other seats are played by one of the rivals: earlier versions
of the learner, and agents by name. For the strong and fast learner see ``selfplay.py``.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from agents import Agent, make_agent
from agents.weights import Weights, write_arrays
from pr_env import PuertoRico
from pr_env.game import Game
from pr_env.puerto_rico.scoring import SOURCES
from pr_env.rewards import SCHEMES
from pr_env.sb3 import GameVecEnv
from training.checkpoint import RULES, adam_arrays, damage_named, read_checkpoint, restore_adam, under
from training.settings import check_settings

_FORMAT = "pr_env MaskablePPO checkpoint 2"


@dataclass(frozen=True)
class Settings:
    """All hyperparameters. Pairs (first, last) change linearly over the training."""

    players: int = 3  # of the game: 2, 3, 4 or 5
    seed: int = 0  # of weights, games and choices
    threads: int = 1  # for PyTorch; more than the machine has free cores makes it slower
    games: int = 256  # environments side by side
    steps: int = 128  # the learner's decisions in each of them between two rounds of learning
    layers: tuple[int, ...] = (256, 256)  # widths of the hidden layers, of the policy and of the value alike
    epochs: int = 3  # times that each decision is learned from
    minibatch: int = 2048  # decisions in one update
    learning_rate: tuple[float, float] = (5e-4, 5e-5)  # of Adam
    entropy: float = 0.02  # weight of the bonus for undecided policies: keeps exploring
    clip: float = 0.2  # how far an update may move the probability of an action, as a ratio
    value_weight: float = 0.5  # weight of the error of the value
    trace: float = 0.95  # lambda of GAE
    discount: float = 1.0  # gamma: a win at the end counts in full for the first decision
    reward: str = "win_share"  # one of the game's reward schemes
    pool: int = 6  # earlier versions that are kept; the oldest goes
    snapshot_every: int = 8  # rollouts between two entries of the pool
    agents: tuple[str, ...] = ("random", "builder", "shipper", "trader")  # rivals by name

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        counts = ("threads", "games", "steps", "epochs", "pool", "snapshot_every")
        check_settings(self, counts=counts, shares=("trace", "discount"))
        if self.clip <= 0:
            raise ValueError(f"clip is more than 0, not {self.clip!r}")
        if not 2 <= self.minibatch <= self.games * self.steps:  # advantages are normalised within one
            raise ValueError(f"minibatch is from 2 to the decisions of a rollout, games * steps, not {self.minibatch}")
        if self.reward not in SCHEMES:
            raise ValueError(f"reward is one of {', '.join(SCHEMES)}, not {self.reward!r}")
        if not self.agents:
            raise ValueError("agents are needed: somebody has to play the other seats")


class Rivals(Agent):
    """Plays the other seats: in each game one of the rivals; which one follows from the game's seed."""

    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game, settings: Settings) -> None:
        super().__init__(game)
        self._most = settings.pool
        self._agents = [make_agent(name, game, seed=settings.seed) for name in settings.agents]
        self.pool: list[Any] = []  # earlier versions of MaskablePPO's policy

    def add(self, policy: Any, state: dict[str, torch.Tensor]) -> None:
        """Put a version into the pool: a policy like this one, in this state."""
        version = type(policy)(**policy._get_constructor_parameters())
        version.load_state_dict(state)
        version.set_training_mode(False)
        self.pool = [*self.pool, version][-self._most :]

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """One action for each game."""
        assert games is not None, "rivals are told apart by the games' seeds"
        rivals = [*self._agents, *self.pool]
        playing = games["seed"] % np.uint64(len(rivals))
        actions = np.zeros(len(masks), np.int64)
        for number, rival in enumerate(rivals):
            rows = np.flatnonzero(playing == number)
            if not len(rows):
                continue
            if isinstance(rival, Agent):
                actions[rows] = rival.choose(observations[rows], masks[rows], games[rows])
            else:
                actions[rows], _ = rival.predict(observations[rows], action_masks=masks[rows])
        return actions


class Results(BaseCallback):
    """Notes how the learner's games end."""

    def __init__(self) -> None:
        super().__init__()
        self.points: list[np.ndarray] = []  # by source
        self.rounds: list[np.ndarray] = []

    def _on_step(self) -> bool:
        ended = np.flatnonzero(self.locals["dones"])
        if len(ended):
            seats = self.training_env.seats  # type: ignore[attr-defined]
            own = (seats.seats[ended] - 1) % self.training_env.game.players  # type: ignore[attr-defined] # has rotated
            self.points.append(seats.final["points"][ended, own])
            self.rounds.append(seats.final["rounds"][ended])
        return True

    def figures(self) -> dict[str, float]:
        """Means of the games that have ended."""
        if not self.points:
            return {}
        points = np.concatenate(self.points).mean(axis=0)
        figures = {f"points/{source}": float(value) for source, value in zip(SOURCES, points, strict=False)}
        return {"points": float(points.sum()), "rounds": float(np.concatenate(self.rounds).mean()), **figures}


class MaskableLearner:
    """MaskablePPO with its environment and its rivals: call `iterate` again and again."""

    name: ClassVar[str] = "MaskablePPO of sb3-contrib (training/sb3_ppo.py)"

    def __init__(self, settings: Settings, first_game: int = 0) -> None:
        """Start anew.

        Args:
            settings: The hyperparameters.
            first_game: Added to the seed of the games and choices: who goes on does not play the first games again.
        """
        self.settings = settings
        self.game = PuertoRico(players=settings.players)
        self.rivals = Rivals(self.game, settings)
        self.rollouts = 0
        torch.set_num_threads(settings.threads)
        environment = GameVecEnv(
            self.game,
            settings.games,
            settings.seed + first_game,
            opponents=self.rivals,
            reward=settings.reward,
            threads=settings.threads,
        )
        self.model = MaskablePPO(
            "MlpPolicy",
            environment,
            learning_rate=settings.learning_rate[0],
            n_steps=settings.steps,
            batch_size=settings.minibatch,
            n_epochs=settings.epochs,
            gamma=settings.discount,
            gae_lambda=settings.trace,
            clip_range=settings.clip,
            ent_coef=settings.entropy,
            vf_coef=settings.value_weight,
            policy_kwargs={"net_arch": list(settings.layers), "activation_fn": torch.nn.ReLU},
            seed=(settings.seed + first_game) % 2**32,
            device="cpu",
        )
        self.model.set_logger(Logger(None, []))  # figures go to the log of the training

    @property
    def decisions(self) -> int:
        """How many decisions have been learned from."""
        return self.model.num_timesteps

    def iterate(self, progress: float) -> dict[str, float]:
        """One rollout, and learn from it; ``progress`` goes from 0 to 1 over the training."""
        settings, model = self.settings, self.model
        first, last = settings.learning_rate
        model.lr_schedule = lambda _: first + (last - first) * progress
        results = Results()
        started = time.perf_counter()
        model.learn(settings.games * settings.steps, callback=results, reset_num_timesteps=False)
        passed = time.perf_counter() - started
        self.rollouts += 1
        if self.rollouts % settings.snapshot_every == 0:
            self.rivals.add(model.policy, model.policy.state_dict())
        trained = model.logger.name_to_value
        return {
            "entropy": -float(trained["train/entropy_loss"]),
            "value_loss": float(trained["train/value_loss"]),
            "clipped": float(trained["train/clip_fraction"]),
            "kl": float(trained["train/approx_kl"]),
            "explained": float(trained["train/explained_variance"]),
            "iteration_seconds": passed,
            **results.figures(),
        }

    def weights(self) -> Weights:
        """The policy as arrays for `agents.neural`. It has no value for each seat, so a search cannot use it."""
        state = {name: value.numpy().copy() for name, value in self.model.policy.state_dict().items()}
        arrays = {f"policy.{part}": state[f"action_net.{part}"] for part in ("weight", "bias")}
        for place in range(len(self.settings.layers)):
            for part in ("weight", "bias"):
                # Sequential: layer, activation, layer, ...
                arrays[f"hidden.{place}.{part}"] = state[f"mlp_extractor.policy_net.{2 * place}.{part}"]
        return arrays

    def save(self, path: Path, notes: dict[str, Any]) -> None:
        """Write a checkpoint: arrays and JSON, because Stable-Baselines3's own files are pickles."""
        policy = self.model.policy
        arrays = {f"policy/{name}": value.numpy() for name, value in policy.state_dict().items()}
        for place, version in enumerate(self.rivals.pool):
            arrays |= {f"pool/{place}/{name}": value.numpy() for name, value in version.state_dict().items()}
        arrays |= adam_arrays(policy, policy.optimizer)
        about = {
            "format": _FORMAT,
            **RULES,
            "settings": asdict(self.settings),
            "rollouts": self.rollouts,
            "decisions": self.decisions,
            "pool": len(self.rivals.pool),
            "notes": notes,
        }
        write_arrays(path, arrays, about)

    @classmethod
    def load(cls, path: Path, **changes: Any) -> tuple[MaskableLearner, dict[str, Any]]:
        """Go on from a checkpoint, with new games. Returns the learner and the notes.

        Raises:
            CheckpointError: If the file is damaged or of something else, or the changes do not fit it.
        """
        arrays, about, settings = read_checkpoint(path, _FORMAT, Settings, changes)
        with damage_named(path):
            decisions, notes = int(about["decisions"]), dict(about["notes"])
        learner = cls(settings, first_game=decisions)
        with damage_named(path):
            learner._restore(arrays, about)
        return learner, notes

    def _restore(self, arrays: Weights, about: dict[str, Any]) -> None:
        """Put in what `save` has written."""
        tensors = {name: torch.from_numpy(value) for name, value in arrays.items()}
        policy = self.model.policy
        policy.load_state_dict(under("policy/", tensors))
        restore_adam(policy, policy.optimizer, arrays)
        for place in range(about["pool"]):
            self.rivals.add(policy, under(f"pool/{place}/", tensors))
        self.rollouts = about["rollouts"]
        self.model.num_timesteps = about["decisions"]
