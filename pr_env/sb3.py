"""Stable-Baselines3: a VecEnv over the batch. sb3-contrib's MaskablePPO picks up action masks automatically.

Needs the extra ``train``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np

try:
    import torch
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"pr_env.sb3 needs {missing.name}, of the extra 'train': pip install -e '.[train]' in the checkout of pr-env",
        name=missing.name,
    ) from None

from pr_env.game import Game
from pr_env.opponents import Opponents
from pr_env.seats import IllegalAction, Seat, SeatBatch, result_of
from pr_env.spaces import action_space, observation_space


class ScaledCounts(BaseFeaturesExtractor):
    """The first layer for compact observations: scales them as the usual observations are.

    ``MaskablePPO("MlpPolicy", env, policy_kwargs={"features_extractor_class": ScaledCounts,
    "features_extractor_kwargs": {"scales": game.scales}})``.

    Args:
        observation_space: That of the environment.
        scales: Those of the game.
    """

    scales: torch.Tensor

    def __init__(self, observation_space: gymnasium.Space[Any], scales: np.ndarray) -> None:
        super().__init__(observation_space, len(scales))
        self.register_buffer("scales", torch.as_tensor(scales, dtype=torch.float32), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The numbers of the usual observations."""
        return observations.float() * self.scales


class GameVecEnv(VecEnv):
    """N games, stepped from one decision of the learner to the next.

    As Stable-Baselines3 expects, a finished game restarts in the same step; ``infos[i]`` then has
    ``terminal_observation``, ``TimeLimit.truncated``, ``episode`` for monitors, and the items of
    `pr_env.seats.result_of`.

    Args:
        game: The game and its configuration.
        num_envs: The number of games.
        seed: As for `Batch`.
        seat: The learner's seat, ``"rotate"``, or, in a game with teams, ``"team"`` for all seats of a team.
        opponents: The players in the other seats, including partners, see `SeatBatch`.
        reward: One of the game's reward schemes.
        illegal_action: ``"raise"`` (a learner with masks never plays one), ``"random_legal"`` or ``"terminate"``.
        compact: Whether observations are compact: uint8 counts, see `Batch`.
        threads: As for `Batch`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 256,
        seed: int = 0,
        *,
        seat: Seat = "rotate",
        opponents: Opponents = "random",
        reward: str = "win_share",
        illegal_action: IllegalAction = "raise",
        compact: bool = False,
        threads: int | None = None,
    ) -> None:
        self.game = game
        self.seats = SeatBatch(
            game,
            num_envs,
            seed,
            seat=seat,
            opponents=opponents,
            reward=reward,
            illegal_action=illegal_action,
            compact=compact,
            threads=threads,
        )
        self.render_mode = None
        self._seed = seed
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, observation_space(game, compact), action_space(game))

    def reset(self) -> np.ndarray:
        """Restart all games, with the seed set by ``seed`` or the next unused seeds."""
        if self._seeds[0] is not None:
            self._seed = self._seeds[0]
        self.seats.reset(self._seed)
        self._seed += self.num_envs
        self._returns[:] = 0
        self._lengths[:] = 0
        self._reset_seeds()
        self._reset_options()
        return self.seats.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Store the learner's actions."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the stored actions."""
        seats = self.seats
        played = seats.seats.copy()
        seats.step(self._actions)
        self._returns += seats.reward
        self._lengths += 1
        dones = seats.terminated | seats.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            infos[i] = {
                "terminal_observation": seats.final_observation[i].copy(),
                "TimeLimit.truncated": bool(seats.truncated[i]),
                "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i])},
                **result_of(self.game, seats.final[i], int(played[i])),
            }
            self._returns[i] = 0
            self._lengths[i] = 0
        return seats.observation.copy(), seats.reward.copy(), dones, infos

    def action_masks(self) -> np.ndarray:
        """Bool (n, actions): the learner's legal actions in each game."""
        return self.seats.mask.copy()

    def close(self) -> None:
        """No resources to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this environment, repeated for each game."""
        value = getattr(self, attr_name)
        return [value for _ in self._places(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """The games have no attributes of their own."""
        raise AttributeError("the games of a batch share all attributes: set them on the environment itself")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of the games; only ``action_masks`` exists, which is computed for the whole batch at once."""
        if method_name != "action_masks":
            raise AttributeError(f"the games of a batch have only the method action_masks, got {method_name}")
        masks = self.action_masks()
        return [masks[i] for i in self._places(indices)]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None) -> list[bool]:
        """Always False: games are not wrapped."""
        return [False for _ in self._places(indices)]

    def _places(self, indices: Any) -> Iterable[int]:
        return self._get_indices(indices)
