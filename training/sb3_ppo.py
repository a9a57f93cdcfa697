"""Example: sb3-contrib's MaskablePPO on pr_env's VecEnv, in one file.

One seat of each game learns, in rotation; one opponent plays the other seats: an earlier version of the learner, or an
agent by name. For the strong and fast learner see ``selfplay.py``.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from agents import Agent, make_agent
from agents.weights import Weights, write_arrays
from pr_env.game import Game
from pr_env.registry import DEFAULT
from pr_env.sb3 import GameVecEnv
from training.checkpoint import adam_arrays, damage_named, read_checkpoint, restore_adam, rules_of, under
from training.evaluation import opponents_of
from training.settings import USUAL, check_settings, game_of, usual_agents

_FORMAT = "pr_env MaskablePPO checkpoint 3"


@dataclass(frozen=True)
class Settings:
    """All hyperparameters. Pairs (first, last) are linear schedules."""

    game: str = DEFAULT  # a name, or module:Class
    options: dict[str, Any] = field(default_factory=dict)  # of the game, for example {"players": 4}
    seed: int = 0  # of weights, games and actions
    threads: int = 1  # of PyTorch; more threads than free cores are slower
    device: str = "cpu"  # of PyTorch
    num_envs: int = 256  # environments in parallel
    num_steps: int = 128  # the learner's decisions per environment in a rollout
    hidden_sizes: tuple[int, ...] = (256, 256)  # widths of the hidden layers, for both policy and value
    update_epochs: int = 3  # passes over each rollout
    minibatch_size: int = 2048  # decisions per gradient step
    learning_rate: tuple[float, float] = (5e-4, 5e-5)  # of Adam
    ent_coef: float = 0.02  # weight of the entropy bonus
    clip_coef: float = 0.2  # PPO clips the probability ratio to 1 - clip_coef ... 1 + clip_coef
    vf_coef: float = 0.5  # weight of the value loss
    max_grad_norm: float = 0.5  # gradients are clipped to this norm
    gae_lambda: float = 0.95  # of GAE
    gamma: float = 1.0  # discount: a win at the end counts in full for the first decision
    reward: str = "win_share"  # one of the game's reward schemes
    pool: int = 6  # earlier versions that are kept; the oldest is dropped
    snapshot_every: int = 8  # rollouts between two snapshots for the pool
    agents: tuple[str, ...] = USUAL  # opponents by name: random play and the game's scripted agents

    def __post_init__(self) -> None:
        """Fill in the defaults of the game and check all values."""
        game = game_of(self)
        if self.agents is USUAL:
            object.__setattr__(self, "agents", ("random", *usual_agents(game)))
        counts = ("threads", "num_envs", "num_steps", "update_epochs", "pool", "snapshot_every")
        check_settings(self, counts=counts, shares=("gae_lambda", "gamma"))
        for name in ("clip_coef", "max_grad_norm"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be more than 0, got {getattr(self, name)!r}")
        rollout = self.num_envs * self.num_steps
        if not 2 <= self.minibatch_size <= rollout:  # advantages are normalised per minibatch
            raise ValueError(
                f"minibatch_size must be from 2 to the decisions of a rollout, num_envs * num_steps = {rollout}, "
                f"got {self.minibatch_size}"
            )
        if self.reward not in game.reward_schemes:
            raise ValueError(f"reward must be one of {', '.join(game.reward_schemes)}, got {self.reward!r}")
        if not self.agents:
            raise ValueError("agents must have at least one entry, since opponents play the other seats")


class Opponents(Agent):
    """Plays the other seats: in each game one of the opponents, selected by the game's seed."""

    needs_games: ClassVar[bool] = True

    def __init__(self, game: Game, settings: Settings) -> None:
        super().__init__(game)
        self._most = settings.pool
        self._agents = [make_agent(name, game, seed=settings.seed) for name in settings.agents]
        self.pool: list[Any] = []  # earlier versions of MaskablePPO's policy

    def add(self, policy: Any, state: dict[str, torch.Tensor]) -> None:
        """Add a version to the pool: a policy of this kind with the given state."""
        version = type(policy)(**policy._get_constructor_parameters())
        version.load_state_dict(state)
        version.set_training_mode(False)
        self.pool = [*self.pool, version][-self._most :]

    def choose(self, observations: np.ndarray, masks: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """Choose one action for each game."""
        assert games is not None, "opponents are chosen by the games' seeds"
        opponents = [*self._agents, *self.pool]
        playing = games["seed"] % np.uint64(len(opponents))
        actions = np.zeros(len(masks), np.int64)
        for number, opponent in enumerate(opponents):
            rows = np.flatnonzero(playing == number)
            if not len(rows):
                continue
            if isinstance(opponent, Agent):
                actions[rows] = opponent.choose(observations[rows], masks[rows], games[rows])
            else:
                actions[rows], _ = opponent.predict(observations[rows], action_masks=masks[rows])
        return actions


class Results(BaseCallback):
    """Records the results of the learner's games."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self.points: list[np.ndarray] = []  # by source
        self.won: list[np.ndarray] = []
        self.lengths: list[np.ndarray] = []

    def _on_step(self) -> bool:
        ended = np.flatnonzero(self.locals["dones"])
        if len(ended):
            seats = self.training_env.seats  # type: ignore[attr-defined]
            own = (seats.seats[ended] - 1) % self._game.players  # the seats have already rotated
            self.points.append(seats.final["points"][ended, own])
            self.won.append(seats.final["win_share"][ended, own])
            self.lengths.append(seats.final[self._game.length_unit][ended])
        return True

    def figures(self) -> dict[str, float]:
        """Means over the finished games."""
        if not self.points:
            return {}
        points = np.concatenate(self.points).mean(axis=0)
        by_source = {
            f"points/{source}": float(value) for source, value in zip(self._game.point_sources, points, strict=False)
        }
        return {
            "won": float(np.concatenate(self.won).mean()),
            "points": float(points.sum()),
            f"length/{self._game.length_unit}": float(np.concatenate(self.lengths).mean()),
            **by_source,
        }


class MaskableLearner:
    """MaskablePPO with its environment and its opponents: call `iterate` repeatedly."""

    name: ClassVar[str] = "MaskablePPO of sb3-contrib (training/sb3_ppo.py)"

    def __init__(self, settings: Settings, first_game: int = 0) -> None:
        """Start a new training run.

        Args:
            settings: The hyperparameters.
            first_game: Added to the seeds of games and actions, so that a resumed run does not repeat the first games.
        """
        self.settings = settings
        self.game = game_of(settings)
        self.opponents = Opponents(self.game, settings)
        self.rollouts = 0
        torch.set_num_threads(settings.threads)
        environment = GameVecEnv(
            self.game,
            settings.num_envs,
            settings.seed + first_game,
            opponents=self.opponents,
            reward=settings.reward,
            threads=settings.threads,
        )
        self.model = MaskablePPO(
            "MlpPolicy",
            environment,
            learning_rate=settings.learning_rate[0],
            n_steps=settings.num_steps,
            batch_size=settings.minibatch_size,
            n_epochs=settings.update_epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip_coef,
            ent_coef=settings.ent_coef,
            vf_coef=settings.vf_coef,
            max_grad_norm=settings.max_grad_norm,
            policy_kwargs={"net_arch": list(settings.hidden_sizes), "activation_fn": torch.nn.ReLU},
            seed=(settings.seed + first_game) % 2**32,
            device=settings.device,
        )
        self.model.set_logger(Logger(None, []))  # metrics go to the log of the training run

    @property
    def evaluation_opponents(self) -> tuple[str, ...]:
        """Opponents in evaluations, by name."""
        return opponents_of(self.game)

    @property
    def decisions(self) -> int:
        """Number of decisions learned from."""
        return self.model.num_timesteps

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect one rollout and learn from it; ``progress`` goes from 0 to 1 over the training run."""
        settings, model = self.settings, self.model
        first, last = settings.learning_rate
        model.lr_schedule = lambda _: first + (last - first) * progress
        results = Results(self.game)
        started = time.perf_counter()
        model.learn(settings.num_envs * settings.num_steps, callback=results, reset_num_timesteps=False)
        passed = time.perf_counter() - started
        self.rollouts += 1
        if self.rollouts % settings.snapshot_every == 0:
            self.opponents.add(model.policy, model.policy.state_dict())
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
        """The policy as arrays for `agents.neural`. It has no values per seat, so a search cannot use it."""
        state = {name: value.cpu().numpy().copy() for name, value in self.model.policy.state_dict().items()}
        arrays = {f"policy.{part}": state[f"action_net.{part}"] for part in ("weight", "bias")}
        for place in range(len(self.settings.hidden_sizes)):
            for part in ("weight", "bias"):
                # Sequential: layer, activation, layer, ...
                arrays[f"hidden.{place}.{part}"] = state[f"mlp_extractor.policy_net.{2 * place}.{part}"]
        return arrays

    def save(self, path: Path) -> None:
        """Write a checkpoint: arrays and JSON, because Stable-Baselines3's own files are pickles."""
        policy = self.model.policy
        arrays = {f"policy/{name}": value.cpu().numpy() for name, value in policy.state_dict().items()}
        for place, version in enumerate(self.opponents.pool):
            arrays |= {f"pool/{place}/{name}": value.cpu().numpy() for name, value in version.state_dict().items()}
        arrays |= adam_arrays(policy, policy.optimizer)
        about = {
            "format": _FORMAT,
            **rules_of(self.game),
            "settings": asdict(self.settings),
            "rollouts": self.rollouts,
            "decisions": self.decisions,
            "pool": len(self.opponents.pool),
        }
        write_arrays(path, arrays, about)

    @classmethod
    def load(cls, path: Path, **changes: Any) -> MaskableLearner:
        """Resume from a checkpoint, with new games.

        Raises:
            CheckpointError: If the file is damaged or not such a checkpoint, or the changes are incompatible.
        """
        arrays, about, settings = read_checkpoint(path, _FORMAT, Settings, changes)
        with damage_named(path):
            decisions = int(about["decisions"])
        learner = cls(settings, first_game=decisions)
        with damage_named(path):
            learner._restore(arrays, about)
        return learner

    def _restore(self, arrays: Weights, about: dict[str, Any]) -> None:
        """Restore what `save` wrote."""
        tensors = {name: torch.from_numpy(value) for name, value in arrays.items()}
        policy = self.model.policy
        policy.load_state_dict(under("policy/", tensors))
        restore_adam(policy, policy.optimizer, arrays)
        for place in range(about["pool"]):
            self.opponents.add(policy, under(f"pool/{place}/", tensors))
        self.rollouts = about["rollouts"]
        self.model.num_timesteps = about["decisions"]
